"""What a whole service counts: exact with two gRPC workers and REST, and when a worker dies."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asking
import grpc
import httpx
import pytest
import servers
from conftest import Service, start_service, stop_service
from guncamera.v1 import dice_pb2
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from guncamera_client import Client, FilmInvalid, GuncameraError, PhaseClosed, RestClient
from living import below, listens
from orders import DEPLOY, FIRE, INSPECT, LAUNCH, SETUP
from prometheus import Counts
from prometheus_client.mmap_dict import MmapedDict

REQUESTS = "guncamera_requests_total"
STREAMS = "guncamera_streams_open"
STORE = "guncamera_store_seconds_count"
FACES = "guncamera_dice_faces_total"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("metrics")
    running = start_service(folder, "--grpc-workers", "2", "--rest-workers", "1")
    servers.wait_until(lambda: both_listen(running), "both listen", 60)
    yield running
    stop_service(running)


def workers(service: Service, mark: str) -> list[int]:
    """The service's processes whose command line has a mark."""
    return below(service.process.pid, mark)


def both_listen(service: Service) -> bool:
    """Whether calls may come to either gRPC worker."""
    found = workers(service, "grpc_worker")
    return len(found) == 2 and all(listens(pid, service.grpc) for pid in found)


def counted_by(service: Service, pid: int, method: str) -> float:
    """How many calls of a method one worker has counted, by its own file."""
    words = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    folder = next(w.partition("=")[2] for w in words if w.startswith("PROMETHEUS_MULTIPROC_DIR="))
    file = Path(folder) / f"counter_{pid}.db"
    if not file.exists():
        return 0
    read = MmapedDict.read_all_values_from_file(str(file))
    return sum(value for key, value, *_ in read if f'"method": "{method}"' in key)


