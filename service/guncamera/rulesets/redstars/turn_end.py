"""The end of a turn: spins are recovered from or not, then fires do their damage. RED-5.8, RED-8.3.

The order is by id: first every recovery of this turn, then every fire in the update of the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Ask, Dice, Total
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook, Flight
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import RedstarsBook, data_book_of
from guncamera.rulesets.redstars.condition import (
    condition_of,
    is_burning,
    is_gliding,
)
from guncamera.rulesets.redstars.events import AircraftLeft, AircraftMoved, Change
from guncamera.rulesets.redstars.facts import TurnEnd
from guncamera.rulesets.redstars.harms import harmed, is_downed, record, told
from guncamera.rulesets.redstars.outcomes import (
    DamageOutcome,
    Effect,
    End,
    Harm,
    TurnEnded,
    Worked,
)
from guncamera.rulesets.redstars.specials import after
from guncamera.rulesets.redstars.tests import spin_recovery_test


def rule_on_turn_end(
    facts: TurnEnd, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on the end of a turn for some aircraft.

    Raises:
        Malformed: RED-10.5, an id is given twice; and as `check_aloft`.
        Illegal: As `check_aloft`.

    Source: seed 004, loss of control and fires; register 1 and R16.
    """
    trace = Trace()
    craft = sorted(facts.aircraft, key=lambda one: one.id)
    if len({one.id for one in craft}) < len(craft):
        raise Malformed(
            "Each aircraft ends its turn once; give every id once.",
            rule_id="RED-10.5",
            field="turn_end.aircraft",
        )
    books = {}
    for at, one in enumerate(facts.aircraft):
        field = f"turn_end.aircraft[{at}]"
        books[one.id] = data_book_of(one.type, own, book, f"{field}.type")
        check_aloft(one, books[one.id], book, field)
    flights = {one.id: recovered(one, books[one.id], trace, dice, book) for one in craft}
    ended = tuple(_burned(one, flights[one.id], books[one.id], trace, dice, book) for one in craft)
    events = tuple(event for one, worked in zip(craft, ended) for event in _events(one, worked))
    outcome = DamageOutcome(TurnEnded(ended))
    return Ruling(outcome, tuple(trace.lines), events, _summary(ended))


def recovered(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Flight | None:
    """How a spinning aircraft flies on: normally, or spinning still; None if it did not spin."""
    if aircraft.flight != Flight.SPINNING:
        return None
    trace.finding("RED-5.8", "spinning", aircraft.id)
    flight = Flight.SPINNING
    if spin_recovery_test(aircraft, data_book, trace, dice, book):
        flight = Flight.GLIDING if is_gliding(aircraft, data_book) else Flight.NORMAL
        trace.finding("RED-5.8", "speed", data_book.min_speed)
    trace.finding("RED-5.8", "flight", flight.value)
    return flight


def burned(
    condition: Condition, trace: Trace, dice: Dice, book: RedstarsBook, who: str
) -> tuple[Effect, ...]:
    """The damage of a turn's fires (RED-8.3, RED-8.4)."""
    sides = (6,) * condition.fires_d6 + (8,) * condition.fires_d8
    trace.finding("RED-8.3", "burning", who)
    rule_id = "RED-8.4" if len(sides) > 1 else "RED-8.3"
    if len(sides) > 1:
        trace.setting("RED-8.4", "fire_stacking", book.settings.fire_stacking)
        if book.settings.fire_stacking == "worst":
            sides = (max(sides),)
    effects = (Effect(Harm.DAMAGE, trace.roll(dice, Ask(sides, Total(), "fire", rule_id))),)
    record(trace, effects, "RED-8.3")
    return effects


def _burned(
    aircraft: Aircraft,
    flight: Flight | None,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> Worked:
    condition = condition_of(aircraft)
    effects: tuple[Effect, ...] = ()
    if is_burning(condition):
        effects = burned(condition, trace, dice, book, aircraft.id)
    down = is_downed(aircraft, after(aircraft, effects), data_book, book, trace)
    free = flight is not None and flight != Flight.SPINNING
    return Worked(
        aircraft.id,
        passed=flight != Flight.SPINNING,
        effects=effects,
        speed=data_book.min_speed if free else None,
        flight=flight,
        end=End.SHOT_DOWN if down else None,
    )


def _events(aircraft: Aircraft, worked: Worked) -> tuple[Change, ...]:
    events: list[Change] = []
    if worked.speed is not None and worked.flight is not None:
        events.append(
            AircraftMoved("RED-5.8", aircraft.id, aircraft.position, worked.speed, worked.flight)
        )
    events += harmed(aircraft.id, worked.effects, "RED-8.3")
    if worked.end is not None:
        events.append(AircraftLeft("RED-8.1", aircraft.id, worked.end))
    return tuple(events)


def _summary(ended: tuple[Worked, ...]) -> str:
    clauses = []
    for one in ended:
        if one.flight == Flight.SPINNING:
            clauses.append(f"{one.aircraft} spins on")
        elif one.flight is not None:
            clauses.append(f"{one.aircraft} recovers")
        if one.effects:
            clauses.append(f"{one.aircraft} burns: {told(one.effects)}")
        if one.end is not None:
            clauses.append(f"{one.aircraft} is lost")
    text = "; ".join(clauses) or "the turn ends"
    return f"{text[0].upper()}{text[1:]}."
