"""A whole service with its workers and its store killed under it: nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import time

import asking
import pytest
import servers
from conftest import start_service, stop_service
from guncamera_client import Client, GuncameraError, RestClient, Unavailable
from living import below, line_of
from orders import DEPLOY, INSPECT, SETUP

PATIENCE_SECONDS = 2.0


@pytest.fixture
def own_service(tmp_path):
    """A service of one's own, to break."""
    running = start_service(tmp_path)
    yield running
    stop_service(running)


def kill(service, mark: str) -> int:
    """Kill -9 the service's process whose command line has a mark; returns its id."""
    found = []

    def is_killed() -> bool:
        found[:] = below(service.process.pid, mark)
        with contextlib.suppress(IndexError, ProcessLookupError):  # it is being started again
            os.kill(found[0], signal.SIGKILL)
            return True
        return False

    servers.wait_until(is_killed, f"the service runs a {mark}")
    return found[0]


def play(client, session, count: int) -> list[int]:
    """Inspect so many times; returns the revisions that were acknowledged."""
    acknowledged = []
    for _ in range(count):
        try:
            acknowledged.append(client.damage(session, INSPECT).revision)
        except GuncameraError:
            time.sleep(0.02)
    return acknowledged


def ledger(client, session) -> list[int]:
    return [action.revision for action in client.list_actions(session)]


@pytest.mark.parametrize("mark", ["grpc_worker", "valkey-server"])
def test_every_acknowledged_action_survives_a_kill(own_service, mark):
    with Client(own_service.grpc, timeout_seconds=10) as client:
        session = client.create_session(SETUP)
        client.move(session, DEPLOY)
        acknowledged = [1]
        for _ in range(3):
            acknowledged += play(client, session, 15)
            kill(own_service, mark)
            acknowledged += play(client, session, 15)
        servers.wait_until(lambda: _answers(client, session), "the service is back", 30)
        found = ledger(client, session)
    assert found == list(range(1, len(found) + 1)), "no gap and no double"
    assert set(acknowledged) <= set(found)
    assert len(acknowledged) > 30


def _answers(client, session) -> bool:
    try:
        client.get_session(session)
    except GuncameraError:
        return False
    return True


def test_a_rest_server_that_is_killed_takes_its_process_along(own_service):
    pids = below(own_service.process.pid, "rest_worker")
    assert len(pids) == 2, "one that keeps the other"
    os.kill(pids[0], signal.SIGKILL)
    servers.wait_until(lambda: not line_of(pids[1]), "the process that was kept is gone")
    with RestClient(own_service.url) as client:
        assert client.create_session(SETUP).name, "another serves"


def test_games_are_there_after_the_service_stops_and_starts(tmp_path):
    first = start_service(tmp_path)
    try:
        with Client(first.grpc) as client:
            session = client.create_session(SETUP, session_id="kept")
            client.move(session, DEPLOY)
            before = client.get_session(session)
    finally:
        stop_service(first)
    assert first.process.returncode == 0
    second = start_service(tmp_path)
    try:
        with Client(second.grpc) as client:
            assert client.get_session("kept") == before
    finally:
        stop_service(second)


def test_a_store_that_is_down_is_said_within_two_seconds_and_comes_back_by_itself(tmp_path):
    port = servers.free_port()
    with servers.Server(
        servers.redis_program(), port=port, appendonly="yes", appendfsync="always"
    ) as store:
        running = start_service(tmp_path, "--store-url", store.url)
        try:
            _store_goes_down(running, store)
        finally:
            stop_service(running)


def _store_goes_down(running, store) -> None:
    with RestClient(running.url) as rest, Client(running.grpc) as grpc_client:
        session = rest.create_session(SETUP)
        store.kill()
        for _ in range(2):  # the first may find a connection that has just died
            asked = time.monotonic()
            answer = asking.get(f"{running.url}/v1/{session.name}", timeout=10)
            assert time.monotonic() - asked < PATIENCE_SECONDS + 1
            assert answer.status_code == 503
            assert answer.json()["reason"] == "STORE_UNAVAILABLE"
            assert int(answer.headers["Retry-After"]) >= 1
        with pytest.raises(Unavailable) as refused:
            grpc_client.get_session(session)
        assert refused.value.retry_after_seconds
        servers.wait_until(
            lambda: asking.get(f"{running.url}/readyz").status_code == 503, "readiness is red"
        )
        assert asking.get(f"{running.url}/healthz").status_code == 200
        store.start()
        servers.wait_until(
            lambda: asking.get(f"{running.url}/readyz").status_code == 200, "readiness is green"
        )
        assert rest.move(session, DEPLOY).revision == 1


def test_a_taken_address_is_one_clear_line(service, tmp_path):
    import subprocess
    import sys

    done = subprocess.run(
        [
            sys.executable, "-m", "guncamera", "serve", "--data-dir", str(tmp_path),
            "--rest-address", service.rest, "--grpc-address", "127.0.0.1:1",
        ],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Cannot listen" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_workers_share_the_port_and_one_killed_comes_back(tmp_path):
    running = start_service(tmp_path, "--grpc-workers", "2")
    try:
        with Client(running.grpc, channels=8) as client:
            session = client.create_session(SETUP)
            client.move(session, DEPLOY)
            acknowledged = play(client, session, 10)
            kill(running, "grpc_worker")
            acknowledged += play(client, session, 20)
            servers.wait_until(lambda: _answers(client, session), "the service is back", 30)
            assert set(acknowledged) <= set(ledger(client, session))
            assert len(acknowledged) > 10
    finally:
        stop_service(running)
