"""One gRPC method, from bytes to an answer or a rich status; the same on either lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status

from guncamera.api.access import told
from guncamera.api.caller import Caller, caller_from
from guncamera.api.config import Config
from guncamera.api.problems import status_of
from guncamera.api.refusals import Internal, RouteNotFound
from guncamera.api.routes import Rpc
from guncamera.api.streams import OpenStream, StreamSlots
from guncamera.api.telemetry import RequestRecord
from guncamera.api.wire_reader import from_wire
from guncamera.rules.refusal import Refusal
from guncamera.sessions.steps import Steps

TRANSPORT = "grpc"
REQUEST_ID = "x-request-id"
Trailers = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True)
class RichStatus(grpc.Status):
    """A rich status with trailers of ours beside its own."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: Trailers


@dataclass(frozen=True, slots=True)
class GrpcCall:
    """Answers one method: reads, calls the endpoint, and turns what it raises into a status."""

    rpc: Rpc
    method: Callable[[Message, Caller], Any]
    config: Config
    slots: StreamSlots

    def unary(self, data: bytes, context: grpc.ServicerContext) -> Message:
        """Answer on a thread of grpcio's."""
        caller, record = self.begin(context.invocation_metadata())
        try:
            caller = self.config.access.admit(self.rpc.name, caller)
            answer = self._unary(data, caller)
        except Exception as fault:
            self._abort(context, caller, record, fault)
        context.set_trailing_metadata(self.answered(answer, caller, record))
        return answer

    def _unary(self, data: bytes, caller: Caller) -> Message:
        request = self._read(data, caller)
        if not self.rpc.waits(request):
            answer: Message = self.method(request, caller)
            return answer
        release = self._take()
        try:
            waited: Message = self.method(request, caller)
        finally:
            release()
        return waited

    def stream(self, data: bytes, context: grpc.ServicerContext) -> Iterator[Message]:
        """Answer with a stream, on a thread of grpcio's."""
        caller, record = self.begin(context.invocation_metadata())
        record.is_stream = True
        try:
            # Plain calls tell the id at their end, which saves them a round through grpc's core.
            context.send_initial_metadata(((REQUEST_ID, caller.request_id),))
            caller = self.config.access.admit(self.rpc.name, caller)
            request = self._read(data, caller)
            release = self._take()
        except grpc.RpcError:  # the caller has gone away already
            record.end("CANCELLED")
            raise
        except Exception as fault:
            self._abort(context, caller, record, fault)
        stream = None
        caller = replace(caller, has_left=lambda: not context.is_active())
        try:
            stream = OpenStream(iter(self.method(request, caller)), lambda _: None)
            yield from stream
            record.end()
        except Exception as fault:
            self._abort(context, caller, record, fault)
        finally:
            # A caller who goes away closes this generator, which is no exception but an exit.
            if stream is not None:
                stream.close()
            release()
            record.end("CANCELLED")

    def begin(
        self, metadata: Iterable[tuple[str, str | bytes]] | None
    ) -> tuple[Caller, RequestRecord]:
        """Read who calls, and open the call's record."""
        return _begin(self.config, self.rpc.name, metadata)

    def read(self, data: bytes, caller: Caller) -> tuple[Message, Steps[None] | None]:
        """Read a request and count it.

        Returns:
            The request, and what has to be looked at before it is answered; None for nothing.
        """
        limits = self.config.limits
        try:
            request = from_wire(data, self.rpc.request)
        except Refusal:
            if limits is not None:
                limits.judge(self.rpc.name, caller, "")
            raise
        if limits is None:
            return request, None
        return request, limits.judge(self.rpc.name, caller, self.rpc.session_of(request))

    def _read(self, data: bytes, caller: Caller) -> Message:
        request, look = self.read(data, caller)
        if look is not None and self.config.limits is not None:
            self.config.limits.look(look)
        return request

    def answered(self, answer: object, caller: Caller, record: RequestRecord) -> Trailers:
        """Close the record of a call that has its answer; returns what is told at its end."""
        record.answered(answer)
        record.end()
        replayed = (("idempotent-replayed", "true"),) if caller.notes.replayed else ()
        return ((REQUEST_ID, caller.request_id), *replayed)

    def refused(self, fault: Exception, caller: Caller, record: RequestRecord) -> RichStatus:
        """Close the record of a call that was refused or failed; returns its status."""
        if self.config.limits is not None:
            self.config.limits.give_back(caller, fault)
        return _refused(self.config, fault, caller, record)

    def unread(self, metadata: Iterable[tuple[str, str | bytes]] | None, reason: str) -> None:
        """Record a call that ended before its request was looked at."""
        self.begin(metadata)[1].end(reason)

    def _take(self) -> Callable[[], None]:
        release = self.slots.take()
        self.config.telemetry.stream_opened(TRANSPORT)

        def give_back() -> None:
            self.config.telemetry.stream_closed(TRANSPORT)
            release()

        return give_back

    def _abort(
        self,
        context: grpc.ServicerContext,
        caller: Caller,
        record: RequestRecord,
        fault: Exception,
    ) -> NoReturn:
        context.abort_with_status(self.refused(fault, caller, record))
        raise AssertionError("an aborted call went on")


def unknown_method(
    config: Config, _requests: Iterator[bytes], context: grpc.ServicerContext
) -> Iterator[bytes]:
    """Refuse a call that no service has, as REST refuses an address that no call has."""
    caller, record = _begin(config, "-", context.invocation_metadata())
    refusal = RouteNotFound("No call has this name. Compare it with the proto.")
    context.abort_with_status(_refused(config, refusal, caller, record))
    yield from ()


def _begin(
    config: Config, method: str, metadata: Iterable[tuple[str, str | bytes]] | None
) -> tuple[Caller, RequestRecord]:
    headers = {key: value for key, value in metadata or () if type(value) is str}
    caller = caller_from(headers)
    return caller, config.telemetry.begin(method, TRANSPORT, caller, headers)


def _refused(config: Config, fault: Exception, caller: Caller, record: RequestRecord) -> RichStatus:
    fault = told(fault, caller)
    refusal = fault if isinstance(fault, Refusal) else Internal(caller.request_id)
    if refusal is not fault:
        config.telemetry.fault(record, fault)
    record.rule_id = refusal.rule_id
    record.end(refusal.reason)
    rich = rpc_status.to_status(status_of(refusal, request_id=caller.request_id))
    trailers = (*rich.trailing_metadata, (REQUEST_ID, caller.request_id))
    return RichStatus(rich.code, rich.details, trailers)
