# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""Who holds what: seats claimed and released, sessions deleted."""

from __future__ import annotations

from google.protobuf.empty_pb2 import Empty
from guncamera.v1.session_service_pb2 import (
    ClaimSeatRequest,
    ClaimSeatResponse,
    DeleteSessionRequest,
    ReleaseSeatRequest,
    Seat,
    Session,
)

from guncamera_client._blocking.calls import Calls, new_request_id
from guncamera_client._names import session_name


class SeatCalls(Calls):
    """The calls of `SessionService` that give seats and sessions to somebody, or to nobody."""

    def delete_session(self, session: str | Session, *, request_id: str | None = None) -> None:
        """Deletes a session and its ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            request_id: A UUID; a repeated call with the same one, within a day, deletes no other
                session that has the name since. None makes one, so that this call repeats itself
                safely.

        Raises:
            SessionNotFound: there is none of this name.
            SeatForbidden: its seats are claimed, and this client has no token of theirs, nor an
                admin's key.

        Example:
            ```python
            client.delete_session(session)
            ```
        """
        request = DeleteSessionRequest(
            name=session_name(session), request_id=request_id or new_request_id()
        )
        self._call("DeleteSession", request, Empty)

    def claim_seat(
        self, session: str | Session, seat: str, *, request_id: str | None = None
    ) -> ClaimSeatResponse:
        """Claims a seat: from then on only the token returned may act for it.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: The seat's id: `pilot`.
            request_id: A UUID; a repeated call with the same one returns the same token. None
                makes one, so that this call repeats itself safely. Keep it to yourself.

        Returns:
            The seat and its token, which nobody else is shown; give it to `with_token`.

        Raises:
            SeatTaken: somebody has claimed it.

        Example:
            ```python
            pilot = client.with_token(client.claim_seat(session, "pilot").token)
            ```
        """
        request = ClaimSeatRequest(
            name=session_name(session), seat=seat, request_id=request_id or new_request_id()
        )
        return self._call("ClaimSeat", request, ClaimSeatResponse)

    def release_seat(
        self, session: str | Session, seat: str = "", *, request_id: str | None = None
    ) -> Seat:
        """Takes a seat back from its token, so that it can be claimed again.

        The token acts for nobody from then on, and what the seat has sealed is dropped.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: The seat's id; empty for the one whose token this client has.
            request_id: A UUID; a repeated call with the same one takes the seat from nobody who
                has claimed it since. None makes one, so that this call repeats itself safely.

        Raises:
            SeatForbidden: it is claimed, and this client has not its token.
            ScopeMissing: this client's key is no referee's.

        Example:
            ```python
            client.release_seat(session, "pilot")
            ```
        """
        request = ReleaseSeatRequest(
            name=session_name(session), seat=seat, request_id=request_id or new_request_id()
        )
        return self._call("ReleaseSeat", request, Seat)
