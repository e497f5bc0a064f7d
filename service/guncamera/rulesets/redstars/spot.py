"""Looking for the enemy, and measuring where he is. Rules RED-5.6 and RED-2.3.

A spotting test is asked for by a scenario; measuring takes no dice and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aim import in_arc, inches, is_abeam, is_crossing
from guncamera.rulesets.redstars.aircraft import Aircraft, Mounting, PilotTrait, Position
from guncamera.rulesets.redstars.aloft import check_heading, check_wounds
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of, pilot_flies
from guncamera.rulesets.redstars.contact import overlap
from guncamera.rulesets.redstars.facts import Looking, Measuring, SpotFacts
from guncamera.rulesets.redstars.geometry import (
    arc_of,
    bearing_degrees,
    in_rear,
    range_mils,
    within,
    within_bearing,
)
from guncamera.rulesets.redstars.outcomes import Arc, Measured, Seen, SpotOutcome
from guncamera.rulesets.redstars.tail import can_tail, record_limits
from guncamera.rulesets.redstars.tests import modifier, number_of, rating_bonus, throw


def rule_on_spot(facts: SpotFacts, book: RedstarsBook, dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on a look of any kind; see the rule of each for what it refuses."""
    match facts.procedure:
        case Looking() as looking:
            return rule_on_look(looking, book, dice)
        case Measuring() as measuring:
            return rule_on_measure(measuring, book)


# ---- Looking


def rule_on_look(facts: Looking, book: RedstarsBook, dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on a spotting test.

    Raises:
        Malformed: RED-7.7, wounds that no living man has.
        Illegal: RED-7.8, the pilot is dead and nobody is at the controls.

    Source: seed 004, spotting tests, and pilot characteristics.
    """
    looker = Aircraft("", "", Position(0, 0, 0, 1), 0, facts.pilot, facts.condition)
    _check_looker(looker, book)
    trace = Trace()
    bonus = rating_bonus(looker, trace, book, "RED-5.6")
    if pilot_flies(looker) and PilotTrait.ALERT in facts.pilot.traits:
        bonus += modifier("alert", trace, book, rule_id="RED-5.6")
        if facts.up_sun:
            trace.finding("RED-5.6", "up_sun", value=True, why="an alert pilot ignores the sun")
    elif facts.up_sun:
        bonus += modifier("up-sun", trace, book, rule_id="RED-5.6")
    if facts.damaged:
        trace.setting("RED-5.2", "damaged_tests", book.settings.damaged_tests)
        if book.settings.damaged_tests != "skill-only":
            bonus += modifier("damaged", trace, book)
    number = number_of("spotting", trace, book)
    spotted = throw("RED-5.6", "spotting", number, bonus, trace, dice)
    summary = "The enemy is spotted in time." if spotted else "Nobody sees the enemy."
    return Ruling(SpotOutcome(Seen(spotted)), tuple(trace.lines), (), summary)


def _check_looker(looker: Aircraft, book: RedstarsBook) -> None:
    condition = condition_of(looker)
    check_wounds(condition, "looking.condition", book)
    if condition.nobody_flies or (condition.pilot_killed and not condition.observer_flies):
        raise Illegal(
            "RED-7.8",
            "Nobody is at the controls; nobody looks out.",
            field="looking.condition.pilot_killed",
            pilot_killed=True,
        )


# ---- Measuring


def rule_on_measure(facts: Measuring, book: RedstarsBook) -> Ruling[SpotOutcome]:
    """Rules on a measurement: range, bearing, arcs, tailing. No dice.

    Raises:
        Malformed: RED-3.2, a heading that is none of a disc's.

    Source: seed 004, tailing, shooting and collisions; register 2.2 and 2.5.
    """
    here, there, settings = facts.aircraft, facts.other, book.settings
    check_heading(here, "measuring.aircraft")
    check_heading(there, "measuring.other")
    found = Measured(
        range_mils=range_mils(here, there),
        bearing_degrees=bearing_degrees(here, there),
        altitude_difference=there.altitude - here.altitude,
        arc=arc_of(here, there, settings),
        other_arc=arc_of(there, here, settings),
        flexible_arc=in_arc(here, there, Mounting.FLEXIBLE_REAR, book),
        crossing=is_crossing(here, there, book),
        tailing=can_tail(here, there, book),
        overlapping=overlap(here, there, settings),
    )
    trace = Trace()
    _record_arcs(here, there, book, trace)
    record_limits(here, there, book, trace)
    if here.altitude == there.altitude and within(here, there, settings.disc_mils):
        trace.setting("RED-9.1", "collision_distance", settings.collision_distance)
    trace.finding("RED-6.2", "range_mils", found.range_mils)
    trace.finding("RED-6.1", "bearing_degrees", found.bearing_degrees)
    trace.finding("RED-6.12", "altitude_difference", found.altitude_difference)
    trace.finding("RED-6.1", "arc", found.arc.value)
    trace.finding("RED-2.3", "other_arc", found.other_arc.value)
    trace.finding("RED-6.6", "flexible_arc", found.flexible_arc)
    trace.finding("RED-6.8", "crossing", found.crossing)
    trace.finding("RED-2.3", "tailing", found.tailing)
    trace.finding("RED-9.1", "overlapping", found.overlapping)
    summary = (
        f"Range {inches(found.range_mils)} inches, bearing {found.bearing_degrees:+d} degrees, "
        f"in the {found.arc} arc; seen from there, in the {found.other_arc} arc."
    )
    return Ruling(SpotOutcome(found), tuple(trace.lines), (), summary)


Within = Callable[[Position, Position, int], bool]


def _record_arcs(here: Position, there: Position, book: RedstarsBook, trace: Trace) -> None:
    """Name the settings without which some arc would be another."""
    settings = book.settings

    def decides(name: str, lies: Within, *pairs: tuple[Position, Position]) -> bool:
        halves = [int(choice.value) for choice in book.setting_specs[name].choices]
        return any(len({lies(a, b, half) for half in halves}) > 1 for a, b in pairs)

    both = ((here, there), (there, here))
    if decides("gun_half_arc", within_bearing, *both):
        trace.setting("RED-6.1", "gun_half_arc", settings.gun_half_arc)
    if decides("rear_half_arc", in_rear, *both):
        trace.setting("RED-2.3", "rear_half_arc", settings.rear_half_arc)
    mount = in_rear(here, there, settings.flexible_half_arc)
    if mount != within_bearing(here, there, settings.gun_half_arc):
        trace.setting("RED-6.6", "flexible_arc_rule", settings.flexible_arc_rule)
    has_arc = settings.flexible_arc_rule == "mount"
    if has_arc and decides("flexible_half_arc", in_rear, (here, there)):
        trace.setting("RED-6.6", "flexible_half_arc", settings.flexible_half_arc)
    abeam = is_abeam(here, there, settings.beam_degrees)
    if abeam != (arc_of(there, here, settings) == Arc.SIDE):
        trace.setting("RED-6.8", "crossing", settings.crossing)
    beam = book.setting_specs["beam_degrees"]
    if settings.crossing == "beam" and is_abeam(here, there, beam.low) != is_abeam(
        here, there, beam.high
    ):
        trace.setting("RED-6.8", "beam_degrees", settings.beam_degrees)
