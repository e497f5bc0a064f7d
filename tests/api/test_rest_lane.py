"""The short cut of REST and Flask: the same request either way, and the same said, logged, counted.

`test_rest.py` and `test_granian.py` run on both; here they are held against each other.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog
from fakes import FakeEndpoints, action
from guarded import MINE, Guarded, guarded, with_roles
from guncamera.api.access import Access
from guncamera.api.config import Config
from guncamera.api.rate_limits import RateLimits, policy_from
from guncamera.api.rest import create_app
from guncamera.api.rest_lane import MOST_BYTES_AT_ONCE, RestLane
from guncamera.api.routes import SHORT, rpcs
from guncamera.api.telemetry import Telemetry, configure_log
from guncamera.rules.refusal import Illegal
from guncamera.sessions.rate_windows import SharedWindow
from guncamera.sessions.refusals import EtagMismatch, SeatUnknown, Unavailable
from guncamera.sessions.tallies import Tallies
from werkzeug.test import Client

JSON = "application/json"
LIMIT = 100
SHOT = {
    "facts": {
        "kettering": {
            "aircraft_type": "fokker-d7",
            "aspect": "KETTERING_ASPECT_TAIL",
            "range_hexes": 1,
            "speed_mp": 6,
            "torpedo_speed_mp": 4,
        }
    }
}


@dataclass(frozen=True)
class Request:
    """A POST, and whether the short cut answers it."""

    path: str
    body: bytes = b"{}"
    is_short: bool = True
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = JSON
    query: str = ""
    environ: dict[str, Any] = field(default_factory=dict)


CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
ANSWERED = {
    "without a session": Request("/v1:resolveFire"),
    "without a body": Request("/v1/sessions/s1:move", b"", kind=""),
    "with an etag": Request("/v1/sessions/s1:move"),
    "made before": Request("/v1/sessions/s1:damage"),
    "by headers": Request(
        "/v1/sessions/s1:move", headers={"If-Match": 'W/"3"', "Idempotency-Key": '"k"'}
    ),
    "from another origin": Request("/v1:resolveWind", headers={"Origin": "https://x.example"}),
    "of a charset": Request("/v1:resolveFire", kind="Application/JSON; charset=utf-8"),
    "as it is": Request("/v1:resolveFire", headers={"Content-Encoding": "Identity"}),
    "of all that is let in": Request("/v1:resolveFire", b"{" + b" " * (LIMIT - 2) + b"}"),
    "with a token": Request("/v1/sessions/s1:spot", headers={"Authorization": "Bearer t"}),
    "in a trace": Request(
        "/v1:resolveSpot", headers={"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}
    ),
    "of a strange name": Request("/v1/sessions/a.b~c d:move"),
}
LEFT = {
    "not JSON": Request("/v1:resolveFire", b"{"),
    "no object": Request("/v1:resolveFire", b"[]"),
    "an unknown field": Request("/v1:resolveFire", b'{"nope":1}'),
    "another name": Request("/v1/sessions/s1:move", b'{"name":"sessions/s2"}'),
    "a condition that is none": Request("/v1/sessions/s1:move", headers={"If-Match": "3"}),
    "a condition of no use": Request("/v1:resolveFire", headers={"If-Match": '"3"'}),
    "not declared": Request("/v1:resolveFire", kind=""),
    "compressed": Request("/v1:resolveFire", headers={"Content-Encoding": "gzip"}),
    "too large": Request("/v1:resolveFire", b" " * (LIMIT + 1)),
    "in chunks": Request("/v1:resolveFire", environ=CHUNKED),
    "with a query": Request("/v1:resolveFire", query="a=1"),
    "illegal": Request("/v1/sessions/s1:fire"),
    "stale": Request("/v1/sessions/s1:wind"),
    "stale by a header": Request("/v1/sessions/s1:wind", headers={"If-Match": '"3"'}),
    "without a store": Request("/v1/sessions/s1:score"),
    "by nobody": Request("/v1:resolveMove"),
    "broken": Request("/v1:resolveDamage"),
    "an unknown verb": Request("/v1/sessions/s1:nope"),
    "two verbs": Request("/v1/sessions/s1:move:fire"),
    "no session": Request("/v1/sessions/:move"),
    "two segments": Request("/v1/sessions/a/b:move"),
    "beyond ASCII": Request("/v1/sessions/é:move"),
    "another call": Request("/v1/sessions"),
}


class Both:
    """The service by the short cut and without it, over stand-ins of their own."""

    def __init__(self) -> None:
        self.flask_calls = 0
        self.telemetry: dict[bool, Telemetry] = {}
        self.clients = {fast: self._client(fast) for fast in (True, False)}

    def _client(self, fast: bool) -> Client:
        endpoints = FakeEndpoints()
        endpoints.answers = {
            "Move": action(3),
            "Damage": replayed,
            "Fire": Illegal("KET-7.1", "Too far.", range_hexes=3),
            "Wind": EtagMismatch("Stale.", etag='"4"'),
            "Score": Unavailable("The store is away."),
            "ResolveMove": SeatUnknown("Who?"),
            "ResolveDamage": RuntimeError("secret"),
        }
        self.telemetry[fast] = Telemetry()
        config = Config(
            telemetry=self.telemetry[fast],
            max_body_bytes=LIMIT,
            public_base_url="https://guns.example",
            rest_is_fast=fast,
        )
        app: Any = create_app(endpoints, config=config)
        assert isinstance(app.wsgi_app, RestLane) == fast
        if fast:
            app.wsgi_app._flask = self._counted(app.wsgi_app._flask)
        return Client(app)

    def _counted(self, flask: Any) -> Any:
        def wsgi(environ: Any, start_response: Any) -> Any:
            self.flask_calls += 1
            return flask(environ, start_response)

        return wsgi

    def ask(self, fast: bool, request: Request) -> tuple[Any, ...]:
        """What is said to a request, and what is logged of it."""
        log = io.BytesIO()
        configure_log(stream=log)
        try:
            answer = said_to(self.clients[fast], request)
        finally:
            structlog.reset_defaults()
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        for line in lines:
            for one in ("timestamp", "ms", "exception"):
                line.pop(one, None)
        return (*answer, lines)

    def counts(self, fast: bool) -> list[str]:
        text = self.telemetry[fast].render()[0].decode()
        return [line for line in text.splitlines() if line.startswith("guncamera_requests_total{")]


def said_to(client: Client, request: Request) -> tuple[Any, ...]:
    response = client.post(
        request.path,
        data=request.body,
        content_type=request.kind,
        headers={"X-Request-Id": "r1", **request.headers},
        query_string=request.query,
        environ_overrides=request.environ,
    )
    return response.status, sorted(response.headers), response.data


def replayed(_request: object, caller: Any) -> Any:
    caller.notes.replayed = True
    return action(2)


@pytest.mark.parametrize("name", [*ANSWERED, *LEFT])
def test_either_way_says_logs_and_counts_the_same(name: str) -> None:
    both, request = Both(), {**ANSWERED, **LEFT}[name]
    assert both.ask(True, request) == both.ask(False, request)
    assert both.counts(True) == both.counts(False)
    assert both.flask_calls == (0 if name in ANSWERED else 1)


def test_every_short_call_has_its_short_cut() -> None:
    both = Both()
    for rpc in rpcs():
        if rpc.name in SHORT:
            for route in rpc.routes:
                path = route.path.format(session="s1")
                before = both.flask_calls
                said = both.ask(True, Request(path))
                was_refused = said[0] != "200 OK"
                assert both.flask_calls - before == was_refused, path
                assert said == both.ask(False, Request(path))


@pytest.mark.parametrize(
    ("path", "size", "is_there"),
    [
        ("/v1:resolveFire", 2, True),
        ("/v1:resolveFire", MOST_BYTES_AT_ONCE, True),
        ("/v1:resolveFire", MOST_BYTES_AT_ONCE + 1, False),
        ("/v1/sessions/s1:move", 2, False),
        ("/v1/sessions", 2, False),
    ],
)
def test_only_what_is_short_and_needs_no_store_is_there_at_once(
    path: str, size: int, is_there: bool
) -> None:
    app: Any = create_app(FakeEndpoints(), config=Config())
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "CONTENT_TYPE": JSON,
        "CONTENT_LENGTH": str(size),
        "wsgi.input": io.BytesIO(b"{" + b" " * (size - 2) + b"}"),
    }
    assert (app.wsgi_app.at_once(environ) is not None) == is_there


PER_KEY = 3


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded() as running:
        yield with_roles(running)


def way_in(service: Guarded, fast: bool) -> Client:
    """A way in with limits of its own, over the same keys and sessions."""
    tallies = Tallies(SharedWindow(service.store), clock=lambda: 1000.0)
    policies = {
        name: policy_from(name, f"{PER_KEY}/minute", counts_open=True)
        for name in ("key", "session")
    }
    config = Config(
        access=Access(service.ring, service.store, may_be_open=False),
        limits=RateLimits(policies, tallies, service.store),
        rest_is_fast=fast,
    )
    return Client(create_app(service.endpoints, config=config))


def all_but_dice(said: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is said, without what dice make of it."""
    status, headers, body = said
    if status != "200 OK":
        return said
    return status, [one for one in headers if one[0] != "Content-Length"], bool(body)


@pytest.mark.parametrize(
    "path", ["/v1:resolveFire", f"/v1/sessions/{MINE}:fire", "/v1/sessions/nowhere:fire"]
)
def test_either_way_lets_in_and_limits_the_same(service: Guarded, path: str) -> None:
    reasons = set()
    for role, token in service.tokens.items():
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        body = SHOT if "resolve" in path else {"order": {"kettering": {}}}
        request = Request(path, json.dumps(body).encode(), headers=headers)
        ways = [way_in(service, fast) for fast in (True, False)]
        for _ in range(PER_KEY + 2):
            said = [all_but_dice(said_to(way, request)) for way in ways]
            assert said[0] == said[1], role
            reasons.add("OK" if said[0][0] == "200 OK" else json.loads(said[0][2])["reason"])
    assert {"CALLER_UNKNOWN", "RATE_LIMITED", "SCOPE_MISSING"} <= reasons
    assert ("OK" in reasons) == ("resolve" in path)
