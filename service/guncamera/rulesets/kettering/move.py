"""Movement: setting up the aircraft, and which rule answers for which movement. Rule KET-1.2."""

from __future__ import annotations

from dataclasses import replace

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, profile_of
from guncamera.rulesets.kettering.events import (
    AltitudeChanged,
    Change,
    Piece,
    PieceMoved,
    SpeedChanged,
)
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Advance,
    Aircraft,
    Critical,
    Deployed,
    Deployment,
    Entry,
    Flight,
    MoveFacts,
    MoveOutcome,
    Performance,
)
from guncamera.rulesets.kettering.flight import rule_on_flight
from guncamera.rulesets.kettering.map import hex_at, row_of
from guncamera.rulesets.kettering.performance import STEP_METRES, assess, check_not_lost
from guncamera.rulesets.kettering.plot import check_step, lowest_ceiling
from guncamera.rulesets.kettering.report import Report
from guncamera.rulesets.kettering.torpedo import rule_on_advance, rule_on_entry

SOUTH_ROW = 1
_REPORT = Report("KET-1.2", {"jammed": "KET-8.12", "condition": "KET-9.4"})


def rule_on_move(facts: MoveFacts, book: KetteringBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a movement of any kind; see the rule of each for what it refuses."""
    match facts.procedure:
        case Deployment() as deployment:
            return rule_on_deployment(deployment, book)
        case Entry() as entry:
            return rule_on_entry(entry, book, dice)
        case Advance() as advance:
            return rule_on_advance(advance, book, dice)
        case Flight() as flight:
            return rule_on_flight(flight, book, dice)


def deployment_speeds(able: Performance) -> range:
    """The speeds an aircraft may be set up with: its lowest to its present highest (KET-1.2)."""
    highest = able.profile.max_speed_mp
    return range(min(able.profile.min_speed_mp, highest), highest + 1)


def rule_on_deployment(facts: Deployment, book: KetteringBook) -> Ruling[MoveOutcome]:
    """Rules on setting the aircraft on the board. No dice.

    Raises:
        Malformed: The hex is no label, or the altitude no multiple of 50.
        Illegal: KET-1.1, KET-1.2, KET-5.10: the type, the place, the speed or the altitude;
            KET-8.4, KET-8.5, it is lost.

    Source: seed 000, set-up 1; bounds: register 11.3.
    """
    trace = Trace()
    aircraft = facts.aircraft
    profile = profile_of(aircraft.type, book, "deployment.aircraft.type")
    at = hex_at(aircraft.hex, book, "deployment.aircraft.hex")
    check_step(aircraft.altitude_metres, "deployment.aircraft.altitude_metres")
    if row_of(at) != SOUTH_ROW:
        raise Illegal(
            "KET-1.2",
            f"Hex {aircraft.hex} is not on the south edge; set the aircraft on row A.",
            field="deployment.aircraft.hex",
            hex=aircraft.hex,
        )
    check_not_lost(profile, aircraft.condition, "deployment.aircraft.condition")
    able = assess(profile, aircraft.condition, book, trace)
    _check_set_up(aircraft, able, book)
    if not profile.stated_fields:
        trace.setting("KET-1.1", "unpublished_aircraft", book.settings.unpublished_aircraft)
    if aircraft.altitude_metres > lowest_ceiling(book):
        trace.setting("KET-5.10", "ceiling_metres", book.settings.ceiling_metres)
    condition = aircraft.condition or UNDAMAGED
    jammed = Critical.CONTROLS_JAMMED in condition.criticals
    stands = replace(aircraft, condition=replace(condition, jammed=jammed, climbed_last_turn=False))
    outcome = MoveOutcome(Deployed(stands))
    _REPORT(trace, outcome)
    summary = (
        f"The {profile.title} is set up on {stands.hex} facing {stands.facing}, at "
        f"{stands.altitude_metres} metres and speed {stands.speed_mp}."
    )
    return Ruling(outcome, tuple(trace.lines), _events(stands), summary)


def _check_set_up(aircraft: Aircraft, able: Performance, book: KetteringBook) -> None:
    ceiling = book.settings.ceiling_metres
    if not STEP_METRES <= aircraft.altitude_metres <= ceiling:
        raise Illegal(
            "KET-1.2" if aircraft.altitude_metres < STEP_METRES else "KET-5.10",
            f"{aircraft.altitude_metres} metres is no altitude to start at; take {STEP_METRES} "
            f"to {ceiling}.",
            field="deployment.aircraft.altitude_metres",
            altitude_metres=aircraft.altitude_metres,
            lowest_metres=STEP_METRES,
            highest_metres=ceiling,
        )
    speeds = deployment_speeds(able)
    if aircraft.speed_mp not in speeds:
        raise Illegal(
            "KET-1.2",
            f"Speed {aircraft.speed_mp} is no speed of this aircraft now; take {speeds[0]} to "
            f"{speeds[-1]}.",
            field="deployment.aircraft.speed_mp",
            speed_mp=aircraft.speed_mp,
            slowest_mp=speeds[0],
            fastest_mp=speeds[-1],
        )


def _events(aircraft: Aircraft) -> tuple[Change, ...]:
    return (
        PieceMoved("KET-1.2", Piece.AIRCRAFT, "", aircraft.hex, aircraft.facing),
        AltitudeChanged("KET-1.2", Piece.AIRCRAFT, 0, aircraft.altitude_metres),
        SpeedChanged("KET-1.2", Piece.AIRCRAFT, 0, aircraft.speed_mp),
    )
