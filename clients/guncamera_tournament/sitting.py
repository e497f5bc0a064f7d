"""Who sits on a seat: however a pilot is run, it is asked, and fails, in the same way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from guncamera.v1.session_service_pb2 import LegalOrder

from guncamera_tournament.pilot import Situation
from guncamera_tournament.timing import Stopwatch

_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")


class Misconduct(Exception):
    """A pilot loses its game by its own doing.

    Attributes:
        cause: `timeout`, `crash`, `illegal`, `malformed`, `flood` or `cheat`.
        detail: What it did, in one line that is the same when the game is played again.
    """

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause
        # An address of Python's is another one in every process.
        self.detail = _ADDRESS.sub("0x…", " ".join(detail.split()))[:300]


class OutOfTime(Exception):
    """The hard limit has passed without an order."""


@dataclass(frozen=True, slots=True)
class Acted:
    """The pilot has given its order to the service itself."""


class Sitter(Protocol):
    """A pilot at its seat, for one game."""

    def begin(self, seat: str) -> None:
        """Be ready for the game.

        Raises:
            Misconduct: It is not.
        """

    def choose(self, situation: Situation, stopwatch: Stopwatch) -> LegalOrder | Acted:
        """An order for this situation.

        Raises:
            Misconduct: It is not fit to play on.
            OutOfTime: The hard limit has passed.
        """

    def end(self) -> None:
        """The game is over; leave nothing running. Never raises."""
