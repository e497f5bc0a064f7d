"""Laying movement discs: the code of each maneuver, and where its discs come to lie. Chapter 3.

A code has one letter for each disc. F lies straight ahead; L and R lie on the side mark and the
facing follows; l and r lie on the side mark and the facing is kept. The table `maneuvers` has them.
"""

from __future__ import annotations

from collections.abc import Mapping

from guncamera.rulesets.redstars.aircraft import Maneuver, Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.geometry import stepped

EXTREME = (Maneuver.IMMELMANN, Maneuver.SPLIT_S)
HARD = (Maneuver.HARD_LEFT, Maneuver.HARD_RIGHT)
TIGHT = (Maneuver.LEFT, Maneuver.RIGHT, Maneuver.LATE_LEFT, Maneuver.LATE_RIGHT)
AFTER_MISSED_RAM = (
    Maneuver.STRAIGHT,
    Maneuver.LATE_LEFT,
    Maneuver.LATE_RIGHT,
    Maneuver.SHIFT_LEFT,
    Maneuver.SHIFT_RIGHT,
)
_SIDES = {"L": -1, "l": -1, "R": 1, "r": 1, "F": 0}


def fewest_discs(maneuver: Maneuver, book: RedstarsBook) -> int:
    """Discs that a maneuver needs (RED-3.3)."""
    return max(len(_pattern(maneuver, book)) - 1, 1)


def codes_of(maneuver: Maneuver, discs: int, book: RedstarsBook) -> str:
    """A letter for each disc of a maneuver (RED-3.3); `discs` is at least its fewest."""
    if maneuver in EXTREME and book.settings.extreme_discs == "one":
        discs = 1
    pattern = _pattern(maneuver, book)
    return pattern.replace("*", "F" * (discs - len(pattern) + 1))


def _pattern(maneuver: Maneuver, book: RedstarsBook) -> str:
    return str(book.tables["maneuvers"].cell(maneuver.value, "discs"))


def laid(
    start: Position, codes: str, tweaks: Mapping[int, int], book: RedstarsBook
) -> tuple[Position, ...]:
    """Where each disc comes to lie; altitude is kept.

    Args:
        tweaks: Degrees by disc, counted from 1; left is negative.
    """
    step, mils = 360 // book.settings.points, book.settings.disc_mils
    x, y, heading = start.x_mils, start.y_mils, start.heading_degrees
    discs = []
    for number, code in enumerate(codes, start=1):
        aside = _SIDES[code] * step
        x, y = stepped(x, y, heading + aside, mils)
        turned = aside if code.isupper() else 0
        heading = (heading + turned + tweaks.get(number, 0)) % 360
        discs.append(Position(x, y, heading, start.altitude))
    return tuple(discs)


def reversed_facing(position: Position) -> Position:
    """The same disc, facing the other way."""
    heading = (position.heading_degrees + 180) % 360
    return Position(position.x_mils, position.y_mils, heading, position.altitude)
