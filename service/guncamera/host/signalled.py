"""Whether a signal has come, for the main thread that waits for it."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue


class Signalled:
    """An event that a signal handler may set, whatever it interrupts.

    `threading.Event` takes a lock to be set, which the interrupted thread may hold just then: a
    process that is told to stop at that moment would wait for itself for ever.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._news: SimpleQueue[None] = SimpleQueue()  # may be put to from a handler

    def is_set(self) -> bool:
        """Whether it has come."""
        return self._is_set

    def set(self) -> None:
        """Say that it has."""
        self._is_set = True
        self._news.put(None)

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait for it, or until the time is over; whether it has come. For one thread only."""
        if not self._is_set:
            with suppress(Empty):
                self._news.get(timeout=timeout_seconds)
        return self._is_set
