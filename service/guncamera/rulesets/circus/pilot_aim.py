"""How the stock pilot weighs one aircraft against another: who would hold whom in his sights.

Roughly by four moments of a turn, for many options; by the firing clock, for the best few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, degrees, hypot, sqrt

from guncamera.rules.table import Table
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Pose
from guncamera.rulesets.circus.arcs import Offsets
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.clock import Route, Sights, Stand, aim, has_gunner, sights_of
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import Craft, TurnOrder, View
from guncamera.rulesets.circus.pilot_guns import batteries
from guncamera.rulesets.circus.pilot_options import MOMENTS, Option, Place, Sample, options_of
from guncamera.rulesets.circus.ranges import charted, limits
from guncamera.rulesets.circus.sight import placed

SHOT, THREAT = 1.2, 0.75
HELD = (0.0, 0.02, 0.1, 0.35, 1.0, 1.0, 1.0, 1.0, 1.0)
"""The chance that a target is held long enough, by the moments at which it is in the arc."""
TAIL, TAIL_FAR, TAIL_HEXES = 3.5, 0.25, 8.0
FAR_COST, NEAREST = 0.04, 2.0
HEIGHT, HEIGHT_FEET, TOO_HIGH_FEET = 0.5, 500, 800
HEX_FEET = 200
GUESSES = ((0, 0.5), (1, 0.2), (2, 0.1))
"""What the enemy is expected to choose of his best options, and how surely; else straight on."""
STRAIGHT = 0.2

Ranges = tuple[Table, int, int, int]


@dataclass(frozen=True, slots=True)
class Gun:
    """Guns that can fire: what they bear on, and what a shot is worth at each range."""

    sights: Sights
    worths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fighter:
    """An aircraft as the pilot sees it."""

    craft: Craft
    aeroplane: Aeroplane
    place: Place
    guns: tuple[Gun, ...]
    gunner: bool


@dataclass(frozen=True, slots=True)
class Guess:
    """What an aircraft may fly, and how surely."""

    share: float
    moments: tuple[Sample, ...]
    route: Route


def fighter(craft: Craft, view: View, book: CircusBook) -> Fighter:
    """An aircraft that flies, with its guns."""
    aircraft = craft.aircraft
    aeroplane = aeroplane_of(aircraft.aeroplane, view.own_aeroplanes, book, "aeroplane")
    hex_ = hex_at(aircraft.hex, book, "hex", anywhere=True)
    clouds, together = placed(view.clouds, book), view.turn_order == TurnOrder.SIMULTANEOUS
    condition = aircraft.condition or UNHURT
    return Fighter(
        craft,
        aeroplane,
        Place(hex_.q, hex_.r, aircraft.facing.facing, aircraft.altitude_feet),
        tuple(
            Gun(
                sights_of(aeroplane, one.mount, clouds, book, simultaneous=together, moved=True),
                one.worths,
            )
            for one in batteries(craft, aeroplane, book)
        ),
        has_gunner(aeroplane, killed=condition.gunner_killed),
    )


# ---- What somebody may fly


def flown(one: Fighter, option: Option, share: float = 1.0) -> Guess:
    """An option as it would be flown from where an aircraft is."""
    place = one.place
    return Guess(
        share,
        place.samples(option.moments),
        Route(tuple(place.world(stand) for stand in option.stands)),
    )


def standing_still(one: Fighter, share: float) -> Guess:
    """An aircraft that does not move while the other does."""
    place = one.place
    stand = Stand(place.q, place.r, place.facing, place.feet, Pose.LEVEL)
    here = (place.q, place.r, place.facing, place.feet)
    return Guess(share, (here,) * MOMENTS, Route((stand, stand)))


def guesses(enemy: Fighter, mine: Fighter, book: CircusBook) -> tuple[Guess, ...]:
    """What an enemy may fly against an aircraft that goes straight on."""
    options = options_of(enemy.craft.aircraft, enemy.aeroplane, book)
    ahead = options_of(mine.craft.aircraft, mine.aeroplane, book)[0]
    expected = flown(mine, ahead)
    gentle = [one for one in options if not one.stress and one.end is None] or options
    rough = Rough(enemy, mine, (expected,), book)
    weighed = sorted(
        (-rough.worth(enemy.place.samples(one.moments)), nth) for nth, one in enumerate(gentle)
    )
    found = [flown(enemy, options[0], STRAIGHT)]
    for at, share in GUESSES:
        if at < len(weighed):
            found.append(flown(enemy, gentle[weighed[at][1]], share))
    return tuple(found)


# ---- Weighing


class Rough:
    """Weighs places of one aircraft against what an enemy may fly."""

    def __init__(
        self, mine: Fighter, enemy: Fighter, expected: Sequence[Guess], book: CircusBook
    ) -> None:
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
        self._stances: dict[Sample, float] = {}

    def worth(self, moments: Sequence[Sample]) -> float:
        """What it is worth to be somewhere at each moment of the turn."""
        last = moments[-1]
        found = self._stances.get(last)
        if found is None:
            found = sum(one.share * stance(last, one.moments[-1]) for one in self._expected)
            self._stances[last] = found
        for guess, covered in zip(self._expected, self._covered):
            for worths, arcs in self._bears:
                found += guess.share * SHOT * self._shot(moments, guess.moments, arcs, worths)
            for worths, hexes in covered:
                found -= guess.share * THREAT * self._threat(moments, guess, hexes, worths)
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
        return worth * HELD[held]

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
        return worth * HELD[held]

    def _range(self, ahead: int, down: int, height: int) -> int:
        flat = max(abs(ahead), abs(down), abs(ahead + down))
        return charted(flat, abs(height), *self._ranges)


def _covered(sample: Sample, arcs: Sequence[Offsets]) -> Offsets:
    """The hexes that guns bear on from somewhere."""
    q, r, facing, _ = sample
    return frozenset((q + ahead, r + down) for ahead, down in arcs[facing])


def stance(mine: Sample, his: Sample) -> float:
    """What it is worth to end a turn so: on his tail, near, and above him."""
    q, r, facing, feet = mine
    ahead, down, above = his[0] - q, his[1] - r, feet - his[3]
    away, bearing = _seen(ahead, down)
    distance = hypot(away, above / HEX_FEET)
    worth = -FAR_COST * max(distance - NEAREST, 0)
    if away:
        off_nose = _between(bearing, 60 * facing)
        off_tail = _between(bearing, 60 * his[2])
        advantage = 1 - (off_nose + off_tail) / 180
        worth += TAIL * advantage * (TAIL_FAR + 1 / (1 + distance / TAIL_HEXES))
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
    """As `Rough`, against one guess and by the firing clock."""
    worth = stance(flight.moments[-1], guess.moments[-1])
    worth += SHOT * _shots(mine, flight, guess, book)
    return worth - THREAT * _shots(enemy, guess, flight, book)


def _shots(one: Fighter, flight: Guess, other: Guess, book: CircusBook) -> float:
    worth = 0.0
    for gun in one.guns:
        found = aim(flight.route, other.route, gun.sights, book, gunner=one.gunner)
        if found.may_fire:
            worth += gun.worths[found.range_hexes]
    return worth
