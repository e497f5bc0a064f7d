"""Turns on the board in full: chains over hex, altitude and speed, edges and all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import End, Torpedo
from guncamera.rulesets.kettering.map import all_hexes, hex_at, label
from guncamera.rulesets.kettering.published_turn import advance_odds, middle, wind_odds

LEFT_OVER = 1e-7
"""The share of torpedoes at which a chain stops."""
FAINT = 3e-10
"""States of a smaller share are dropped; with what is left over, a mean moves by less than 0.0001
turns (measured: 0.00003), and takes two thirds of the time."""
MAX_TURNS = 80
ANY_ALTITUDE_METRES = 1_000
ANY_SPEED = 4
State = tuple[int, int, int, int]
"""The hex (q and r), altitude and speed."""


class Blown(NamedTuple):
    """What the wind may do: hexes by q and r, the altitude after, the points it adds."""

    q: int
    r: int
    altitude: int
    wind_mp: int
    flies: bool
    p: float


class Moved(NamedTuple):
    """What a move may do: hexes by q and r, the speed, and the part of the move on the board."""

    q: int
    r: int
    speed: int
    part: float
    flies: bool
    p: float


class Crossing:
    """Flights of torpedoes of one heading under one book.

    The rules are asked once in the middle of the board, and again in place wherever an outcome
    would lead off the board. Wind does not look at the speed, nor the move at the altitude.
    """

    def __init__(self, heading: HexDirection, book: KetteringBook) -> None:
        self._heading = heading
        self._book = book
        self._middle = middle(book)
        self._board = {(hex_.q, hex_.r) for hex_ in all_hexes(book)}
        self._inner_winds: dict[int, list[Blown]] = {}
        self._inner_moves: dict[tuple[int, int], list[Moved]] = {}
        self._winds: dict[tuple[int, int, int], list[Blown]] = {}
        self._moves: dict[tuple[int, int, int, int], list[Moved]] = {}

    def mean_turns(self, starts: Mapping[Torpedo, Fraction]) -> float | None:
        """Mean turns until exit or crash, the last turn counted as far as it was flown.

        None where the torpedoes do not leave.
        """
        states: dict[State, float] = defaultdict(float)
        for torpedo, p in starts.items():
            start = hex_at(torpedo.hex, self._book, "hex")
            for one in self._ruled_move(start, torpedo.speed_mp, 0, first_turn=True):
                state = start.q + one.q, start.r + one.r, torpedo.altitude_metres, one.speed
                states[state] += float(p) * one.p
        turns = 0.0
        for number in range(1, MAX_TURNS):
            left = sum(states.values())
            if left < LEFT_OVER:
                return turns / (1 - left)
            states, ended = self._turn(states, number)
            turns += ended
        return None

    def _turn(self, states: dict[State, float], before: int) -> tuple[dict[State, float], float]:
        """One turn of all: the states after it, and the turns of those that ended, weighted."""
        ended = 0.0
        blown: dict[tuple[int, int, int, int, int], float] = defaultdict(float)
        for (q, r, altitude, speed), p in states.items():
            for dq, dr, after, wind_mp, flies, share in self._wind(q, r, altitude):
                if flies:
                    blown[q + dq, r + dr, after, speed, wind_mp] += p * share
                else:
                    ended += p * share * before
        left: dict[State, float] = defaultdict(float)
        for (q, r, altitude, speed, wind_mp), p in blown.items():
            for dq, dr, now, part, flies, share in self._move(q, r, speed, wind_mp):
                if flies:
                    left[q + dq, r + dr, altitude, now] += p * share
                else:
                    ended += p * share * (before + part)
        return {state: p for state, p in left.items() if p >= FAINT}, ended

    def _wind(self, q: int, r: int, altitude: int) -> list[Blown]:
        found = self._winds.get((q, r, altitude))
        if found is None:
            inner = self._inner_winds.get(altitude)
            if inner is None:
                inner = self._inner_winds[altitude] = self._ruled_wind(self._middle, altitude)
            inside = all((q + one.q, r + one.r) in self._board for one in inner)
            found = inner if inside else self._ruled_wind(Hex(q, r), altitude)
            self._winds[q, r, altitude] = found
        return found

    def _move(self, q: int, r: int, speed: int, wind_mp: int) -> list[Moved]:
        found = self._moves.get((q, r, speed, wind_mp))
        if found is None:
            inner = self._inner_moves.get((speed, wind_mp))
            if inner is None:
                inner = self._ruled_move(self._middle, speed, wind_mp)
                self._inner_moves[speed, wind_mp] = inner
            inside = all((q + one.q, r + one.r) in self._board for one in inner)
            found = inner if inside else self._ruled_move(Hex(q, r), speed, wind_mp)
            self._moves[q, r, speed, wind_mp] = found
        return found

    def _ruled_wind(self, at: Hex, altitude: int) -> list[Blown]:
        torpedo = Torpedo(label(at), self._heading, altitude, ANY_SPEED)
        found = []
        for wind, p in wind_odds(torpedo, self._book).outcomes.items():
            to = hex_at(wind.torpedo_hex, self._book, "hex")
            flies = wind.fate.end == End.FLYING
            after, points = wind.torpedo_altitude_metres, wind.torpedo_wind_mp
            found.append(Blown(to.q - at.q, to.r - at.r, after, points, flies, float(p)))
        return found

    def _ruled_move(
        self, at: Hex, speed: int, wind_mp: int, *, first_turn: bool = False
    ) -> list[Moved]:
        torpedo = Torpedo(label(at), self._heading, ANY_ALTITUDE_METRES, speed)
        moved = advance_odds(torpedo, self._book, wind_mp=wind_mp, first_turn=first_turn)
        found = []
        for one, p in moved.outcomes.items():
            to = hex_at(one.hex, self._book, "hex")
            flies = one.fate.end == End.FLYING
            part = 1.0 if flies else (at.distance(to) + 1) / one.spent_mp
            found.append(Moved(to.q - at.q, to.r - at.r, one.speed_mp, part, flies, float(p)))
        return found
