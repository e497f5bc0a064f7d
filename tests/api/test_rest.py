"""REST over a stand-in: routes, headers, streams, errors and pages, whatever the endpoints do."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from fakes import FakeEndpoints, action, cursor, heartbeat
from flask import Flask
from flask.testing import FlaskClient
from google.api import httpbody_pb2
from guncamera.api.config import Config
from guncamera.api.openapi_examples import examples
from guncamera.api.rest import create_app
from guncamera.api.routes import bound, rpcs
from guncamera.api.telemetry import REDACTED, Telemetry, configure_log
from guncamera.rules.refusal import Illegal
from guncamera.sessions.refusals import EtagMismatch, SeatUnknown, Unavailable
from guncamera.v1 import session_service_pb2 as pb
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import TestResponse

ORIGIN = {"Origin": "https://table.example"}


@pytest.fixture
def endpoints() -> Iterator[FakeEndpoints]:
    fake = FakeEndpoints()
    yield fake
    fake.watch_ends.set()


@pytest.fixture(params=[True, False], ids=["fast", "standard"])
def client(endpoints: FakeEndpoints, request: pytest.FixtureRequest) -> FlaskClient:
    config = Config(max_streams=2, rest_is_fast=request.param)
    return create_app(endpoints, config=config).test_client()


def problem(response: TestResponse, status: int, reason: str) -> dict[str, Any]:
    """The problem document of an error, checked for its form."""
    assert response.mimetype == "application/problem+json", response.text
    document: dict[str, Any] = json.loads(response.data)
    assert (status, reason) == (response.status_code, document["reason"]), document
    assert document["status"] == status
    assert document["request_id"] == response.headers["X-Request-Id"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Traceback" not in response.text
    return document


def last(endpoints: FakeEndpoints) -> Any:
    """The request that the endpoints saw last."""
    return endpoints.seen[-1][1]


def urls() -> list[tuple[str, str]]:
    """Method and address of every route."""
    return [
        (route.method, route.path.format(**dict.fromkeys(route.variables, "x1")))
        for rpc in rpcs()
        for route in rpc.routes
    ]


def test_every_call_has_a_route_that_reaches_it(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.watch_ends.set()
    for rpc in rpcs():
        for route in rpc.routes:
            path = route.path.format(**{name: f"{name}-1" for name in route.variables})
            client.open(path, method=route.method)
            name, request, _ = endpoints.seen[-1]
            assert name == rpc.name
            for field, pattern in route.fields:
                wanted = pattern.format(**{each: f"{each}-1" for each in route.variables})
                assert getattr(request, field) == wanted


def test_endpoints_that_lack_a_call_are_not_served() -> None:
    with pytest.raises(AssertionError, match="ListRulesets"):
        bound(object())


@pytest.mark.parametrize(
    "path",
    [
        "/v1/sessions/s1:nope",
        "/v1/sessions/s1:move:fire",
        "/v1/sessions/:move",
        "/v1/sessions/",
        "/v1/sessions/s1/",
        "/v1/sessions/s1/actions/",
        "/v1/sessions/a/b:move",
        "/v1/sessions/a%2Fb:move",
        "/v1",
        "/v2/sessions",
        "/v1//sessions",
        "/v1/sessions//s1",
        "/nope",
        "/v1/sessions/s1/../s2",
    ],
)
def test_an_unknown_address_is_a_problem_and_never_a_redirect(
    client: FlaskClient, path: str
) -> None:
    for method in ("GET", "POST", "DELETE"):
        problem(client.open(path, method=method), 404, "ROUTE_NOT_FOUND")


def test_a_wrong_method_lists_the_right_ones(client: FlaskClient) -> None:
    response = client.get("/v1/sessions/s1:move")
    problem(response, 405, "METHOD_NOT_ALLOWED")
    assert "POST" in response.headers["Allow"]
    assert "POST" in client.put("/v1/sessions").headers["Allow"]


def test_query_strings_are_read_by_the_type_of_the_field(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    url = "/v1/sessions/s1/actions?after_revision=3&waitSeconds=0&seat=pilot&page_token=a%2Bb"
    assert client.get(url).status_code == 200
    assert last(endpoints) == pb.ListActionsRequest(
        parent="sessions/s1", after_revision=3, seat="pilot", page_token="a+b"
    )


@pytest.mark.parametrize(
    ("query", "field", "part"),
    [
        ("after_revision=x", "after_revision", "whole number"),
        ("after_revision=", "after_revision", "whole number"),
        ("after_revision=1.0", "after_revision", "whole number"),
        ("after_revision=99999999999", "after_revision", "whole number"),
        ("after_revision=2147483648", "after_revision", "2147483647"),
        ("nope=1", "nope", "no query parameter"),
        ("seat=a&seat=b", "seat", "more than once"),
        ("page_size=1&pageSize=2", "pageSize", "excludes page_size"),
        ("seat=%00", "seat", "control"),
        ("parent=sessions/other", "parent", "differs from the path"),
    ],
)
def test_a_wrong_query_string_is_refused(
    client: FlaskClient, query: str, field: str, part: str
) -> None:
    found = problem(client.get(f"/v1/sessions/s1/actions?{query}"), 400, "INPUT_INVALID")
    assert [field] == [item["field"] for item in found["violations"]]
    assert part in found["violations"][0]["description"]


def test_a_query_string_beside_a_body_is_refused(client: FlaskClient) -> None:
    found = problem(client.post("/v1:resolveFire?validate=1", json={}), 400, "INPUT_INVALID")
    assert "query string" in found["violations"][0]["description"]


def test_a_missing_body_is_an_empty_request(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    assert client.post("/v1/sessions/s1:move").status_code == 200
    assert last(endpoints) == pb.MoveRequest(name="sessions/s1")


def test_a_body_where_there_is_none_is_refused(client: FlaskClient) -> None:
    found = problem(client.get("/v1/sessions", json={"page_size": 1}), 400, "INPUT_INVALID")
    assert "no body" in found["detail"]
    problem(client.delete("/v1/sessions/s1", json={}), 400, "INPUT_INVALID")


def test_the_name_in_the_body_may_only_repeat_the_path(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    assert client.post("/v1/sessions/s1:move", json={"name": "sessions/s1"}).status_code == 200
    response = client.post("/v1/sessions/s1:move", json={"name": "sessions/s2"})
    assert problem(response, 400, "INPUT_INVALID")["violations"][0]["field"] == "name"


def test_only_json_is_read(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    for content_type in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "",
        "application/jsonx",
    ):
        response = client.post("/v1:resolveFire", data=b"{}", content_type=content_type)
        problem(response, 415, "MEDIA_TYPE_UNSUPPORTED")
    gzipped = {"Content-Encoding": "gzip"}
    response = client.post(
        "/v1:resolveFire", data=b"{}", content_type="application/json", headers=gzipped
    )
    problem(response, 415, "MEDIA_TYPE_UNSUPPORTED")
    assert not endpoints.seen
    response = client.post(
        "/v1:resolveFire", data=b"{}", content_type="application/json; charset=utf-8"
    )
    assert response.status_code == 200


def test_a_large_body_is_refused_unread(endpoints: FakeEndpoints) -> None:
    config = Config(max_body_bytes=100, body_limits={"ImportSession": 200})
    client = create_app(endpoints, config=config).test_client()
    body = json.dumps({"seat": "x" * 120}).encode()
    sent = {"data": body, "content_type": "application/json"}
    found = problem(client.post("/v1/sessions/s1:move", **sent), 413, "BODY_TOO_LARGE")
    assert found["metadata"] == {"limit_bytes": "100"}
    problem(client.post("/v1/sessions:import", **sent), 400, "INPUT_INVALID")
    chunked = {
        "input_stream": io.BytesIO(body),
        "content_type": "application/json",
        "environ_overrides": {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    }
    problem(client.post("/v1/sessions/s1:move", **chunked), 413, "BODY_TOO_LARGE")


def test_headers_stand_for_fields(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    headers = {"If-Match": '"17"', "Idempotency-Key": "abc"}
    client.post("/v1/sessions/s1:move", headers=headers, json={"etag": '"17"'})
    assert (last(endpoints).etag, last(endpoints).request_id) == ('"17"', "abc")
    assert endpoints.seen[-1][2].etag_is_header
    client.post("/v1/sessions/s1:move", headers={"If-Match": 'W/"17"'})
    assert last(endpoints).etag == '"17"'
    client.post("/v1/sessions/s1:move", headers={"If-Match": "*"})
    assert last(endpoints).etag == ""
    assert not endpoints.seen[-1][2].etag_is_header


@pytest.mark.parametrize(
    ("path", "headers", "body", "field"),
    [
        ("/v1/sessions/s1:move", {"If-Match": '"1"'}, {"etag": '"2"'}, "etag"),
        ("/v1/sessions/s1:move", {"Idempotency-Key": "a"}, {"request_id": "b"}, "request_id"),
        ("/v1/sessions/s1:move", {"If-Match": "17"}, {}, "If-Match"),
        ("/v1/sessions/s1:move", {"If-Match": '"1", "2"'}, {}, "If-Match"),
        ("/v1/sessions/s1:claim", {"If-Match": '"1"'}, {}, "If-Match"),
        ("/v1/sessions/s1:move", {"If-None-Match": '"1"'}, {}, "If-None-Match"),
        ("/v1/sessions", {"If-None-Match": "*"}, {}, "If-None-Match"),
    ],
)
def test_headers_that_contradict_are_refused(
    client: FlaskClient, path: str, headers: dict[str, str], body: dict[str, str], field: str
) -> None:
    found = problem(client.post(path, headers=headers, json=body), 400, "INPUT_INVALID")
    assert found["violations"][0]["field"] == field


def test_what_is_created_has_a_location(endpoints: FakeEndpoints) -> None:
    made = pb.Session(name="sessions/s1", etag='"0"')
    endpoints.answers = {"CreateSession": made, "ImportSession": made, "GetSession": made}
    client = create_app(
        endpoints, config=Config(public_base_url="https://guns.example")
    ).test_client()
    for path in ("/v1/sessions", "/v1/sessions:import"):
        response = client.post(path, json={})
        assert response.status_code == 201
        assert response.headers["Location"] == "https://guns.example/v1/sessions/s1"
        assert response.headers["ETag"] == '"0"'
    read = client.get("/v1/sessions/s1")
    assert read.status_code == 200
    assert re.fullmatch(r'"0\.[0-9a-f]{40}"', read.headers["ETag"]), "and a hash of what is read"
    client.post("/v1/sessions/s1:move", headers={"If-Match": read.headers["ETag"]})
    assert last(endpoints).etag == '"0"'
    assert "Location" not in read.headers


def test_a_location_is_a_full_path_where_no_base_url_is_known(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.answers["CreateSession"] = pb.Session(name="sessions/s1")
    assert client.post("/v1/sessions").headers["Location"] == "/v1/sessions/s1"


def test_what_is_deleted_leaves_nothing_to_say(client: FlaskClient) -> None:
    response = client.delete("/v1/sessions/s1")
    assert (response.status_code, response.data) == (204, b"")
    assert "Content-Type" not in response.headers


def test_a_picture_is_sent_as_it_is(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    endpoints.answers["DrawBoard"] = httpbody_pb2.HttpBody(
        content_type="image/svg+xml", data=b"<svg/>"
    )
    response = client.get("/v1/sessions/s1/board.svg")
    assert (response.mimetype, response.data) == ("image/svg+xml", b"<svg/>")
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_a_replayed_answer_says_so(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    def replayed(_request: object, caller: Any) -> pb.Action:
        caller.notes.replayed = True
        return action(3)

    assert "Idempotent-Replayed" not in client.post("/v1/sessions/s1:move").headers
    endpoints.answers["Move"] = replayed
    assert client.post("/v1/sessions/s1:move").headers["Idempotent-Replayed"] == "true"


def test_the_token_and_the_request_id_reach_the_endpoints(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    headers = {"Authorization": "Bearer t0ken", "X-Request-Id": "my-id.1"}
    response = client.get("/v1/sessions/s1", headers=headers)
    caller = endpoints.seen[-1][2]
    assert (caller.token, caller.request_id) == ("t0ken", "my-id.1")
    assert response.headers["X-Request-Id"] == "my-id.1"


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a;b", "é", '"x"'])
def test_a_request_id_that_is_not_plain_is_replaced(client: FlaskClient, given: str) -> None:
    made = client.get("/v1/sessions/s1", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    assert made != given
    assert len(made) == 32


@pytest.mark.parametrize("given", ["Basic eA==", "Bearer", "Bearer ", "Bearer " + "x" * 600])
def test_no_token_is_no_token(client: FlaskClient, endpoints: FakeEndpoints, given: str) -> None:
    client.get("/v1/sessions/s1", headers={"Authorization": given})
    assert endpoints.seen[-1][2].token is None


def test_refusals_are_problems(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    endpoints.answers = {
        "Fire": Illegal("KET-7.1", "Too far.", range_hexes=3),
        "Wind": EtagMismatch("Stale.", etag='"4"'),
        "Move": Unavailable("The store is away."),
        "Spot": SeatUnknown("Who?"),
    }
    found = problem(client.post("/v1/sessions/s1:fire"), 422, "ACTION_ILLEGAL")
    assert found["rule_id"] == "KET-7.1"
    assert found["instance"] == "/v1/sessions/s1:fire"
    assert found["type"] == "/problems/action-illegal"
    problem(client.post("/v1/sessions/s1:wind", json={"etag": '"3"'}), 409, "ETAG_MISMATCH")
    response = client.post("/v1/sessions/s1:wind", headers={"If-Match": '"3"'})
    problem(response, 412, "ETAG_MISMATCH")
    response = client.post("/v1/sessions/s1:move")
    problem(response, 503, "STORE_UNAVAILABLE")
    assert response.headers["Retry-After"] == "1"
    response = client.post("/v1/sessions/s1:spot")
    problem(response, 401, "SEAT_UNKNOWN")
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_fault_of_ours_tells_an_id_and_nothing_else(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    with structlog.testing.capture_logs() as logs:
        endpoints.answers["Fire"] = RuntimeError("secret internals")
        response = client.post("/v1/sessions/s1:fire", headers={"X-Request-Id": "r7"})
    found = problem(response, 500, "INTERNAL")
    assert "secret" not in response.text
    assert "r7" in found["detail"]
    fault = next(line for line in logs if line["event"] == "fault")
    assert fault["request_id"] == "r7"
    assert fault["exc_info"][0] is RuntimeError


def test_every_route_answers_a_preflight_without_credentials(client: FlaskClient) -> None:
    asked = "authorization, idempotency-key, if-match, content-type, x-request-id"
    for method, url in [*urls(), ("GET", "/nowhere"), ("GET", "/openapi.json")]:
        response = client.options(
            url,
            headers={
                **ORIGIN,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": asked,
            },
        )
        assert (response.status_code, response.data) == (204, b"")
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        allowed = response.headers["Access-Control-Allow-Headers"].lower()
        assert set(asked.split(", ")) == set(allowed.split(", "))
        assert method in response.headers["Access-Control-Allow-Methods"]
        assert "Access-Control-Allow-Credentials" not in response.headers


def test_pages_of_other_origins_may_read_every_answer(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.answers["GetSession"] = RuntimeError()
    endpoints.watch_ends.set()
    for url in ("/v1/sessions", "/v1/sessions/s1", "/nope", "/healthz", "/v1/sessions/s1:watch"):
        headers = client.get(url, headers=ORIGIN).headers
        assert headers["Access-Control-Allow-Origin"] == "*"
        exposed = headers["Access-Control-Expose-Headers"]
        for name in ("ETag", "Location", "Retry-After", "X-Request-Id", "Idempotent-Replayed"):
            assert name in exposed
        assert "Access-Control-Allow-Credentials" not in headers


def test_a_watch_is_lines_of_json(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    endpoints.watch_items = [
        pb.WatchSessionResponse(action=action(8)),
        heartbeat(8),
        pb.WatchSessionResponse(action=action(9)),
    ]
    endpoints.watch_ends.set()
    response = client.get("/v1/sessions/s1:watch?start_revision=8")
    assert last(endpoints).start_revision == 8
    assert response.mimetype == "application/x-ndjson"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in response.headers
    assert "Content-Length" not in response.headers
    lines = response.text.split("\n")
    assert lines[2] == "", "an empty line follows a heartbeat"
    read = [json.loads(line) for line in lines if line]
    assert [item["action"]["revision"] for item in read if "action" in item] == [8, 9]
    assert read[1] == {"heartbeat": {"revision": 8}, "cursor": cursor(8)}
    assert read[-1] == {"end": {"revision": 7, "cause": "finished"}, "cursor": cursor(7)}
    assert endpoints.watches_open == 0


def test_a_watch_that_is_refused_is_a_problem(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.answers["WatchSession"] = SeatUnknown("Who?")
    for _ in range(5):
        problem(client.get("/v1/sessions/s1:watch"), 401, "SEAT_UNKNOWN")
    problem(client.get("/v1/sessions/s1:watch?start_revision=x"), 400, "INPUT_INVALID")


def test_a_watch_that_breaks_ends_without_saying_it_is_over(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    class Broken(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            yield heartbeat(7)
            raise RuntimeError("secret internals")

    endpoints.watch_items = Broken()
    with structlog.testing.capture_logs() as logs:
        response = client.get("/v1/sessions/s1:watch")
        lines = [json.loads(line) for line in response.text.split("\n") if line]
    assert lines == [{"heartbeat": {"revision": 7}, "cursor": cursor(7)}]
    assert [line["event"] for line in logs] == ["fault", "request"]
    assert logs[-1]["reason"] == "INTERNAL"
    assert endpoints.watches_open == 0


def test_watches_are_capped_and_freed(client: FlaskClient, endpoints: FakeEndpoints) -> None:
    def watch() -> TestResponse:
        return client.get("/v1/sessions/s1:watch", buffered=False)

    first, second = watch(), watch()
    assert (first.status_code, second.status_code) == (200, 200)
    third = watch()
    problem(third, 429, "STREAMS_FULL")
    assert third.headers["Retry-After"] == "5"
    assert client.get("/v1/sessions/s1").status_code == 200
    first.close()
    assert endpoints.watches_open == 1
    fourth = watch()
    assert fourth.status_code == 200
    for each in (second, fourth):
        each.close()
    assert endpoints.watches_open == 0


def test_a_thousand_dropped_watches_leave_nothing_behind(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    threads = threading.active_count()
    for _ in range(1000):
        client.get("/v1/sessions/s1:watch", buffered=False).close()
    assert (endpoints.watches_open, threading.active_count()) == (0, threads)
    assert client.get("/v1/sessions/s1:watch", buffered=False).status_code == 200


def test_looking_at_the_head_of_a_watch_opens_none(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    response = client.head("/v1/sessions/s1:watch")
    assert (response.status_code, response.data) == (200, b"")
    assert endpoints.watches_open == 0


def test_waiting_polls_are_capped_like_watches(
    endpoints: FakeEndpoints,
) -> None:
    client = create_app(endpoints, config=Config(max_streams=0)).test_client()
    assert client.get("/v1/sessions/s1/actions?wait_seconds=0").status_code == 200
    problem(client.get("/v1/sessions/s1/actions?wait_seconds=1"), 429, "STREAMS_FULL")
    client = create_app(endpoints, config=Config(max_streams=1)).test_client()
    for _ in range(3):
        assert client.get("/v1/sessions/s1/actions?wait_seconds=1").status_code == 200
    endpoints.answers["ListActions"] = Unavailable("Away.")
    for _ in range(3):
        response = client.get("/v1/sessions/s1/actions?wait_seconds=1")
        problem(response, 503, "STORE_UNAVAILABLE")


def test_health_says_what_is_missing(endpoints: FakeEndpoints) -> None:
    missing: list[str] = []

    def ready() -> list[str]:
        if missing == ["break"]:
            raise RuntimeError("secret internals")
        return missing

    client = create_app(endpoints, config=Config(ready=ready)).test_client()
    assert client.get("/readyz").status_code == 200
    missing.append("The store is full.")
    found = problem(client.get("/readyz"), 503, "NOT_READY")
    assert found["detail"] == "The store is full."
    assert client.get("/healthz").status_code == 200
    missing[:] = ["break"]
    assert "secret" not in problem(client.get("/readyz"), 503, "NOT_READY")["detail"]


def test_pages_are_plain_and_fit_a_phone(client: FlaskClient) -> None:
    for url in ("/", "/problems", "/problems/etag-mismatch"):
        response = client.get(url)
        assert response.mimetype == "text/html"
        assert "width=device-width" in response.text
        assert "prefers-color-scheme" in response.text
        assert "<script" not in response.text
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert "curl" in client.get("/").text
    problem(client.get("/problems/nope"), 404, "ROUTE_NOT_FOUND")


def test_the_examples_of_the_rule_sets_are_requests(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    routes = {rpc.name: rpc.routes[0] for rpc in rpcs()}
    assert examples()
    for call, requests in examples().items():
        path = routes[call].path.format(**dict.fromkeys(routes[call].variables, "x1"))
        for request in requests.values():
            response = client.post(path, json=request)
            assert response.status_code in (200, 201), response.text


def metrics(client: FlaskClient) -> dict[tuple[str, ...], float]:
    """The counters of answered calls."""
    families = text_string_to_metric_families(client.get("/metrics").text)
    return {
        tuple(sample.labels[name] for name in ("method", "transport", "reason")): sample.value
        for family in families
        for sample in family.samples
        if sample.name == "guncamera_requests_total"
    }


def test_calls_are_counted_by_method_and_reason(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.answers["Fire"] = Illegal("KET-7.1", "No.")
    for number in range(50):
        client.get(f"/v1/sessions/s{number}")
        client.post(f"/v1/sessions/s{number}:fire")
        client.get(f"/nope/{number}")
    assert metrics(client) == {
        ("GetSession", "rest", "OK"): 50,
        ("Fire", "rest", "ACTION_ILLEGAL"): 50,
        ("-", "rest", "ROUTE_NOT_FOUND"): 50,
    }


def test_a_request_is_one_line_without_secrets(endpoints: FakeEndpoints) -> None:
    stream = io.BytesIO()
    configure_log(stream=stream)
    try:
        app: Flask = create_app(endpoints, config=Config(telemetry=Telemetry()))
        endpoints.answers["Move"] = action(4)
        app.test_client().post(
            "/v1/sessions/s1:move",
            json={"order": {"kettering": {"plot": {"path": "F F L"}}}},
            headers={"Authorization": "Bearer t0ken", "X-Request-Id": "r1"},
        )
    finally:
        structlog.reset_defaults()
    [line] = stream.getvalue().splitlines()
    event = json.loads(line)
    assert event.pop("ms") > 0
    assert event.pop("timestamp")
    assert event == {
        "event": "request",
        "level": "info",
        "method": "Move",
        "transport": "rest",
        "reason": "OK",
        "request_id": "r1",
        "revision": 4,
    }


def test_the_log_blots_out_tokens_and_orders() -> None:
    stream = io.BytesIO()
    configure_log(stream=stream)
    try:
        structlog.get_logger("t").info(
            "x",
            token="t0ken",
            order={"path": "F F"},
            headers={"Authorization": "Bearer t0ken", "Accept": "*"},
            note="sent Bearer t0ken",
            nested=[{"dice_seed": "s3ed"}],
        )
    finally:
        structlog.reset_defaults()
    text = stream.getvalue().decode()
    for secret in ("t0ken", "F F", "s3ed"):
        assert secret not in text
    event = json.loads(text)
    assert event["headers"] == {"Authorization": REDACTED, "Accept": "*"}
