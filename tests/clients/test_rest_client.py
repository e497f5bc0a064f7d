"""The client over HTTP: the same calls, spelt as routes and JSON."""

from __future__ import annotations

import json
import ssl
import time
import uuid
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any

import httpx
import pytest
from clients.scene import KETTERING, NAME, SWIFT
from guncamera.v1.actions_pb2 import FireFacts
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringFireFacts,
    KetteringFireOrder,
    KetteringPlot,
    KetteringSetup,
)
from guncamera.v1.session_service_pb2 import Film
from guncamera_client import GuncameraError, RestClient, RetryPolicy, errors
from guncamera_client._methods import METHODS

ONCE = RetryPolicy(max_attempts=1)
Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class Script:
    """A transport that answers what it was told to, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if self.answers else httpx.Response(200, json={})
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def client(self, **settings: Any) -> RestClient:
        return RestClient(
            "http://guns.test/base",
            transport=httpx.MockTransport(self),
            **{"retry": SWIFT, **settings},
        )

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content or b"null") for request in self.requests]


def problem(status: int, reason: str, headers: dict[str, str] | None = None, **members: Any) -> Any:
    document = {"type": "/problems/x", "title": "X", "status": status, "detail": "Why."}
    return httpx.Response(
        status,
        headers={"Content-Type": "application/problem+json", **(headers or {})},
        content=json.dumps({**document, "reason": reason, **members}),
    )


class Chunks(httpx.SyncByteStream):
    """A body that comes in pieces, and may break."""

    def __init__(self, *chunks: bytes | Exception) -> None:
        self.chunks = chunks
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def close(self) -> None:
        self.is_closed = True


def watched(*chunks: bytes | Exception) -> httpx.Response:
    return httpx.Response(200, stream=Chunks(*chunks))


def line(**message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


# What goes over the wire


def test_a_stateless_ruling_is_a_post_of_its_message() -> None:
    script = Script(httpx.Response(200, json={"summary": "Missed.", "rules_version": 0}))
    with script.client() as client:
        ruling = client.resolve_fire(KetteringFireFacts(range_hexes=2), dice=[4, 6])
    (request,) = script.requests
    assert (request.method, request.url.path) == ("POST", "/base/v1:resolveFire")
    assert request.headers["content-type"] == "application/json"
    assert script.bodies == [
        {"facts": {"kettering": {"range_hexes": 2}}, "dice": {"supplied": {"faces": [4, 6]}}}
    ]
    assert ruling.summary == "Missed."


def test_a_verb_names_its_session_in_the_path_only() -> None:
    script = Script(httpx.Response(200, json={"revision": 4}))
    with script.client(token="secret") as client:
        action = client.move(KETTERING, KetteringPlot(speed_mp=3), seat="pilot", etag='"3"')
    (request,), (body,) = script.requests, script.bodies
    assert request.url.path == "/base/v1/sessions/night:move"
    assert request.headers["authorization"] == "Bearer secret"
    assert str(uuid.UUID(body.pop("request_id")))
    assert body == {
        "order": {"kettering": {"plot": {"speed_mp": 3}}},
        "seat": "pilot",
        "etag": '"3"',
    }
    assert action.revision == 4


def test_an_order_without_fields_is_sent_all_the_same() -> None:
    script = Script()
    with script.client() as client:
        client.fire(KETTERING)
    assert script.bodies[0]["order"] == {"kettering": {}}


def test_reads_put_the_rest_into_the_query() -> None:
    script = Script()
    with script.client() as client:
        client.get_session("night", seat="pilot")
        list(client.list_actions(NAME, after_revision=3, wait_seconds=25))
        client.get_table("kettering", "air-to-air")
    session, actions, table = script.requests
    assert str(session.url) == "http://guns.test/base/v1/sessions/night?seat=pilot"
    assert actions.url.path == "/base/v1/sessions/night/actions"
    assert dict(actions.url.params) == {"after_revision": "3", "wait_seconds": "25"}
    assert str(table.url) == "http://guns.test/base/v1/rulesets/kettering/tables/air-to-air"
    assert all(request.content == b"" for request in script.requests)
    assert session.extensions["timeout"]["read"] == 5
    assert actions.extensions["timeout"]["read"] == 30


def test_a_name_cannot_smuggle_a_verb_or_a_query() -> None:
    script = Script()
    with script.client() as client:
        client.get_session("a:fire?x=1#y")
    assert script.requests[0].url.raw_path == b"/base/v1/sessions/a%3Afire%3Fx%3D1%23y"


def test_every_call_has_a_route_and_a_body_only_if_it_is_a_post() -> None:
    assert {method.verb for method in METHODS.values()} == {"GET", "POST", "DELETE"}
    assert METHODS["WatchSession"].route == "/v1/{name=sessions/*}:watch"
    assert not METHODS["Fire"].writes_nothing
    assert METHODS["ResolveFire"].writes_nothing


def test_an_empty_answer_and_a_picture_are_read() -> None:
    picture = httpx.Response(
        200, headers={"Content-Type": "image/svg+xml"}, content="<svg>é</svg>".encode()
    )
    script = Script(httpx.Response(204), picture)
    with script.client() as client:
        client.delete_session(NAME)
        assert client.draw_board(NAME) == "<svg>é</svg>"
    assert script.requests[0].method == "DELETE"
    assert script.requests[1].url.path == "/base/v1/sessions/night/board.svg"


def test_what_a_newer_service_adds_is_ignored() -> None:
    script = Script(
        httpx.Response(201, json={"name": NAME, "new": {"a": 1}, "state": "SESSION_STATE_PAUSED"})
    )
    with script.client() as client:
        assert client.create_session(KetteringSetup()).name == NAME


def test_pages_are_followed() -> None:
    script = Script(
        httpx.Response(200, json={"sessions": [{"name": "a"}], "next_page_token": "2"}),
        httpx.Response(200, json={"sessions": [{"name": "b"}]}),
    )
    with script.client() as client:
        assert [session.name for session in client.list_sessions()] == ["a", "b"]
    assert script.requests[1].url.params["page_token"] == "2"


# Refusals


def test_a_problem_document_becomes_its_exception() -> None:
    script = Script(
        problem(
            422,
            "ACTION_ILLEGAL",
            rule_id="KET-7.1",
            metadata={"range_hexes": "3"},
            request_id="q-1",
            violations=[{"field": "order", "description": "too far", "rule_id": "KET-7.1"}],
            violation_count=1,
            later_member={"a": [1]},
        )
    )
    with script.client() as client, pytest.raises(errors.IllegalOrder) as caught:
        client.fire(KETTERING)
    error = caught.value
    assert (error.reason, error.message, error.rule_id) == ("ACTION_ILLEGAL", "Why.", "KET-7.1")
    assert (error.facts, error.request_id) == ({"range_hexes": "3"}, "q-1")
    assert error.violations == (errors.Violation("order", "too far", "KET-7.1"),)
    assert len(script.requests) == 1


def test_a_refused_order_brings_the_nearest_legal_ones() -> None:
    spot = {"spot": {"kettering": {}}, "summary": "Look.", "later_member": 1}
    script = Script(problem(422, "ACTION_ILLEGAL", nearest={"orders": [spot], "compared": 3}))
    with script.client() as client, pytest.raises(errors.IllegalOrder) as caught:
        client.fire(NAME, KetteringFireOrder(), nearest_count=1)
    assert script.bodies[-1]["nearest_count"] == 1
    (order,) = caught.value.nearest
    assert (order.WhichOneof("order"), order.summary) == ("spot", "Look.")


def test_missing_dice_say_what_to_throw() -> None:
    wanted = {"purpose": "to-hit", "sides": [6, 6], "reading": "total", "rule_id": "KET-7.2"}
    script = Script(problem(422, "ROLL_REQUIRED", roll_required=wanted))
    with script.client() as client, pytest.raises(errors.RollRequired) as caught:
        client.fire(KETTERING, dice=[])
    assert (caught.value.dice, caught.value.purpose) == ((6, 6), "to-hit")
    assert (caught.value.reading, caught.value.rule_id) == ("total", "KET-7.2")


@pytest.mark.parametrize("status", [409, 412])
def test_a_stale_state_holds_the_etag_of_now(status: int) -> None:
    script = Script(problem(status, "ETAG_MISMATCH", metadata={"etag": '"5"'}))
    with script.client() as client, pytest.raises(errors.StaleState) as caught:
        client.fire(KETTERING, etag='"4"')
    assert caught.value.etag == '"5"'


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (404, GuncameraError, "HTTP_404"),
        (302, GuncameraError, "HTTP_302"),
        (429, errors.RateLimited, "RATE_LIMITED"),
        (500, errors.ServiceFault, "INTERNAL"),
        (502, errors.Unavailable, "UNAVAILABLE"),
        (504, errors.DeadlineExceeded, "DEADLINE_EXCEEDED"),
    ],
)
@pytest.mark.parametrize("body", [b"<html>", b"", b"[1]", b'{"reason": {"not": "text"}}'])
def test_an_answer_of_something_else_is_still_ours(
    status: int, kind: type[GuncameraError], reason: str, body: bytes
) -> None:
    script = Script(httpx.Response(status, content=body, headers={"X-Request-Id": "q-2"}))
    with script.client(retry=ONCE) as client, pytest.raises(GuncameraError) as caught:
        client.delete_session(NAME)
    assert type(caught.value) is kind
    assert (caught.value.reason, caught.value.request_id) == (reason, "q-2")


@pytest.mark.parametrize(
    "body", [b"<html>Welcome</html>", b"", b"\xff", b"[]", b'{"revision": "x"}']
)
def test_a_page_of_somebody_else_is_no_answer(body: bytes) -> None:
    script = Script(httpx.Response(200, content=body))
    with script.client() as client, pytest.raises(GuncameraError) as caught:
        client.get_session(NAME)
    assert caught.value.reason == "ANSWER_UNREADABLE"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (httpx.ConnectError("refused"), errors.Unavailable),
        (httpx.ConnectTimeout("slow"), errors.Unavailable),
        (httpx.RemoteProtocolError("cut"), errors.Unavailable),
        (httpx.ReadError("cut"), errors.Unavailable),
        (httpx.ReadTimeout("slow"), errors.DeadlineExceeded),
    ],
)
def test_a_broken_connection_is_ours_too(
    fault: httpx.TransportError, kind: type[GuncameraError]
) -> None:
    script = Script(fault)
    with script.client(retry=ONCE) as client, pytest.raises(kind) as caught:
        client.delete_session(NAME)
    assert "guns.test" in caught.value.message
    assert caught.value.__cause__ is fault


# Repeating calls


def test_a_lost_answer_is_asked_for_again_with_the_same_request_id() -> None:
    script = Script(
        httpx.RemoteProtocolError("cut"),
        problem(503, "STORE_UNAVAILABLE"),
        httpx.Response(200, json={}),
    )
    with script.client() as client:
        client.fire(KETTERING)
    sent = [body["request_id"] for body in script.bodies]
    assert len(sent) == 3
    assert len(set(sent)) == 1
    assert script.requests[0].content == script.requests[2].content


def test_what_changes_hands_is_repeated_under_the_same_id() -> None:
    made = httpx.Response(200, json={})
    gone = [httpx.ConnectError("refused"), httpx.Response(204)]
    script = Script(*gone, *[httpx.ConnectError("refused"), made] * 3)
    with script.client() as client:
        client.delete_session(NAME)
        client.claim_seat(NAME, "pilot")
        client.release_seat(NAME, "pilot")
        client.import_session(Film())
    assert len(script.requests) == 8
    for first, again in zip(script.requests[::2], script.requests[1::2]):
        assert (first.url, first.content) == (again.url, again.content)
    assert len(script.requests[0].url.params["request_id"]) == 36
    assert len({body["request_id"] for body in script.bodies[2:]}) == 3


def test_a_deadline_that_passed_is_not_repeated() -> None:
    script = Script(httpx.ReadTimeout("slow"))
    with script.client() as client, pytest.raises(errors.DeadlineExceeded):
        client.get_session(NAME)
    assert len(script.requests) == 1


def test_a_limit_is_waited_out_as_long_as_the_header_says() -> None:
    script = Script(problem(429, "RATE_LIMITED", headers={"Retry-After": "0"}))
    with script.client() as client:
        client.fire(KETTERING)
    assert len(script.requests) == 2
    script = Script(problem(429, "RATE_LIMITED", headers={"Retry-After": "60"}))
    with script.client() as client, pytest.raises(errors.RateLimited) as caught:
        client.fire(KETTERING)
    assert caught.value.retry_after_seconds == 60


def test_the_header_may_be_a_date_or_nonsense() -> None:
    date = formatdate(time.time() + 100, usegmt=True)
    for text, low, high in ((date, 90, 101), ("soon", None, None)):
        script = Script(problem(429, "RATE_LIMITED", headers={"Retry-After": text}))
        with script.client() as client, pytest.raises(errors.RateLimited) as caught:
            client.fire(KETTERING)
        seconds = caught.value.retry_after_seconds
        assert seconds is None if low is None else low <= (seconds or 0) <= high


# Watching


def test_lines_become_actions_and_an_empty_line_is_a_sign_of_life() -> None:
    script = Script(
        watched(
            line(action={"revision": 1, "summary": "one\u2028line"}),
            b"\n",
            line(heartbeat={"revision": 1}) + b"\n" + line(action={"revision": 2})[:9],
            line(action={"revision": 2})[9:],
            line(end={"cause": "finished", "revision": 2}, later=1),
        )
    )
    with script.client(heartbeat_seconds=7) as client:
        watch = client.watch_session(NAME, start_revision=1, seat="pilot")
        assert [(seen.revision, seen.summary) for seen in watch] == [(1, "one\u2028line"), (2, "")]
    (request,) = script.requests
    assert request.url.path == "/base/v1/sessions/night:watch"
    assert dict(request.url.params) == {"start_revision": "1", "seat": "pilot"}
    assert request.extensions["timeout"]["read"] == 7


@pytest.mark.parametrize(
    "break_",
    [
        (),
        (line(action={"revision": 9})[:-2],),
        (httpx.ReadTimeout("silent"),),
        (httpx.RemoteProtocolError("cut"),),
        (httpx.StreamClosed(),),
        (line(end={"cause": "draining"}),),
    ],
)
def test_a_stream_that_breaks_off_is_resumed(break_: tuple[bytes | Exception, ...]) -> None:
    script = Script(
        watched(line(action={"revision": 4}), *break_),
        httpx.ConnectError("refused"),
        problem(429, "STREAMS_FULL", headers={"Retry-After": "0"}),
        watched(line(action={"revision": 5}), line(end={"cause": "finished"})),
    )
    with script.client() as client:
        watch = client.watch_session(NAME, start_revision=4)
        assert [seen.revision for seen in watch] == [4, 5]
        assert watch.cause == "finished"
    starts = [request.url.params["start_revision"] for request in script.requests]
    assert starts == ["4", "5", "5", "5"]


def test_a_watch_of_nothing_is_refused() -> None:
    script = Script(problem(404, "SESSION_NOT_FOUND"))
    with script.client() as client, pytest.raises(errors.SessionNotFound):
        next(client.watch_session(NAME, start_revision=1))


def test_leaving_a_watch_closes_its_connection() -> None:
    body = Chunks(line(action={"revision": 1}), line(action={"revision": 2}))
    script = Script(httpx.Response(200, stream=body))
    with script.client() as client:
        with client.watch_session(NAME, start_revision=1) as watch:
            next(watch)
            assert not body.is_closed
        assert body.is_closed
        assert watch.cause == "closed"


def test_the_same_messages_as_over_grpc() -> None:
    facts = FireFacts(kettering=KetteringFireFacts(range_hexes=1, altitude_difference_metres=0))
    script = Script()
    with script.client() as client:
        client.resolve_fire(facts)
    sent = script.bodies[0]["facts"]["kettering"]
    assert sent == {"range_hexes": 1, "altitude_difference_metres": 0}


@pytest.mark.parametrize(
    ("url", "are_read"),
    [
        ("http://127.0.0.1:1", False),
        ("http://localhost:1", False),
        ("https://127.0.0.1:1", True),
        ("http://guns.example", True),
        ("https://guns.example", True),
    ],
)
def test_certificates_are_read_but_where_none_can_be_shown(monkeypatch, url, are_read):
    """A proxy may be asked for another machine, and may show one."""
    reads = []
    genuine = ssl.create_default_context

    def read(*given, **named):
        reads.append(named)
        return genuine(*given, **named)

    monkeypatch.setattr(ssl, "create_default_context", read)
    RestClient(url).close()
    assert bool(reads) is are_read
