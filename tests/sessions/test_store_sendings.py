"""Many steps sent at once are each as if done alone, on one server and on a cluster."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
import servers
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Append,
    AppendChain,
    Appended,
    Conflict,
    Load,
    LoadChain,
    Loaded,
    LoadedChain,
    Missing,
    Repeated,
    RequestKey,
    StoreUnavailable,
)
from store_calls import NAMES, append, ask, create, keys_of, seal


@pytest.fixture(params=["single", "cluster"])
def store(request: pytest.FixtureRequest) -> Iterator[RedisStore]:
    fixture = "store_url" if request.param == "single" else "cluster_url"
    made = RedisStore(request.getfixturevalue(fixture))
    yield made
    made.close()


def games(store: RedisStore, count: int) -> list[str]:
    names = [next(NAMES) for _ in range(count)]
    for name in names:
        create(store, name)
    return names


def step(name: str, expected_revision: int = 0, request: RequestKey | None = None) -> Append:
    revision = expected_revision + 1
    return Append(
        name, expected_revision, b"entry %d" % revision, b"state %d" % revision, request, 99
    )


def revisions(results: list[object]) -> list[int | None]:
    return [one.revision if isinstance(one, Loaded) else None for one in results]


def test_each_step_has_its_own_result(store: RedisStore) -> None:
    fresh, stale, known = games(store, 3)
    append(store, stale, 0)
    append(store, known, 0, RequestKey("r", "f"))
    results = store.send(
        [
            step(fresh),
            Load(known, "r"),
            step(stale),
            step(known, 1, RequestKey("r", "f")),
            step("never"),
            Load("never", None),
            Load(stale, "r"),
        ]
    )()
    assert [results[n] for n in (0, 2, 3, 4, 5)] == [
        Appended(1), Conflict(1), Repeated(1, "f"), Missing(), None,
    ]  # fmt: skip
    assert results[1] == store.load(known, request_id="r")
    assert results[6] == store.load(stale, request_id="r")
    assert store.entry(fresh, 1) == b"entry 1"
    assert store.send([])() == []


def test_a_step_alone_is_as_in_a_sending(store: RedisStore) -> None:
    (name,) = games(store, 1)
    assert store.exchange(step(name)) == Appended(1)
    assert store.exchange(step(name)) == Conflict(1)
    assert store.exchange(Load(name, None)) == store.load(name)


def test_sendings_may_follow_each_other_before_they_are_answered(store: RedisStore) -> None:
    names = games(store, 40)
    for name in names:  # a server that has not met the script yet is asked again, out of turn
        append(store, name, 0)
    first = store.send([step(name, 1) for name in names[:20]])
    second = store.send([step(name, 1) for name in names[20:]])
    third = store.send([Load(name, None) for name in names])
    # What is asked in between has a connection of its own.
    assert store.load("never") is None
    assert first() == second() == [Appended(2)] * 20
    assert revisions(list(third())) == [2] * 40


def test_a_server_that_forgot_the_scripts_is_sent_them(store_url: str) -> None:
    store = RedisStore(store_url)
    names = games(store, 3)
    store._redis.transport.ask("", ("SCRIPT", "FLUSH"), is_repeatable=False)
    assert store.send([step(name) for name in names])() == [Appended(1)] * 3
    store.close()


def test_a_closed_store_says_so(store: RedisStore) -> None:
    names = games(store, 2)
    assert revisions(list(store.send([Load(name, None) for name in names])())) == [0, 0]
    store.close()
    results = store.send([Load(names[0], None), step(names[1])])()
    assert [type(result) for result in results] == [StoreUnavailable] * 2


class Gate:
    """Passes everything on to a server, and can cut every connection off at the next answer."""

    def __init__(self, server: servers.Server) -> None:
        self.url = f"unix://{server.folder / 'gate'}"
        self.cut = threading.Event()
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(server.folder / "gate"))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        try:
            while True:
                client = self._listener.accept()[0]
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()
        except OSError:
            return

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as upstream:
            upstream.connect(str(self._server.folder / "s"))
            while sent := client.recv(1 << 20):
                upstream.sendall(sent)
                answer = upstream.recv(1 << 20)
                if self.cut.is_set():
                    self.cut.clear()
                    return
                client.sendall(answer)


@pytest.fixture
def server() -> Iterator[servers.Server]:
    with servers.Server(servers.valkey_program()) as server:
        yield server


def test_lost_answers_fail_what_may_have_been_done_and_repeat_the_rest(
    server: servers.Server,
) -> None:
    gate = Gate(server)
    store = RedisStore(gate.url)
    written, read, other = games(store, 3)
    assert store.send([step(other)])() == [Appended(1)], "the server knows us and the script"
    gate.cut.set()
    request = RequestKey("once", "f")
    lost, loaded = store.send([step(written, 0, request), Load(read, None)])()
    assert isinstance(lost, StoreUnavailable)
    assert isinstance(loaded, Loaded)
    assert store.send([step(written, 0, request)])() == [Repeated(1, "f")]
    assert store.entries(written, after_revision=0, limit=9) == [b"entry 1"]
    store.close()
    gate.close()


def test_a_break_fails_all_that_was_under_way_and_nothing_after_it(server: servers.Server) -> None:
    store = RedisStore(server.url)
    names = games(store, 3)
    server.pause()
    first = store.send([step(names[0])])
    second = store.send([step(names[1])])
    try:
        assert isinstance(first()[0], StoreUnavailable)
        assert isinstance(second()[0], StoreUnavailable)
    finally:
        server.resume()
    assert store.send([step(names[2])])() == [Appended(1)]
    store.close()


def test_a_connection_that_went_stale_is_replaced(server: servers.Server) -> None:
    store = RedisStore(server.url)
    names = games(store, 2)
    assert store.send([step(name) for name in names])() == [Appended(1)] * 2
    with server.client() as client:
        client.client_kill_filter(skipme=True, _type="normal")
    assert store.send([step(name, 1) for name in names])() == [Appended(2)] * 2
    store.close()


def chain(name: str, expected_revision: int, *requests: RequestKey | None) -> AppendChain:
    entries = [(b"entry %d" % (expected_revision + 1 + at), one) for at, one in enumerate(requests)]
    return AppendChain(name, expected_revision, entries, b"state of all", 99)


def test_a_chain_is_written_whole_with_a_request_id_for_each_entry(store: RedisStore) -> None:
    (name,) = games(store, 1)
    first, third = RequestKey("first", "f1"), RequestKey("third", "f3")
    assert store.exchange(chain(name, 0, first, None, third)) == Appended(3)
    assert store.entries(name, after_revision=0, limit=9) == [b"entry 1", b"entry 2", b"entry 3"]
    loaded = store.exchange(LoadChain(name, ["third", "unused", "first"]))
    assert isinstance(loaded, LoadedChain)
    assert (loaded.head.revision, loaded.head.state) == (3, b"state of all")
    assert loaded.repeated == {"first": Repeated(1, "f1"), "third": Repeated(3, "f3")}
    assert append(store, name, 3, third) == Repeated(3, "f3")


def test_a_chain_is_written_whole_or_not_at_all(store: RedisStore) -> None:
    name, other = games(store, 2)
    append(store, name, 0, RequestKey("used", "f"))
    seal(store, name, 1, 0, "red")
    refused = [
        chain(name, 0, None, None),
        chain(name, 1, None, RequestKey("used", "f")),
        chain("nowhere", 0, None),
    ]
    assert store.send(refused)() == [Conflict(1), Conflict(1), Missing()]
    assert store.entries(name, after_revision=0, limit=9) == [b"entry 1"]
    head = store.load(name)
    assert head is not None
    assert head.seals, "what was sealed is still there"
    assert store.send([chain(name, 1, None, None), chain(other, 0, None)])() == [
        Appended(3),
        Appended(1),
    ]
    head = store.load(name)
    assert head is not None
    assert not head.seals, "it was sealed for a state that has gone"


def test_the_request_that_created_a_session_is_found_and_refused_in_a_chain(
    store: RedisStore,
) -> None:
    name = next(NAMES)
    create(store, name, RequestKey("creation", "f"))
    loaded = store.exchange(LoadChain(name, ["creation"]))
    assert isinstance(loaded, LoadedChain)
    assert loaded.repeated == {"creation": Repeated(0, "f")}
    assert store.exchange(chain(name, 0, RequestKey("creation", "f"))) == Conflict(0)
    assert store.exchange(LoadChain("nowhere", ["creation"])) is None


def test_a_chain_wakes_watches_and_is_counted_anew_for_expiry(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, ttl_seconds=50)
    with store.watch(name) as watch:
        store.exchange(chain(name, 0, None, None))
        assert watch.wait(10)
    assert all(ask(store, key, "TTL", key) > 90 for key in keys_of(name)[:2])
