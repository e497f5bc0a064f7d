"""Who may act for a seat: tokens, claims, and whose turn it is."""

from __future__ import annotations

import hmac

from guncamera.rules.refusal import Malformed
from guncamera.sessions.entropy import token_hash
from guncamera.sessions.refusals import SeatForbidden, SeatNotActive, SeatUnknown
from guncamera.sessions.session import Session


def known_seat(session: Session, seat: str) -> str:
    """The seat, if the session has it.

    Raises:
        Malformed: It has not.
    """
    ids = [one.id for one in session.record.seats]
    if seat not in ids:
        raise Malformed(
            f"This session has no seat {seat[:63]!r}; it has {', '.join(ids)}.",
            field="seat",
            seat=seat[:63],
        )
    return seat


def seat_of_token(session: Session, token: str | None) -> str | None:
    """The seat a token holds; None without a token.

    Raises:
        SeatUnknown: The token is no seat's here.
    """
    if not token:
        return None
    hashed = token_hash(token)
    found = None
    for seat, claim in session.claims.items():  # every claim is compared, for even timing
        if hmac.compare_digest(claim, hashed):
            found = seat
    if found is None:
        raise SeatUnknown("This token holds no seat in this session. Claim one, or send none.")
    return found


def acting_seat(session: Session, named: str, token: str | None) -> str:
    """The seat that a call acts for: the token's, the one named, or the only one there is.

    Raises:
        SeatUnknown, SeatForbidden: The caller does not hold it.
        Malformed: No seat is named and several could be meant, or the name is unknown.
    """
    held = seat_of_token(session, token)
    if held is not None:
        if named and named != held:
            raise SeatForbidden(f"This token holds seat {held!r}, not {named[:63]!r}.", seat=held)
        return held
    seat = known_seat(session, named) if named else _only_seat(session)
    if seat in session.claims:
        raise SeatForbidden(
            f"Seat {seat!r} is claimed. Send its token as `Authorization: Bearer …`.", seat=seat
        )
    return seat


def _only_seat(session: Session) -> str:
    for seats in (session.state.active_seats, tuple(s.id for s in session.record.seats)):
        if len(seats) == 1:
            return seats[0]
    raise Malformed("Several seats may act; say which.", field="seat")


def viewing_seat(session: Session, named: str, token: str | None) -> str | None:
    """The seat whose view a call may have; None is a spectator.

    Raises:
        SeatUnknown, SeatForbidden: The caller does not hold it.
    """
    if not named and not token:
        return None
    return acting_seat(session, named, token)


def check_active(session: Session, seat: str) -> None:
    """Refuse a seat that may not act now."""
    active = session.state.active_seats
    if seat not in active:
        raise SeatNotActive(
            f"Seat {seat!r} may not act now; {', '.join(active)} may.",
            seat=seat,
            active=", ".join(active),
        )


def check_holds_a_seat(session: Session, token: str | None) -> None:
    """Refuse a caller without a seat's token once any seat is claimed."""
    if session.claims and seat_of_token(session, token) is None:
        raise SeatForbidden("A seat is claimed: only who holds a seat may do this.")
