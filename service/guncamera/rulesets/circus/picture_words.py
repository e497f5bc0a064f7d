"""The words of the picture: heading, state of each aircraft, and what a screen reader reads out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from guncamera.rulesets.circus.aircraft import (
    UNHURT,
    Aeroplane,
    Condition,
    Feed,
    Load,
    Pose,
    Side,
    Weapon,
)
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.orders import Craft, Opportunity, Phase, Shot, TurnOrder, View
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.performance import is_destroyed
from guncamera.rulesets.circus.picture_shots import Measured, measured

ENDS: Mapping[End, str] = {
    End.DESTROYED: "shot down",
    End.BROKEN_UP: "broke up",
    End.CRASHED: "crashed",
    End.COLLIDED: "collided",
    End.LANDED: "landed",
    End.LEFT_MAP: "left the map",
}
POSES: Mapping[Pose, str] = {
    Pose.LEVEL: "level",
    Pose.CLIMBING: "climbing",
    Pose.SHALLOW_DIVE: "in a shallow dive",
    Pose.STEEP_DIVE: "in a steep dive",
    Pose.POWER_DIVE: "in a power dive",
    Pose.HAMMERHEAD: "in a hammerhead, nose up",
    Pose.HAMMERHEAD: "nose up in a hammerhead",
    Pose.HANGING: "hanging, nose up",
    Pose.MANOEUVRING: "manoeuvring",
}
_NOW: Mapping[Phase, str] = {
    Phase.SPOT: "look for the enemy",
    Phase.PLOT: "both sides plot in secret",
    Phase.FLY: "fly the plots",
    Phase.MOVE: "plot and fly",
    Phase.FIRE: "fire",
    Phase.UPKEEP: "end the turn",
}
MOST_DAMAGE = 41


def title_of(slug: str, view: View, book: CircusBook) -> str:
    """The name of an aircraft's type."""
    figures = figures_of(slug, view, book)
    return figures.title if figures else slug


def figures_of(slug: str, view: View, book: CircusBook) -> Aeroplane | None:
    """The figures of a type: the session's own first; None where nobody knows it."""
    own = (one for one in view.own_aeroplanes if one.type == slug)
    return next(own, book.aircraft.get(slug))


def state_of(craft: Craft) -> Condition:
    """What has happened to an aircraft."""
    return craft.aircraft.condition or UNHURT


# ---- The heading


def heading(view: View) -> str:
    """Which turn of how many."""
    if view.phase == Phase.FINISHED:
        return f"Turn {view.turn}: game over"
    return f"Turn {view.turn} of {view.turns}"


def now(view: View) -> str:
    """What may be done and by whom, or who has won."""
    if view.winner is not None:
        return f"The {view.winner} side wins"
    if view.draw or view.phase == Phase.FINISHED:
        return "A draw"
    doing = _NOW[view.phase]
    who = _who(view)
    return f"Now: {doing}{f' ({who})' if who else ''}"


def _who(view: View) -> str:
    if view.phase == Phase.FIRE:
        able = {_side_of(one.shooter, view) for one in view.opportunities}
        names = [side.value for side in Side if side in able and side not in view.holding]
        return f"{' and '.join(names)} side{'s' if len(names) > 1 else ''}" if names else ""
    side = view.looking_side if view.phase == Phase.SPOT else view.acting_side
    return f"{side} side" if side and view.phase != Phase.UPKEEP else ""


def _side_of(id_: str, view: View) -> Side | None:
    return next((craft.side for craft in view.craft if craft.aircraft.id == id_), None)


def order_of_play(view: View) -> str:
    """How the sides take turns."""
    if view.turn_order == TurnOrder.SIMULTANEOUS:
        return "simultaneous turns"
    half = f", the {view.acting_side} side's half" if view.acting_side else ""
    return f"alternate{half or ' turns'}"


def sky(view: View) -> list[str]:
    """Sun and clouds."""
    sun = f"Sun in the {view.sun}" if view.sun else "Sun hidden"
    if not view.clouds:
        return [sun, "no clouds"]
    heights = dict.fromkeys((cloud.base_feet, cloud.top_feet) for cloud in view.clouds)
    named = [f"{base:,} to {top:,} ft" for base, top in list(heights)[:2]]
    more = " and others" if len(heights) > 2 else ""
    return [sun, f"clouds {' and '.join(named)}{more}"]


def side_words(side: Side, view: View) -> list[str]:
    """A side: whose it is, its friendly edge, its kills."""
    edge = view.first_edge if side == Side.FIRST else view.second_edge
    kills = sum(craft.kills for craft in view.craft if craft.side == side)
    words = [f"home edge {edge}", _counted(kills, "kill")]
    if view.seat == side:
        words.append("yours")
    if side in view.holding:
        words.append("fires no more now")
    return words


