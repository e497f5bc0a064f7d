"""The supervisor's steps, where somebody else comes or goes between two of them."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import servers
from guncamera.api.metrics_folder import VARIABLE as METRICS_DIR
from guncamera.cli import serving
from guncamera.host import supervisor
from guncamera.host.entrance import ServiceError
from guncamera.host.own_folder import own_folder
from guncamera.host.rest_worker import numeric
from guncamera.host.settings import ServiceSettings
from guncamera.host.signalled import Signalled
from guncamera.host.supervisor import Worker, held, restart_dead, wait_until_up

SOON = 10.0


def at_moment(moment: int, tell: Callable[[], None], wait: Callable[[], bool]) -> tuple[bool, Any]:
    """Wait, and be told in between two of Python's steps, as a signal handler tells.

    Returns:
        Whether there were so many steps; what came of the wait, None if it does not end.
    """
    steps, outcome = [0], []

    def step(_frame: FrameType, event: str, _what: object) -> Any:
        _frame.f_trace_opcodes = True
        if event == "opcode":
            steps[0] += 1
            if steps[0] == moment:
                sys.settrace(None)
                tell()
        return step

    def waits() -> None:
        sys.settrace(step)
        try:
            outcome.append(wait())
        finally:
            sys.settrace(None)

    thread = threading.Thread(target=waits, daemon=True)
    thread.start()
    thread.join(SOON)
    return steps[0] >= moment, outcome[0] if outcome else None


def test_a_signal_is_heard_whatever_it_interrupts() -> None:
    for moment in range(1, 1000):
        told = Signalled()
        came, heard = at_moment(moment, told.set, lambda told=told: told.wait(0.001))
        assert heard is not None, f"the wait does not end when a signal comes at step {moment}"
        if not came:
            assert not heard
            break
        assert told.is_set()
        began = time.monotonic()
        assert told.wait(SOON)
        assert time.monotonic() - began < SOON / 2
    assert moment > 10, "some steps have been interrupted"


def test_a_signal_ends_a_wait_at_once() -> None:
    told = Signalled()
    before = signal.signal(signal.SIGUSR1, lambda *_: told.set())
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        began = time.monotonic()
        assert told.wait(SOON)
        assert time.monotonic() - began < SOON / 2, "it did not wait until the time was over"
    finally:
        signal.signal(signal.SIGUSR1, before)


@contextmanager
def listening(address: str, *options: int) -> Iterator[socket.socket]:
    host, _, port = address.rpartition(":")
    with socket.socket() as one:
        for option in options:
            one.setsockopt(socket.SOL_SOCKET, option, 1)
        one.bind((host, int(port)))
        one.listen()
        yield one


def test_a_held_address_is_the_workers_and_nobody_elses() -> None:
    address = f"127.0.0.1:{servers.free_port()}"
    for _ in range(2):
        with held(address):
            with pytest.raises(OSError, match="in use"), listening(address, socket.SO_REUSEADDR):
                pass
            with pytest.raises(ServiceError, match=f"Cannot listen on {address}"), held(address):
                pass
            with (
                listening(address, socket.SO_REUSEADDR, socket.SO_REUSEPORT) as one,
                socket.create_connection(one.getsockname(), SOON),
            ):
                one.accept()[0].close()
    with listening(address, socket.SO_REUSEADDR):
        pass


def test_only_what_is_served_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two services of gRPC alone stand side by side, though neither has another REST address."""
    seen: list[str] = []

    @contextmanager
    def noted(address: str) -> Iterator[None]:
        seen.append(address)
        raise ServiceError("enough")
        yield

    monkeypatch.setattr(supervisor, "held", noted)
    for kind, other in (("rest", "grpc"), ("grpc", "rest")):
        settings = replace(
            ServiceSettings(data_dir=str(tmp_path / kind)), **{f"{other}_workers": 0}
        )
        with pytest.raises(ServiceError, match="enough"):
            supervisor.serve(settings, say=lambda _line: None)
        assert seen.pop() == getattr(settings, f"{kind}_address")
        assert not seen


def test_a_host_that_is_none_is_told_as_such() -> None:
    with pytest.raises(ServiceError, match="Give an IP address"), held("no-such.invalid:8080"):
        pass


