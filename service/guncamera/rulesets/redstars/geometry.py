"""The geometry of discs, in whole numbers only, so that a replay is equal to the byte.

Positions are thousandths of an inch, headings degrees clockwise from north and multiples of 5. A
step along a heading is rounded to a whole thousandth once, when a disc is laid; arcs and ranges
are then compared exactly, with a tolerance that covers the roundings of a game.
"""

from __future__ import annotations

from math import isqrt

from guncamera.rulesets.redstars.aircraft import Position
from guncamera.rulesets.redstars.outcomes import Arc
from guncamera.rulesets.redstars.settings import RedstarsSettings

MILS = 1_000
STEP_DEGREES = 5
TOLERANCE_MILS = 5
"""Edges are inclusive: a center this far over an edge still lies on it."""

SCALE = 1_000_000_000
SINES = (
    0,
    87_155_743,
    173_648_178,
    258_819_045,
    342_020_143,
    422_618_262,
    500_000_000,
    573_576_436,
    642_787_610,
    707_106_781,
    766_044_443,
    819_152_044,
    866_025_404,
    906_307_787,
    939_692_621,
    965_925_826,
    984_807_753,
    996_194_698,
    1_000_000_000,
)
"""Sines of 0 to 90 degrees by five, scaled."""


def sine(degrees: int) -> int:
    """The sine of a multiple of five degrees, scaled."""
    turned = degrees % 360
    if turned > 180:
        return -sine(turned - 180)
    return SINES[min(turned, 180 - turned) // STEP_DEGREES]


def cosine(degrees: int) -> int:
    """The cosine of a multiple of five degrees, scaled."""
    return sine(degrees + 90)


def _rounded(scaled: int) -> int:
    """A scaled length to whole mils, halves away from zero."""
    half = SCALE // 2
    return (scaled + half) // SCALE if scaled >= 0 else -((-scaled + half) // SCALE)


def stepped(x_mils: int, y_mils: int, heading_degrees: int, mils: int) -> tuple[int, int]:
    """The center so many mils away along a heading."""
    return (
        x_mils + _rounded(mils * sine(heading_degrees)),
        y_mils + _rounded(mils * cosine(heading_degrees)),
    )


def squared_distance(a: Position, b: Position) -> int:
    """Square of the flat distance between two centers."""
    return (a.x_mils - b.x_mils) ** 2 + (a.y_mils - b.y_mils) ** 2


def range_mils(a: Position, b: Position) -> int:
    """Flat distance between two centers, rounded to the nearest mil. Altitude is not added."""
    squared = squared_distance(a, b)
    root = isqrt(squared)
    return root + (squared - root * root > root)


def coincide(a: Position, b: Position) -> bool:
    """Whether two centers are the same but for roundings: neither has a bearing off the other."""
    return within(a, b, 0)


def within(a: Position, b: Position, mils: int) -> bool:
    """Whether two centers are at most so far apart, the edge included."""
    return squared_distance(a, b) <= (mils + TOLERANCE_MILS) ** 2


def _ahead_and_aside(of: Position, other: Position) -> tuple[int, int]:
    """Scaled distances of the other along the nose (ahead positive) and across it (right)."""
    dx, dy = other.x_mils - of.x_mils, other.y_mils - of.y_mils
    s, c = sine(of.heading_degrees), cosine(of.heading_degrees)
    return dx * s + dy * c, dx * c - dy * s


def within_bearing(of: Position, other: Position, half_degrees: int) -> bool:
    """Whether the other lies within so many degrees either side of the nose, edges included.

    Coincident centers lie dead ahead of each other.

    Args:
        half_degrees: 90 at most.
    """
    if coincide(of, other):
        return True
    ahead, aside = _ahead_and_aside(of, other)
    if ahead < 0 and half_degrees < 90:
        return False
    # The distance over the arc's edge, across it; inside the arc it is negative.
    over = abs(aside) * cosine(half_degrees) - ahead * sine(half_degrees)
    return over <= TOLERANCE_MILS * SCALE * SCALE


def astern(position: Position) -> Position:
    """The same center, heading the other way: what lies ahead of it lies in the rear."""
    return Position(
        position.x_mils,
        position.y_mils,
        (position.heading_degrees + 180) % 360,
        position.altitude,
    )


def in_rear(of: Position, other: Position, half_degrees: int) -> bool:
    """Whether the other lies within so many degrees of the tail; coincident centers do not."""
    if coincide(of, other):
        return False
    return within_bearing(astern(of), other, half_degrees)


def arc_of(of: Position, other: Position, settings: RedstarsSettings) -> Arc:
    """The arc in which the other lies."""
    if within_bearing(of, other, settings.gun_half_arc):
        return Arc.FORWARD
    return Arc.REAR if in_rear(of, other, settings.rear_half_arc) else Arc.SIDE


def bearing_degrees(of: Position, other: Position) -> int:
    """Bearing off the nose to the nearest five degrees, -175 to 180, right positive.

    For people to read; rules compare arcs exactly. Coincident centers lie at 0.
    """
    if coincide(of, other):
        return 0
    ahead, aside = _ahead_and_aside(of, other)
    nearest = max(range(0, 360, STEP_DEGREES), key=lambda b: ahead * cosine(b) + aside * sine(b))
    return nearest if nearest <= 180 else nearest - 360
