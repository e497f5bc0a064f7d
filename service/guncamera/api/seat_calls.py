"""The calls of SessionService that claim and release seats, and delete sessions."""

from __future__ import annotations

from google.protobuf import empty_pb2

from guncamera.api.caller import Caller
from guncamera.api.names import session_id_of
from guncamera.api.repeats import request_key
from guncamera.sessions import claiming
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb


class SeatCalls:
    """One method for each of these calls."""

    shelf: Shelf

    def DeleteSession(  # noqa: N802  # named as in the proto
        self, request: pb.DeleteSessionRequest, caller: Caller
    ) -> empty_pb2.Empty:
        """Delete a session."""
        session_id = session_id_of(request.name)
        key = request_key("delete-session", request, caller)
        caller.notes.replayed = claiming.delete(
            self.shelf, session_id, caller.token, caller.scope, key
        )
        return empty_pb2.Empty()

    def ClaimSeat(  # noqa: N802
        self, request: pb.ClaimSeatRequest, caller: Caller
    ) -> pb.ClaimSeatResponse:
        """Claim a seat; its token is shown this once, and again to the same request."""
        session_id = session_id_of(request.name)
        key = request_key("claim-seat", request, caller)
        session, token, caller.notes.replayed = claiming.claim(
            self.shelf, session_id, request.seat, key
        )
        caller.notes.ruleset = session.record.ruleset.slug
        return pb.ClaimSeatResponse(seat=_seat(session, request.seat, claimed=True), token=token)

    def ReleaseSeat(  # noqa: N802
        self, request: pb.ReleaseSeatRequest, caller: Caller
    ) -> pb.Seat:
        """Take a seat back from its token."""
        session_id = session_id_of(request.name)
        key = request_key("release-seat", request, caller)
        session, released, caller.notes.replayed = claiming.release(
            self.shelf, session_id, request.seat, caller.token, caller.scope, key
        )
        caller.notes.ruleset = session.record.ruleset.slug
        return _seat(session, released, claimed=False)


def _seat(session: Session, seat: str, *, claimed: bool) -> pb.Seat:
    """A seat as an answer about it says, whatever has become of it since."""
    one = next(one for one in session.record.seats if one.id == seat)
    return pb.Seat(id=one.id, side=one.side, title=one.title, claimed=claimed)
