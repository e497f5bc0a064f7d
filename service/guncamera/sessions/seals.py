"""What is sealed in a session, by whom, and whose order is still awaited."""

from __future__ import annotations

from typing import Any

from guncamera.rules.ruleset import Verb
from guncamera.sessions.codec import decode_order
from guncamera.sessions.refusals import NothingToSeal, SealRequired
from guncamera.sessions.session import Session


def sealed_verb(session: Session) -> Verb | None:
    """The verb whose orders are sealed now; None where orders are given openly."""
    if session.finished:
        return None
    return session.record.ruleset.sealed_verb(session.state.board)


def sealed_seats(session: Session) -> tuple[str, ...]:
    """The seats that have sealed an order, in the order of the session's seats."""
    return tuple(seat.id for seat in session.record.seats if seat.id in session.seals)


def awaited_seats(session: Session) -> tuple[str, ...]:
    """The seats of which each seals one order in this phase, in the order of the seats."""
    active = session.state.active_seats
    return tuple(seat.id for seat in session.record.seats if seat.id in active)


def sealed_order(session: Session, seat: str | None) -> tuple[Verb, Any] | None:
    """What a seat has sealed. To be shown to that seat alone."""
    data = session.seals.get(seat) if seat is not None else None
    return None if data is None else decode_order(data, session.record.ruleset)


def reveal_micros(session: Session) -> int | None:
    """From when on the orders may be revealed without waiting; None for never."""
    seconds, found = session.record.seal_seconds, session.record.ruleset
    if not seconds or found.default_order is None or sealed_verb(session) is None:
        return None
    return session.state.changed_micros + seconds * 1_000_000


def check_given_openly(session: Session, verb: Verb) -> None:
    """Refuse an order that is to be sealed in this phase.

    Raises:
        SealRequired: It is.
    """
    if sealed_verb(session) is verb:
        raise SealRequired(
            f"A {verb} is chosen in secret in this phase. Send the order with SealOrder; all are "
            "revealed when every active seat has sealed one.",
            verb=verb.value,
        )


def check_sealed(session: Session, verb: Verb | None = None) -> None:
    """Refuse to seal, or to reveal, where orders of the verb, or any, are given openly.

    Raises:
        NothingToSeal: They are.
    """
    sealed = sealed_verb(session)
    if sealed is None:
        raise NothingToSeal("Orders are given openly in this phase. Call the verb itself.")
    if verb is not None and verb is not sealed:
        raise NothingToSeal(
            f"A {sealed} is sealed in this phase, not a {verb}. Call {verb} itself, or seal a "
            f"{sealed}.",
            verb=verb.value,
            sealed_verb=sealed.value,
        )
