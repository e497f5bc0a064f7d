"""Fire on board and oil leaks, turn by turn. Rules CIR-10.7 to CIR-10.9."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, AtLeast, Dice, Total
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Condition, Pose
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.harms import record
from guncamera.rulesets.circus.outcomes import Effect, Harm
from guncamera.rulesets.circus.shot import LowEnough

LEAK_TURNS = 6


# ---- As it begins


def lit(condition: Condition, points: int, book: CircusBook, trace: Trace) -> tuple[Effect, ...]:
    """A fire that breaks out, beside one that may burn already (CIR-10.8)."""
    burning = condition.fire_points
    if not burning:
        return (Effect(Harm.FIRE, points),)
    trace.setting("CIR-10.8", "second_fire", book.settings.second_fire)
    if book.settings.second_fire == "added":
        return (Effect(Harm.FIRE, points),)
    more = points - burning
    if more <= 0:
        trace.finding("CIR-10.8", "effect", "none", f"a fire of {burning} burns already")
        return ()
    return (Effect(Harm.FIRE, more),)


def leak_begins(
    condition: Condition, book: CircusBook, trace: Trace, dice: Dice
) -> tuple[Effect, ...]:
    """An oil leak, and by setting the turn in which it ends (CIR-10.7).

    That turn is kept as tests that are behind it, so that the sixth falls in it.
    """
    if condition.oil_leak_turns is not None:
        return _leaks_more(condition.oil_leak_turns, book, trace, dice)
    trace.setting("CIR-10.7", "oil_leak", book.settings.oil_leak)
    leak = Effect(Harm.OIL_LEAK)
    if book.settings.oil_leak == "rising":
        return (leak,)
    behind = _tests_behind(trace, dice)
    return (leak, Effect(Harm.OIL_LEAK_TESTED, behind)) if behind else (leak,)


def _tests_behind(trace: Trace, dice: Dice) -> int:
    """The tests that are behind a leak whose turn one die gives."""
    turn = trace.roll(dice, Ask((D6,), Total(), "oil-leak", "CIR-10.7"))
    trace.finding("CIR-10.7", "seizes_in_turn", turn, "counted from the turn after the hit")
    return LEAK_TURNS - turn


def _leaks_more(tests: int, book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """A second oil leak: nothing, or by setting the end comes sooner (CIR-10.7).

    Args:
        tests: Behind the first one.
    """
    trace.setting("CIR-10.7", "second_leak", book.settings.second_leak)
    if book.settings.second_leak == "nothing":
        trace.finding("CIR-10.7", "effect", "none", "it leaks oil already")
        return ()
    trace.setting("CIR-10.7", "oil_leak", book.settings.oil_leak)
    more = 1 if book.settings.oil_leak == "rising" else _tests_behind(trace, dice) - tests
    if more > 0:
        return (Effect(Harm.OIL_LEAK_TESTED, more),)
    trace.finding("CIR-10.7", "effect", "none", "the first one seizes it no later")
    return ()


# ---- Turn by turn


@dataclass(frozen=True, slots=True)
class Burnt:
    """What a turn of fire did."""

    effects: tuple[Effect, ...]
    resolution_loss: int


def burning(condition: Condition, lit: int, book: CircusBook, trace: Trace) -> int:
    """The points that a fire does at the end of a turn (CIR-10.8).

    Args:
        lit: What broke out in this turn.
    """
    if not lit:
        return condition.fire_points
    trace.setting("CIR-10.8", "fire_begins", book.settings.fire_begins)
    spared = lit if book.settings.fire_begins == "next-turn" else 0
    return max(condition.fire_points - spared, 0)


def burn(points: int, dive: Pose, book: CircusBook, trace: Trace, dice: Dice) -> Burnt:
    """A turn of fire on board, and the die of a dive that may put it out.

    Args:
        points: What it does in this turn.
    """
    first = book.settings.fire_order == "check-first"
    trace.finding("CIR-10.8", "fire_points", points)
    dives = dive in (Pose.STEEP_DIVE, Pose.POWER_DIVE)
    out = dives and _put_out(dive, book, trace, dice)
    if dives:
        trace.finding("CIR-10.9", "fire_out", out)
    if out:
        trace.setting("CIR-10.9", "fire_order", book.settings.fire_order)
    harms: list[Effect] = []
    loss = 0
    if not out or not first:
        harms.append(Effect(Harm.DAMAGE, points))
        loss = _loss(points, book, trace)
    if out:
        harms.append(Effect(Harm.FIRE_OUT))
    record(trace, harms, "CIR-10.8")
    return Burnt(tuple(harms), loss)


def _put_out(dive: Pose, book: CircusBook, trace: Trace, dice: Dice) -> bool:
    lowest = book.tables["fire-out"].number(dive.value, "out_on")
    trace.look_up(book.tables["fire-out"], dive.value, "out_on")
    return trace.roll(dice, Ask((D6,), AtLeast(lowest), "fire-out", "CIR-10.9"))


def _loss(points: int, book: CircusBook, trace: Trace) -> int:
    """What a fire takes from the pilot's resolution."""
    trace.setting("CIR-10.8", "fire_harm", book.settings.fire_harm)
    if book.settings.fire_harm == "damage-only":
        return 0
    trace.finding("CIR-10.8", "resolution_loss", points)
    return points


def leak(condition: Condition, book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """A turn of an oil leak; the sixth test cannot fail (CIR-10.7)."""
    test = min((condition.oil_leak_turns or 0) + 1, LEAK_TURNS)
    trace.finding("CIR-10.7", "test", test)
    trace.setting("CIR-10.7", "oil_leak", book.settings.oil_leak)
    if book.settings.oil_leak == "rising":
        highest = book.tables["oil-leak"].number(test, "seizes_on")
        trace.sum("CIR-10.7", "test", test, test)
        trace.look_up(book.tables["oil-leak"], test, "seizes_on")
        seized = trace.roll(dice, Ask((D6,), LowEnough(highest), "oil-leak", "CIR-10.7"))
    else:
        seized = test == LEAK_TURNS
    harms = (Effect(Harm.OIL_LEAK_TESTED), *((Effect(Harm.ENGINE_SEIZED),) if seized else ()))
    record(trace, harms[-1:])
    return harms
