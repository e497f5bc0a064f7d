"""Who may act for a seat: tokens, claims, keys, and whose turn it is.

A caller has a seat's token, or a key of some scope, or neither where the service stands open.
Without a token a caller may act for the seats that nobody has claimed, unless a scope says more or
less.
"""

from __future__ import annotations

import hmac

from guncamera.rules.refusal import Malformed
from guncamera.sessions.entropy import token_hash
from guncamera.sessions.keys import Scope
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


def acting_seat(session: Session, named: str, token: str | None, scope: Scope | None) -> str:
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
    if seat in session.claims and not _may(scope, Scope.REFEREE):
        raise SeatForbidden(
            f"Seat {seat!r} is claimed. Send its token as `Authorization: Bearer …`; where that is "
            "lost, whoever runs the service can free the seat.",
            seat=seat,
        )
    return seat


def _only_seat(session: Session) -> str:
    # Where spectators are behind the game, a refusal must not tell them whose turn it is.
    active = () if session.record.spectator_delay_seconds else session.state.active_seats
    seats = tuple(seat.id for seat in session.record.seats)
    for one in (active, seats):
        if len(one) == 1:
            return one[0]
    raise Malformed(f"Several seats may act; say which of {', '.join(seats)}.", field="seat")


def viewing_seat(
    session: Session, named: str, token: str | None, scope: Scope | None
) -> str | None:
    """The seat whose view a call may have; None is a spectator.

    Raises:
        SeatUnknown, SeatForbidden: The caller does not hold it.
    """
    if not named and not token:
        return None
    if scope is Scope.READ:
        raise SeatForbidden("A key with the scope `read` looks on as a spectator: name no seat.")
    return acting_seat(session, named, token, scope)


def check_active(session: Session, seat: str) -> None:
    """Refuse a seat that may not act now."""
    active = session.state.active_seats
    if seat not in active:
        raise SeatNotActive(
            f"Seat {seat!r} may not act now; {', '.join(active)} may.",
            seat=seat,
            active=", ".join(active),
        )


def check_holds_a_seat(
    session: Session, token: str | None, scope: Scope | None, *, enough: Scope
) -> None:
    """Once a seat is claimed, refuse a caller without a seat's token or a scope that is enough."""
    held = seat_of_token(session, token)  # first: a wrong token is refused whatever is claimed
    if held is None and session.claims and not _may(scope, enough):
        raise SeatForbidden("A seat is claimed: only who holds a seat may do this.")


def _may(scope: Scope | None, enough: Scope) -> bool:
    return scope is not None and scope >= enough
