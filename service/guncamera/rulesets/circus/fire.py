"""A shot, a drum that is changed early, and fire that is held. Chapter 9 of the rules.

The dice of a shot come in this order: the first die, after hits the second, the dice of the
critical hit, and after a long burst the die for a jam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aeroplanes import check_own
from guncamera.rulesets.circus.aim import range_of
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Feed, Load, Mount, Weapon
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.critical import strike
from guncamera.rulesets.circus.events import (
    Change,
    FireHeld,
    GunChanged,
    ResolutionChanged,
    ShotFired,
)
from guncamera.rulesets.circus.facts import DrumChange, FireFacts, Firing, Holding, Part, Target
from guncamera.rulesets.circus.guns import Loads
from guncamera.rulesets.circus.harms import PARTS, harmed, told, unnerved
from guncamera.rulesets.circus.jams import jam_loss, jams
from guncamera.rulesets.circus.outcomes import (
    Critical,
    DrumChanged,
    Effect,
    Fired,
    FireOutcome,
    Harm,
    Held,
)
from guncamera.rulesets.circus.shot import ShotReading, roll_hits, roll_part


@dataclass(frozen=True, slots=True)
class _Shot:
    """A shot that is allowed.

    Attributes:
        weapons: The weapons that fire, by their place in the type's list.
        loads: Before the shot.
        modifier: Of the first die.
    """

    firing: Firing
    shooter: Aeroplane
    target: Aeroplane
    weapons: tuple[int, ...]
    loads: Loads
    table: int
    range_hexes: int
    modifier: int


def rule_on_fire(facts: FireFacts, book: CircusBook, dice: Dice) -> Ruling[FireOutcome]:
    """Rules on fire of any kind; see the rule of each for what it refuses."""
    own = facts.own_aeroplanes
    if own:
        check_own(own, book, "own_aeroplanes")
    match facts.procedure:
        case Firing() as firing:
            return rule_on_shot(firing, own, book, dice)
        case DrumChange() as change:
            return rule_on_drum_change(change, own, book)
        case Holding() as holding:
            return rule_on_holding(holding)


# ---- The shot


def rule_on_shot(
    facts: Firing, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[FireOutcome]:
    """Rules on one shot of the guns of a mount.

    Raises:
        Malformed: CIR-1.2, CIR-1.4, CIR-8.4: types, loads or counts that cannot be.
        Illegal: CIR-3.8, the shooter has stalled; CIR-7.3, CIR-8.3 to CIR-8.5, CIR-9.2: the
            target may not be fired at from there; CIR-9.1, CIR-9.5 to CIR-9.8, CIR-9.14,
            CIR-9.15, CIR-9.17: the guns cannot fire so.

    Source: seed 002, combat damage and pilot resolution; register 2.1, 4 and 5.
    """
    trace = Trace.of(dice)
    shot = trace.part(dice, partial(_allowed, facts, own, book))
    hits, part = trace.part(dice, partial(_roll_shot, shot, book))
    critical = None
    if part is not None:
        critical = trace.part(dice, partial(strike, part, facts.target, shot.target, book))
    after, loss = trace.part(dice, partial(_guns_after, shot, book))
    outcome = _outcome(shot, hits, critical, after, loss, book, trace)
    return Ruling.told(
        FireOutcome(outcome),
        trace,
        lambda: (_events(facts, outcome, shot.weapons, after), _summary(facts, outcome)),
    )


def _allowed(
    facts: Firing, own: Sequence[Aeroplane], book: CircusBook, trace: Trace, _dice: Dice
) -> _Shot:
    """The shot, once everything that may forbid it has been looked at."""
    shooter = aeroplane_of(facts.aeroplane, own, book, "firing.aeroplane")
    target = aeroplane_of(facts.target.aeroplane, own, book, "firing.target.aeroplane")
    loads = guns.loads_of(shooter, facts.loads, "firing.loads")
    _check_stalled(facts, book, trace)
    range_hexes = range_of(facts, book, trace)
    silent = guns.why_silent(
        shooter, loads, facts.mount, facts.condition, book, long_burst=facts.long_burst
    )
    if silent is not None:
        raise silent
    if book.settings.gun_rest != "none":
        trace.setting("CIR-9.8", "gun_rest", book.settings.gun_rest)
    guns.name_falling(trace, facts.mount, facts.condition, book)
    weapons = guns.ready_on(shooter, loads, facts.mount)
    table = _combat_table(shooter, loads, facts.mount, weapons, trace)
    modifier = _modifiers(facts, book, trace)
    return _Shot(facts, shooter, target, weapons, loads, table, range_hexes, modifier)


def _check_stalled(facts: Firing, book: CircusBook, trace: Trace) -> None:
    """Whether an aircraft that stalled may fire (CIR-3.8)."""
    if not facts.stalled:
        return
    trace.setting("CIR-3.8", "stall_fire", book.settings.stall_fire)
    if book.settings.stall_fire == "barred":
        raise Illegal(
            "CIR-3.8",
            f"{facts.shooter} has stalled in this turn and may not fire. Wait until it flies "
            "again.",
            field="firing.stalled",
            shooter=facts.shooter,
        )


def _combat_table(
    shooter: Aeroplane, loads: Loads, mount: Mount, weapons: tuple[int, ...], trace: Trace
) -> int:
    """The combat table of the guns that fire (CIR-9.3, CIR-9.4)."""
    mounted = guns.weapons_on(shooter, mount)
    for at in mounted:
        if at not in weapons:
            trace.finding("CIR-9.1", f"weapon_{at}", "silent", _why_not(loads[at]))
    firing = [shooter.weapons[at] for at in weapons]
    table = guns.combat_table(firing)
    feeds = {shooter.weapons[at].feed == Feed.DRUM for at in mounted}
    why = " and ".join(_gun(weapon) for weapon in firing)
    trace.finding("CIR-9.4" if len(feeds) > 1 else "CIR-9.3", "combat_table", table, why)
    return table


def _gun(weapon: Weapon) -> str:
    return f"{'two barrels' if weapon.barrels > 1 else 'one barrel'}, {weapon.feed}"


def _why_not(load: Load) -> str:
    if load.jammed:
        return "jammed"
    if load.fired_this_phase:
        return "it has fired in this phase"
    if load.reload_phases:
        return "at rest" if load.points else "being changed"
    return "empty"


def _modifiers(facts: Firing, book: CircusBook, trace: Trace) -> int:
    """What is added to the first die, each recorded."""
    added = 0
    table = book.tables["die-modifiers"]
    if facts.mount in guns.GUNNERS:
        added += _gunner(facts, book, trace)
    if facts.target.hanging:
        amount = table.number("target hanging", "modifier")
        added += trace.modifier("CIR-9.12", "target_hanging", amount)
    if facts.long_burst:
        amount = table.number("long burst", "modifier")
        added += trace.modifier("CIR-9.14", "long_burst", amount)
    return added


def _gunner(facts: Firing, book: CircusBook, trace: Trace) -> int:
    """What a gunner adds to the die: for his place, the target's, and a wound (CIR-9.10)."""
    below = facts.aim.height_difference_feet < 0
    reading = book.settings.gunner_below
    amount = book.tables["gunner"].number("below" if below else "level", reading)
    why = "the target is below" if below else "the target is not below"
    if below:
        trace.setting("CIR-9.10", "gunner_below", reading)
    added = trace.modifier("CIR-9.10", "gunner", amount, why)
    wounds = (facts.condition or UNHURT).gunner_wounds
    if not wounds:
        return added
    each = book.tables["die-modifiers"].number("gunner wounded", "modifier")
    if wounds > 1:
        trace.setting("CIR-9.11", "second_wound_die", book.settings.second_wound_die)
        each *= wounds if book.settings.second_wound_die == "further" else 1
    return added + trace.modifier("CIR-9.11", "gunner_wounded", each, f"wounds: {wounds}")


