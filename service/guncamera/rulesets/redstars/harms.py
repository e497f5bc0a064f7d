"""Lasting harm in words and events: which rule each kind belongs to, and how it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import (
    condition_of,
    is_damaged,
    is_shot_down,
    with_effects,
)
from guncamera.rulesets.redstars.events import Harmed
from guncamera.rulesets.redstars.outcomes import Effect, Harm

HARM_RULES: Mapping[Harm, str] = {
    Harm.DAMAGE: "RED-8.1",
    Harm.ENGINE_BOX: "RED-7.2",
    Harm.ENGINE_SHOT: "RED-7.2",
    Harm.ACCELERATE_BARRED: "RED-7.2",
    Harm.OIL_LEAK: "RED-7.10",
    Harm.FIRE_D6: "RED-8.3",
    Harm.FIRE_D8: "RED-8.3",
    Harm.FIRES_OUT: "RED-5.7",
    Harm.DIE_LOST: "RED-7.4",
    Harm.EXTREME_BARRED: "RED-7.10",
    Harm.CAMERA_WRECKED: "RED-7.10",
    Harm.GEAR_WRECKED: "RED-7.10",
    Harm.TOP_SPEED_BARRED: "RED-7.2",
    Harm.PILOT_WOUNDED: "RED-7.7",
    Harm.PILOT_SEVERE: "RED-7.7",
    Harm.PILOT_KILLED: "RED-7.7",
    Harm.OBSERVER_WOUNDED: "RED-7.7",
    Harm.OBSERVER_SEVERE: "RED-7.7",
    Harm.OBSERVER_KILLED: "RED-7.7",
    Harm.OBSERVER_FLIES: "RED-7.8",
    Harm.PILOT_FLIES: "RED-7.8",
    Harm.CONTROLS_FREE: "RED-7.8",
    Harm.OBSERVER_REPLACED: "RED-7.8",
}

_WORDS: Mapping[Harm, str] = {
    Harm.ENGINE_SHOT: "its engine is shot up",
    Harm.ACCELERATE_BARRED: "it cannot accelerate any more",
    Harm.OIL_LEAK: "oil covers its windscreen",
    Harm.FIRE_D6: "it burns, d6 a turn",
    Harm.FIRE_D8: "it burns, d8 a turn",
    Harm.FIRES_OUT: "the fire is out",
    Harm.EXTREME_BARRED: "its controls allow no extreme maneuver any more",
    Harm.CAMERA_WRECKED: "its camera or bomb bay is wrecked",
    Harm.GEAR_WRECKED: "its landing gear is wrecked",
    Harm.TOP_SPEED_BARRED: "it does not reach its highest speed any more",
    Harm.PILOT_WOUNDED: "its pilot is wounded",
    Harm.PILOT_SEVERE: "badly",
    Harm.PILOT_KILLED: "its pilot is killed",
    Harm.OBSERVER_WOUNDED: "its observer is wounded",
    Harm.OBSERVER_SEVERE: "badly",
    Harm.OBSERVER_KILLED: "its observer is killed",
    Harm.OBSERVER_FLIES: "its observer takes the controls",
    Harm.PILOT_FLIES: "its pilot takes the controls again",
    Harm.CONTROLS_FREE: "nobody is at its controls, and it spins",
    Harm.OBSERVER_REPLACED: "its third man takes the observer's place",
}


def in_words(effect: Effect) -> str:
    """An effect as a clause about the aircraft."""
    match effect.harm:
        case Harm.DAMAGE:
            return f"it takes {effect.amount} damage"
        case Harm.ENGINE_BOX:
            return f"{effect.amount} engine box{'es are' if effect.amount > 1 else ' is'} marked"
        case Harm.DIE_LOST:
            return f"its weapon {effect.which} loses a gun"
        case Harm.FIRES_OUT if effect.which:
            return f"a fire is out, of d{effect.which} a turn"
    return _WORDS[effect.harm]


def told(effects: Iterable[Effect]) -> str:
    """Some effects as one clause."""
    return ", ".join(in_words(effect) for effect in effects)


def lasting(condition: Condition, effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Those of some effects that change anything, each after the ones before it."""
    kept: list[Effect] = []
    for effect in effects:
        after = with_effects(condition, (effect,))
        if after != condition:
            kept.append(effect)
        condition = after
    return tuple(kept)


def record(trace: Trace, effects: Iterable[Effect], rule_id: str = "") -> None:
    """Each effect as a finding, under its rule.

    Args:
        rule_id: Of all of them, where it is not that of a hit.
    """
    for effect in effects:
        rule = rule_id or HARM_RULES[effect.harm]
        trace.finding(rule, effect.harm.value, effect.amount, in_words(effect))


def harmed(aircraft: str, effects: Iterable[Effect], rule_id: str = "") -> tuple[Harmed, ...]:
    """An event for each effect, under its rule; see `record`."""
    return tuple(
        Harmed(
            rule_id or HARM_RULES[effect.harm], aircraft, effect.harm, effect.amount, effect.which
        )
        for effect in effects
    )


def is_downed(
    before: Aircraft, hurt: Aircraft, data_book: DataBook, book: RedstarsBook, trace: Trace
) -> bool:
    """Whether what has just happened shot an aircraft down (RED-8.1), or made it DAMAGED.

    Both are findings, and the settings that draw the line are named where they did.
    """
    then, now = condition_of(before), condition_of(hurt)
    if now.damage == then.damage:
        return False
    why = f"{hurt.id}: {now.damage} of {data_book.damage_points} points"
    if now.damage == data_book.damage_points:
        trace.setting("RED-8.1", "shot_down", book.settings.shot_down)
    if is_shot_down(now, data_book, book):
        trace.finding("RED-8.1", "shot_down", value=True, why=why)
        return True
    if 2 * now.damage == data_book.damage_points:
        trace.setting("RED-8.2", "half_damage", book.settings.half_damage)
    if is_damaged(now, data_book, book) and not is_damaged(then, data_book, book):
        trace.finding("RED-8.2", "damaged", value=True, why=why)
    return False
