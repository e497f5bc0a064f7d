"""A move without dice: from a plot to a path, its costs, its stress and its end.

Chapters 2 to 6 of the rules. Pure and quick, so that plots can be tried by the hundred; `fly` adds
what needs such trying, and `move` the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.circus.aircraft import (
    UNHURT,
    Aeroplane,
    Aircraft,
    Manoeuvre,
    PathStep,
    Pose,
)
from guncamera.rulesets.circus.book import CircusBook, names_all_that_decides
from guncamera.rulesets.circus.codes import ARROWS, FLIGHT, Code, Token, parse
from guncamera.rulesets.circus.dives import (
    fly_forced,
    forced_costs,
    power_dive,
    pull_out,
    stalled_dive,
    steep_dive,
)
from guncamera.rulesets.circus.energy import Energy, Kind, Move, energy_after, within_allowance
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.legs import check_zoom, fly_leg
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.performance import (
    Able,
    assess,
    figures_of,
    is_destroyed,
    is_stalled,
    lands,
    speeds,
)
from guncamera.rulesets.circus.specials import check_after_a_hang, fly_special
from guncamera.rulesets.circus.walk import (
    Reading,
    StressAct,
    Task,
    Walk,
    check_spent,
    set_out,
)


@dataclass(frozen=True, slots=True)
class FlownPath:
    """A move as it is flown if nothing breaks.

    Attributes:
        path: Its start and every stand after it, to where it leaves the game if it does.
        points: Movement points it had; an odd one of a steep dive is lost.
        speed_mp: The new speed, without kinetic energy.
        manoeuvres: Special manoeuvres, each after the stand before it.
        acts: High-stress acts on the way, in order.
        zooms: Points of kinetic energy spent, each after the stand before the zoom.
        stalled: It had fewer points than its stalling speed, and may not fire.
        forced: It had no choice: its pilot is dead, or it stalled.
        heights, spent: Feet and movement points, by what they were for.
        readings: Settings that mattered, with their rules.
    """

    able: Able
    path: tuple[PathStep, ...]
    points: int
    flown_mp: int
    speed_mp: int
    hang_mp: int
    ke_spent: int
    ke_change: int
    dive: Pose
    straight_and_level: bool
    power_diving: bool
    hanging: bool
    stalled: bool
    forced: bool
    manoeuvres: tuple[tuple[int, Manoeuvre], ...]
    acts: tuple[StressAct, ...]
    zooms: tuple[tuple[int, int], ...]
    end: End | None
    heights: tuple[tuple[str, int], ...]
    spent: tuple[tuple[str, int], ...]
    readings: tuple[Reading, ...]
    mapped: bool

    @property
    def last(self) -> PathStep:
        """Where it ends."""
        return self.path[-1]


def flight_of(
    aircraft: Aircraft,
    aeroplane: Aeroplane,
    plot: Plot | None,
    book: CircusBook,
    field: str = "flight",
) -> FlownPath:
    """A move without dice, wherever it leads.

    Args:
        plot: None for an aircraft whose pilot is dead.
        field: Where aircraft and plot stand among the facts.

    Raises:
        Malformed: CIR-1.3, CIR-2.1 to CIR-2.3, CIR-4.6: facts or codes that are none.
        Illegal: The plot breaks a rule of chapters 2 to 6; the message names the code.
    """
    condition = aircraft.condition or UNHURT
    check_aircraft(aircraft, aeroplane, book, f"{field}.aircraft")
    able = assess(aeroplane, condition, book)
    task = Task(aircraft, plot, able, book, field)
    walk = set_out(aircraft, able, book, f"{field}.plot", f"{field}.aircraft")
    if condition.pilot_killed:
        return _out_of_control(task, walk)
    if plot is None:
        raise Illegal(
            "CIR-2.1",
            f"{aircraft.id} can be steered and has no plot. Give it one.",
            field=f"{field}.plot",
            aircraft=aircraft.id,
        )
    _check_speed(task, plot)
    tokens = parse(plot.codes, f"{field}.plot.codes")
    return _steered(task, plot, tokens, walk)


def check_aircraft(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook, field: str) -> None:
    """Hold an aircraft to what one in the air can be.

    Raises:
        Malformed: CIR-1.3, its height; CIR-4.6, its energy.
        Illegal: CIR-3.11, it is on the ground; CIR-10.12, it is destroyed.
    """
    feet, step = aircraft.altitude_feet, figures_of(book).height_step_feet
    if feet % step:
        raise Malformed(
            f"{feet} feet is not a height in steps of {step}.",
            rule_id="CIR-1.3",
            field=f"{field}.altitude_feet",
            altitude_feet=feet,
        )
    if feet == 0:
        raise Illegal(
            "CIR-3.11",
            f"{aircraft.id} is on the ground; give its height, {step} feet or more.",
            field=f"{field}.altitude_feet",
            altitude_feet=0,
        )
    most = aeroplane.over_speed_mp
    if aircraft.ke and aircraft.speed_mp + aircraft.ke > most:
        raise Malformed(
            f"{aircraft.id} has {aircraft.ke} points of kinetic energy above a speed of "
            f"{aircraft.speed_mp}; its over-speed allowance ends at {most}. Give it fewer.",
            rule_id="CIR-4.6",
            field=f"{field}.ke",
            ke=aircraft.ke,
            over_speed_mp=most,
        )
    if aircraft.condition is not None and is_destroyed(aeroplane, aircraft.condition, book):
        raise Illegal(
            "CIR-10.12",
            f"{aircraft.id} is destroyed by {aircraft.condition.damage_points} damage; it flies "
            "no more.",
            field=f"{field}.condition.damage_points",
            damage_points=aircraft.condition.damage_points,
        )


# ---- Speed


def _check_speed(task: Task, plot: Plot) -> None:
    """Hold the chosen speed to what the aircraft can reach (CIR-3.4, CIR-3.8, CIR-3.9)."""
    aircraft, able = task.aircraft, task.able
    allowed = speeds(aircraft, able, task.book)
    if plot.speed_mp in allowed:
        return
    low, high = allowed[0], allowed[-1]
    if able.power_off:
        rule, why = "CIR-3.9", f"Without power {aircraft.id} glides at {low}"
    elif is_stalled(aircraft, able):
        rule, why = "CIR-3.8", f"{aircraft.id} is stalled and keeps its speed of {low}"
    else:
        rule = "CIR-3.4"
        why = f"{aircraft.id} can fly at {_of(allowed)} after {aircraft.speed_mp}"
    raise Illegal(
        rule,
        f"{why}, and its plot has a speed of {plot.speed_mp}. Take {_of(allowed)}.",
        field=f"{task.field}.plot.speed_mp",
        speed_mp=plot.speed_mp,
        slowest_mp=low,
        fastest_mp=high,
    )


def _of(allowed: range) -> str:
    low, high = allowed[0], allowed[-1]
    return f"{low}" if low == high else f"{low} to {high}"


def _name_speed_readings(task: Task, speed_mp: int, walk: Walk) -> None:
    aircraft, able = task.aircraft, task.able
    if able.power_off:
        walk.readings["CIR-3.9", "glide_ends_mp"] = None
        if aircraft.speed_mp - 1 > able.top_mp:
            walk.readings["CIR-3.9", "power_off"] = None
    elif speed_mp > aircraft.speed_mp:
        walk.readings["CIR-3.4", "acceleration_mp"] = None
    elif able.top_mp >= aircraft.speed_mp > speed_mp:
        walk.readings["CIR-3.4", "braking_mp"] = None


# ---- Moves that nobody steers, and dives


def _out_of_control(task: Task, walk: Walk) -> FlownPath:
    """The pilot is dead: a steep dive straight ahead (CIR-10.4)."""
    aircraft, able = task.aircraft, task.able
    if task.plot is not None:
        raise Illegal(
            "CIR-10.4",
            f"The pilot of {aircraft.id} is dead; it dives to the ground and takes no plot. "
            "Leave it out.",
            field=f"{task.field}.plot",
            aircraft=aircraft.id,
        )
    if able.power_off or is_stalled(aircraft, able):
        speed = speeds(aircraft, able, task.book)[0]
    else:
        speed = min(aircraft.speed_mp, able.top_mp)
    if able.power_off and names_all_that_decides(task.book):
        _name_speed_readings(task, speed, walk)
    points = max(speed + aircraft.ke, walk.figures.steep_dive_mp)
    fly_forced(walk, forced_costs(walk, speed, aircraft.ke), None)
    return _result(task, walk, Kind.STEEP_DIVE, speed, points, forced=True)


def _steered(task: Task, plot: Plot, tokens: Sequence[Token], walk: Walk) -> FlownPath:
    """A move by its plot."""
    aircraft = task.aircraft
    zoomed = _zoomed(task, tokens, walk)
    points = plot.speed_mp + aircraft.ke - zoomed
    _name_speed_readings(task, plot.speed_mp, walk)
    steep = next((token for token in tokens if token.code == Code.STEEP_DIVE), None)
    power = next((token for token in tokens if token.code == Code.POWER_DIVE), None)
    if is_stalled(aircraft, task.able):
        kind = stalled_dive(task, plot, tokens, walk)
        points = max(points, walk.mp)
        return _result(task, walk, kind, plot.speed_mp, points, stalled=True)
    if power is not None:
        if aircraft.hanging:
            check_after_a_hang(walk, power)
        power_dive(task, tokens, power, points, walk)
        return _result(task, walk, Kind.POWER_DIVE, plot.speed_mp, points)
    if aircraft.power_diving:
        pull_out(task, tokens, points, walk)
        return _result(task, walk, Kind.PULL_OUT, plot.speed_mp, points)
    if steep is not None and not _dives_by_legs(tokens, walk):
        steep_dive(task, plot, tokens, steep, walk)
        return _result(task, walk, Kind.STEEP_DIVE, plot.speed_mp, points)
    _ordinary(task, plot, tokens, walk)
    check_spent(task, plot, points, walk)
    kind = Kind.STEEP_DIVE if walk.steep else Kind.ORDINARY
    return _result(task, walk, kind, plot.speed_mp, points)


def _dives_by_legs(tokens: Sequence[Token], walk: Walk) -> bool:
    """Whether a steep dive is but a leg of a move, which takes a setting (CIR-4.2)."""
    arrows = [token for token in tokens if token.code not in (Code.HEXES, Code.LEFT, Code.RIGHT)]
    if len(arrows) == 1 and arrows[0] is tokens[-1]:
        return False
    walk.readings["CIR-4.2", "steep_dive_moves"] = None
    return walk.book.settings.steep_dive_moves == "legs"


def _zoomed(task: Task, tokens: Sequence[Token], walk: Walk) -> int:
    """Points of kinetic energy that the plot spends on zooms."""
    zoomed = 0
    for token in tokens:
        if token.code == Code.ZOOM:
            zoomed += token.number
            check_zoom(walk, token, task.aircraft.ke, zoomed)
    return zoomed


# ---- Ordinary moves


def _ordinary(task: Task, plot: Plot, tokens: Sequence[Token], walk: Walk) -> None:
    """Legs and special manoeuvres, in their order."""
    leg: list[Token] = []
    before: Token | None = None
    walk.hanging = task.aircraft.hanging
    for token in tokens:
        if token.code in FLIGHT:
            leg.append(token)
            walk.hanging = False
        elif token.code in ARROWS:
            fly_leg(walk, leg, token)
            leg = []
        else:
            if leg:
                fly_leg(walk, leg, None)
                leg = []
            fly_special(walk, token, before)
        before = token
    if leg:
        fly_leg(walk, leg, None)
    if walk.climbed and plot.speed_mp > task.aircraft.speed_mp:
        _check_climbing_acceleration(task, plot, walk)


def _check_climbing_acceleration(task: Task, plot: Plot, walk: Walk) -> None:
    walk.readings["CIR-3.4", "climbing_acceleration"] = None
    if task.book.settings.climbing_acceleration == "allowed":
        return
    raise Illegal(
        "CIR-3.4",
        f"{task.aircraft.id} climbs by engine and speeds up from {task.aircraft.speed_mp} to "
        f"{plot.speed_mp}; in one turn it can do one of the two. Keep the speed, or fly level.",
        field=f"{task.field}.plot.speed_mp",
        speed_mp=plot.speed_mp,
        climb_feet=walk.climbed,
    )


# ---- What came of it


def _result(
    task: Task,
    walk: Walk,
    kind: Kind,
    speed_mp: int,
    points: int,
    *,
    stalled: bool = False,
    forced: bool = False,
) -> FlownPath:
    ke_spent = sum(number for _, number in walk.zooms)
    move = Move(kind, walk.shallow, speed_mp, points, ke_spent)
    energy = energy_after(move, task.aircraft.ke, task.able, task.book, walk.readings)
    if stalled:
        walk.readings["CIR-3.8", "stall_ends_mp"] = None
        ends = task.able.stall_mp + task.book.settings.stall_ends_mp
        recovered = min(ends, task.able.top_mp)
        energy = Energy(energy.ke_change, recovered)
        left = task.aircraft.ke - ke_spent
        energy = within_allowance(energy, left, task.able.aeroplane, task.book, walk.readings)
    path, end = _ended(walk)
    return FlownPath(
        able=task.able,
        path=path,
        points=points,
        flown_mp=path[-1].mp,
        speed_mp=energy.speed_mp,
        hang_mp=sum(1 for step in path if step.pose in (Pose.HAMMERHEAD, Pose.HANGING)),
        ke_spent=ke_spent,
        ke_change=energy.ke_change,
        dive=walk.dive,
        straight_and_level=walk.plain,
        power_diving=kind == Kind.POWER_DIVE,
        hanging=walk.hanging,
        stalled=stalled,
        forced=forced or stalled,
        manoeuvres=tuple(walk.manoeuvres),
        acts=tuple(act for act in walk.acts if act.step < len(path) - (end == End.CRASHED)),
        zooms=tuple(walk.zooms),
        end=end,
        heights=tuple(walk.heights.items()),
        spent=tuple(walk.spent.items()),
        readings=tuple(walk.readings),
        mapped=walk.mapped,
    )


def _ended(walk: Walk) -> tuple[tuple[PathStep, ...], End | None]:
    """The path as far as it goes: to the ground, or to the last hex of the map."""
    steps, ground, edge = walk.steps, walk.ground_at, walk.left_at
    if edge is not None and (ground is None or edge <= ground):
        return tuple(steps[:edge]), End.LEFT_MAP
    if ground is None:
        return tuple(steps), None
    last = steps[ground]
    if last.pose == Pose.SHALLOW_DIVE:
        walk.readings["CIR-3.11", "landing"] = None
    path = (*steps[:ground], replace(last, altitude_feet=0))
    return path, End.LANDED if lands(last.pose, walk.able, walk.book) else End.CRASHED
