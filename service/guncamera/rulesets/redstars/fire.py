"""One shot: whether it is allowed, and what follows. Chapter 6.

The dice come in this order: the die to hit, the pool of damage, the special hit, the roll of a
flammable type, the risk to the crew. Results bite at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import SettingLine, Trace
from guncamera.rulesets.redstars.aim import aim_of, decisive, inches
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook, Flight, Mounting
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import (
    RedstarsBook,
    data_book_of,
    figure,
    names_what_decided,
)
from guncamera.rulesets.redstars.books import check_own
from guncamera.rulesets.redstars.condition import condition_of, gunner_is_gone, is_served
from guncamera.rulesets.redstars.events import AircraftLeft, Change, ShotFired
from guncamera.rulesets.redstars.facts import FireFacts, Firing, Holding
from guncamera.rulesets.redstars.geometry import MILS, TOLERANCE_MILS
from guncamera.rulesets.redstars.harms import harmed, told
from guncamera.rulesets.redstars.hit import worked_out
from guncamera.rulesets.redstars.outcomes import Effect, End, Fired, FireOutcome, Harm, Held
from guncamera.rulesets.redstars.pools import roll_damage, roll_hits
from guncamera.rulesets.redstars.specials import guns_left
from guncamera.rulesets.redstars.to_hit import Needed, numbers_needed, reach_mils

_TAKEN_OVER = (Harm.OBSERVER_FLIES, Harm.PILOT_FLIES)


@dataclass(frozen=True, slots=True)
class _Shot:
    """A shot that is allowed.

    Attributes:
        shooter, target: Their data books.
        in_range: The weapons that reach the target.
        marked: Those that have an ammunition box marked.
    """

    shooter: DataBook
    target: DataBook
    in_range: tuple[int, ...]
    marked: tuple[int, ...]


def rule_on_fire(facts: FireFacts, book: RedstarsBook, dice: Dice) -> Ruling[FireOutcome]:
    """Rules on fire of any kind; see the rule of each for what it refuses."""
    own = facts.own_books
    if own:
        check_own(own, book, "own_books")
    match facts.procedure:
        case Firing() as firing:
            return rule_on_shot(firing, own, book, dice)
        case Holding() as holding:
            return rule_on_holding(holding)


def rule_on_holding(facts: Holding) -> Ruling[FireOutcome]:
    """Rules on an aircraft that fires no more this turn. No dice.

    Source: house; fire is never a duty.
    """
    trace = Trace()
    trace.finding("RED-6.17", "holds", facts.aircraft)
    summary = f"{facts.aircraft} holds its fire."
    return Ruling(FireOutcome(Held(facts.aircraft)), tuple(trace.lines), (), summary)


def rule_on_shot(
    facts: Firing, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[FireOutcome]:
    """Rules on one shot of weapons of one mounting.

    Raises:
        Malformed: RED-1.2, RED-6.8, RED-6.12, RED-6.13, RED-6.16, RED-6.17: types,
            weapons or an aim that cannot be; and as `check_aloft`.
        Illegal: RED-6.1, RED-6.2, RED-6.6, RED-6.12, RED-6.13, RED-6.16, RED-6.17, RED-7.4: the
            target may not be fired at, or not with these weapons; and as `check_aloft`.

    Source: seed 004, shooting; register 4.5 to 4.8 and section 10, A shot.
    """
    trace = Trace.of(dice)
    shot, needed = trace.part(dice, partial(_aimed, facts, own, book))
    both = (shot.shooter, shot.target)
    volleys = trace.part(dice, partial(roll_hits, needed, facts, shot.shooter, book))
    outcome = Fired((), 0, special_hit=False)
    if volleys:
        damage = trace.part(dice, partial(roll_damage, volleys, facts, *both, book))
        weapons = tuple(volley.weapon for volley in volleys)
        outcome = trace.part(dice, partial(worked_out, damage, weapons, facts, *both, book))
    if outcome.effects:
        trace.setting("RED-6.18", "results", book.settings.results)
    if any(effect.harm in _TAKEN_OVER for effect in outcome.effects):
        trace.setting("RED-6.17", "takeover_fire", book.settings.takeover_fire)
    return Ruling.told(
        FireOutcome(outcome),
        trace,
        lambda: (_events(facts, shot.marked, outcome), _summary(facts, outcome)),
    )


# ---- Whether the shot is allowed


def _aimed(
    facts: Firing, own: Sequence[DataBook], book: RedstarsBook, trace: Trace, _dice: Dice
) -> tuple[_Shot, Needed]:
    """The shot, once everything that may forbid it has been looked at, and what it needs."""
    shot = _allowed(facts, own, book, trace)
    needed = numbers_needed(facts, shot.in_range, shot.shooter, book, trace)
    _record_arcs(facts, shot.shooter.weapons[facts.weapons[0]].mounting, book, trace)
    return shot, needed


def _record_arcs(facts: Firing, mounting: Mounting, book: RedstarsBook, trace: Trace) -> None:
    """The settings that the aim turned on, where it is that of the two positions.

    An aim that a caller has measured on a table of his own owes nothing to them.
    """
    here, there = facts.shooter.position, facts.target.position
    if not trace.is_read or not names_what_decided(book):
        return
    if facts.aim != aim_of(here, there, mounting, book):
        return
    named = {line.name for line in trace.lines if isinstance(line, SettingLine)}
    for name in decisive(here, there, mounting, book):
        if name not in named:
            trace.setting(book.setting_specs[name].rule_id, name, getattr(book.settings, name))


def _allowed(facts: Firing, own: Sequence[DataBook], book: RedstarsBook, trace: Trace) -> _Shot:
    shooter = data_book_of(facts.shooter.type, own, book, "firing.shooter.type")
    target = data_book_of(facts.target.type, own, book, "firing.target.type")
    check_aloft(facts.shooter, shooter, book, "firing.shooter")
    check_aloft(facts.target, target, book, "firing.target")
    _check_weapons(facts, shooter)
    _check_able(facts, book, trace)
    _check_aim(facts)
    mounting = shooter.weapons[facts.weapons[0]].mounting
    _check_sights(facts, mounting, book, trace)
    _check_boxes(facts, shooter)
    _record_left_out(facts, shooter, book, trace)
    in_range = _in_range(facts, shooter, book, trace)
    return _Shot(shooter, target, in_range, _marked(facts, shooter, in_range, book, trace))


def _check_weapons(facts: Firing, shooter: DataBook) -> None:
    """That the weapons named exist, once each, on one mounting (RED-6.16)."""
    named, have = facts.weapons, len(shooter.weapons)
    if not named or len(set(named)) != len(named) or max(named) >= have:
        raise Malformed(
            f"{shooter.title} has weapons 0 to {have - 1}; name each one fired, once.",
            rule_id="RED-6.16",
            field="firing.weapons",
            weapons=have,
        )
    mountings = {shooter.weapons[at].mounting for at in named}
    if len(named) > 1 and Mounting.FLEXIBLE_REAR in mountings:
        raise Illegal(
            "RED-6.16",
            "Each flexible mount fires a shot of its own. Declare it alone, and the forward "
            "weapons in another shot.",
            field="firing.weapons",
            weapons=len(named),
        )


def _check_able(facts: Firing, book: RedstarsBook, trace: Trace) -> None:
    """That the shooter may fire at all, and at this target (RED-6.17)."""
    shooter = facts.shooter
    if shooter.id == facts.target.id:
        raise Malformed(
            f"{shooter.id} cannot fire at itself; name another target.",
            rule_id="RED-6.17",
            field="firing.target.id",
            target=shooter.id,
        )
    if facts.own_side:
        trace.setting("RED-6.17", "own_side", book.settings.own_side)
        if book.settings.own_side == "refused":
            raise Illegal(
                "RED-6.17",
                f"{facts.target.id} is on the side of {shooter.id}; fire at an enemy.",
                field="firing.target.id",
                target=facts.target.id,
            )
    if condition_of(shooter).nobody_flies:
        raise Illegal(
            "RED-6.17",
            f"Nobody is at the controls of {shooter.id} yet; it cannot fire. Hold its fire.",
            field="firing.shooter.condition.nobody_flies",
            shooter=shooter.id,
        )
    if shooter.flight != Flight.SPINNING:
        return
    trace.setting("RED-6.17", "spinning_fire", book.settings.spinning_fire)
    if book.settings.spinning_fire == "barred":
        raise Illegal(
            "RED-6.17",
            f"{shooter.id} is spinning; it cannot fire until it has recovered. Hold its fire.",
            field="firing.shooter.flight",
            shooter=shooter.id,
        )


def _check_aim(facts: Firing) -> None:
    """That the aim does not contradict itself, nor the altitudes of the two (RED-6.8, 6.12)."""
    aim = facts.aim
    if aim.behind and aim.crossing:
        raise Malformed(
            f"{facts.shooter.id} cannot be in the rear arc and in the side arc of "
            f"{facts.target.id} at once; say which.",
            rule_id="RED-6.8",
            field="firing.aim.crossing",
            behind=True,
            crossing=True,
        )
    apart = facts.target.position.altitude - facts.shooter.position.altitude
    if aim.altitude_difference != apart:
        raise Malformed(
            f"{facts.target.id} is {apart:+d} altitude bands from {facts.shooter.id} by their "
            f"positions, but {aim.altitude_difference:+d} by the aim; make them agree.",
            rule_id="RED-6.12",
            field="firing.aim.altitude_difference",
            altitude_difference=aim.altitude_difference,
            by_position=apart,
        )


def _check_sights(facts: Firing, mounting: Mounting, book: RedstarsBook, trace: Trace) -> None:
    """Arc and altitude (RED-6.1, RED-6.6, RED-6.12)."""
    flexible = mounting == Mounting.FLEXIBLE_REAR
    rule_id = "RED-6.6" if flexible else "RED-6.1"
    if flexible:
        _check_gunner(facts.shooter, book, trace)
        trace.setting(rule_id, "flexible_arc_rule", book.settings.flexible_arc_rule)
    if not facts.aim.in_arc:
        raise Illegal(
            rule_id,
            f"{facts.target.id} is outside the {'gunner' if flexible else 'forward'} arc. Bring "
            "it into the arc, or fire at another.",
            field="firing.aim.in_arc",
            target=facts.target.id,
        )
    trace.finding(rule_id, "in_arc", value=True)
    apart, reach = facts.aim.altitude_difference, figure(book, "altitude_reach")
    if abs(apart) > reach:
        raise Illegal(
            "RED-6.12",
            f"{facts.target.id} is {abs(apart)} altitude bands away; guns reach {reach} up or "
            "down. Climb or dive to it.",
            field="firing.aim.altitude_difference",
            altitude_difference=apart,
            reach=reach,
        )
    if apart:
        trace.finding("RED-6.12", "altitude_difference", apart)


def _check_gunner(shooter: Aircraft, book: RedstarsBook, trace: Trace) -> None:
    """That a man serves a flexible mount, if by setting it takes the observer (RED-6.6)."""
    if not gunner_is_gone(shooter):
        return
    trace.setting("RED-6.6", "gunner_lost", book.settings.gunner_lost)
    if not is_served(shooter, book):
        raise Illegal(
            "RED-6.6",
            f"The observer of {shooter.id} is dead or flies it, and nobody serves its flexible "
            "mounts. Fire forward weapons, or hold its fire.",
            field="firing.weapons",
            shooter=shooter.id,
        )


def boxes_of(aircraft: Aircraft, data_book: DataBook) -> tuple[int, ...]:
    """Ammunition boxes left for each weapon."""
    return aircraft.boxes or _printed(data_book)


def _printed(data_book: DataBook) -> tuple[int, ...]:
    return tuple(weapon.boxes for weapon in data_book.weapons)


def _check_boxes(facts: Firing, shooter: DataBook) -> None:
    """That every weapon declared has a box and a gun left (RED-6.13, RED-7.4)."""
    boxes, printed = boxes_of(facts.shooter, shooter), _printed(shooter)
    if len(boxes) != len(printed) or any(left > all_ for left, all_ in zip(boxes, printed)):
        raise Malformed(
            f"The weapons of {shooter.title} have {list(printed)} ammunition boxes; give for each "
            "how many are left.",
            rule_id="RED-6.13",
            field="firing.shooter.boxes",
            weapons=len(printed),
        )
    for at in facts.weapons:
        empty = not boxes[at]
        if empty or not guns_left(at, shooter, condition_of(facts.shooter)):
            raise Illegal(
                "RED-6.13" if empty else "RED-7.4",
                f"Weapon {at} has no {'ammunition box' if empty else 'gun'} left. Fire another.",
                field="firing.weapons",
                weapon=at,
            )


def _record_left_out(facts: Firing, shooter: DataBook, book: RedstarsBook, trace: Trace) -> None:
    """The reading that says what becomes of forward weapons that a shot leaves out (RED-6.16)."""
    if shooter.weapons[facts.weapons[0]].mounting != Mounting.FORWARD:
        return
    boxes, condition = boxes_of(facts.shooter, shooter), condition_of(facts.shooter)
    left_out = any(
        weapon.mounting == Mounting.FORWARD
        and at not in facts.weapons
        and boxes[at]
        and guns_left(at, shooter, condition)
        for at, weapon in enumerate(shooter.weapons)
    )
    if left_out and names_what_decided(book):
        trace.setting("RED-6.16", "forward_fire", book.settings.forward_fire)


def _in_range(
    facts: Firing, shooter: DataBook, book: RedstarsBook, trace: Trace
) -> tuple[int, ...]:
    """The weapons declared that reach the target (RED-6.2)."""
    range_mils, table = facts.aim.range_mils, book.tables["weapons"]
    trace.finding("RED-6.2", "range_mils", range_mils)
    found = []
    for at in facts.weapons:
        trace.look_up(table, shooter.weapons[at].kind.value, "range")
        reaches = range_mils <= reach_mils(at, shooter, book) + TOLERANCE_MILS
        trace.finding("RED-6.2", f"weapon_{at}_in_range", reaches)
        if reaches:
            found.append(at)
    if not found:
        longest = max(reach_mils(at, shooter, book) for at in facts.weapons)
        raise Illegal(
            "RED-6.2",
            f"The range is {inches(range_mils)} inches; these weapons reach {longest // MILS}. "
            "Close in.",
            field="firing.aim.range_mils",
            range_mils=range_mils,
            reach_mils=longest,
        )
    return tuple(found)


def _marked(
    facts: Firing,
    shooter: DataBook,
    in_range: tuple[int, ...],
    book: RedstarsBook,
    trace: Trace,
) -> tuple[int, ...]:
    """The weapons that have an ammunition box marked (RED-6.13)."""
    marked = facts.weapons
    if len(in_range) < len(marked):
        trace.setting("RED-6.13", "boxes_out_of_range", book.settings.boxes_out_of_range)
        if book.settings.boxes_out_of_range == "kept":
            marked = in_range
    boxes = boxes_of(facts.shooter, shooter)
    for at in marked:
        trace.finding("RED-6.13", f"weapon_{at}_boxes_left", boxes[at] - 1)
    return marked


# ---- What follows


def _events(facts: Firing, marked: tuple[int, ...], outcome: Fired) -> tuple[Change, ...]:
    target = facts.target.id
    fired = ShotFired(
        "RED-6.13",
        facts.shooter.id,
        target,
        marked,
        bool(outcome.weapons_hit),
        outcome.damage,
        outcome.special_hit,
    )
    return (fired, *results_of(target, outcome.effects, outcome.end, facts.shooter.id))


def results_of(
    target: str, effects: Sequence[Effect], end: End | None, by: str
) -> tuple[Change, ...]:
    """What a shot changes about its target."""
    events: list[Change] = [*harmed(target, effects)]
    if end is not None:
        rule = "RED-7.8" if end == End.CREW_LOST else "RED-8.1"
        events.append(AircraftLeft(rule, target, end, by))
    return tuple(events)


def _summary(facts: Firing, outcome: Fired) -> str:
    shooter, target = facts.shooter.id, facts.target.id
    if not outcome.weapons_hit:
        return f"{shooter} misses {target}."
    more = [effect for effect in outcome.effects if effect.harm != Harm.DAMAGE]
    text = f"{shooter} hits {target} for {outcome.damage}"
    if more:
        text += f": {told(more)}"
    if outcome.end == End.SHOT_DOWN:
        text += f"; {target} is shot down"
    elif outcome.end == End.CREW_LOST:
        text += f"; nobody is left to fly {target}"
    return f"{text}."
