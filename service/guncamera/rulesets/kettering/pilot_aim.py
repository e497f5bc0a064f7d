"""How the stock pilot flies: onto the torpedo's tail now, and so as to stay there next turn.

Chances of shots come from the rule on fire, odds of the wind from the printed tables, and end
states from the search that lists legal flights. Only the next turn is looked at in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask
from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.odds import ways
from guncamera.rules.refusal import Illegal, RollRequired
from guncamera.rulesets.kettering.book import KetteringBook, figure
from guncamera.rulesets.kettering.courses import Ending, Handling, from_origin, handling, seen_from
from guncamera.rulesets.kettering.facts import UNDAMAGED, Aircraft, Aspect, FireFacts, Torpedo
from guncamera.rulesets.kettering.fire import DESTROYED, rule_on_fire
from guncamera.rulesets.kettering.limits import Limits, flight_limits
from guncamera.rulesets.kettering.map import on_board
from guncamera.rulesets.kettering.performance import STEP_METRES
from guncamera.rulesets.kettering.spot import REACH_HEXES

HEAD_ON_WORTH = 0.7
"""A kill head-on against one from behind: its explosion is the far worse one."""
SAFE_METRES = 1_500
"""From here no dive reaches the ground, so that all greater heights are alike."""
LOW_METRES = 200
"""From here the torpedo's own changes of altitude do not lead to the ground for some turns."""
LOST_TURN = 0.7
"""What is left of the next turns' worth after one in which no shot could be flown to."""

Spot = tuple[int, int, int, Aspect, int]
# q and r, facing, aspect and range


@dataclass(frozen=True, slots=True)
class Weather:
    """One way the next turn may begin: the torpedo after wind and move, and its chance."""

    chance: float
    wind: HexDirection
    torpedo: Hex
    altitude_metres: int
    track_mp: int


def bare(aircraft: Aircraft, book: KetteringBook) -> Aircraft:
    """An aircraft without place and facing, to remember things by; great heights are alike."""
    altitude = aircraft.altitude_metres
    if altitude <= book.settings.ceiling_metres - SAFE_METRES:
        altitude = min(altitude, SAFE_METRES)
    return Aircraft(
        aircraft.type, "", HexDirection.EAST, altitude, aircraft.speed_mp, aircraft.condition
    )


def calm(craft: Aircraft) -> Aircraft:
    """The same where the pilot only keeps level: lesser heights are alike as well."""
    if craft.altitude_metres < LOW_METRES:
        return craft
    return replace(craft, altitude_metres=SAFE_METRES)


@lru_cache(maxsize=4_096)
def abilities(craft: Aircraft, book: KetteringBook) -> tuple[Limits, Handling]:
    """What an aircraft may do next, and how it may turn."""
    limits = flight_limits(craft, book)
    return limits, handling(limits, book)


@lru_cache(maxsize=4_096)
def hit_chance(
    type_: str, aspect: Aspect, hexes: int, speed: int, bonus: int, track: int, book: KetteringBook
) -> float:
    """The chance that a shot destroys the torpedo; 0 where none is allowed."""
    facts = FireFacts(type_, aspect, hexes, speed, track, bonus_hexes=bonus)
    try:
        rule_on_fire(facts, book, DealtDice(()))
    except RollRequired as wanted:
        return chance_of(wanted.ask)
    except Illegal:
        return 0.0
    raise AssertionError("a shot was ruled on without dice")


@lru_cache(maxsize=65_536)
def spots(q: int, r: int, heading: int) -> tuple[Spot, ...]:
    """Where to fire from at a torpedo that stands somewhere and heads somewhere."""
    at, toward = Hex(q, r), DIRECTIONS[heading]
    found = []
    for aspect, sixths in ((Aspect.TAIL, 3), (Aspect.HEAD_ON, 0)):
        side = toward.turned(sixths)
        for hexes in range(1, REACH_HEXES[aspect] + 1):
            hex_ = at.step(side, hexes)
            found.append((hex_.q, hex_.r, side.opposite().facing, aspect, hexes))
    return tuple(found)