@contextmanager
def stubs(service: Service, count: int) -> Iterator[list[SessionServiceStub]]:
    """Callers with a connection each, so that the kernel spreads them over the workers."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with ExitStack() as stack:
        yield [
            SessionServiceStub(
                stack.enter_context(grpc.insecure_channel(service.grpc, options=options))
            )
            for _ in range(count)
        ]


def test_calls_are_counted_by_method_rule_set_and_reason_over_all_workers(service: Service) -> None:
    with (
        Client(service.grpc, timeout_seconds=30) as client,
        RestClient(service.url, timeout_seconds=30) as rest,
        stubs(service, 16) as many,
    ):
        session = client.create_session(SETUP)
        pids = workers(service, "grpc_worker")
        assert len(pids) == 2
        before = Counts.at(service.url)
        for _ in range(3):
            for stub in many:
                stub.GetSession(pb.GetSessionRequest(name=session.name))
        client.move(session, DEPLOY)
        rest.move(session, LAUNCH)
        rest.list_rulesets().__next__()
        for each in (client, rest):
            with pytest.raises(PhaseClosed):
                each.move(session, DEPLOY)
            with pytest.raises(GuncameraError):
                each.get_session("sessions/nowhere")
        assert asking.get(f"{service.url}/nowhere").status_code == 404
        with grpc.insecure_channel(service.grpc) as channel, pytest.raises(grpc.RpcError) as no:
            channel.unary_unary("/guncamera.v1.SessionService/Nothing")(b"", timeout=10)
        assert no.value.code() is grpc.StatusCode.UNIMPLEMENTED
        found = Counts.at(service.url) - before
        assert found.by(REQUESTS, "method", "transport", "ruleset", "reason") == {
            ("GetSession", "grpc", "kettering", "OK"): 48,
            ("Move", "grpc", "kettering", "OK"): 1,
            ("Move", "rest", "kettering", "OK"): 1,
            ("ListRulesets", "rest", "-", "OK"): 1,
            ("Move", "grpc", "kettering", "PHASE_CLOSED"): 1,
            ("Move", "rest", "kettering", "PHASE_CLOSED"): 1,
            ("GetSession", "grpc", "-", "SESSION_NOT_FOUND"): 1,
            ("GetSession", "rest", "-", "SESSION_NOT_FOUND"): 1,
            ("-", "rest", "-", "ROUTE_NOT_FOUND"): 1,
            ("-", "grpc", "-", "ROUTE_NOT_FOUND"): 1,
        }
        times = found.by("guncamera_request_seconds_count", "method", "transport")
        assert times["GetSession", "grpc"] == 49
        assert times["Move", "rest"] == 2
        assert found.total("guncamera_request_seconds_sum", method="GetSession") > 0
        assert all(counted_by(service, pid, "GetSession") for pid in pids), "both had some"


def test_the_store_is_timed_by_operation_also_where_steps_share_an_exchange(
    service: Service,
) -> None:
    with (
        Client(service.grpc, timeout_seconds=30) as client,
        RestClient(service.url, timeout_seconds=30) as rest,
    ):
        session = client.create_session(SETUP)
        client.move(session, DEPLOY)
        before = Counts.at(service.url)
        for _ in range(7):
            client.damage(session, INSPECT)  # two steps on the fast lane
        for _ in range(5):
            rest.damage(session, INSPECT)
        client.get_action(session, 1)
        found = Counts.at(service.url) - before
        taken = found.by(STORE, "operation")
        assert taken["append",] == 12
        assert taken["load",] == 13
        assert taken["entry",] == 1
        assert found.total("guncamera_store_seconds_sum", operation="append") > 0
        assert found.total("guncamera_store_seconds_bucket", operation="append", le="+Inf") == 12
        assert found.total("guncamera_store_failures_total") == 0


def thrown(client: Client, name: str) -> Counter[tuple[str, str, str]]:
    """The faces in a session's ledger, by where they came from and the die's sides."""
    found: Counter[tuple[str, str, str]] = Counter()
    for action in client.list_actions(name):
        source = dice_pb2.DiceSource.Name(action.dice_source).removeprefix("DICE_SOURCE_").lower()
        for roll in action.rolls:
            found.update((source, str(s), str(f)) for s, f in zip(roll.sides, roll.faces))
    return found


def test_faces_of_actions_that_landed_are_counted_once(service: Service) -> None:
    with (
        Client(service.grpc, timeout_seconds=30) as client,
        RestClient(service.url, timeout_seconds=30) as rest,
    ):
        before = Counts.at(service.url)
        names = []
        for each, dice in ((client, None), (rest, None), (client, [4, 3, 2])):
            session = each.create_session(SETUP)
            each.move(session, DEPLOY)
            each.move(session, LAUNCH, request_id="just-once", dice=dice)
            each.move(session, LAUNCH, request_id="just-once", dice=dice)  # is told again
            with pytest.raises(PhaseClosed):
                each.fire(session, FIRE)  # lands nowhere
            names.append(session.name)
        found = Counts.at(service.url) - before
        ledgers = sum((thrown(client, name) for name in names), Counter())
        assert found.by(FACES, "source", "sides", "face") == dict(ledgers)
        assert {source for source, *_ in ledgers} == {"seeded", "supplied"}
        doubts = Counts.at(service.url).by("guncamera_dice_doubt", "source", "sides")
        assert set(doubts) >= {(source, sides) for source, sides, _ in ledgers}


def test_what_spectators_are_shown_later_is_not_counted_at_all(service: Service) -> None:
    with Client(service.grpc, timeout_seconds=30) as client:
        before = Counts.at(service.url)
        session = client.create_session(SETUP, spectator_delay_seconds=600)
        client.move(session, DEPLOY)
        assert client.move(session, LAUNCH).rolls
        assert (Counts.at(service.url) - before).total(FACES) == 0


def test_a_film_that_does_not_come_out_as_recorded_is_counted(service: Service) -> None:
    with Client(service.grpc, timeout_seconds=30) as client:
        session = client.create_session(SETUP)
        client.move(session, DEPLOY)
        film = client.export_session(session)
        film.actions[0].summary = "It flew away."
        before = Counts.at(service.url)
        with pytest.raises(FilmInvalid):
            client.import_session(film)
        found = Counts.at(service.url) - before
        assert found.by("guncamera_replay_mismatches_total", "ruleset", "where") == {
            ("kettering", "import"): 1
        }
        assert found.by(REQUESTS, "ruleset", "reason") == {("kettering", "FILM_INVALID"): 1}


def test_a_worker_that_dies_leaves_its_counts_and_takes_its_streams(service: Service) -> None:
    with Client(service.grpc, timeout_seconds=30) as client:
        session = client.create_session(SETUP)
        client.move(session, DEPLOY)
    victim, other = workers(service, "grpc_worker")
    with stubs(service, 16) as many:
        watches = [stub.WatchSession(pb.WatchSessionRequest(name=session.name)) for stub in many]
        for watch in watches:
            next(watch)
        before = Counts.at(service.url)
        assert before.by(STREAMS, "transport")["grpc",] == 16
        calls = counted_by(service, victim, "GetSession")
        os.kill(victim, signal.SIGKILL)
        ended = sum(_has_ended(watch, session.name, service) for watch in watches)
        assert 0 < ended < 16, "both workers had some"
        servers.wait_until(
            lambda: Counts.at(service.url).by(STREAMS, "transport")["grpc",] == 16 - ended,
            "only the streams of the living are open",
        )
        for watch in watches:
            watch.cancel()
    servers.wait_until(lambda: len(workers(service, "grpc_worker")) == 2, "another was started")
    servers.wait_until(
        lambda: Counts.at(service.url).by(STREAMS, "transport")["grpc",] == 0, "all are closed"
    )
    found = Counts.at(service.url)
    assert found.total(REQUESTS, method="GetSession") == before.total(REQUESTS, method="GetSession")
    assert calls == counted_by_any(service, "GetSession") - counted_by(service, other, "GetSession")
    with Client(service.grpc, channels=8, timeout_seconds=30) as client:
        servers.wait_until(lambda: _answers(client, session), "the service is back", 30)
        after = Counts.at(service.url)
        for _ in range(16):
            client.get_session(session)
    assert (Counts.at(service.url) - after).total(REQUESTS, method="GetSession") == 16


def counted_by_any(service: Service, method: str) -> float:
    """What all gRPC workers there ever were have counted."""
    return Counts.at(service.url).total(REQUESTS, method=method, transport="grpc")


def _has_ended(watch: grpc.Call, name: str, service: Service) -> bool:
    """Whether a watch was the dead worker's; the others are told of an action."""
    if watch.is_active():
        with Client(service.grpc, timeout_seconds=30) as client:
            servers.wait_until(lambda: _acts(client, name), "an action lands", 30)
    try:
        next(watch)
    except grpc.RpcError:
        return True
    return False


def _acts(client: Client, name: str) -> bool:
    try:
        client.damage(name, INSPECT)
    except GuncameraError:
        return False
    return True


def _answers(client: Client, session: pb.Session) -> bool:
    try:
        client.get_session(session)
    except GuncameraError:
        return False
    return True


def test_a_rest_process_that_dies_takes_its_streams(service: Service) -> None:
    with Client(service.grpc, timeout_seconds=30) as client:
        session = client.create_session(SETUP)
    _, pid = workers(service, "rest_worker")
    with asking.stream("GET", f"{service.url}/v1/{session.name}:watch") as response:
        assert next(response.iter_lines())
        assert Counts.at(service.url).by(STREAMS, "transport")["rest",] == 1
        os.kill(pid, signal.SIGKILL)

    def is_closed() -> bool:
        try:
            return Counts.at(service.url).by(STREAMS, "transport").get(("rest",), 0) == 0
        except httpx.TransportError:
            return False

    servers.wait_until(is_closed, "the REST server's own restart forgets the stream", 60)
