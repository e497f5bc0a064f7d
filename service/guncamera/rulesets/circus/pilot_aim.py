"""How the stock pilot weighs one aircraft against another: who would hold whom in his sights.

Roughly by some moments of a turn, for many options; by the firing clock, for the best few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import atan2, degrees, hypot, sqrt

from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Pose
from guncamera.rulesets.circus.arcs import Offsets
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.clock import Route, Sights, Stand, aim, has_gunner, sights_of
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import Craft, TurnOrder, View
from guncamera.rulesets.circus.pilot_guns import batteries, has_ammunition
from guncamera.rulesets.circus.pilot_options import (
    MOMENTS,
    Option,
    Place,
    Sample,
)
from guncamera.rulesets.circus.pilot_prospect import After, Means, moves_of, prospect
from guncamera.rulesets.circus.ranges import charted, limits
from guncamera.rulesets.circus.sight import placed

EVERY = 2
"""By every which moment of a turn options are weighed roughly."""
SHOT, PROSPECT = 1.2, 0.5
"""What a shot is worth, and one in the turn after."""
THREAT = {TurnOrder.SIMULTANEOUS: 0.35, TurnOrder.ALTERNATE: 1.0}
MENACE = {TurnOrder.SIMULTANEOUS: 0.2, TurnOrder.ALTERNATE: 0.5}
"""What it costs to be shot at, and in the turn after; where the enemy stands still it is no guess,
and who heeds it too little trades shot for shot."""
THREAT_HOMEWARD, MENACE_HOMEWARD = 1.5, 1.0
"""The same for who breaks off."""
LEAST_LEFT = 2
"""Points of damage that a damaged airframe must bear yet for its pilot to go on fighting."""
HELD = (0.0, 0.02, 0.1, 0.35, 1.0, 1.0, 1.0, 1.0, 1.0)
"""The chance that a target is held long enough, by the moments at which it is in the arc."""
TAIL, TAIL_HEXES = 2.0, 2.5
FAR_COST, NEAREST = 0.3, 2.0
HEIGHT, HEIGHT_FEET, TOO_HIGH_FEET = 0.2, 500, 400
HEX_FEET = 200


@dataclass(frozen=True, slots=True)
class Gun:
    """Guns that can fire: what they bear on, and what a shot is worth at each range."""

    sights: Sights
    worths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fighter:
    """An aircraft as the pilot sees it.

    Attributes:
        hunts: It fights; else its pilot breaks off and dives for home.
        threat, menace: What it costs to be shot at, and in the turn after.
    """

    craft: Craft
    aeroplane: Aeroplane
    place: Place
    guns: tuple[Gun, ...]
    gunner: bool
    means: Means
    hunts: bool
    threat: float
    menace: float


@dataclass(frozen=True, slots=True)
class Guess:
    """What an aircraft may fly, and how surely."""

    share: float
    moments: tuple[Sample, ...]
    route: Route
    speed_mp: int

    @property
    def after(self) -> After:
        """Where it ends, for the turn after."""
        return After(self.moments[-1], self.speed_mp)


def fighter(craft: Craft, view: View, book: CircusBook) -> Fighter:
    """An aircraft that flies, with its guns."""
    aircraft = craft.aircraft
    aeroplane = aeroplane_of(aircraft.aeroplane, view.own_aeroplanes, book, "aeroplane")
    hex_ = hex_at(aircraft.hex, book, "hex", anywhere=True)
    clouds, together = placed(view.clouds, book), view.turn_order == TurnOrder.SIMULTANEOUS
    condition = aircraft.condition or UNHURT
    guns = tuple(
        Gun(
            sights_of(aeroplane, one.mount, clouds, book, simultaneous=together, moved=True),
            one.worths,
        )
        for one in batteries(craft, aeroplane, book)
    )
    hunts = _hunts(craft, aeroplane)
    return Fighter(
        craft,
        aeroplane,
        Place(hex_.q, hex_.r, aircraft.facing.facing, aircraft.altitude_feet),
        guns,
        has_gunner(aeroplane, killed=condition.gunner_killed),
        Means(
            moves_of(aircraft, aeroplane, book),
            tuple((gun.worths, gun.sights.arcs) for gun in guns),
        ),
        hunts,
        THREAT[view.turn_order] if hunts else THREAT_HOMEWARD,
        MENACE[view.turn_order] if hunts else MENACE_HOMEWARD,
    )


def _hunts(craft: Craft, aeroplane: Aeroplane) -> bool:
    """Whether an aircraft is fit to fight: who is broken, has no rounds left, no engine, or an
    airframe that bears little more breaks off."""
    aircraft = craft.aircraft
    condition = aircraft.condition or UNHURT
    left = aeroplane.damage_limit - aeroplane.stall_mp - condition.damage_points
    return not (
        craft.broken
        or condition.engine_seized
        or (condition.damage_points and left < LEAST_LEFT)
        or not has_ammunition(craft, aeroplane)
    )


# ---- What somebody may fly


def flown(one: Fighter, option: Option, share: float = 1.0) -> Guess:
    """An option as it would be flown from where an aircraft is."""
    place = one.place
    return Guess(
        share,
        place.samples(option.moments),
        Route(tuple(place.world(stand) for stand in option.stands)),
        option.speed_mp,
    )


def standing_still(one: Fighter, share: float) -> Guess:
    """An aircraft that does not move while the other does."""
    place = one.place
    stand = Stand(place.q, place.r, place.facing, place.feet, Pose.LEVEL)
    here = (place.q, place.r, place.facing, place.feet)
    return Guess(share, (here,) * MOMENTS, Route((stand, stand)), one.craft.aircraft.speed_mp)


# ---- Weighing


class Rough:
    """Weighs places of one aircraft against what an enemy may fly, by every so many moments."""

    def __init__(
        self, mine: Fighter, enemy: Fighter, expected: Sequence[Guess], book: CircusBook
    ) -> None:
        total = sum(guess.share for guess in expected)
        expected = [
            replace(guess, share=guess.share / total, moments=guess.moments[EVERY - 1 :: EVERY])
            for guess in expected
        ]
        self._expected = expected
        self._ranges = limits(book)
        self._bears = [(gun.worths, gun.sights.arcs) for gun in mine.guns]
        self._covered = [
            [
                (gun.worths, [_covered(sample, gun.sights.arcs) for sample in guess.moments])
                for gun in enemy.guns
            ]
            for guess in expected
        ]
        self._hunts = mine.hunts
        self._threat_cost = mine.threat
        self._stances: dict[Sample, float] = {}

    def worth(self, moments: Sequence[Sample]) -> float:
        """What it is worth to be somewhere at each moment of the turn."""
        found = self._stance(moments[-1]) if self._hunts else 0.0
        for guess, covered in zip(self._expected, self._covered):
            for worths, arcs in self._bears:
                found += guess.share * SHOT * self._shot(moments, guess.moments, arcs, worths)
            for worths, hexes in covered:
                found -= (
                    guess.share * self._threat_cost * self._threat(moments, guess, hexes, worths)
                )
        return found

    def _stance(self, last: Sample) -> float:
        found = self._stances.get(last)
        if found is None:
            found = sum(one.share * stance(last, one.moments[-1]) for one in self._expected)
            self._stances[last] = found
        return found

    def _shot(
        self,
        moments: Sequence[Sample],
        others: Sequence[Sample],
        arcs: Sequence[Offsets],
        worths: Sequence[float],
    ) -> float:
        held, worth = 0, 0.0
        for (q, r, facing, feet), (to_q, to_r, _, to_feet) in zip(moments, others):
            if (to_q - q, to_r - r) in arcs[facing]:
                found = self._range(to_q - q, to_r - r, to_feet - feet)
                if found:
                    held, worth = held + 1, worths[found]
        return worth * HELD[held * EVERY]

    def _threat(
        self,
        moments: Sequence[Sample],
        guess: Guess,
        covered: Sequence[Offsets],
        worths: Sequence[float],
    ) -> float:
        held, worth = 0, 0.0
        for (q, r, _, feet), hexes, (to_q, to_r, _, to_feet) in zip(
            moments, covered, guess.moments
        ):
            if (q, r) in hexes:
                found = self._range(to_q - q, to_r - r, to_feet - feet)
                if found:
                    held, worth = held + 1, worths[found]
        return worth * HELD[held * EVERY]

    def _range(self, ahead: int, down: int, height: int) -> int:
        flat = max(abs(ahead), abs(down), abs(ahead + down))
        return charted(flat, abs(height), *self._ranges)


def _covered(sample: Sample, arcs: Sequence[Offsets]) -> Offsets:
    """The hexes that guns bear on from somewhere."""
    q, r, facing, _ = sample
    return frozenset((q + ahead, r + down) for ahead, down in arcs[facing])


def stance(mine: Sample, his: Sample) -> float:
    """What it is worth to end a turn so: on his tail, near, and a little above him."""
    q, r, facing, feet = mine
    ahead, down, above = his[0] - q, his[1] - r, feet - his[3]
    away, bearing = _seen(ahead, down)
    distance = hypot(away, above / HEX_FEET)
    worth = -FAR_COST * max(distance - NEAREST, 0)
    if away:
        off_nose = _between(bearing, 60 * facing)
        off_tail = _between(bearing, 60 * his[2])
        advantage = 1 - (off_nose + off_tail) / 180
        worth += TAIL * advantage / (1 + distance / TAIL_HEXES)
    return worth + _height(above)


def _height(above: int) -> float:
    """Above is good, far above is too far to shoot."""
    worth = HEIGHT * min(max(above, -2 * HEIGHT_FEET), HEIGHT_FEET) / HEIGHT_FEET
    return worth - HEIGHT * max(above - TOO_HIGH_FEET, 0) / HEIGHT_FEET


@lru_cache(maxsize=16_384)
def _seen(ahead: int, down: int) -> tuple[float, float]:
    """Distance and direction of a hex, in degrees to the left of east."""
    x, y = ahead + down / 2, -down * sqrt(3) / 2
    return hypot(x, y), degrees(atan2(y, x))


def _between(one: float, other: float) -> float:
    """The angle between two directions, up to 180 degrees."""
    apart = (one - other) % 360
    return min(apart, 360 - apart)


def exact(mine: Fighter, flight: Guess, enemy: Fighter, guess: Guess, book: CircusBook) -> float:
    """As `Rough`, against one guess, by the firing clock, and with an eye to the turn after."""
    worth = SHOT * _shots(mine, flight, guess, book)
    worth -= mine.threat * _shots(enemy, guess, flight, book)
    worth -= mine.menace * prospect(guess.after, enemy.means, flight.after, mine.means, book)
    if mine.hunts:
        worth += stance(flight.moments[-1], guess.moments[-1])
        worth += PROSPECT * prospect(flight.after, mine.means, guess.after, enemy.means, book)
    return worth


def _shots(one: Fighter, flight: Guess, other: Guess, book: CircusBook) -> float:
    worth = 0.0
    for gun in one.guns:
        found = aim(flight.route, other.route, gun.sights, book, gunner=one.gunner)
        if found.may_fire:
            worth += gun.worths[found.range_hexes]
    return worth