# ---- One aircraft


def flight(craft: Craft) -> str:
    """Height and speed, kinetic energy apart."""
    aircraft = craft.aircraft
    energy = f"+{aircraft.ke}" if aircraft.ke else ""
    return f"{aircraft.altitude_feet:,} ft, {aircraft.speed_mp}{energy}"


def position(craft: Craft) -> list[str]:
    """Where it is, which way it faces, its height and its speed."""
    aircraft = craft.aircraft
    energy = f" + {aircraft.ke} KE" if aircraft.ke else ""
    words = [
        f"{aircraft.hex} {aircraft.facing}",
        f"{aircraft.altitude_feet:,} ft",
        f"speed {aircraft.speed_mp}{energy}",
        _attitude(craft),
    ]
    return [word for word in words if word]


def _attitude(craft: Craft) -> str:
    if craft.aircraft.power_diving:
        return POSES[Pose.POWER_DIVE]
    if craft.aircraft.hanging:
        return POSES[Pose.HANGING]
    pose = craft.path[-1].pose if craft.path else Pose.LEVEL
    return POSES[pose] if pose not in (Pose.LEVEL, Pose.MANOEUVRING) else ""


def guns(craft: Craft, view: View, book: CircusBook) -> list[str]:
    """Each weapon: what is left for it, and why it cannot fire."""
    figures = figures_of(craft.aircraft.aeroplane, view, book)
    if figures is None:
        return []
    loads = craft.aircraft.loads or tuple(
        Load(weapon.load_points, weapon.loads - 1) for weapon in figures.weapons
    )
    return [_gun(weapon, load) for weapon, load in zip(figures.weapons, loads)]


def _gun(weapon: Weapon, load: Load) -> str:
    name = f"{weapon.mount} {'guns' if weapon.barrels > 1 else 'gun'}"
    if load.reload_phases:
        return f"{name} changing {weapon.feed}, {_spare(weapon, load)}"
    if not load.points and not load.spare:
        return f"{name} empty"
    spare = f", {_spare(weapon, load)}" if weapon.feed != Feed.BELT else ""
    return f"{name} {load.points}{spare}"


def _spare(weapon: Weapon, load: Load) -> str:
    plural = {"drum": "drums", "box": "boxes", "belt": "belts"}[weapon.feed.value]
    return f"{load.spare} spare {weapon.feed.value if load.spare == 1 else plural}"


def spotted_by(craft: Craft, view: View) -> str:
    """Which enemies it has spotted in this turn; nothing where it has not looked."""
    looks = [one for one in view.sightings if one.spotter == craft.aircraft.id]
    seen = [one.target for one in looks if one.spotted]
    if len(seen) == len(looks) > 1:
        return "sees all"
    return f"sees {', '.join(seen) or 'nobody'}" if looks else ""


def troubles(craft: Craft, view: View, book: CircusBook) -> list[str]:
    """Everything that is wrong with an aircraft or its crew, in words."""
    condition = state_of(craft)
    words = [*_crew(craft, condition), *_jams(craft, view, book)]
    words += [*_airframe(craft, condition, view, book), *_engine(condition), *_controls(condition)]
    return words


def _crew(craft: Craft, condition: Condition) -> Iterator[str]:
    if condition.pilot_killed:
        yield "pilot killed"
    elif condition.pilot_wounds:
        yield f"pilot wounded{_times(condition.pilot_wounds)}"
    if craft.broken:
        yield "pilot broken, flies home"
    if condition.gunner_killed:
        yield "gunner killed"
    elif condition.gunner_wounds:
        yield f"gunner wounded{_times(condition.gunner_wounds)}"


def _jams(craft: Craft, view: View, book: CircusBook) -> Iterator[str]:
    figures = figures_of(craft.aircraft.aeroplane, view, book)
    weapons = figures.weapons if figures else ()
    for weapon, load in zip(weapons, craft.aircraft.loads):
        if load.jammed:
            yield f"{weapon.mount} {'guns' if weapon.barrels > 1 else 'gun'} jammed"


def _airframe(craft: Craft, condition: Condition, view: View, book: CircusBook) -> Iterator[str]:
    if condition.fire_points:
        yield f"on fire, {condition.fire_points} a turn"
    if condition.damage_points:
        lost_at = _lost_at(craft, condition, view, book)
        yield f"damage {condition.damage_points}{f', lost at {lost_at}' if lost_at else ''}"
    if condition.structure_marks:
        yield f"structure hit{_times(condition.structure_marks)}"
    if condition.spar_cracked:
        yield "spar cracked"
    if condition.wings_cracked:
        yield "wing spars cracked"