def chance_of(shot: Ask[str]) -> float:
    """The chance that the dice of a shot destroy the torpedo."""
    counted: dict[str, int] = dict(ways(shot.dice, shot.read))
    return counted.get(DESTROYED, 0) / sum(counted.values())


@dataclass(frozen=True, slots=True)
class Aim:
    """A flight that ends with the torpedo in the sights, as seen by one who faces east."""

    worth: float
    chance: float
    speed_mp: int
    change_metres: int
    bonus_hexes: int
    aspect: Aspect
    range_hexes: int
    end: Ending
    path: str


@lru_cache(maxsize=16_384)
def aims(
    craft: Aircraft, q: int, r: int, heading: int, climb: int, track: int, book: KetteringBook
) -> tuple[Aim, ...]:
    """Every shot that an aircraft on the hex of origin, facing east, can fly to.

    Args:
        craft: See `bare`.
        q, r, heading: Where the torpedo stands and heads.
        climb: How much higher it is, in metres.
        track: Its speed track.
    """
    limits, able = abilities(craft, book)
    change = climb + (limits.forced_loss_metres if limits.forced_on_top else 0)
    if change not in limits.changes():
        return ()
    bonus = limits.bonuses(change, book)[0]
    compared = limits.compared_bonus(change, bonus, book)
    found = []
    for speed in range(limits.slowest, limits.fastest + 1):
        if abs(q) > speed + bonus + 2 or abs(r) > speed + bonus + 2:
            continue
        paths = from_origin(able, speed + bonus, speed if able.hexes_only else 0)
        for at_q, at_r, facing, aspect, hexes in spots(q, r, heading):
            end = (at_q, at_r, facing, able.straight)
            path = paths.get(end)
            if path is None:
                continue
            chance = hit_chance(craft.type, aspect, hexes, speed, compared, track, book)
            worth = chance * (HEAD_ON_WORTH if aspect == Aspect.HEAD_ON else 1)
            if chance:
                found.append(Aim(worth, chance, speed, change, bonus, aspect, hexes, end, path))
    return tuple(found)


@lru_cache(maxsize=65_536)
def prospect(
    craft: Aircraft,
    q: int,
    r: int,
    heading: HexDirection,
    toward: int,
    climb: int,
    track: int,
    turns: int,
    book: KetteringBook,
) -> float:
    """The worth of this turn's best shot and of those that follow.

    Args:
        craft, q, r, climb, track: As for `aims`; `toward` is the torpedo's heading there.
        heading: Its heading on the map.
        turns: Turns to look at, this one among them.
    """
    shots = [
        aim.worth + (1 - aim.chance) * follow_up(craft, aim, heading, track, turns - 1, book)
        for aim in aims(craft, q, r, toward, climb, track, book)
    ]
    return max(shots, default=0.0)


def follow_up(
    craft: Aircraft, aim: Aim, heading: HexDirection, track: int, turns: int, book: KetteringBook
) -> float:
    """The worth of the shots after one that missed."""
    if not turns:
        return 0.0
    altitude = craft.altitude_metres + aim.change_metres
    after = flown(craft, HexDirection.EAST, aim.speed_mp, aim.change_metres, altitude)
    return standing(calm(after), aim.aspect, aim.range_hexes, heading, track, turns, book)


