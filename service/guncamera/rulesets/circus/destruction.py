"""Whether harm is the end of an aircraft, told as players reckon it. Rule CIR-10.12."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Aeroplane, Condition
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.outcomes import Effect, End, Harm
from guncamera.rulesets.circus.stress import end_of


def borne(aeroplane: Aeroplane, book: CircusBook) -> int:
    """The points of damage that a type bears; one more destroys it."""
    limit, stall = aeroplane.damage_limit, aeroplane.stall_mp
    if book.settings.damage_limit == "plain":
        return min(limit - 1, aeroplane.top_mp - stall)
    return limit - stall


def judge(
    aeroplane: Aeroplane,
    condition: Condition,
    effects: Sequence[Effect],
    book: CircusBook,
    trace: Trace,
) -> End | None:
    """How some effects end an aircraft's flight; None if they do not.

    Args:
        condition: Before them.
    """
    end = end_of(aeroplane, condition, effects, book)
    if end != End.BROKEN_UP and any(effect.harm == Harm.DAMAGE for effect in effects):
        trace.setting("CIR-10.12", "damage_limit", book.settings.damage_limit)
        points = with_effects(condition, effects).damage_points
        why = f"it bears {borne(aeroplane, book)}"
        trace.finding("CIR-10.12", "damage_points", points, why)
    if end is not None:
        trace.finding("CIR-10.12", "destroyed", value=True)
    return end