def _roll_shot(shot: _Shot, book: CircusBook, trace: Trace, dice: Dice) -> tuple[int, Part | None]:
    """The hits, and what a critical hit strikes; None without one."""
    read = ShotReading(
        book.tables[f"crt-{shot.table}"],
        str(shot.range_hexes),
        shot.modifier,
        misses_below=book.settings.die_limits == "natural-floor",
        modified_sum=book.settings.critical_sum == "modified",
    )
    scored = roll_hits(read, "CIR-9.9", trace, dice, book)
    trace.finding("CIR-9.9", "hits", scored.hits)
    if not scored.hits:
        return 0, None
    part = roll_part(scored, trace, dice, book)
    other_sum = read.modified_sum or read.row(scored.die) != scored.die
    if part is not None and shot.modifier and other_sum:
        trace.setting("CIR-10.2", "critical_sum", book.settings.critical_sum)
    return scored.hits, part


def _guns_after(shot: _Shot, book: CircusBook, trace: Trace, dice: Dice) -> tuple[Loads, int]:
    """The loads after the shot, and the resolution that a jam costs the shooter."""
    facts, loads = shot.firing, shot.loads
    after = guns.fired(
        loads,
        shot.weapons,
        book,
        long_burst=facts.long_burst,
        simultaneous=facts.simultaneous,
    )
    for at in shot.weapons:
        _record_load(at, loads[at], after[at], facts, book, trace)
    if not facts.long_burst or not jams(trace, dice, book):
        return after, 0
    loss = jam_loss(shot.shooter, loads, facts.mount, trace, book)
    return guns.jammed(after, shot.weapons), loss


