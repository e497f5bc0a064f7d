"""Where things go so that they do not cover each other: aircraft in one hex, and their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import cos, hypot, pi, sin

from guncamera.rules.hexes import Hex
from guncamera.rules.svg import Point
from guncamera.rulesets.circus.picture_map import Window

DIRECTIONS, REACHES = 16, (0.0, 10.0, 22.0, 38.0, 58.0)
REACH_COST, CENTRE_COST = 1.6, 0.02
PIECE_COST, CHIP_COST, COUNT_COST, DOT_COST, LABEL_COST = 3.0, 5.0, 4.0, 1.2, 0.25
DOT_HALF = 4.0
GAP = 3.0
PUSHES, SAME_HEX_SHARE = 24, 0.75


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
        if wide <= 0 or high <= 0:
            return 0
        return min(wide, 2 * min(self.half_width, other.half_width)) * min(
            high, 2 * min(self.half_height, other.half_height)
        )


@dataclass(slots=True)
class Room:
    """What is already drawn in a window, with what it costs to cover it."""

    window: Window
    taken: list[tuple[Box, float]] = field(default_factory=list)

    def take(self, box: Box, cost: float) -> None:
        """Note that something is there."""
        self.taken.append((box, cost))

    def dot(self, at: Point) -> None:
        """Note that a small thing is there."""
        self.take(Box(at, DOT_HALF, DOT_HALF), DOT_COST)

    def is_free(self, box: Box) -> bool:
        """Whether nothing is there."""
        return not any(box.overlap(other) for other, _ in self.taken)

    def beside(self, at: Point, radius: float, half_width: float, half_height: float) -> Point:
        """The best middle for a box beside something round, as near as the room allows."""
        found: list[tuple[float, int, Point]] = []
        for nth, (reach, spot) in enumerate(_around(at, radius, half_width, half_height)):
            spot = self.window.kept(spot, half_width + 2, half_height + 2)
            box = Box(spot, half_width, half_height)
            covered = sum(box.overlap(other) * cost for other, cost in self.taken)
            found.append((covered + REACH_COST * reach, nth, spot))
        return min(found)[2]


def _around(
    at: Point, radius: float, half_width: float, half_height: float
) -> Iterator[tuple[float, Point]]:
    """Middles in all directions, near ones first; how far beyond the nearest each is."""
    for reach in REACHES:
        for sixteenth in range(DIRECTIONS):
            turn = 2 * pi * sixteenth / DIRECTIONS
            along_x, along_y = cos(turn), sin(turn)
            # The box's own extent in that direction, so that it just clears the round thing.
            extent = 1 / max(abs(along_x) / half_width, abs(along_y) / half_height, 1e-9)
            away = radius + GAP + extent + reach
            yield reach, Point(at.x + along_x * away, at.y + along_y * away)


def spread(hexes: Sequence[Hex], window: Window, size: float) -> list[Point]:
    """Where the aircraft on some hexes are drawn: so far apart that each can be seen."""
    places = []
    for nth, hex_ in enumerate(hexes):
        at, turn = window.centre(hex_), 2 * pi * nth / len(hexes) + pi
        # A hair's breadth aside, so that two in one hex are pushed apart and not on together.
        places.append(Point(at.x + cos(turn) * 0.1, at.y + sin(turn) * 0.1))
    for _ in range(PUSHES):
        for one, other in combinations(range(len(places)), 2):
            least = size * SAME_HEX_SHARE if hexes[one] == hexes[other] else size
            lacking = least - apart(places[one], places[other])
            if lacking > 0:
                start, end = places[one], places[other]
                places[one] = toward(start, end, -lacking / 2)
                places[other] = toward(end, start, -lacking / 2)
    return places


def toward(start: Point, end: Point, length: float) -> Point:
    """The place so far from a start on the way to an end."""
    whole = hypot(end.x - start.x, end.y - start.y) or 1.0
    return Point(
        start.x + (end.x - start.x) * length / whole, start.y + (end.y - start.y) * length / whole
    )


def aside(start: Point, end: Point, length: float) -> tuple[Point, Point]:
    """A line moved to its left by so much."""
    whole = hypot(end.x - start.x, end.y - start.y) or 1.0
    dx, dy = (end.y - start.y) * length / whole, (start.x - end.x) * length / whole
    return Point(start.x + dx, start.y + dy), Point(end.x + dx, end.y + dy)


def apart(one: Point, other: Point) -> float:
    """How far two places are from each other."""
    return hypot(one.x - other.x, one.y - other.y)


def dots_between(start: Point, end: Point, every: float) -> Iterable[Point]:
    """Places along a line."""
    whole = apart(start, end)
    return (toward(start, end, every * n) for n in range(1, int(whole / every) + 1))
