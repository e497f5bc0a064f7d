"""In which order aircraft move and fire, and which ties have to be rolled off. RED-3.8, RED-3.9.

Orders of moving run from the lowest rating to the highest, gliders first and rammers last; orders
of firing run the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
    """The order, the first one first; `broken` is asked about each tie."""
    followers, roots = _followers(facts, book)
    order: list[str] = []
    keys = sorted({(one.group, one.rating) for one in roots})
    for key in keys:
        tied = by_id(tuple(one for one in roots if (one.group, one.rating) == key))
        for one in broken(tied) if len(tied) > 1 else tied:
            order += _with_followers(one, followers)
    return tuple(reversed(order)) if facts.firing else tuple(order)


def _with_followers(one: Contender, followers: Mapping[str, Sequence[Contender]]) -> list[str]:
    order = [one.id]
    for follower in followers.get(one.id, ()):
        order += _with_followers(follower, followers)
    return order


def _followers(
    facts: Ordering, book: RedstarsBook
) -> tuple[dict[str, list[Contender]], list[Contender]]:
    """Who takes his place directly after whom, and who keeps his own (RED-3.8)."""
    known = {one.id: one for one in facts.contenders}
    after: dict[str, str] = {}
    # A ring of equal ratings breaks where choosing does: at its lowest id, looked at last.
    for one in reversed(by_id(facts.contenders)):
        target = known.get(one.tails)
        if target is None or not _follows(one, target, facts, book):
            continue
        if not _is_ahead(one.id, target.id, after):
            after[one.id] = target.id
    followers: dict[str, list[Contender]] = {}
    for one in sorted(facts.contenders, key=lambda c: (c.rating, c.id)):
        if one.id in after:
            followers.setdefault(after[one.id], []).append(one)
    roots = [one for one in facts.contenders if one.id not in after]
    return followers, roots


def _is_ahead(one: str, target: str, after: Mapping[str, str]) -> bool:
    """Whether following the target would close a ring."""
    at = target
    while at in after:
        at = after[at]
        if at == one:
            return True
    return at == one


def _follows(one: Contender, target: Contender, facts: Ordering, book: RedstarsBook) -> bool:
    settings = book.settings
    if one.group != target.group:
        return False
    if one.rating == target.rating:
        return settings.move_ties == "tailer-later"
    if facts.firing or settings.tail_move_order != "follows":
        return False
    return one.rating + 1 == target.rating


def rule_on_ordering(facts: Ordering, book: RedstarsBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on an order of moving or firing.

    Raises:
        Malformed: RED-3.9, an id is given twice; RED-6.18, a group in an order of firing.

    Source: seed 004, order of play and tailing; register 1, R27 and section 10.
    """
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
    trace = Trace()

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
    pairs = [(one, known[one.tails]) for one in facts.contenders if one.tails in known]
    pairs = [(one, target) for one, target in pairs if one.group == target.group]
    if any(one.rating == target.rating for one, target in pairs):
        trace.setting("RED-3.9", "move_ties", book.settings.move_ties)
    near = any(one.rating + 1 == target.rating for one, target in pairs)
    if near and not facts.firing:
        trace.setting("RED-3.8", "tail_move_order", book.settings.tail_move_order)
