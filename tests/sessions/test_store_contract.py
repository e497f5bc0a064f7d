"""What every store does, on each server that it is meant for: real ones, never a fake."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_lines import Command, Reply
from guncamera.sessions.redis_scripts import Script
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Appended,
    Conflict,
    Created,
    Exists,
    Missing,
    Repeated,
    RequestKey,
    StoreDamaged,
    StoreUnavailable,
)
from store_calls import NAMES, append, ask, create, keys_of


@pytest.fixture(scope="session", params=["embedded", "redis", "cluster"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "embedded":
        with EmbeddedStore(tmp_path_factory.mktemp("embedded")) as embedded:
            yield embedded.url
    elif request.param == "redis":
        with servers.Server(servers.redis_program()) as server:
            yield server.url
    else:
        yield request.getfixturevalue("cluster_url")


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    store = RedisStore(url)
    yield store
    store.close()


@pytest.fixture
def game(store: RedisStore) -> str:
    """A session at revision 0."""
    name = next(NAMES)
    create(store, name)
    return name


def test_a_new_session_is_at_revision_zero(store: RedisStore) -> None:
    name = next(NAMES)
    assert Created(0) == create(store, name)
    loaded = store.load(name)
    assert loaded is not None
    assert (
        loaded.revision,
        loaded.record,
        loaded.state,
        loaded.claims,
    ) == (0, b"record", b"state 0", {})
    assert tuple(store.entries(name, after_revision=0, limit=10)) == ()


def test_a_repeated_create_says_which_request_made_the_session(store: RedisStore) -> None:
    name = next(NAMES)
    request = RequestKey("create-1", "hash with spaces")
    create(store, name, request)
    append(store, name, 0)
    assert Exists(request) == create(store, name, request)
    assert Exists(request) == create(store, name, RequestKey("other", "x"))
    loaded = store.load(name)
    assert loaded is not None
    assert loaded.revision == 1, "a second create must not start the session anew"


def test_a_session_made_without_a_request_says_so(store: RedisStore, game: str) -> None:
    assert Exists(None) == create(store, game, RequestKey("late", "x"))


def test_appends_make_a_ledger_counted_from_one(store: RedisStore, game: str) -> None:
    assert [Appended(1), Appended(2), Appended(3)] == [append(store, game, n) for n in range(3)]
    loaded = store.load(game)
    assert loaded is not None
    assert (loaded.revision, loaded.state, loaded.record) == (3, b"state 3", b"record")
    assert store.entries(game, after_revision=0, limit=9) == [b"entry 1", b"entry 2", b"entry 3"]
    assert store.entries(game, after_revision=1, limit=1) == [b"entry 2"]
    assert list(store.entries(game, after_revision=3, limit=9)) == []
    assert list(store.entries(game, after_revision=0, limit=0)) == []
    assert [store.entry(game, n) for n in (0, 1, 3, 4)] == [None, b"entry 1", b"entry 3", None]


def test_bytes_come_back_as_they_went_in(store: RedisStore) -> None:
    name = next(NAMES)
    every_byte = bytes(range(256)) * 300
    store.create(name, record=every_byte, state=b"", ttl_seconds=9, request=None)
    store.append(
        name,
        expected_revision=0,
        entry=every_byte,
        state=every_byte[::-1],
        request=None,
        ttl_seconds=9,
    )
    loaded = store.load(name)
    assert loaded is not None
    assert (every_byte, every_byte[::-1]) == (loaded.record, loaded.state)
    assert every_byte == store.entry(name, 1)


@pytest.mark.parametrize("expected_revision", [0, 2, -1])
def test_another_revision_than_the_stores_changes_nothing(
    store: RedisStore, game: str, expected_revision: int
) -> None:
    append(store, game, 0)
    assert Conflict(1) == append(store, game, expected_revision, RequestKey("r", "f"))
    loaded = store.load(game, request_id="r")
    assert loaded is not None
    assert (loaded.revision, loaded.state, loaded.repeated) == (1, b"state 1", None)
    assert store.entries(game, after_revision=0, limit=9) == [b"entry 1"]


def test_a_used_request_id_is_answered_before_the_revision_is_looked_at(
    store: RedisStore, game: str
) -> None:
    append(store, game, 0, RequestKey("first", "fingerprint of first"))
    append(store, game, 1)
    for stale_revision in (0, 2, 99):
        repeated = append(store, game, stale_revision, RequestKey("first", "another body"))
        assert Repeated(1, "fingerprint of first") == repeated
    assert len(store.entries(game, after_revision=0, limit=9)) == 2


def test_loading_tells_whether_a_request_id_was_used(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, RequestKey("created", "c"))
    append(store, name, 0, RequestKey("moved", "m"))
    found = {key: store.load(name, request_id=key) for key in ("created", "moved", "new")}
    assert {"created": Repeated(0, "c"), "moved": Repeated(1, "m"), "new": None} == {
        key: loaded.repeated for key, loaded in found.items() if loaded
    }
    assert Repeated(0, "c") == append(store, name, 1, RequestKey("created", "c"))


def test_request_ids_belong_to_one_session(store: RedisStore, game: str) -> None:
    other = next(NAMES)
    create(store, other)
    append(store, game, 0, RequestKey("same", "f"))
    assert Appended(1) == append(store, other, 0, RequestKey("same", "f"))


def test_what_is_missing_is_said_to_be_missing(store: RedisStore) -> None:
    assert store.load("nowhere") is None
    assert store.load("nowhere", request_id="r") is None
    assert Missing() == append(store, "nowhere", 0, RequestKey("r", "f"))
    assert store.claim("nowhere", "red", "token") is None
    assert store.entry("nowhere", 1) is None
    assert list(store.entries("nowhere", after_revision=0, limit=9)) == []
    assert not store.delete("nowhere")
    assert [ask(store, key, "EXISTS", key) for key in keys_of("nowhere")] == [0, 0, 0]


def test_a_seat_is_claimed_once(store: RedisStore, game: str) -> None:
    assert store.claim(game, "red", "hash-a") is True
    assert store.claim(game, "red", "hash-b") is False
    assert store.claim(game, "red", "hash-a") is True, "a retry holds the seat already"
    assert store.claim(game, "blue", "hash-b") is True
    append(store, game, 0)
    loaded = store.load(game)
    assert loaded is not None
    assert loaded.claims == {"red": "hash-a", "blue": "hash-b"}


def test_every_append_counts_the_expiry_of_every_key_anew(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, ttl_seconds=50)
    append(store, name, 0, RequestKey("r", "f"), ttl_seconds=1000)
    store.claim(name, "red", "hash")
    for key in keys_of(name):
        assert 990 < ask(store, key, "TTL", key) <= 1000, key
    append(store, name, 1, ttl_seconds=20)
    for key in keys_of(name):
        assert 10 < ask(store, key, "TTL", key) <= 20, key


def test_an_expired_session_is_missing_and_its_name_free(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, RequestKey("c", "f"))
    append(store, name, 0, RequestKey("r", "f"), ttl_seconds=1)
    servers.wait_until(lambda: store.load(name) is None, "the session expires", 3)
    assert Missing() == append(store, name, 1)
    assert Created(0) == create(store, name)
    assert Appended(1) == append(store, name, 0, RequestKey("r", "f"))


@pytest.mark.parametrize("ttl_seconds", [0, -1])
def test_a_session_cannot_be_told_to_end_at_once(store: RedisStore, ttl_seconds: int) -> None:
    name = next(NAMES)
    with pytest.raises(ValueError, match="at least a second"):
        create(store, name, ttl_seconds=ttl_seconds)
    create(store, name)
    with pytest.raises(ValueError, match="at least a second"):
        append(store, name, 0, ttl_seconds=ttl_seconds)
    assert store.load(name) is not None


@pytest.mark.parametrize("name", ["", "a{b", "a}b", "{}"])
def test_names_that_would_scatter_a_session_are_refused(store: RedisStore, name: str) -> None:
    with pytest.raises(ValueError, match="session id"):
        create(store, name)


@pytest.mark.parametrize("name", ["sessions", "é war", "a:head", "x" * 200])
def test_odd_names_are_names(store: RedisStore, name: str) -> None:
    create(store, name)
    assert Appended(1) == append(store, name, 0)
    assert name in store.list_ids(after=None, limit=1000).ids
    assert store.delete(name)


def test_a_deleted_session_leaves_nothing(store: RedisStore, game: str) -> None:
    append(store, game, 0, RequestKey("r", "f"))
    assert store.delete(game)
    assert not store.delete(game)
    assert store.load(game) is None
    assert [ask(store, key, "EXISTS", key) for key in keys_of(game)] == [0, 0, 0]
    assert game not in store.list_ids(after=None, limit=1000).ids
    assert Created(0) == create(store, game)
    assert game in store.list_ids(after=None, limit=1000).ids


@pytest.mark.parametrize("count", [0, 1, 1000, 2501])
def test_an_imported_ledger_is_whole(store: RedisStore, count: int) -> None:
    name = next(NAMES)
    entries = [b"entry %d" % n for n in range(1, count + 1)]
    request = RequestKey("import", "f")

    def import_it() -> Created | Exists:
        return store.import_session(
            name, record=b"r", state=b"s", entries=entries, ttl_seconds=100, request=request
        )

    assert Created(count) == import_it()
    assert Exists(request) == import_it()
    loaded = store.load(name)
    assert loaded is not None
    assert (count, b"s") == (loaded.revision, loaded.state)
    assert entries == list(store.entries(name, after_revision=0, limit=5000))
    assert Appended(count + 1) == append(store, name, count)
    for key in keys_of(name)[:2]:
        assert 90 < ask(store, key, "TTL", key) <= 100


def test_leftovers_of_a_lost_session_are_not_taken_for_the_new_one(store: RedisStore) -> None:
    name = next(NAMES)
    _, ledger, requests = keys_of(name)
    ask(store, ledger, "RPUSH", ledger, "ghost")
    ask(store, requests, "HSET", requests, "r", "7 ghost")
    create(store, name)
    assert Appended(1) == append(store, name, 0, RequestKey("r", "f"))
    assert store.entries(name, after_revision=0, limit=9) == [b"entry 1"]


def test_sessions_are_listed_in_the_order_of_their_creation(store: RedisStore) -> None:
    names = [next(NAMES) for _ in range(7)]
    for name in reversed(names):
        create(store, name)
    create(store, names[3], RequestKey("again", "x"))
    listed: list[str] = []
    after = None
    while True:
        page = store.list_ids(after=after, limit=3)
        assert len(page.ids) <= 3
        listed += page.ids
        after = page.after
        if after is None:
            break
        if names[6] in listed:
            store.delete(names[6])  # a place in the list outlives the session it came from
    assert list(reversed(names)) == [name for name in listed if name in names]
    with pytest.raises(ValueError, match="place"):
        store.list_ids(after="game-1", limit=3)


def test_expired_sessions_are_skipped_and_pruned(url: str) -> None:
    store = RedisStore(url, index_grace_seconds=0)
    names = [next(NAMES) for _ in range(6)]
    for name in names:
        create(store, name)
    for name in names[:5]:
        head = keys_of(name)[0]
        ask(store, head, "DEL", head)
    index = "guncamera:{sessions}:index"
    assert ask(store, index, "ZSCORE", index, names[0]) is not None
    assert names[5:] == [n for n in store.list_ids(after=None, limit=1000).ids if n in names]
    assert [ask(store, index, "ZSCORE", index, name) for name in names[:5]] == [None] * 5
    store.close()


def test_a_session_about_to_be_created_is_not_pruned(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = next(NAMES)
    run = store._redis.run

    def list_before_it_exists(script: Script, keys: Sequence[str], arguments: Command) -> Reply:
        if keys[0] == keys_of(name)[0]:
            assert name not in store.list_ids(after=None, limit=1000).ids
        return run(script, keys, arguments)

    with monkeypatch.context() as patched:
        patched.setattr(store._redis, "run", list_before_it_exists)
        create(store, name)
    assert name in store.list_ids(after=None, limit=1000).ids


def test_a_session_deleted_while_it_is_created_again_stays_listed(
    store: RedisStore, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store._redis.run

    def delete_first(script: Script, keys: Sequence[str], arguments: Command) -> Reply:
        if keys[0] == keys_of(game)[0]:
            monkeypatch.undo()
            assert store.delete(game)
        return run(script, keys, arguments)

    monkeypatch.setattr(store._redis, "run", delete_first)
    assert create(store, game) == Created(0)
    assert game in store.list_ids(after=None, limit=1000).ids


def test_a_watch_hears_appends_and_deletion(store: RedisStore, game: str) -> None:
    with store.watch(game) as watch:
        assert not watch.wait(0.01)
        append(store, game, 0)
        append(store, game, 1)
        assert watch.wait(5)
        while watch.wait(0.05):
            pass
        append(store, game, 1)  # a conflict is no news
        store.claim(game, "red", "hash")
        assert not watch.wait(0.05)
        store.delete(game)
        assert watch.wait(5)


def test_a_watch_wakes_a_waiting_thread(store: RedisStore, game: str) -> None:
    heard: list[bool] = []
    is_listening = threading.Event()

    def listen() -> None:
        with store.watch(game) as watch:
            is_listening.set()
            heard.append(watch.wait(10))

    listener = threading.Thread(target=listen)
    listener.start()
    assert is_listening.wait(5)
    started = time.monotonic()
    append(store, game, 0)
    listener.join(10)
    assert heard == [True]
    assert time.monotonic() - started < 2


def test_a_watch_gives_its_connection_up(store: RedisStore, game: str) -> None:
    def clients() -> int:
        replies = store._redis.transport.ask_each_server(("CLIENT", "LIST"))
        return sum(len(reply[0].splitlines()) for reply in replies)

    before = clients()
    for _ in range(20):
        with store.watch(game) as watch:
            watch.wait(0)
        with pytest.raises(ZeroDivisionError), store.watch(game):
            raise ZeroDivisionError
    servers.wait_until(lambda: clients() <= before, "the watches' connections are gone")


def test_threads_have_connections_of_their_own_and_leave_none(store: RedisStore) -> None:
    names = [next(NAMES) for _ in range(8)]

    def play(name: str) -> None:
        create(store, name)
        for revision in range(50):
            append(store, name, revision)

    threads = [threading.Thread(target=play, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in names:
        loaded = store.load(name)
        assert loaded is not None
        assert (loaded.revision, loaded.state) == (50, b"state 50")


def test_a_server_that_forgot_the_scripts_is_sent_them_again(store: RedisStore, game: str) -> None:
    append(store, game, 0)
    store._redis.transport.ask_each_server(("SCRIPT", "FLUSH"))
    assert Appended(2) == append(store, game, 1)
    assert store.claim(game, "red", "hash") is True


@pytest.mark.parametrize(("kind", "value"), [("ledger", "SET"), ("requests", "SET")])
def test_a_key_of_the_wrong_type_leaves_the_head_unchanged(
    store: RedisStore, game: str, kind: str, value: str
) -> None:
    append(store, game, 0, RequestKey("first", "f"))
    planted = f"guncamera:{{{game}}}:{kind}"
    ask(store, planted, value, planted, "not what it was")
    head = keys_of(game)[0]
    before = ask(store, head, "HGETALL", head)
    with pytest.raises(StoreDamaged, match="WRONGTYPE"):
        append(store, game, 1, RequestKey("second", "f"))
    assert before == ask(store, head, "HGETALL", head)


def test_a_ledger_that_lost_entries_is_not_appended_to(store: RedisStore, game: str) -> None:
    append(store, game, 0)
    append(store, game, 1)
    ledger = keys_of(game)[1]
    ask(store, ledger, "LPOP", ledger)
    with pytest.raises(StoreDamaged, match="revision 2 has a ledger of 1"):
        append(store, game, 2)
    assert ask(store, ledger, "LLEN", ledger) == 1


def test_loading_and_appending_cost_the_same_in_a_long_game(store: RedisStore) -> None:
    def bytes_moved(name: str, revision: int) -> tuple[int, int]:
        def total(direction: str) -> int:
            infos = store._redis.transport.ask_each_server(("INFO", "stats"))
            label = f"total_net_{direction}_bytes:".encode()
            return sum(int(info[0].split(label)[1].split()[0]) for info in infos)

        before = total("input"), total("output")
        store.load(name, request_id="r")
        append(store, name, revision, RequestKey(f"r{revision}", "f" * 64), entry=b"e" * 100)
        return total("input") - before[0], total("output") - before[1]

    short, long = next(NAMES), next(NAMES)
    create(store, short)
    store.import_session(
        long, record=b"record", state=b"s", entries=[b"e" * 100] * 9000, ttl_seconds=9, request=None
    )
    bytes_moved(short, 0)
    for of_short, of_long in zip(bytes_moved(short, 1), bytes_moved(long, 9000)):
        assert abs(of_short - of_long) < 200


def test_an_interrupted_call_does_not_leave_its_answer_for_the_next(
    store: RedisStore, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = next(NAMES)
    create(store, other)
    append(store, other, 0)
    store.load(game)

    def interrupt(*_: object, **__: object) -> Reply:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("redis.connection.AbstractConnection.read_response", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.load(game)
    loaded = store.load(other)
    assert loaded is not None
    assert loaded.revision == 1


def test_a_closed_store_says_that_it_is_closed(url: str, game: str) -> None:
    store = RedisStore(url)
    store.load(game)
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.load(game)
    with pytest.raises(StoreUnavailable, match="closed"), store.watch(game):
        pass
    assert not store.check().is_ready


def test_the_report_knows_the_server(store: RedisStore, url: str) -> None:
    report = store.check()
    assert report.is_ready
    assert report.eviction_policy == "noeviction"
    if "embedded" in url:
        assert (report.server, report.persistence, report.warnings) == ("valkey", "aof", ())
    else:
        assert (report.server, report.persistence, len(report.warnings)) == ("redis", "none", 1)
