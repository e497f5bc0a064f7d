"""What is worked out about damage: tests, hits, fires, leaks, jams, the turn's end, a campaign.

Chapters 6 and 9 to 11 of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus import guns, jams
from guncamera.rulesets.circus.aboard import burn, leak
from guncamera.rulesets.circus.aeroplanes import check_own
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.campaign import rule_on_reckoning
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.critical import strike
from guncamera.rulesets.circus.destruction import judge
from guncamera.rulesets.circus.facts import (
    CriticalHit,
    CriticalTest,
    DamageFacts,
    FireAboard,
    JamClearing,
    OilLeak,
    OverSpeedTest,
    Reckoning,
    StressTest,
    Target,
    TurnEnd,
)
from guncamera.rulesets.circus.harms import PARTS, harmed, told, unnerved
from guncamera.rulesets.circus.outcomes import (
    Cleared,
    Critical,
    DamageOutcome,
    Worked,
)
from guncamera.rulesets.circus.over_speed import rule_on_over_speed
from guncamera.rulesets.circus.shot import Scored, roll_part
from guncamera.rulesets.circus.stress import left, rule_on_stress_test
from guncamera.rulesets.circus.turn_end import rule_on_turn_end


def rule_on_damage(facts: DamageFacts, book: CircusBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on damage of any kind; see the rule of each for what it refuses."""
    own = facts.own_aeroplanes
    if own:
        check_own(own, book, "own_aeroplanes")
    match facts.procedure:
        case CriticalTest() as test:
            return rule_on_critical_test(test, own, book, dice)
        case CriticalHit() as hit:
            return rule_on_critical_hit(hit, own, book, dice)
        case StressTest() as stress:
            return rule_on_stress_test(stress, own, book, dice)
        case OverSpeedTest() as over_speed:
            return rule_on_over_speed(over_speed, own, book, dice)
        case FireAboard() as fire:
            return rule_on_fire_aboard(fire, own, book, dice)
        case OilLeak() as leaking:
            return rule_on_oil_leak(leaking, book, dice)
        case JamClearing() as jam:
            return rule_on_jam_clearing(jam, own, book, dice)
        case TurnEnd() as end:
            return rule_on_turn_end(end, own, book, dice)
        case Reckoning() as reckoning:
            return rule_on_reckoning(reckoning, book)


# ---- Critical hits


def rule_on_critical_test(
    facts: CriticalTest, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on the second die of a shot that scored, and on the hit it may make critical.

    Raises:
        Malformed: CIR-1.2, the type.

    Source: seed 002, combat damage and critical hit chart; register 5.4.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.target.aeroplane, own, book, "critical_test.target.aeroplane")
    trace.finding("CIR-10.1", "hits", facts.hits)
    part = roll_part(Scored(facts.hits, facts.first_die), trace, dice, book)
    critical = None
    if part is not None:
        critical = strike(part, facts.target, aeroplane, book, trace, dice)
    return _struck(facts.target, aeroplane, critical, book, trace)


def rule_on_critical_hit(
    facts: CriticalHit, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a critical hit whose part is known.

    Raises:
        Malformed: CIR-1.2, the type.

    Source: seed 002, critical hit chart; register 5.5 to 5.9.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.target.aeroplane, own, book, "critical_hit.target.aeroplane")
    critical = strike(facts.part, facts.target, aeroplane, book, trace, dice)
    return _struck(facts.target, aeroplane, critical, book, trace)


def _struck(
    target: Target, aeroplane: Aeroplane, critical: Critical | None, book: CircusBook, trace: Trace
) -> Ruling[DamageOutcome]:
    """The ruling on a critical hit, or on none."""
    if critical is None:
        outcome = DamageOutcome(Worked(target.id))
        summary = f"No critical hit on {target.id}."
        return Ruling(outcome, tuple(trace.lines), (), summary)
    effects, loss = critical.effects, critical.resolution_loss
    condition = target.condition or UNHURT
    end = judge(aeroplane, condition, effects, book, trace)
    killed = with_effects(condition, effects).pilot_killed
    events = [*harmed(target.id, effects)]
    events += unnerved("CIR-10.4", target.id, target.resolution, loss, killed=killed)
    events += left(target.id, end)
    worked = Worked(target.id, effects, loss, critical, destroyed=end is not None)
    words = told(effects) if effects else "nothing more"
    summary = f"A critical hit on the {PARTS[critical.part]} of {target.id}: {words}."
    return Ruling(DamageOutcome(worked), tuple(trace.lines), tuple(events), summary)


