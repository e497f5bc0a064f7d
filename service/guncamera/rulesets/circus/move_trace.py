"""What a move's trace says: points, heights, settings that mattered, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Aircraft, Manoeuvre, TurnCode
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.flight import FlownPath
from guncamera.rulesets.circus.outcomes import FlownFlight

_RULES: Mapping[str, str] = {
    "hexes": "CIR-3.1",
    "turns": "CIR-3.2",
    "hexsides": "CIR-3.3",
    "climb": "CIR-3.5",
    "shallow_dive": "CIR-4.1",
    "steep_dive": "CIR-4.2",
    "zoom": "CIR-4.5",
    "side_slip": "CIR-5.9",
    "yo_yo": "CIR-5.2",
    "hammerhead": "CIR-5.3",
    "rolling_reversal": "CIR-5.4",
    "loop": "CIR-5.5",
    "displacement_roll": "CIR-5.6",
    "propeller_hang": "CIR-5.7",
    "power_dive": "CIR-5.8",
}


def record_plan(
    aircraft: Aircraft, flown: FlownPath, speed_mp: int, book: CircusBook, trace: Trace
) -> None:
    """A move before any dice: what it has, what it spends, what height it means to reach."""
    trace.finding("CIR-2.1", "aircraft", aircraft.id)
    if flown.forced and not flown.stalled:
        trace.finding("CIR-10.4", "forced", "steep_dive", "the pilot is dead")
    if flown.able.power_off:
        trace.finding("CIR-3.9", "power_off", value=True)
    if flown.stalled:
        trace.finding("CIR-3.8", "stalled", value=True)
    if speed_mp < aircraft.speed_mp and aircraft.speed_mp > flown.able.top_mp:
        why = f"what it can reach is {flown.able.top_mp}"
        trace.finding("CIR-3.4", "cut_to_mp", speed_mp, why)
    _record_points(aircraft, flown, speed_mp, trace)
    _record_spent(flown, book, trace)
    for cause, feet in flown.heights:
        trace.modifier(_RULES[cause], f"{cause}_feet", feet)
    if flown.heights:
        start = aircraft.altitude_feet
        total = start + sum(feet for _, feet in flown.heights)
        trace.sum("CIR-1.3", "planned_feet", start, total)
    _name_readings(flown, book, trace)


def _record_points(aircraft: Aircraft, flown: FlownPath, speed_mp: int, trace: Trace) -> None:
    """The movement points it has (CIR-3.1)."""
    if aircraft.ke:
        trace.modifier("CIR-4.3", "ke", aircraft.ke)
    if flown.ke_spent:
        trace.modifier("CIR-4.5", "zoom", -flown.ke_spent)
    least = flown.points - speed_mp - aircraft.ke + flown.ke_spent
    if least:
        trace.modifier("CIR-3.8", "one_hex_at_least", least)
    trace.sum("CIR-3.1", "movement_points", speed_mp, flown.points)


def _record_spent(flown: FlownPath, book: CircusBook, trace: Trace) -> None:
    """What the points are spent on (CIR-3.1, CIR-3.2)."""
    spent = dict(flown.spent)
    if "turns" in spent:
        trace.look_up(book.tables["turn-codes"], flown.able.turn_code.value, "mp")
    for cause, points in spent.items():
        trace.modifier(_RULES[cause], f"{cause}_mp", points)
    total = sum(spent.values())
    if spent:
        trace.sum("CIR-3.1", "spent_mp", 0, total)
    if total < flown.points:
        trace.finding("CIR-4.2", "lost_mp", flown.points - total, "an odd point of a steep dive")


def _name_readings(flown: FlownPath, book: CircusBook, trace: Trace) -> None:
    """The settings that mattered on the way."""
    named = [*flown.readings, *_of_condition(flown)]
    for rule_id, name in dict.fromkeys(named):
        trace.setting(rule_id, name, getattr(book.settings, name))


def _of_condition(flown: FlownPath) -> list[tuple[str, str]]:
    """Settings that what has happened to the aircraft turns on."""
    able, named = flown.able, []
    condition, heights = able.condition, dict(flown.heights)
    looped = any(manoeuvre == Manoeuvre.LOOP for _, manoeuvre in flown.manoeuvres)
    worst = list(TurnCode).index(able.aeroplane.turn_code) + condition.turn_code_steps
    if worst > list(TurnCode).index(TurnCode.D) and ("CIR-3.2", "turn_cost") in flown.readings:
        named.append(("CIR-10.11", "worse_than_d"))
    if condition.damage_points:
        named.append(("CIR-10.12", "damage_limit"))
    rises = {"climb", "zoom", "yo_yo"}
    if condition.wings_cracked and not rises.isdisjoint(heights):
        named.append(("CIR-6.7", "cracked_wings"))
    if "climb" not in heights and not looped:
        return named
    if condition.climb_steps:
        named.append(("CIR-3.5", "climb_steps"))
    if able.climbs_gently:
        named.append(("CIR-3.5", "gentle_climb"))
    if condition.top_lost_mp:
        named.append(("CIR-10.6", "engine_loss"))
    return named


def record_flown(one: FlownFlight, trace: Trace) -> None:
    """What came of a move: each part of the outcome, with the rule behind it."""
    last = one.path[-1]
    for rule_id, name, value in (
        ("CIR-2.1", "aircraft", one.aircraft),
        ("CIR-3.1", "hex", last.hex),
        ("CIR-3.2", "facing", last.facing.value),
        ("CIR-1.3", "altitude_feet", last.altitude_feet),
        ("CIR-3.4", "speed_mp", one.speed_mp),
        ("CIR-4.5", "ke_spent", one.ke_spent),
        ("CIR-4.4" if one.ke_change < 0 else "CIR-4.3", "ke_change", one.ke_change),
        ("CIR-4.2", "dive", one.dive.value),
        ("CIR-3.7", "straight_and_level", one.straight_and_level),
    ):
        trace.finding(rule_id, name, value)
    for rule_id, name, holds in (
        ("CIR-5.8", "power_diving", one.power_diving),
        ("CIR-5.7", "hanging", one.hanging),
        ("CIR-3.8", "stalled", one.stalled),
    ):
        if holds:
            trace.finding(rule_id, name, value=True)
    if one.hang_mp:
        trace.finding("CIR-5.7", "hang_mp", one.hang_mp)
    if one.end is not None:
        trace.finding(END_RULES[one.end.value], "end", one.end.value)


END_RULES: Mapping[str, str] = {
    "destroyed": "CIR-10.12",
    "broken_up": "CIR-10.12",
    "crashed": "CIR-3.11",
    "landed": "CIR-3.11",
    "left_map": "CIR-3.10",
}
