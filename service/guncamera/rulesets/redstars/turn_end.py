"""The end of a turn: spins are recovered from or not, and fires do their damage. RED-5.8, RED-8.3.

The order is by id: first every recovery of this turn, then every fire in the update of the next, or
by setting the other way round (RED-10.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from guncamera.rules.dice import Ask, Dice, Total
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook, Flight
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import RedstarsBook, data_book_of
from guncamera.rulesets.redstars.condition import (
    condition_of,
    glides_on,
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
from guncamera.rulesets.redstars.risk import next_man, takes_over
from guncamera.rulesets.redstars.specials import after, flames
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
    ends = [_Ending(one, books[one.id]) for one in craft]
    for step in _steps(craft, book, trace):
        for end in ends:
            step(end, trace, dice, book)
    ended = tuple(end.worked() for end in ends)
    events = tuple(event for one, worked in zip(craft, ended) for event in _events(one, worked))
    outcome = DamageOutcome(TurnEnded(ended))
    return Ruling(outcome, tuple(trace.lines), events, _summary(ended))


@dataclass(slots=True)
class _Ending:
    """One aircraft as its turn ends: what it is by now, and what has come of it.

    Attributes:
        flight: After a test against its spin; None where there was none.
        down: A fire has shot it down.
    """

    aircraft: Aircraft
    data_book: DataBook
    effects: tuple[Effect, ...] = ()
    flight: Flight | None = None
    down: bool = False

    def suffers(self, effects: tuple[Effect, ...], book: RedstarsBook, trace: Trace) -> None:
        """Something lasting happens to it, which may be the end of it (RED-8.1)."""
        hurt = after(self.aircraft, effects)
        self.down = is_downed(self.aircraft, hurt, self.data_book, book, trace)
        self.aircraft, self.effects = hurt, (*self.effects, *effects)

    def worked(self) -> Worked:
        """What it came to."""
        free = self.flight is not None and self.flight != Flight.SPINNING
        return Worked(
            self.aircraft.id,
            passed=self.flight != Flight.SPINNING,
            effects=self.effects,
            speed=self.data_book.min_speed if free else None,
            flight=self.flight,
            end=End.SHOT_DOWN if self.down else None,
        )


_Step = Callable[[_Ending, Trace, Dice, RedstarsBook], None]


def _steps(craft: Sequence[Aircraft], book: RedstarsBook, trace: Trace) -> tuple[_Step, ...]:
    """Recoveries and fires, in the order that a setting gives (RED-10.5)."""
    spinning = any(one.flight == Flight.SPINNING for one in craft)
    if spinning and any(is_burning(condition_of(one)) for one in craft):
        trace.setting("RED-10.5", "end_order", book.settings.end_order)
    fires_last = book.settings.end_order == "recovery-first"
    return (_recover, _burn) if fires_last else (_burn, _recover)


# ---- Spins


def _recover(end: _Ending, trace: Trace, dice: Dice, book: RedstarsBook) -> None:
    """A spinning aircraft is tested, by whoever holds its controls by then (RED-5.8)."""
    if end.down:
        return
    if condition_of(end.aircraft).nobody_flies and not _is_manned(end, trace, dice, book):
        end.flight = Flight.SPINNING
        return
    end.flight = recovered(end.aircraft, end.data_book, trace, dice, book)


def _is_manned(end: _Ending, trace: Trace, dice: Dice, book: RedstarsBook) -> bool:
    """Whether the other man gets to the controls that nobody holds (RED-7.8)."""
    trace.finding("RED-7.8", "nobody_flies", end.aircraft.id)
    trace.setting("RED-7.8", "takeover_tries", book.settings.takeover_tries)
    who = next_man(end.aircraft, end.data_book)
    if who is None or not takes_over(trace, dice, book):
        return False
    effects = (Effect(who),)
    record(trace, effects)
    end.suffers(effects, book, trace)
    return True


def recovered(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Flight | None:
    """How a spinning aircraft flies on: normally, or spinning still; None if it did not spin."""
    if aircraft.flight != Flight.SPINNING:
        return None
    trace.finding("RED-5.8", "spinning", aircraft.id)
    flight = Flight.SPINNING
    if spin_recovery_test(aircraft, data_book, trace, dice, book):
        glides = is_gliding(aircraft, data_book)
        flight = glides_on(book, glided=False) if glides else Flight.NORMAL
        trace.finding("RED-5.8", "speed", data_book.min_speed)
    trace.finding("RED-5.8", "flight", flight.value)
    return flight


# ---- Fires


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


def _burn(end: _Ending, trace: Trace, dice: Dice, book: RedstarsBook) -> None:
    """Its fires do their damage, which may light others."""
    condition = condition_of(end.aircraft)
    if not is_burning(condition):
        return
    end.suffers(burned(condition, trace, dice, book, end.aircraft.id), book, trace)
    if not end.down:
        lit = flames(end.aircraft, end.data_book, trace, dice, book)
        end.suffers(lit, book, trace)


# ---- What came of it

_MANNED = (Harm.OBSERVER_FLIES, Harm.PILOT_FLIES)


def _parted(effects: Sequence[Effect]) -> tuple[tuple[Effect, ...], tuple[Effect, ...]]:
    """Who took the controls, and what the fires did."""
    manned = tuple(effect for effect in effects if effect.harm in _MANNED)
    return manned, tuple(effect for effect in effects if effect.harm not in _MANNED)


def _events(aircraft: Aircraft, worked: Worked) -> tuple[Change, ...]:
    events: list[Change] = []
    if worked.speed is not None and worked.flight is not None:
        events.append(
            AircraftMoved("RED-5.8", aircraft.id, aircraft.position, worked.speed, worked.flight)
        )
    manned, fires = _parted(worked.effects)
    events += harmed(aircraft.id, manned)
    events += harmed(aircraft.id, fires, "RED-8.3")
    if worked.end is not None:
        events.append(AircraftLeft("RED-8.1", aircraft.id, worked.end))
    return tuple(events)


def _summary(ended: tuple[Worked, ...]) -> str:
    clauses = []
    for one in ended:
        manned, fires = _parted(one.effects)
        if manned:
            clauses.append(f"{one.aircraft}: {told(manned)}")
        if one.flight == Flight.SPINNING:
            clauses.append(f"{one.aircraft} spins on")
        elif one.flight is not None:
            clauses.append(f"{one.aircraft} recovers")
        if fires:
            clauses.append(f"{one.aircraft} burns: {told(fires)}")
        if one.end is not None:
            clauses.append(f"{one.aircraft} is lost")
    text = "; ".join(clauses) or "the turn ends"
    return f"{text[0].upper()}{text[1:]}."
