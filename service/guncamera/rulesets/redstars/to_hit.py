"""The number a shot needs on its die: every modifier a line of the trace. RED-6.2, 6.4 to 6.12."""

from __future__ import annotations

from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import DataBook, Mounting
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import (
    condition_of,
    gunner_rating,
    is_burning,
    is_smoking,
    oil_price,
)
from guncamera.rulesets.redstars.facts import Firing
from guncamera.rulesets.redstars.geometry import MILS, TOLERANCE_MILS
from guncamera.rulesets.redstars.tests import rating_bonus

Needed = tuple[tuple[int, int], ...]
"""Weapons in range, each with the plain number it needs on the d10."""


def numbers_needed(
    facts: Firing,
    in_range: tuple[int, ...],
    shooter: DataBook,
    book: RedstarsBook,
    trace: Trace,
) -> Needed:
    """For each weapon in range the plain number it needs (RED-6.4, RED-6.9)."""
    needed = figure(book, "to_hit")
    shared = _modifiers(facts, shooter, book, trace)
    total = trace.sum("RED-6.4", "modifiers", 0, shared)
    over = _over_half(facts, in_range, shooter, book, trace)
    found = []
    for at in in_range:
        modifier = total
        if at in over:
            price = _amount("over half range", book)
            modifier += trace.modifier("RED-6.9", f"weapon_{at}_over_half_range", price)
            trace.sum("RED-6.9", f"weapon_{at}_modifiers", total, modifier)
        trace.finding("RED-6.4", f"weapon_{at}_needs", needed - modifier)
        found.append((at, needed - modifier))
    return tuple(found)


def reach_mils(at: int, shooter: DataBook, book: RedstarsBook) -> int:
    """The range of a weapon (RED-6.2)."""
    return book.tables["weapons"].number(shooter.weapons[at].kind.value, "range") * MILS


def _over_half(
    facts: Firing,
    in_range: tuple[int, ...],
    shooter: DataBook,
    book: RedstarsBook,
    trace: Trace,
) -> tuple[int, ...]:
    """The weapons that fire beyond half of their range (RED-6.9)."""
    over = tuple(
        at
        for at in in_range
        if 2 * facts.aim.range_mils > reach_mils(at, shooter, book) + 2 * TOLERANCE_MILS
    )
    if not over or len(over) == len(in_range):
        return over
    trace.setting("RED-6.9", "mixed_weapons", book.settings.mixed_weapons)
    return in_range if book.settings.mixed_weapons == "worst" else over


def _modifiers(facts: Firing, shooter: DataBook, book: RedstarsBook, trace: Trace) -> int:
    """What all weapons of the shot add to the die (RED-6.4 to RED-6.8, RED-6.10, RED-6.12)."""
    added = _rating(facts, shooter, book, trace)
    if facts.tailing and _tails_still(facts, book, trace):
        added += _tailing(book, trace)
    added += _from_where(facts, book, trace)
    if _is_flexible(facts, shooter):
        added += _listed("flexible mount", "RED-6.6", book, trace)
    added += _after_extreme(facts, book, trace)
    if facts.aim.crossing:
        trace.setting("RED-6.8", "crossing", book.settings.crossing)
        if book.settings.crossing == "beam":
            trace.setting("RED-6.8", "beam_degrees", book.settings.beam_degrees)
        added += _listed("crossing", "RED-6.8", book, trace)
    return added + _from_state(facts, book, trace)


def _is_flexible(facts: Firing, shooter: DataBook) -> bool:
    return shooter.weapons[facts.weapons[0]].mounting == Mounting.FLEXIBLE_REAR


