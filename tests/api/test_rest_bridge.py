"""The bridge from granian to WSGI over stand-ins for both: what is read, where, what is told."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog
from fakes import FakeEndpoints, action
from granian.rsgi import ProtocolClosed
from guncamera.api.access import OpenAccess, caller_unknown
from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.needs import NEEDS
from guncamera.api.rest import create_app
from guncamera.api.telemetry import configure_log
from guncamera.host import rest_bridge
from guncamera.host.rest_bridge import Bridge
from sending import Sent

BODY = b'{"dice":{"server":{}}}'
HEADERS = [("content-type", "application/json"), ("content-length", str(len(BODY)))]


@dataclass
class Headers:
    given: list[tuple[str, str]]

    def items(self) -> list[tuple[str, str]]:
        return self.given


@dataclass
class Scope:
    path: str
    given: list[tuple[str, str]] = field(default_factory=lambda: list(HEADERS))
    method: str = "POST"
    query_string: str = ""
    http_version: str = "1.1"
    server: str = "127.0.0.1:80"
    client: str = "127.0.0.1:1024"
    scheme: str = "http"
    authority: str | None = None

    @property
    def headers(self) -> Headers:
        return Headers(self.given)


class Sender(Sent):
    """Sends a body, and notes what it is told, and in which thread."""

    def __init__(self, *pieces: bytes | float | None, leaves: bool = False) -> None:
        super().__init__(pieces or [BODY])
        self.leaves = leaves
        self.was_read = False
        self.told: tuple[int, dict[str, str], bytes] | None = None
        self.thread = 0

    async def __call__(self) -> bytes:
        self.was_read = True
        if self.leaves:
            raise ProtocolClosed
        return await super().__call__()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.told, self.thread = (status, dict(headers), body), threading.get_ident()

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.response_bytes(status, headers, b"")


class Table:
    def __init__(self, **config: Any) -> None:
        self.endpoints = FakeEndpoints()
        self.config = Config(**config)
        self.app = create_app(self.endpoints, config=self.config)

    def ask(self, scope: Scope, caller: Sender) -> Sender:
        """Have a request answered; the loop is this thread's."""

        async def answer() -> None:
            bridge = Bridge(self.app, self.config)
            bridge.__rsgi_init__(asyncio.get_running_loop())
            await asyncio.wait_for(bridge.__rsgi__(scope, caller), 20)  # type: ignore[arg-type]

        asyncio.run(answer())
        return caller


class Closed(OpenAccess):
    """Lets nobody in."""

    def judge(self, name: str, caller: Caller) -> Caller:
        raise caller_unknown(NEEDS[name])

    admit = judge


@pytest.mark.parametrize("is_fast", [True, False])
@pytest.mark.parametrize("path", ["/v1:resolveFire", "/v1/sessions"])
def test_who_is_not_let_in_is_not_read(path: str, is_fast: bool) -> None:
    table = Table(access=Closed(), rest_is_fast=is_fast)
    caller = table.ask(Scope(path), Sender())
    assert caller.told is not None
    assert (caller.told[0], caller.was_read) == (401, False)
    assert json.loads(caller.told[2])["reason"] == "CALLER_UNKNOWN"


@pytest.mark.parametrize("path", ["/nope", "/healthz", "/v1/sessions/s1"])
def test_a_body_that_nobody_takes_is_not_read(path: str) -> None:
    caller = Table().ask(Scope(path), Sender())
    assert not caller.was_read
    assert caller.told is not None
    assert caller.told[0] in (404, 405)


@pytest.mark.parametrize(
    ("path", "in_loop"), [("/v1:resolveFire", True), ("/v1/sessions/s1:move", False)]
)
def test_only_what_needs_no_store_is_answered_in_the_loop(path: str, in_loop: bool) -> None:
    table = Table()
    caller = table.ask(Scope(path), Sender(b"{}"))
    assert caller.told is not None
    assert caller.told[0] == 200
    assert (caller.thread == threading.get_ident()) == in_loop


def test_headers_are_taken_as_wsgi_has_them() -> None:
    table = Table()
    given = [
        *HEADERS,
        ("x-request-id", "mine"),
        ("x_request_id", "not-mine"),
        ("if-match", '"1"'),
        ("if-match", '"2"'),
    ]
    caller = table.ask(Scope("/v1/sessions/s1:move", given), Sender(b"{}"))
    assert caller.told is not None
    assert (caller.told[0], caller.told[1]["X-Request-Id"]) == (400, "mine")
    assert json.loads(caller.told[2])["violations"][0]["field"] == "If-Match"


def test_a_body_in_pieces_is_read_whole() -> None:
    table = Table()
    table.endpoints.answers["Move"] = action(4)
    given = [("content-type", "application/json"), ("transfer-encoding", "chunked")]
    for is_fast in (True, False):
        caller = table.ask(Scope("/v1/sessions/s1:move", given), Sender(b'{"request', b'_id":"a"}'))
        assert caller.told is not None
        assert caller.told[0] == 200
        assert table.endpoints.seen[-1][1].request_id == "a"  # type: ignore[attr-defined]
        table = Table(rest_is_fast=not is_fast)


@pytest.fixture
def log() -> Iterator[io.BytesIO]:
    stream = io.BytesIO()
    configure_log(stream=stream)
    yield stream
    structlog.reset_defaults()


def test_who_goes_away_is_a_line_in_the_log_and_no_call(log: io.BytesIO) -> None:
    table = Table()
    caller = table.ask(Scope("/v1:resolveFire"), Sender(leaves=True))
    assert (caller.told, table.endpoints.seen) == (None, [])
    [line] = log.getvalue().splitlines()
    assert (json.loads(line)["method"], json.loads(line)["reason"]) == ("ResolveFire", "CANCELLED")


def test_a_fault_of_the_application_itself_ends_the_call(caplog: pytest.LogCaptureFixture) -> None:
    table = Table()

    def broken(_environ: object, _start: object) -> Any:
        raise RuntimeError("secret")

    table.app.wsgi_app = broken  # type: ignore[method-assign]
    caller = table.ask(Scope("/v1/sessions"), Sender())
    assert caller.told == (500, {}, b"")
    assert "an answer could not be sent" in caplog.text


def test_an_answer_for_a_request_that_was_stopped_is_no_fault() -> None:
    """The loop stops what waits in it when it ends; the thread of the call is done later."""
    loop = asyncio.new_event_loop()
    stopped, waiting = loop.create_future(), loop.create_future()
    stopped.cancel()
    for done in (stopped, waiting):
        rest_bridge._finish(done)
    assert (stopped.cancelled(), waiting.result()) == (True, None)
    loop.close()
