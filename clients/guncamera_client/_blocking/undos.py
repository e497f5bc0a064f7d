# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""Taking back what was done, alone or by agreement."""

from __future__ import annotations

from guncamera.v1.session_service_pb2 import Session, UndoRequest, UndoResponse

from guncamera_client._blocking.calls import Calls, new_request_id
from guncamera_client._names import session_name


class UndoCalls(Calls):
    """The call of `SessionService` that takes actions back."""

    def undo(
        self,
        session: str | Session,
        *,
        to_revision: int | None = None,
        by_agreement: bool = False,
        seat: str = "",
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
    ) -> UndoResponse:
        """Takes back everything after a revision: the board becomes what it was then.

        The undo is itself an action of the ledger. A seat takes its own actions back alone, as
        long as no dice fell in them, nothing was revealed and nothing is hidden in the game. The
        rest is by agreement: every seat makes the same call, and the last one takes it back.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            to_revision: The revision to go back to, from 0, the opening; None, the one before the
                last action, or the last reveal.
            by_agreement: Ask the other seats where this one may not take it back alone.
            seat: Who asks, where neither the token nor the session leaves only one.
            etag: The session's etag, if the undo is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same answer. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, offer and take back nothing.

        Returns:
            The undo as an action, or the seats that have still to agree.

        Raises:
            UndoNeedsAgreement: it is not for one seat alone; `facts["cause"]` says why.
            UndoImpossible: it is not even for all seats together.
            StaleState: the session has moved on since `etag`, or while the call was on its way.
            SeatForbidden, SeatUnknown: it is not this client's seat.
            SessionFinished, SessionNotFound: there is nothing to take back.
            Unavailable: given up; it may have been done. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            answer = client.undo(session, to_revision=4, by_agreement=True, seat="red")
            print(list(answer.waiting_seats) or answer.action.summary)
            ```
        """
        request = UndoRequest(
            name=session_name(session),
            seat=seat,
            to_revision=to_revision,
            by_agreement=by_agreement,
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
        )
        return self._call("Undo", request, UndoResponse)
