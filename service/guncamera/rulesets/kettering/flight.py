"""The aircraft's flight: from a plot to a hex, a facing and an altitude. Chapter 5 of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from guncamera.rules.dice import D6, Ask, AtLeast, Dice
from guncamera.rules.hexes import Hex
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure
from guncamera.rulesets.kettering.events import (
    AltitudeChanged,
    Change,
    DamageTaken,
    PathFlown,
    Piece,
    PieceMoved,
    SpeedChanged,
)
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aircraft,
    Critical,
    Flight,
    Flown,
    MoveOutcome,
    Plot,
)
from guncamera.rulesets.kettering.limits import Limits, flight_limits
from guncamera.rulesets.kettering.map import hex_at, label
from guncamera.rulesets.kettering.path import (
    AHEAD,
    Walk,
    another_way,
    check_path,
    straight_end,
    tokens_of,
    turns_in,
    walk,
)
from guncamera.rulesets.kettering.performance import check_not_lost
from guncamera.rulesets.kettering.plot import (
    check_altitude,
    check_bonus,
    check_speed,
    check_step,
    lowest_ceiling,
)
from guncamera.rulesets.kettering.report import Report

_REPORT = Report(
    "KET-5.2",
    {
        "altitude_metres": "KET-5.6",
        "speed_mp": "KET-5.1",
        "bonus_hexes": "KET-5.7",
        "straight_hexes": "KET-6.4",
        "left_board": "KET-5.12",
        "struts_shattered": "KET-5.8",
        "aircraft_lost": "KET-5.13",
        "compared_bonus_hexes": "KET-7.2",
    },
)


@dataclass(frozen=True, slots=True)
class _Course:
    """A flight that is legal: where it starts, what it flies, and where it ends."""

    start: Hex
    torpedo: Hex | None
    tokens: tuple[str, ...]
    walk: Walk


def rule_on_flight(facts: Flight, book: KetteringBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on one turn's flight.

    Raises:
        Malformed: A hex, an altitude or the path is no such thing.
        Illegal: KET-5.1 to KET-5.13, KET-8.11, KET-8.12: the plot breaks a rule; KET-8.4,
            KET-8.5, the aircraft is lost.

    Source: register section 5, derived by fit; seed 000 for the dives and the torpedo's hex.
    """
    trace = Trace()
    aircraft, plot = facts.aircraft, facts.plot
    start = _start(aircraft, book)
    torpedo = None
    if facts.torpedo_hex is not None:
        torpedo = hex_at(facts.torpedo_hex, book, "flight.torpedo_hex")
    limits = flight_limits(aircraft, book, trace)
    check_not_lost(limits.performance.profile, aircraft.condition, "flight.aircraft.condition")
    check_speed(plot, aircraft, limits)
    check_altitude(plot, aircraft, limits, book)
    check_bonus(plot, limits, book)
    tokens = tokens_of(plot.path)
    check_path(tokens, plot.speed_mp, plot.bonus_hexes, limits, book)
    course = _course(facts, start, torpedo, tokens, limits, book, trace)
    _record_points(plot, tokens, limits, book, trace)
    altitude = _record_altitude(plot, aircraft, limits, trace)
    shattered = _overdive(plot, limits, book, trace, dice)
    lost = altitude == 0
    compared = limits.compared_bonus(plot.altitude_change_metres, plot.bonus_hexes, book)
    outcome = Flown(
        hex=label(course.walk.hex),
        facing=course.walk.facing,
        altitude_metres=altitude,
        speed_mp=plot.speed_mp,
        bonus_hexes=plot.bonus_hexes,
        straight_hexes=straight_end(course.tokens),
        left_board=course.walk.left_board and not lost,
        struts_shattered=shattered,
        aircraft_lost=lost,
        compared_bonus_hexes=compared if compared > plot.bonus_hexes else None,
    )
    _record_readings(facts, course, limits, book, trace)
    _REPORT(trace, MoveOutcome(outcome))
    return Ruling(
        MoveOutcome(outcome), tuple(trace.lines), _events(facts, outcome), _summary(outcome)
    )


def _start(aircraft: Aircraft, book: KetteringBook) -> Hex:
    """The hex of an aircraft that is in the air."""
    start = hex_at(aircraft.hex, book, "flight.aircraft.hex")
    check_step(aircraft.altitude_metres, "flight.aircraft.altitude_metres")
    if aircraft.altitude_metres == 0:
        raise Illegal(
            "KET-5.13",
            "The aircraft is on the ground; give its altitude, 50 metres or more.",
            field="flight.aircraft.altitude_metres",
            altitude_metres=0,
        )
    return start


