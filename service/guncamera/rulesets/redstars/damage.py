"""Damage of every kind, one procedure each: tests, special hits, the crew, the end of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AircraftTrait,
    AltitudeCard,
    DataBook,
    Flight,
)
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import RedstarsBook, data_book_of
from guncamera.rulesets.redstars.books import check_own
from guncamera.rulesets.redstars.condition import (
    condition_of,
    engines_gone,
    has_observer,
    is_burning,
)
from guncamera.rulesets.redstars.events import AircraftLeft, AircraftMoved, Change
from guncamera.rulesets.redstars.facts import (
    DamageFacts,
    Handover,
    RiskToPilot,
    SpecialHit,
    Test,
    Testing,
    TurnEnd,
)
from guncamera.rulesets.redstars.harms import harmed, is_downed, record, told
from guncamera.rulesets.redstars.outcomes import DamageOutcome, Effect, End, Harm, Worked
from guncamera.rulesets.redstars.risk import risk_to_crew
from guncamera.rulesets.redstars.specials import (
    after,
    boxes_marked,
    fires_out,
    flames,
    record_engines,
    special_hit,
)
from guncamera.rulesets.redstars.tests import (
    airframe_damage,
    airframe_test,
    blow_out_test,
    engine_test,
    skill_test,
)
from guncamera.rulesets.redstars.turn_end import recovered, rule_on_turn_end

DIVES_THAT_BLOW = (AltitudeCard.DIVE_3, AltitudeCard.DIVE_4)


def rule_on_damage(facts: DamageFacts, book: RedstarsBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on damage of any kind; see the rule of each for what it refuses."""
    own = facts.own_books
    if own:
        check_own(own, book, "own_books")
    match facts.procedure:
        case Testing() as testing:
            return rule_on_test(testing, own, book, dice)
        case SpecialHit() as hit:
            return rule_on_special_hit(hit, own, book, dice)
        case RiskToPilot() as risk:
            return rule_on_risk(risk, own, book, dice)
        case Handover() as handover:
            return rule_on_handover(handover, own, book)
        case TurnEnd() as end:
            return rule_on_turn_end(end, own, book, dice)


def _aloft(aircraft: Aircraft, own: Sequence[DataBook], book: RedstarsBook, field: str) -> DataBook:
    data_book = data_book_of(aircraft.type, own, book, f"{field}.aircraft.type")
    check_aloft(aircraft, data_book, book, f"{field}.aircraft")
    return data_book


def _ruled(
    worked: Worked,
    trace: Trace,
    summary: str,
    *,
    moved: tuple[Change, ...] = (),
    rule_id: str = "",
) -> Ruling[DamageOutcome]:
    """The ruling on one aircraft.

    Args:
        rule_id: Behind its harms, where it is not that of a hit.
    """
    events: tuple[Change, ...] = (*moved, *harmed(worked.aircraft, worked.effects, rule_id))
    if worked.end is not None:
        rule = _END_RULES.get(worked.end, "RED-8.1")
        events = (*events, AircraftLeft(rule, worked.aircraft, worked.end))
    return Ruling(DamageOutcome(worked), tuple(trace.lines), events, summary)


_END_RULES = {End.CREW_LOST: "RED-7.8", End.WINGS_OFF: "RED-5.4"}


# ---- Tests


