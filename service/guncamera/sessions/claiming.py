"""Claiming and releasing seats, and deleting sessions: each is safe to repeat by its request id.

A claim that is repeated is told its token again. The token itself is kept nowhere: it follows from
a secret of the service and from the request, and of it a hash is kept as of any other.
"""

from __future__ import annotations

from guncamera.rules.refusal import Malformed
from guncamera.sessions import entropy, seating
from guncamera.sessions.keys import Scope
from guncamera.sessions.refusals import SeatTaken
from guncamera.sessions.session import Session, checked_request_id
from guncamera.sessions.shelf import Shelf, no_session, reused, unavailable
from guncamera.sessions.signing import service_secret
from guncamera.sessions.store import Repeated, RequestKey


def claim(
    shelf: Shelf, session_id: str, seat: str, request: RequestKey | None = None
) -> tuple[Session, str, bool]:
    """Claim a seat.

    Returns:
        The session, the token that now acts for the seat, and whether an earlier call with this
        request id had got it.

    Raises:
        SeatTaken: It has been claimed.
    """
    session, found = repeated_in(shelf, session_id, request)
    seating.known_seat(session, seat)
    token = _token_for(shelf, session, seat, request)
    if found is None:
        with unavailable():
            claimed = shelf.store.claim(
                session_id, seat, entropy.token_hash(token), request=request
            )
    else:
        claimed = found
    if claimed is None:
        raise no_session(session_id)
    if isinstance(claimed, Repeated):
        check_same(claimed, request)
        return session, token, True
    if not claimed:
        raise SeatTaken(
            f"Seat {seat!r} has been claimed. Its holder acts with the token given out then.",
            field="seat",
            seat=seat,
        )
    return shelf.load(session_id), token, False


def _token_for(shelf: Shelf, session: Session, seat: str, request: RequestKey | None) -> str:
    """A new token; the same one for the same request, for it is to be told again."""
    record = session.record
    if request is None:
        return entropy.new_token(record.id)
    with unavailable():
        secret = service_secret(shelf.store)
    about = (record.create_micros, seat, request.id, request.fingerprint)
    return entropy.token_from(secret, record.id, *about)


def repeated_in(
    shelf: Shelf, session_id: str, request: RequestKey | None
) -> tuple[Session, Repeated | None]:
    """A session, and what a request id was used for in it before.

    Raises:
        SessionNotFound: There is none.
    """
    checked_request_id(request.id if request else "")
    with unavailable():
        loaded = shelf.store.load(session_id, request_id=request.id if request else None)
    if loaded is None:
        raise no_session(session_id)
    return shelf.session_of(loaded), loaded.repeated


def check_same(found: Repeated, request: RequestKey | None) -> None:
    """Refuse a request id that was used for something else.

    Raises:
        RequestIdReused: It was.
    """
    if request is None or found.fingerprint != request.fingerprint or not found.answer:
        raise reused(request.id if request else "")


def release(
    shelf: Shelf,
    session_id: str,
    named: str,
    token: str | None,
    scope: Scope | None,
    request: RequestKey | None = None,
) -> tuple[Session, str, bool]:
    """Take a seat back from its token, so that it can be claimed again; what it sealed is dropped.

    Returns:
        The session, the seat, and whether an earlier call with this request id had done it.

    Raises:
        SeatUnknown, SeatForbidden: It is not the caller's to give up.
        Malformed: Neither token nor request says which.
    """
    session, found = repeated_in(shelf, session_id, request)
    if found is not None and request is not None and found.fingerprint == request.fingerprint:
        # The same caller, by the same token: which is none any more, just because this was done.
        return session, found.answer.decode(), True
    if not named and not token:
        raise Malformed("Say which seat to release.", field="seat")
    seat = seating.acting_seat(session, named, token, scope)
    if found is not None:
        raise reused(request.id if request else "")
    holder = session.claims.get(seat, "")
    if not holder and request is None:
        return session, seat, False
    with unavailable():
        # False if somebody else has released it meanwhile: then it is done.
        released = shelf.store.release(session_id, seat, holder, request=request)
    if released is None:
        raise no_session(session_id)
    if isinstance(released, Repeated):
        check_same(released, request)
        return session, released.answer.decode(), True
    return shelf.load(session_id), seat, False


def delete(
    shelf: Shelf,
    session_id: str,
    token: str | None,
    scope: Scope | None,
    request: RequestKey | None = None,
) -> bool:
    """Delete a session and its ledger.

    Returns:
        Whether an earlier call with this request id had done it.

    Raises:
        SeatForbidden: A seat is claimed, and the caller holds none.
    """
    # Before anything else: another session may have the name by now, and must stay.
    if request is not None and _was_deleted(shelf, session_id, request):
        return True
    session, found = repeated_in(shelf, session_id, request)
    seating.check_holds_a_seat(session, token, scope, enough=Scope.ADMIN)
    if found is not None:
        raise reused(request.id if request else "")
    with unavailable():
        deleted = shelf.store.delete(session_id, request=request)
    if isinstance(deleted, Repeated):
        if request is None or deleted.fingerprint != request.fingerprint:
            raise reused(request.id if request else "")
        return True
    if deleted:
        return False
    if request is not None and _was_deleted(shelf, session_id, request):
        return True  # the same call, at the same moment
    raise no_session(session_id)


def _was_deleted(shelf: Shelf, session_id: str, request: RequestKey) -> bool:
    checked_request_id(request.id)
    with unavailable():
        return shelf.store.deletion(session_id, request.id) == request.fingerprint
