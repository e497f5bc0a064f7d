"""A service on this machine: found, or started and never left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
import guncamera_client
import pytest
from clients.fake_service import (
    FakeService,
)
from clients.scene import KETTERING, NAME, PATIENCE_SECONDS
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringSetup,
)
from guncamera_client import Client, LocalService
from guncamera_client.local import is_serving

FAKE_COMMAND = [sys.executable, str(Path(__file__).with_name("fake_service.py"))]


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No service runs where one is looked for."""
    with FakeService() as gone:
        monkeypatch.setenv("GUNCAMERA_GRPC_ADDRESS", gone.target)


def test_a_service_that_runs_is_used_and_left_running(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNCAMERA_GRPC_ADDRESS", fake.target)
    with Client.local(command=["/nonexistent"]) as client:
        assert client.target == fake.target
        client.get_session(NAME)
    assert is_serving(fake.target)


@pytest.mark.usefixtures("nobody")
def test_a_service_is_started_and_stopped() -> None:
    with Client.local(command=FAKE_COMMAND) as client:
        assert client.fire(KETTERING).revision == 1
        assert is_serving(client.target)
    assert not is_serving(client.target)


@pytest.mark.usefixtures("nobody")
def test_another_grpc_service_is_not_mistaken_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import ThreadPoolExecutor

    other = grpc.server(ThreadPoolExecutor(1))
    port = other.add_insecure_port("127.0.0.1:0")
    other.start()
    try:
        assert not is_serving(f"127.0.0.1:{port}")
    finally:
        other.stop(0).wait()


def test_a_service_that_is_not_ready_is_not_serving(fake: FakeService) -> None:
    assert is_serving(fake.target)
    fake.is_ready = False
    assert not is_serving(fake.target)


def test_a_service_that_ends_at_once_is_quoted() -> None:
    with pytest.raises(guncamera_client.ServiceNotStarted, match=r"status 1(.|\n)*no more rum"):
        LocalService.start(command=[*FAKE_COMMAND, "--words", "no more rum"])


def test_a_service_that_is_never_ready_is_given_up_and_ended() -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(guncamera_client.ServiceNotStarted, match="not ready within"):
        LocalService.start(command=sleeper, start_seconds=0.1)


@pytest.mark.parametrize(("times", "is_started"), [(2, True), (3, False)])
def test_a_port_that_is_taken_meanwhile_is_another_ones(
    tmp_path: Path, times: int, is_started: bool
) -> None:
    """The command finds it taken so many times, and is started again with other ports."""
    command = (
        "import os, pathlib, sys\n"
        "tried = pathlib.Path(sys.argv[1])\n"
        "tried.open('a').write(sys.argv[4] + chr(10))\n"
        f"if len(tried.read_text().split()) <= {times}: sys.exit('Cannot listen on it')\n"
        "os.execv(sys.executable, [sys.executable, *sys.argv[2:]])\n"
    )
    tried = tmp_path / "tried"
    words = [sys.executable, "-c", command, str(tried), FAKE_COMMAND[1]]
    if is_started:
        with LocalService.start(command=words) as service:
            assert is_serving(service.target)
    else:
        with pytest.raises(guncamera_client.ServiceNotStarted, match="Cannot listen on it"):
            LocalService.start(command=words)
    addresses = tried.read_text().split()
    assert len(addresses) == len(set(addresses)) == 3


def test_a_command_that_does_not_exist_is_said_so() -> None:
    with pytest.raises(guncamera_client.ServiceNotStarted, match="cannot be started"):
        LocalService.start(command=["/nonexistent/guncamera"])


def test_the_data_folder_is_passed_on_and_a_temporary_one_goes_away(tmp_path: Path) -> None:
    tell = "import sys; open(sys.argv[1], 'w').write(chr(10).join(sys.argv[2:])); sys.exit('told')"
    told = tmp_path / "told"
    for data_dir in (tmp_path / "mine", None):
        with pytest.raises(guncamera_client.ServiceNotStarted, match="told"):
            LocalService.start(data_dir, command=[sys.executable, "-c", tell, str(told)])
        flags = told.read_text().split("\n")
        assert flags[0::2][:3] == ["--grpc-address", "--rest-address", "--data-dir"]
        assert flags[-1] == "--exit-with-parent"
        if data_dir:
            assert flags[5] == str(data_dir)
        else:
            assert not Path(flags[5]).parent.exists()


def test_a_service_that_nobody_holds_any_more_is_stopped() -> None:
    service = LocalService.start(command=FAKE_COMMAND)
    target = service.target
    assert service.is_ours
    del service
    gc.collect()
    assert not is_serving(target)


def test_a_script_that_forgets_to_close_leaves_no_orphan() -> None:
    script = (
        "import sys; from guncamera_client import LocalService\n"
        "service = LocalService.start(command=sys.argv[1:])\n"
        "print(service.target, flush=True)\n"
        "raise RuntimeError('a fault of the script')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, *FAKE_COMMAND],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "a fault of the script" in ended.stderr
    assert not is_serving(ended.stdout.strip())


@pytest.mark.usefixtures("nobody")
def test_the_real_service_is_started_by_one_line(tmp_path: Path) -> None:
    with Client.local(tmp_path / "data") as client:
        setup = KetteringSetup(aircraft_type="fokker-d7")
        session = client.create_session(setup, session_id="local", dice_seed="x")
        assert session.ruleset == "rulesets/kettering"
        assert [found.name for found in client.list_sessions()] == ["sessions/local"]
    assert not is_serving(client.target)


def test_a_script_that_is_killed_leaves_no_orphan() -> None:
    script = (
        "import time; from guncamera_client import LocalService\n"
        "service = LocalService.start()\n"
        "print(service.target, service.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as ended:
        assert ended.stdout is not None
        target, pid = ended.stdout.readline().split()
        ended.kill()
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS / 4
        while is_serving(target):
            assert time.monotonic() < deadline, "the service outlived its script"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGTERM)