# ---- Turn by turn


def rule_on_fire_aboard(
    facts: FireAboard, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a turn of fire on board.

    Raises:
        Malformed: CIR-1.2, the type.
        Illegal: CIR-10.8, there is no fire.

    Source: seed 002, engine hit and extinguishing fire; register 5.6.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "fire_aboard.aeroplane")
    if not facts.condition.fire_points:
        raise Illegal(
            "CIR-10.8",
            f"{facts.aircraft} is not on fire; there is nothing to work out.",
            field="fire_aboard.condition.fire_points",
            fire_points=0,
        )
    burnt = burn(facts.condition.fire_points, facts.dive, book, trace, dice)
    effects, loss = burnt.effects, burnt.resolution_loss
    end = judge(aeroplane, facts.condition, effects, book, trace)
    killed = facts.condition.pilot_killed
    events = [*harmed(facts.aircraft, effects, damage="CIR-10.8")]
    events += unnerved("CIR-10.8", facts.aircraft, facts.resolution, loss, killed=killed)
    events += left(facts.aircraft, end)
    worked = Worked(facts.aircraft, effects, loss, destroyed=end is not None)
    words = told(effects)
    lost = ", and it is destroyed" if end else ""
    summary = f"Fire on board {facts.aircraft}: {words}{lost}."
    return Ruling(DamageOutcome(worked), tuple(trace.lines), tuple(events), summary)


def rule_on_oil_leak(facts: OilLeak, book: CircusBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on a turn of an oil leak.

    Raises:
        Illegal: CIR-10.7, there is no leak.

    Source: seed 002, engine hit; register A-16.
    """
    trace = Trace.of(dice)
    condition = facts.condition
    if condition.oil_leak_turns is None or condition.engine_seized:
        raise Illegal(
            "CIR-10.7",
            f"The engine of {facts.aircraft} does not leak oil; there is nothing to roll for.",
            field="oil_leak.condition.oil_leak_turns",
            engine_seized=condition.engine_seized,
        )
    effects = leak(condition, book, trace, dice)
    worked = Worked(facts.aircraft, effects)
    summary = f"{facts.aircraft}: {told(effects)}."
    events = harmed(facts.aircraft, effects)
    return Ruling(DamageOutcome(worked), tuple(trace.lines), events, summary)


def rule_on_jam_clearing(
    facts: JamClearing, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a jammed gun after a turn flown straight and level.

    Raises:
        Malformed: CIR-1.2, CIR-1.4: type, weapon or loads that cannot be.
        Illegal: CIR-9.16, the gun is not jammed.

    Source: seed 002, long bursts; register 4.5.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "jam_clearing.aeroplane")
    loads = guns.loads_of(aeroplane, facts.loads, "jam_clearing.loads")
    guns.check_weapon(aeroplane, facts.weapon, "jam_clearing.weapon")
    if not loads[facts.weapon].jammed:
        raise Illegal(
            "CIR-9.16",
            f"Weapon {facts.weapon} of {facts.aircraft} is not jammed; there is nothing to clear.",
            field="jam_clearing.weapon",
            weapon=facts.weapon,
        )
    group = next(
        group for group in jams.groups(aeroplane, loads, trace, book) if facts.weapon in group
    )
    cleared = jams.clears(trace, dice, book)
    weapons = group if cleared else ()
    others = tuple(at for at in weapons if at != facts.weapon)
    gain = jams.regained(aeroplane, loads, jams.cleared(loads, weapons), book)
    if gain:
        trace.setting("CIR-9.15", "jam_penalty", book.settings.jam_penalty)
        trace.finding("CIR-9.15", "resolution_gain", gain)
    events = jams.cleared_events(facts.aircraft, aeroplane, loads, weapons, book)
    outcome = DamageOutcome(Cleared(facts.aircraft, facts.weapon, cleared, gain, others))
    state = "is cleared" if cleared else "stays jammed"
    with_it = "".join(f", and with it weapon {at}" for at in others)
    summary = f"Weapon {facts.weapon} of {facts.aircraft} {state}{with_it}."
    return Ruling(outcome, tuple(trace.lines), events, summary)
