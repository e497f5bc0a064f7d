"""Calls counted in memory, and told to the store now and then, so that no call waits for it.

Each process knows, for each window that it counts in, how many the store had when it was asked last
and how many it has let through since. One process alone keeps to a limit exactly. Several let
through too many at most what all the others let through between two tellings. When the store does
not answer, each goes on counting by itself: nobody is shut out, and nobody waits.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from limits import RateLimitItem

from guncamera.rules.straight_line import quick
from guncamera.sessions.rate_windows import SharedWindow
from guncamera.sessions.store import StoreError

LOG = logging.getLogger(__name__)

TELL_SECONDS = 0.2
"""How often the store is told, where there is much to tell."""

TELL_LITTLE_SECONDS = 2.0
"""How often, where there is little: less than one in fifty of the limit."""

MUCH = 50
FRESH_SECONDS = 1.0
"""How old what a caller reads about its limits may be."""

MOST_TALLIES = 20_000
"""Windows that a process counts in at once; beyond them, the one begun first is forgotten."""


@quick
@dataclass(frozen=True, slots=True)
class Use:
    """So much of a limit, of one who has it: a key, a session.

    Attributes:
        policy: What the limit is called; no two have one name.
    """

    policy: str
    item: RateLimitItem
    who: str
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Usage:
    """How a limit stands.

    Attributes:
        used: How much of it; never more than there is.
        reset_seconds: Until the window is over; a whole window if none has begun.
    """

    used: int
    remaining: int
    reset_seconds: float


class _Tally:
    """One window. `known` is what the store has, as far as it has told; `untold` comes on top."""

    __slots__ = ("amount", "ends", "is_being_told", "item", "known", "told_at", "untold", "who")

    def __init__(self, use: Use, now: float) -> None:
        self.item, self.who, self.amount = use.item, use.who, use.item.amount
        self.known = self.untold = 0
        self.ends = now + use.item.get_expiry()
        self.told_at = float("-inf")
        self.is_being_told = False

    @property
    def used(self) -> int:
        return self.known + self.untold

    def is_due(self, now: float) -> bool:
        much = self.untold * MUCH >= self.amount
        return self.untold > 0 and (much or now - self.told_at >= TELL_LITTLE_SECONDS)


class Tallies:
    """Counts uses of limits. Safe to share between threads.

    Args:
        clock: Seconds, from anywhere, that only go forward.
    """

    def __init__(
        self, window: SharedWindow, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._window = window
        self._clock = clock
        self._tallies: dict[tuple[str, str], _Tally] = {}
        self._untold: set[_Tally] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def start(self) -> Tallies:
        """Tell the store, and go on telling it, in a thread of its own."""
        threading.Thread(target=self._go_on, name="rate-limits", daemon=True).start()
        return self

    def stop(self) -> None:
        """Tell no more."""
        self._stop.set()

    def take(self, uses: Sequence[Use]) -> Use | None:
        """Count all of these, or none; returns the one for which nothing is left."""
        now = self._clock()
        with self._lock:
            tallies = [self._tally(use, now) for use in uses]
            for use, tally in zip(uses, tallies):
                if tally.known + tally.untold + use.cost > tally.amount:
                    return use
            for use, tally in zip(uses, tallies):
                tally.untold += use.cost
            self._untold.update(tallies)
        return None

    def give_back(self, use: Use) -> None:
        """Take a use back that turned out to be none, as far as it is not told yet."""
        with self._lock:
            tally = self._tallies.get((use.policy, use.who))
            if tally is None:
                return
            tally.untold = max(0, tally.untold - use.cost)
            if not tally.used:
                del self._tallies[use.policy, use.who]

    def usage(self, use: Use) -> Usage:
        """How a limit stands, as far as this process knows."""
        now = self._clock()
        with self._lock:
            tally = self._tallies.get((use.policy, use.who))
            if tally is None or now >= tally.ends:
                return Usage(0, use.item.amount, use.item.get_expiry())
            used = min(tally.used, use.item.amount)
            return Usage(used, use.item.amount - used, tally.ends - now)

    def fresh_usage(self, use: Use) -> Usage:
        """How a limit stands, as the store knew a second ago, if it answers."""
        now = self._clock()
        with self._lock:
            tally = self._tally(use, now)
        if now - tally.told_at > FRESH_SECONDS:
            try:
                self._tell(tally)
            except StoreError:
                LOG.info("limits are told as far as this process knows")
        return self.usage(use)

    def tell(self) -> None:
        """Tell the store what it has to know by now, and hear what others have counted."""
        now = self._clock()
        with self._lock:
            self._untold = {tally for tally in self._untold if tally.untold and now < tally.ends}
            due = [tally for tally in self._untold if tally.is_due(now)]
        for tally in due:
            self._tell(tally)

    def _tally(self, use: Use, now: float) -> _Tally:
        place = (use.policy, use.who)
        tally = self._tallies.get(place)
        if tally is not None and now < tally.ends:
            return tally
        self._tallies.pop(place, None)
        if len(self._tallies) >= MOST_TALLIES:
            del self._tallies[next(iter(self._tallies))]
        tally = self._tallies[place] = _Tally(use, now)
        return tally

    def _tell(self, tally: _Tally) -> None:
        with self._lock:
            if tally.is_being_told:  # of two answers, the older might come last
                return
            tally.is_being_told = True
            telling, tally.untold = tally.untold, 0
            tally.known += telling
            tally.told_at = self._clock()
        try:
            counted = self._window.add(tally.item, tally.who, telling)
        except BaseException:
            with self._lock:
                tally.is_being_told = False
                tally.known -= telling
                tally.untold += telling
                self._untold.add(tally)
            raise
        with self._lock:
            tally.is_being_told = False
            # What the store has may be less than before, for its window is the one that counts.
            tally.known = counted.total
            if counted.left_seconds:
                tally.ends = self._clock() + counted.left_seconds

    def _go_on(self) -> None:
        while not self._stop.wait(TELL_SECONDS):
            try:
                self.tell()
            except StoreError:
                pass  # each process counts by itself until the store answers
            except Exception:  # the thread has to go on, or limits would be counted by halves
                LOG.exception("limits cannot be told")
