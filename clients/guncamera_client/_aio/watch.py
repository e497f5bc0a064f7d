"""Following a session through broken streams: each action once, in order, to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from guncamera.v1.session_service_pb2 import Action, Resync, WatchSessionResponse

from guncamera_client._aio.calls import AsyncStream
from guncamera_client.errors import GuncameraError, Unavailable, WatchLost
from guncamera_client.retry import Attempts, RetryPolicy

# The service ends a watch with this cause when it is about to stop; the game goes on.
DRAINING = "draining"
CLOSED = "closed"
# A resync with this cause comes to a cursor that is more actions back than a stream replays.
BEHIND = "behind"


class AsyncWatch:
    """An iterator of a session's actions, made by `watch_session`.

    Only an explicit end ends it: a stream that merely stops is opened again where it was.

    Attributes:
        revision: The last revision seen; None before it is known.
        cursor: Where it stands, for `watch_session` to go on from another time, in another
            program; empty before it is known.
        sealed_seats: The seats that have sealed an order since the last action, as far as told.
        undo_offers: What undo each seat has asked for since then: its id and the revision to go
            back to, as far as told.
        cause: Why the watch ended: `finished`, `deleted`, `closed` by `aclose`, or the reason of
            the refusal it raised; empty while it goes on.
    """

    def __init__(
        self,
        next_revision: Callable[[], Awaitable[int]],
        open_at: Callable[[int | None, str], Awaitable[AsyncStream]],
        retry: RetryPolicy,
        cursor: str = "",
    ) -> None:
        self.revision: int | None = None
        self.cursor = cursor
        self.sealed_seats: tuple[str, ...] = ()
        self.undo_offers: tuple[tuple[str, int], ...] = ()
        self.cause = ""
        self._next_revision = next_revision
        self._open_at = open_at
        self._attempts = Attempts(retry)
        self._stream: AsyncStream | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Action:
        while not self.cause:
            message = await self._next_message()
            if message is None:
                continue
            if message.HasField("end"):
                await self._end(message.end.cause)
                continue
            self._attempts.start_again()
            if message.HasField("resync"):
                await self._resync(message.resync)
                continue
            # Every revision comes once, even from a service that repeats itself.
            is_new = message.action.revision > (self.revision or 0)
            self.cursor = message.cursor
            if message.HasField("sealed"):
                self.sealed_seats = tuple(message.sealed.seats)
            if message.HasField("undo_offers"):
                offers = message.undo_offers.offers
                self.undo_offers = tuple((one.seat, one.to_revision) for one in offers)
            if message.HasField("action") and is_new:
                self.revision = message.action.revision
                self.sealed_seats, self.undo_offers = (), ()
                return message.action
        await self._close_stream()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the watch. Closing it twice, or after its end, is harmless."""
        self.cause = self.cause or CLOSED
        await self._close_stream()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _next_message(self) -> WatchSessionResponse | None:
        """The next message; None if the stream broke off and is to be opened again."""
        try:
            if self.revision is None and not self.cursor:
                self.revision = await self._next_revision() - 1
            stream = self._stream
            if stream is None:
                start = None if self.revision is None else self.revision + 1
                stream = self._stream = await self._open_at(start, self.cursor)
            message = await stream.__anext__()
        except StopAsyncIteration:
            await self._wait_after(Unavailable("The stream broke off before the watch was over."))
        except GuncameraError as error:
            await self._wait_after(error)
        else:
            return message
        return None

    async def _wait_after(self, error: GuncameraError) -> None:
        """Make ready for another stream, or raise why there is to be none."""
        await self._close_stream()
        if self.cause:
            return
        pause = self._attempts.pause_after(error)
        if pause is None:
            self.cause = error.reason
            raise error
        await asyncio.sleep(pause)

    async def _end(self, cause: str) -> None:
        if cause == DRAINING:
            await self._wait_after(Unavailable("The service that was watched is about to stop."))
            return
        self.cause = cause

    async def _resync(self, resync: Resync) -> None:
        if resync.cause == BEHIND and self.revision is not None:
            # The ledger has it all: go through it from where this watch was.
            await self._close_stream()
            self.cursor = ""
            return
        await self._close_stream()
        error = WatchLost(
            f"The watch cannot go on from where it was: the session is {resync.cause}. Look at "
            "`session`, and watch from there."
        )
        error.session, error.cause = resync.session, resync.cause
        self.cause = error.reason
        raise error

    async def _close_stream(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.aclose()
