"""A torpedo's mean course, far from any edge: exact chains over altitude and speed.

Nothing but the edges depends on where a torpedo is, so its state here is its altitude and its
speed, and each turn is ruled on in the middle of the board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from guncamera.rules.hexes import HexDirection
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Advanced, End, Torpedo
from guncamera.rulesets.kettering.map import half_hexes_east, hex_at, label, row_of
from guncamera.rulesets.kettering.published_turn import (
    advance_odds,
    entry_odds,
    given,
    middle,
    rows_south,
    wind_odds,
)

MAX_TURNS = 60
State = tuple[int, int]
"""Altitude and speed."""


class Step(NamedTuple):
    """One way a turn may go: the state after it, and how far it led."""

    after: State
    south: int
    east: Fraction
    drop: int


class MeanTurn(NamedTuple):
    """The mean of one turn: rows to the south, hexes to the east, metres down."""

    south: Fraction
    east: Fraction
    drop: Fraction


class Drift:
    """Mean courses under one book; each is worked out once, and only as far as it is asked for."""

    def __init__(self, book: KetteringBook) -> None:
        self._book = book
        self._middle = middle(book)
        self.starts = entry_odds(book).outcomes
        self._steps: dict[tuple[HexDirection, State], dict[Step, Fraction]] = {}
        self._turns: dict[tuple[str, str], list[MeanTurn]] = {}
        self._ahead: dict[tuple[str, str], Iterator[MeanTurn]] = {}

    def turn(self, heading: str, altitudes: str, number: int) -> MeanTurn | None:
        """The mean of a turn, the first being 1; None where no such torpedo flies."""
        key = heading, altitudes
        known = self._turns.setdefault(key, [])
        ahead = self._ahead.setdefault(key, self._course(heading, altitudes))
        while len(known) < number:
            one = next(ahead, None)
            if one is None:
                return None
            known.append(one)
        return known[number - 1]

    def mean(self, heading: str, altitudes: str, turns: range) -> MeanTurn | None:
        """The mean of some turns."""
        found = [self.turn(heading, altitudes, number) for number in turns]
        flown = [one for one in found if one is not None]
        if len(flown) < len(found):
            return None
        south, east, drop = (sum(column, Fraction(0)) / len(flown) for column in zip(*flown))
        return MeanTurn(south, east, drop)

    def turns_on_board(self, notation: str, altitudes: str) -> Fraction | None:
        """Turns until the mean course crosses an edge; None where it never does.

        The course runs evenly within a turn. A torpedo in row r is off the board after r rows
        south, and one x hexes from the west edge after `width - x` to the east or `x + 1` to
        the west.
        """
        starts = given(self.starts, notation=notation, altitudes=altitudes)
        if not starts:
            return None
        torpedo = next(iter(starts))
        hex_ = hex_at(torpedo.hex, self._book, "hex")
        x = Fraction(half_hexes_east(hex_), 2)
        south, east = Fraction(row_of(hex_)), self._book.settings.map_width_hexes - x
        west = x + 1
        for number in range(1, MAX_TURNS + 1):
            turn = self.turn(torpedo.heading, altitudes, number)
            if turn is None:
                return None
            parts = [
                left / speed
                for left, speed in ((south, turn.south), (east, turn.east), (west, -turn.east))
                if speed > 0
            ]
            if parts and min(parts) <= 1:
                return number - 1 + min(parts)
            south, east, west = south - turn.south, east - turn.east, west + turn.east
        return None

    def _course(self, heading: str, altitudes: str) -> Iterator[MeanTurn]:
        """Turn by turn, over those that have not crashed."""
        states: dict[State, Fraction] = defaultdict(Fraction)
        for torpedo, p in given(self.starts, heading=heading, altitudes=altitudes).items():
            states[torpedo.altitude_metres, torpedo.speed_mp] += p
        for number in count(1):
            after: dict[State, Fraction] = defaultdict(Fraction)
            south = east = drop = Fraction(0)
            for state, p in states.items():
                for step, q in self._odds(HexDirection(heading), state, first=number == 1).items():
                    after[step.after] += p * q
                    south += p * q * step.south
                    east += p * q * step.east
                    drop += p * q * step.drop
            whole = sum(after.values(), Fraction(0))
            if not whole:
                return
            yield MeanTurn(south / whole, east / whole, drop / whole)
            states = {state: p / whole for state, p in after.items()}

    def _odds(self, heading: HexDirection, state: State, *, first: bool) -> dict[Step, Fraction]:
        """How a turn may go from a state. The first turn has no dice."""
        if first:
            torpedo = self._torpedo(heading, state)
            moved = advance_odds(torpedo, self._book, first_turn=True)
            return {self._step(one, state[0], state[0]): p for one, p in moved.outcomes.items()}
        found = self._steps.get((heading, state))
        if found is None:
            found = self._steps[heading, state] = self._turn(heading, state)
        return found

    def _turn(self, heading: HexDirection, state: State) -> dict[Step, Fraction]:
        """Wind and move of one turn, ruled on in the middle of the board."""
        altitude, speed = state
        found: defaultdict[Step, Fraction] = defaultdict(Fraction)
        torpedo = self._torpedo(heading, state)
        for wind, p in wind_odds(torpedo, self._book).outcomes.items():
            if wind.fate.end != End.FLYING:
                continue
            after = wind.torpedo_altitude_metres
            blown = Torpedo(wind.torpedo_hex, heading, after, speed)
            moved = advance_odds(blown, self._book, wind_mp=wind.torpedo_wind_mp)
            for one, q in moved.outcomes.items():
                found[self._step(one, altitude, after)] += p * q
        return dict(found)

    def _step(self, moved: Advanced, before: int, after: int) -> Step:
        here = hex_at(moved.hex, self._book, "hex")
        half_hexes = half_hexes_east(here) - half_hexes_east(self._middle)
        south = rows_south(self._middle, here)
        return Step((after, moved.speed_mp), south, Fraction(half_hexes, 2), before - after)

    def _torpedo(self, heading: HexDirection, state: State) -> Torpedo:
        return Torpedo(label(self._middle), heading, *state)
