"""Legs of a flight: level, climbing, in a shallow dive, in a steep dive. Chapters 3 and 4."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import Pose
from guncamera.rulesets.circus.codes import Code, Token
from guncamera.rulesets.circus.performance import steep_hexes
from guncamera.rulesets.circus.walk import Walk, in_hexes, refuse, spread


def fly_leg(walk: Walk, tokens: Sequence[Token], arrow: Token | None) -> None:
    """One leg: hexes and hexsides, zooms among them, and the arrow that closes it.

    Raises:
        Illegal: CIR-2.2, the arrow closes nothing; CIR-3.5, CIR-3.9, CIR-4.1, CIR-4.5.
    """
    if not tokens and arrow is not None:
        raise refuse(
            "CIR-2.2",
            arrow,
            "an arrow closes the hexes and hexsides before it, and there are none. Write them "
            "first, such as 4 ^100.",
            walk.where,
        )
    if arrow is not None and arrow.code == Code.SHALLOW_DIVE:
        _fly_shallow(walk, tokens, arrow)
        return
    if arrow is not None and arrow.code == Code.STEEP_DIVE:
        _fly_steep_leg(walk, tokens, arrow)
        return
    climb = arrow if arrow is not None and arrow.code == Code.CLIMB else None
    if walk.able.power_off:
        raise refuse(
            "CIR-3.9",
            arrow or tokens[0],
            "without power it must dive. Close each leg with v, or dive steeply.",
            walk.where,
        )
    _fly_level(walk, tokens, climb)


# ---- Level and climbing


def _fly_level(walk: Walk, tokens: Sequence[Token], climb: Token | None) -> None:
    hexes = sum(token.number for token in tokens if token.code == Code.HEXES)
    climbs = [0] * hexes
    if climb is not None:
        _check_climb(walk, climb, hexes)
        climbs = list(spread(climb.number, hexes, walk.figures.height_step_feet))
        walk.climbed += climb.number
        walk.plain = False
    walk.shallow = walk.steep = False
    zooms: list[int] = []
    flown = 0
    for token in tokens:
        pose = Pose.CLIMBING if zooms or climb is not None else Pose.LEVEL
        if token.code == Code.HEXES:
            for at in range(flown, flown + token.number):
                if climbs[at]:
                    walk.change_height(climbs[at], "climb", token)
                if zooms and zooms[at]:
                    walk.change_height(zooms[at], "zoom", token)
                walk.ahead(1, 0, pose, "hexes", token)
            flown += token.number
        elif token.code == Code.ZOOM:
            zooms = _zoom(walk, token, zooms or [0] * hexes, flown)
        else:
            walk.turn(token, left=token.code == Code.LEFT, feet=0, pose=pose)


def _check_climb(walk: Walk, arrow: Token, hexes: int) -> None:
    """Hold a climb to what the engine lifts, in a turn and in a hex (CIR-3.5)."""
    able, feet = walk.able, arrow.number
    step = walk.figures.height_step_feet
    walk.readings["CIR-3.5", "climb_per_hex_feet"] = None
    if feet % step:
        raise refuse("CIR-3.5", arrow, f"heights go in steps of {step} feet.", walk.where)
    if walk.climbed + feet > able.climb_feet:
        raise _too_steep(
            walk,
            arrow,
            f"it climbs {walk.climbed + feet} feet and can climb {able.climb_feet} in a turn",
            climb_feet=walk.climbed + feet,
            most_feet=able.climb_feet,
        )
    most = able.hex_feet * hexes
    if feet > most:
        raise _too_steep(
            walk,
            arrow,
            f"it climbs {feet} feet in {in_hexes(hexes)}, at most {able.hex_feet} in each",
            climb_feet=feet,
            most_feet=most,
        )


def _too_steep(walk: Walk, arrow: Token, why: str, **facts: int) -> Illegal:
    if walk.able.climbs_not:
        return refuse(
            "CIR-6.7",
            arrow,
            "the wing spars are cracked, which bars climbs. Fly level or dive.",
            walk.where,
            **facts,
        )
    return refuse("CIR-3.5", arrow, f"{why}. Climb less.", walk.where, **facts)


def _zoom(walk: Walk, token: Token, zooms: Sequence[int], flown: int) -> list[int]:
    """Kinetic energy for height, over the hexes of the leg that follow (CIR-4.5)."""
    left = len(zooms) - flown
    if not left:
        raise refuse(
            "CIR-4.5",
            token,
            "a zoom climbs over the hexes after it in its leg, and there are none. Write it "
            "before them, such as Z2 5.",
            walk.where,
        )
    walk.plain = False
    walk.zooms.append((len(walk.steps) - 1, token.number))
    walk.readings["CIR-4.5", "zoom_climb"] = None
    feet = token.number * walk.figures.zoom_feet
    if walk.book.settings.zoom_climb == "as-climbs":
        return _as_climbs(walk, token, zooms, flown, feet)
    gained = spread(feet, left, walk.figures.height_step_feet)
    return [*zooms[:flown], *(a + b for a, b in zip(zooms[flown:], gained))]


def _as_climbs(walk: Walk, token: Token, zooms: Sequence[int], flown: int, feet: int) -> list[int]:
    """A zoom no steeper than a climb, hex after hex and after the zooms before it (CIR-4.5)."""
    most = walk.able.hex_feet
    walk.readings["CIR-3.5", "climb_per_hex_feet"] = None
    gained, left = list(zooms), feet
    for at in range(flown, len(gained)):
        more = min(most - gained[at], left)
        gained[at], left = gained[at] + more, left - more
    if left:
        raise refuse(
            "CIR-4.5",
            token,
            f"zooms climb at most {most} feet in a hex, and {in_hexes(len(gained) - flown)} after "
            f"it are too few for {feet} feet more. Fly further in its leg, or spend less.",
            walk.where,
            zoom_feet=feet,
            most_feet=most,
        )
    return gained


def check_zoom(walk: Walk, token: Token, ke: int, points: int) -> None:
    """Whether an aircraft has the energy for its zooms, and can zoom at all (CIR-4.5).

    Args:
        points: Spent on this and the zooms before it.
    """
    able = walk.able
    gently = able.climbs_gently and walk.book.settings.gentle_zoom == "barred"
    why = None
    if able.climbs_not or (gently and able.condition.wings_cracked):
        why = "CIR-6.7", "the wing spars are cracked, which bars zooms. Fly level."
    elif gently:
        why = "CIR-10.11", "the controls allow gentle climbs only, and a zoom is steep. Fly level."
    elif able.power_off:
        why = "CIR-3.9", "without power it must dive. Dive instead."
    elif points > ke:
        why = "CIR-4.5", f"it spends {points} points of kinetic energy and has {ke}. Spend less."
    if able.climbs_gently:
        walk.readings["CIR-4.5", "gentle_zoom"] = None
    if why is not None:
        raise refuse(why[0], token, why[1], walk.where, ke=ke, points=points)


# ---- Dives


def _fly_shallow(walk: Walk, tokens: Sequence[Token], arrow: Token) -> None:
    """A shallow dive: height by the points spent, by setting without those of turns (CIR-4.1)."""
    figures, turns_dive = walk.figures, walk.book.settings.shallow_dive_points == "all"
    walk.plain = walk.steep = False
    if walk.dive == Pose.LEVEL:
        walk.dive = Pose.SHALLOW_DIVE
    if any(token.code in (Code.LEFT, Code.RIGHT) for token in tokens):
        walk.readings["CIR-4.1", "shallow_dive_points"] = None
    spent = lost = 0
    for token in tokens:
        if token.code == Code.ZOOM:
            raise refuse(
                "CIR-4.5", token, "nothing zooms in a dive. Zoom in another leg.", walk.where
            )
        turns = token.code != Code.HEXES
        cost = walk.able.side_mp if turns else 1
        for _ in range(token.number or 1):
            spent += cost if turns_dive or not turns else 0
            due = spent // figures.shallow_dive_mp * figures.shallow_dive_feet
            if turns:
                left = token.code == Code.LEFT
                walk.turn(token, left=left, feet=lost - due, pose=Pose.SHALLOW_DIVE)
            else:
                walk.ahead(1, lost - due, Pose.SHALLOW_DIVE, "shallow_dive", token)
            lost = due
    _check_shallow(walk, arrow, spent, lost)


def _check_shallow(walk: Walk, arrow: Token, spent: int, lost: int) -> None:
    if not lost:
        raise refuse(
            "CIR-4.1",
            arrow,
            f"a shallow dive loses {walk.figures.shallow_dive_feet} feet for each "
            f"{walk.figures.shallow_dive_mp} movement points, and its leg has {spent}. "
            "Dive for longer.",
            walk.where,
            spent_mp=spent,
        )
    if arrow.number not in (0, lost):
        raise refuse(
            "CIR-4.1",
            arrow,
            f"a shallow dive of {spent} movement points loses {lost} feet, not {arrow.number}. "
            f"Write v or v{lost}.",
            walk.where,
            spent_mp=spent,
            lost_feet=lost,
        )


def check_steep(walk: Walk, arrow: Token) -> None:
    """Whether an aircraft may dive steeply (CIR-4.2)."""
    condition = walk.able.condition
    why = None
    if condition.spar_cracked:
        why = "CIR-6.6", "a wing spar is cracked, which bars steep dives. Dive shallowly."
    elif condition.wings_cracked:
        why = "CIR-6.7", "the wing spars are cracked, which bars steep dives. Dive shallowly."
    elif condition.shallow_only:
        why = "CIR-10.11", "the controls allow shallow dives only. Close the leg with v."
    if why is not None:
        raise refuse(why[0], arrow, why[1], walk.where)


def steep_costs(walk: Walk, speed_mp: int, ke: int) -> list[int]:
    """Movement points of each hex of a steep dive (CIR-4.2); an odd point is lost.

    By setting, points of kinetic energy take it a hex each, after those of its speed.
    """
    if ke:
        walk.readings["CIR-4.2", "steep_dive_cost"] = None
    return steep_hexes(speed_mp, ke, walk.book)


def fly_steep(walk: Walk, costs: Sequence[int], token: Token | None) -> None:
    """Hexes of a steep dive, straight ahead (CIR-4.2)."""
    walk.plain = walk.shallow = False
    walk.dive = Pose.STEEP_DIVE
    for cost in costs:
        walk.ahead(cost, -walk.figures.steep_dive_feet, Pose.STEEP_DIVE, "steep_dive", token)


def _fly_steep_leg(walk: Walk, tokens: Sequence[Token], arrow: Token) -> None:
    """A steep dive that is a part of a move, by setting (CIR-4.2); it is checked once."""
    check_steep(walk, arrow)
    before, cost = len(walk.steps) - 1, walk.figures.steep_dive_mp
    hexes = sum(token.number for token in tokens if token.code == Code.HEXES)
    check_steep_leg(walk, tokens, arrow, hexes, hexes * cost)
    fly_steep(walk, [cost], arrow)
    walk.stress(arrow, "steep dive", before)
    fly_steep(walk, [cost] * (hexes - 1), arrow)


def check_steep_leg(
    walk: Walk, tokens: Sequence[Token], arrow: Token, hexes: int, points: int
) -> None:
    """Hold the codes of a steep dive to the hexes that its points reach (CIR-4.2).

    Args:
        tokens: The leg before the arrow.
        hexes: What the points reach.
    """
    for token in tokens:
        if token.code != Code.HEXES:
            raise refuse(
                "CIR-4.2", token, "a steep dive goes straight ahead. Leave this out.", walk.where
            )
    plotted = sum(token.number for token in tokens)
    if plotted != hexes or not hexes:
        raise refuse(
            "CIR-4.2",
            arrow,
            f"a steep dive with {points} movement points goes {in_hexes(hexes)}, not {plotted}. "
            f"Write {hexes} vv."
            if hexes
            else f"{points} movement points are too few for it.",
            walk.where,
            hexes=hexes,
            plotted=plotted,
            points=points,
        )
    lost = hexes * walk.figures.steep_dive_feet
    if arrow.number not in (0, lost):
        raise refuse(
            "CIR-4.2",
            arrow,
            f"a steep dive of {in_hexes(hexes)} loses {lost} feet, not {arrow.number}. Write vv or "
            f"vv{lost}.",
            walk.where,
            lost_feet=lost,
        )
