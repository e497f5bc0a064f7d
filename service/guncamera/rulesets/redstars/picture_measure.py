"""Where things go in the picture so that they do not cover each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import cos, hypot, pi, sin

from guncamera.rules.svg import Point

PICTURE_WIDTH, MARGIN = 360, 6
INNER_WIDTH = PICTURE_WIDTH - 2 * MARGIN


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, by its middle and half its sides."""

    middle: Point
    half_width: float
    half_height: float

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        wide = self.half_width + other.half_width - abs(self.middle.x - other.middle.x)
        high = self.half_height + other.half_height - abs(self.middle.y - other.middle.y)
        return max(wide, 0.0) * max(high, 0.0)


@dataclass(slots=True)
class Room:
    """What is drawn already in a rectangle, with what it costs to cover it."""

    bounds: Box
    taken: list[tuple[Box, float]] = field(default_factory=list)

    def take(self, at: Point, half_width: float, half_height: float, cost: float = 1.0) -> None:
        """Note that something is there."""
        self.taken.append((Box(at, half_width, half_height), cost))

    def beside(
        self,
        at: Point,
        radius: float,
        half_width: float,
        half_height: float,
        *,
        farthest: float = 64,
    ) -> Point:
        """The best middle for a box beside something round, as near as the room allows."""
        found: list[tuple[float, int, Point]] = []
        for nth, (reach, spot) in enumerate(_around(at, radius, half_width, half_height)):
            if reach > farthest:
                break
            kept = self._kept(spot, half_width + 2, half_height + 2)
            box = Box(kept, half_width + 1, half_height + 1)
            covered = sum(box.overlap(other) * cost for other, cost in self.taken)
            found.append((covered + 3 * reach, nth, kept))
        return min(found, key=lambda one: one[:2])[2]

    def _kept(self, at: Point, x: float, y: float) -> Point:
        left, top = self.bounds.half_width - x, self.bounds.half_height - y
        middle = self.bounds.middle
        return Point(
            min(max(at.x, middle.x - left), middle.x + left),
            min(max(at.y, middle.y - top), middle.y + top),
        )


def _around(
    at: Point, radius: float, half_width: float, half_height: float
) -> Iterator[tuple[float, Point]]:
    for reach in (0.0, 10.0, 24.0, 42.0, 64.0):
        for sixteenth in range(16):
            turn = 2 * pi * sixteenth / 16
            x, y = cos(turn), sin(turn)
            extent = 1 / max(abs(x) / half_width, abs(y) / half_height, 1e-9)
            away = radius + 3 + extent + reach
            yield reach, Point(at.x + x * away, at.y + y * away)


def toward(start: Point, end: Point, length: float) -> Point:
    """The place so far from a start on the way to an end."""
    whole = hypot(end.x - start.x, end.y - start.y) or 1.0
    return Point(
        start.x + (end.x - start.x) * length / whole, start.y + (end.y - start.y) * length / whole
    )


def apart(one: Point, other: Point) -> float:
    """How far two places are from each other."""
    return hypot(one.x - other.x, one.y - other.y)
