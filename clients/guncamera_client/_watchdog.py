"""Cuts off what stays silent for too long: a blocking read has no time-out of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Watchdog:
    """Calls `bite` when a wait, `with watchdog:`, lasts longer than it may.

    Time between waits does not count: a slow reader is not a silent sender.

    Attributes:
        has_bitten: A wait was too long. It stays so.
    """

    def __init__(self, limit_seconds: float, bite: Callable[[], object]) -> None:
        self.has_bitten = False
        self._limit_seconds = limit_seconds
        self._bite = bite
        self._due: float | None = None
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        with self._changed:
            self._due = time.monotonic() + self._limit_seconds
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(
                    target=self._guard, name="guncamera-watchdog", daemon=True
                )
                self._thread.start()
            self._changed.notify()

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._due = None

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _guard(self) -> None:
        with self._changed:
            while not self._is_closed and not self.has_bitten:
                left = None if self._due is None else self._due - time.monotonic()
                if left is None or left > 0:
                    self._changed.wait(left)
                else:
                    self.has_bitten = True
        if self.has_bitten:
            self._bite()
