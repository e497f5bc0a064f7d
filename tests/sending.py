"""A stand-in for whoever sends a body: so many pieces, each when it is said to come.

The time is a made-up one, in which waiting takes no time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncIterator, Coroutine, Iterable
from typing import TypeVar

T = TypeVar("T")


class Sent:
    """A body in pieces; a number among them is a pause, None waits for ever."""

    def __init__(self, pieces: Iterable[bytes | float | None]) -> None:
        self.pieces = list(pieces)

    async def __call__(self) -> bytes:
        return b"".join([piece async for piece in self])

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if piece is None:
                await asyncio.Event().wait()
            elif isinstance(piece, bytes):
                yield piece
            else:
                await asyncio.sleep(piece)


class _Hurried(selectors.SelectSelector):
    """Does not wait, but says that it did."""

    seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.seconds += timeout or 0.0
        return super().select(0)


def in_no_time(steps: Coroutine[None, None, T]) -> T:
    """Run steps that wait for nothing but the time."""
    clock = _Hurried()
    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.seconds  # type: ignore[method-assign]
    try:
        return loop.run_until_complete(steps)
    finally:
        loop.close()
