"""What a whole service tells of each call: one log line and one span, on both transports."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import asking
import grpc
import pytest
from conftest import start_service, stop_service
from guncamera.sessions.embedded import store_in
from guncamera.sessions.keys import Scope, create_key
from guncamera.sessions.redis_store import RedisStore
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from guncamera_client import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from orders import SETUP

PAGE = (Path(__file__).parents[2] / "docs/operations.md").read_text()
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
HEX = "A-35"  # an order's, that nothing may tell
ORDER = {"deploy": {"hex": HEX, "facing": "HEX_DIRECTION_NORTHWEST", "altitude_metres": 1000,
                    "speed_mp": 8}}  # fmt: skip


class Collector(ThreadingHTTPServer):
    """Takes spans by OTLP over HTTP, on a loopback port."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Intake)
        self.bodies: list[tuple[str, bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Span]:
        requests = [ExportTraceServiceRequest.FromString(body) for _, body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class _Intake(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append((self.path, body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@dataclass
class Told:
    """What a service told of some calls, read after its end."""

    lines: list[dict[str, Any]]
    text: str
    collector: Collector
    token: str
    key: str
    answered: dict[str, str] = field(default_factory=dict)  # request ids, as the answers have them

    def line(self, request_id: str) -> dict[str, Any]:
        (found,) = [line for line in self.lines if line["request_id"] == request_id]
        return found

    def span(self, request_id: str) -> Span:
        (found,) = [
            span
            for span in self.collector.spans()
            if attributes_of(span)["guncamera.request_id"] == request_id
        ]
        return found


def attributes_of(span: Span) -> dict[str, Any]:
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value") or "") for one in span.attributes
    }


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        yield play(tmp_path_factory.mktemp("telling"), collector)
        collector.shutdown()


def play(folder: Path, collector: Collector) -> Told:
    """Make some calls to a service, and end it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        # No batch is full and none is due: what arrives was sent when the processes ended.
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
        key = key_in(folder)
        service = start_service(folder, "--grpc-workers", "1", "--rest-workers", "1")
    try:
        with Client(service.grpc, token=key, timeout_seconds=30) as client:
            session = client.create_session(SETUP)
            token = client.claim_seat(session, "pilot").token
        answered = {
            **by_rest(service.url, session.name, token),
            **by_grpc(service.grpc, session.name, token),
        }
    finally:
        stop_service(service)
    text = (folder / "service.log").read_text()
    lines = [json.loads(line) for line in text.splitlines() if '"event":"request"' in line]
    return Told(lines, text, collector, token, key, answered)


def key_in(folder: Path) -> str:
    """A key of the service that will start there."""
    with store_in(folder) as url:
        store = RedisStore(url)
        try:
            return create_key(store, time.time_ns() // 1000, scope=Scope.PLAY, label="", days=1)[1]
        finally:
            store.close()


def by_rest(url: str, name: str, token: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}"}
    own = {**headers, "X-Request-Id": "rest-1", "traceparent": TRACEPARENT}
    body = {"order": {"kettering": ORDER}}
    moved = asking.post(f"{url}/v1/{name}:move", json=body, headers=own, timeout=30)
    assert moved.status_code == 200, moved.text
    refused = asking.post(
        f"{url}/v1/{name}:move",
        json=body,
        headers={**headers, "X-Request-Id": "rest-2", "traceparent": "none at all"},
        timeout=30,
    )
    assert refused.status_code == 409, refused.text
    odd = asking.get(
        f"{url}/v1/{name}", headers={**headers, "X-Request-Id": f"mine {token}"}, timeout=30
    )
    assert asking.get(f"{url}/readyz", timeout=30).status_code == 200
    return {
        "rest-1": moved.headers["X-Request-Id"],
        "rest-2": refused.headers["X-Request-Id"],
        "odd": odd.headers["X-Request-Id"],
        "in the problem": refused.json()["request_id"],
    }


def by_grpc(address: str, name: str, token: str) -> dict[str, str]:
    credentials = ("authorization", f"Bearer {token}")

    def named(request_id: str) -> tuple[tuple[str, str], ...]:
        return (credentials, ("x-request-id", request_id), ("traceparent", TRACEPARENT))

    with grpc.insecure_channel(address) as channel:
        stub = SessionServiceStub(channel)
        _, call = stub.GetSession.with_call(
            pb.GetSessionRequest(name=name, seat="pilot"), metadata=named("grpc-1"), timeout=30
        )
        with pytest.raises(grpc.RpcError) as refused:
            stub.Fire(pb.FireRequest(name=name), metadata=named("grpc-2"), timeout=30)
        watch = stub.WatchSession(pb.WatchSessionRequest(name=name), metadata=named("grpc-3"))
        initial = dict(watch.initial_metadata())
        next(watch)
        watch.cancel()
    return {
        "grpc-1": dict(call.trailing_metadata())["x-request-id"],
        "grpc-2": dict(refused.value.trailing_metadata())["x-request-id"],
        "grpc-3": initial["x-request-id"],
    }


def test_each_call_is_one_line_on_both_transports(told: Told) -> None:
    assert told.line("rest-1")["reason"] == "OK"
    assert (told.line("rest-1")["method"], told.line("rest-1")["transport"]) == ("Move", "rest")
    assert told.line("rest-1")["revision"] == 1
    assert told.line("rest-2")["rule_id"].startswith("KET-")
    assert (told.line("grpc-1")["method"], told.line("grpc-1")["transport"]) == (
        "GetSession", "grpc",
    )  # fmt: skip
    assert told.line("grpc-2")["reason"] == "INPUT_INVALID"
    assert told.line("grpc-3")["reason"] == "CANCELLED"
    methods = sorted(line["method"] for line in told.lines)
    assert methods == sorted(
        ["CreateSession", "ClaimSeat", "Move", "Move", "GetSession", "GetSession", "Fire",
         "WatchSession"]
    ), "and nothing else"  # fmt: skip
    assert all(line["ms"] > 0 and line["timestamp"].endswith("Z") for line in told.lines)


def test_the_fields_of_a_line_are_those_of_the_page(told: Told) -> None:
    section = PAGE.partition("## Lines")[2].partition("## ")[0]
    listed = {row.split("`")[1] for row in section.splitlines() if row.startswith("| `")}
    assert set().union(*told.lines) == listed


def test_a_line_and_a_span_say_whose_key_was_sent(told: Told) -> None:
    """So that whoever runs the service sees who used what; a seat's token is nobody's key."""
    by_key = [line for line in told.lines if "key_id" in line]
    assert [line["method"] for line in by_key] == ["CreateSession", "ClaimSeat"]
    assert {line["key_id"] for line in by_key} == {told.key.split("_")[1]}
    for line in by_key:
        assert attributes_of(told.span(line["request_id"]))["guncamera.key_id"] == line["key_id"]


def test_a_request_keeps_its_name_and_an_unfit_one_gets_another(told: Told) -> None:
    for own in ("rest-1", "rest-2", "grpc-1", "grpc-2", "grpc-3"):
        assert told.answered[own] == own
    assert told.answered["in the problem"] == "rest-2"
    assert " " not in told.answered["odd"]
    assert told.line(told.answered["odd"])["method"] == "GetSession"


def test_each_call_is_one_span_of_the_callers_trace(told: Told) -> None:
    for request_id in ("rest-1", "grpc-1", "grpc-2"):
        span = told.span(request_id)
        assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
        assert told.line(request_id)["trace_id"] == TRACE
    alone = told.span("rest-2")
    assert alone.parent_span_id == b""
    assert told.line("rest-2")["trace_id"] == alone.trace_id.hex() != TRACE
    moved = told.span("rest-1")
    assert (moved.name, moved.kind) == ("Move", Span.SPAN_KIND_SERVER)
    assert moved.status.code == Status.STATUS_CODE_UNSET
    took_ms = (moved.end_time_unix_nano - moved.start_time_unix_nano) / 1e6
    assert took_ms == pytest.approx(told.line("rest-1")["ms"], rel=0.01)
    assert attributes_of(moved) == {
        "rpc.system": "rest",
        "rpc.method": "Move",
        "guncamera.reason": "OK",
        "guncamera.request_id": "rest-1",
        "guncamera.ruleset": "kettering",
        "guncamera.revision": 1,
    }
    refused = attributes_of(told.span("rest-2"))
    assert refused["guncamera.rule_id"] == told.line("rest-2")["rule_id"]
    assert refused["guncamera.reason"] == told.line("rest-2")["reason"] != "OK"
    assert len(told.collector.spans()) == len(told.lines)
    assert {path for path, _ in told.collector.bodies} == {"/v1/traces"}


def test_the_attributes_of_a_span_are_those_of_the_page(told: Told) -> None:
    section = PAGE.partition("## Traces")[2].partition("## ")[0]
    listed = {row.split("`")[1] for row in section.splitlines() if row.startswith("| `")}
    assert set().union(*map(attributes_of, told.collector.spans())) == listed


def test_no_token_and_no_order_is_told(told: Told) -> None:
    sent = b"".join(body for _, body in told.collector.bodies)
    for shown in (told.token, told.key):
        secret = shown.split("_", 2)[2]
        assert len(secret) == 43
        assert secret not in told.text
        assert secret.encode() not in sent
    for secret in (HEX, "NORTHWEST"):
        assert secret not in told.text
        assert secret.encode() not in sent
