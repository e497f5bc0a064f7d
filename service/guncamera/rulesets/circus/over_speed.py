"""Diving faster than is safe: the check at the end of a move. Rules CIR-6.5 and CIR-6.7."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import D6, Ask, Dice, Total
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Condition
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.facts import OverSpeedTest
from guncamera.rulesets.circus.harms import harmed, in_words, lasting, record
from guncamera.rulesets.circus.outcomes import DamageOutcome, Effect, End, Harm, Worked
from guncamera.rulesets.circus.performance import current_top
from guncamera.rulesets.circus.stress import end_of, left


def excess(mp: int, aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> int:
    """Movement points above the speed from which over-speed is counted; 0 if there are none."""
    if book.settings.over_speed_from == "safe":
        return max(mp - aeroplane.safe_dive_mp, 0)
    return max(mp - current_top(aeroplane, condition, book), 0)


def is_checked(
    mp: int,
    aeroplane: Aeroplane,
    condition: Condition,
    book: CircusBook,
    trace: Trace,
    *,
    dived: bool,
) -> bool:
    """Whether a move at so many points is checked for over-speed.

    Args:
        dived: There was a dive in it.
    """
    if not excess(mp, aeroplane, condition, book):
        return False
    if not dived:
        trace.setting("CIR-6.5", "over_speed_turns", book.settings.over_speed_turns)
    return dived or book.settings.over_speed_turns == "any"


def roll_over_speed(
    mp: int, aeroplane: Aeroplane, condition: Condition, book: CircusBook, trace: Trace, dice: Dice
) -> tuple[Effect, ...]:
    """The die for a move above the safe speed (CIR-6.5)."""
    settings, table = book.settings, book.tables["over-speed"]
    over = excess(mp, aeroplane, condition, book)
    trace.setting("CIR-6.5", "over_speed_from", settings.over_speed_from)
    trace.finding("CIR-6.5", "excess_mp", over, f"{mp} movement points")
    added = over if settings.over_speed_adjustment == "excess" else 2 * over - 1
    if over > 1:
        trace.setting("CIR-6.5", "over_speed_adjustment", settings.over_speed_adjustment)
    die = trace.roll(dice, Ask((D6,), Total(), "over-speed", "CIR-6.5"))
    trace.modifier("CIR-6.5", "over_speed", added)
    score = trace.sum("CIR-6.5", "over_speed_score", die, die + added)
    damage = int(trace.look_up(table, score, "damage"))
    result = str(trace.look_up(table, score, "result"))
    effects: tuple[Effect, ...] = (Effect(Harm.DAMAGE, damage),) if damage else ()
    if result != "none":
        effects += (Effect(Harm(result)),)
    return lasting(condition, effects)


def rule_on_over_speed(
    facts: OverSpeedTest, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on the end of a turn above the safe dive speed.

    Raises:
        Malformed: CIR-1.2, the type.
        Illegal: CIR-6.5, it was not too fast.

    Source: seed 002, over speed effects; register 5.10.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "over_speed_test.aeroplane")
    condition = facts.condition or UNHURT
    if not excess(facts.mp, aeroplane, condition, book):
        safe = aeroplane.safe_dive_mp
        if book.settings.over_speed_from == "top":
            safe = current_top(aeroplane, condition, book)
        raise Illegal(
            "CIR-6.5",
            f"{facts.aircraft} dived at {facts.mp} movement points and up to {safe} it takes no "
            "harm. Roll for faster dives only.",
            field="over_speed_test.mp",
            mp=facts.mp,
            safe_mp=safe,
        )
    effects = roll_over_speed(facts.mp, aeroplane, condition, book, trace, dice)
    record(trace, effects, damage="CIR-6.5")
    end = end_of(aeroplane, condition, effects, book)
    trace.finding("CIR-10.12", "destroyed", end is not None)
    worked = Worked(facts.aircraft, effects, destroyed=end is not None)
    words = " and ".join(in_words(effect) for effect in effects) or "it holds"
    lost = ", and it is destroyed" if end == End.DESTROYED else ""
    return Ruling(
        DamageOutcome(worked),
        tuple(trace.lines),
        (*harmed(facts.aircraft, effects, damage="CIR-6.5"), *left(facts.aircraft, end)),
        f"{facts.aircraft} dives too fast: {words}{lost}.",
    )
