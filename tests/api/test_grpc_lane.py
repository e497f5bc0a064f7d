"""The fast lane: what it adds to the standard one, and that it steps aside when it should."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import grpc
import pytest
from fakes import FakeEndpoints
from guncamera.api import grpc_lane, grpc_private
from guncamera.api.config import Config
from guncamera.api.grpc_server import GrpcServer, build_server
from guncamera.api.in_steps import InSteps
from guncamera.sessions.refusals import Unavailable
from guncamera.sessions.steps import Steps
from guncamera.sessions.store import Load, Missing, Results, Step, StoreUnavailable
from guncamera.v1 import resolution_service_pb2, resolution_service_pb2_grpc
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from prometheus import Counts

SOON = 10.0


class Desk:
    """Stands in for endpoints whose `Fire` takes two steps, and for the store behind them.

    `taken` holds the sessions of each sending, `alone` those of steps taken by themselves.
    """

    def __init__(self) -> None:
        self.taken: list[list[str]] = []
        self.alone: list[str] = []
        self.seconds = 0.0
        self.faults: dict[str, Exception] = {}
        self.broken: Exception | None = None

    def fire(self, request: Any, _caller: object) -> Steps[Any]:
        for _ in range(2):
            try:
                yield Load(request.name, None)
            except StoreUnavailable as down:
                raise Unavailable("The store is away.") from down
        return pb.Action(name=request.name)

    def send(self, steps: Sequence[Step]) -> Results:
        if self.broken is not None:
            raise self.broken
        self.taken.append([step.session_id for step in steps])

        def receive() -> list[Any]:
            time.sleep(self.seconds)
            return [self.faults.get(step.session_id, Missing()) for step in steps]

        return receive

    def exchange(self, step: Step) -> Missing:
        self.alone.append(step.session_id)
        return Missing()


class LaneTable:
    """A server on the fast lane over a desk, and a client."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.endpoints: Any = FakeEndpoints()
        self.endpoints.in_steps = InSteps(
            {"Fire": self.desk.fire}, self.desk.exchange, self.desk.send
        )
        self.config = Config()
        self.server: GrpcServer = build_server(
            self.endpoints, address="127.0.0.1:0", config=self.config, threads=2
        )
        assert self.server.lane is not None, "the pinned grpcio takes the fast lane"
        self.server.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.server.port}")
        self.sessions = SessionServiceStub(self.channel)
        self.rulings = resolution_service_pb2_grpc.ResolutionServiceStub(self.channel)

    def fire(self, name: str, **settings: Any) -> Any:
        return self.sessions.Fire.future(pb.FireRequest(name=name), timeout=SOON, **settings)

    def hold(self) -> threading.Event:
        """Hold the lane up until the event is set; returns when it is held."""
        held, ends = threading.Event(), threading.Event()

        def wait(_request: object, _caller: object) -> Any:
            held.set()
            ends.wait(SOON)
            return pb.Action()

        self.endpoints.answers["Spot"] = wait
        self.held = self.sessions.Spot.future(pb.SpotRequest())
        assert held.wait(SOON)
        return ends

    def close(self) -> None:
        self.channel.close()
        self.server.stop(0).wait(SOON)


@pytest.fixture
def table() -> Iterator[LaneTable]:
    made = LaneTable()
    yield made
    made.close()


def test_calls_that_wait_are_taken_together(table: LaneTable) -> None:
    for seconds in (0.1, 1, 5):  # nobody can see them arrive, and a busy machine takes its time
        table.desk.taken.clear()
        held = table.hold()
        calls = [table.fire(f"s{number}") for number in range(10)]
        time.sleep(seconds)
        held.set()
        assert [call.result(SOON).name for call in calls] == [f"s{n}" for n in range(10)]
        steps = sorted(f"s{n}" for n in range(10) for _ in "ab")
        assert sorted(chain(*table.desk.taken)) == steps
        if len(table.desk.taken) <= 6:
            break
    assert len(table.desk.taken) <= 6, "twenty steps in a few sendings"


def test_calls_about_one_session_are_taken_one_after_another(table: LaneTable) -> None:
    held = table.hold()
    calls = [table.fire("one") for _ in range(5)]
    time.sleep(0.3)
    held.set()
    for call in calls:
        call.result(SOON)
    assert table.desk.taken == [["one"]] * 10


