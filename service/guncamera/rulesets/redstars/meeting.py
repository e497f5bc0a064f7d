"""Two aircraft that meet: collisions by accident, and ramming. Chapter 9 of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import D6, Ask, Dice, Total
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aim import others
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook, Flight
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import (
    RedstarsBook,
    data_book_of,
    figure,
    names_what_decided,
)
from guncamera.rulesets.redstars.condition import condition_of, is_burning, is_gliding
from guncamera.rulesets.redstars.contact import covers, is_head_on, overlap, paths_meet
from guncamera.rulesets.redstars.events import Change, RamDeclared, RamMissed
from guncamera.rulesets.redstars.facts import Colliding, Declaring, Pair, Ramming
from guncamera.rulesets.redstars.geometry import within_bearing
from guncamera.rulesets.redstars.outcomes import (
    Declared,
    Effect,
    End,
    Fate,
    Harm,
    Met,
    MoveOutcome,
)
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.spin import spin
from guncamera.rulesets.redstars.tests import (
    airframe_test,
    damaged_bonus,
    modifier,
    number_of,
    rating_bonus,
    skill_test,
    throw,
)


def _data_books(
    pair: Sequence[tuple[str, Aircraft]], own: Sequence[DataBook], book: RedstarsBook
) -> tuple[DataBook, ...]:
    """The data books of two different aircraft that are in the air.

    Args:
        pair: Each with its path in the facts.
    """
    (_, first), (field, second) = pair
    if first.id == second.id:
        raise Malformed(
            f"{first.id} cannot meet itself; name two aircraft.",
            field=f"{field}.id",
            aircraft=first.id,
        )
    found = []
    for path, aircraft in pair:
        found.append(data_book_of(aircraft.type, own, book, f"{path}.type"))
        check_aloft(aircraft, found[-1], book, path)
    return tuple(found)


# ---- Declaring a ram


def rule_on_declaring(
    facts: Declaring, own: Sequence[DataBook], book: RedstarsBook
) -> Ruling[MoveOutcome]:
    """Rules on announcing a ram, or none. No dice.

    Raises:
        Malformed: RED-9.3, only one of the two is named; one aircraft twice; see `check_aloft`.
        Illegal: RED-9.3, the rammer glides or spins, or neither tails nor meets its target.

    Source: seed 004, ramming; head-on: register section 4.9.
    """
    rammer, target = facts.rammer, facts.target
    trace = Trace()
    if rammer is None and target is None:
        trace.finding("RED-9.3", "rammer", "none")
        return Ruling(MoveOutcome(Declared()), tuple(trace.lines), (), "Nobody rams.")
    if rammer is None or target is None:
        raise Malformed(
            "A ram has a rammer and a target; name both, or neither.",
            rule_id="RED-9.3",
            field="declaring.rammer" if rammer is None else "declaring.target",
        )
    named = (("declaring.rammer", rammer), ("declaring.target", target))
    _check_able(rammer, _data_books(named, own, book)[0])
    head_on = is_head_on(rammer.position, target.position, book.settings)
    _check_placed(facts, rammer, target, head_on=head_on)
    arc = book.settings.gun_half_arc
    if within_bearing(rammer.position, target.position, arc) and not facts.tailing:
        trace.setting("RED-9.3", "head_on", book.settings.head_on)
        if book.settings.head_on == "nose-to-nose":
            degrees = book.settings.nose_to_nose_degrees
            trace.setting("RED-9.3", "nose_to_nose_degrees", degrees)
    if not facts.tailing and names_what_decided(book) and _is_by_arc(rammer, target, book):
        trace.setting("RED-6.1", "gun_half_arc", arc)
    trace.finding("RED-9.3", "rammer", rammer.id)
    trace.finding("RED-9.3", "target", target.id)
    trace.finding("RED-9.3", "head_on", head_on)
    outcome = MoveOutcome(Declared(rammer.id, target.id, head_on))
    events = (RamDeclared("RED-9.3", rammer.id, target.id),)
    return Ruling(outcome, tuple(trace.lines), events, f"{rammer.id} will ram {target.id}.")


def _is_by_arc(rammer: Aircraft, target: Aircraft, book: RedstarsBook) -> bool:
    """Whether the two would not be head-on with other forward arcs."""
    return not all(
        is_head_on(rammer.position, target.position, other.settings)
        for other in others("gun_half_arc", book)
    )


def _check_able(rammer: Aircraft, data_book: DataBook) -> None:
    glides, spins = is_gliding(rammer, data_book), rammer.flight == Flight.SPINNING
    if not glides and not spins:
        return
    raise Illegal(
        "RED-9.3",
        f"{rammer.id} {'glides' if glides else 'spins'} and cannot ram; only an aircraft under "
        "power and control may. Declare no ram.",
        field="declaring.rammer",
        gliding=glides,
        spinning=spins,
    )


def _check_placed(facts: Declaring, rammer: Aircraft, target: Aircraft, *, head_on: bool) -> None:
    if facts.tailing or head_on:
        return
    raise Illegal(
        "RED-9.3",
        f"{rammer.id} neither tails {target.id} nor meets it head-on as the turn begins; only "
        "from there may it ram. Declare no ram.",
        field="declaring.target",
        tailing=False,
        head_on=False,
    )


# ---- Collision by accident


def rule_on_colliding(
    facts: Colliding, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[MoveOutcome]:
    """Rules on two aircraft whose last discs overlap at one altitude.

    Raises:
        Malformed: One aircraft twice; see `check_aloft`.
        Illegal: RED-9.1, they do not overlap.

    Source: seed 004, accidental collisions; what a collision does: register section 4.9.
    """
    pairs = (facts.first, facts.second)
    named = (
        ("colliding.first.aircraft", facts.first.aircraft),
        ("colliding.second.aircraft", facts.second.aircraft),
    )
    data_books = _data_books(named, own, book)
    _check_overlap(facts.first.aircraft, facts.second.aircraft, book)
    trace = Trace.of(dice)
    struck = trace.part(dice, partial(_collide, pairs, data_books, book))
    blows = _crash(pairs, data_books, book, trace, dice) if struck else _Blows()
    return _met(pairs, blows, trace, struck=struck, missed="miss each other")


def _collide(
    pairs: tuple[Pair, ...],
    data_books: tuple[DataBook, ...],
    book: RedstarsBook,
    trace: Trace,
    dice: Dice,
) -> bool:
    """Whether the two strike each other: both ratings against the number (RED-9.2)."""
    trace.setting("RED-9.1", "collision_distance", book.settings.collision_distance)
    bonus = 0
    for pair, data_book in zip(pairs, data_books):
        name = pair.aircraft.id
        if pair.extreme:
            trace.finding("RED-9.2", f"rating_{name}", "none", "it flew an extreme maneuver")
        else:
            bonus += rating_bonus(pair.aircraft, trace, book, "RED-9.2", name=f"rating_{name}")
            bonus += _tailing_bonus(pair, trace, book)
        bonus += damaged_bonus(
            pair.aircraft, data_book, trace, book, skill=False, name=f"damaged_{name}"
        )
    number = number_of("collision", trace, book)
    return not throw("RED-9.2", "collision", number, bonus, trace, dice)


def _tailing_bonus(pair: Pair, trace: Trace, book: RedstarsBook) -> int:
    """The point of rating that a tailer has against the aircraft he tails (RED-2.3)."""
    if not pair.tailing:
        return 0
    trace.setting("RED-9.2", "tailing_collision", book.settings.tailing_collision)
    if not book.settings.tailing_collision:
        return 0
    name = f"tailing_{pair.aircraft.id}"
    return trace.modifier("RED-9.2", name, figure(book, "tailing_rating"))


def _check_overlap(first: Aircraft, second: Aircraft, book: RedstarsBook) -> None:
    level = first.position.altitude == second.position.altitude
    if level and covers(first.position, second.position, book.settings):
        return
    why = "lie too far apart" if level else "fly at different altitudes"
    raise Illegal(
        "RED-9.1",
        f"{first.id} and {second.id} {why}; a collision needs a disc over the other's center at "
        "one altitude. Leave them be.",
        field="colliding.second.aircraft.position",
        altitude=first.position.altitude,
        other_altitude=second.position.altitude,
    )


# ---- Ramming


def rule_on_ramming(
    facts: Ramming, own: Sequence[DataBook], book: RedstarsBook, dice: Dice
) -> Ruling[MoveOutcome]:
    """Rules on a ram once rammer and target have moved; without contact it is a miss.

    Raises:
        Malformed: One aircraft twice; see `check_aloft`.

    Source: seed 004, ramming; the same moment: register section 4.9.
    """
    pairs = (facts.rammer, facts.target)
    rammer, target = facts.rammer.aircraft, facts.target.aircraft
    named = (("ramming.rammer.aircraft", rammer), ("ramming.target.aircraft", target))
    data_books = _data_books(named, own, book)
    trace = Trace.of(dice)
    struck = trace.part(dice, partial(_ram, facts, data_books[0], book))
    blows = _crash(pairs, data_books, book, trace, dice) if struck else _Blows()
    if not struck and overlap(rammer.position, target.position, book.settings):
        trace.setting("RED-9.2", "rammed_pair", book.settings.rammed_pair)
    return _met(
        pairs, blows, trace, struck=struck, missed="do not strike each other", rammer=rammer.id
    )


def _ram(facts: Ramming, data_book: DataBook, book: RedstarsBook, trace: Trace, dice: Dice) -> bool:
    """Whether the rammer strikes: the paths cross, and his test is passed."""
    return _touch(facts, data_book, book, trace) and _ram_test(facts, data_book, book, trace, dice)


def _touch(facts: Ramming, data_book: DataBook, book: RedstarsBook, trace: Trace) -> bool:
    """Whether the paths cross at one moment and altitude (RED-9.4)."""
    rammer, target = facts.rammer.aircraft, facts.target.aircraft
    if is_gliding(rammer, data_book):
        trace.finding("RED-9.3", "contact", value=False, why="a glider cannot ram")
        return False
    trace.setting("RED-9.4", "ram_altitude", book.settings.ram_altitude)
    apart = rammer.position.altitude != target.position.altitude
    if apart and book.settings.ram_altitude == "after-moves":
        trace.finding("RED-9.4", "contact", value=False, why="they fly at different altitudes")
        return False
    trace.setting("RED-9.4", "ram_slots", book.settings.ram_slots)
    trace.setting("RED-9.1", "collision_distance", book.settings.collision_distance)
    meet = paths_meet(
        facts.rammer.discs or (rammer.position,),
        facts.target.discs or (target.position,),
        book.settings,
    )
    trace.finding("RED-9.4", "contact", meet)
    return meet


def _ram_test(
    facts: Ramming, data_book: DataBook, book: RedstarsBook, trace: Trace, dice: Dice
) -> bool:
    """The rammer's skill against the target's (RED-9.7)."""
    rammer, target = facts.rammer.aircraft, facts.target.aircraft
    bonus = rating_bonus(rammer, trace, book, "RED-9.7")
    bonus += rating_bonus(target, trace, book, "RED-9.7", name="rating_of_target", against=True)
    if facts.rammer.tailing:
        bonus += modifier("rammer tailing", trace, book, rule_id="RED-9.7")
    if is_burning(condition_of(rammer)):
        bonus += modifier("rammer burning", trace, book, rule_id="RED-9.7")
    bonus += damaged_bonus(rammer, data_book, trace, book, skill=True)
    return throw("RED-9.7", "ram", number_of("ram", trace, book), bonus, trace, dice)


# ---- What it does


@dataclass(frozen=True, slots=True)
class _Blows:
    """What a collision did to both, and the events of it; none where they missed."""

    fates: tuple[Fate, ...] = ()
    events: tuple[Change, ...] = ()


def _crash(
    pairs: tuple[Pair, ...],
    data_books: tuple[DataBook, ...],
    book: RedstarsBook,
    trace: Trace,
    dice: Dice,
) -> _Blows:
    """What a collision does to each, one after the other and apart (RED-9.5)."""
    trace.setting("RED-9.5", "crash_outcome", book.settings.crash_outcome)
    events: list[Change] | None = [] if trace.is_read else None
    rules = [partial(_struck, *one, book, events) for one in zip(pairs, data_books)]
    return _Blows(trace.apart(dice, rules), tuple(events or ()))


def _struck(
    pair: Pair,
    data_book: DataBook,
    book: RedstarsBook,
    events: list[Change] | None,
    trace: Trace,
    dice: Dice,
) -> Fate:
    """What a collision does to one aircraft.

    Args:
        events: Where those of it are noted; None where nobody reads them.
    """
    before = pair.aircraft
    trace.finding("RED-9.5", "aircraft", before.id)
    passage = Passage(
        before, data_book, book, trace, dice, discs=pair.discs, maneuver=before.last_maneuver
    )
    if book.settings.crash_outcome == "both-lost":
        passage.leaves("RED-9.5", End.COLLIDED)
    else:
        _strike(passage, book, trace, dice)
    now = passage.aircraft
    lies_elsewhere = now.position != before.position
    if events is not None:
        events += passage.events(moved=lies_elsewhere or now.flight != before.flight)
    position = now.position if lies_elsewhere else None
    return Fate(now.id, passage.effects, position, now.flight, passage.end)


def _strike(passage: Passage, book: RedstarsBook, trace: Trace, dice: Dice) -> None:
    """Damage, an airframe test, and a skill test, as long as the aircraft lasts."""
    number = book.settings.collision_damage_dice
    trace.setting("RED-9.5", "collision_damage_dice", number)
    damage = trace.roll(dice, Ask((D6,) * number, Total(), "collision-damage", "RED-9.5"))
    passage.suffers("RED-9.5", Effect(Harm.DAMAGE, damage), End.COLLIDED)
    passage.may_catch_fire()
    if passage.end is not None:
        return
    if not airframe_test(passage.aircraft, passage.data_book, trace, dice, book):
        passage.leaves("RED-9.5", End.COLLIDED)
        return
    if passage.aircraft.flight == Flight.SPINNING:
        return
    if not skill_test(passage.aircraft, passage.data_book, trace, dice, book, "collision-skill"):
        spin(passage)


def _met(
    pairs: Sequence[Pair],
    blows: _Blows,
    trace: Trace,
    *,
    struck: bool,
    missed: str,
    rammer: str = "",
) -> Ruling[MoveOutcome]:
    """The ruling on two aircraft that struck each other, or did not."""
    trace.finding("RED-9.5", "struck", struck)
    events = blows.events
    if rammer and not struck:
        trace.finding("RED-9.6", "ram_missed", rammer)
        events = (*events, RamMissed("RED-9.6", rammer))
    outcome = MoveOutcome(Met(struck, blows.fates))
    return Ruling.told(outcome, trace, lambda: (events, _summary(pairs, blows, struck, missed)))


def _summary(pairs: Sequence[Pair], blows: _Blows, struck: bool, missed: str) -> str:
    names = " and ".join(pair.aircraft.id for pair in pairs)
    lost = [fate.aircraft for fate in blows.fates if fate.end is not None]
    more = f"; lost: {', '.join(lost)}." if lost else "."
    return f"{names} {'strike each other' if struck else missed}{more}"
