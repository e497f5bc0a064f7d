"""What players were told: the other side of what the ledgers must hold."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from guncamera.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Told:
    """An order that was acknowledged.

    Attributes:
        call, seat, message, request_id: As it was given, to give it again.
        revisions: The actions that it made: none for an order that waits under its seal.
        micros: When its action was made, as its answer said; 0 where it named none.
        answer: What it was answered.
    """

    call: str
    seat: str
    message: Any
    request_id: str
    revisions: range
    micros: int
    answer: Any


@dataclass
class Game:
    """A session, and all that its player was told about it.

    Attributes:
        told: In the order of play.
        sealed: Seats that have sealed an order since the last action.
        unheard: Orders that were given up before they were answered; they may be there or not.
    """

    id: str
    found: Ruleset
    told: list[Told] = field(default_factory=list)
    sealed: set[str] = field(default_factory=set)
    unheard: int = 0
    is_over: bool = False

    @property
    def length(self) -> int:
        """How many actions the ledger must hold."""
        return sum(len(one.revisions) for one in self.told)

    def hear(self, told: Told) -> None:
        """Note an answer."""
        self.told.append(told)
        if told.revisions:
            self.sealed.clear()
        else:
            self.sealed.add(told.seat)


class Journal:
    """All games of a table, and counts. Games belong to their players; threads share counts."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.counts: Counter[str] = Counter()
        self.surprises: Counter[str] = Counter()
        self.longest_seconds = 0.0
        self._lock = threading.Lock()

    def count(self, what: str, seconds: float = 0.0) -> None:
        """Count a call, an answer, or a call without one; and how long an answer took."""
        with self._lock:
            self.counts[what] += 1
            self.longest_seconds = max(self.longest_seconds, seconds)

    def surprise(self, what: str) -> None:
        """Note an answer that no fault excuses."""
        with self._lock:
            self.surprises[what] += 1

    def begin(self, game: Game) -> None:
        """Note a game that the service has acknowledged."""
        with self._lock:
            self.games.append(game)

    def turn_over(self) -> tuple[Counter[str], Counter[str], float]:
        """Counts, surprises and the longest call since the last time, and begin anew."""
        with self._lock:
            found = self.counts, self.surprises, self.longest_seconds
            self.counts, self.surprises, self.longest_seconds = Counter(), Counter(), 0.0
        return found
