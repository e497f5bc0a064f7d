"""gRPC: a synchronous server whose handlers are read off the service descriptors.

Calls that may wait (watches, polls) have a pool of threads of their own and are capped, so that
no number of open streams keeps a plain call waiting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from grpc_status import rpc_status

from guncamera.api.caller import Caller, caller_from
from guncamera.api.config import MIB, Config
from guncamera.api.health import ReadyHealth
from guncamera.api.problems import status_of
from guncamera.api.refusals import Internal
from guncamera.api.routes import SERVICES, Rpc, bound, rpcs
from guncamera.api.streams import OpenStream, StreamSlots
from guncamera.api.telemetry import RequestRecord
from guncamera.api.wire_reader import from_wire
from guncamera.rules.refusal import Refusal

TRANSPORT = "grpc"
REQUEST_ID = "x-request-id"
MAX_RECEIVE_BYTES = 4 * MIB
MAX_SEND_BYTES = 64 * MIB
# Beside the open streams: threads for polls that do not wait, and to refuse one stream too many.
SPARE_WAITING_THREADS = 4
REFLECTION_THREADS = 2
KEEPALIVE_SECONDS = 60

Handler = Callable[[bytes, grpc.ServicerContext], Any]


class GrpcServer:
    """A server with its health; built by `build_server`.

    Attributes:
        port: The port it is bound to, also when 0 was asked for.
        slots: The streams and waiting polls that are open.
    """

    def __init__(
        self,
        server: grpc.Server,
        *,
        port: int,
        health: ReadyHealth,
        slots: StreamSlots,
    ) -> None:
        self.port = port
        self.slots = slots
        self._server = server
        self._health = health

    def start(self) -> None:
        """Begin to answer."""
        self._server.start()

    def stop(self, grace_seconds: float) -> threading.Event:
        """Say that nothing can be used any more, and let open calls end within the grace.

        Returns:
            What is set when the last call has ended.
        """
        self._health.drain()
        # The pools are left to end by themselves: a call that arrives at this very moment is
        # still handed to one, and a closed pool would break grpcio's loop.
        return self._server.stop(grace_seconds)

    def wait_for_termination(self, timeout_seconds: float | None = None) -> bool:
        """Wait until it is stopped; True if the time ran out before."""
        return bool(self._server.wait_for_termination(timeout_seconds))


def build_server(
    endpoints: object,
    *,
    address: str,
    config: Config,
    threads: int = 8,
    reuse_port: bool = True,
) -> GrpcServer:
    """Build a server over endpoints that have a method for every call, and bind it.

    Args:
        endpoints: One method for each call, by the call's name.
        address: `127.0.0.1:50051`, `[::]:0` or `unix:/path`.
        config: Settings shared with REST.
        threads: Plain calls answered at once.
        reuse_port: Let other processes bind the same port, to share its connections.

    Raises:
        AssertionError: the endpoints lack a method.
        RuntimeError: the address cannot be bound.
    """
    methods, slots = bound(endpoints), StreamSlots(config.max_streams)
    waiting = ThreadPoolExecutor(config.max_streams + SPARE_WAITING_THREADS, "grpc-wait")
    asking = ThreadPoolExecutor(REFLECTION_THREADS, "grpc-reflection")
    server = grpc.server(ThreadPoolExecutor(threads, "grpc"), options=_options(reuse_port))
    _add_calls(server, methods, config, slots, waiting)
    health = ReadyHealth(config, [service.full_name for service in SERVICES])
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    if config.reflection:
        _add_reflection(server, asking)
    port = server.add_insecure_port(address)
    return GrpcServer(server, port=port, health=health, slots=slots)


def _add_calls(
    server: grpc.Server,
    methods: Mapping[str, Callable[[Message, Caller], Any]],
    config: Config,
    slots: StreamSlots,
    waiting: ThreadPoolExecutor,
) -> None:
    calls: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
    for rpc in rpcs():
        call = _GrpcCall(rpc, methods[rpc.name], config, slots)
        handler: Handler = call.stream if rpc.streams else call.unary
        if rpc.can_wait:
            handler = _in_pool(waiting, handler)
        calls.setdefault(rpc.service, {})[rpc.name] = _method_handler(rpc, handler)
    for service, handlers in calls.items():
        generic = grpc.method_handlers_generic_handler(service, handlers)
        server.add_generic_rpc_handlers((generic,))


def _options(reuse_port: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(reuse_port)),
        ("grpc.max_receive_message_length", MAX_RECEIVE_BYTES),
        ("grpc.max_send_message_length", MAX_SEND_BYTES),
        # Idle watches are kept alive through proxies; clients may ping as often, not more.
        ("grpc.keepalive_time_ms", KEEPALIVE_SECONDS * 1000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
    ]


def _method_handler(rpc: Rpc, handler: Handler) -> grpc.RpcMethodHandler[Any, Any]:
    # Requests stay bytes until our own reader has them: grpcio answers what it cannot read with
    # INTERNAL, which would blame us.
    make = (
        grpc.unary_stream_rpc_method_handler if rpc.streams else grpc.unary_unary_rpc_method_handler
    )
    made: grpc.RpcMethodHandler[Any, Any] = make(
        handler,
        request_deserializer=None,
        response_serializer=lambda message: message.SerializeToString(),
    )
    return made


def _in_pool(pool: ThreadPoolExecutor, handler: Handler) -> Handler:
    """Have grpcio run a handler in a pool of its own; its health service is marked the same way."""

    def in_pool(request: bytes, context: grpc.ServicerContext) -> Any:
        return handler(request, context)

    in_pool.experimental_thread_pool = pool  # type: ignore[attr-defined]  # grpcio looks for it
    return in_pool


def _add_reflection(server: grpc.Server, pool: ThreadPoolExecutor) -> None:
    names = [service.full_name for service in SERVICES]
    names += [health_pb2.DESCRIPTOR.services_by_name["Health"].full_name]

    class Reflection(reflection.ReflectionServicer):  # type: ignore[misc]  # no stubs
        """A client may keep its questions open for ever, so they too have their own threads."""

        def ServerReflectionInfo(self, request_iterator: Any, context: Any) -> Any:  # noqa: N802
            return super().ServerReflectionInfo(request_iterator, context)

        ServerReflectionInfo.experimental_thread_pool = pool  # type: ignore[attr-defined]

    servicer = Reflection([*names, reflection.SERVICE_NAME])
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, server)


@dataclass(frozen=True, slots=True)
class _GrpcCall:
    """Answers one method: reads, calls the endpoint, and turns what it raises into a status."""

    rpc: Rpc
    method: Callable[[Message, Caller], Any]
    config: Config
    slots: StreamSlots

    def unary(self, data: bytes, context: grpc.ServicerContext) -> Message:
        caller, record = self._begin(context)
        try:
            answer = self._unary(data, caller)
        except Exception as fault:
            self._abort(context, caller, record, fault)
        replayed = (("idempotent-replayed", "true"),) if caller.notes.replayed else ()
        context.set_trailing_metadata(((REQUEST_ID, caller.request_id), *replayed))
        record.answered(answer)
        record.end()
        return answer

    def _unary(self, data: bytes, caller: Caller) -> Message:
        request = from_wire(data, self.rpc.request)
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
        caller, record = self._begin(context)
        record.is_stream = True
        # Plain calls tell the id at their end, which saves them a round through grpc's core.
        context.send_initial_metadata(((REQUEST_ID, caller.request_id),))
        try:
            request = from_wire(data, self.rpc.request)
            release = self._take()
        except Exception as fault:
            self._abort(context, caller, record, fault)
        stream = None
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

    def _begin(self, context: grpc.ServicerContext) -> tuple[Caller, RequestRecord]:
        caller = caller_from(_metadata(context))
        record = self.config.telemetry.begin(self.rpc.name, TRANSPORT, caller.request_id)
        return caller, record

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
        refusal = fault if isinstance(fault, Refusal) else Internal(caller.request_id)
        if refusal is not fault:
            self.config.telemetry.fault(record, fault)
        record.rule_id = refusal.rule_id
        record.end(refusal.reason)
        rich = rpc_status.to_status(status_of(refusal, request_id=caller.request_id))
        trailers = (*rich.trailing_metadata, (REQUEST_ID, caller.request_id))
        context.abort_with_status(_Status(rich.code, rich.details, trailers))
        raise AssertionError("an aborted call went on")


@dataclass(frozen=True)
class _Status(grpc.Status):
    """A rich status with trailers of ours beside its own."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str | bytes], ...]


def _metadata(context: grpc.ServicerContext) -> Mapping[str, str]:
    return {
        key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
    }
