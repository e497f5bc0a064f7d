"""gRPC over a stand-in: rich statuses, health, reflection, and streams that starve no call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from fakes import FakeEndpoints, action, heartbeat
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status
from guncamera.api.config import Config
from guncamera.api.grpc_calls import GrpcCall
from guncamera.api.grpc_server import GrpcServer, build_server
from guncamera.api.routes import rpcs
from guncamera.api.streams import StreamSlots
from guncamera.rules.refusal import Illegal, Malformed, Violation
from guncamera.sessions.refusals import EtagMismatch, SeatUnknown, Unavailable
from guncamera.v1 import (
    dice_pb2,
    resolution_service_pb2,
    ruleset_service_pb2_grpc,
    session_service_pb2_grpc,
)
from guncamera.v1 import session_service_pb2 as pb
from prometheus import Counts

THREADS = 3
CAP = 5
SOON = 10.0


def eventually(is_true: Callable[[], bool], what: str) -> None:
    """Look again until something is so."""
    deadline = time.monotonic() + SOON
    while not is_true():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


class Table:
    """A server over a stand-in, and a client."""

    is_fast = True

    def __init__(self, **settings: Any) -> None:
        self.endpoints = FakeEndpoints()
        self.config = Config(max_streams=CAP, **settings)
        self.server: GrpcServer = build_server(
            self.endpoints,
            address="127.0.0.1:0",
            config=self.config,
            threads=THREADS,
            fast=self.is_fast,
        )
        assert (self.server.lane is not None) == self.is_fast
        self.server.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.server.port}")
        self.sessions = session_service_pb2_grpc.SessionServiceStub(self.channel)
        self.rulesets = ruleset_service_pb2_grpc.RulesetServiceStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def raw(self, method: str, data: bytes) -> bytes:
        """Send any bytes as a request."""
        call = self.channel.unary_unary(f"/guncamera.v1.{method}")
        return bytes(call(data, timeout=SOON))

    def watch(self) -> Any:
        """Open a watch."""
        return self.sessions.WatchSession(pb.WatchSessionRequest(name="sessions/s1"))

    def close(self) -> None:
        self.endpoints.watch_ends.set()
        self.channel.close()
        self.server.stop(0).wait(SOON)


@pytest.fixture(params=[True, False], ids=["fast", "standard"], autouse=True)
def _lane(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here is so on either lane."""
    monkeypatch.setattr(Table, "is_fast", request.param)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


