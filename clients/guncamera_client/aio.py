"""The asyncio client over gRPC."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import WatchSessionResponse

from guncamera_client._aio.access import AsyncAccessCalls
from guncamera_client._aio.batches import AsyncBatchCalls
from guncamera_client._aio.calls import AsyncStream
from guncamera_client._aio.resolution import AsyncResolutionCalls
from guncamera_client._aio.rulesets import AsyncRulesetCalls
from guncamera_client._aio.undos import AsyncUndoCalls
from guncamera_client._grpc import (
    DEFAULT_TARGET,
    channel_options,
    check_channels,
    check_target,
    error_from_rpc,
    metadata_for,
)
from guncamera_client._methods import Method
from guncamera_client.errors import Unavailable
from guncamera_client.retry import DEFAULT_RETRY, RetryPolicy

R = TypeVar("R", bound=Message)


class AsyncClient(
    AsyncRulesetCalls, AsyncResolutionCalls, AsyncBatchCalls, AsyncAccessCalls, AsyncUndoCalls
):
    """Asks a service, over gRPC, from asyncio. It belongs to the event loop that uses it first.

    Every method is named and described as in `Client`, to be awaited or iterated with `async for`.

    Args:
        target: Where the service listens: `host:port`, or `unix:/path`.
        token: A key, or a seat's token from `claim_seat`. None, where the service asks for no key,
            looks on and plays unclaimed seats. Keep keys out of source files and browsers.
        timeout_seconds: Deadline of each attempt at a call, above 0. Watches have none.
        heartbeat_seconds: A watch that is silent for longer is taken for broken, above 0. The
            service sends a heartbeat every 7 seconds.
        retry: When a call is repeated.
        channels: Connections to share the calls among, from 1; more than one helps only under
            load, for one connection stays with one worker of the service.
        credentials: For TLS, `grpc.ssl_channel_credentials()`; None connects in the clear.

    Example:
        ```python
        async with AsyncClient() as client:
            ruling = await client.resolve_fire(KetteringFireFacts(…), dice=[4, 6])
            print(ruling.summary)
        ```
    """

    def __init__(
        self,
        target: str = DEFAULT_TARGET,
        *,
        token: str | None = None,
        timeout_seconds: float = 5.0,
        heartbeat_seconds: float = 20.0,
        retry: RetryPolicy = DEFAULT_RETRY,
        channels: int = 1,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        super().__init__(
            token=token,
            timeout_seconds=timeout_seconds,
            heartbeat_seconds=heartbeat_seconds,
            retry=retry,
        )
        check_channels(channels)
        check_target(target)
        self.target = target
        self._credentials = credentials
        self._channel_count = channels
        # Filled at the first call, when the event loop runs that they will belong to.
        self._channels: list[grpc.aio.Channel] = []
        self._callables: dict[str, Iterator[Any]] = {}

    async def _send(
        self, method: Method, request: Message, response: type[R], timeout_seconds: float
    ) -> R:
        call = self._callable(method, response)
        try:
            answer: R = await call(
                request, timeout=timeout_seconds, metadata=metadata_for(self._token)
            )
        except grpc.aio.AioRpcError as error:
            raise error_from_rpc(error, self.target) from error
        except asyncio.CancelledError as error:
            if _is_task_cancelled():
                raise
            raise Unavailable("The call was cut off when its connection was closed.") from error
        return answer

    async def _open(self, method: Method, request: Message, silence_seconds: float) -> AsyncStream:
        call = self._callable(method, WatchSessionResponse, streams=True)
        return _AsyncGrpcStream(
            call(request, metadata=metadata_for(self._token)), silence_seconds, self.target
        )

    def _callable(self, method: Method, response: type[Message], *, streams: bool = False) -> Any:
        found = self._callables.get(method.name)
        if found is None:
            found = self._callables[method.name] = itertools.cycle(
                [
                    (channel.unary_stream if streams else channel.unary_unary)(
                        method.grpc_path,
                        request_serializer=_serialized,
                        response_deserializer=response.FromString,
                    )
                    for channel in self._connected()
                ]
            )
        return next(found)

    def _connected(self) -> list[grpc.aio.Channel]:
        if not self._channels:
            options = channel_options(self.target, own_connection=self._channel_count > 1)
            self._channels.extend(
                grpc.aio.insecure_channel(self.target, options)
                if self._credentials is None
                else grpc.aio.secure_channel(self.target, self._credentials, options)
                for _ in range(self._channel_count)
            )
        return self._channels

    async def _close_transport(self) -> None:
        for channel in self._channels:
            await channel.close()


def _serialized(message: Message) -> bytes:
    return message.SerializeToString()


def _is_task_cancelled() -> bool:
    """Whether it was the task that was cancelled, and not only its call."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _AsyncGrpcStream:
    """A watch over gRPC that is cut when it is silent for too long."""

    def __init__(self, call: Any, silence_seconds: float, target: str) -> None:
        self._call = call
        self._silence_seconds = silence_seconds
        self._target = target

    async def __anext__(self) -> WatchSessionResponse:
        try:
            message = await asyncio.wait_for(self._call.read(), self._silence_seconds)
        except TimeoutError as error:
            raise Unavailable(
                f"Heard nothing from {self._target} for {self._silence_seconds} s."
            ) from error
        except grpc.aio.AioRpcError as error:
            raise error_from_rpc(error, self._target) from error
        except asyncio.CancelledError as error:
            if _is_task_cancelled():
                raise
            raise Unavailable("The stream was cut off when its connection was closed.") from error
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        answer: WatchSessionResponse = message
        return answer

    async def aclose(self) -> None:
        self._call.cancel()
