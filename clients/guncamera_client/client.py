"""The blocking client over gRPC."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import grpc
from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import WatchSessionResponse

from guncamera_client._blocking.access import AccessCalls
from guncamera_client._blocking.batches import BatchCalls
from guncamera_client._blocking.calls import Stream
from guncamera_client._blocking.resolution import ResolutionCalls
from guncamera_client._blocking.rulesets import RulesetCalls
from guncamera_client._blocking.undos import UndoCalls
from guncamera_client._grpc import (
    DEFAULT_TARGET,
    channel_options,
    check_channels,
    check_target,
    error_from_rpc,
    metadata_for,
)
from guncamera_client._methods import Method
from guncamera_client._watchdog import Watchdog
from guncamera_client.errors import Unavailable
from guncamera_client.local import LocalService
from guncamera_client.retry import DEFAULT_RETRY, RetryPolicy

R = TypeVar("R", bound=Message)


class Client(RulesetCalls, ResolutionCalls, BatchCalls, AccessCalls, UndoCalls):
    """Asks a service, over gRPC, and waits for the answer. Threads may share one.

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
        with Client() as client:
            ruling = client.resolve_fire(KetteringFireFacts(…), dice=[4, 6])
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
        self._service: LocalService | None = None
        options = channel_options(target, own_connection=channels > 1)
        self._channels = [
            grpc.insecure_channel(target, options)
            if credentials is None
            else grpc.secure_channel(target, credentials, options)
            for _ in range(channels)
        ]
        # For each method, its callables on every channel in turn.
        self._callables: dict[str, Iterator[Any]] = {}

    @classmethod
    def local(
        cls,
        data_dir: str | Path | None = None,
        *,
        command: Sequence[str] | None = None,
        start_seconds: float = 30.0,
        token: str | None = None,
        timeout_seconds: float = 5.0,
        retry: RetryPolicy = DEFAULT_RETRY,
    ) -> Self:
        """A client of a service on this machine, which is started if there is none.

        One that listens on 127.0.0.1:50051, or on what the environment variable
        GUNCAMERA_GRPC_ADDRESS says, is used as it is, whatever its data. Else one is started as a
        child process on ports of its own, and stopped by `close`, or with this process.

        Args:
            data_dir: Where a service that is started keeps sessions; None, a temporary folder
                that goes with it.
            command: What to start; None, the `guncamera serve` installed beside this client.
            start_seconds: How long it may take to be ready.
            token: As for a client of any other service.
            timeout_seconds: Deadline of each attempt at a call.
            retry: When a call is repeated.

        Raises:
            ServiceNotStarted: it ended, or was not ready in time; the message holds its last words.

        Example:
            ```python
            with Client.local() as client:
                session = client.create_session(KetteringSetup())
            ```
        """
        service = LocalService.find_or_start(data_dir, command=command, start_seconds=start_seconds)
        client = cls(service.target, token=token, timeout_seconds=timeout_seconds, retry=retry)
        client._service = service
        return client

    def _send(
        self, method: Method, request: Message, response: type[R], timeout_seconds: float
    ) -> R:
        call = self._callable(method, response)
        try:
            answer: R = call(request, timeout=timeout_seconds, metadata=metadata_for(self._token))
        except grpc.RpcError as error:
            raise error_from_rpc(error, self.target) from error
        return answer

    def _open(self, method: Method, request: Message, silence_seconds: float) -> Stream:
        call = self._callable(method, WatchSessionResponse, streams=True)
        return _GrpcStream(
            call(request, metadata=metadata_for(self._token)), silence_seconds, self.target
        )

    def _callable(self, method: Method, response: type[Message], *, streams: bool = False) -> Any:
        found = self._callables.get(method.name)
        if found is None:
            found = itertools.cycle(
                [
                    (channel.unary_stream if streams else channel.unary_unary)(
                        method.grpc_path,
                        request_serializer=_serialized,
                        response_deserializer=response.FromString,
                    )
                    for channel in self._channels
                ]
            )
            # Two threads may both come here the first time; either result will do.
            self._callables[method.name] = found
        return next(found)

    def _close_transport(self) -> None:
        for channel in self._channels:
            channel.close()
        if self._service is not None:
            self._service.close()


def _serialized(message: Message) -> bytes:
    return message.SerializeToString()


class _GrpcStream:
    """A watch over gRPC that is cut when it is silent for too long."""

    def __init__(self, call: Any, silence_seconds: float, target: str) -> None:
        self._call = call
        self._silence_seconds = silence_seconds
        self._target = target
        self._watchdog = Watchdog(silence_seconds, call.cancel)

    def __next__(self) -> WatchSessionResponse:
        try:
            with self._watchdog:
                message: WatchSessionResponse = next(self._call)
        except grpc.RpcError as error:
            if self._watchdog.has_bitten:
                raise Unavailable(
                    f"Heard nothing from {self._target} for {self._silence_seconds} s."
                ) from error
            raise error_from_rpc(error, self._target) from error
        return message

    def close(self) -> None:
        self._call.cancel()
        self._watchdog.close()
