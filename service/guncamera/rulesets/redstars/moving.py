"""The rule on one aircraft's move: discs, altitude, speed, and every test it asks for.

Chapters 3 and 4 of the rules. What needs no dice is in `cards`, `legality`, `tweaks` and `flown`.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, AltitudeCard, DataBook, Flight, Maneuver
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import (
    RedstarsBook,
    data_book_of,
    names_what_decided,
)
from guncamera.rulesets.redstars.cards import Played, card_of, level_of
from guncamera.rulesets.redstars.choosing import (
    checked_play,
    is_near_ceiling,
    record_ceiling,
    record_choice,
)
from guncamera.rulesets.redstars.condition import (
    condition_of,
    glides_on,
    is_burning,
    is_gliding,
)
from guncamera.rulesets.redstars.discs import EXTREME
from guncamera.rulesets.redstars.engine import climb_test, speed_test
from guncamera.rulesets.redstars.facts import Choice, Moving, Test
from guncamera.rulesets.redstars.flown import Flown, flown, speed_after
from guncamera.rulesets.redstars.glide import comes_down, holds_glide
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm, Moved, MoveOutcome
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.specials import fires_out
from guncamera.rulesets.redstars.spin import spin
from guncamera.rulesets.redstars.stall import is_too_slow, stall
from guncamera.rulesets.redstars.tests import (
    airframe_damage,
    airframe_is_tested,
    airframe_test,
    blow_out_test,
)
from guncamera.rulesets.redstars.tweaks import record_tweaks, tweak_fault

_STEEP = (AltitudeCard.DIVE_3, AltitudeCard.DIVE_4)


def rule_on_moving(
    facts: Moving, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[MoveOutcome]:
    """Rules on one aircraft's move.

    Raises:
        Malformed: RED-1.2, there is no such type; RED-3.3, no cards; see `check_aloft`.
        Illegal: The cards, the tweaks or the trades break a rule; see `choice_fault` and
            `tweak_fault`.

    Source: seed 004, movement, status cards, stalls, spins, gliding, airframe tests and fires.
    """
    aircraft = facts.aircraft
    data_book = data_book_of(aircraft.type, own, book, "moving.aircraft.type")
    check_aloft(aircraft, data_book, book, "moving.aircraft")
    passage = Passage(aircraft, data_book, book, Trace(), dice)
    if aircraft.flight == Flight.SPINNING:
        _check_spinning(facts)
        spin(passage)
        return _ruling(passage)
    choice = facts.choice
    if choice is None:
        raise Malformed(
            f"No cards are chosen for {aircraft.id}; only a spinning aircraft moves without.",
            rule_id="RED-3.3",
            field="moving.choice",
            flight=aircraft.flight.value,
        )
    played = checked_play(aircraft, choice, data_book, book, "moving.choice")
    fault = tweak_fault(facts, choice, played, data_book, book)
    if fault is not None:
        raise fault
    if _begins(passage, choice, played):
        _fly(passage, facts, choice, played)
    return _ruling(passage)


def _check_spinning(facts: Moving) -> None:
    """Nobody steers a spin."""
    given = {
        "choice": facts.choice is not None,
        "tweaks": bool(facts.tweaks),
        "altitude_trades": bool(facts.altitude_trades),
    }
    for name, is_given in given.items():
        if is_given:
            raise Illegal(
                "RED-4.9",
                f"{facts.aircraft.id} spins, and nobody steers it; leave cards and tweaks out.",
                field=f"moving.{name}",
                flight=facts.aircraft.flight.value,
            )


def _begins(passage: Passage, choice: Choice, played: Played) -> bool:
    """What a glider, or one too slow for its cards, must pass before it moves."""
    if is_gliding(passage.aircraft, passage.data_book):
        passage.rule_id = "RED-4.11"
        if not holds_glide(passage):
            return False
    if played.recovering:
        passage.rule_id = "RED-4.8"
    elif choice.maneuver in EXTREME:
        passage.rule_id = "RED-3.10"
    return not played.stalls or stall(passage)


# ---- The move


def _fly(passage: Passage, facts: Moving, choice: Choice, played: Played) -> None:
    """The discs, the altitude and the speed, and then the tests."""
    trace, data_book, book = passage.trace, passage.data_book, passage.book
    start = passage.aircraft
    gliding = is_gliding(start, data_book)
    record_choice(start, choice, played, data_book, book, trace)
    record_tweaks(facts, played, data_book, book, trace)
    end = flown(start, choice, facts.tweaks, facts.altitude_trades, data_book, book, played)
    climbs_3 = card_of(end.level) == AltitudeCard.CLIMB_3 and choice.maneuver not in EXTREME
    if climbs_3 and data_book.climb_test:
        climb_test(passage)
    speed_test(passage, played.speed)
    _record_discs(played, book, trace)
    passage.maneuver = Maneuver.STRAIGHT if played.recovering else choice.maneuver
    passage.dived = max(-end.level, 0)
    passage.discs = end.discs
    speed_after(start, choice, played, end.level, data_book, book, trace)
    passage.flies(_flight(passage, glided=gliding), end.speed)
    _record_altitude(start, choice, facts.altitude_trades, played, end, book, trace)
    passage.goes_to(end.position)
    if end.position.altitude == 0:
        comes_down(passage, gliding=gliding)
        return
    _strain(passage, None if played.recovering else card_of(end.level))
    if passage.end is None and is_too_slow(passage):
        stall(passage)


def _flight(passage: Passage, *, glided: bool) -> Flight:
    """How an aircraft flies on that neither spins nor has stalled."""
    if not is_gliding(passage.aircraft, passage.data_book):
        return Flight.NORMAL
    return glides_on(passage.book, glided=glided)


def _strain(passage: Passage, dive: AltitudeCard | None) -> None:
    """What a steep dive or an extreme maneuver does to the airframe, and to a fire."""
    trace, dice, book = passage.trace, passage.dice, passage.book
    aircraft, data_book = passage.aircraft, passage.data_book
    maneuver = passage.maneuver or Maneuver.STRAIGHT
    if maneuver in EXTREME:
        dive = None
    if airframe_is_tested(aircraft, data_book, dive, maneuver, trace, book):
        passed = airframe_test(aircraft, data_book, trace, dice, book)
        if not passage.tested(Test.AIRFRAME, passed=passed):
            _fail(passage, dive)
    if passage.end is None and dive in _STEEP and is_burning(condition_of(passage.aircraft)):
        passed = blow_out_test(dive, passage.aircraft, data_book, trace, dice, book)
        if passage.tested(Test.BLOW_OUT, passed=passed):
            out = fires_out(condition_of(passage.aircraft), book, trace)
            passage.suffers("RED-5.7", out)


def _fail(passage: Passage, dive: AltitudeCard | None) -> None:
    """A failed airframe test: wings off in the steepest dive, else damage (RED-5.4)."""
    if dive == AltitudeCard.DIVE_4:
        passage.leaves("RED-5.4", End.WINGS_OFF)
        return
    damage = airframe_damage(passage.trace, passage.dice)
    passage.suffers("RED-5.4", Effect(Harm.DAMAGE, damage))
    passage.may_catch_fire()


# ---- In the trace


def _record_discs(played: Played, book: RedstarsBook, trace: Trace) -> None:
    """The settings that decide where discs lie."""
    trace.setting("RED-3.1", "disc_mils", book.settings.disc_mils)
    if played.codes.strip("F"):
        trace.setting("RED-3.2", "points", book.settings.points)


def _record_altitude(
    start: Aircraft,
    choice: Choice,
    trades: int,
    played: Played,
    end: Flown,
    book: RedstarsBook,
    trace: Trace,
) -> None:
    """The altitude, as it adds up (RED-4.1)."""
    before, rest = start.position.altitude, end.level
    if choice.altitude_card is not None and not played.stalls:
        trace.look_up(book.tables["altitude-cards"], choice.altitude_card.value, "altitude")
        level = level_of(choice.altitude_card)
        rest -= trace.modifier("RED-4.3", choice.altitude_card.value, level)
    if trades:
        rest -= trace.modifier("RED-3.7", "tweaks", trades)
    if played.recovering:
        trace.setting("RED-4.8", "stall_recovery", book.settings.stall_recovery)
    elif choice.maneuver in EXTREME:
        _record_extreme(choice.maneuver, book, trace)
    if rest:
        rule_id = "RED-4.8" if played.recovering else "RED-3.10"
        name = "stall_recovery" if played.recovering else choice.maneuver.value
        trace.modifier(rule_id, name, rest)
    after = trace.sum("RED-4.1", "altitude", before, before + end.level)
    if after > end.position.altitude > 0:
        trace.setting("RED-4.1", "above_ceiling", book.settings.above_ceiling)
        trace.clamp("RED-4.1", "altitude", after, 0, end.position.altitude)
    trace.clamp("RED-4.10", "altitude", after, 0, max(after, 0))
    card = max(level_of(choice.altitude_card), 0)
    by_tweaks = trades > 0 and not is_near_ceiling(before + card, book) and names_what_decided(book)
    if end.level > 0 and (choice.altitude_card is None or by_tweaks):
        record_ceiling(after, book, trace)


def _record_extreme(maneuver: Maneuver, book: RedstarsBook, trace: Trace) -> None:
    """The setting that says how many bands an extreme maneuver is worth."""
    name = "immelmann_bands" if maneuver == Maneuver.IMMELMANN else "split_s_bands"
    trace.setting("RED-3.10", name, getattr(book.settings, name))


# ---- What came of it


def _ruling(passage: Passage) -> Ruling[MoveOutcome]:
    aircraft, trace = passage.aircraft, passage.trace
    trace.finding(passage.rule_id, "x_mils", aircraft.position.x_mils)
    trace.finding(passage.rule_id, "y_mils", aircraft.position.y_mils)
    trace.finding(passage.rule_id, "heading_degrees", aircraft.position.heading_degrees)
    trace.finding("RED-4.1", "altitude", aircraft.position.altitude)
    trace.finding("RED-4.3", "speed", aircraft.speed)
    trace.finding(passage.rule_id, "flight", aircraft.flight.value)
    moved = Moved(
        aircraft.id,
        passage.discs,
        aircraft.position,
        aircraft.speed,
        aircraft.flight,
        passage.maneuver,
        passage.dived,
        tuple(passage.passed),
        tuple(passage.failed),
        passage.effects,
        passage.end,
    )
    events = passage.events(moved=True)
    return Ruling(MoveOutcome(moved), tuple(trace.lines), events, summary_of(moved))


_ENDS = {
    End.SHOT_DOWN: "is broken by the damage it has taken",
    End.CRASHED: "hits the ground and is lost",
    End.WINGS_OFF: "loses its wings and crashes",
    End.LANDED: "glides down and lands",
}
_FLIGHTS = {
    Flight.NORMAL: "",
    Flight.STALL_RECOVERY: ", stalled, and must recover",
    Flight.SPINNING: ", spinning",
    Flight.GLIDING: ", gliding",
}


def summary_of(moved: Moved) -> str:
    """One sentence on a move."""
    if moved.end is not None:
        return f"{moved.aircraft} {_ENDS[moved.end]}."
    how = "sinks" if moved.flight in (Flight.GLIDING, Flight.NORMAL) else "loses control"
    if moved.maneuver is not None:
        how = f"flies {moved.maneuver.value.replace('_', ' ')}"
    at = moved.position
    return (
        f"{moved.aircraft} {how}: heading {at.heading_degrees}, altitude {at.altitude}, speed "
        f"{moved.speed}{_FLIGHTS[moved.flight]}."
    )
