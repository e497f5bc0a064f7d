"""A cap on the calls that hold a thread while they wait: watches and waiting polls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from guncamera.sessions.refusals import StreamsFull

T = TypeVar("T")


class StreamSlots:
    """Counts open streams. Safe to share between threads."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open = 0
        self._lock = threading.Lock()

    @property
    def open(self) -> int:
        """How many are taken now."""
        return self._open

    def take(self) -> Callable[[], None]:
        """Take a slot and return what gives it back; giving it back twice is harmless.

        Raises:
            StreamsFull: every slot is taken.
        """
        with self._lock:
            if self._open >= self.limit:
                raise StreamsFull(
                    f"All {self.limit} streams of this process are open. "
                    f"Try again in {StreamsFull.retry_after_seconds} seconds, or poll.",
                    limit=self.limit,
                    retry_after_seconds=StreamsFull.retry_after_seconds,
                )
            self._open += 1
        return _Release(self)

    def _give_back(self) -> None:
        with self._lock:
            self._open -= 1


class _Release:
    """Gives one slot back, once."""

    __slots__ = ("_lock", "_slots")

    def __init__(self, slots: StreamSlots) -> None:
        self._slots: StreamSlots | None = slots
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            slots, self._slots = self._slots, None
        if slots is not None:
            slots._give_back()


class OpenStream(Generic[T]):
    """A stream whose first item has been drawn, so that a refusal came before any header.

    Iterate it, then close it: whichever comes first, its end or `close`, frees the source and
    calls `on_close` with what ended it, once.
    """

    def __init__(
        self, source: Iterator[T], on_close: Callable[[BaseException | None], None]
    ) -> None:
        self._source = source
        self._on_close = on_close
        self._closed = False
        self._first: list[T] = []
        try:
            self._first.append(next(source))
        except StopIteration:
            pass
        except BaseException as fault:
            self.close(fault)
            raise

    @property
    def first(self) -> T | None:
        """The first item, while nobody has taken it."""
        return self._first[0] if self._first else None

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._first:
            return self._first.pop()
        if self._closed:
            raise StopIteration
        try:
            return next(self._source)
        except StopIteration:
            self.close()
            raise
        except BaseException as fault:
            self.close(fault)
            raise

    def close(self, fault: BaseException | None = None) -> None:
        """End the stream and free what it holds."""
        if self._closed:
            return
        self._closed = True
        try:
            close = getattr(self._source, "close", None)
            if close is not None:
                close()
        finally:
            self._on_close(fault)
