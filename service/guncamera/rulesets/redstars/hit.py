"""What a hit does to its target: damage, special hits, fire, and the crew. Chapters 6 to 8.

Damage comes first; an aircraft that it shoots down suffers nothing else.
"""

from __future__ import annotations

from functools import partial

from guncamera.rules.dice import Dice
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import AircraftTrait, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Firing
from guncamera.rulesets.redstars.harms import is_downed
from guncamera.rulesets.redstars.outcomes import Effect, End, Fired, Harm
from guncamera.rulesets.redstars.pools import Damage, is_sniper
from guncamera.rulesets.redstars.risk import risk_to_crew
from guncamera.rulesets.redstars.specials import after, special_hit


def worked_out(
    damage: Damage,
    weapons: tuple[int, ...],
    facts: Firing,
    shooter: DataBook,
    target: DataBook,
    book: RedstarsBook,
    trace: Trace,
    dice: Dice,
) -> Fired:
    """Everything that the damage of one shot brings with it."""
    effects: tuple[Effect, ...] = ()
    hurt = facts.target
    if damage.points:
        effects = (Effect(Harm.DAMAGE, damage.points),)
        hurt = after(hurt, effects)
        if is_downed(facts.target, hurt, target, book, trace):
            return Fired(weapons, damage.points, damage.special, effects, end=End.SHOT_DOWN)
    for fire_only in _special_hits(damage, target, book, trace):
        more = trace.part(dice, partial(special_hit, hurt, target, book=book, fire_only=fire_only))
        before, hurt, effects = hurt, after(hurt, more), (*effects, *more)
        if is_downed(before, hurt, target, book, trace):
            return Fired(weapons, damage.points, damage.special, effects, end=End.SHOT_DOWN)
    if not _risks_crew(damage, book, trace):
        return Fired(weapons, damage.points, damage.special, effects)
    sniper = is_sniper(facts, shooter, book, trace)
    struck = trace.part(dice, partial(risk_to_crew, hurt, target, book=book, sniper=sniper))
    end = End.CREW_LOST if struck.crew_lost else None
    effects += struck.effects
    return Fired(weapons, damage.points, damage.special, effects, struck.result, end)


def _special_hits(
    damage: Damage, target: DataBook, book: RedstarsBook, trace: Trace
) -> tuple[bool, ...]:
    """The rolls on the special hits table, in order; true where only a fire counts (RED-7.3)."""
    full = (False,) if damage.special else ()
    if not damage.points or AircraftTrait.FLAMMABLE not in target.traits:
        return full
    if damage.special:
        trace.setting("RED-7.3", "flammable", book.settings.flammable)
        if book.settings.flammable == "one":
            return full
    return (*full, True)


def _risks_crew(damage: Damage, book: RedstarsBook, trace: Trace) -> bool:
    """Whether the hit puts the crew at risk (RED-7.5)."""
    trace.setting("RED-7.5", "risk_trigger", book.settings.risk_trigger)
    if book.settings.risk_trigger == "every-hit":
        return True
    return damage.special and book.settings.risk_trigger == "special"
