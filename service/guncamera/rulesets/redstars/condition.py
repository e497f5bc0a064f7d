"""What has happened to an aircraft and its crew, and what is left of them. Chapters 7 and 8."""

from __future__ import annotations

from collections.abc import Iterable

from guncamera.rules.straight_line import changed
from guncamera.rulesets.redstars.aircraft import UNHURT, Aircraft, Condition, DataBook, PilotTrait
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.outcomes import Effect, Harm

_FLAGS = {
    Harm.ENGINE_SHOT: "engine_shot",
    Harm.ACCELERATE_BARRED: "accelerate_barred",
    Harm.OIL_LEAK: "oil_leak",
    Harm.EXTREME_BARRED: "extreme_barred",
    Harm.CAMERA_WRECKED: "camera_wrecked",
    Harm.GEAR_WRECKED: "gear_wrecked",
    Harm.TOP_SPEED_BARRED: "top_speed_barred",
    Harm.PILOT_KILLED: "pilot_killed",
    Harm.OBSERVER_KILLED: "observer_killed",
    Harm.OBSERVER_FLIES: "observer_flies",
}
_COUNTS = {
    Harm.DAMAGE: "damage",
    Harm.FIRE_D6: "fires_d6",
    Harm.FIRE_D8: "fires_d8",
    Harm.PILOT_WOUNDED: "pilot_wounds",
    Harm.PILOT_SEVERE: "pilot_severe",
    Harm.OBSERVER_WOUNDED: "observer_wounds",
    Harm.OBSERVER_SEVERE: "observer_severe",
}


def with_effects(condition: Condition | None, effects: Iterable[Effect]) -> Condition:
    """The condition after some effects, in order."""
    after = condition or UNHURT
    for effect in effects:
        after = _with_effect(after, effect)
    return after


def _with_effect(condition: Condition, effect: Effect) -> Condition:
    if effect.harm == Harm.PILOT_SEVERE and condition.pilot_wounds <= 1:
        # A tough man shrugs off a first wound, however severe (RED-7.7).
        condition = changed(condition, pilot_tough_spared=True)
    if effect.harm in _FLAGS:
        return changed(condition, **{_FLAGS[effect.harm]: True})
    if effect.harm in _COUNTS:
        name = _COUNTS[effect.harm]
        return changed(condition, **{name: getattr(condition, name) + effect.amount})
    if effect.harm == Harm.PILOT_FLIES:
        return changed(condition, observer_flies=False)
    if effect.harm == Harm.FIRES_OUT:
        return changed(condition, fires_d6=0, fires_d8=0)
    if effect.harm == Harm.DIE_LOST:
        return changed(condition, lost_dice=(*condition.lost_dice, effect.which))
    if effect.harm == Harm.ENGINE_BOX:
        marks = list(condition.engine_marks)
        marks += [0] * (effect.which + 1 - len(marks))
        marks[effect.which] += effect.amount
        return changed(condition, engine_marks=tuple(marks))
    raise AssertionError(f"no condition for {effect}")


def condition_of(aircraft: Aircraft) -> Condition:
    """An aircraft's condition."""
    return aircraft.condition or UNHURT


def marks_of(condition: Condition, data_book: DataBook) -> tuple[int, ...]:
    """Boxes marked on each engine."""
    marks = condition.engine_marks
    return marks + (0,) * (len(data_book.engines) - len(marks))


def engines_gone(condition: Condition, data_book: DataBook) -> bool:
    """Whether every engine box is marked."""
    return all(m >= boxes for m, boxes in zip(marks_of(condition, data_book), data_book.engines))


def is_gliding(aircraft: Aircraft, data_book: DataBook) -> bool:
    """Whether an aircraft has no engine left: it glides, unless it spins (RED-4.11)."""
    return engines_gone(condition_of(aircraft), data_book)


def next_engine(condition: Condition, data_book: DataBook) -> int | None:
    """The engine whose box is marked next: the one with fewer marks; None when all are gone."""
    marks = marks_of(condition, data_book)
    left = [at for at, boxes in enumerate(data_book.engines) if marks[at] < boxes]
    return min(left, key=lambda at: marks[at]) if left else None


def is_damaged(condition: Condition, data_book: DataBook, book: RedstarsBook) -> bool:
    """Whether it is DAMAGED (RED-8.2)."""
    twice = 2 * condition.damage
    if book.settings.half_damage == "at-half":
        return twice >= data_book.damage_points
    return twice > data_book.damage_points


def is_shot_down(condition: Condition, data_book: DataBook, book: RedstarsBook) -> bool:
    """Whether its damage is more than it bears (RED-8.1)."""
    if book.settings.shot_down == "at-points":
        return condition.damage >= data_book.damage_points
    return condition.damage > data_book.damage_points


def is_burning(condition: Condition) -> bool:
    """Whether it is on fire."""
    return condition.fires_d6 > 0 or condition.fires_d8 > 0


def is_smoking(condition: Condition, book: RedstarsBook) -> bool:
    """Whether it smokes or burns, for the one who shoots from it (RED-6.7)."""
    shot = condition.engine_shot and book.settings.smoke == "fire-or-shot-engine"
    return is_burning(condition) or shot


def current_rating(aircraft: Aircraft, book: RedstarsBook) -> int:
    """The rating of whoever flies, after wounds (RED-7.7)."""
    condition, pilot = condition_of(aircraft), aircraft.pilot
    price = figure(book, "severe_wound")
    if condition.observer_flies:
        wounds, severe = condition.observer_wounds, condition.observer_severe
        return book.settings.observer_rating + _wounded(wounds, book) + severe * price
    wounds, severe = condition.pilot_wounds, condition.pilot_severe
    if PilotTrait.TOUGH not in pilot.traits:
        return pilot.rating + _wounded(wounds, book) + severe * price
    if wounds <= 1:
        return pilot.rating  # the first wound, a severe one too, costs a tough man nothing
    cost = _wounded(wounds, book)
    if book.settings.second_wound == "four":
        cost -= _wounded(1, book)  # what the first one cost is in it, and he does not pay that
    return pilot.rating + cost + (severe - condition.pilot_tough_spared) * price


def _wounded(wounds: int, book: RedstarsBook) -> int:
    """What wounds do to a rating; a man with three is dead."""
    most = figure(book, "deadly_wound") - 1
    return book.tables["wounds"].number(str(min(wounds, most)), book.settings.second_wound)


def has_observer(aircraft: Aircraft, data_book: DataBook) -> bool:
    """Whether a second man is there to be hit or to take over."""
    condition = condition_of(aircraft)
    return data_book.observer and not (condition.observer_killed or condition.observer_flies)
