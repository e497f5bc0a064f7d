"""Which flight the stock pilot chooses: a shot, a place to shoot from next turn, or the way there.

All end states are seen from the aircraft as it stands, facing east, until one is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from math import atan2, pi, sqrt

from guncamera.rules.hexes import DIRECTIONS, Hex
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.courses import Ending, Handling, from_origin, placed, seen_from
from guncamera.rulesets.kettering.facts import Aircraft, Plot, Torpedo
from guncamera.rulesets.kettering.limits import Limits
from guncamera.rulesets.kettering.map import hex_at
from guncamera.rulesets.kettering.path import walk
from guncamera.rulesets.kettering.pilot_aim import (
    Weather,
    abilities,
    aims,
    bare,
    expected,
    flown,
    weathers,
)

TURNS_AHEAD = 3
"""Turns after this one whose shots count."""
SHORTLIST = 32
"""End states that are looked at in full where no shot can be flown to."""
SPARE_MP = 3
"""Points by which the way to the torpedo should fall short of a turn's, to have a choice there."""
FAR_TURNS = 12
"""Turns after which the torpedo is gone; a way that takes longer is not told apart."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the pilot sees, once for all that is tried."""

    aircraft: Aircraft
    start: Hex
    torpedo: Torpedo
    target: Hex
    limits: Limits
    handling: Handling
    weathers: tuple[Weather, ...]
    book: KetteringBook


@dataclass(frozen=True, slots=True)
class Choice:
    """A flight, as good as `score`."""

    score: float
    plot: Plot


def choose_flight(aircraft: Aircraft, torpedo: Torpedo, book: KetteringBook) -> Plot | None:
    """The flight of the stock pilot; None where it sees none that stays on the board."""
    limits, able = abilities(bare(aircraft, book), book)
    target = hex_at(torpedo.hex, book, "flight.torpedo_hex")
    seen = Situation(
        aircraft=aircraft,
        start=hex_at(aircraft.hex, book, "flight.aircraft.hex"),
        torpedo=torpedo,
        target=target,
        limits=limits,
        handling=able,
        weathers=tuple(weathers(torpedo, target, book)),
        book=book,
    )
    shot = max(_shots(seen), key=lambda choice: choice.score, default=None)
    if shot is not None:
        return shot.plot
    place = max(_places(seen), key=lambda choice: choice.score, default=None)
    return None if place is None else place.plot


def _shots(seen: Situation) -> Iterator[Choice]:
    """Flights that end in a shot: its chance, and that of the next if it misses."""
    aircraft, torpedo, book = seen.aircraft, seen.torpedo, seen.book
    facing = aircraft.facing.facing
    q, r = seen_from(seen.start, facing, seen.target)
    toward = (torpedo.heading.facing - facing) % 6
    climb = torpedo.altitude_metres - aircraft.altitude_metres
    for aim in aims(bare(aircraft, book), q, r, toward, climb, torpedo.speed_mp, book):
        if _stays(seen, aim.path):
            later = _later(seen, aim.end, aim.speed_mp, aim.change_metres)
            score = aim.worth + (1 - aim.chance) * later
            plot = Plot(aim.speed_mp, aim.change_metres, aim.bonus_hexes, aim.path)
            yield Choice(score, plot)


def _stays(seen: Situation, path: str) -> bool:
    """Whether a path stays on the board and ends off the torpedo's hex."""
    led = walk(seen.start, seen.aircraft.facing, path.split(), seen.book)
    return not led.left_board and led.hex != seen.target


def _later(seen: Situation, end: Ending, speed: int, change: int) -> float:
    q, r, facing, _ = placed(end, seen.start, seen.aircraft.facing.facing)
    altitude = seen.limits.altitude_after(seen.aircraft.altitude_metres, change)
    after = flown(seen.aircraft, DIRECTIONS[facing], speed, change, altitude)
    return expected(after, Hex(q, r), seen.torpedo.heading, seen.weathers, TURNS_AHEAD, seen.book)


def _places(seen: Situation) -> Iterator[Choice]:
    """The flights of the shortlist, by next turn's best shot and then by the way still to go."""
    able, change = seen.handling, _toward_level(seen)
    bonus = seen.limits.bonuses(change, seen.book)[0]
    turns = _turns_to_meet(seen)
    facing = seen.aircraft.facing.facing
    goal = seen_from(seen.start, facing, _mean_position(seen, turns))
    toward = (seen.torpedo.heading.facing - facing) % 6
    cost = able.turns[0][2] if able.turns else 1
    spare = seen.limits.fastest - SPARE_MP if turns == 1 else 0
    found = [
        (abs(_way_to_go(end, goal, toward, cost) - spare), speed, end, path)
        for speed in range(seen.limits.slowest, seen.limits.fastest + 1)
        for end, path in from_origin(able, speed + bonus, speed if able.hexes_only else 0).items()
    ]
    short = nsmallest(4 * SHORTLIST, found, key=lambda f: f[:3])
    kept = [f for f in short if _stays(seen, f[3])][:SHORTLIST]
    for way, speed, end, path in kept:
        later = _later(seen, end, speed, change)
        yield Choice(later - way / 1_000, Plot(speed, change, bonus, path))


def _toward_level(seen: Situation) -> int:
    """The change of altitude that comes nearest to the torpedo's, without an overdive."""
    limits = seen.limits
    wanted = seen.torpedo.altitude_metres - seen.aircraft.altitude_metres
    lowest = max(limits.lowest_change, -limits.dive_limit_metres)
    safe = [c for c in limits.changes() if c >= lowest] or [limits.highest_change]
    return min(safe, key=lambda c: abs(c - wanted))


def _turns_to_meet(seen: Situation) -> int:
    """Turns after this one until the torpedo can be reached, flying as fast as now."""
    fastest = seen.limits.fastest
    for turns in range(1, FAR_TURNS):
        if seen.start.distance(_mean_position(seen, turns)) <= (turns + 1) * fastest:
            return turns
    return FAR_TURNS


def _mean_position(seen: Situation, turns: int) -> Hex:
    """One hex behind where the torpedo is after so many turns of middling wind, seen plainly."""
    heading = seen.torpedo.heading
    drift = 2 * turns // 3
    return seen.target.step(heading, 4 * turns - 1).step(DIRECTIONS[0], drift)


def _way_to_go(end: Ending, goal: tuple[int, int], toward: int, cost: int) -> int:
    """Points from an end state to the goal, facing as the torpedo heads: hexes and turns."""
    q, r, facing, _ = end
    q, r = goal[0] - q, goal[1] - r
    bearing = sector(q, r) if q or r else facing
    turns = sixths_between(facing, bearing) + sixths_between(bearing, toward)
    return max(abs(q), abs(r), abs(q + r)) + cost * turns


@lru_cache(maxsize=16_384)
def sector(q: int, r: int) -> int:
    """The facing that points best from the origin to a hex."""
    return round(atan2(-r * sqrt(3), 2 * q + r) / (pi / 3)) % 6


def sixths_between(facing: int, other: int) -> int:
    """Sixths of a circle between two facings, the shorter way round."""
    return min((facing - other) % 6, (other - facing) % 6)