def _lost_at(craft: Craft, condition: Condition, view: View, book: CircusBook) -> int:
    """The damage that destroys it; 0 where nobody knows its type."""
    figures = figures_of(craft.aircraft.aeroplane, view, book)
    if figures is None:
        return 0
    worse = (replace(condition, damage_points=points) for points in range(MOST_DAMAGE))
    destroyed = (one.damage_points for one in worse if is_destroyed(figures, one, book))
    return next(destroyed, 0)


def _engine(condition: Condition) -> Iterator[str]:
    if condition.engine_seized:
        yield "engine seized"
    elif condition.oil_leak_turns is not None:
        turns = condition.oil_leak_turns
        yield f"oil leak, turn {turns}" if turns else "oil leak"
    if condition.top_lost_mp:
        yield f"top speed -{condition.top_lost_mp}"


def _controls(condition: Condition) -> Iterator[str]:
    steps = condition.turn_code_steps
    if steps:
        yield f"turns {_counted(steps, 'code')} worse"
    if condition.left_barred:
        yield "no left turns"
    if condition.right_barred:
        yield "no right turns"
    if condition.climb_steps:
        yield f"climb {_counted(condition.climb_steps, 'step')} slower"
    if condition.shallow_only:
        yield "only shallow dives"
    if condition.gentle_only:
        yield "only gentle climbs"


def _times(number: int) -> str:
    return "" if number == 1 else f" {number} times"


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def loss(craft: Craft, view: View) -> str:
    """How an aircraft left the game, and who scored on it."""
    if craft.end is None:
        raise AssertionError("an aircraft that flies is no loss")
    by = next((kill.by for kill in view.kills if kill.aircraft == craft.aircraft.id), "")
    return f"{ENDS[craft.end]}{f', by {by}' if by else ''}"


# ---- Shots, and the whole in sentences


def shot_words(shot: Shot) -> str:
    """A shot, and what came of it."""
    hits = _counted(shot.hits, "hit") if shot.hits else "no hits"
    critical = ", one critical" if shot.critical else ""
    return f"{shot.shooter} fired its {shot.mount} guns at {shot.target}: {hits}{critical}"


def bearing_words(opportunity: Opportunity) -> str:
    """A shot that may still be fired."""
    return (
        f"{opportunity.shooter} may fire its {opportunity.mount} guns at "
        f"{opportunity.target} at range {opportunity.range_hexes}"
    )


def range_words(one: Measured, book: CircusBook) -> str:
    """How the target of a shot that is measured lay, and how long it was in the arc."""
    lay = one.lay
    counted, _ = one.half_by_own(book)
    return (
        f"Range {lay.range_hexes} from {lay.shooter} to {lay.target}: "
        f"{hexes_words(lay.hexes)}, {height_words(lay.height_difference_feet)}, in the arc for "
        f"{counted} of its own {lay.own_mp} points and {lay.target_mp_in_arc} of the target's "
        f"{lay.target_mp}"
    )


def hexes_words(hexes: int) -> str:
    """So many hexes."""
    return f"{hexes} hex" if hexes == 1 else f"{hexes} hexes"


def height_words(feet: int) -> str:
    """How much higher or lower a target is."""
    if not feet:
        return "at one height"
    return f"{abs(feet):,} ft {'above' if feet > 0 else 'below'}"


def description(view: View, book: CircusBook) -> str:
    """The whole picture in sentences."""
    parts = [heading(view), now(view), order_of_play(view), ", ".join(sky(view))]
    for side in Side:
        parts.append(f"The {side} side: {', '.join(side_words(side, view))}")
        parts += [_sentence(craft, view, book) for craft in view.craft if craft.side == side]
    parts += [shot_words(shot) for shot in view.shots]
    parts += [bearing_words(one) for one in view.opportunities]
    parts += [range_words(one, book) for one in measured(view, book)]
    return ". ".join(part[0].upper() + part[1:] for part in parts if part) + "."


def _sentence(craft: Craft, view: View, book: CircusBook) -> str:
    name = f"{craft.aircraft.id}, {title_of(craft.aircraft.aeroplane, view, book)}"
    if craft.end is not None:
        return f"{name}: {loss(craft, view)}"
    words = [*position(craft), f"resolution {craft.aircraft.resolution}"]
    words += [*guns(craft, view, book), *troubles(craft, view, book), spotted_by(craft, view)]
    return f"{name}: {', '.join(word for word in words if word)}"