def _rating(facts: Firing, shooter: DataBook, book: RedstarsBook, trace: Trace) -> int:
    """The rating of the man who fires: whoever flies, or by setting a gunner (RED-6.4, RED-6.6)."""
    if not _is_flexible(facts, shooter):
        return rating_bonus(facts.shooter, trace, book, "RED-6.4")
    trace.setting("RED-6.6", "gunner_rating", book.settings.gunner_rating)
    if book.settings.gunner_rating == "pilot":
        return rating_bonus(facts.shooter, trace, book, "RED-6.4")
    if book.settings.gunner_rating == "none":
        return 0
    trace.setting("RED-7.8", "observer_rating", book.settings.observer_rating)
    rating = gunner_rating(facts.shooter, book)
    return trace.modifier("RED-6.6", "gunner_rating", rating) if rating else 0


def _amount(row: str, book: RedstarsBook) -> int:
    return book.tables["shooting"].number(row, "modifier")


def _listed(row: str, rule_id: str, book: RedstarsBook, trace: Trace) -> int:
    name = row.replace(" ", "_").replace(",", "")
    return trace.modifier(rule_id, name, _amount(row, book))


def _tails_still(facts: Firing, book: RedstarsBook, trace: Trace) -> bool:
    """Whether a tailer counts as one when he shoots: all turn, or by setting from behind alone."""
    if facts.aim.behind:
        return True
    trace.setting("RED-6.4", "tail_holds", book.settings.tail_holds)
    return book.settings.tail_holds == "turn"


def _tailing(book: RedstarsBook, trace: Trace) -> int:
    trace.setting("RED-6.4", "tailing_bonus", book.settings.tailing_bonus)
    added = _listed("tailing", "RED-6.4", book, trace)
    if book.settings.tailing_bonus == "twice":
        added += trace.modifier("RED-6.4", "tailing_rating", figure(book, "tailing_rating"))
    return added


def _from_where(facts: Firing, book: RedstarsBook, trace: Trace) -> int:
    """From behind, above or below, and the price of two bands (RED-6.5, RED-6.12)."""
    apart = abs(facts.aim.altitude_difference)
    added = 0
    if facts.aim.behind or (apart and _is_vertical(apart, book, trace)):
        added += _listed("behind, above or below", "RED-6.5", book, trace)
    if apart > figure(book, "level_reach"):
        added += _listed("more than one band", "RED-6.12", book, trace)
    return added


def _is_vertical(apart: int, book: RedstarsBook, trace: Trace) -> bool:
    """Whether another altitude alone earns the bonus."""
    settings = book.settings
    if apart > figure(book, "level_reach") and settings.behind_bonus == "any":
        trace.setting("RED-6.5", "vertical_bonus", settings.vertical_bonus)
        if not settings.vertical_bonus:
            return False
    trace.setting("RED-6.5", "behind_bonus", settings.behind_bonus)
    return settings.behind_bonus == "any"


def _after_extreme(facts: Firing, book: RedstarsBook, trace: Trace) -> int:
    """The shooter's extreme maneuver, or by setting either's, once (RED-6.7)."""
    counts = facts.extreme
    if facts.target_extreme and not facts.extreme:
        trace.setting("RED-6.7", "extreme_penalty", book.settings.extreme_penalty)
        counts = book.settings.extreme_penalty == "either"
    return _listed("extreme maneuver", "RED-6.7", book, trace) if counts else 0


def _from_state(facts: Firing, book: RedstarsBook, trace: Trace) -> int:
    """What the state of the shooter's own aircraft costs (RED-6.7, RED-6.10)."""
    condition, settings = condition_of(facts.shooter), book.settings
    added = 0
    if condition.engine_shot and not is_burning(condition):
        trace.setting("RED-6.7", "smoke", settings.smoke)
    if is_smoking(condition, book):
        added += _listed("smoking or burning", "RED-6.7", book, trace)
    if condition.oil_leak:
        trace.setting("RED-6.10", "oil_leak", settings.oil_leak)
        if condition.further_oil_leaks:
            trace.setting("RED-6.10", "oil_leak_again", settings.oil_leak_again)
        if settings.oil_leak != "per-die":
            added += trace.modifier("RED-6.10", "oil_leak", oil_price(condition, book))
    return added