def rule_on_test(
    facts: Testing, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a single test, as a card or a scenario asks for it.

    A failed skill test is only told: what it means is for whoever asked to say.

    Raises:
        Malformed, Illegal: As `check_aloft`.
        Illegal: RED-5.5, no engine is left; RED-5.7, there is no fire, or no dive that could
            blow it out; RED-5.8, it does not spin.

    Source: seed 004, tests generally, fires, loss of control.
    """
    data_book = _aloft(facts.aircraft, own, book, "testing")
    if facts.test in _BY_HAND and condition_of(facts.aircraft).nobody_flies:
        raise Illegal(
            "RED-7.8",
            f"Nobody is at the controls of {facts.aircraft.id} to pass such a test; end the turn.",
            field="testing.aircraft.condition.nobody_flies",
            test=facts.test.value,
        )
    trace = Trace()
    match facts.test:
        case Test.SKILL:
            passed = skill_test(facts.aircraft, data_book, trace, dice, book)
            worked = Worked(facts.aircraft.id, passed)
        case Test.AIRFRAME:
            worked = _airframe(facts, data_book, trace, dice, book)
        case Test.ENGINE:
            worked = _engine(facts, data_book, trace, dice, book)
        case Test.BLOW_OUT:
            worked = _blow_out(facts, data_book, trace, dice, book)
        case Test.SPIN_RECOVERY:
            return _recovery(facts, data_book, trace, dice, book)
    return _ruled(worked, trace, _told(facts, worked), rule_id=_TEST_RULES[facts.test])


_BY_HAND = (Test.SKILL, Test.SPIN_RECOVERY)
_TEST_RULES = {
    Test.SKILL: "RED-5.3",
    Test.AIRFRAME: "RED-5.4",
    Test.ENGINE: "RED-5.5",
    Test.BLOW_OUT: "RED-5.7",
}


def _told(facts: Testing, worked: Worked) -> str:
    verdict = "passes" if worked.passed else "fails"
    more = f": {told(worked.effects)}" if worked.effects else ""
    lost = "; it is lost" if worked.end is not None else ""
    name = facts.test.value.replace("_", " ")
    return f"{facts.aircraft.id} {verdict} the {name} test{more}{lost}."


def _airframe(
    facts: Testing, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Worked:
    """Failed in a DIVE -4 the wings come off; else a die of damage (RED-5.4)."""
    who = facts.aircraft.id
    if airframe_test(facts.aircraft, data_book, trace, dice, book):
        return Worked(who)
    if facts.altitude_card == AltitudeCard.DIVE_4:
        trace.finding("RED-5.4", "wings_off", value=True)
        return Worked(who, passed=False, end=End.WINGS_OFF)
    effects: tuple[Effect, ...] = (Effect(Harm.DAMAGE, airframe_damage(trace, dice)),)
    record(trace, effects, "RED-5.4")
    hurt = after(facts.aircraft, effects)
    down = is_downed(facts.aircraft, hurt, data_book, book, trace)
    if not down:
        lit = flames(hurt, data_book, trace, dice, book)
        effects, down = (*effects, *lit), is_downed(hurt, after(hurt, lit), data_book, book, trace)
    return Worked(who, passed=False, effects=effects, end=End.SHOT_DOWN if down else None)


def _engine(
    facts: Testing, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Worked:
    """Failed it marks a box, or two; nothing beyond the last (RED-5.5)."""
    aircraft = facts.aircraft
    if engines_gone(condition_of(aircraft), data_book):
        raise Illegal(
            "RED-5.5",
            f"{aircraft.id} has no engine box left; there is no engine to test.",
            field="testing.aircraft.condition.engine_marks",
        )
    boxes = engine_test(aircraft, data_book, trace, dice, book)
    effects = boxes_marked(boxes, condition_of(aircraft), data_book, book)
    record_engines(effects, data_book, book, trace)
    record(trace, effects, "RED-5.5")
    return Worked(aircraft.id, not boxes, effects)


def _blow_out(
    facts: Testing, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Worked:
    dive = facts.altitude_card
    if not is_burning(condition_of(facts.aircraft)):
        raise Illegal(
            "RED-5.7",
            f"{facts.aircraft.id} is not on fire; there is nothing to blow out.",
            field="testing.aircraft.condition",
        )
    if dive not in DIVES_THAT_BLOW:
        raise Illegal(
            "RED-5.7",
            "Only a DIVE -3 or DIVE -4 may blow a fire out; name the dive.",
            field="testing.altitude_card",
        )
    out = blow_out_test(dive, facts.aircraft, data_book, trace, dice, book)
    effects = (fires_out(condition_of(facts.aircraft), book, trace),) if out else ()
    record(trace, effects)
    return Worked(facts.aircraft.id, out, effects)


def _recovery(
    facts: Testing, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> Ruling[DamageOutcome]:
    aircraft = facts.aircraft
    if aircraft.flight != Flight.SPINNING:
        raise Illegal(
            "RED-5.8",
            f"{aircraft.id} does not spin; there is nothing to recover from.",
            field="testing.aircraft.flight",
        )
    flight = recovered(aircraft, data_book, trace, dice, book)
    if flight is None or flight == Flight.SPINNING:
        worked = Worked(aircraft.id, passed=False, flight=Flight.SPINNING)
        return _ruled(worked, trace, f"{aircraft.id} spins on.")
    worked = Worked(aircraft.id, speed=data_book.min_speed, flight=flight)
    moved = AircraftMoved("RED-5.8", aircraft.id, aircraft.position, data_book.min_speed, flight)
    return _ruled(worked, trace, f"{aircraft.id} recovers from its spin.", moved=(moved,))


# ---- Hits and the crew


def rule_on_special_hit(
    facts: SpecialHit, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a roll on the special hits table.

    Raises:
        Malformed, Illegal: As `check_aloft`.
        Illegal: RED-7.3, only a fire is to count, but the type is not flammable.

    Source: seed 004, special hits table.
    """
    aircraft = facts.aircraft
    data_book = _aloft(aircraft, own, book, "special_hit")
    if facts.fire_only and AircraftTrait.FLAMMABLE not in data_book.traits:
        raise Illegal(
            "RED-7.3",
            f"{data_book.title} is not flammable; only a special hit is rolled for.",
            field="special_hit.fire_only",
            type=data_book.type,
        )
    trace = Trace()
    effects = special_hit(aircraft, data_book, trace, dice, book, fire_only=facts.fire_only)
    down = is_downed(aircraft, after(aircraft, effects), data_book, book, trace)
    worked = Worked(aircraft.id, effects=effects, end=End.SHOT_DOWN if down else None)
    lost = "; it is shot down" if down else ""
    summary = f"{aircraft.id}: {told(effects) or 'nothing more'}{lost}."
    return _ruled(worked, trace, summary)


def rule_on_risk(
    facts: RiskToPilot, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a roll on the risk to pilot table.

    Raises:
        Malformed, Illegal: As `check_aloft`.

    Source: seed 004, risk to pilot table.
    """
    data_book = _aloft(facts.aircraft, own, book, "risk_to_pilot")
    trace = Trace()
    struck = risk_to_crew(facts.aircraft, data_book, trace, dice, book, sniper=facts.sniper)
    end = End.CREW_LOST if struck.crew_lost else None
    worked = Worked(facts.aircraft.id, effects=struck.effects, end=end)
    lost = "; nobody is left to fly it" if end else ""
    summary = f"{facts.aircraft.id}: {told(struck.effects) or 'nobody is hit'}{lost}."
    return _ruled(worked, trace, summary)


def rule_on_handover(
    facts: Handover, own: Sequence[DataBook], book: RedstarsBook
) -> Ruling[DamageOutcome]:
    """Rules on a wounded pilot who gives the controls to his observer. No dice.

    Raises:
        Malformed, Illegal: As `check_aloft`.
        Illegal: RED-7.9, the pilot is not wounded, or there is no observer to take over.

    Source: seed 004, risk to pilot.
    """
    data_book = _aloft(facts.aircraft, own, book, "handover")
    trace = Trace()
    condition = condition_of(facts.aircraft)
    why = ""
    if condition.nobody_flies:
        why = "nobody is at the controls to give them away"
    elif not condition.pilot_wounds:
        why = "its pilot is not wounded"
    elif not has_observer(facts.aircraft, data_book):
        why = "it has no observer who could take the controls"
    if why:
        raise Illegal(
            "RED-7.9",
            f"The controls of {facts.aircraft.id} change no hands: {why}.",
            field="handover.aircraft",
        )
    effects = (Effect(Harm.OBSERVER_FLIES),)
    record(trace, effects, "RED-7.9")
    worked = Worked(facts.aircraft.id, effects=effects)
    summary = f"The observer of {facts.aircraft.id} takes the controls."
    return _ruled(worked, trace, summary, rule_id="RED-7.9")
