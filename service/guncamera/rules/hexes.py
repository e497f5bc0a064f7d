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
