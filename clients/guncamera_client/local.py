"""A service on this machine: the one that runs, or a child process that goes when we go."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import grpc
from guncamera.v1 import session_service_pb2

from guncamera_client._grpc import DEFAULT_TARGET, channel_options

ADDRESS_VARIABLE = "GUNCAMERA_GRPC_ADDRESS"
# A program has one caller, or a few: more workers would cost it memory and bring it nothing.
ONE_WORKER = ("--grpc-workers", "1", "--rest-workers", "1")
SERVE_COMMAND = (sys.executable, "-m", "guncamera", "serve", *ONE_WORKER)

# Two messages of the standard health service, grpc.health.v1, as bytes: its package is not
# needed for more. Asking for our own service tells it from any other that may listen there.
_HEALTH_PATH = "/grpc.health.v1.Health/Check"
_OUR_NAME = session_service_pb2.DESCRIPTOR.services_by_name["SessionService"].full_name
_ASK = b"\x0a" + bytes([len(_OUR_NAME)]) + _OUR_NAME.encode()
_SERVING = b"\x08\x01"

_LOOK_SECONDS = 0.5
_STOP_SECONDS = 15.0
_PAUSE_SECONDS = 0.05
_LAST_WORDS_BYTES = 2000
_TAKEN = "Cannot listen on"  # what the service says of a port that it does not get
_TRIES = 3


class ServiceNotStarted(RuntimeError):
    """The service that was started ended, or was not ready in time."""


class LocalService:
    """A service on this machine. Made by `find_or_start`; closing it stops what it started.

    Attributes:
        target: Where it answers gRPC: `127.0.0.1:50051`.
        rest_url: Where it answers REST; empty for one that was found, which does not say.
        pid: Its process id; None for one that was found.
    """

    def __init__(self, target: str, rest_url: str = "", pid: int | None = None) -> None:
        self.target = target
        self.rest_url = rest_url
        self.pid = pid
        self._stop: weakref.finalize[[subprocess.Popen[bytes], Path], LocalService] | None = None

    @classmethod
    def find_or_start(
        cls,
        data_dir: str | Path | None = None,
        *,
        command: Sequence[str] | None = None,
        start_seconds: float = 30.0,
    ) -> Self:
        """The service that runs, or one that is started.

        Args:
            data_dir: Where a service that is started keeps sessions; None, a temporary folder
                that goes with it.
            command: What to start; None, the `guncamera serve` installed beside this client.
            start_seconds: How long it may take to be ready.

        Raises:
            ServiceNotStarted: it ended, or was not ready in time.
        """
        target = os.environ.get(ADDRESS_VARIABLE) or DEFAULT_TARGET
        if is_serving(target):
            return cls(target)
        return cls.start(data_dir, command=command, start_seconds=start_seconds)

    @classmethod
    def start(
        cls,
        data_dir: str | Path | None = None,
        *,
        command: Sequence[str] | None = None,
        start_seconds: float = 30.0,
    ) -> Self:
        """A service of our own, whatever else runs. The arguments are those of `find_or_start`.

        Raises:
            ServiceNotStarted: it ended, or was not ready in time.
        """
        for _ in range(_TRIES - 1):
            with suppress(_AddressTaken):
                return cls._start_once(data_dir, command, start_seconds)
        return cls._start_once(data_dir, command, start_seconds)

    @classmethod
    def _start_once(
        cls, data_dir: str | Path | None, command: Sequence[str] | None, start_seconds: float
    ) -> Self:
        folder = Path(tempfile.mkdtemp(prefix="guncamera-"))
        grpc_port, rest_port = _free_ports()
        log = folder / "log"
        try:
            with log.open("wb") as out:
                process = subprocess.Popen(  # noqa: S603  # our own command, or the caller's
                    [
                        *(command or SERVE_COMMAND),
                        "--grpc-address",
                        f"127.0.0.1:{grpc_port}",
                        "--rest-address",
                        f"127.0.0.1:{rest_port}",
                        "--data-dir",
                        str(data_dir or folder / "data"),
                        "--exit-with-parent",
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C is for us; we stop the service when we are done with it.
                    start_new_session=True,
                )
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise ServiceNotStarted(f"The service cannot be started: {error}") from error
        service = cls(f"127.0.0.1:{grpc_port}", f"http://127.0.0.1:{rest_port}", process.pid)
        service._stop = weakref.finalize(service, _stop, process, folder)
        try:
            _wait_until_ready(service.target, process, log, start_seconds)
        except BaseException:
            service.close()
            raise
        return service

    @property
    def is_ours(self) -> bool:
        """Whether it was started here, and runs."""
        return self._stop is not None and self._stop.alive

    def close(self) -> None:
        """Stop what was started. A service that was found is left running."""
        if self._stop is not None:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _AddressTaken(ServiceNotStarted):
    """Another process took the port that was free a moment before."""


def is_serving(target: str, timeout_seconds: float = _LOOK_SECONDS) -> bool:
    """Whether a Guncamera service answers and is ready to play.

    Args:
        target: `host:port`.
        timeout_seconds: How long to wait for it.
    """
    with grpc.insecure_channel(target, channel_options(target, own_connection=True)) as channel:
        check = channel.unary_unary(
            _HEALTH_PATH, request_serializer=bytes, response_deserializer=bytes
        )
        try:
            return bool(check(_ASK, timeout=timeout_seconds) == _SERVING)
        except grpc.RpcError:
            return False


def _wait_until_ready(
    target: str, process: subprocess.Popen[bytes], log: Path, start_seconds: float
) -> None:
    deadline = time.monotonic() + start_seconds
    while not is_serving(target):
        if process.poll() is not None:
            words = _last_words(log)
            kind = _AddressTaken if _TAKEN in words else ServiceNotStarted
            raise kind(f"The service ended with status {process.returncode}. {words}")
        if time.monotonic() > deadline:
            raise ServiceNotStarted(
                f"The service was not ready within {start_seconds} s. {_last_words(log)}"
            )
        time.sleep(_PAUSE_SECONDS)


def _last_words(log: Path) -> str:
    words = log.read_bytes()[-_LAST_WORDS_BYTES:].decode("utf-8", "replace").strip()
    return f"Its last words:\n{words}" if words else "It said nothing."


def _stop(process: subprocess.Popen[bytes], folder: Path) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _free_ports() -> tuple[int, int]:
    """Two ports that nobody listens on now."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