def test_what_one_call_meets_is_not_the_others(table: LaneTable) -> None:
    table.desk.faults = {
        "down": StoreUnavailable("gone", retry_after_seconds=1),
        "odd": RuntimeError("a secret"),
    }
    held = table.hold()
    calls = {name: table.fire(name) for name in ("down", "well", "odd")}
    time.sleep(0.3)
    held.set()
    assert calls["well"].result(SOON).name == "well"
    assert calls["down"].exception(SOON).code() is grpc.StatusCode.UNAVAILABLE
    fault = calls["odd"].exception(SOON)
    assert fault.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in fault.details()


def test_a_fault_in_the_store_ends_the_calls_and_not_the_lane(table: LaneTable) -> None:
    table.desk.broken = RuntimeError("a secret")
    assert table.fire("s").exception(SOON).code() is grpc.StatusCode.INTERNAL
    table.desk.broken = None
    assert table.fire("s").result(SOON).name == "s"


def test_a_slow_store_is_waited_for_elsewhere(table: LaneTable) -> None:
    table.desk.seconds = grpc_lane.SLOW_SECONDS + 0.05
    table.fire("first").result(SOON)
    table.fire("second").result(SOON)
    assert table.desk.alone == ["second", "second"]


def test_a_large_request_is_read_elsewhere(table: LaneTable) -> None:
    request = pb.FireRequest(name="x" * grpc_lane.MOST_BYTES)
    assert table.sessions.Fire(request, timeout=SOON).name == request.name
    assert table.desk.alone == [request.name] * 2
    assert table.desk.taken == []


def test_legal_orders_are_looked_for_elsewhere(table: LaneTable) -> None:
    request = pb.FireRequest(name="near", nearest_count=1)
    assert table.sessions.Fire(request, timeout=SOON).name == "near"
    assert table.desk.alone == ["near"] * 2
    assert table.desk.taken == []
    assert counted(table)["Fire", "OK"] == 1


def test_what_is_too_late_is_not_ruled_on(table: LaneTable) -> None:
    held = table.hold()
    late = table.sessions.Fire.future(pb.FireRequest(name="late"), timeout=0.1)
    assert late.exception(SOON).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    held.set()
    table.fire("next").result(SOON)
    assert "late" not in chain(*table.desk.taken)
    fires = {reason: n for (method, reason), n in counted(table).items() if method == "Fire"}
    assert fires.pop("OK") == 1
    # Which of the two it is depends on who notices first.
    assert fires in ({"DEADLINE_EXCEEDED": 1}, {"CANCELLED": 1})


def test_callers_who_go_away_leave_nothing_behind(table: LaneTable) -> None:
    held = table.hold()
    for number in range(30):
        table.fire(f"s{number}").cancel()
    held.set()
    table.fire("last").result(SOON)
    state = grpc_private.state_of(table.server._server)
    until = time.monotonic() + SOON
    while state.rpc_states and time.monotonic() < until:
        time.sleep(0.01)
    assert not state.rpc_states


def test_a_call_that_closes_without_a_request_is_told_so(table: LaneTable) -> None:
    call = table.channel.stream_unary("/guncamera.v1.SessionService/Fire")
    with pytest.raises(grpc.RpcError) as caught:
        call(iter(()), timeout=SOON)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert counted(table) == {("Fire", "CANCELLED"): 1}


def counted(table: LaneTable) -> dict[tuple[str, ...], float]:
    """The calls that were counted, by method and reason."""
    text = table.config.telemetry.render()[0].decode()
    return Counts.of(text).by("guncamera_requests_total", "method", "reason")


def test_stateless_calls_are_short_too(table: LaneTable) -> None:
    answer = table.rulings.ResolveFire(resolution_service_pb2.ResolveFireRequest(), timeout=SOON)
    assert answer == resolution_service_pb2.ResolveFireResponse()


@pytest.mark.parametrize(
    ("name", "value"), [("TRIED", ("0.",)), ("core", None), ("python_side", object())]
)
def test_another_grpcio_gets_the_standard_lane(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(grpc_private, name, value)
    server = build_server(FakeEndpoints(), address="127.0.0.1:0", config=Config())
    assert server.lane is None
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        SessionServiceStub(channel).Fire(pb.FireRequest(), timeout=SOON)
    server.stop(0).wait(SOON)