def _course(
    facts: Flight,
    start: Hex,
    torpedo: Hex | None,
    tokens: tuple[str, ...],
    limits: Limits,
    book: KetteringBook,
    trace: Trace,
) -> _Course:
    """Where the path leads; refused on the torpedo's hex unless nothing else is legal."""
    facing = facts.aircraft.facing
    led = walk(start, facing, tokens, book)
    if torpedo is None or led.left_board or led.hex != torpedo:
        return _Course(start, torpedo, tokens, led)
    if another_way(start, facing, torpedo, limits, book):
        raise Illegal(
            "KET-5.11",
            f"The path ends on the torpedo's hex, {label(torpedo)}, which the aircraft may never "
            "do; end it elsewhere.",
            field="flight.plot.path",
            torpedo_hex=label(torpedo),
        )
    trace.setting("KET-5.11", "boxed_in", book.settings.boxed_in)
    if book.settings.boxed_in == "stop-short":
        last = len(tokens) - 1 - tokens[::-1].index(AHEAD)
        tokens = tokens[:last] + tokens[last + 1 :]
    else:
        tokens = (*tokens, AHEAD)
    return _Course(start, torpedo, tokens, walk(start, facing, tokens, book))


def _record_points(
    plot: Plot, tokens: tuple[str, ...], limits: Limits, book: KetteringBook, trace: Trace
) -> None:
    """The movement points, as they add up (KET-5.2, KET-5.3)."""
    if plot.bonus_hexes:
        trace.modifier("KET-5.7", "bonus_hexes", plot.bonus_hexes)
    trace.sum("KET-5.2", "allowance_mp", plot.speed_mp, plot.speed_mp + plot.bonus_hexes)
    table, spent = book.tables["maneuver-schedules"], tokens.count(AHEAD)
    total = spent
    for sixths, count in turns_in(tokens).items():
        if count:
            cost = int(trace.look_up(table, limits.schedule_row, str(60 * sixths)))
            total += trace.modifier("KET-5.3", f"turns_{60 * sixths}", cost * count)
    if total != spent or any(turns_in(tokens).values()):
        _record_schedule(limits, book, trace)
    trace.sum("KET-5.2", "spent_mp", spent, total)


def _record_schedule(limits: Limits, book: KetteringBook, trace: Trace) -> None:
    letter = limits.performance.profile.schedule
    trace.finding("KET-5.3", "schedule", letter)
    if letter == "D" or limits.schedule_row.startswith("D"):
        trace.setting("KET-5.3", "schedule_d_60", book.settings.schedule_d_60)
    if letter not in ("C", "D"):
        trace.setting("KET-5.3", "untested_schedules", book.settings.untested_schedules)


def _record_altitude(plot: Plot, aircraft: Aircraft, limits: Limits, trace: Trace) -> int:
    """The altitude after the change; the ground is 0 (KET-5.5, KET-5.6)."""
    change = plot.altitude_change_metres
    rule = "KET-5.5" if change > 0 else "KET-5.6"
    if change:
        trace.modifier(rule, "climb" if change > 0 else "dive", change)
    if plot.climb_after_dive_metres:
        trace.modifier("KET-5.5", "climb_after_dive", plot.climb_after_dive_metres)
    if limits.forced_on_top and limits.forced_loss_metres:
        trace.modifier("KET-5.13", "forced_loss", -limits.forced_loss_metres)
    left = aircraft.altitude_metres + change + plot.climb_after_dive_metres
    left -= limits.forced_loss_metres if limits.forced_on_top else 0
    trace.sum(rule, "altitude_metres", aircraft.altitude_metres, left)
    return trace.clamp("KET-5.13", "altitude_metres", left, 0, 20_000)


def _overdive(plot: Plot, limits: Limits, book: KetteringBook, trace: Trace, dice: Dice) -> bool:
    """Whether a dive beyond the limit shatters the struts (KET-5.8)."""
    if -plot.altitude_change_metres <= limits.dive_limit_metres:
        return False
    worst = book.settings.overdive_shatters_at
    trace.setting("KET-5.8", "overdive_percent", book.settings.overdive_percent)
    trace.setting("KET-5.8", "overdive_shatters_at", worst)
    return not trace.roll(dice, Ask((D6, D6), AtLeast(worst + 1), "overdive", "KET-5.8"))


