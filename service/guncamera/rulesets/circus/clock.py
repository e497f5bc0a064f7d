"""The firing clock: how long a target was in the arc, counted along both paths. Rules CIR-8.4 to
CIR-8.7.

Point `i` of a move of `M` points falls at `i / M` of the turn; the other aircraft then stands where
it has completed `i * N // M` of its own `N`. A point counts if at its end the target is in arc
and range and no cloud lies between. Whole numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from guncamera.rules.hexes import DIRECTIONS, Hex
from guncamera.rulesets.circus.aircraft import (
    UNHURT,
    Aeroplane,
    Manoeuvre,
    Mount,
    PathStep,
    Pose,
    Side,
)
from guncamera.rulesets.circus.arcs import Offsets, arc_of, offsets
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of, figure
from guncamera.rulesets.circus.facts import Aiming, Cloud
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import Craft, Opportunity
from guncamera.rulesets.circus.outcomes import Aimed
from guncamera.rulesets.circus.ranges import Limits, charted, limits
from guncamera.rulesets.circus.sight import Placed, crosses, in_blind_spot, placed

HANGS = (Pose.HAMMERHEAD, Pose.HANGING)
"""The poses of an aircraft that hangs."""

NOSE_UPRIGHT = (Pose.HANGING, Pose.POWER_DIVE)
"""The poses in which an aircraft points straight up, or straight down."""

END = -1
"""Where an aircraft ended its move, among the stands of a route."""

Moments = tuple[tuple[int, int], ...]
"""Stands of the shooter and of the target that are compared, one pair for each point."""


class Stand(NamedTuple):
    """Where an aircraft is at a point of its move; the facing counts from 0 to 5."""

    q: int
    r: int
    facing: int
    feet: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Route:
    """A path by movement points.

    Attributes:
        stands: At each point from 0 to the last, and once more where the move ended: the exit of
            a hammerhead comes after its last point.
    """

    stands: tuple[Stand, ...]

    @property
    def mp(self) -> int:
        """Movement points spent."""
        return len(self.stands) - 2


@dataclass(frozen=True, slots=True)
class Sights:
    """What the guns of a mount bear on.

    Attributes:
        arcs: The hexes in arc, for each facing.
        upward, downward: The pose in which they bear straight up, and straight down; None never.
        flexible: They bear straight up and down in any pose.
        steep: Poses of the shooter in which they bear on nothing but what is straight ahead of
            a nose that points up or down.
        hang_mp: Points of a whole hang.
        hang_own_mp: Points of one that count on the shooter's clock.
        both_paths: The other aircraft flies while points are counted.
        nearest: The shot is fired at the nearest point counted, not at the last.
        hang_at_shot: A target hangs only if it does when the shot is fired.
    """

    arcs: tuple[Offsets, ...]
    upward: Pose | None
    downward: Pose | None
    flexible: bool
    steep: tuple[Pose, ...]
    clouds: Placed
    ranges: Limits
    both_paths: bool
    hang_mp: int
    hang_own_mp: int
    nearest: bool
    hang_at_shot: bool


class Counted(NamedTuple):
    """What one clock counted.

    Attributes:
        mp: Points counted; on the shooter's clock without those that are idle in hangs beside the
            one with the most.
        hang_mp: Of those, points in which the shooter hangs, in the hang with the most.
        at: The one at which the shot is fired, in points of that clock; 0 where none was counted.
        shooter, target: Where both stood then.
        range_hexes: The range then.
        target_hangs: The target hangs at one of them.
    """

    mp: int
    hang_mp: int
    at: int
    shooter: Stand
    target: Stand
    range_hexes: int
    target_hangs: bool


# ---- Paths


def route_of(path: Sequence[PathStep], book: CircusBook) -> Route:
    """A path by movement points.

    An act of several points takes effect at its last; a hammerhead or propeller hang is seen in
    its hex at all of them, and left after the last.
    """
    stands: list[Stand] = []
    before = _stand(path[0], book)
    for step in path:
        here = _stand(step, book)
        idle = step.mp - len(stands)
        if idle > 0:
            until = here if step.pose in HANGS else before._replace(pose=Pose.MANOEUVRING)
            stands += [until] * idle
        before = here
        if step.mp == len(stands):
            stands.append(here)
        elif stands[step.mp].pose not in HANGS:
            stands[step.mp] = here
    return Route((*stands, before))


def _stand(step: PathStep, book: CircusBook) -> Stand:
    hex_ = hex_at(step.hex, book, "path", anywhere=True)
    return Stand(hex_.q, hex_.r, step.facing.facing, step.altitude_feet, step.pose)


@lru_cache(maxsize=4096)
def _own_moments(mp: int, other_mp: int, *, both_paths: bool) -> Moments:
    """Each point of one's move, and where the other stands at its end."""
    return tuple((i, i * other_mp // mp if both_paths else END) for i in range(1, mp + 1))


@lru_cache(maxsize=4096)
def _target_moments(mp: int, other_mp: int, *, both_paths: bool) -> Moments:
    """Where one stands at each point of the other's move, and that point."""
    own = _own_moments(other_mp, mp, both_paths=both_paths)
    return tuple((i, j) for j, i in own)


# ---- One pair


def sights_of(
    aeroplane: Aeroplane,
    mount: Mount,
    clouds: Placed,
    book: CircusBook,
    *,
    simultaneous: bool,
    moved: bool,
) -> Sights:
    """What the guns of a mount bear on.

    Args:
        moved: The shooter has just moved: a shot straight up or down belongs to its move.
    """
    fixed = mount == Mount.FRONT
    can_hang = moved and fixed and Manoeuvre.PROPELLER_HANG in aeroplane.manoeuvres
    can_dive = moved and fixed and Manoeuvre.POWER_DIVE in aeroplane.manoeuvres
    return Sights(
        arcs=offsets(arc_of(aeroplane, mount, book, simultaneous=simultaneous), book),
        upward=Pose.HANGING if can_hang else None,
        downward=Pose.POWER_DIVE if can_dive else None,
        flexible=not fixed and book.settings.flexible_gun_vertical == "yes",
        steep=NOSE_UPRIGHT if fixed and book.settings.vertical_nose == "straight-only" else (),
        clouds=clouds,
        ranges=limits(book),
        both_paths=book.settings.firing_clock == "both-paths",
        hang_mp=book.tables["manoeuvres"].number("propeller_hang", "mp"),
        hang_own_mp=figure(book, "hang_own_mp"),
        nearest=book.settings.shot_moment == "nearest",
        hang_at_shot=book.settings.hanging_target == "at-the-shot",
    )


def range_at(shooter: Stand, target: Stand, sights: Sights) -> int:
    """The range at a moment; 0 where the target is out of arc, range or sight."""
    ahead, down = target.q - shooter.q, target.r - shooter.r
    height = target.feet - shooter.feet
    if ahead or down:
        if (ahead, down) not in sights.arcs[shooter.facing] or shooter.pose in sights.steep:
            return 0
    elif not _bears_vertically(shooter.pose, height, sights):
        return 0
    flat = max(abs(ahead), abs(down), abs(ahead + down))
    found = charted(flat, abs(height), *sights.ranges)
    if found and sights.clouds and crosses(sights.clouds, *_line(shooter, target)):
        return 0
    return found


def _line(shooter: Stand, target: Stand) -> tuple[int, int, int, int, int, int]:
    return shooter.q, shooter.r, shooter.feet, target.q, target.r, target.feet


def _bears_vertically(pose: Pose, height: int, sights: Sights) -> bool:
    """Whether guns bear on a target in their own hex (CIR-8.5)."""
    return sights.flexible or pose == (sights.upward if height > 0 else sights.downward)


def moments(shooter: Route, target: Route, *, both_paths: bool) -> tuple[Moments, Moments]:
    """The stands of both at each point of the shooter's clock, and of the target's."""
    own, others = shooter.mp, target.mp
    return (
        _own_moments(own, others, both_paths=both_paths),
        _target_moments(own, others, both_paths=both_paths),
    )


def count(shooter: Route, target: Route, sights: Sights) -> tuple[Counted, Counted]:
    """What the shooter's clock counts, and the target's."""
    by_own, by_target = moments(shooter, target, both_paths=sights.both_paths)
    mine = _counted(shooter, target, sights, by_own, own=True)
    theirs = _counted(shooter, target, sights, by_target, own=False)
    return mine, theirs


def _counted(
    shooter: Route,
    target: Route,
    sights: Sights,
    moments: Moments,
    *,
    own: bool,
) -> Counted:
    """The moments at which the target is in arc, range and sight.

    Args:
        moments: Indices of stands; that of the one whose clock it is rises from 1.
        own: It is the shooter's clock.
    """
    mine, theirs, nearest = shooter.stands, target.stands, sights.nearest
    mp = at = last = range_hexes = 0
    hung: list[int] = []
    hangs = False
    for place, (i, j) in enumerate(moments, start=1):
        found = range_at(mine[i], theirs[j], sights)
        if found:
            mp += 1
            if not (nearest and range_hexes) or found <= range_hexes:
                at, last, range_hexes = place, place - 1, found
            if mine[i].pose in HANGS:
                hung.append(i)
            hangs = hangs or theirs[j].pose in HANGS
    i, j = moments[last] if moments else (END, END)
    hang_mp = len(hung)
    if own and hang_mp > 1:
        hang_mp, idle = _fullest(hung, mine, sights)
        mp -= idle
    return Counted(mp, hang_mp, at, mine[i], theirs[j], range_hexes, hangs)


def _fullest(hung: Sequence[int], stands: Sequence[Stand], sights: Sights) -> tuple[int, int]:
    """Of points in which the shooter hangs: those of the hang with the most, and how many of the
    others do not count (CIR-8.6).
    """
    in_each: dict[int, int] = {}
    of_stand = _hangs(stands, sights.hang_mp)
    for i in hung:
        in_each[of_stand[i]] = in_each.get(of_stand[i], 0) + 1
    most, *others = sorted(in_each.values(), reverse=True)
    return most, sum(max(0, points - sights.hang_own_mp) for points in others)


def _hangs(stands: Sequence[Stand], hang_mp: int) -> list[int]:
    """To which hang of a move each stand belongs, from 1; 0 is none.

    A hang goes on in its hex until its points are spent: the next one may be in the same hex.
    """
    numbers: list[int] = []
    number = length = 0
    for at, stand in enumerate(stands):
        goes_on = 0 < length < hang_mp and stand[:2] == stands[at - 1][:2]
        length = 0 if stand.pose not in HANGS else length + 1 if goes_on else 1
        number += length == 1
        numbers.append(number if length else 0)
    return numbers


def half_met(
    own_mp: int,
    own_mp_in_arc: int,
    own_hang_mp_in_arc: int,
    target_mp: int,
    target_mp_in_arc: int,
    book: CircusBook,
) -> bool:
    """Whether half of the points of one of the two were in the arc (CIR-8.4, CIR-8.6).

    Of the shooter's own points in a hammerhead or propeller hang at most three count. Of several
    these are the points of the one with the most, and of the others what is idle has been left
    out already. Who spent no points has no half of them.
    """
    idle = max(0, own_hang_mp_in_arc - figure(book, "hang_own_mp"))
    by_own = 2 * (own_mp_in_arc - idle) >= own_mp > 0
    return by_own or 2 * target_mp_in_arc >= target_mp > 0


def aim(shooter: Route, target: Route, sights: Sights, book: CircusBook, *, gunner: bool) -> Aimed:
    """What the firing clock finds for the guns of one mount and one target.

    Args:
        gunner: The shooter has a living gunner.
    """
    by_own, by_target = count(shooter, target, sights)
    own, others = shooter.mp, target.mp
    half = half_met(own, by_own.mp, by_own.hang_mp, others, by_target.mp, book)
    shot = _of_the_shot(by_own, by_target, own, others, sights)
    range_hexes = shot.range_hexes
    one, other = shot.shooter, shot.target
    hangs = by_own.target_hangs or by_target.target_hangs
    if sights.hang_at_shot:
        hangs = range_hexes > 0 and other.pose in HANGS
    flat = max(abs(other.q - one.q), abs(other.r - one.r), abs(other.q + other.r - one.q - one.r))
    vertical = range_hexes > 0 and not flat and not sights.flexible
    blind = range_hexes > 0 and not vertical and _is_blind(one, other, book, gunner=gunner)
    return Aimed(
        may_fire=half and not blind,
        own_mp=own,
        own_mp_in_arc=by_own.mp,
        own_hang_mp_in_arc=by_own.hang_mp,
        target_mp=others,
        target_mp_in_arc=by_target.mp,
        hexes=flat if range_hexes else 0,
        height_difference_feet=other.feet - one.feet if range_hexes else 0,
        range_hexes=range_hexes,
        vertical=vertical,
        target_hanging=hangs,
        target_in_blind_spot=blind,
    )


def _of_the_shot(
    by_own: Counted, by_target: Counted, own_mp: int, target_mp: int, sights: Sights
) -> Counted:
    """The clock at whose point the shot is fired: of both the later, or the nearer (CIR-8.7)."""
    if not (by_own.mp and by_target.mp):
        return by_own if by_own.mp else by_target
    if sights.nearest and by_own.range_hexes != by_target.range_hexes:
        return min(by_own, by_target, key=lambda counted: counted.range_hexes)
    return by_own if by_own.at * target_mp >= by_target.at * own_mp else by_target


def _is_blind(one: Stand, other: Stand, book: CircusBook, *, gunner: bool) -> bool:
    here, there = Hex(one.q, one.r), Hex(other.q, other.r)
    height = other.feet - one.feet
    facing = DIRECTIONS[one.facing]
    return in_blind_spot(here, facing, there, height, book, gunner=gunner)


def aimed(facts: Aiming, own: Sequence[Aeroplane], book: CircusBook) -> Aimed:
    """What the firing clock finds on the paths of a call, which have been checked."""
    return aimed_along(*routes_of(facts, book), facts, own, book)


def routes_of(facts: Aiming, book: CircusBook) -> tuple[Route, Route]:
    """The paths of a call by movement points: the shooter's, and the target's."""
    return route_of(facts.shooter.path, book), route_of(facts.target.path, book)


def aimed_along(
    shooter: Route, target: Route, facts: Aiming, own: Sequence[Aeroplane], book: CircusBook
) -> Aimed:
    """As `aimed`, with the paths by movement points: they are the same under every setting."""
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "aiming.aeroplane")
    simultaneous = facts.simultaneous
    clouds = placed(facts.clouds, book)
    moved = shooter.mp > 0
    sights = sights_of(aeroplane, facts.mount, clouds, book, simultaneous=simultaneous, moved=moved)
    gunner = has_gunner(aeroplane, killed=facts.gunner_killed)
    return aim(shooter, target, sights, book, gunner=gunner)


def has_gunner(aeroplane: Aeroplane, *, killed: bool) -> bool:
    """Whether there is a living gunner; without him an aircraft sees as a single-seater does."""
    return aeroplane.crew > 1 and not killed


# ---- A whole fire phase


def opportunities(
    crafts: Sequence[Craft],
    clouds: Sequence[Cloud],
    book: CircusBook,
    *,
    own: Sequence[Aeroplane] = (),
    acting_side: Side | None = None,
) -> tuple[Opportunity, ...]:
    """Every shot that the clock allows, whoever has ammunition for it or has seen his target.

    Args:
        crafts: All aircraft; those that have left the game neither fire nor are fired at.
        own: Types that are not in the book.
        acting_side: In alternate turns, the side that has just moved; the other one stands still.
            None where both have flown at once.
    """
    flying = [craft for craft in crafts if craft.end is None]
    routes = [_route(craft, acting_side, book) for craft in flying]
    hidden, simultaneous = placed(clouds, book), acting_side is None
    found: list[Opportunity] = []
    for shooter, route in zip(flying, routes):
        targets = [
            (craft.aircraft.id, other)
            for craft, other in zip(flying, routes)
            if craft.side != shooter.side
        ]
        aeroplane = aeroplane_of(shooter.aircraft.aeroplane, own, book, "aeroplane")
        condition = shooter.aircraft.condition or UNHURT
        gunner = has_gunner(aeroplane, killed=condition.gunner_killed)
        for mount in dict.fromkeys(weapon.mount for weapon in aeroplane.weapons):
            sights = sights_of(
                aeroplane, mount, hidden, book, simultaneous=simultaneous, moved=route.mp > 0
            )
            for id_, other in targets:
                one = aim(route, other, sights, book, gunner=gunner)
                if one.may_fire:
                    found.append(_opportunity(shooter.aircraft.id, id_, mount, one))
    return tuple(found)


def _route(craft: Craft, acting_side: Side | None, book: CircusBook) -> Route:
    """What an aircraft has just flown; where it stands, if it has not moved."""
    if craft.path and acting_side in (None, craft.side):
        return route_of(craft.path, book)
    aircraft = craft.aircraft
    pose = craft.path[-1].pose if craft.path else Pose.LEVEL
    start = PathStep(0, aircraft.hex, aircraft.facing, aircraft.altitude_feet, pose)
    return route_of((start,), book)


def _opportunity(shooter: str, target: str, mount: Mount, one: Aimed) -> Opportunity:
    return Opportunity(
        shooter=shooter,
        target=target,
        mount=mount,
        own_mp=one.own_mp,
        own_mp_in_arc=one.own_mp_in_arc,
        own_hang_mp_in_arc=one.own_hang_mp_in_arc,
        target_mp=one.target_mp,
        target_mp_in_arc=one.target_mp_in_arc,
        hexes=one.hexes,
        height_difference_feet=one.height_difference_feet,
        range_hexes=one.range_hexes,
        vertical=one.vertical,
        target_hanging=one.target_hanging,
    )