def _record_load(
    at: int, before: Load, after: Load, facts: Firing, book: CircusBook, trace: Trace
) -> None:
    why = f"{before.points} before the shot"
    trace.finding("CIR-9.5", f"weapon_{at}_points", after.points, why)
    if not after.points and after.spare:
        guns.name_change_setting(trace, book, simultaneous=facts.simultaneous)
        trace.finding("CIR-9.6", f"weapon_{at}_misses_phases", after.reload_phases)


def _outcome(
    shot: _Shot,
    hits: int,
    critical: Critical | None,
    after: Loads,
    loss: int,
    book: CircusBook,
    trace: Trace,
) -> Fired:
    """What the shot came to; the target's resolution is reckoned here (CIR-11.2)."""
    before = shot.firing.target.resolution
    if hits and (shot.firing.target.condition or UNHURT).pilot_killed:
        trace.setting("CIR-12.9", "kill_shot", book.settings.kill_shot)
    left = before
    if hits:
        left += trace.modifier("CIR-9.9", "hits", -hits)
    if critical is not None and critical.resolution_loss:
        left += trace.modifier("CIR-10.4", "wound", -critical.resolution_loss)
    trace.sum("CIR-9.9", "resolution", before, left)
    trace.finding("CIR-11.2", "broken", left <= 0)
    jammed = tuple(at for at in shot.weapons if after[at].jammed)
    return Fired(shot.table, shot.range_hexes, hits, left, left <= 0, critical, jammed, loss)


def _events(
    facts: Firing, fired: Fired, weapons: tuple[int, ...], after: Loads
) -> tuple[Change, ...]:
    target, critical = facts.target, fired.critical
    events: list[Change] = [
        ShotFired(
            "CIR-9.9", facts.shooter, target.id, facts.mount, fired.hits, critical is not None
        )
    ]
    for at in weapons:
        rule = "CIR-9.15" if after[at].jammed else "CIR-9.5"
        events.append(GunChanged(rule, facts.shooter, at, after[at]))
    if fired.shooter_resolution_loss:
        loss = -fired.shooter_resolution_loss
        events.append(ResolutionChanged("CIR-9.15", facts.shooter, loss))
    effects = critical.effects if critical else ()
    events += harmed(target.id, effects)
    killed = is_dead(target, effects)
    events += unnerved("CIR-9.9", target.id, target.resolution, fired.hits, killed=killed)
    if critical is not None:
        left = target.resolution - fired.hits
        loss = critical.resolution_loss
        events += unnerved("CIR-10.4", target.id, left, loss, killed=killed)
    return tuple(events)


