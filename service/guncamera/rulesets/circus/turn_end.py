"""The end of a turn for all aircraft, in the order of rule CIR-10.13.

Fires burn; then kinetic energy changes; then, in simultaneous turns, drums are changed (in
alternate turns that is done after each fire phase). Last come the oil leaks, which are the
beginning of the next turn. Each step is taken for all aircraft, in their order, before the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aboard import burn, burning, leak
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Condition, Load
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.destruction import judge
from guncamera.rulesets.circus.energy import most_energy
from guncamera.rulesets.circus.events import (
    Change,
    GunChanged,
    KineticEnergyChanged,
)
from guncamera.rulesets.circus.facts import Ending, TurnEnd
from guncamera.rulesets.circus.harms import harmed, in_words, unnerved
from guncamera.rulesets.circus.outcomes import (
    DamageOutcome,
    Effect,
    EndedAircraft,
    Harm,
    TurnEnded,
)
from guncamera.rulesets.circus.stress import left


@dataclass(slots=True)
class _Ending:
    """One aircraft on its way through the end of a turn."""

    facts: Ending
    aeroplane: Aeroplane
    loads: tuple[Load, ...]
    condition: Condition
    ke: int
    effects: tuple[Effect, ...] = ()
    resolution_loss: int = 0
    reloaded: tuple[int, ...] = ()
    destroyed: bool = False
    events: list[Change] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.facts.aircraft.id


def rule_on_turn_end(
    facts: TurnEnd, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on the end of a turn.

    Raises:
        Malformed: CIR-1.2, CIR-1.4: a type or loads that cannot be; CIR-10.13, an aircraft that
            is there twice.

    Source: register section 9, Turn order.
    """
    trace = Trace.of(dice)
    aircraft = [_begin(facts, at, own, book) for at in range(len(facts.aircraft))]
    for one in aircraft:
        if one.condition.fire_points:
            _burn(one, book, trace, dice)
    flying = [one for one in aircraft if not one.destroyed]
    for one in flying:
        _bleed(one, book, trace)
    if facts.simultaneous:
        for one in flying:
            _reload(one, trace)
    for one in flying:
        if one.condition.oil_leak_turns is not None and not one.condition.engine_seized:
            _leak(one, book, trace, dice)
    outcome = TurnEnded(tuple(_ended(one) for one in aircraft))
    events = tuple(event for one in aircraft for event in one.events)
    return Ruling(DamageOutcome(outcome), tuple(trace.lines), events, _summary(aircraft))


def _begin(facts: TurnEnd, at: int, own: Sequence[Aeroplane], book: CircusBook) -> _Ending:
    ending = facts.aircraft[at]
    aircraft = ending.aircraft
    path = f"turn_end.aircraft[{at}].aircraft"
    if any(other.aircraft.id == aircraft.id for other in facts.aircraft[:at]):
        raise Malformed(
            f"{aircraft.id} is there twice; name each aircraft once.",
            rule_id="CIR-10.13",
            field=f"{path}.id",
            aircraft=aircraft.id,
        )
    aeroplane = aeroplane_of(aircraft.aeroplane, own, book, f"{path}.aeroplane")
    loads = guns.loads_of(aeroplane, aircraft.loads, f"{path}.loads")
    return _Ending(ending, aeroplane, loads, aircraft.condition or UNHURT, aircraft.ke)


# ---- The steps


def _burn(one: _Ending, book: CircusBook, trace: Trace, dice: Dice) -> None:
    """A fire on board burns, or is put out (CIR-10.8, CIR-10.9); a new one by setting later."""
    trace.finding("CIR-10.8", "aircraft", one.id)
    points = burning(one.condition, one.facts.lit_points, book, trace)
    if not points:
        trace.finding("CIR-10.8", "fire_points", 0, "it does damage from the next turn on")
        return
    burnt = burn(points, one.facts.dive, book, trace, dice)
    one.effects = burnt.effects
    one.resolution_loss = burnt.resolution_loss
    end = judge(one.aeroplane, one.condition, burnt.effects, book, trace)
    one.condition = with_effects(one.condition, burnt.effects)
    one.events += harmed(one.id, burnt.effects, damage="CIR-10.8")
    one.events += unnerved(
        "CIR-10.8",
        one.id,
        one.facts.aircraft.resolution,
        burnt.resolution_loss,
        killed=one.condition.pilot_killed,
    )
    one.destroyed = end is not None
    one.events += left(one.id, end)


def _bleed(one: _Ending, book: CircusBook, trace: Trace) -> None:
    """Kinetic energy, between nothing and the type's allowance (CIR-4.6, CIR-10.13)."""
    before, change = one.ke, one.facts.ke_change
    if not change:
        return
    trace.finding("CIR-10.13", "aircraft", one.id)
    trace.modifier("CIR-10.13", "ke_change", change)
    total = trace.sum("CIR-10.13", "ke", before, before + change)
    speed = one.facts.aircraft.speed_mp
    if total > max(one.aeroplane.over_speed_mp - max(one.aeroplane.top_mp, speed), 0):
        trace.setting("CIR-4.6", "energy_limit", book.settings.energy_limit)
    allowance = most_energy(one.aeroplane, speed, book)
    one.ke = trace.clamp("CIR-10.13", "ke", total, 0, allowance)
    if one.ke != before:
        one.events.append(KineticEnergyChanged("CIR-10.13", one.id, one.ke))


def _reload(one: _Ending, trace: Trace) -> None:
    """The fire phase of the turn is over for the guns (CIR-9.6, CIR-9.8)."""
    after = guns.reloaded(one.aeroplane, one.loads)
    for at, (old, new) in enumerate(zip(one.loads, after)):
        if old == new:
            continue
        one.events.append(GunChanged(_reload_rule(old), one.id, at, new))
        if not guns.is_ready(old) and guns.is_ready(new) and not old.fired_this_phase:
            one.reloaded = (*one.reloaded, at)
            trace.finding(_reload_rule(old), "reloaded", f"{one.id}, weapon {at}")
    one.loads = after


def _reload_rule(before: Load) -> str:
    return "CIR-9.8" if before.points else "CIR-9.6"


def _leak(one: _Ending, book: CircusBook, trace: Trace, dice: Dice) -> None:
    """An oil leak's next test (CIR-10.7), by setting none yet of a new one (CIR-10.13)."""
    trace.finding("CIR-10.7", "aircraft", one.id)
    if one.facts.leaks_anew:
        trace.setting("CIR-10.13", "leak_tested", book.settings.leak_tested)
        if book.settings.leak_tested == "turn-ends":
            return
    effects = leak(one.condition, book, trace, dice)
    one.effects += effects
    one.condition = with_effects(one.condition, effects)
    one.events += harmed(one.id, effects)


# ---- What came of it


def _ended(one: _Ending) -> EndedAircraft:
    return EndedAircraft(
        one.id,
        one.ke,
        one.effects,
        one.resolution_loss,
        one.reloaded,
        one.destroyed,
    )


def _summary(aircraft: Sequence[_Ending]) -> str:
    """One sentence on what is worth telling."""
    told = [text for one in aircraft for text in _news(one)]
    return f"The turn ends: {'; '.join(told)}." if told else "The turn ends quietly."


def _news(one: _Ending) -> list[str]:
    news = [
        f"{one.id}: {in_words(effect)}"
        for effect in one.effects
        if effect.harm != Harm.OIL_LEAK_TESTED
    ]
    return [*news, f"{one.id} is destroyed"] if one.destroyed else news
