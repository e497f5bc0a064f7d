"""What every store does with sealed orders, on each server that it is meant for."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Appended,
    Conflict,
    Created,
    Loaded,
    Missing,
    Repeated,
    RequestKey,
    Sealed,
    StoreUnavailable,
)
from store_calls import NAMES, append, ask, create, keys_of, reveal, seal


@pytest.fixture(scope="module", params=["embedded", "redis", "cluster"])
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
    name = next(NAMES)
    create(store, name)
    return name


def loaded(store: RedisStore, name: str, request_id: str | None = None) -> Loaded:
    found = store.load(name, request_id=request_id)
    assert found is not None
    return found


def test_a_seal_is_kept_beside_the_state_and_changes_nothing_else(
    store: RedisStore, game: str
) -> None:
    append(store, game, 0)
    before = loaded(store, game)
    every_byte = bytes(range(256))
    assert Sealed(1) == seal(store, game, 1, 0, "red", every_byte)
    after = loaded(store, game)
    assert (after.seals, after.seal_serial) == ({"red": every_byte}, 1)
    assert (after.revision, after.state, after.claims) == (1, before.state, {})
    assert "red" not in repr(after)
    assert store.entries(game, after_revision=0, limit=9) == [b"entry 1"]


def test_another_seal_of_a_seat_takes_the_place_of_the_first(store: RedisStore, game: str) -> None:
    serials = [seal(store, game, 0, n, seat) for n, seat in enumerate(("red", "blue", "red"))]
    assert [Sealed(1), Sealed(2), Sealed(3)] == serials
    assert loaded(store, game).seals == {"red": b"red 3", "blue": b"blue 2"}


@pytest.mark.parametrize(("revision", "serial"), [(0, 1), (1, 0), (1, 2), (2, 1), (1, -1)])
def test_another_revision_or_serial_than_the_stores_seals_and_reveals_nothing(
    store: RedisStore, game: str, revision: int, serial: int
) -> None:
    append(store, game, 0)
    seal(store, game, 1, 0, "red")
    before = loaded(store, game)
    request = RequestKey("r", "f")
    assert Conflict(1) == seal(store, game, revision, serial, "blue", request=request)
    assert Conflict(1) == reveal(store, game, revision, serial, request=request)
    after = loaded(store, game, "r")
    assert (before, None) == (after, after.repeated)
    assert before.seals == after.seals


def test_a_reveal_is_all_or_nothing_and_lets_the_seals_go(store: RedisStore, game: str) -> None:
    append(store, game, 0)
    store.claim(game, "red", "hash")
    seal(store, game, 1, 0, "red")
    seal(store, game, 1, 1, "seal_serial")
    assert Appended(4) == reveal(store, game, 1, 2, count=3)
    after = loaded(store, game)
    assert (after.revision, after.state) == (4, b"state 4")
    assert (after.seals, after.seal_serial, after.claims) == ({}, 0, {"red": "hash"})
    entries = store.entries(game, after_revision=0, limit=9)
    assert entries == [b"entry 1", b"entry 2", b"entry 3", b"entry 4"]
    assert Conflict(4) == reveal(store, game, 1, 2)
    head = keys_of(game)[0]
    fields = set(ask(store, head, "HKEYS", head))
    assert fields == {b"revision", b"record", b"state", b"claim:red"}
    assert Sealed(1) == seal(store, game, 4, 0, "red"), "and the next phase begins anew"


def test_a_reveal_needs_no_seal(store: RedisStore, game: str) -> None:
    assert Appended(2) == reveal(store, game, 0, 0, count=2)


def test_an_append_takes_the_seals_along(store: RedisStore, game: str) -> None:
    seal(store, game, 0, 0, "red")
    seal(store, game, 0, 1, "blue")
    assert Conflict(0) == append(store, game, 1)
    assert len(loaded(store, game).seals) == 2
    append(store, game, 0)
    after = loaded(store, game)
    assert (after.seals, after.seal_serial) == ({}, 0)
    head = keys_of(game)[0]
    assert set(ask(store, head, "HKEYS", head)) == {b"revision", b"record", b"state"}
    assert Conflict(1) == seal(store, game, 0, 2, "red")


def test_a_used_request_id_is_answered_before_anything_is_looked_at(
    store: RedisStore, game: str
) -> None:
    sealed, revealed = RequestKey("sealed", "hash of it"), RequestKey("revealed", "another hash")
    seal(store, game, 0, 0, "red", request=sealed, answer=b'{"who": "red", "\xc3\xa9": 1}')
    told = Repeated(0, "hash of it", b'{"who": "red", "\xc3\xa9": 1}')
    assert told == loaded(store, game, "sealed").repeated
    for serial in (0, 1, 7):
        assert told == seal(store, game, 0, serial, "blue", request=sealed)
    assert loaded(store, game).seals == {"red": b"red 1"}
    assert Appended(2) == reveal(store, game, 0, 1, count=2, request=revealed, answer=b"all")
    assert Repeated(0, "another hash", b"all") == reveal(store, game, 0, 1, request=revealed)
    for request in (sealed, revealed):
        repeated = append(store, game, 2, request)
        assert isinstance(repeated, Repeated)
        assert (repeated.revision, repeated.fingerprint) == (0, request.fingerprint)
    append(store, game, 2, RequestKey("moved", "m"))
    assert Repeated(3, "m") == seal(store, game, 3, 0, "red", request=RequestKey("moved", "x"))
    assert Repeated(3, "m") == reveal(store, game, 3, 0, request=RequestKey("moved", "x"))


def test_the_request_that_created_the_session_seals_nothing(store: RedisStore) -> None:
    name = next(NAMES)
    request = RequestKey("created", "c")
    create(store, name, request)
    assert Repeated(0, "c") == seal(store, name, 0, 0, "red", request=request)
    assert Repeated(0, "c") == reveal(store, name, 0, 0, request=request)


def test_an_answer_may_not_be_empty(store: RedisStore, game: str) -> None:
    with pytest.raises(ValueError, match="answer"):
        seal(store, game, 0, 0, "red", answer=b"")


def test_nothing_is_sealed_where_there_is_no_session(store: RedisStore) -> None:
    request = RequestKey("r", "f")
    assert Missing() == seal(store, "nowhere", 0, 0, "red", request=request)
    assert Missing() == reveal(store, "nowhere", 0, 0, request=request)
    assert [ask(store, key, "EXISTS", key) for key in keys_of("nowhere")] == [0, 0, 0]


def test_a_seal_leaves_the_expiry_and_a_reveal_counts_it_anew(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, ttl_seconds=50)
    seal(store, name, 0, 0, "red", request=RequestKey("r", "f"))
    head, ledger, requests = keys_of(name)
    for key in (head, requests):
        assert 40 < ask(store, key, "TTL", key) <= 50, key
    reveal(store, name, 0, 1, request=RequestKey("s", "f"), ttl_seconds=1000)
    for key in (head, ledger, requests):
        assert 990 < ask(store, key, "TTL", key) <= 1000, key


def test_seals_go_with_their_session(store: RedisStore, game: str) -> None:
    seal(store, game, 0, 0, "red", request=RequestKey("r", "f"))
    assert store.delete(game)
    assert [ask(store, key, "EXISTS", key) for key in keys_of(game)] == [0, 0, 0]
    assert Created(0) == create(store, game)
    assert (loaded(store, game).seals, loaded(store, game, "r").repeated) == ({}, None)


def test_a_watch_wakes_for_a_seal_and_for_a_reveal(store: RedisStore, game: str) -> None:
    with store.watch(game) as news:
        assert not news.wait(0.05)
        seal(store, game, 0, 0, "red")
        assert news.wait(5)
        reveal(store, game, 0, 1)
        assert news.wait(5)


def test_one_of_many_seats_that_seal_at_once_is_the_last(store: RedisStore) -> None:
    """Each thread seals for a seat of its own, and reveals if it finds all the others sealed."""
    seats = [f"seat {n}" for n in range(8)]
    for _ in range(10):
        name = next(NAMES)
        create(store, name)
        revealed: list[str] = []

        def play(seat: str, name: str = name, revealed: list[str] = revealed) -> None:
            while True:
                head = loaded(store, name)
                if len({*head.seals, seat}) == len(seats):
                    done = reveal(store, name, head.revision, head.seal_serial, count=len(seats))
                    if isinstance(done, Appended):
                        revealed.append(seat)
                        return
                elif isinstance(seal(store, name, head.revision, head.seal_serial, seat), Sealed):
                    return

        threads = [threading.Thread(target=play, args=(seat,)) for seat in seats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(revealed) == 1
        assert (loaded(store, name).revision, loaded(store, name).seals) == (len(seats), {})


def test_a_full_store_seals_and_reveals_nothing_and_keeps_what_was_sealed() -> None:
    with servers.Server(servers.valkey_program(), maxmemory_policy="noeviction") as server:
        store = RedisStore(server.url)
        name = next(NAMES)
        create(store, name)
        seal(store, name, 0, 0, "red")
        with server.client() as client:
            client.config_set("maxmemory", 1)
        with pytest.raises(StoreUnavailable, match="full"):
            seal(store, name, 0, 1, "blue", request=RequestKey("r", "f"))
        with pytest.raises(StoreUnavailable, match="full"):
            reveal(store, name, 0, 1, request=RequestKey("r", "f"))
        head = loaded(store, name, "r")
        assert (head.revision, dict(head.seals), head.repeated) == (0, {"red": b"red 1"}, None)
        with server.client() as client:
            client.config_set("maxmemory", 0)
        assert Appended(2) == reveal(store, name, 0, 1, count=2, request=RequestKey("r", "f"))
        store.close()
