"""In which order aircraft move and fire, and which ties have to be rolled off. RED-3.8, RED-3.9.

Orders of moving run from the lowest rating to the highest, gliders first and rammers last; orders
of firing run the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import D6, Ask, Dice
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Contender, Ordering
from guncamera.rulesets.redstars.outcomes import MoveOutcome, Ordered

Tied = tuple[Contender, ...]
Breaker = Callable[[Tied], Tied]
"""Puts contenders of equal rating into an order, the lowest first."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The places of some dice, the lowest face first; equal faces stand together."""

    by_total = False

    def __call__(self, faces: tuple[int, ...], /) -> tuple[tuple[int, ...], ...]:
        """Groups of the dice's numbers, from 0."""
        return tuple(
            tuple(at for at, shown in enumerate(faces) if shown == face)
            for face in sorted(set(faces))
        )

    def describe(self) -> str:
        """How to read the dice, for players."""
        return "a die for each, in the order of their ids; the lowest counts as the lowest rating"


def has_ties(facts: Ordering, book: RedstarsBook) -> bool:
    """Whether dice decide an order."""
    if book.settings.tie_break != "roll":
        return False
    ties: list[Tied] = []

    def found(tied: Tied) -> Tied:
        ties.append(tied)
        return tied

    placed_in_order(facts, book, found)
    return bool(ties)


def by_id(tied: Tied) -> Tied:
    """Ties broken by id, the lower one as the lower rating."""
    return tuple(sorted(tied, key=lambda one: one.id))


def placed_in_order(facts: Ordering, book: RedstarsBook, broken: Breaker) -> tuple[str, ...]:
    """The order, the first one first; `broken` is asked about each tie.

    While fire goes on nobody is asked: those of equal rating stay as they stood, or by setting
    all do (RED-6.18).
    """
    if facts.standing and book.settings.firing_order == "fixed":
        return facts.standing
    if facts.standing:
        broken = partial(_as_they_stood, facts.standing)
    after = _followed(facts, book)
    roots = [one for one in facts.contenders if one.id not in after]
    order: list[str] = []
    keys = sorted({(one.group, one.rating) for one in roots})
    for key in keys:
        tied = by_id(tuple(one for one in roots if (one.group, one.rating) == key))
        order += [one.id for one in (broken(tied) if len(tied) > 1 else tied)]
    _let_in(order, facts, after)
    return tuple(reversed(order)) if facts.firing else tuple(order)


def _as_they_stood(standing: Sequence[str], tied: Tied) -> Tied:
    return tuple(sorted(tied, key=lambda one: -standing.index(one.id)))


def _let_in(order: list[str], facts: Ordering, after: Mapping[str, Sequence[str]]) -> None:
    """Put each follower directly after the last of those he follows, the lowest rating first."""
    left = sorted(facts.contenders, key=lambda one: (one.rating, one.id), reverse=True)
    left = [one for one in left if one.id in after]
    while left:
        one = next(one for one in left if set(after[one.id]) <= set(order))
        order.insert(1 + max(order.index(target) for target in after[one.id]), one.id)
        left.remove(one)


def _followed(facts: Ordering, book: RedstarsBook) -> dict[str, list[str]]:
    """Whom each follower takes his place directly after; others keep their own (RED-3.8)."""
    known = {one.id: one for one in facts.contenders}
    after: dict[str, list[str]] = {}
    # A ring of equal ratings breaks where choosing does: at its lowest id, looked at last.
    for one in reversed(by_id(facts.contenders)):
        for target in (known[name] for name in one.tailed if name in known):
            if _follows(one, target, facts, book) and not _is_ahead(one.id, target.id, after):
                after.setdefault(one.id, []).append(target.id)
    return after


def _is_ahead(one: str, target: str, after: Mapping[str, Sequence[str]]) -> bool:
    """Whether following the target would close a ring."""
    return target == one or any(_is_ahead(one, ahead, after) for ahead in after.get(target, ()))


def _follows(one: Contender, target: Contender, facts: Ordering, book: RedstarsBook) -> bool:
    settings = book.settings
    if one.group != target.group:
        return False
    if one.rating == target.rating:
        return settings.move_ties == "tailer-later"
    counts = settings.tail_move_order == "follows"
    if facts.firing:
        counts = settings.tail_fire_order == "leads"
    return counts and one.rating + 1 == target.rating


