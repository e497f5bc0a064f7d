"""Every flight an aircraft may choose now: each speed and change of altitude, each end state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.courses import (
    Courses,
    Ending,
    Handling,
    courses,
    handling,
    path_to,
)
from guncamera.rulesets.kettering.facts import Aircraft, Aspect, Plot, Torpedo
from guncamera.rulesets.kettering.limits import Limits, flight_limits
from guncamera.rulesets.kettering.map import hex_at, label
from guncamera.rulesets.kettering.orders import MoveOrder
from guncamera.rulesets.kettering.performance import STEP_METRES
from guncamera.rulesets.kettering.spot import REACH_HEXES


@dataclass(frozen=True, slots=True)
class Plan:
    """A flight but for its path; the altitude is the one it ends at."""

    speed_mp: int
    change_metres: int
    climb_after_metres: int
    bonus_hexes: int
    altitude_metres: int


def plans(aircraft: Aircraft, limits: Limits, book: KetteringBook) -> list[Plan]:
    """Every choice of speed and altitude: level first, then by the size of the change."""
    found = []
    for change in limits.changes():
        most = limits.climb_again_metres if change < 0 else 0
        for again in range(0, most + 1, STEP_METRES):
            altitude = limits.altitude_after(aircraft.altitude_metres, change + again)
            found += [
                Plan(speed, change, again, bonus, altitude)
                for speed in range(limits.slowest, limits.fastest + 1)
                for bonus in limits.bonuses(change, book)
            ]
    return sorted(found, key=_place)


def _place(plan: Plan) -> tuple[int, ...]:
    return (
        plan.altitude_metres == 0,
        abs(plan.change_metres),
        -plan.change_metres,
        plan.climb_after_metres,
        plan.speed_mp,
        plan.bonus_hexes,
    )


def firing_spots(at: Hex, heading: HexDirection) -> dict[tuple[Hex, HexDirection], str]:
    """Where an aircraft may fire from at a torpedo: hex and facing, and how it is called."""
    spots = {}
    for aspect, toward in ((Aspect.TAIL, heading.opposite()), (Aspect.HEAD_ON, heading)):
        for hexes in range(1, REACH_HEXES[aspect] + 1):
            side = "from behind" if aspect == Aspect.TAIL else "head-on"
            away = "1 hex" if hexes == 1 else f"{hexes} hexes"
            spots[at.step(toward, hexes), toward.opposite()] = f"{side} at {away}"
    return spots


def flights(aircraft: Aircraft, torpedo: Torpedo, book: KetteringBook) -> Iterator[LegalOrder]:
    """Every flight, one path to each end state: hex, facing, and whether it ends straight ahead.

    First those that end with the torpedo in the sights; then all others, by `plans`. The path
    is the one with the fewest steps, and of these the first in the order F, L, R, LL, RR, U.
    Flights off the board, of which only one is listed for each plan, follow the others of their
    plan. Flights that the torpedo's hex cuts short come only where there is nothing else.
    """
    scene = _scene(aircraft, torpedo, book)
    found = False
    for order in _free(scene):
        found = True
        yield order
    if not found:
        yield from _boxed_in(scene)


def flights_near(
    wanted: Plot, aircraft: Aircraft, torpedo: Torpedo, book: KetteringBook
) -> Iterator[LegalOrder]:
    """The flights of `flights`, those first whose speed and altitude are most like a plot's."""
    scene = _scene(aircraft, torpedo, book)
    scene = replace(scene, plans=sorted(scene.plans, key=lambda plan: _unlike(plan, wanted)))
    found = False
    for order in _planned(scene):
        found = True
        yield order
    if not found:
        yield from _boxed_in(scene)


def _unlike(plan: Plan, wanted: Plot) -> tuple[int, int]:
    """How many of a plan's numbers are other than a plot's, and by how much in all."""
    apart = (
        abs(plan.speed_mp - wanted.speed_mp),
        abs(plan.change_metres - wanted.altitude_change_metres),
        abs(plan.climb_after_metres - wanted.climb_after_dive_metres),
        abs(plan.bonus_hexes - wanted.bonus_hexes),
    )
    return sum(map(bool, apart)), sum(apart)


