"""Clocks: how long a pilot thinks, and how long a game takes.

No result depends on more of it than whether a limit was passed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Self

from guncamera_tournament.event import ClockRules
from guncamera_tournament.pilot import Clock


class Stopwatch:
    """Runs from when it is made, but while it is held."""

    __slots__ = ("_began", "_held", "_holders", "_since")

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._held = self._since = 0.0
        self._holders = 0

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return time.perf_counter() - self._began - self._held

    def held(self) -> Self:
        """The time within `with` does not count; held twice, it is held once."""
        return self

    def __enter__(self) -> None:
        if not self._holders:
            self._since = time.perf_counter()
        self._holders += 1

    def __exit__(self, *_: object) -> None:
        self._holders -= 1
        if not self._holders:
            self._held += time.perf_counter() - self._since


@dataclass(slots=True)
class PilotTime:
    """A pilot's time in one game: every order, and those that took too long."""

    rules: ClockRules
    orders: int = 0
    seconds: float = 0.0
    slowest_seconds: float = 0.0
    strikes: int = 0

    @property
    def clock(self) -> Clock:
        """As the pilot sees it."""
        rules = self.rules
        return Clock(rules.soft_seconds, rules.hard_seconds, self.strikes, rules.most_strikes)

    @property
    def is_lost(self) -> bool:
        """It has thought too long too often."""
        return self.strikes >= self.rules.most_strikes

    def note(self, seconds: float) -> None:
        """Count an order, and a strike if it took too long."""
        self.orders += 1
        self.seconds += seconds
        self.slowest_seconds = max(self.slowest_seconds, seconds)
        self.strikes += seconds > self.rules.soft_seconds

    def to_plain(self) -> dict[str, Any]:
        """For timings.json."""
        return {
            "orders": self.orders,
            "seconds": round(self.seconds, 6),
            "slowest_seconds": round(self.slowest_seconds, 6),
            "strikes": self.strikes,
        }


@dataclass(slots=True)
class GameTime:
    """A game's time.

    Attributes:
        seconds: From its creation to its film.
        service_seconds: Of that, waiting for the service.
        calls: To the service.
        pilots: By name.
    """

    seconds: float = 0.0
    service_seconds: float = 0.0
    calls: int = 0
    pilots: dict[str, PilotTime] = field(default_factory=dict)

    def to_plain(self) -> dict[str, Any]:
        """For timings.json."""
        return {
            "seconds": round(self.seconds, 6),
            "service_seconds": round(self.service_seconds, 6),
            "calls": self.calls,
            "pilots": {name: one.to_plain() for name, one in sorted(self.pilots.items())},
        }
