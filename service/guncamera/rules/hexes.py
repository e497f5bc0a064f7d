"""Six-facing hex geometry, in axial coordinates. Rule sets bring their own labels.

Pointy-top hexes: rows run east and west. `q` grows to the east, `r` to the southeast, so that
east is (+1, 0) and southeast is (0, +1). Facings count counter-clockwise from east.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HexDirection(StrEnum):
    """The six directions, counter-clockwise from east."""

    EAST = "east"
    NORTHEAST = "northeast"
    NORTHWEST = "northwest"
    WEST = "west"
    SOUTHWEST = "southwest"
    SOUTHEAST = "southeast"

    @property
    def facing(self) -> int:
        """0 to 5, counter-clockwise from east."""
        return _ORDER[self]

    def turned(self, sixths: int) -> HexDirection:
        """The direction after a turn by sixths of a circle; to the left is positive."""
        return DIRECTIONS[(self.facing + sixths) % 6]

    def opposite(self) -> HexDirection:
        """The direction behind."""
        return self.turned(3)


DIRECTIONS: tuple[HexDirection, ...] = tuple(HexDirection)
_ORDER = {direction: facing for facing, direction in enumerate(DIRECTIONS)}
_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """One hex, axial."""

    q: int
    r: int

    def step(self, direction: HexDirection, hexes: int = 1) -> Hex:
        """The hex so many hexes away in a direction (backwards when negative)."""
        dq, dr = _STEPS[direction.facing]
        return Hex(self.q + dq * hexes, self.r + dr * hexes)

    def neighbours(self) -> tuple[Hex, ...]:
        """The six hexes around, in the order of the directions."""
        return tuple(self.step(direction) for direction in DIRECTIONS)

    def distance(self, other: Hex) -> int:
        """Hexes between two centres along the shortest path."""
        dq, dr = other.q - self.q, other.r - self.r
        return max(abs(dq), abs(dr), abs(dq + dr))

    def bearing(self, other: Hex) -> HexDirection | None:
        """The direction in which `other` lies on a straight row of hexes, or None."""
        dq, dr = other.q - self.q, other.r - self.r
        hexes = self.distance(other)
        if hexes == 0:
            return None
        for direction, (sq, sr) in zip(DIRECTIONS, _STEPS):
            if (dq, dr) == (sq * hexes, sr * hexes):
                return direction
        return None

    def rotated(self, sixths: int) -> Hex:
        """Turned about the origin, counter-clockwise by sixths of a circle."""
        q, r = self.q, self.r
        for _ in range(sixths % 6):
            q, r = q + r, -q
        return Hex(q, r)

    def mirrored(self) -> Hex:
        """Reflected in the east-west line through the origin."""
        return Hex(self.q + self.r, -self.r)


def mirrored(direction: HexDirection) -> HexDirection:
    """A direction reflected in the east-west line."""
    return DIRECTIONS[-direction.facing % 6]


def in_forward_arc(origin: Hex, facing: HexDirection, target: Hex) -> bool:
    """Whether the target lies in the 120-degree arc ahead, its edges included."""
    turned = Hex(target.q - origin.q, target.r - origin.r).rotated(-facing.facing)
    # Facing east the arc runs from northeast to southeast: x >= |y| tan 30 in plain geometry.
    return turned != Hex(0, 0) and turned.q >= 0 and turned.q + turned.r >= 0
