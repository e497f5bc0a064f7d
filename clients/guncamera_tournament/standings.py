"""The table of an event: who has won how often. Ratings are made from the same games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from guncamera_tournament.record import GameRecord


@dataclass(slots=True)
class Standing:
    """One pilot's row.

    Attributes:
        bouts: How many it played.
        won, drawn, lost: Of these.
        forfeits: Of those lost, by its own misconduct.
        points: One for each won, half for each drawn.
    """

    name: str
    bouts: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeits: int = 0
    points: float = 0.0

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def standings(names: Sequence[str], records: Iterable[GameRecord]) -> list[Standing]:
    """Every pilot's row, the most points first, then as entered."""
    rows = {name: Standing(name) for name in names}
    for record in records:
        for name in record.pilots:
            row, points = rows[name], record.points[name]
            row.bouts += 1
            row.won += points == 1.0
            row.drawn += points == 0.5
            row.lost += points == 0.0
            row.forfeits += name in record.losers
            row.points += points
    return sorted(rows.values(), key=lambda row: -row.points)