@lru_cache(maxsize=65_536)
def standing(
    craft: Aircraft,
    aspect: Aspect,
    hexes: int,
    heading: HexDirection,
    track: int,
    turns: int,
    book: KetteringBook,
) -> float:
    """The worth of the next turns for an aircraft where it has just fired from.

    Level with the torpedo and far from every edge; the wind moves the two apart as it does.
    """
    facing = heading if aspect == Aspect.TAIL else heading.opposite()
    at, here = Hex(0, 0).step(facing, hexes), Hex(0, 0)
    toward = (heading.facing - facing.facing) % 6
    shifts, level = book.tables["wind-shifts"], craft.altitude_metres
    apart = shifts.number(level, "torpedo") - shifts.number(level, "aircraft")
    total = 0.0
    for wind, chance in winds(book):
        along = (wind == heading) - (wind == heading.opposite())
        for step in (-1, 1):
            now = min(max(track + step, figure(book, "slow_speed")), figure(book, "fast_speed"))
            there = at.step(wind, apart).step(heading, now + along)
            q, r = seen_from(here, facing.facing, there)
            climb = -along * figure(book, "tailwind_metres")
            worth = prospect(craft, q, r, heading, toward, climb, now, turns, book)
            if not worth and turns > 1:
                worth = LOST_TURN * standing(craft, Aspect.TAIL, 1, heading, now, turns - 1, book)
            total += chance / 2 * worth
    return total


@lru_cache(maxsize=64)
def winds(book: KetteringBook) -> tuple[tuple[HexDirection, float], ...]:
    """The directions of the wind die with their chances."""
    column = book.settings.wind_faces
    table = book.tables["wind"]
    toward = [HexDirection(str(table.cell(row.label, column))) for row in table.rows]
    return tuple((d, toward.count(d) / len(toward)) for d in DIRECTIONS if d in toward)


def shifted(
    hex_: Hex, altitude: int, wind: HexDirection, piece: str, book: KetteringBook
) -> tuple[Hex, bool]:
    """Where the wind pushes a piece, and whether it moves at all."""
    pushed = hex_.step(wind, book.tables["wind-shifts"].number(altitude, piece))
    return (pushed, True) if on_board(pushed, book) else (hex_, False)


def weathers(torpedo: Torpedo, at: Hex, book: KetteringBook) -> Iterator[Weather]:
    """Every way the next turn may begin, but for those in which the torpedo is gone."""
    slow, fast = figure(book, "slow_speed"), figure(book, "fast_speed")
    for wind, chance in winds(book):
        here, moved = shifted(at, torpedo.altitude_metres, wind, "torpedo", book)
        along = (wind == torpedo.heading) - (wind == torpedo.heading.opposite())
        if not moved and book.settings.ignored_shift_wind == "dropped":
            along = 0
        altitude = torpedo.altitude_metres - along * figure(book, "tailwind_metres")
        for step in (-1, 1):
            track = min(max(torpedo.speed_mp + step, slow), fast)
            there = here.step(torpedo.heading, track + along)
            if altitude > 0 and on_board(there, book):
                yield Weather(chance / 2, wind, there, altitude, track)


def expected(
    aircraft: Aircraft,
    at: Hex,
    heading: HexDirection,
    ahead: tuple[Weather, ...],
    turns: int,
    book: KetteringBook,
) -> float:
    """The worth of the next turns from a place, over all that wind and torpedo may do next."""
    facing = aircraft.facing.facing
    toward = (heading.facing - facing) % 6
    deep, level = bare(aircraft, book), calm(bare(aircraft, book))
    total = 0.0
    for way in ahead:
        here, _ = shifted(at, aircraft.altitude_metres, way.wind, "aircraft", book)
        q, r = seen_from(here, facing, way.torpedo)
        climb = way.altitude_metres - aircraft.altitude_metres
        craft = level if climb >= -STEP_METRES else deep
        track = way.track_mp
        total += way.chance * prospect(craft, q, r, heading, toward, climb, track, turns, book)
    return total


def flown(
    aircraft: Aircraft, facing: HexDirection, speed: int, change: int, altitude: int
) -> Aircraft:
    """The aircraft after a flight, but for its hex."""
    condition = replace(aircraft.condition or UNDAMAGED, climbed_last_turn=change > 0)
    return Aircraft(aircraft.type, "", facing, altitude, speed, condition)
