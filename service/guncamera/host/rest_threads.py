"""Threads for the calls of REST that wait: for the store, or for something to tell a watch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeAlias

FIRST = 4
LOOK_SECONDS = 0.02
IDLE_SECONDS = 10.0

Work: TypeAlias = Callable[[], None]


class Threads:
    """A few threads, and more where calls have to wait for one. Used from one event loop.

    A few do for calls that are short, and hold up each other least. Streams keep theirs, and so do
    calls while the store is slow; so whatever still waits at a second look gets one of its own.
    Those that were more than were needed at once for a while end, and their connections to the
    store with them. That each has something to do now and then says nothing: they take turns.

    Args:
        most: No more than so many.

    Attributes:
        count: How many there are.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, *, most: int) -> None:
        self._loop = loop
        self._most = most
        self._waiting: SimpleQueue[Work | None] = SimpleQueue()  # None: whoever gets it ends
        self._given = self._done = 0
        self._most_at_once = 0  # of calls at work or waiting, since the last count
        self._looks = self._counts = False
        self._lock = threading.Lock()
        self.count = 0
        for _ in range(min(FIRST, most)):
            self._start()

    def do(self, work: Work) -> None:
        """Have work done, which must not raise."""
        self._waiting.put(work)
        self._given += 1
        self._most_at_once = max(self._most_at_once, self._given - self._done)
        if not self._looks:
            self._look_later()

    def _look_later(self) -> None:
        self._looks = True
        self._loop.call_later(LOOK_SECONDS, self._look, self._given)

    def _look(self, given_then: int) -> None:
        self._looks = False
        waiting = self._waiting.qsize()
        waiting_since_then = waiting - (self._given - given_then)
        if waiting:
            self._look_later()
        # Last, as the machine may have no thread to give; then the next look tries again.
        for _ in range(min(waiting_since_then, self._most - self.count)):
            self._start()
            if self.count > FIRST and not self._counts:
                self._count_later()

    def _count_later(self) -> None:
        self._counts = True
        self._most_at_once = self._given - self._done
        self._loop.call_later(IDLE_SECONDS, self._end_spare)

    def _end_spare(self) -> None:
        self._counts = False
        needed = max(FIRST, self._most_at_once)
        for _ in range(self.count - needed):
            self._waiting.put(None)
            self.count -= 1
        if self.count > FIRST:
            self._count_later()

    def _start(self) -> None:
        # Daemons: who is still at work when the process has drained is not waited for.
        name = f"rest-{self.count + 1}"
        threading.Thread(target=self._work, name=name, daemon=True).start()
        self.count += 1

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None:
            work()
            with self._lock:
                self._done += 1
