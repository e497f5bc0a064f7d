"""Dives that fill a move: stalled, steep, power dives, and pulling out. CIR-3.8, 4.2 and 5.8."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import Aircraft, Build, Manoeuvre, Pose
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.codes import Code, Token
from guncamera.rulesets.circus.energy import Kind
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.legs import (
    check_steep,
    check_steep_leg,
    fly_leg,
    fly_steep,
    steep_costs,
)
from guncamera.rulesets.circus.performance import figures_of
from guncamera.rulesets.circus.specials import check_special
from guncamera.rulesets.circus.walk import (
    StressAct,
    Task,
    Walk,
    check_spent,
    in_hexes,
    refuse,
)


def forced_costs(walk: Walk, speed_mp: int, ke: int) -> list[int]:
    """Hexes of a forced dive: at least one, however slow it is."""
    return steep_costs(walk, speed_mp, ke) or [walk.figures.steep_dive_mp]


def fly_forced(walk: Walk, costs: Sequence[int], arrow: Token | None) -> None:
    """A steep dive that nobody chose: by setting it is checked as any other (CIR-6.1)."""
    walk.readings["CIR-6.1", "forced_dive_check"] = None
    fly_steep(walk, costs[:1], arrow)
    if walk.book.settings.forced_dive_check == "checked":
        walk.stress(None, "steep dive", 0)
    fly_steep(walk, costs[1:], arrow)


def stalled_dive(task: Task, plot: Plot, tokens: Sequence[Token], walk: Walk) -> Kind:
    """A stalled aircraft dives straight ahead for the turn (CIR-3.8)."""
    walk.readings["CIR-3.8", "stall_recovery"] = None
    ke = task.aircraft.ke
    points = plot.speed_mp + ke
    shallow = task.book.settings.stall_recovery == "shallow-dive"
    *leg, arrow = tokens
    dives = (Code.STEEP_DIVE, Code.SHALLOW_DIVE) if shallow else (Code.STEEP_DIVE,)
    straight = leg and all(token.code == Code.HEXES for token in leg)
    costs = forced_costs(walk, plot.speed_mp, ke)
    if not straight or arrow.code not in dives:
        raise refuse(
            "CIR-3.8",
            arrow,
            f"{task.aircraft.id} has {points} movement points and stalls below "
            f"{task.able.stall_mp}; it dives straight ahead. Write {len(costs)} vv.",
            walk.where,
            points=points,
            stall_mp=task.able.stall_mp,
        )
    if arrow.code == Code.SHALLOW_DIVE:
        fly_leg(walk, leg, arrow)
        check_spent(task, plot, points, walk)
        return Kind.ORDINARY
    check_steep_leg(walk, leg, arrow, len(costs), points)
    fly_forced(walk, costs, arrow)
    return Kind.STEEP_DIVE


def steep_dive(task: Task, plot: Plot, tokens: Sequence[Token], steep: Token, walk: Walk) -> None:
    """A steep dive, which is the whole move (CIR-4.2)."""
    check_steep(walk, steep)
    if steep is not tokens[-1]:
        raise refuse(
            "CIR-4.2",
            tokens[tokens.index(steep) + 1],
            "a steep dive is the whole move, but for a pull-out from a power dive. Leave out "
            "what follows.",
            walk.where,
        )
    leg, ke = tokens[:-1], task.aircraft.ke
    costs = steep_costs(walk, plot.speed_mp, ke)
    check_steep_leg(walk, leg, steep, len(costs), plot.speed_mp + ke)
    fly_steep(walk, costs[:1], steep)
    walk.stress(steep, "steep dive", 0)
    fly_steep(walk, costs[1:], steep)


def power_dive_hexes(aircraft: Aircraft, book: CircusBook) -> int:
    """Hexes that a power dive goes ahead before it is straight down (CIR-5.8)."""
    goes_on = aircraft.power_diving and book.settings.power_dive_goes_on == "straight-down"
    return 0 if goes_on else 1


def power_dive(task: Task, tokens: Sequence[Token], power: Token, points: int, walk: Walk) -> None:
    """One hex ahead, then straight down: the whole move (CIR-5.8)."""
    check_special(walk, power)
    other = next((token for token in tokens if token is not power), None)
    if other is not None:
        raise refuse(
            "CIR-5.8", other, "a power dive is the whole move. Write PD alone.", walk.where
        )
    settings = walk.book.settings
    walk.plain = walk.shallow = False
    walk.dive = Pose.POWER_DIVE
    walk.manoeuvres.append((0, Manoeuvre.POWER_DIVE))
    walk.readings["CIR-5.8", "power_dive_feet"] = None
    if task.aircraft.power_diving:
        walk.readings["CIR-5.8", "power_dive_goes_on"] = None
    hexes = power_dive_hexes(task.aircraft, task.book)
    for _ in range(hexes):
        walk.ahead(1, 0, Pose.POWER_DIVE, "power_dive", power)
    for _ in range(points - hexes):
        walk.stand(1, -settings.power_dive_feet, Pose.POWER_DIVE, "power_dive", power)
    if Manoeuvre.POWER_DIVE not in walk.able.aeroplane.stressing:
        return
    walk.readings["CIR-6.2", "power_dive_check"] = None
    checked = settings.power_dive_check == "all"
    walk.acts.append(StressAct("power dive", 0, 1, first=True, checked=checked))


def pull_out(task: Task, tokens: Sequence[Token], points: int, walk: Walk) -> None:
    """Out of a power dive: half of the points in a dive, half level (CIR-5.8).

    Whatever damage bars, an aircraft may pull out; with too few points for a hex of the dive it
    flies level at once.
    """
    if points % 2:
        walk.readings["CIR-5.8", "pull_out_half"] = None
    walk.readings["CIR-5.8", "pull_out_dive"] = None
    hexes, half, level = halves(points, task.book)
    code = Code.STEEP_DIVE if pulls_out_steeply(task.book) else Code.SHALLOW_DIVE
    arrow = next((token for token in tokens if token.code == code), None)
    at = tokens.index(arrow) if arrow is not None else -1
    if (arrow is None) == bool(hexes):
        raise refuse(
            "CIR-5.8",
            tokens[0],
            f"{task.aircraft.id} is in a power dive; it goes on with PD, or pulls out with "
            f"{points} movement points: {_pull_out_codes(hexes, level, task.book)}.",
            walk.where,
            points=points,
        )
    if arrow is not None:
        _diving_half(walk, tokens[:at], arrow, hexes, half)
    if _strains_on_pulling_out(task, walk):
        walk.acts.append(StressAct("pull-out", 0, len(walk.steps) - 1, first=True, checked=True))
        walk.stressed = True
    _level_half(tokens[at + 1 :], hexes, level, walk)


def _strains_on_pulling_out(task: Task, walk: Walk) -> bool:
    """Whether pulling out is checked (CIR-6.2): for fragile types always.

    Of others for those only whose power dive is an act of high stress.
    """
    if task.able.aeroplane.build == Build.FRAGILE:
        return True
    if Manoeuvre.POWER_DIVE not in task.able.aeroplane.stressing:
        return False
    walk.readings["CIR-6.2", "power_dive_check"] = None
    return task.book.settings.power_dive_check == "pull-out"


def pulls_out_steeply(book: CircusBook) -> bool:
    """Whether the dive of a pull-out is a steep one; else it is shallow."""
    return book.settings.pull_out_dive == "steep"


def halves(points: int, book: CircusBook) -> tuple[int, int, int]:
    """Of a pull-out: hexes of its dive, points of the dive, points of the level half (CIR-5.8)."""
    half, figures = points // 2, figures_of(book)
    if points % 2:
        half += book.settings.pull_out_half == "up"
    if pulls_out_steeply(book):
        hexes = half // figures.steep_dive_mp
    else:
        hexes = half if half >= figures.shallow_dive_mp else 0
    return hexes, half, points - half if hexes else points


def _pull_out_codes(hexes: int, level: int, book: CircusBook) -> str:
    arrow = "vv" if pulls_out_steeply(book) else "v"
    return f"{hexes} {arrow} {level}" if hexes else f"{level}"


def _diving_half(walk: Walk, leg: Sequence[Token], arrow: Token, hexes: int, points: int) -> None:
    """The dive of a pull-out, straight ahead."""
    if arrow.code == Code.STEEP_DIVE:
        check_steep_leg(walk, leg, arrow, hexes, points)
        fly_steep(walk, [walk.figures.steep_dive_mp] * hexes, arrow)
        return
    straight = all(token.code == Code.HEXES for token in leg)
    plotted = sum(token.number for token in leg)
    if not straight or plotted != hexes:
        raise refuse(
            "CIR-5.8",
            arrow,
            f"the dive of this pull-out is {in_hexes(hexes)} straight ahead. Write {hexes} v.",
            walk.where,
            hexes=hexes,
            plotted=plotted,
        )
    fly_leg(walk, leg, arrow)


def _level_half(tokens: Sequence[Token], hexes: int, level: int, walk: Walk) -> None:
    """The level half of a pull-out, turns included."""
    for token in tokens:
        if token.code not in (Code.HEXES, Code.LEFT, Code.RIGHT):
            raise refuse(
                "CIR-5.8",
                token,
                "after the dive a pull-out is level flight. Write hexes and hexsides only.",
                walk.where,
            )
    start, dive = walk.mp, walk.dive
    for token in tokens:
        if token.code == Code.HEXES:
            for _ in range(token.number):
                walk.ahead(1, 0, Pose.LEVEL, "hexes", token)
        else:
            walk.turn(token, left=token.code == Code.LEFT, feet=0, pose=Pose.LEVEL)
    walk.dive, walk.plain = dive, False
    if walk.mp - start != level:
        raise Illegal(
            "CIR-5.8",
            f"The level half of the pull-out spends {walk.mp - start} movement points, and has "
            f"{level}. Write such as {_pull_out_codes(hexes, level, walk.book)}.",
            field=f"{walk.where}.codes",
            spent_mp=walk.mp - start,
            points=level,
        )
