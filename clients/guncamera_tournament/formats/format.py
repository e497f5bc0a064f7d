"""What a format is: from what was played, who meets in the next round. No state, no chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from guncamera_tournament.bouts import Pairing
from guncamera_tournament.faults import TournamentError

if TYPE_CHECKING:
    from guncamera_tournament.event import Event

Points = Mapping[tuple[int, int], Mapping[str, float]]
"""By round and number of each pairing that was played, the points of each of its pilots."""


class Format(Protocol):
    """Pairs pilots, round by round."""

    def faults(self, event: Event, /) -> Iterator[TournamentError]:
        """What of an event this format cannot do."""

    def next_round(
        self, event: Event, before: Sequence[Pairing], points: Points, /
    ) -> tuple[Pairing, ...]:
        """The pairings of the next round; none when the event is over.

        Args:
            before: All pairings of earlier rounds, in order.
            points: What came of them; every one but byes is there.
        """

    def pairings(self, event: Event, /) -> int:
        """How many pairings there will be, byes left out; for a progress bar."""


def numbered(number_of_round: int, pairs: Sequence[tuple[str, str]]) -> tuple[Pairing, ...]:
    """The pairings of a round."""
    return tuple(
        Pairing(number_of_round, number, first, second)
        for number, (first, second) in enumerate(pairs, start=1)
    )
