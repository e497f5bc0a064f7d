"""What a seat may do now: listed, drawn, or an order followed as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Begun, LegalOrder, OrderSpace
from guncamera.sessions import entropy
from guncamera.sessions.listing import legal_orders, may_act
from guncamera.sessions.play import check_open
from guncamera.sessions.seating import check_active
from guncamera.sessions.session import Session

MOST_DRAWN = 100
MOST_LISTED = 1000
"""Where orders are listed, a draw is from so many at most: all may be a million, and take long."""
MOST_SEED_CHARACTERS = 64
MOST_BEGUN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Draw:
    """Orders that were drawn, and how many there were to draw from."""

    orders: tuple[LegalOrder, ...]
    drawn_from: int


def draw(session: Session, seat: str, count: int, seed: str) -> Draw:
    """Orders drawn from all that a seat may give, each by itself and each as likely as any other.

    Where the rule set lists its orders, from the first `MOST_LISTED` of them.

    Args:
        count: How many; `check_draw` has passed it, and the seed.
    """
    space = _space(session, seat) if may_act(session, seat) else None
    if space is not None:
        size = space.size
        numbers = (entropy.number_from(seed, nth, size) for nth in range(count))
        return Draw(tuple(space.nth(number) for number in numbers), size)
    listed = tuple(islice(legal_orders(session, seat), MOST_LISTED))
    if not listed:
        return Draw((), 0)
    size = len(listed)
    picked = (listed[entropy.number_from(seed, nth, size)] for nth in range(count))
    return Draw(tuple(picked), size)


def check_draw(count: int, seed: str) -> None:
    """Refuse a draw that is too large, or that follows from nothing."""
    if not 1 <= count <= MOST_DRAWN:
        raise Malformed(
            f"{count} orders to draw; give 1 to {MOST_DRAWN}.",
            field="sample_count",
            sample_count=count,
        )
    if not 1 <= len(seed) <= MOST_SEED_CHARACTERS:
        raise Malformed(
            f"A draw follows from a text of 1 to {MOST_SEED_CHARACTERS} characters, and this has "
            f"{len(seed)}. Give another one.",
            field="sample_seed",
            characters=len(seed),
        )


def begun(session: Session, seat: str, so_far: str) -> Begun:
    """What may follow an order that is begun.

    Raises:
        SessionFinished, SeatNotActive: Nothing may be begun.
        Malformed: Here all orders are listed; or the text is none.
        Illegal: No legal order begins so.
    """
    check_open(session)
    check_active(session, seat)
    if len(so_far) > MOST_BEGUN_CHARACTERS:
        raise Malformed(
            f"What is written so far has {len(so_far)} characters; at most "
            f"{MOST_BEGUN_CHARACTERS} are read.",
            field="so_far",
            characters=len(so_far),
        )
    space = _space(session, seat)
    if space is None:
        raise Malformed(
            "No order is written code by code here: all that may be given now are listed. Leave "
            "so_far out and take one of them.",
            field="so_far",
            ruleset=session.record.ruleset.slug,
        )
    return space.begun(so_far)


def _space(session: Session, seat: str) -> OrderSpace | None:
    record = session.record
    return record.ruleset.order_space(session.state.board, seat, record.book)
