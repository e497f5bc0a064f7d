"""A service of one's own on loopback, for as long as a measurement takes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
from guncamera.sessions.embedded import bound_to_this_thread
from guncamera_client.local import is_serving

START_SECONDS = 90.0
STOP_SECONDS = 40.0


@dataclass(frozen=True)
class Service:
    """A running service.

    Attributes:
        rest, grpc: `host:port`.
        folder: Its data, and `service.log`.
    """

    rest: str
    grpc: str
    folder: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://{self.rest}"

    def is_ready(self) -> bool:
        """Whether sessions can be played on it, over both transports."""
        with contextlib.suppress(httpx.TransportError):
            rest_is = httpx.get(f"{self.url}/readyz", timeout=2).status_code == 200
            return rest_is and is_serving(self.grpc, timeout_seconds=2)
        return False


@contextlib.contextmanager
def service(
    folder: Path, *flags: str, environment: Mapping[str, str] | None = None
) -> Iterator[Service]:
    """A running service, ready; it is stopped at the end.

    Args:
        flags: Of `guncamera serve`, besides addresses and data; one worker of each kind, unless
            they say otherwise.
        environment: Besides ours, in which the settings of other services do not count.

    Raises:
        RuntimeError: It did not get ready; the message holds its last words.
    """
    rest, grpc = free_address(), free_address()
    ours = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    command = [
        sys.executable, "-m", "guncamera", "serve",
        "--rest-address", rest, "--grpc-address", grpc, "--data-dir", str(folder),
        "--grpc-workers", "1", "--rest-workers", "1", *flags,
    ]  # fmt: skip
    log = folder / "service.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            bound_to_this_thread(command),
            env={**ours, **(environment or {})},
            stdout=out,
            stderr=out,
        )
    running = Service(rest, grpc, folder, process)
    try:
        until = time.monotonic() + START_SECONDS
        while not running.is_ready():
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The service did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)
        yield running
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(STOP_SECONDS)


def descendants(pid: int) -> list[int]:
    """The processes that a process started, and theirs, and so on."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *descendants(int(child))]
    return found


def command_of(pid: int) -> str:
    """How a process was started; empty if it is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def began(pid: int) -> str:
    """When a process began, in the machine's ticks; empty if it is gone. Ids are used again."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def free_address() -> str:
    """A loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"
