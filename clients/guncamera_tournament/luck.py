"""Luck: what the dice of an event came to, against what they were to be expected to.

Every film is played again by the pure rules. Where dice decided how much a pilot did to its enemy,
the exact odds of the same ruling on the same facts say what it could hope for; the difference from
what it rolled is luck, good or bad, and so many standard deviations of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from guncamera_tournament.figure import Figure
from guncamera_tournament.record import BoardRecord, GameRecord
from guncamera_tournament.rules_at_hand import Ruled, expectation, replayed
from guncamera_tournament.stock import figure_of

MOST_FILMS = 100
"""So many films are looked at, spread over the event; of longer events luck is a sample."""


@dataclass(frozen=True, slots=True)
class PilotLuck:
    """One pilot's dice.

    Attributes:
        rulings: In which dice decided.
        expected, rolled: In the figure's unit, over all of them.
        deviation: The standard deviation of what could have been rolled.
    """

    pilot: str
    rulings: int
    expected: float
    rolled: int
    deviation: float

    @property
    def difference(self) -> float:
        """Above 0 is good luck."""
        return self.rolled - self.expected

    @property
    def z(self) -> float:
        """The difference in standard deviations; beyond 2 either way is rare."""
        return self.difference / self.deviation if self.deviation else 0.0

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        rounded = {name: round(value, 4) if isinstance(value, float) else value
                   for name, value in asdict(self).items()}  # fmt: skip
        return {**rounded, "difference": round(self.difference, 4), "z": round(self.z, 4)}


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of an event.

    Attributes:
        films, of: How many films were looked at, of how many.
        too_long: Rulings whose exact odds would have taken too long; they are left out.
    """

    unit: str
    pilots: tuple[PilotLuck, ...]
    films: int
    of: int
    too_long: int

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "unit": self.unit,
            "films": self.films,
            "of": self.of,
            "too_long": self.too_long,
            "pilots": [one.to_plain() for one in self.pilots],
        }


@dataclass(slots=True)
class _Sum:
    rulings: int = 0
    expected: float = 0.0
    rolled: int = 0
    variance: float = 0.0


def luck_of(
    folder: Path,
    names: Sequence[str],
    records: Iterable[GameRecord],
    most: int = MOST_FILMS,
    variant: str = "",
) -> Luck | None:
    """The luck of an event's pilots; None where there are no films, or the figure is not known.

    Args:
        most: Films to look at; if there are more, they are taken at equal distances.
        variant: The text of the variant's file that was played by; empty without one.

    Raises:
        LookupError: A film was made under other rules than this package has.
    """
    games = list(records)
    boards = [board for game in games for board in game.boards if board.film]
    figure = figure_of(games[0].ruleset) if games else None
    if figure is None or not boards or most < 1:
        return None
    step = max(math.ceil(len(boards) / most), 1)
    looked_at = boards[::step]
    sums, too_long = {name: _Sum() for name in names}, 0
    for board in looked_at:
        too_long += _add(sums, folder / board.film, board, figure, variant)
    pilots = tuple(
        PilotLuck(name, one.rulings, one.expected, one.rolled, math.sqrt(one.variance))
        for name, one in sums.items()
    )
    return Luck(figure.unit, pilots, len(looked_at), len(boards), too_long)


def _add(
    sums: Mapping[str, _Sum], film: Path, board: BoardRecord, figure: Figure, variant: str
) -> int:
    """Add a board's luck; how many rulings were left out."""
    too_long = 0
    for ruled in replayed(film.read_bytes(), variant):
        rolled = figure.of(ruled.outcome) if ruled.verb == figure.verb and ruled.dice else None
        if rolled is None:
            continue
        odds = _odds(ruled, figure)
        if odds is None:
            too_long += 1
            continue
        one = sums[board.seats[figure.whose(ruled.facts, ruled.seat)]]
        one.rulings += 1
        one.expected += odds[0]
        one.variance += odds[1]
        one.rolled += rolled
    return too_long


@lru_cache(maxsize=16_384)
def _odds(ruled: Ruled, figure: Figure) -> tuple[float, float] | None:
    """Mean and variance of a figure. Rulings on equal facts are equal."""
    return expectation(ruled, lambda outcome: figure.of(outcome) or 0)
