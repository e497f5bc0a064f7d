"""Knockout: who loses a pairing is out; the best meet last; who is left over at first rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from guncamera_tournament.bouts import Pairing
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats.format import Points, numbered

if TYPE_CHECKING:
    from guncamera_tournament.event import Event

BYE = ""


class Knockout:
    """A bracket of pilots as entered, the best first; at level points the better one goes on."""

    def faults(self, _event: Event) -> Iterator[TournamentError]:
        """None."""
        yield from ()

    def next_round(
        self, event: Event, before: Sequence[Pairing], points: Points
    ) -> tuple[Pairing, ...]:
        """The winners of neighboring pairings meet."""
        played = max((pairing.round for pairing in before), default=0)
        if not played:
            return numbered(1, first_round(event.names))
        last = [pairing for pairing in before if pairing.round == played]
        winners = [winner_of(event.names, pairing, points) for pairing in last]
        if len(winners) == 1:
            return ()
        pairs = list(zip(winners[::2], winners[1::2]))
        return numbered(played + 1, pairs)

    def pairings(self, event: Event) -> int:
        """Each puts one pilot out, until one is left."""
        return len(event.pilots) - 1


def first_round(names: Sequence[str]) -> list[tuple[str, str]]:
    """The bracket: the two best in different halves, the four best in different quarters.

    Byes go to the best.
    """
    order = [0]
    while len(order) < len(names):
        size = 2 * len(order)
        order = [seed for one in order for seed in (one, size - 1 - one)]
    placed = [names[seed] if seed < len(names) else BYE for seed in order]
    pairs = zip(placed[::2], placed[1::2])
    return [(one, other) if one else (other, BYE) for one, other in pairs]


def winner_of(names: Sequence[str], pairing: Pairing, points: Points) -> str:
    """Who goes on: more points, or at the same the better entered."""
    if pairing.is_bye:
        return pairing.first
    made = points[pairing.round, pairing.number]
    return max(
        (pairing.first, pairing.second), key=lambda name: (made.get(name, 0.0), -names.index(name))
    )