def refused(call: Callable[[], Any], code: str, reason: str) -> dict[str, Any]:
    """The details of a refused call, by their type, checked for its reason."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    error: Any = caught.value
    assert code == error.code().name, error.details()
    status = rpc_status.from_call(error)
    assert status is not None, "no details came with the status"
    found = {each.type_url.rpartition(".")[2]: unpacked(each) for each in status.details}
    info = found["ErrorInfo"]
    assert (info.reason, info.domain) == (reason, "guncamera")
    sent = dict(error.trailing_metadata())
    assert sent["x-request-id"] == found["RequestInfo"].request_id
    assert "Traceback" not in error.details()
    return found


def unpacked(packed: AnyMessage) -> Any:
    for module in (error_details_pb2, dice_pb2):
        name = packed.type_url.rpartition(".")[2]
        kind = getattr(module, name, None)
        if kind is not None and packed.Is(kind.DESCRIPTOR):
            detail = kind()
            packed.Unpack(detail)
            return detail
    raise AssertionError(packed.type_url)


def test_every_call_reaches_its_endpoint(table: Table) -> None:
    table.endpoints.watch_ends.set()
    for rpc in rpcs():
        path = f"/{rpc.service}/{rpc.name}"
        if rpc.streams:
            list(table.channel.unary_stream(path)(b"", timeout=SOON))
        else:
            table.channel.unary_unary(path)(b"", timeout=SOON)
        assert table.endpoints.seen[-1][0] == rpc.name


def test_the_token_and_the_request_id_reach_the_endpoints_and_come_back(table: Table) -> None:
    metadata = (("authorization", "Bearer t0ken"), ("x-request-id", "my-id"))
    _, call = table.sessions.GetSession.with_call(
        pb.GetSessionRequest(name="sessions/s1"), metadata=metadata
    )
    _, request, caller = table.endpoints.seen[-1]
    assert request == pb.GetSessionRequest(name="sessions/s1")
    assert (caller.token, caller.request_id, caller.etag_is_header) == ("t0ken", "my-id", False)
    assert dict(call.trailing_metadata())["x-request-id"] == "my-id"
    _, call = table.sessions.GetSession.with_call(pb.GetSessionRequest())
    assert len(dict(call.trailing_metadata())["x-request-id"]) == 32


def test_a_replayed_answer_says_so(table: Table) -> None:
    def replayed(_request: object, caller: Any) -> pb.Action:
        caller.notes.replayed = True
        return action(3)

    table.endpoints.answers["Move"] = replayed
    _, call = table.sessions.Move.with_call(pb.MoveRequest())
    assert dict(call.trailing_metadata())["idempotent-replayed"] == "true"


def test_refusals_are_rich_statuses(table: Table) -> None:
    table.endpoints.answers = {
        "Fire": Illegal("KET-7.1", "Too far.", range_hexes=3),
        "Wind": EtagMismatch("Stale.", etag='"4"'),
        "Move": Unavailable("The store is away."),
        "Spot": SeatUnknown("Who?"),
    }
    call = table.sessions
    found = refused(lambda: call.Fire(pb.FireRequest()), "FAILED_PRECONDITION", "ACTION_ILLEGAL")
    assert [item.type for item in found["PreconditionFailure"].violations] == ["KET-7.1"]
    assert dict(found["ErrorInfo"].metadata) == {"range_hexes": "3"}
    found = refused(lambda: call.Wind(pb.WindRequest()), "ABORTED", "ETAG_MISMATCH")
    assert found["ErrorInfo"].metadata["etag"] == '"4"'
    found = refused(lambda: call.Move(pb.MoveRequest()), "UNAVAILABLE", "STORE_UNAVAILABLE")
    assert found["RetryInfo"].retry_delay.seconds == 1
    refused(lambda: call.Spot(pb.SpotRequest()), "UNAUTHENTICATED", "SEAT_UNKNOWN")


def test_a_fault_of_ours_tells_an_id_and_nothing_else(table: Table) -> None:
    table.endpoints.answers["Fire"] = RuntimeError("secret internals")
    found = refused(lambda: table.sessions.Fire(pb.FireRequest()), "INTERNAL", "INTERNAL")
    assert "secret" not in str(found)
    assert found["RequestInfo"].request_id in str(found["ErrorInfo"])


def test_ten_thousand_violations_do_not_lose_the_refusal(table: Table) -> None:
    many = [Violation(f"items[{n}].{'é' * 90}", "ü" * 500) for n in range(10_000)]
    facts = {f"f{n}": "☃" * 300 for n in range(50)}
    table.endpoints.answers["Fire"] = Malformed("☃" * 9000, violations=many, **facts)
    found = refused(
        lambda: table.sessions.Fire(pb.FireRequest()), "INVALID_ARGUMENT", "INPUT_INVALID"
    )
    assert found["ErrorInfo"].metadata["violation_count"] == "10000"


def test_a_watch_streams(table: Table) -> None:
    table.endpoints.watch_items = [pb.WatchSessionResponse(action=action(8)), heartbeat(8)]
    table.endpoints.watch_ends.set()
    watch = table.watch()
    assert "x-request-id" in dict(watch.initial_metadata())
    read = list(watch)
    assert [item.WhichOneof("message") for item in read] == ["action", "heartbeat", "end"]
    eventually(lambda: table.endpoints.watches_open == 0, "the watch is freed")


def test_a_watch_that_is_refused_is_a_rich_status(table: Table) -> None:
    table.endpoints.answers["WatchSession"] = SeatUnknown("Who?")
    for _ in range(CAP + 2):
        refused(lambda: list(table.watch()), "UNAUTHENTICATED", "SEAT_UNKNOWN")
    eventually(lambda: table.server.slots.open == 0, "the slots are given back")


def test_open_streams_never_starve_a_call(table: Table) -> None:
    watches = [table.watch() for _ in range(CAP)]
    for watch in watches:
        next(watch)
    refusal = refused(lambda: next(table.watch()), "RESOURCE_EXHAUSTED", "STREAMS_FULL")
    assert refusal["RetryInfo"].retry_delay.seconds == 5
    with ThreadPoolExecutor(3 * THREADS) as pool:
        calls = [
            pool.submit(table.sessions.GetSession, pb.GetSessionRequest(), timeout=SOON)
            for _ in range(100)
        ]
        for call in calls:
            call.result()
    polled = table.sessions.ListActions(pb.ListActionsRequest(), timeout=SOON)
    assert polled == pb.ListActionsResponse()
    refused(
        lambda: table.sessions.ListActions(pb.ListActionsRequest(wait_seconds=1)),
        "RESOURCE_EXHAUSTED",
        "STREAMS_FULL",
    )
    watches[0].cancel()
    eventually(lambda: table.server.slots.open == CAP - 1, "a dropped watch is noticed")
    next(table.watch())


def test_waiting_polls_never_starve_a_call(table: Table) -> None:
    waiting = threading.Event()

    def wait(request: pb.ListActionsRequest, _caller: object) -> pb.ListActionsResponse:
        if request.wait_seconds:
            waiting.wait(SOON)
        return pb.ListActionsResponse()

    table.endpoints.answers["ListActions"] = wait
    polls = [
        table.sessions.ListActions.future(pb.ListActionsRequest(wait_seconds=9)) for _ in range(CAP)
    ]
    eventually(lambda: table.server.slots.open == CAP, "every poll waits")
    table.sessions.GetSession(pb.GetSessionRequest(), timeout=SOON)
    waiting.set()
    for poll in polls:
        poll.result(timeout=SOON)
    eventually(lambda: table.server.slots.open == 0, "the slots are given back")


def test_dropped_watches_leave_nothing_behind(table: Table) -> None:
    for _ in range(40):
        watches = [table.watch() for _ in range(CAP)]
        for watch in watches:
            next(watch)
            watch.cancel()
        eventually(lambda: table.server.slots.open == 0, "dropped watches are noticed")
    assert table.endpoints.watches_open == 0


def test_what_is_no_request_is_the_callers_fault(table: Table) -> None:
    found = refused(
        lambda: table.raw("ResolutionService/ResolveFire", b"\xff\xff"),
        "INVALID_ARGUMENT",
        "INPUT_INVALID",
    )
    assert found["BadRequest"].field_violations


def test_an_unknown_field_is_refused_with_its_path(table: Table) -> None:
    request = resolution_service_pb2.ResolveFireRequest()
    request.dice.supplied.faces.append(3)
    # Field 99 with value 1, inside `dice.supplied`.
    supplied = request.dice.supplied.SerializeToString() + b"\x98\x06\x01"
    dice = b"\x12" + bytes([len(supplied)]) + supplied
    found = refused(
        lambda: table.raw("ResolutionService/ResolveFire", b"\x12" + bytes([len(dice)]) + dice),
        "INVALID_ARGUMENT",
        "INPUT_INVALID",
    )
    assert [item.field for item in found["BadRequest"].field_violations] == ["dice.supplied.99"]


def test_an_enum_number_without_a_name_is_refused_with_the_names(table: Table) -> None:
    request = resolution_service_pb2.ResolveFireRequest()
    request.facts.kettering.condition.criticals.extend([1, 99])
    found = refused(
        lambda: table.raw("ResolutionService/ResolveFire", request.SerializeToString()),
        "INVALID_ARGUMENT",
        "INPUT_INVALID",
    )
    [violation] = found["BadRequest"].field_violations
    assert violation.field == "facts.kettering.condition.criticals[1]"
    assert "KETTERING_CRITICAL_CONTROLS_JAMMED" in violation.description


def test_a_request_may_be_encoded_in_any_lawful_way(table: Table) -> None:
    # The seat given twice, the flag as an overlong zero: lawful, if clumsy.
    assert table.raw("SessionService/Move", b"\x12\x01a\x12\x01b\x38\x80\x00") is not None
    assert table.endpoints.seen[-1][1] == pb.MoveRequest(seat="b")


def test_an_unknown_method_is_not_implemented(table: Table) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        table.raw("SessionService/Nope", b"")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_an_oversized_request_is_refused_before_it_is_read(table: Table) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        table.sessions.Move(pb.MoveRequest(seat="x" * (4 * 1024 * 1024 + 1)))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert not table.endpoints.seen


def test_health_is_told_for_each_service() -> None:
    missing: list[str] = []
    table = Table(ready=lambda: missing)

    def state(service: str) -> str:
        answer = table.health.Check(health_pb2.HealthCheckRequest(service=service))
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))

    names = ["", *sorted({rpc.service for rpc in rpcs()})]
    try:
        assert [state(name) for name in names] == ["SERVING"] * 5
        watch = table.health.Watch(health_pb2.HealthCheckRequest(service=""))
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        missing.append("The store is away.")
        # Rulings without a session need no store.
        down = [name for name in names if state(name) == "NOT_SERVING"]
        assert down == ["", "guncamera.v1.SessionService"]
        assert {state(name) for name in names if name not in down} == {"SERVING"}
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watch.cancel()
        with pytest.raises(grpc.RpcError) as caught:
            state("nope")
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    finally:
        table.close()


def test_reflection_lists_the_services_and_can_be_turned_off() -> None:
    asked = [reflection_pb2.ServerReflectionRequest(list_services="*")]
    table = Table()
    try:
        stub = reflection_pb2_grpc.ServerReflectionStub(table.channel)
        [answer] = stub.ServerReflectionInfo(iter(asked))
        listed = {service.name for service in answer.list_services_response.service}
        assert {rpc.service for rpc in rpcs()} | {"grpc.health.v1.Health"} <= listed
    finally:
        table.close()
    table = Table(reflection=False)
    try:
        stub = reflection_pb2_grpc.ServerReflectionStub(table.channel)
        with pytest.raises(grpc.RpcError) as caught:
            list(stub.ServerReflectionInfo(iter(asked)))
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    finally:
        table.close()


def test_open_questions_to_reflection_never_starve_a_call(table: Table) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(table.channel)
    hold = threading.Event()

    def ask() -> Iterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="*")
        hold.wait(SOON)

    asking = [stub.ServerReflectionInfo(ask()) for _ in range(THREADS + 3)]
    next(asking[0])
    table.sessions.GetSession(pb.GetSessionRequest(), timeout=SOON)
    hold.set()


@pytest.mark.parametrize("method", ["GetAction", "Fire"])
def test_a_stop_lets_open_calls_end(table: Table, method: str) -> None:
    began, ends = threading.Event(), threading.Event()

    def slow(_request: object, _caller: object) -> pb.Action:
        began.set()
        ends.wait(SOON)
        return pb.Action(revision=7)

    table.endpoints.answers[method] = slow
    request = pb.GetActionRequest() if method == "GetAction" else pb.FireRequest()
    call = getattr(table.sessions, method).future(request)
    began.wait(SOON)
    stopped = table.server.stop(SOON)
    assert not stopped.is_set()
    ends.set()
    assert call.result(timeout=SOON).revision == 7
    assert stopped.wait(SOON)


def test_two_processes_may_share_a_port(table: Table) -> None:
    other = build_server(FakeEndpoints(), address=f"127.0.0.1:{table.server.port}", config=Config())
    assert other.port == table.server.port
    other.start()
    other.stop(0).wait(SOON)
    with pytest.raises(RuntimeError):
        build_server(
            FakeEndpoints(),
            address=f"127.0.0.1:{table.server.port}",
            config=Config(),
            reuse_port=False,
        )


def test_calls_are_counted_under_their_transport(table: Table) -> None:
    table.endpoints.answers["Fire"] = Illegal("KET-7.1", "No.")
    with pytest.raises(grpc.RpcError):
        table.sessions.Fire(pb.FireRequest())
    watch = table.watch()
    next(watch)
    assert b'guncamera_streams_open{transport="grpc"} 1.0' in table.config.telemetry.render()[0]
    watch.cancel()
    eventually(
        lambda: b'method="WatchSession",reason="CANCELLED"' in table.config.telemetry.render()[0],
        "the end of the watch is counted",
    )
    text = table.config.telemetry.render()[0].decode()
    outcome = 'method="Fire",reason="ACTION_ILLEGAL",ruleset="-",transport="grpc"'
    line = f"guncamera_requests_total{{{outcome}}} 1.0"
    assert line in text
    assert 'guncamera_streams_open{transport="grpc"} 0.0' in text


def test_the_codes_are_those_of_google_rpc() -> None:
    from guncamera.api.problems import TABLE

    for row in TABLE.values():
        assert code_pb2.Code.Value(row.code.name) == row.code_number


class GoneAway:
    """The context of a call whose caller has gone away."""

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def send_initial_metadata(self, _metadata: object) -> None:
        raise grpc.RpcError


def test_a_stream_whose_caller_leaves_before_it_begins_is_counted() -> None:
    config, slots = Config(), StreamSlots(1)
    (rpc,) = [rpc for rpc in rpcs() if rpc.name == "WatchSession"]
    call = GrpcCall(rpc, lambda *_: iter(()), config, slots)
    with pytest.raises(grpc.RpcError):
        list(call.stream(b"", GoneAway()))  # type: ignore[arg-type]
    counted = Counts.of(config.telemetry.render()[0].decode())
    assert counted.by("guncamera_requests_total", "method", "reason") == {
        ("WatchSession", "CANCELLED"): 1
    }
    assert slots.open == 0