def rule_on_ordering(facts: Ordering, book: RedstarsBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on an order of moving or firing.

    Raises:
        Malformed: RED-3.9, an id is given twice; RED-6.18, a group in an order of firing, or
            others who stood in it; RED-2.3, several aircraft tailed by one.

    Source: seed 004, order of play and tailing; register 1, R27 and section 10.
    """
    _check(facts, book)
    trace = Trace()
    if facts.standing:
        trace.setting("RED-6.18", "firing_order", book.settings.firing_order)

    def broken(tied: Tied) -> Tied:
        trace.setting("RED-3.9", "tie_break", book.settings.tie_break)
        if book.settings.tie_break == "id":
            return by_id(tied)
        return _rolled(tied, trace, dice, book, book.settings.tie_rolls)

    order = placed_in_order(facts, book, broken)
    _record_places(facts, book, trace)
    rule_id = "RED-6.18" if facts.firing else "RED-3.8"
    for place, name in enumerate(order, start=1):
        trace.finding(rule_id, f"place_{place}", name)
    verb = "fire" if facts.firing else "move"
    summary = f"They {verb} in this order: {', '.join(order)}." if order else f"Nobody can {verb}."
    return Ruling(MoveOutcome(Ordered(order)), tuple(trace.lines), (), summary)


def _check(facts: Ordering, book: RedstarsBook) -> None:
    """That an order can be made of these contenders."""
    ids = [one.id for one in facts.contenders]
    if len(set(ids)) < len(ids):
        raise Malformed(
            "Each aircraft has one place; give every id once.",
            rule_id="RED-3.9",
            field="ordering.contenders",
        )
    for at, one in enumerate(facts.contenders):
        if facts.firing and one.group != 1:
            raise Malformed(
                "Gliders and rammers fire by their ratings like all others; leave the group out.",
                rule_id="RED-6.18",
                field=f"ordering.contenders[{at}].group",
                group=one.group,
            )
        _check_tailed(one, book, f"ordering.contenders[{at}].also_tails")
    if facts.standing and (not facts.firing or sorted(facts.standing) != sorted(ids)):
        raise Malformed(
            "Only of firing is there an order that stood before, and it has each contender once; "
            "give those still to fire in both, or leave it out.",
            rule_id="RED-6.18",
            field="ordering.standing",
            firing=facts.firing,
        )


def _check_tailed(one: Contender, book: RedstarsBook, field: str) -> None:
    if not one.also_tails:
        return
    if book.settings.tail_targets == "nearest":
        raise Malformed(
            f"In this game an aircraft tails the nearest enemy alone; leave out whom {one.id} "
            "tails besides.",
            rule_id="RED-2.3",
            field=field,
            tail_targets=book.settings.tail_targets,
        )
    if not one.tails or len(set(one.tailed)) < len(one.tailed):
        raise Malformed(
            f"Name whom {one.id} tails once each, the nearest in tails.",
            rule_id="RED-2.3",
            field=field,
        )


def _rolled(tied: Tied, trace: Trace, dice: Dice, book: RedstarsBook, left: int) -> Tied:
    """Contenders of one rating by a roll-off (RED-3.9).

    Args:
        left: Rolls that are left; then the lower id counts as the lower rating.
    """
    if len(tied) < 2:
        return tied
    names = " and ".join(one.id for one in tied)
    trace.finding("RED-3.9", "tied", names)
    if not left:
        trace.finding("RED-3.9", "lowest", by_id(tied)[0].id, "equal rolls go by id in the end")
        return by_id(tied)
    ask = Ask((D6,) * len(tied), Ranks(), "tie-break", "RED-3.9")
    order: Tied = ()
    groups = trace.roll(dice, ask)
    if len(groups) < len(tied):
        trace.setting("RED-3.9", "tie_rolls", book.settings.tie_rolls)
    for group in groups:
        order += _rolled(tuple(tied[at] for at in group), trace, dice, book, left - 1)
    return order


def _record_places(facts: Ordering, book: RedstarsBook, trace: Trace) -> None:
    """Name the readings that moved a tailer from his plain place, or could have."""
    known = {one.id: one for one in facts.contenders}
    if any(one.also_tails for one in facts.contenders):
        trace.setting("RED-2.3", "tail_targets", book.settings.tail_targets)
    pairs = [(one, known[name]) for one in facts.contenders for name in one.tailed if name in known]
    pairs = [(one, target) for one, target in pairs if one.group == target.group]
    if any(one.rating == target.rating for one, target in pairs):
        trace.setting("RED-3.9", "move_ties", book.settings.move_ties)
    if not any(one.rating + 1 == target.rating for one, target in pairs):
        return
    if facts.firing:
        trace.setting("RED-6.18", "tail_fire_order", book.settings.tail_fire_order)
    else:
        trace.setting("RED-3.8", "tail_move_order", book.settings.tail_move_order)