def _record_readings(
    facts: Flight, course: _Course, limits: Limits, book: KetteringBook, trace: Trace
) -> None:
    """The settings that this flight turned on."""
    plot, settings, tokens = facts.plot, book.settings, course.tokens or (AHEAD,)
    turns = sum(turns_in(tokens).values())
    dive = -plot.altitude_change_metres
    highest = limits.performance.profile.max_speed_mp
    twice = any(a != AHEAD != b for a, b in pairwise(tokens))
    after = limits.altitude_after(facts.aircraft.altitude_metres, -dive)
    turned_on = (
        ("KET-5.1", "overspeed", facts.aircraft.speed_mp > highest),
        ("KET-5.4", "facing_changes_in_hex", twice),
        ("KET-5.4", "first_hex_turn", tokens[0] != AHEAD),
        ("KET-5.4", "end_on_facing_change", tokens[-1] != AHEAD),
        ("KET-5.5", "climb_and_dive", plot.climb_after_dive_metres > 0),
        ("KET-5.7", "dive_bonus", dive > 0),
        ("KET-5.7", "bonus_spending", plot.bonus_hexes > 0 and turns > 0),
        ("KET-5.8", "overdive_bonus", dive > limits.dive_limit_metres and plot.bonus_hexes > 0),
        ("KET-5.10", "ceiling_metres", dive < 0 and after > lowest_ceiling(book)),
        ("KET-5.12", "aircraft_gone", course.walk.left_board),
        ("KET-5.13", "ground_dive", after == 0 and dive > limits.forced_loss_metres),
        ("KET-5.13", "forced_loss", limits.forced_loss_metres > 0),
        ("KET-7.2", "compared_bonus", plot.bonus_hexes < limits.bonuses(-dive, book)[-1]),
        ("KET-8.13", "fuel_line_speed", _meets_floor(facts, limits, book)),
    )
    for rule_id, name, decided in turned_on:
        if decided:
            trace.setting(rule_id, name, getattr(settings, name))


def _meets_floor(facts: Flight, limits: Limits, book: KetteringBook) -> bool:
    """Whether it decides a speed how slow a severed fuel line makes an aircraft."""
    return limits.performance.must_slow and facts.aircraft.speed_mp <= (
        limits.performance.profile.min_speed_mp
    ) > figure(book, "fuel_line_speed_mp")


def _events(facts: Flight, flown: Flown) -> tuple[Change, ...]:
    aircraft, plot = facts.aircraft, facts.plot
    events: list[Change] = []
    if flown.speed_mp != aircraft.speed_mp:
        events.append(SpeedChanged("KET-5.1", Piece.AIRCRAFT, aircraft.speed_mp, flown.speed_mp))
    if flown.altitude_metres != aircraft.altitude_metres:
        rule = "KET-5.5" if plot.altitude_change_metres > 0 else "KET-5.6"
        events.append(
            AltitudeChanged(rule, Piece.AIRCRAFT, aircraft.altitude_metres, flown.altitude_metres)
        )
    to_hex = "" if flown.left_board else flown.hex
    rule = "KET-5.12" if flown.left_board else "KET-5.2"
    events.append(PieceMoved(rule, Piece.AIRCRAFT, aircraft.hex, to_hex, flown.facing))
    climbed = plot.altitude_change_metres > 0 or plot.climb_after_dive_metres > 0
    compared = flown.compared_bonus_hexes or flown.bonus_hexes
    events.append(PathFlown("KET-5.2", compared, flown.straight_hexes, climbed))
    if flown.struts_shattered:
        points = (aircraft.condition or UNDAMAGED).damage_points
        struts = Critical.STRUTS_SHATTERED
        events.append(DamageTaken("KET-5.8", 0, points, struts, overdive=True))
    return tuple(events)


def _summary(flown: Flown) -> str:
    if flown.aircraft_lost:
        return f"The aircraft hits the ground at {flown.hex} and is lost."
    if flown.left_board:
        return f"The aircraft leaves the board from {flown.hex}."
    struts = ", and its struts shatter" if flown.struts_shattered else ""
    return (
        f"The aircraft flies to {flown.hex} facing {flown.facing}, at {flown.altitude_metres} "
        f"metres and speed {flown.speed_mp}{struts}."
    )
