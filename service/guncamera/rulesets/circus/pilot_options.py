"""What an aircraft could fly next, remembered: as from the middle of an endless map, facing east.

The plots are those that legal orders list; only the edges of the map and the ground depend on where
an aircraft is, and are looked at where an option is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from guncamera.rules.hexes import DIRECTIONS, HexDirection
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft, Condition, Pose
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.clock import Stand, route_of
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import FlownPath
from guncamera.rulesets.circus.map import middle
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.plots import flown_plots

FAR_FROM_GROUND_FEET = 4_000
FAR_FROM_CEILING_FEET = 1_500
"""Between the two a move meets neither, so that all heights are alike."""
MOMENTS = 8
TURNED = (
    (1, 0, 0, 1),
    (1, 1, -1, 0),
    (0, 1, -1, -1),
    (-1, 0, 0, -1),
    (-1, -1, 1, 0),
    (0, -1, 1, 1),
)
"""How `q` and `r` turn by sixths to the left: q and r of the new q, then of the new r."""

Sample = tuple[int, int, int, int]
"""q, r, facing and feet."""


@dataclass(frozen=True, slots=True)
class Option:
    """A plot, and what it leads to from the hex of origin, facing east, at 0 feet.

    Attributes:
        stands: At each movement point from 0, and where the move ends.
        moments: Where it is after each eighth of the move.
        stress: High-stress acts that are checked.
    """

    speed_mp: int
    codes: str
    stands: tuple[Stand, ...]
    moments: tuple[Sample, ...]
    points: int
    stress: int
    ke: int
    dive: Pose
    straight_and_level: bool
    end: End | None


def options_of(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook) -> tuple[Option, ...]:
    """The options of an aircraft that can be steered; of those that end alike, the gentlest."""
    feet = aircraft.altitude_feet
    if FAR_FROM_GROUND_FEET <= feet <= aeroplane.ceiling_feet - FAR_FROM_CEILING_FEET:
        feet = FAR_FROM_GROUND_FEET
    bare = Aircraft(
        "",
        aircraft.aeroplane,
        "",
        HexDirection.EAST,
        feet,
        aircraft.speed_mp,
        aircraft.ke,
        aircraft.power_diving,
        aircraft.hanging,
        condition=_what_counts(aircraft.condition or UNHURT),
    )
    return _options(bare, aeroplane, book)


def plain_options_of(
    aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook
) -> tuple[Option, ...]:
    """The options without stress that stay in the game; of those that end in the same hex and
    facing, the first; if there are none, all."""
    return _plain(options_of(aircraft, aeroplane, book))


@lru_cache(maxsize=128)
def _plain(options: tuple[Option, ...]) -> tuple[Option, ...]:
    found: dict[tuple[int, ...], Option] = {}
    for option in options:
        if not option.stress and option.end is None:
            found.setdefault(option.moments[-1][:3], option)
    return tuple(found.values()) or options


def _what_counts(condition: Condition) -> Condition:
    """A condition without what no plot depends on."""
    return replace(
        condition,
        structure_marks=0,
        fire_points=0,
        oil_leak_turns=None,
        pilot_wounds=0,
        gunner_wounds=0,
        gunner_killed=False,
    )


@lru_cache(maxsize=128)
def _options(bare: Aircraft, aeroplane: Aeroplane, book: CircusBook) -> tuple[Option, ...]:
    found: dict[tuple[object, ...], tuple[Plot, FlownPath]] = {}
    for plot, flown in flown_plots(bare, aeroplane, (), book):
        midway, last = flown.path[len(flown.path) // 2], flown.last
        key = last.hex, last.facing, last.altitude_feet // 100, midway.hex, midway.facing
        known = found.get(key)
        if known is None or _stress(flown) < _stress(known[1]):
            found[key] = plot, flown
    shared: dict[Stand, Stand] = {}
    return tuple(_option(plot, flown, bare, shared, book) for plot, flown in found.values())


def _stress(flown: FlownPath) -> int:
    """How many high-stress acts are checked."""
    return sum(1 for act in flown.acts if act.first and act.checked)


def _option(
    plot: Plot, flown: FlownPath, bare: Aircraft, shared: dict[Stand, Stand], book: CircusBook
) -> Option:
    """One option; stands that several have are kept once."""
    start, height = middle(book), bare.altitude_feet
    led = (
        stand._replace(q=stand.q - start.q, r=stand.r - start.r, feet=stand.feet - height)
        for stand in route_of(flown.path, book).stands
    )
    stands = tuple(shared.setdefault(stand, stand) for stand in led)
    points = len(stands) - 2
    moments = [stands[points * moment // MOMENTS] for moment in range(1, MOMENTS)]
    return Option(
        speed_mp=plot.speed_mp,
        codes=plot.codes,
        stands=stands,
        moments=tuple(stand[:4] for stand in (*moments, stands[-1])),
        points=flown.points,
        stress=_stress(flown),
        ke=bare.ke - flown.ke_spent + flown.ke_change,
        dive=flown.dive,
        straight_and_level=flown.straight_and_level,
        end=flown.end,
    )


def turned(q: int, r: int, sixths: int) -> tuple[int, int]:
    """A hex turned about the origin, to the left by sixths of a circle."""
    qq, qr, rq, rr = TURNED[sixths % 6]
    return q * qq + r * qr, q * rq + r * rr


@dataclass(frozen=True, slots=True)
class Place:
    """Where and how an aircraft stands, for its options to begin there."""

    q: int
    r: int
    facing: int
    feet: int

    def world(self, stand: Stand) -> Stand:
        """A stand of an option as it is on the map."""
        q, r = turned(stand.q, stand.r, self.facing)
        facing = (stand.facing + self.facing) % len(DIRECTIONS)
        return Stand(q + self.q, r + self.r, facing, stand.feet + self.feet, stand.pose)

    def samples(self, samples: Sequence[Sample]) -> tuple[Sample, ...]:
        """Where an option leads on the map."""
        qq, qr, rq, rr = TURNED[self.facing]
        here_q, here_r, turn, height = self.q, self.r, self.facing, self.feet
        return tuple(
            (
                q * qq + r * qr + here_q,
                q * rq + r * rr + here_r,
                (facing + turn) % len(DIRECTIONS),
                feet + height,
            )
            for q, r, facing, feet in samples
        )
