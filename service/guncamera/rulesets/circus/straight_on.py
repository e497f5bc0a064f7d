"""A spar that cracks on the way: what is left of the move is flown without high stress. CIR-6.6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guncamera.rulesets.circus.aircraft import Aircraft, PathStep, Pose
from guncamera.rulesets.circus.book import CircusBook, reckons_energy_as_flown
from guncamera.rulesets.circus.energy import Energy, Kind, Move, energy_after
from guncamera.rulesets.circus.flight import FlownPath
from guncamera.rulesets.circus.map import hex_at, label, on_map
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.performance import Figures, figures_of, lands
from guncamera.rulesets.circus.walk import Reading, StressAct, edge_readings

_STEEPER = (Pose.SHALLOW_DIVE, Pose.STEEP_DIVE, Pose.POWER_DIVE)


def straight_on(
    flown: FlownPath, act: StressAct, aircraft: Aircraft, speed_mp: int, book: CircusBook
) -> FlownPath:
    """The same move up to an act that has become impossible, and then straight on.

    The points left are spent level, or in the shallow dive that it is in. Zooms that it did not
    come to are not paid for, and its energy is that of the move as it is flown.

    Args:
        aircraft: Before its move.
        speed_mp: What it is flown at, without kinetic energy.
    """
    flown_steps = flown.path[: act.before + 1]
    last = flown_steps[-1]
    shallow = last.pose == Pose.SHALLOW_DIVE or flown.able.power_off
    rest = _rest(last, flown.points - last.mp, figures_of(book), book, shallow=shallow)
    whole = rest
    pose = Pose.SHALLOW_DIVE if shallow else Pose.LEVEL
    landing = lands(pose, flown.able, book)
    rest, end = _ended(whole, book, landing=landing, mapped=flown.mapped)
    named = [*flown.readings]
    if shallow and end in (End.CRASHED, End.LANDED):
        named.append(("CIR-3.11", "landing"))
    if end == End.LEFT_MAP:
        named += edge_readings(hex_at(whole[len(rest)].hex, book, "path", anywhere=True), book)
    path = (*flown_steps, *rest)
    zooms = tuple(zoom for zoom in flown.zooms if zoom[0] < act.before)
    ke_spent = sum(points for _, points in zooms)
    kind, all_shallow = _kind_of((*flown_steps[1:], *whole), aircraft)
    move = Move(kind, all_shallow, speed_mp, flown.points, ke_spent)
    energy, readings = _energy(flown, move, aircraft, book, named)
    return replace(
        flown,
        path=path,
        flown_mp=path[-1].mp,
        hang_mp=hang_mp_of(path),
        speed_mp=energy.speed_mp,
        ke_spent=ke_spent,
        ke_change=energy.ke_change,
        dive=steepest(path),
        hanging=flown.hanging and not rest,
        manoeuvres=tuple(one for one in flown.manoeuvres if one[0] < act.before),
        acts=tuple(one for one in flown.acts if one.step <= act.before),
        zooms=zooms,
        end=end,
        readings=readings,
    )


def _energy(
    flown: FlownPath, move: Move, aircraft: Aircraft, book: CircusBook, named: Sequence[Reading]
) -> tuple[Energy, tuple[Reading, ...]]:
    """The energy after a move, and its readings; games of before name twice what came up twice."""
    readings = dict.fromkeys(named)
    if reckons_energy_as_flown(book):
        energy = energy_after(move, aircraft.ke, flown.able, book, readings)
        return energy, tuple(readings)
    known = len(readings)
    energy = _as_plotted(flown, move, aircraft, book, readings)
    return energy, (*named, *list(readings)[known:])


def _kind_of(steps: Sequence[PathStep], aircraft: Aircraft) -> tuple[Kind, bool]:
    """What a move is by what was flown of it, and whether it is nothing but a shallow dive."""
    poses = {step.pose for step in steps}
    if aircraft.power_diving:
        return Kind.PULL_OUT, False
    kind = Kind.STEEP_DIVE if poses == {Pose.STEEP_DIVE} else Kind.ORDINARY
    return kind, poses == {Pose.SHALLOW_DIVE}


def _as_plotted(
    flown: FlownPath,
    move: Move,
    aircraft: Aircraft,
    book: CircusBook,
    readings: dict[Reading, None],
) -> Energy:
    """Energy as games of before reckon it: of the plot, unless its zooms were not come to."""
    if not flown.ke_spent or move.ke_spent:
        return Energy(flown.ke_change, flown.speed_mp)
    bleeding = replace(move, kind=Kind.ORDINARY, shallow=False)
    return energy_after(bleeding, aircraft.ke, flown.able, book, readings)


def broken_off(flown: FlownPath, act: StressAct, end: End) -> FlownPath:
    """The same move up to an act that was the end of the aircraft."""
    path = flown.path[: act.step + 1]
    return replace(
        flown,
        path=path,
        flown_mp=path[-1].mp,
        hang_mp=hang_mp_of(path),
        dive=steepest(path),
        manoeuvres=tuple(one for one in flown.manoeuvres if one[0] < act.step),
        end=end,
    )


def hang_mp_of(path: Sequence[PathStep]) -> int:
    """Movement points of hammerheads and propeller hangs in a path."""
    return sum(1 for step in path if step.pose in (Pose.HAMMERHEAD, Pose.HANGING))


def steepest(path: Sequence[PathStep]) -> Pose:
    """The steepest dive of a path."""
    poses = {step.pose for step in path}
    return next((pose for pose in reversed(_STEEPER) if pose in poses), Pose.LEVEL)


def _rest(
    last: PathStep, points: int, figures: Figures, book: CircusBook, *, shallow: bool
) -> list[PathStep]:
    """Hexes straight ahead."""
    pose = Pose.SHALLOW_DIVE if shallow else Pose.LEVEL
    here = hex_at(last.hex, book, "path", anywhere=True)
    steps = []
    for spent in range(1, points + 1):
        here = here.step(last.facing)
        lost = spent // figures.shallow_dive_mp * figures.shallow_dive_feet if shallow else 0
        steps.append(
            PathStep(last.mp + spent, label(here), last.facing, last.altitude_feet - lost, pose)
        )
    return steps


def _ended(
    steps: list[PathStep], book: CircusBook, *, landing: bool, mapped: bool
) -> tuple[list[PathStep], End | None]:
    """The steps as far as they go."""
    for at, step in enumerate(steps):
        if mapped and not on_map(hex_at(step.hex, book, "path", anywhere=True), book):
            return steps[:at], End.LEFT_MAP
        if step.altitude_feet <= 0:
            down = replace(step, altitude_feet=0)
            return [*steps[:at], down], End.LANDED if landing else End.CRASHED
    return steps, None