def test_names_of_hosts_are_looked_up_for_rest() -> None:
    assert numeric("localhost:8080") == ("127.0.0.1", 8080)
    assert numeric("[::1]:8080") == ("::1", 8080)
    assert numeric("0.0.0.0:80") == ("0.0.0.0", 80)


def test_what_is_left_of_anothers_connections_is_not_in_the_way() -> None:
    address = f"127.0.0.1:{servers.free_port()}"
    with (
        listening(address, socket.SO_REUSEADDR) as one,
        socket.create_connection(one.getsockname(), SOON) as caller,
    ):
        one.accept()[0].close()  # who closes first keeps what is left
        assert caller.recv(1) == b""
    with pytest.raises(OSError, match="in use"), listening(address, socket.SO_REUSEPORT):
        pass
    with held(address):
        pass


def test_a_free_port_is_claimed_and_never_one_of_a_connection() -> None:
    """What the tests stand on: no other test is given it, and no connection of anybody's."""
    port = servers.free_port()
    asks = f"import servers; print(servers._is_claimed({port}))"
    done = subprocess.run(
        [sys.executable, "-c", asks],
        cwd=Path(servers.__file__).parent, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "False\n"
    given_to_connections = Path("/proc/sys/net/ipv4/ip_local_port_range")
    if given_to_connections.exists():
        assert port < int(given_to_connections.read_text().split()[0])


class Ended:
    """A process that has ended, as it turns out when somebody looks."""

    pid, returncode = 2**22 + 1, -15

    def __init__(self, seen: Callable[[], None] = lambda: None) -> None:
        self._seen = seen

    def poll(self) -> int:
        self._seen()
        return self.returncode


def worker(process: Any) -> Worker:
    return Worker("gRPC worker 0", ["-c", ""], process)


@pytest.fixture
def settings() -> ServiceSettings:
    return ServiceSettings(rest_workers=0, grpc_address=f"127.0.0.1:{servers.free_port()}")


def test_a_signal_to_all_at_once_is_no_failed_start(settings: ServiceSettings) -> None:
    stop = Signalled()
    wait_until_up(settings, [worker(Ended(stop.set))], stop)
    with pytest.raises(ServiceError, match="did not start"):
        wait_until_up(settings, [worker(Ended())], Signalled())


def test_a_dead_worker_is_seen_though_another_listens_in_its_place(
    settings: ServiceSettings,
) -> None:
    with (
        listening(settings.grpc_address, socket.SO_REUSEADDR),
        pytest.raises(ServiceError, match="did not start"),
    ):
        wait_until_up(settings, [worker(Ended())], Signalled())


def test_a_worker_is_started_again_when_the_machine_can(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start, tried = subprocess.Popen, []

    def sometimes(*given: Any, **named: Any) -> subprocess.Popen[bytes]:
        tried.append(given)
        if len(tried) <= supervisor.MAX_QUICK_DEATHS + 1:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        return start(*given, **named)

    monkeypatch.setattr(supervisor.subprocess, "Popen", sometimes)
    monkeypatch.setattr(supervisor, "BREATH_SECONDS", 0)
    one, said = worker(Ended()), []
    environment = {**os.environ, METRICS_DIR: str(tmp_path)}
    while isinstance(one.process, Ended):
        one.started = time.monotonic()  # it died at once, every time
        restart_dead([one], environment, said.append, Signalled())
    assert one.process is not None
    assert one.process.wait(SOON) == 0
    assert "cannot be started now: Cannot allocate memory; trying again" in said[1]


def test_what_is_said_to_nobody_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    monkeypatch.setattr(sys, "stderr", os.fdopen(writer, "w"))
    serving._say("the gRPC worker 0 died")
    with pytest.raises(BrokenPipeError):  # it had nobody indeed
        sys.stderr.close()


def test_a_folder_of_ones_own_is_locked_and_goes_in_the_end() -> None:
    with own_folder("test") as folder:
        (Path(folder) / "file").touch()
        is_locked = subprocess.run(["flock", "--nonblock", "--shared", folder, "true"], check=False)
        assert is_locked.returncode == 1
    assert not Path(folder).exists()
