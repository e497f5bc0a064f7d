"""Where a plot may lead: the ceiling, a barred edge of the map, the way home of a broken pilot.

While plots are counted, a place holds only what can still make a difference: nothing at all for
most aircraft, so that equal ones far from everything are counted once. Rules CIR-3.6, CIR-3.10,
CIR-3.11 and CIR-12.8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from guncamera.rulesets.circus.orders import Edge
from guncamera.rulesets.circus.plot_means import Stop

_STEPS = ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1))
"""Half columns and rows of a hex ahead, by facing."""


class Place(NamedTuple):
    """Where an aircraft is on the way, as far as it matters; None is what does not.

    Attributes:
        half: Half columns from the west edge, from 0.
        row: From the north edge, from 0.
        settled: It is on the ground or off the map, or home is sure: only the ceiling is left.
    """

    half: int | None
    row: int | None
    facing: int | None
    feet: int | None
    settled: bool


NOWHERE = Place(None, None, None, None, settled=True)
"""A place of which nothing matters any more."""


@dataclass(frozen=True, slots=True)
class Home:
    """What a broken pilot's move is held to (CIR-12.8).

    Attributes:
        edge: His friendly edge.
        line: The column or row of the start, from 0.
        nearer: The facings that are nearer to the way home than that of the start.
    """

    edge: Edge
    line: int
    nearer: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What limits the plots of an aircraft where it is.

    Attributes:
        columns, rows: Of the map.
        barred: The edge of the map may not be crossed.
        home: None for a pilot who may fly where he likes.
        ceiling_feet: None if no plot can reach it.
        off_the_ground: Plots are left out whose dives and losses come to the ground, whatever they
            climb; so heights need not be followed closely.
    """

    columns: int
    rows: int
    barred: bool = False
    home: Home | None = None
    ceiling_feet: int | None = None
    off_the_ground: bool = False

    @property
    def is_bound(self) -> bool:
        """Whether it matters over which hexes a plot leads."""
        return self.barred or self.home is not None

    @property
    def needs_heights(self) -> bool:
        """Whether climbs have to be followed hex by hex where heights are followed at all."""
        return not self.off_the_ground or self.ceiling_feet is not None

    def stood(self, place: Place, stop: Stop) -> Place | None:
        """The place after a stop; None if the plot may not lead there."""
        half, row, facing, feet, settled = place
        if feet is not None and stop.feet and (stop.feet < 0 or self.needs_heights):
            feet += stop.feet
            if stop.feet > 0 and self.ceiling_feet is not None and feet > self.ceiling_feet:
                return None
        if settled or facing is None:
            return Place(half, row, facing, feet, settled)
        there = half, row
        for sixths, hexes in stop.moves:
            columns, rows = _STEPS[(facing + sixths) % 6]
            half = None if half is None else half + columns * hexes
            row = None if row is None else row + rows * hexes
            if self._is_off(half, row):
                # The move ends before the act that leads over the edge.
                return None if self.barred else self._over(*there, facing, feet)
        facing = (facing + stop.turn) % 6
        if feet is not None and feet <= 0:
            return None if self.off_the_ground else self._over(half, row, facing, feet)
        return Place(half, row, facing, feet, settled=False)

    def _over(
        self, half: int | None, row: int | None, facing: int, feet: int | None
    ) -> Place | None:
        """A move that is over, which is homeward or not whatever its plot says further."""
        if self._is_home(half, row, facing):
            return Place(None, None, None, feet, settled=True)
        return None

    def _is_off(self, half: int | None, row: int | None) -> bool:
        return (half is not None and not 0 <= half < 2 * self.columns) or (
            row is not None and not 0 <= row < self.rows
        )

    # ---- What still matters

    def reduced(self, place: Place, mp: int, rise_feet: int, fall_feet: int) -> Place:
        """A place without what can make no difference any more.

        Args:
            mp: Movement points that are left.
            rise_feet, fall_feet: No less than what the rest of the plot can climb, and lose.
        """
        half, row, facing, feet, settled = place
        if facing is not None and not settled:
            half, row, facing, settled = self._matters(half, row, facing, mp)
        if settled:
            half = row = facing = None
        if feet is not None:
            ground = facing is not None and feet <= fall_feet
            feet = self._feet(feet, rise_feet, ground=ground)
        return Place(half, row, facing, feet, facing is None)

    def _matters(
        self, half: int | None, row: int | None, facing: int, mp: int
    ) -> tuple[int | None, int | None, int | None, bool]:
        near = self._is_near_an_edge(half, row, mp)
        if self.home is None:
            return (half, row, facing, False) if near else (None, None, None, True)
        if near and self.barred:
            return half, row, facing, False
        ahead = self._ahead(half, row)
        if ahead is not None and ahead > mp:
            return None, None, None, True
        if near:
            return half, row, facing, False
        if ahead is None or ahead <= -mp:
            return None, None, facing, False
        by_row = self.home.edge in (Edge.NORTH, Edge.SOUTH)
        return (None, row, facing, False) if by_row else (half, None, facing, False)

    def _is_near_an_edge(self, half: int | None, row: int | None, mp: int) -> bool:
        if half is not None and (half < 2 * mp or 2 * self.columns - half <= 2 * mp):
            return True
        return row is not None and (row < mp or self.rows - row <= mp)

    def _feet(self, feet: int, rise_feet: int, *, ground: bool) -> int | None:
        if ground:
            return feet
        ceiling = self.ceiling_feet
        if ceiling is None or feet + rise_feet <= ceiling:
            return None
        return feet

    # ---- The way home

    def is_homeward(self, place: Place) -> bool:
        """Whether a move may end there."""
        if self.home is None or place.settled or place.facing is None:
            return True
        return self._is_home(place.half, place.row, place.facing)

    def _is_home(self, half: int | None, row: int | None, facing: int) -> bool:
        if self.home is None:
            return True
        ahead = self._ahead(half, row)
        return facing in self.home.nearer or (ahead is not None and ahead > 0)

    def _ahead(self, half: int | None, row: int | None) -> int | None:
        """Columns or rows nearer to the friendly edge than the start; None: never nearer."""
        if self.home is None:
            return None
        match self.home.edge:
            case Edge.NORTH:
                return None if row is None else self.home.line - row
            case Edge.SOUTH:
                return None if row is None else row - self.home.line
            case Edge.WEST:
                return None if half is None else self.home.line - half // 2
            case Edge.EAST:
                return None if half is None else half // 2 - self.home.line
