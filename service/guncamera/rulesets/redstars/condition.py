"""What has happened to an aircraft and its crew, and what is left of them. Chapters 7 and 8."""

from __future__ import annotations

from collections.abc import Iterable

from guncamera.rules.straight_line import changed
from guncamera.rulesets.redstars.aircraft import (
    UNHURT,
    Aircraft,
    Condition,
    DataBook,
    Flight,
    PilotTrait,
)
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
_AGAIN = {Harm.OIL_LEAK: "further_oil_leaks", Harm.TOP_SPEED_BARRED: "further_speeds_lost"}
_FRESH_OBSERVER = {
    "observer_wounds": 0,
    "observer_severe": 0,
    "observer_killed": False,
    "observer_flies": False,
    "third_man_serves": True,
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
    if effect.harm in _AGAIN and getattr(condition, _FLAGS[effect.harm]):
        name = _AGAIN[effect.harm]
        return changed(condition, **{name: getattr(condition, name) + effect.amount})
    if effect.harm in _FLAGS:
        more = {"nobody_flies": False} if effect.harm == Harm.OBSERVER_FLIES else {}
        return changed(condition, **{_FLAGS[effect.harm]: True}, **more)
    if effect.harm in _COUNTS:
        name = _COUNTS[effect.harm]
        return changed(condition, **{name: getattr(condition, name) + effect.amount})
    if effect.harm == Harm.PILOT_FLIES:
        return changed(condition, observer_flies=False, nobody_flies=False)
    if effect.harm == Harm.CONTROLS_FREE:
        return changed(condition, observer_flies=False, nobody_flies=True)
    if effect.harm == Harm.OBSERVER_REPLACED:
        return changed(condition, **_FRESH_OBSERVER)
    if effect.harm == Harm.FIRES_OUT and effect.which:
        name = f"fires_d{effect.which}"
        return changed(condition, **{name: getattr(condition, name) - 1})
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


def glides_on(book: RedstarsBook, *, glided: bool) -> Flight:
    """How an aircraft without an engine flies on that neither spins nor has stalled.

    Where a glide is tested only until it is held, that is a glide once it has been.

    Args:
        glided: It held its glide in this turn.
    """
    begun = glided or book.settings.glide_test == "each-turn"
    return Flight.GLIDING if begun else Flight.NORMAL


def next_engine(condition: Condition, data_book: DataBook, book: RedstarsBook) -> int | None:
    """The engine whose box is marked next; None when all are gone (RED-7.2)."""
    marks = marks_of(condition, data_book)
    left = [at for at, boxes in enumerate(data_book.engines) if marks[at] < boxes]
    if book.settings.engine_marked == "first":
        return left[0] if left else None
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
    """The rating of whoever flies, after wounds (RED-7.7); 0 while nobody does (RED-7.8)."""
    condition, pilot = condition_of(aircraft), aircraft.pilot
    if condition.nobody_flies:
        return 0
    if condition.observer_flies:
        return book.settings.observer_rating + _of_observer(condition, book)
    wounds, severe = condition.pilot_wounds, condition.pilot_severe
    counted = wounds_counted(wounds, severe, book)
    if PilotTrait.TOUGH not in pilot.traits:
        return pilot.rating + _wounded(counted, book) + severe * _severe_price(book)
    if counted <= 1:
        return pilot.rating  # the first wound, a severe one too, costs a tough man nothing
    cost = _wounded(counted, book)
    if book.settings.second_wound == "four":
        cost -= _wounded(1, book)  # what the first one cost is in it, and he does not pay that
    return pilot.rating + cost + (severe - condition.pilot_tough_spared) * _severe_price(book)


def pilot_flies(aircraft: Aircraft) -> bool:
    """Whether the pilot himself is at the controls."""
    condition = condition_of(aircraft)
    return not condition.observer_flies and not condition.nobody_flies


def gunner_rating(aircraft: Aircraft, book: RedstarsBook) -> int:
    """The rating of a gunner of his own: an observer's, after wounds (RED-6.6).

    Where the observer is dead or flies, another man of the crew serves the gun.
    """
    rating = book.settings.observer_rating
    if gunner_is_gone(aircraft):
        return rating
    return rating + _of_observer(condition_of(aircraft), book)


def gunner_is_gone(aircraft: Aircraft) -> bool:
    """Whether the observer is dead, or flies the aircraft."""
    condition = condition_of(aircraft)
    return condition.observer_killed or condition.observer_flies


def is_served(aircraft: Aircraft, book: RedstarsBook) -> bool:
    """Whether a man is there to fire a flexible mount (RED-6.6)."""
    return book.settings.gunner_lost == "served" or not gunner_is_gone(aircraft)


def wounds_counted(wounds: int, severe: int, book: RedstarsBook) -> int:
    """How many wounds a man's count as, of which some are severe (RED-7.7)."""
    return wounds + severe if book.settings.severe_wound == "two-wounds" else wounds


def _severe_price(book: RedstarsBook) -> int:
    """What a severe wound costs besides what a wound does (RED-7.7)."""
    return figure(book, "severe_wound") if book.settings.severe_wound == "further-one" else 0


def oil_price(condition: Condition, book: RedstarsBook) -> int:
    """What the oil on the windscreen costs a roll, or a die (RED-6.10)."""
    if not condition.oil_leak:
        return 0
    return figure(book, "oil_leak") * (1 + condition.further_oil_leaks)


def _of_observer(condition: Condition, book: RedstarsBook) -> int:
    """What the observer's wounds do to his rating."""
    wounds, severe = condition.observer_wounds, condition.observer_severe
    return _wounded(wounds_counted(wounds, severe, book), book) + severe * _severe_price(book)


def _wounded(wounds: int, book: RedstarsBook) -> int:
    """What wounds do to a rating; a man with three is dead."""
    most = figure(book, "deadly_wound") - 1
    return book.tables["wounds"].number(str(min(wounds, most)), book.settings.second_wound)


def has_observer(aircraft: Aircraft, data_book: DataBook) -> bool:
    """Whether a second man is there to be hit or to take over."""
    condition = condition_of(aircraft)
    return data_book.observer and not (condition.observer_killed or condition.observer_flies)
