"""What every call shares: retries, pages, and what a transport must offer."""

from __future__ import annotations

import asyncio
import copy
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Protocol, Self, TypeVar

from google.protobuf.message import Message
from guncamera.v1.ruleset_service_pb2 import (
    ListAircraftRequest,
    ListAircraftResponse,
    ListRulesetsRequest,
    ListRulesetsResponse,
    ListTablesRequest,
    ListTablesResponse,
)
from guncamera.v1.session_service_pb2 import (
    ListActionsRequest,
    ListActionsResponse,
    ListLegalOrdersRequest,
    ListLegalOrdersResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    ListSigningKeysRequest,
    ListSigningKeysResponse,
    WatchSessionResponse,
)

from guncamera_client._methods import METHODS, Method
from guncamera_client.errors import GuncameraError
from guncamera_client.retry import Attempts, RetryPolicy

R = TypeVar("R", bound=Message)
Page = TypeVar(
    "Page",
    ListActionsResponse,
    ListAircraftResponse,
    ListLegalOrdersResponse,
    ListRulesetsResponse,
    ListSessionsResponse,
    ListSigningKeysResponse,
    ListTablesResponse,
)
PageRequest = (
    ListActionsRequest
    | ListAircraftRequest
    | ListLegalOrdersRequest
    | ListRulesetsRequest
    | ListSessionsRequest
    | ListSigningKeysRequest
    | ListTablesRequest
)


class AsyncStream(Protocol):
    """An open watch. It ends, raises, or is closed; it never waits longer than it was told to."""

    async def __anext__(self) -> WatchSessionResponse:
        """The next message."""

    async def aclose(self) -> None:
        """End it."""


class AsyncCalls(ABC):
    """Sends requests through a transport, again and again where that is safe."""

    def __init__(
        self,
        *,
        token: str | None,
        timeout_seconds: float,
        heartbeat_seconds: float,
        retry: RetryPolicy,
    ) -> None:
        for name, seconds in (
            ("timeout_seconds", timeout_seconds),
            ("heartbeat_seconds", heartbeat_seconds),
        ):
            if not seconds > 0:
                raise ValueError(f"{name} is {seconds}; it must be above 0.")
        self._token = token
        self._timeout_seconds = timeout_seconds
        self._heartbeat_seconds = heartbeat_seconds
        self._retry = retry
        self._owns_transport = True
        self._closed = threading.Event()  # shared with the clients that `with_token` makes

    @abstractmethod
    async def _send(
        self, method: Method, request: Message, response: type[R], timeout_seconds: float
    ) -> R:
        """Make one attempt. Raise `GuncameraError` and nothing else if there is no answer."""

    @abstractmethod
    async def _open(self, method: Method, request: Message, silence_seconds: float) -> AsyncStream:
        """Open a stream that raises `Unavailable` when it hears nothing for so long."""

    @abstractmethod
    async def _close_transport(self) -> None:
        """Let go of connections."""

    async def aclose(self) -> None:
        """Close the connections. A client made by `with_token` leaves them to its origin."""
        if self._owns_transport:
            self._closed.set()
            await self._close_transport()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def with_token(self, token: str | None) -> Self:
        """The same client, acting with another token or key over the same connections.

        Args:
            token: From `claim_seat`, or a key; None acts without one.

        Returns:
            A second client. Closing it does nothing; closing this one ends both.

        Example:
            ```python
            pilot = client.with_token((await client.claim_seat(session, "pilot")).token)
            ```
        """
        twin = copy.copy(self)
        twin._token = token
        twin._owns_transport = False
        return twin

    async def _call(
        self, name: str, request: Message, response: type[R], *, waits_seconds: float = 0.0
    ) -> R:
        method = METHODS[name]
        attempts = Attempts(self._retry, is_safe=method.is_safe(request))
        timeout_seconds = self._timeout_seconds + waits_seconds
        while True:
            self._check_open()
            try:
                return await self._send(method, request, response, timeout_seconds)
            except GuncameraError as error:
                self._check_open()
                pause = attempts.pause_after(error)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise GuncameraError("The client has been closed.", reason="CLIENT_CLOSED")

    async def _pages(
        self, name: str, request: PageRequest, response: type[Page], *, waits_seconds: float = 0.0
    ) -> AsyncIterator[Page]:
        while True:
            page = await self._call(name, request, response, waits_seconds=waits_seconds)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def new_request_id() -> str:
    """A UUID for one call, the same on every attempt."""
    return str(uuid.uuid4())
