"""Bodies of REST, taken in before a thread is given to their call.

Who sends slowly, or not at all, holds a connection for some seconds, and nothing else. Who sends
much holds memory, of which large bodies share a fixed amount: small ones are always read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Protocol

from guncamera.api.config import MIB
from guncamera.api.refusals import BodiesFull, BodySlow
from guncamera.api.rest_request import too_large

SMALL_BYTES = 64 * 1024


class Sender(Protocol):
    """Where a body comes from, as granian has it: all at once when awaited, or in pieces."""

    def __call__(self) -> Awaitable[bytes]:
        """The whole of it."""
        ...

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Its pieces."""
        ...


class GoneAwayError(Exception):
    """The caller went away in the middle of its body."""


class Bodies:
    """The bodies that one process has on their way or in hand. Of its event loop alone.

    Args:
        seconds: How long each MiB begun may take to come.
        most_bytes: How much of large bodies may be held at once.
    """

    def __init__(self, *, seconds: float, most_bytes: int) -> None:
        self._seconds = seconds
        self._most_bytes = most_bytes
        self.held_bytes = 0

    async def read(self, sender: Sender, limit: int, declared: int | None) -> bytes:
        """Take in a body; `forget` it when its call has been answered.

        Args:
            limit: Bytes that it may have.
            declared: Bytes that it is said to have; None where that is not said.

        Raises:
            BodyTooLarge, BodySlow, BodiesFull: It is not, or not all, looked at.
            GoneAwayError: It ended before its end.
        """
        if declared is not None and declared > limit:
            raise too_large(limit)
        try:
            async with asyncio.timeout(self._seconds) as patience:
                if declared is not None and declared <= SMALL_BYTES:
                    return await sender()
                return await self._in_pieces(sender, limit, declared, patience)
        except TimeoutError:
            raise BodySlow(
                f"Each MiB of a body has {self._seconds:g} seconds to come. Send it at once.",
                body_seconds=f"{self._seconds:g}",
            ) from None

    def forget(self, size: int) -> None:
        """Make room again for other large bodies than one of this size."""
        if size > SMALL_BYTES:
            self.held_bytes -= size

    async def _in_pieces(
        self, sender: Sender, limit: int, declared: int | None, patience: asyncio.Timeout
    ) -> bytes:
        body, held, is_whole = bytearray(), 0, False
        try:
            async for piece in sender:
                begun = len(body) // MIB
                body += piece
                if len(body) > limit:
                    raise too_large(limit)
                if len(body) > SMALL_BYTES:
                    held = self._hold(len(body), held)
                if len(body) // MIB > begun:
                    patience.reschedule(asyncio.get_running_loop().time() + self._seconds)
            # Pieces just end when the caller goes away. Of those of a length not declared nothing
            # more is known; but what was cut off is no JSON.
            if declared is not None and len(body) != declared:
                raise GoneAwayError
            is_whole = True
            return bytes(body)
        finally:
            if not is_whole:
                self.held_bytes -= held

    def _hold(self, size: int, before: int) -> int:
        if self.held_bytes + size - before > self._most_bytes:
            raise BodiesFull(
                f"This process holds at most {self._most_bytes} bytes of large bodies. "
                f"Try again in {BodiesFull.retry_after_seconds} second, or send less at once.",
                limit_bytes=self._most_bytes,
                retry_after_seconds=BodiesFull.retry_after_seconds,
            )
        self.held_bytes += size - before
        return size
