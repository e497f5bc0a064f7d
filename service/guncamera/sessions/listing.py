"""The orders that a seat may give now: all of them, or those nearest to one that was refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from guncamera.rules.nearest import Nearest, nearest
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.sessions.session import Session

MOST_COMPARED = 400
"""So many legal orders are looked at for the nearest: all may be a million, and take long."""
MOST_NEAREST = 3


def may_act(session: Session, seat: str) -> bool:
    """Whether a seat has anything to order."""
    return not session.finished and seat in session.state.active_seats


def legal_orders(session: Session, seat: str) -> Iterator[LegalOrder]:
    """What a seat may do now, lazily and in a fixed order; nothing when it may not act."""
    record = session.record
    if not may_act(session, seat):
        return iter(())
    return record.ruleset.legal_orders(session.state.board, seat, record.book)


def nearest_orders(
    session: Session, seat: str, verb: Verb, order: Any, count: int
) -> Nearest | None:
    """What a seat may order in place of an order that a rule refused.

    It is made of what `legal_orders` is made of, and knows nothing of what others have sealed.

    Args:
        count: How many to tell, as `checked_nearest` passed it; with 0 nothing is looked at.
    """
    if not count:
        return None
    record = session.record
    found, near = record.ruleset, record.ruleset.orders_near
    if near is None or not may_act(session, seat):
        listed = legal_orders(session, seat)
    else:
        listed = near(session.state.board, seat, order, record.book)
    return nearest(found.slug, verb, order, islice(listed, MOST_COMPARED), count)


def checked_nearest(count: int) -> int:
    """How many orders are asked for in place of a refused one.

    Raises:
        Malformed: More than are told, or fewer than none.
    """
    if not 0 <= count <= MOST_NEAREST:
        raise Malformed(
            f"{count} orders to tell if this one is refused; give 0 to {MOST_NEAREST}.",
            field="nearest_count",
            nearest_count=count,
        )
    return count
