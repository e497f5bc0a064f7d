"""Formats whose pairings are known beforehand: one pairing, all against all, one against all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from guncamera_tournament.bouts import Pairing
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats.format import Points, numbered

if TYPE_CHECKING:
    from guncamera_tournament.event import Event

BYE = ""


class Single:
    """Two pilots, one pairing."""

    def faults(self, event: Event) -> Iterator[TournamentError]:
        """It takes two."""
        if len(event.pilots) != 2:
            yield TournamentError(
                f"a single pairing takes 2 pilots, not {len(event.pilots)}; take round-robin.",
                field="format",
            )

    def next_round(
        self, event: Event, before: Sequence[Pairing], _points: Points
    ) -> tuple[Pairing, ...]:
        """The one pairing, once."""
        return () if before else numbered(1, [(event.names[0], event.names[1])])

    def pairings(self, _event: Event) -> int:
        """One."""
        return 1


class RoundRobin:
    """Everyone meets everyone once, in rounds by the circle method."""

    def faults(self, _event: Event) -> Iterator[TournamentError]:
        """None."""
        yield from ()

    def next_round(
        self, event: Event, before: Sequence[Pairing], _points: Points
    ) -> tuple[Pairing, ...]:
        """One pilot stays, the others go round; with an odd number each rests once."""
        names = [*event.names, BYE] if len(event.pilots) % 2 else list(event.names)
        played = max((pairing.round for pairing in before), default=0)
        if played == len(names) - 1:
            return ()
        return numbered(played + 1, circle_round(names, played))

    def pairings(self, event: Event) -> int:
        """Half of all but each with itself."""
        return len(event.pilots) * (len(event.pilots) - 1) // 2


class Gauntlet:
    """The first pilot meets each of the others."""

    def faults(self, _event: Event) -> Iterator[TournamentError]:
        """None."""
        yield from ()

    def next_round(
        self, event: Event, before: Sequence[Pairing], _points: Points
    ) -> tuple[Pairing, ...]:
        """All of it in one round, the first sides in turn."""
        if before:
            return ()
        challenger, *others = event.names
        pairs = [
            (other, challenger) if at % 2 else (challenger, other)
            for at, other in enumerate(others)
        ]
        return numbered(1, pairs)

    def pairings(self, event: Event) -> int:
        """One for each of the others."""
        return len(event.pilots) - 1


def circle_round(names: Sequence[str], at: int) -> list[tuple[str, str]]:
    """One round of the circle method, byes last.

    Round by round each name stands once on either side of those as far apart: sides come out even.

    Args:
        names: An even number; the last one stays in its place.
        at: The round, from 0.
    """
    *circle, fixed = names
    size = len(circle)
    last = circle[at % size]
    pairs = [(last, fixed) if at % 2 else (fixed, last)]
    for apart in range(1, len(names) // 2):
        one, other = circle[(at + apart) % size], circle[(at - apart) % size]
        pairs.append((one, other))
    byes = [(one or other, BYE) for one, other in pairs if BYE in (one, other)]
    return [pair for pair in pairs if BYE not in pair] + byes
