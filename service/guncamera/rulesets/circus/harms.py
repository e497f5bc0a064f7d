"""Lasting harm in words and events: which rule each kind belongs to, and how it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Condition
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.events import Change, Harmed, PilotBroken, ResolutionChanged
from guncamera.rulesets.circus.facts import Part
from guncamera.rulesets.circus.outcomes import Effect, Harm

HARM_RULES: Mapping[Harm, str] = {
    Harm.DAMAGE: "CIR-6.3",
    Harm.STRUCTURE_MARK: "CIR-10.10",
    Harm.STRUCTURE_MARK_SPENT: "CIR-6.3",
    Harm.SPAR_CRACKED: "CIR-6.3",
    Harm.WINGS_CRACKED: "CIR-6.5",
    Harm.BROKEN_UP: "CIR-10.12",
    Harm.TOP_SPEED_LOST: "CIR-10.6",
    Harm.ENGINE_SEIZED: "CIR-10.6",
    Harm.OIL_LEAK: "CIR-10.7",
    Harm.OIL_LEAK_TESTED: "CIR-10.7",
    Harm.FIRE: "CIR-10.8",
    Harm.FIRE_OUT: "CIR-10.9",
    Harm.TURN_CODE_WORSE: "CIR-10.11",
    Harm.LEFT_BARRED: "CIR-10.11",
    Harm.RIGHT_BARRED: "CIR-10.11",
    Harm.CLIMB_STEPS: "CIR-10.11",
    Harm.SHALLOW_ONLY: "CIR-10.11",
    Harm.GENTLE_ONLY: "CIR-10.11",
    Harm.PILOT_WOUNDED: "CIR-10.4",
    Harm.PILOT_KILLED: "CIR-10.4",
    Harm.GUNNER_WOUNDED: "CIR-10.5",
    Harm.GUNNER_KILLED: "CIR-10.5",
}

_WORDS: Mapping[Harm, str] = {
    Harm.STRUCTURE_MARK: "its structure is hit",
    Harm.STRUCTURE_MARK_SPENT: "the hit on its structure is tested",
    Harm.SPAR_CRACKED: "a wing spar cracks",
    Harm.WINGS_CRACKED: "its wing spars crack",
    Harm.BROKEN_UP: "it breaks up",
    Harm.ENGINE_SEIZED: "its engine seizes",
    Harm.OIL_LEAK: "its engine leaks oil",
    Harm.OIL_LEAK_TESTED: "its engine runs on, leaking oil",
    Harm.FIRE_OUT: "the fire is out",
    Harm.TURN_CODE_WORSE: "it turns worse",
    Harm.LEFT_BARRED: "it cannot turn left any more",
    Harm.RIGHT_BARRED: "it cannot turn right any more",
    Harm.SHALLOW_ONLY: "it can dive only shallowly",
    Harm.GENTLE_ONLY: "it can climb only gently",
    Harm.PILOT_WOUNDED: "its pilot is wounded",
    Harm.PILOT_KILLED: "its pilot is killed",
    Harm.GUNNER_WOUNDED: "its gunner is wounded",
    Harm.GUNNER_KILLED: "its gunner is killed",
}


PARTS: Mapping[Part, str] = {
    Part.CREW: "crew",
    Part.ENGINE: "engine",
    Part.STRUCTURE: "structure",
    Part.CONTROL: "controls",
}
"""What each part is called in a sentence."""


def in_words(effect: Effect) -> str:
    """An effect as a clause about the aircraft."""
    amount = effect.amount
    match effect.harm:
        case Harm.DAMAGE:
            return f"it takes {amount} damage"
        case Harm.TOP_SPEED_LOST:
            return f"it loses {amount} of top speed"
        case Harm.CLIMB_STEPS:
            return f"its climb costs {amount} more steps"
        case Harm.FIRE:
            return f"it burns, {amount} a turn"
    return _WORDS[effect.harm]


def told(effects: Iterable[Effect]) -> str:
    """Some effects as one clause; that a leak was tested is told only where nothing else is."""
    told = [in_words(effect) for effect in effects if effect.harm != Harm.OIL_LEAK_TESTED]
    return " and ".join(told) or in_words(Effect(Harm.OIL_LEAK_TESTED))


def lasting(condition: Condition, effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Those of some effects that change anything, each after the ones before it."""
    kept: list[Effect] = []
    for effect in effects:
        after = with_effects(condition, (effect,))
        if after != condition or effect.harm == Harm.BROKEN_UP:
            kept.append(effect)
        condition = after
    return tuple(kept)


def record(trace: Trace, effects: Iterable[Effect], damage: str = "") -> None:
    """Each effect as a finding, under its rule.

    Args:
        damage: The rule of points of damage, where it is not the structure chart's.
    """
    for effect in effects:
        trace.finding(_rule(effect, damage), effect.harm.value, effect.amount, in_words(effect))


def harmed(aircraft: str, effects: Iterable[Effect], damage: str = "") -> tuple[Change, ...]:
    """An event for each effect, under its rule; see `record`."""
    return tuple(
        Harmed(_rule(effect, damage), aircraft, effect.harm, effect.amount) for effect in effects
    )


def _rule(effect: Effect, damage: str) -> str:
    if damage and effect.harm == Harm.DAMAGE:
        return damage
    return HARM_RULES[effect.harm]


def unnerved(
    rule_id: str, aircraft: str, before: int, loss: int, *, killed: bool = False
) -> tuple[Change, ...]:
    """What a loss of resolution changes: the number, and perhaps the pilot's mind.

    Args:
        before: His resolution, of which the loss is not yet taken.
        killed: He is dead, and breaks off nothing.
    """
    if not loss:
        return ()
    changed = ResolutionChanged(rule_id, aircraft, -loss)
    if before > 0 and before - loss <= 0 and not killed:
        return (changed, PilotBroken("CIR-11.2", aircraft))
    return (changed,)
