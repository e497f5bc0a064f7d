"""gRPC: a synchronous server whose handlers are read off the service descriptors.

Calls that may wait (watches, polls) have a pool of threads of their own and are capped, so that
no number of open streams keeps a plain call waiting. Short calls take the fast lane, unless that
is turned off; `grpc_lane` says what it is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from guncamera.api.config import MIB, Config
from guncamera.api.grpc_calls import GrpcCall, unknown_method
from guncamera.api.grpc_lane import Lane
from guncamera.api.grpc_private import what_is_missing
from guncamera.api.health import ReadyHealth
from guncamera.api.routes import SERVICES, Rpc, bound, rpcs
from guncamera.api.streams import StreamSlots

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
        lane: The fast lane; None if every call takes the standard one.
    """

    def __init__(
        self,
        server: grpc.Server,
        *,
        port: int,
        health: ReadyHealth,
        slots: StreamSlots,
        lane: Lane | None,
    ) -> None:
        self.port = port
        self.slots = slots
        self.lane = lane
        self._server = server
        self._health = health

    def start(self) -> None:
        """Begin to answer."""
        if self.lane is None:
            self._server.start()
        else:
            self.lane.start()

    def leave(self) -> None:
        """Say that nothing can be used any more, and answer all the same."""
        self._health.drain()

    def stop(self, grace_seconds: float) -> threading.Event:
        """Say that nothing can be used any more, and let open calls end within the grace.

        Returns:
            What is set when the last call has ended.
        """
        self.leave()
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
    fast: bool = True,
) -> GrpcServer:
    """Build a server over endpoints that have a method for every call, and bind it.

    Args:
        endpoints: One method for each call, by the call's name.
        address: `127.0.0.1:50051`, `[::]:0` or `unix:/path`.
        config: Settings shared with REST.
        threads: Plain calls answered at once.
        reuse_port: Let other processes bind the same port, to share its connections.
        fast: Take short calls on the fast lane, if this grpcio is one that it was tried with.

    Raises:
        AssertionError: the endpoints lack a method.
        RuntimeError: the address cannot be bound.
    """
    slots = StreamSlots(config.max_streams)
    methods = bound(endpoints)
    calls = [GrpcCall(rpc, methods[rpc.name], config, slots) for rpc in rpcs()]
    waiting = ThreadPoolExecutor(config.max_streams + SPARE_WAITING_THREADS, "grpc-wait")
    asking = ThreadPoolExecutor(REFLECTION_THREADS, "grpc-reflection")
    pool = ThreadPoolExecutor(threads, "grpc")
    server = grpc.server(pool, options=_options(reuse_port))
    _add_calls(server, calls, waiting)
    health = ReadyHealth(config, [service.full_name for service in SERVICES])
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    if config.reflection:
        _add_reflection(server, asking)
    server.add_generic_rpc_handlers((_Unknown(config),))  # the last that is asked
    port = server.add_insecure_port(address)
    lane = None
    if fast:
        lack = what_is_missing(server)
        if lack:
            config.telemetry.warn("Calls take the standard lane.", why=lack)
        else:
            lane = Lane(server, calls, getattr(endpoints, "in_steps", None), pool)
    return GrpcServer(server, port=port, health=health, slots=slots, lane=lane)


def _add_calls(server: grpc.Server, calls: Sequence[GrpcCall], waiting: ThreadPoolExecutor) -> None:
    services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
    for call in calls:
        rpc = call.rpc
        handler: Handler = call.stream if rpc.streams else call.unary
        if rpc.can_wait:
            handler = _in_pool(waiting, handler)
        services.setdefault(rpc.service, {})[rpc.name] = _method_handler(rpc, handler)
    for service, handlers in services.items():
        generic = grpc.method_handlers_generic_handler(service, handlers)
        server.add_generic_rpc_handlers((generic,))


class _Unknown(grpc.GenericRpcHandler):
    """Takes what no other handler takes. A stream suits every kind of caller who is refused."""

    def __init__(self, config: Config) -> None:
        self._handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            partial(unknown_method, config)
        )

    def service(self, _details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        return self._handler


def _options(reuse_port: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(reuse_port)),
        # Counters for a debugging service that is not offered, at one call in twenty.
        ("grpc.enable_channelz", 0),
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
