"""What lasting harm makes of the condition of an aircraft and its crew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from guncamera.rules.straight_line import changed
from guncamera.rulesets.circus.aircraft import Condition
from guncamera.rulesets.circus.outcomes import Effect, Harm

MOST_DAMAGE = 100
MOST_MARKS = 20
MOST_STEPS = 20
MOST_CLIMB_STEPS = 120
MOST_LEAK_TESTS = 6


def with_effects(condition: Condition, effects: Iterable[Effect]) -> Condition:
    """The condition after some effects, in order.

    An aircraft that breaks up is in no condition any more: that is an end, and changes nothing
    here. A second oil leak adds nothing to the first, and a seized engine leaks no longer.
    """
    for effect in effects:
        after = _AFTER.get(effect.harm)
        if after is not None:
            condition = after(condition, effect.amount)
    return condition


def _damaged(condition: Condition, amount: int) -> Condition:
    points = min(condition.damage_points + amount, MOST_DAMAGE)
    return changed(condition, damage_points=points)


def _marked(condition: Condition, amount: int) -> Condition:
    return changed(condition, structure_marks=min(condition.structure_marks + amount, MOST_MARKS))


def _mark_spent(condition: Condition, amount: int) -> Condition:
    return changed(condition, structure_marks=max(condition.structure_marks - amount, 0))


def _seized(condition: Condition, _amount: int) -> Condition:
    return changed(condition, engine_seized=True, oil_leak_turns=None)


def _leaking(condition: Condition, _amount: int) -> Condition:
    if condition.engine_seized or condition.oil_leak_turns is not None:
        return condition
    return changed(condition, oil_leak_turns=0)


def _leak_tested(condition: Condition, amount: int) -> Condition:
    if condition.oil_leak_turns is None:
        return condition
    turns = min(condition.oil_leak_turns + amount, MOST_LEAK_TESTS)
    return changed(condition, oil_leak_turns=turns)


def _slower(condition: Condition, amount: int) -> Condition:
    return changed(condition, top_lost_mp=min(condition.top_lost_mp + amount, MOST_STEPS))


def _burning(condition: Condition, amount: int) -> Condition:
    return changed(condition, fire_points=min(condition.fire_points + amount, MOST_STEPS))


def _turning_worse(condition: Condition, amount: int) -> Condition:
    return changed(condition, turn_code_steps=min(condition.turn_code_steps + amount, MOST_STEPS))


def _climbing_worse(condition: Condition, amount: int) -> Condition:
    return changed(condition, climb_steps=min(condition.climb_steps + amount, MOST_CLIMB_STEPS))


def _pilot_wounded(condition: Condition, amount: int) -> Condition:
    return changed(condition, pilot_wounds=min(condition.pilot_wounds + amount, MOST_STEPS))


def _gunner_wounded(condition: Condition, amount: int) -> Condition:
    return changed(condition, gunner_wounds=min(condition.gunner_wounds + amount, MOST_STEPS))


After = Callable[[Condition, int], Condition]

_AFTER: Mapping[Harm, After] = {
    Harm.DAMAGE: _damaged,
    Harm.STRUCTURE_MARK: _marked,
    Harm.STRUCTURE_MARK_SPENT: _mark_spent,
    Harm.SPAR_CRACKED: lambda condition, _: changed(condition, spar_cracked=True),
    Harm.WINGS_CRACKED: lambda condition, _: changed(condition, wings_cracked=True),
    Harm.TOP_SPEED_LOST: _slower,
    Harm.ENGINE_SEIZED: _seized,
    Harm.OIL_LEAK: _leaking,
    Harm.OIL_LEAK_TESTED: _leak_tested,
    Harm.FIRE: _burning,
    Harm.FIRE_OUT: lambda condition, _: changed(condition, fire_points=0),
    Harm.TURN_CODE_WORSE: _turning_worse,
    Harm.LEFT_BARRED: lambda condition, _: changed(condition, left_barred=True),
    Harm.RIGHT_BARRED: lambda condition, _: changed(condition, right_barred=True),
    Harm.CLIMB_STEPS: _climbing_worse,
    Harm.SHALLOW_ONLY: lambda condition, _: changed(condition, shallow_only=True),
    Harm.GENTLE_ONLY: lambda condition, _: changed(condition, gentle_only=True),
    Harm.PILOT_WOUNDED: _pilot_wounded,
    Harm.PILOT_KILLED: lambda condition, _: changed(condition, pilot_killed=True),
    Harm.GUNNER_WOUNDED: _gunner_wounded,
    Harm.GUNNER_KILLED: lambda condition, _: changed(condition, gunner_killed=True),
}
