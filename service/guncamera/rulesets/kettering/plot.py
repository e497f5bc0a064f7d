"""Holding a plot's speed, altitude and bonus hexes to the limits of the flight. KET-5.1 to 5.10."""

from __future__ import annotations

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import UNDAMAGED, Aircraft, Critical, Plot
from guncamera.rulesets.kettering.limits import Limits, overdive_limit
from guncamera.rulesets.kettering.performance import STEP_METRES


def check_step(metres: int, field: str) -> None:
    """Altitudes are multiples of 50 metres.

    Raises:
        Malformed: This one is not.
    """
    if metres % STEP_METRES:
        raise Malformed(
            f"{metres} metres is not a step; altitudes are multiples of 50.",
            rule_id="KET-5.5",
            field=field,
            metres=metres,
        )


def lowest_ceiling(book: KetteringBook) -> int:
    """The lowest ceiling a setting can make; below it the choice decides nothing."""
    return min(int(choice.value) for choice in book.setting_specs["ceiling_metres"].choices)


def check_speed(plot: Plot, aircraft: Aircraft, limits: Limits) -> None:
    """Hold the new speed to what can be reached from the old one.

    Raises:
        Illegal: KET-5.1; KET-8.13 with a severed fuel line.
    """
    if not limits.slowest <= plot.speed_mp <= limits.fastest:
        raise Illegal(
            "KET-8.13" if limits.performance.must_slow else "KET-5.1",
            f"Speed {plot.speed_mp} cannot be reached from {aircraft.speed_mp} this turn; "
            f"take {limits.slowest} to {limits.fastest}.",
            field="flight.plot.speed_mp",
            speed_mp=plot.speed_mp,
            speed_now_mp=aircraft.speed_mp,
            slowest_mp=limits.slowest,
            fastest_mp=limits.fastest,
        )


def check_altitude(plot: Plot, aircraft: Aircraft, limits: Limits, book: KetteringBook) -> None:
    """Hold the change of altitude to what the aircraft can climb and dive.

    Raises:
        Malformed: It is no multiple of 50 metres.
        Illegal: KET-5.5, 5.6, 5.8, 5.10, 5.13, or the rule of the damage that forbids it.
    """
    change, field = plot.altitude_change_metres, "flight.plot.altitude_change_metres"
    check_step(change, field)
    check_step(plot.climb_after_dive_metres, "flight.plot.climb_after_dive_metres")
    if not limits.lowest_change <= change <= limits.highest_change:
        rule_id, why = _why_not(change, aircraft, limits, book)
        raise Illegal(
            rule_id,
            f"{why}; change altitude by {limits.lowest_change} to {limits.highest_change} metres.",
            field=field,
            change_metres=change,
            lowest_metres=limits.lowest_change,
            highest_metres=limits.highest_change,
        )
    again = plot.climb_after_dive_metres
    if again and (book.settings.climb_and_dive == "one-change" or change >= 0):
        raise Illegal(
            "KET-5.5",
            "Altitude changes once a turn, up or down; leave out the climb after the dive.",
            field="flight.plot.climb_after_dive_metres",
            climb_metres=again,
        )
    if again > limits.climb_again_metres:
        raise Illegal(
            "KET-5.5",
            f"The climb after the dive is {again} metres; this aircraft climbs "
            f"{limits.climb_again_metres} at most now.",
            field="flight.plot.climb_after_dive_metres",
            climb_metres=again,
            limit_metres=limits.climb_again_metres,
        )


def _why_not(
    change: int, aircraft: Aircraft, limits: Limits, book: KetteringBook
) -> tuple[str, str]:
    """The rule that a change of altitude breaks, and how."""
    able, profile = limits.performance, limits.performance.profile
    condition = aircraft.condition or UNDAMAGED
    if not able.steers:
        return "KET-8.12", "The controls are jammed"
    if change > limits.highest_change:
        if limits.forced_loss_metres and not limits.forced_on_top:
            rule = "KET-5.9" if able.stalls else "KET-8.13"
            return rule, f"The aircraft must lose {-limits.highest_change} metres this turn"
        if Critical.ELEVATOR_CABLES_SEVERED in condition.criticals:
            return "KET-8.10", "The elevator cables are severed"
        if Critical.FUEL_LINE_SEVERED in condition.criticals:
            return "KET-8.13", "The fuel line is severed, and the engine cannot climb"
        if not able.climbs and condition.climbed_last_turn:
            engine = Critical.ENGINE_DAMAGED in condition.criticals
            return "KET-8.9" if engine else "KET-8.6", "It climbed last turn and cannot climb again"
        if not able.climbs:
            return "KET-5.9", "A stalling aircraft cannot climb"
        if change <= profile.climb_limit_metres:
            return "KET-5.10", f"The ceiling is {book.settings.ceiling_metres} metres"
        return "KET-5.5", f"This aircraft climbs {profile.climb_limit_metres} metres a turn"
    deepest = overdive_limit(able, book)
    if -change > deepest:
        if Critical.ELEVATOR_CABLES_SEVERED in condition.criticals:
            return "KET-8.10", f"With severed elevator cables it dives {deepest} metres at most"
        rule = "KET-5.8" if able.overdives else "KET-5.6"
        return rule, f"This aircraft dives {deepest} metres at most"
    return "KET-5.13", f"From {aircraft.altitude_metres} metres this dive reaches the ground"


def check_bonus(plot: Plot, limits: Limits, book: KetteringBook) -> None:
    """Hold the bonus hexes to what the dive gives.

    Raises:
        Illegal: KET-5.7.
    """
    allowed = limits.bonuses(plot.altitude_change_metres, book)
    if plot.bonus_hexes not in allowed:
        raise Illegal(
            "KET-5.7",
            f"{plot.bonus_hexes} bonus hexes do not go with this change of altitude; "
            f"take {allowed[0]} to {allowed[-1]}.",
            field="flight.plot.bonus_hexes",
            bonus_hexes=plot.bonus_hexes,
            fewest=allowed[0],
            most=allowed[-1],
        )
