"""A service that does as it is told: records what it is asked, and fails on purpose.

`python fake_service.py --grpc-address 127.0.0.1:PORT …` serves until it is ended, in the way of
`guncamera serve`.
"""

from __future__ import annotations

import argparse
import signal
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status
from guncamera.v1 import (
    access_service_pb2,
    resolution_service_pb2,
    ruleset_service_pb2,
    session_service_pb2,
)
from guncamera.v1.session_service_pb2 import (
    Action,
    Heartbeat,
    Session,
    WatchEnd,
    WatchSessionResponse,
)

SERVICES = {
    service.full_name: service
    for file in (
        ruleset_service_pb2,
        resolution_service_pb2,
        session_service_pb2,
        access_service_pb2,
    )
    for service in file.DESCRIPTOR.services_by_name.values()
}
VERBS = ("Move", "Wind", "Spot", "Fire", "Damage")
# grpcio tells a handler of a call without a deadline that it has some 300 billion years.
NO_DEADLINE_SECONDS = 1e9
SERVING, NOT_SERVING = b"\x08\x01", b"\x08\x02"


def fields_of(method: str) -> set[str]:
    """The fields of a call's request."""
    (found,) = (
        service.methods_by_name[method]
        for service in SERVICES.values()
        if method in service.methods_by_name
    )
    return set(found.input_type.fields_by_name)


@dataclass(frozen=True)
class Call:
    """One attempt, as it came over the wire."""

    method: str
    request: Any
    metadata: dict[str, str]
    seconds_left: float | None
    peer: str


@dataclass(frozen=True)
class Refuse:
    """Answer with a status and its details."""

    code: int
    reason: str = ""
    message: str = "No."
    metadata: dict[str, str] = field(default_factory=dict)
    details: Sequence[Message] = ()

    def status(self) -> Any:
        status = status_pb2.Status(code=self.code, message=self.message)
        info = error_details_pb2.ErrorInfo(
            reason=self.reason, domain="guncamera", metadata=self.metadata
        )
        for detail in ([info] if self.reason else []) + list(self.details):
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
        return rpc_status.to_status(status)


