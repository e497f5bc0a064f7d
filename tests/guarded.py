"""A service that asks for keys, in this process, on REST and on both lanes of gRPC.

Every way a caller can be is a role, with what it sends. `ask` sends one call over one transport and
gives back all that comes, in a form that can be compared.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
import structlog
from conftest import Clock
from flask.testing import FlaskClient
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from guncamera.api.access import Access
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.grpc_server import build_server
from guncamera.api.openapi_examples import examples
from guncamera.api.rate_limits import RateLimits
from guncamera.api.rest import create_app
from guncamera.api.routes import rpcs
from guncamera.api.telemetry import Telemetry, configure_log
from guncamera.host.wiring import now_micros
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.keys import Scope, create_key, revoke_key
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.store import Append, Loaded, Results, SessionStore, Step, StepResult
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client._methods import METHODS
from orders import DEPLOY, SETUP, who
from servers import Server, valkey_program

TRANSPORTS = ("rest", "grpc fast", "grpc standard")
RPCS = {rpc.name: rpc for rpc in rpcs()}
DETAILS = "grpc-status-details-bin"
DAY_MICROS = 24 * 3600 * 1_000_000
SOON = 20.0
SEAT = "pilot"
MINE, OTHERS, GONE = "mine", "others", "gone"
BAD_KEYS = ("nobody", "garbage", "wrong key", "unknown key", "revoked key", "expired key")
BAD_SEATS = ("forged seat", "foreign seat", "released seat", "seat of a session that is gone")
KEYS = tuple(scope.name.lower() for scope in Scope)


class CountingStore(RedisStore):
    """Counts the heads that are read."""

    loads = 0

    def load(self, session_id: str, *, request_id: str | None = None) -> Loaded | None:
        self.loads += 1
        return super().load(session_id, request_id=request_id)

    def exchange(self, step: Step) -> StepResult:
        self.loads += not isinstance(step, Append)
        return super().exchange(step)

    def send(self, steps: Sequence[Step]) -> Results:
        self.loads += sum(not isinstance(step, Append) for step in steps)
        return super().send(steps)


@dataclass(frozen=True)
class Heard:
    """What a call was answered with.

    Attributes:
        status: The HTTP status, or gRPC's.
        reason: Of the refusal; `OK` for none.
        told: Everything else: headers or trailers, and the body.
        text: All of it as one text, to be searched.
    """

    status: Any
    reason: str
    told: Any = field(repr=False)
    text: str = field(repr=False)


@dataclass
class Guarded:
    """The service, its store and its callers."""

    store: CountingStore
    ring: KeyRing
    endpoints: Endpoints
    rest: FlaskClient
    channels: Mapping[str, grpc.Channel]
    telemetry: Telemetry
    log: io.BytesIO
    tokens: dict[str, str | None] = field(default_factory=dict)

    def key(self, scope: Scope, *, days_ago: int = 0) -> tuple[str, str]:
        """The id and text of a key for a day, made some days ago, and known at once."""
        made = now_micros() - days_ago * DAY_MICROS
        key, text = create_key(self.store, made, scope=scope, label="", days=1)
        self.ring.refresh()
        return key.id, text

    def revoke(self, key_id: str) -> None:
        revoke_key(self.store, now_micros(), key_id)
        self.ring.refresh()

    def session(self, session_id: str, *, claimed: bool = True) -> str:
        """A new session; returns the token of its seat, or nothing if it stays free."""
        request = pb.CreateSessionRequest(session_id=session_id, setup=SETUP)
        self.endpoints.CreateSession(request, who())
        return self.claim(session_id) if claimed else ""

    def claim(self, session_id: str) -> str:
        request = pb.ClaimSeatRequest(name=f"sessions/{session_id}", seat=SEAT)
        return self.endpoints.ClaimSeat(request, who()).token

    def drop(self, session_id: str) -> None:
        self.store.delete(session_id)

    def ask(
        self, over: str, call: str, request: Message, credential: str | None, **headers: str
    ) -> Heard:
        headers = {"X-Request-Id": "the-same", **headers}
        if credential is not None:
            headers["Authorization"] = f"Bearer {credential}"
        ask = self._over_rest if over == "rest" else self._over_grpc
        return ask(over, call, request, headers)

    def _over_rest(self, _over: str, call: str, request: Message, headers: dict[str, str]) -> Heard:
        http = METHODS[call].as_http(request)
        answer = self.rest.open(
            http.path, method=http.verb, query_string=http.query, json=http.body, headers=headers,
            buffered=False,
        )  # fmt: skip
        if answer.status_code < 400 and RPCS[call].streams:
            first = next(iter(answer.iter_encoded()))
            answer.close()
            return Heard(answer.status_code, "OK", first, first.decode())
        plain = json.loads(answer.data) if answer.status_code >= 400 else {}
        told = (sorted(answer.headers.items()), answer.data)
        return Heard(answer.status_code, plain.get("reason", "OK"), told, str(told))

    def _over_grpc(self, over: str, call: str, request: Message, headers: dict[str, str]) -> Heard:
        channel, path = self.channels[over], METHODS[call].grpc_path
        metadata = tuple((name.lower(), value) for name, value in headers.items())
        data = request.SerializeToString()
        try:
            if RPCS[call].streams:
                stream = channel.unary_stream(path)(data, metadata=metadata, timeout=SOON)
                first = next(stream)
                stream.cancel()
                return Heard(grpc.StatusCode.OK, "OK", first, str(first))
            answer, done = channel.unary_unary(path).with_call(
                data, metadata=metadata, timeout=SOON
            )
        except grpc.RpcError as error:
            failed: Any = error
            trailers = sorted(failed.trailing_metadata() or ())
            told = (failed.details(), trailers)
            return Heard(failed.code(), _reason(dict(trailers)), told, str(told))
        told = (answer, sorted(done.trailing_metadata() or ()))
        return Heard(grpc.StatusCode.OK, "OK", told, str(told))


def _reason(trailers: dict[str, Any]) -> str:
    for detail in status_pb2.Status.FromString(trailers[DETAILS]).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    raise AssertionError("a refusal without a reason")


OF_THEIR_OWN_GAMES = ("SealOrder", "RevealOrders", "Undo", "ImportSession", "BatchPlay")
"""Calls of which the examples are about a game in progress, and fit no other."""


def request_of(call: str, session_id: str) -> Message:
    """A request that is well formed, about a session where the call is about one."""
    rpc = RPCS[call]
    request: Any = rpc.request()
    if call not in OF_THEIR_OWN_GAMES:
        ParseDict(next(iter(examples().get(call, {"": {}}).values())), request)
    action = f"sessions/{session_id}/actions/00000001"
    others = {"GetAction": action, "GetReceipt": action, "GetQuota": "quota"}
    named = others.get(call, f"sessions/{session_id}")
    known = {"GetRuleset": "rulesets/kettering", "GetTable": "rulesets/kettering/tables/wind"}
    fields = rpc.request_type.fields_by_name
    if "name" in fields:
        request.name = known.get(call, named)
    if "parent" in fields:
        request.parent = named if call == "ListActions" else "rulesets/kettering"
    if call == "CreateSession":
        request.session_id = ""
    if call == "Move":
        request.order.CopyFrom(DEPLOY)
    if call == "SealOrder":
        request.move.CopyFrom(DEPLOY)
    if "seat" in fields:
        request.seat = SEAT if call in ("ClaimSeat", "ReleaseSeat") else ""
    return request


@contextlib.contextmanager
def guarded(
    *, may_be_open: bool = False, limited: Callable[[SessionStore], RateLimits] | None = None
) -> Iterator[Guarded]:
    """Run the service over an empty store. Keys are read when a test says so, not in between.

    `limited` makes its rate limits; without, it has none.
    """
    with contextlib.ExitStack() as stack:
        valkey = stack.enter_context(Server(valkey_program()))
        store = CountingStore(valkey.url)
        stack.callback(store.close)
        ring = KeyRing(store, clock=now_micros)
        ring.refresh()
        log = io.BytesIO()
        configure_log(stream=log)
        stack.callback(structlog.reset_defaults)
        limits = None if limited is None else limited(store)
        config = Config(
            telemetry=Telemetry(),
            access=Access(ring, store, may_be_open=may_be_open),
            limits=limits,
        )
        endpoints = Endpoints(
            Shelf(store), clock=Clock(), page_key=b"a key for tests", limits=limits
        )
        channels = {}
        for over in TRANSPORTS[1:]:
            server = build_server(
                endpoints, address="127.0.0.1:0", config=config, fast=over == "grpc fast"
            )
            assert (server.lane is not None) == (over == "grpc fast")
            server.start()
            stack.callback(lambda running=server: running.stop(0).wait(SOON))
            channels[over] = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{server.port}"))
        rest = create_app(endpoints, config=config).test_client()
        yield Guarded(store, ring, endpoints, rest, channels, config.telemetry, log)


def with_roles(service: Guarded) -> Guarded:
    """Give the service its sessions and every kind of caller."""
    tokens = service.tokens
    for name in KEYS:
        tokens[name] = service.key(Scope[name.upper()])[1]
    tokens["nobody"] = None
    tokens["garbage"] = "let me in"
    key_id, text = service.key(Scope.ADMIN)
    tokens["wrong key"] = f"gck_{key_id}_{'A' * 43}"
    tokens["unknown key"] = f"gck_{'a' * 12}_{text.rpartition('_')[2]}"
    key_id, tokens["revoked key"] = service.key(Scope.ADMIN)
    service.revoke(key_id)
    tokens["expired key"] = service.key(Scope.ADMIN, days_ago=2)[1]
    tokens["released seat"] = service.session(MINE)
    request = pb.ReleaseSeatRequest(name=f"sessions/{MINE}")
    service.endpoints.ReleaseSeat(request, who(tokens["released seat"]))
    tokens["seat"] = service.claim(MINE)
    tokens["foreign seat"] = service.session(OTHERS)
    tokens["seat of a session that is gone"] = service.session(GONE)
    service.drop(GONE)
    tokens["forged seat"] = f"gcs_{MINE}_{'A' * 43}"
    return service
