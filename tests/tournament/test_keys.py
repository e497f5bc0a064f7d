"""Events on a service that asks for keys, and counts calls against limits."""

import os
import subprocess
import sys

import pytest
from clients.fake_service import FakeService, Refuse
from conftest import start_service, stop_service
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2
from guncamera_client import CallerUnknown, RateLimited, ScopeMissing
from guncamera_client.retry import Attempts
from guncamera_tournament import playing
from guncamera_tournament.event import Setup
from guncamera_tournament.executor import KEY_VARIABLE, client_for
from guncamera_tournament.runner import run_event

RANDOM = "stock:random"


def made_key(folder, scope: str) -> str:
    words = ["keys", "create", "--scope", scope, "--data-dir", str(folder)]
    clean = {name: value for name, value in os.environ.items() if "GUNCAMERA" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "guncamera", *words], env=clean, stdout=subprocess.PIPE, check=True
    )
    return done.stdout.decode().strip()


@pytest.fixture(scope="module")
def keyed(tmp_path_factory):
    """A service that asks for keys, and counts what each may."""
    folder = tmp_path_factory.mktemp("keyed")
    keys = {scope: made_key(folder, scope) for scope in ("play", "read")}
    running = start_service(folder, "--rate-per-key", "200 per 6 seconds")
    yield running, keys
    stop_service(running)


@pytest.fixture
def play_keyed(keyed, monkeypatch, tmp_path):
    """Play an event with a key of a scope; its folder."""
    running, keys = keyed

    def play_keyed(event, scope: str):
        if scope:
            monkeypatch.setenv(KEY_VARIABLE, keys[scope])
        run_event(tmp_path / "keyed", event, [running.grpc], in_flight=4)
        return tmp_path / "keyed"

    return play_keyed


def contents(folder) -> dict[str, bytes]:
    files = [folder / "event.toml", folder / "results.json", *sorted((folder / "films").iterdir())]
    return {file.name: file.read_bytes() for file in files}


@pytest.fixture
def short(event_of):
    return event_of("circus", RANDOM, RANDOM, setups=(Setup("short", '{"turns": 1}'),))


def test_calls_are_shared_by_key_and_wait_until_its_limit_is_over(
    play_keyed, play, short, monkeypatch
):
    play(short, "free", in_flight=2)
    limits = []
    pause_after = Attempts.pause_after

    def noted(attempts, error):
        if isinstance(error, RateLimited):
            limits.append(error.policy)
        return pause_after(attempts, error)

    monkeypatch.setattr(Attempts, "pause_after", noted)
    keyed = play_keyed(short, "play")
    assert set(limits) == {"key"}
    assert contents(keyed) == contents(play.folder)


def test_seats_are_claimed_by_key(play_keyed, play, short, monkeypatch):
    monkeypatch.setattr(playing, "shares_calls", lambda event: False)
    play(short, "free")
    assert contents(play_keyed(short, "play")) == contents(play.folder)


@pytest.mark.parametrize(
    ("scope", "refusal", "says"),
    [
        ("read", ScopeMissing, "a key with the scope `play`. The key sent has `read`"),
        ("", CallerUnknown, "a key with the scope `play`"),
    ],
)
def test_what_key_an_event_takes_is_said(play_keyed, event_of, scope, refusal, says):
    with pytest.raises(refusal, match=says):
        play_keyed(event_of("circus", RANDOM, RANDOM), scope)


@pytest.mark.parametrize(("seconds", "waits"), [(110, True), (3600, False)])
def test_a_limit_is_waited_out_if_that_takes_a_minute_or_two(monkeypatch, seconds, waits):
    slept = []
    monkeypatch.setattr("guncamera_client._blocking.calls.time.sleep", slept.append)
    limit = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds))
    with FakeService() as fake, client_for(fake.target) as client:
        fake.answers(
            "GetSession", Refuse(code_pb2.RESOURCE_EXHAUSTED, "RATE_LIMITED", details=[limit])
        )
        if waits:
            client.get_session("sessions/x")
            assert len(slept) == 1
            assert slept[0] >= seconds
        else:
            with pytest.raises(RateLimited):
                client.get_session("sessions/x")
            assert slept == []
