"""Threads for the calls of REST that wait: for the store, or for something to tell a watch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

FIRST = 4
LOOK_SECONDS = 0.02
IDLE_SECONDS = 10.0


class Threads:
    """A few threads, and more where calls have to wait for one. Used from one event loop.

    A few do for calls that are short, and hold up each other least. Streams keep theirs, and so do
    calls while the store is slow; so whatever still waits at a second look gets one of its own.
    One of those that has nothing to do for a while ends, and its connection to the store with it.

    Args:
        most: No more than so many.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, *, most: int) -> None:
        self._loop = loop
        self._most = most
        self._waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._given = 0
        self._looks = False
        self._lock = threading.Lock()
        self.count = 0
        for _ in range(min(FIRST, most)):
            self._start(self._work)

    def do(self, work: Callable[[], None]) -> None:
        """Have work done, which must not raise."""
        self._waiting.put(work)
        self._given += 1
        if not self._looks:
            self._look_later()

    def _look_later(self) -> None:
        self._looks = True
        self._loop.call_later(LOOK_SECONDS, self._look, self._given)

    def _look(self, given_then: int) -> None:
        self._looks = False
        waiting = self._waiting.qsize()
        waiting_since_then = waiting - (self._given - given_then)
        for _ in range(min(waiting_since_then, self._most - self.count)):
            self._start(self._help)
        if waiting:
            self._look_later()

    def _start(self, work: Callable[[], None]) -> None:
        with self._lock:
            self.count += 1
        # Daemons: who is still at work when the process has drained is not waited for.
        threading.Thread(target=work, name=f"rest-{self.count}", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._waiting.get()()

    def _help(self) -> None:
        try:
            while True:
                self._waiting.get(timeout=IDLE_SECONDS)()
        except Empty:
            with self._lock:
                self.count -= 1
