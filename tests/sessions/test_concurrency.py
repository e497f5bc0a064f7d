"""Two at once, and things that die at the wrong moment: nothing is lost, doubled or half done."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import guncamera
import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Appended,
    Conflict,
    Repeated,
    RequestKey,
    SessionStore,
    StoreUnavailable,
)

PROGRAM = Path(__file__).with_name("store_process.py")
TRIALS = 1000


class Process:
    """Another process that uses a store; see store_process.py."""

    def __init__(self, *arguments: str) -> None:
        path = os.pathsep.join([str(Path(guncamera.__file__).parents[1]), *sys.path])
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def tell(self, order: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        print(json.dumps(order), file=self.process.stdin, flush=True)

    def hear(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the process ended early"
        return json.loads(line)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module", params=["valkey", "redis"])
def program(request: pytest.FixtureRequest) -> str:
    return servers.valkey_program() if request.param == "valkey" else servers.redis_program()


@pytest.fixture
def server(program: str) -> Iterator[servers.Server]:
    # A server that syncs by itself may lose what it acknowledged when killed; see disk_sync.
    with servers.Server(program, appendonly="yes", appendfsync="no") as server:
        yield server


@pytest.fixture
def store(server: servers.Server) -> Iterator[RedisStore]:
    store = RedisStore(server.url)
    store.create("game", record=b"r", state=b"state 0", ttl_seconds=1000, request=None)
    yield store
    store.close()


def append(
    store: SessionStore, revision: int, request: str | None = None, state: bytes | None = None
) -> object:
    return store.append(
        "game",
        expected_revision=revision,
        entry=b"entry %d" % (revision + 1),
        state=b"state %d" % (revision + 1) if state is None else state,
        request=RequestKey(request, "f") if request else None,
        ttl_seconds=1000,
    )


def ledger(store: SessionStore) -> list[bytes]:
    """The whole ledger, once it is known to be as long as the head says."""
    loaded = store.load("game")
    assert loaded is not None
    entries = list(store.entries("game", after_revision=0, limit=10**6))
    assert loaded.revision == len(entries)
    return entries


def seconds_to_fail(act: Callable[[], object]) -> float:
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        act()
    assert caught.value.retry_after_seconds > 0
    return time.monotonic() - started


def race(url: str, store: RedisStore, *, request: str | None) -> list[list[list[Any]]]:
    """Let two processes append from one revision at one moment, again and again."""
    with Process("race", url) as first, Process("race", url) as second:
        rounds = []
        for trial in range(TRIALS):
            # Ahead by more than it takes to tell both.
            start_ns = time.monotonic_ns() + 200_000
            for number, process in enumerate((first, second)):
                process.tell(
                    {
                        "start_ns": start_ns,
                        "session": "game",
                        "revision": trial,
                        "entry": f"trial {trial} by {number}",
                        "request": request and f"{request}-{trial}",
                    }
                )
            rounds.append([first.hear(), second.hear()])
        return rounds


def test_two_processes_from_one_revision_append_once(
    server: servers.Server, store: RedisStore
) -> None:
    rounds = race(server.url, store, request=None)
    for trial, results in enumerate(rounds):
        assert [["Appended", trial + 1], ["Conflict", trial + 1]] == sorted(results), trial
    winners = [f"trial {n} by {r[1][0] == 'Appended':d}".encode() for n, r in enumerate(rounds)]
    assert winners == ledger(store)


def test_one_request_id_from_two_processes_is_one_action(
    server: servers.Server, store: RedisStore
) -> None:
    for trial, results in enumerate(race(server.url, store, request="id")):
        assert [["Appended", trial + 1], ["Repeated", trial + 1]] == sorted(results), trial
    assert len(ledger(store)) == TRIALS


def test_many_threads_lose_nothing(store: RedisStore) -> None:
    accepted: list[int] = []

    def play(number: int) -> None:
        for turn in range(20):
            while True:
                loaded = store.load("game")
                assert loaded is not None
                result = append(store, loaded.revision, f"{number}-{turn}")
                if isinstance(result, Appended):
                    accepted.append(result.revision)
                    break
                assert isinstance(result, Conflict)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(range(1, 321)) == sorted(accepted)
    assert [b"entry %d" % revision for revision in range(1, 321)] == ledger(store)


def test_one_store_serves_both_sides_of_a_fork(server: servers.Server) -> None:
    store = RedisStore(server.url)
    for name in ("parent", "child"):
        store.create(name, record=name.encode(), state=b"s", ttl_seconds=99, request=None)
    store.close()
    with Process("fork", server.url) as process:
        assert process.hear() == "both were answered"


def test_a_writer_killed_in_the_middle_leaves_a_whole_session(
    server: servers.Server, store: RedisStore
) -> None:
    acknowledged = 0
    for kill in range(8):
        with Process("stream", server.url, "game") as writer:
            for _ in range(10 + 7 * kill):
                acknowledged = writer.hear()
        entries = ledger(store)
        assert acknowledged <= len(entries)
        numbers = [int(entry.split(b".")[0].split()[1]) for entry in entries]
        assert list(range(1, len(entries) + 1)) == numbers


def test_a_store_killed_while_appending_keeps_all_it_acknowledged(tmp_path: Path) -> None:
    """The writer repeats what failed under the same request id, as callers must."""
    with EmbeddedStore(tmp_path) as embedded:
        store = RedisStore(embedded.url)
        store.create("game", record=b"r", state=b"s", ttl_seconds=1000, request=None)
        acknowledged: list[int] = []
        is_over = threading.Event()

        def play() -> None:
            while not is_over.is_set():
                turn = len(acknowledged)
                with contextlib.suppress(StoreUnavailable):
                    result = append(store, turn, f"turn-{turn}")
                    assert isinstance(result, Appended | Repeated), result
                    acknowledged.append(result.revision)

        writer = threading.Thread(target=play)
        writer.start()
        try:
            for kill in range(1, 6):
                enough = len(acknowledged) + 100 * kill
                servers.wait_until(lambda n=enough: len(acknowledged) >= n, "the writer gets on")
                os.kill(embedded.pid, 9)
                servers.wait_until(lambda n=kill: embedded.restart_count >= n, "a restart")
            enough = len(acknowledged) + 100
            servers.wait_until(lambda: len(acknowledged) >= enough, "the writer gets on")
        finally:
            is_over.set()
            writer.join()
        assert list(range(1, len(acknowledged) + 1)) == acknowledged
        entries = ledger(store)
        # At most the one append whose answer the writer did not wait for is in there as well.
        assert len(entries) - len(acknowledged) in (0, 1)
        assert [b"entry %d" % n for n in range(1, len(entries) + 1)] == entries
        store.close()


def test_a_store_that_is_down_fails_soon_and_comes_back_by_itself(
    server: servers.Server, store: RedisStore
) -> None:
    append(store, 0, "first")
    server.kill()
    watch = store.watch("game")
    for act in (
        lambda: append(store, 1),
        lambda: store.load("game"),
        lambda: store.create("b", record=b"", state=b"", ttl_seconds=9, request=None),
        lambda: store.claim("game", "red", "t"),
        lambda: store.list_ids(after=None, limit=9),
        lambda: store.delete("game"),
        watch.__enter__,
    ):
        assert seconds_to_fail(act) < 0.5
    assert not store.check().is_ready
    server.start()
    assert Appended(2) == append(store, 1), "the scripts are sent again"
    assert ledger(store) == [b"entry 1", b"entry 2"]


def test_a_store_that_hangs_fails_within_two_seconds(
    server: servers.Server, store: RedisStore
) -> None:
    server.pause()
    try:
        assert seconds_to_fail(lambda: store.load("game", request_id="r")) < 2
        assert seconds_to_fail(lambda: store.load("game")) < 2, "on a new connection too"
        started = time.monotonic()
        assert not store.check().is_reachable
        assert time.monotonic() - started < 2
    finally:
        server.resume()
    assert store.load("game") is not None


@pytest.mark.parametrize("request_id", ["r", None])
def test_an_append_with_a_lost_answer_is_never_done_twice(
    server: servers.Server, store: RedisStore, request_id: str | None
) -> None:
    append(store, 0)
    server.pause()
    try:
        assert seconds_to_fail(lambda: append(store, 1, request_id)) < 2
    finally:
        server.resume()
    servers.wait_until(lambda: len(ledger(store)) == 2, "the append that was sent is run")
    expected = Repeated(2, "f") if request_id else Conflict(2)
    assert expected == append(store, 1, request_id)
    assert ledger(store) == [b"entry 1", b"entry 2"]


@contextlib.contextmanager
def lossy_proxy(server: servers.Server, folder: Path) -> Iterator[tuple[str, threading.Event]]:
    """Pass everything on, until the event is set: then the next answer is cut off."""
    lose = threading.Event()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "p"))
    listener.listen()

    def carry(client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as upstream:
            upstream.connect(str(server.folder / "s"))
            while sent := client.recv(65536):
                upstream.sendall(sent)
                answer = upstream.recv(65536)
                if lose.is_set():
                    lose.clear()
                    return
                client.sendall(answer)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=carry, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"unix://{folder / 'p'}", lose
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def test_a_lost_answer_is_asked_for_again_only_when_that_is_harmless(
    server: servers.Server, store: RedisStore
) -> None:
    with lossy_proxy(server, server.folder) as (url, lose):
        far_store = RedisStore(url)
        append(far_store, 0, "first")
        lose.set()
        assert far_store.load("game") is not None, "a read is simply repeated"
        lose.set()
        # Answering Conflict here would be false: the entry in the way is this very one.
        with pytest.raises(StoreUnavailable):
            append(far_store, 1, "second")
        assert Repeated(2, "f") == append(far_store, 1, "second")
        far_store.close()
    assert ledger(store) == [b"entry 1", b"entry 2"]


def test_a_connection_that_went_stale_does_not_fail_an_append(program: str) -> None:
    # Over TCP a command can still be sent to a server that is gone; a Unix socket would refuse.
    port = servers.free_port()
    with servers.Server(program, port=port, appendonly="yes", appendfsync="no") as server:
        store = RedisStore(server.url)
        store.create("game", record=b"r", state=b"s", ttl_seconds=1000, request=None)
        assert Appended(1) == append(store, 0)
        server.kill()
        server.start()
        assert Appended(2) == append(store, 1)
        with server.client() as client:
            client.client_kill_filter(skipme=True, _type="normal")
        assert Appended(3) == append(store, 2)
        store.close()


def test_a_full_store_refuses_writes_whole_and_still_reads(program: str) -> None:
    with servers.Server(program, maxmemory="6mb", maxmemory_policy="noeviction") as server:
        store = RedisStore(server.url)
        store.create("game", record=b"r", state=b"state 0", ttl_seconds=1000, request=None)

        def fill_up() -> None:
            for turn in range(10**4):
                assert isinstance(append(store, turn, f"turn-{turn}", b"s" * 50_000), Appended)
                store.create(f"{turn}", record=b"r" * 10**5, state=b"", ttl_seconds=9, request=None)

        with pytest.raises(StoreUnavailable, match="full"):
            fill_up()
        with server.client() as client:
            client.config_set("maxmemory", 1)
        before = store.load("game")
        assert before is not None
        with pytest.raises(StoreUnavailable, match="full"):
            append(store, before.revision, "the last")
        loaded = store.load("game", request_id="the last")
        assert before == loaded
        assert loaded is not None
        assert loaded.repeated is None
        assert loaded.revision == len(ledger(store))
        for act in (
            lambda: store.create("late", record=b"", state=b"", ttl_seconds=9, request=None),
            lambda: store.claim("game", "red", "t"),
        ):
            assert seconds_to_fail(act) < 2
        assert (store.check().is_full, store.check().is_ready) == (True, False)
        assert store.delete("0"), "room can be made"
        with server.client() as client:
            client.config_set("maxmemory", 0)
        assert Appended(loaded.revision + 1) == append(store, loaded.revision, "the last")
        assert store.check().is_ready
        store.close()


def test_a_watch_outlives_a_restart_of_the_store(server: servers.Server, store: RedisStore) -> None:
    with store.watch("game") as watch:
        server.kill()
        with pytest.raises(StoreUnavailable):
            watch.wait(5)
        with pytest.raises(StoreUnavailable):
            watch.wait(5)
        server.start()
        assert watch.wait(5), "news may have been missed"
        assert not watch.wait(0.02)
        assert Appended(1) == append(store, 0)
        assert watch.wait(5)


def test_a_watch_notices_that_its_connection_is_dead(
    server: servers.Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("guncamera.sessions.redis_watch.PATIENCE_SECONDS", 0.05)
    with store.watch("game") as watch:
        assert not watch.wait(0.02)
        assert not watch.wait(0.2), "a live server answers the ping"
        server.pause()
        try:
            with pytest.raises(StoreUnavailable):
                list(iter(lambda: watch.wait(0.02), True))
        finally:
            server.resume()
        assert watch.wait(1)