def is_dead(target: Target, effects: Sequence[Effect]) -> bool:
    """Whether the target's pilot is dead, of old or by what has just happened."""
    killed = any(effect.harm == Harm.PILOT_KILLED for effect in effects)
    return killed or (target.condition or UNHURT).pilot_killed


def _summary(facts: Firing, fired: Fired) -> str:
    target = facts.target.id
    if fired.hits:
        text = (
            f"{facts.shooter} scores {_hits(fired.hits)} on {target} at range {fired.range_hexes}"
        )
    else:
        text = f"{facts.shooter} misses {target} at range {fired.range_hexes}"
    if fired.critical is not None:
        text += f"; a critical hit on the {PARTS[fired.critical.part]}"
        text += f": {told(fired.critical.effects)}" if fired.critical.effects else ""
    if fired.hits and fired.broken and facts.target.resolution > 0:
        text += "; its pilot has had enough"
    if fired.weapons_jammed:
        text += "; the guns jam"
    return f"{text}."


def _hits(hits: int) -> str:
    return f"{hits} hit" if hits == 1 else f"{hits} hits"


# ---- Drums, and fire that is held


def rule_on_drum_change(
    facts: DrumChange, own: Sequence[Aeroplane], book: CircusBook
) -> Ruling[FireOutcome]:
    """Rules on a drum or box that is changed before it is empty. No dice.

    Raises:
        Malformed: CIR-1.2, CIR-1.4: type, weapon or loads that cannot be.
        Illegal: CIR-9.7, it cannot be changed now; CIR-9.17, the man who would is dead.

    Source: register section 9, Guns; the time HR-15.
    """
    trace = Trace()
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "drum_change.aeroplane")
    loads = guns.loads_of(aeroplane, facts.loads, "drum_change.loads")
    guns.check_weapon(aeroplane, facts.weapon, "drum_change.weapon")
    refused = guns.why_not_changed(aeroplane, loads, facts.weapon, facts.condition, book)
    if refused is not None:
        raise refused
    guns.name_falling(trace, aeroplane.weapons[facts.weapon].mount, facts.condition, book)
    trace.setting("CIR-9.7", "early_change", book.settings.early_change)
    after = guns.changed(loads, facts.weapon, book, simultaneous=facts.simultaneous)
    missed = after[facts.weapon].reload_phases
    trace.finding("CIR-9.7", "points_lost", loads[facts.weapon].points)
    guns.name_change_setting(trace, book, simultaneous=facts.simultaneous)
    trace.finding("CIR-9.7", "reload_phases", missed, "this phase is the first of them")
    outcome = FireOutcome(DrumChanged(facts.aircraft, facts.weapon, missed))
    event = GunChanged("CIR-9.7", facts.aircraft, facts.weapon, after[facts.weapon])
    phases = "fire phase" if missed == 1 else "fire phases"
    summary = f"{facts.aircraft} changes weapon {facts.weapon}, which misses {missed} {phases}."
    return Ruling(outcome, tuple(trace.lines), (event,), summary)


def rule_on_holding(facts: Holding) -> Ruling[FireOutcome]:
    """Rules on a side that fires no more in this phase. No dice.

    Source: house; fire is never a duty.
    """
    trace = Trace()
    trace.finding("CIR-9.18", "side", facts.side.value)
    event = FireHeld("CIR-9.18", facts.side)
    summary = f"The {facts.side} side holds its fire."
    return Ruling(FireOutcome(Held(facts.side)), tuple(trace.lines), (event,), summary)