@dataclass(frozen=True, slots=True)
class _Scene:
    """One aircraft, one torpedo, and the end states from which it would be in the sights."""

    start: Hex
    facing: HexDirection
    handling: Handling
    plans: list[Plan]
    target: Hex
    level_metres: int
    spots: dict[Ending, str]
    book: KetteringBook

    def courses(self, plan: Plan) -> Courses:
        """The end states of a plan."""
        speed, bonus = plan.speed_mp, plan.bonus_hexes
        return courses(self.handling, speed, bonus, self.start, self.facing, self.book)

    def path_to(self, plan: Plan, end: Ending) -> str | None:
        """The path of a plan to one of its end states."""
        speed, bonus = plan.speed_mp, plan.bonus_hexes
        return path_to(self.handling, speed, bonus, self.start, self.facing, end, self.book)

    def in_sights(self, plan: Plan, end: Ending) -> bool:
        """Whether a flight ends with the torpedo in the sights."""
        return plan.altitude_metres == self.level_metres and end in self.spots

    def order(self, plan: Plan, end: Ending, path: str) -> LegalOrder:
        """The order to fly a plan to an end state."""
        seen = f", the torpedo {self.spots[end]}" if self.in_sights(plan, end) else ""
        where = f"to {label(Hex(end[0], end[1]))} facing {DIRECTIONS[end[2]]}"
        return fly(plan, path, f"{_flown(plan)}, {where}{seen}.")


def _scene(aircraft: Aircraft, torpedo: Torpedo, book: KetteringBook) -> _Scene:
    limits = flight_limits(aircraft, book)
    target = hex_at(torpedo.hex, book, "flight.torpedo_hex")
    spots = {
        (hex_.q, hex_.r, facing.facing, book.settings.sighting_hexes): name
        for (hex_, facing), name in firing_spots(target, torpedo.heading).items()
    }
    return _Scene(
        start=hex_at(aircraft.hex, book, "flight.aircraft.hex"),
        facing=aircraft.facing,
        handling=handling(limits, book),
        plans=plans(aircraft, limits, book),
        target=target,
        level_metres=torpedo.altitude_metres,
        spots=spots,
        book=book,
    )


def _free(scene: _Scene) -> Iterator[LegalOrder]:
    """Those in the sights first, then the rest; none that ends on the torpedo's hex."""
    nearest = min(scene.start.distance(Hex(end[0], end[1])) for end in scene.spots)
    for plan in scene.plans:
        reach = plan.speed_mp + plan.bonus_hexes
        if plan.altitude_metres == scene.level_metres and nearest <= reach:
            for end in scene.spots:
                path = scene.path_to(plan, end)
                if path is not None:
                    yield scene.order(plan, end, path)
    yield from _planned(scene, but_in_sights=True)


def _planned(scene: _Scene, *, but_in_sights: bool = False) -> Iterator[LegalOrder]:
    """Plan by plan; none that ends on the torpedo's hex."""
    target = (scene.target.q, scene.target.r)
    for plan in scene.plans:
        found = scene.courses(plan)
        for end, path in found.paths.items():
            if end[:2] != target and not (but_in_sights and scene.in_sights(plan, end)):
                yield scene.order(plan, end, path)
        if found.leaving is not None:
            yield fly(plan, found.leaving, f"{_flown(plan)}, off the board.")


def _boxed_in(scene: _Scene) -> Iterator[LegalOrder]:
    """Those that end on the torpedo's hex, for an aircraft that has no other."""
    for plan in scene.plans:
        for end, path in scene.courses(plan).paths.items():
            yield scene.order(plan, end, path)


def fly(plan: Plan, path: str, summary: str) -> LegalOrder:
    """The order to fly a plan along a path."""
    plot = Plot(plan.speed_mp, plan.change_metres, plan.bonus_hexes, path, plan.climb_after_metres)
    return LegalOrder(Verb.MOVE, MoveOrder(plot), summary)


def _flown(plan: Plan) -> str:
    if plan.altitude_metres == 0:
        return f"Fly at speed {plan.speed_mp} into the ground"
    bonus = f" with {plan.bonus_hexes} bonus hexes" if plan.bonus_hexes else ""
    return f"Fly at speed {plan.speed_mp}{bonus}, to {plan.altitude_metres} metres"
