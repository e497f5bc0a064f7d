"""The pure rules for stock pilots and for luck: messages as the core's values, and back again.

The only module here that knows more of the service than its wire types, but for the rule sets that
stock pilots think with. Other pilots may do the same as it does: the rules are in the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from google.protobuf import json_format
from guncamera.api import wire
from guncamera.rules import ruleset as registry
from guncamera.rules.book import AnyBook
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import TooLarge
from guncamera.rules.ruleset import Ruleset, Verb
from guncamera.rules.variant import Variant, read_variant
from guncamera.v1.actions_pb2 import RulesetSettings
from guncamera.v1.session_service_pb2 import Film, LegalOrder, Session

from guncamera_tournament.pilot import Situation


def ruleset_of(situation: Situation) -> Ruleset:
    """The rule set that is played."""
    return registry.ruleset(situation.ruleset)


def book_of(situation: Situation) -> AnyBook:
    """The book under the session's settings, that of the variant where one is played.

    Raises:
        LookupError: The service has other rules than this package.
    """
    return _book_of(situation.session, situation.variant)


@lru_cache(maxsize=16)
def variant_of(text: str) -> Variant:
    """The variant that a file's text holds.

    Raises:
        LookupError: It is none of the rules of this package.
    """
    found, faults = read_variant(text)
    if found is None:
        first = min(faults, key=lambda one: one.line)
        raise LookupError(f"line {first.line}: {first.place}: {first.text}")
    return found


def view_of(situation: Situation) -> Any:
    """The board as this seat sees it, the rule set's own dataclass."""
    return wire.read(situation.view, ruleset_of(situation).view, "board")


def message_of(situation: Situation, order: registry.LegalOrder) -> LegalOrder:
    """An order of the core's as one to return."""
    message = LegalOrder(summary=order.summary)
    inner = getattr(getattr(message, order.verb.value), situation.ruleset)
    inner.SetInParent()
    wire.fill(inner, order.order)
    return message


def order_by(situation: Situation, pilot: registry.Pilot) -> LegalOrder:
    """The order of a pilot that is a function of the core's values.

    Raises:
        LookupError: The service has other rules than this package.
    """
    view, book = view_of(situation), book_of(situation)
    return message_of(situation, pilot(view, situation.seat, book, situation.nth))


def _book_of(session: Session, variant: str) -> AnyBook:
    slug = session.ruleset.rpartition("/")[2]
    book = _book(slug, session.settings.SerializeToString(deterministic=True), variant)
    if book.digest != session.rules_hash:
        raise LookupError(
            f"the game has other rules for {slug} than this package: "
            f"{session.rules_hash[:12]} against {book.digest[:12]}"
        )
    return book


@lru_cache(maxsize=64)
def _book(slug: str, settings: bytes, variant: str) -> AnyBook:
    chosen = getattr(RulesetSettings.FromString(settings), slug)
    book = variant_of(variant).book if variant else registry.ruleset(slug).book
    return book.with_settings(wire.present(chosen))


# ---- Films

MOST_RUNS = 20_000
"""Runs of a rule for exact odds: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """An action of a film as it was ruled on again. Two are equal if their facts and rules are.

    Attributes:
        dice: Whether there were any.
    """

    ruleset: str
    rules_hash: str
    verb: Verb
    facts: Any
    seat: str = field(compare=False)
    outcome: Any = field(compare=False)
    dice: bool = field(compare=False)
    book: AnyBook = field(compare=False, repr=False)


def replayed(data: bytes, variant: str = "") -> Iterator[Ruled]:
    """The actions of a film, ruled on again with the faces that lie in it, up to an undo.

    Args:
        data: The film as JSON.
        variant: The text of the variant's file; empty for the rules as printed.

    Raises:
        LookupError: It was made under other rules than this package has.
    """
    film = json_format.Parse(data, Film())
    session = film.session
    slug = session.ruleset.rpartition("/")[2]
    found, book = registry.ruleset(slug), _book_of(session, variant)
    setup: Any = wire.read(getattr(session.setup, slug), found.setup, "setup")
    board = found.open_board(setup, book)
    for action in film.actions:
        name = action.WhichOneof("order")
        if name is None or name == "undo":
            return
        procedure = found.procedure(Verb(name))
        order: Any = wire.read(getattr(getattr(action, name), slug), procedure.order, name)
        facts = found.survey(board, action.seat, procedure.verb, order, book)
        dice = DealtDice(face for roll in action.rolls for face in roll.faces)
        ruling = procedure.rule(facts, book, dice)
        yield Ruled(
            ruleset=slug,
            rules_hash=book.digest,
            verb=procedure.verb,
            facts=facts,
            seat=action.seat,
            outcome=ruling.outcome,
            dice=bool(action.rolls),
            book=book,
        )
        board = found.apply(board, procedure.verb, order, ruling, book).board


def expectation(ruled: Ruled, figure: Callable[[Any], int]) -> tuple[float, float] | None:
    """Mean and variance of a figure of the outcome, by exact odds; None if they take too long."""
    rule = registry.ruleset(ruled.ruleset).procedure(ruled.verb).rule
    try:
        odds = odds_of(
            lambda dice: figure(rule(ruled.facts, ruled.book, dice).outcome), limit=MOST_RUNS
        )
    except TooLarge:
        return None
    mean = odds.mean(lambda value: value)
    return float(mean), float(odds.mean(lambda value: (value - mean) ** 2))