def unavailable(retry_after_seconds: float | None = None) -> Refuse:
    """The store is out of reach."""
    details = []
    if retry_after_seconds is not None:
        delay = Duration()
        delay.FromMicroseconds(int(retry_after_seconds * 1_000_000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return Refuse(code_pb2.UNAVAILABLE, "STORE_UNAVAILABLE", details=details)


class Drop:
    """Do what is asked, then lose the answer, as a broken connection does."""


class Hang:
    """Say nothing until the caller gives up."""


Answer = Message | Refuse | Drop | Hang
Line = WatchSessionResponse | Refuse | Hang | Callable[[], object]


def action(revision: int, cursor: str = "") -> WatchSessionResponse:
    message = Action(revision=revision, summary=f"No. {revision}")
    return WatchSessionResponse(action=message, cursor=cursor)


def heartbeat(revision: int = 0, cursor: str = "") -> WatchSessionResponse:
    return WatchSessionResponse(heartbeat=Heartbeat(revision=revision), cursor=cursor)


def end(cause: str, revision: int = 0) -> WatchSessionResponse:
    return WatchSessionResponse(end=WatchEnd(revision=revision, cause=cause))


class FakeService:
    """Answers every call of the three services with what was scripted, else with nothing in it.

    Verbs append to a ledger, and know a request id again.
    """

    def __init__(self, address: str = "127.0.0.1:0", threads: int = 8) -> None:
        self.calls: list[Call] = []
        self.ledger: list[Action] = []
        self.ended_streams = threading.Semaphore(0)
        self.is_ready = True
        self._made: dict[str, Message] = {}
        self._answers: dict[str, deque[Answer]] = defaultdict(deque)
        self._streams: deque[Sequence[Line]] = deque()
        self._lock = threading.Lock()
        self._server = grpc.server(ThreadPoolExecutor(threads), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((_Handlers(self),))
        self.port = self._server.add_insecure_port(address)
        self.target = f"127.0.0.1:{self.port}"

    def answers(self, method: str, *answers: Answer) -> None:
        """Answer the next calls of a method so, one each."""
        self._answers[method].extend(answers)

    def streams(self, *streams: Sequence[Line]) -> None:
        """Answer the next watches so. A stream ends after its last line."""
        self._streams.extend(streams)

    def calls_of(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def __enter__(self) -> FakeService:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(0).wait()

    def record(self, method: str, request: Any, context: grpc.ServicerContext) -> None:
        metadata = dict(context.invocation_metadata())
        left: float | None = context.time_remaining()
        if left is not None and left > NO_DEADLINE_SECONDS:
            left = None
        self.calls.append(Call(method, request, metadata, left, context.peer()))

    def answer(self, method: Any, request: Any, context: grpc.ServicerContext) -> Message:
        self.record(method.name, request, context)
        scripted = self._answers[method.name].popleft() if self._answers[method.name] else None
        if isinstance(scripted, Refuse):
            context.abort_with_status(scripted.status())
        if isinstance(scripted, Hang):
            _until_given_up(context)
        made = self._make(method, request)
        if isinstance(scripted, Drop):
            context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
        return scripted if isinstance(scripted, Message) else made

    def stream(self, method: Any, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        self.record(method.name, request, context)
        context.add_callback(self.ended_streams.release)
        for line in self._streams.popleft() if self._streams else ():
            if isinstance(line, Refuse):
                context.abort_with_status(line.status())
            elif isinstance(line, Hang):
                _until_given_up(context)
            elif isinstance(line, Message):
                yield line
            else:
                line()

    def _make(self, method: Any, request: Any) -> Message:
        with self._lock:
            key = getattr(request, "request_id", "")
            if key and key in self._made:
                return self._made[key]
            made: Message = GetMessageClass(method.output_type)()
            if method.name in VERBS:
                made = Action(
                    name=f"{request.name}/actions/{len(self.ledger) + 1:08d}",
                    revision=len(self.ledger) + 1,
                    etag=f'"{len(self.ledger) + 1}"',
                )
                self.ledger.append(made)
            elif method.name == "CreateSession":
                made = Session(name=f"sessions/{request.session_id or 'made'}")
            if key:
                self._made[key] = made
            return made


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, fake: FakeService) -> None:
        self._fake = fake

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        _, service_name, name = details.method.split("/")
        if service_name == "grpc.health.v1.Health":
            return grpc.unary_unary_rpc_method_handler(self._check)
        if service_name not in SERVICES:
            return None
        method = SERVICES[service_name].methods_by_name[name]
        codec = {
            "request_deserializer": GetMessageClass(method.input_type).FromString,
            "response_serializer": lambda message: message.SerializeToString(),
        }
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(
                lambda request, context: self._fake.stream(method, request, context), **codec
            )
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: self._fake.answer(method, request, context), **codec
        )

    def _check(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        if request[2:].decode() not in SERVICES:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        return SERVING if self._fake.is_ready else NOT_SERVING


def _until_given_up(context: grpc.ServicerContext) -> None:
    gone = threading.Event()
    if context.add_callback(gone.set):
        gone.wait(30)


def serve() -> None:
    """Serve until told to stop. Addresses and folders that are not needed are taken and ignored."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--grpc-address", required=True)
    parser.add_argument("--rest-address")
    parser.add_argument("--data-dir")
    parser.add_argument("--exit-with-parent", action="store_true")
    parser.add_argument("--words", default="", help="say this and end at once")
    options = parser.parse_args()
    if options.words:
        raise SystemExit(options.words)
    with FakeService(options.grpc_address):
        signal.sigwait([signal.SIGTERM, signal.SIGINT])


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
    serve()
