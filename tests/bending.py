"""Orders that rules refuse, made of legal ones of any rule set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Refusal, RollRequired
from guncamera.rules.ruleset import LegalOrder, Ruleset
from guncamera.rules.shape import is_within

LOOKED_AT = 6
"""Legal orders of a board that are bent, and into how many each."""
BENT = 12


def tried(found: Ruleset, board: Any, seat: str, first: LegalOrder) -> Iterator[LegalOrder]:
    """An order of the opening, and legal ones with one part made otherwise."""
    yield first
    for order in islice(found.legal_orders(board, seat, found.book), LOOKED_AT):
        made = (one for one in bent(order.order) if is_within(one))
        yield from (replace(order, order=one) for one in islice(made, BENT))


def bent(value: Any) -> Iterator[Any]:
    """A value with one of its parts made otherwise, for each of them."""
    if is_dataclass(value):
        for field in fields(value):
            for made in bent(getattr(value, field.name)):
                yield replace(value, **{field.name: made})
    elif isinstance(value, tuple):
        for at, item in enumerate(value):
            yield from ((*value[:at], made, *value[at + 1 :]) for made in bent(item))
        if value:
            yield (*value, value[0])
            yield value[1:]
    elif isinstance(value, StrEnum):
        yield from (one for one in type(value) if one is not value)
    elif isinstance(value, str):
        yield f"{value} {value}"
        yield f"{value} 9"
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (value + 9, value - 1)


def refused(found: Ruleset, board: Any, seat: str, order: LegalOrder) -> Refusal | None:
    """What a rule says of an order without dice; None if it lets the order pass."""
    try:
        facts = found.survey(board, seat, order.verb, order.order, found.book)
        found.procedure(order.verb).rule(facts, found.book, DealtDice(()))
    except RollRequired:
        return None
    except Refusal as refusal:
        return refusal
    return None
