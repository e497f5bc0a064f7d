"""The call of SessionService that takes actions back: translate, undo, translate back."""

from __future__ import annotations

from collections.abc import Callable

from guncamera.api.caller import Caller
from guncamera.api.films import action_message
from guncamera.api.names import session_id_of
from guncamera.api.repeats import fingerprint_of
from guncamera.sessions import undoing
from guncamera.sessions.session import etag_of, revision_of
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb


class UndoCalls:
    """One method for this call.

    Attributes:
        clock: Microseconds since 1970 UTC.
    """

    shelf: Shelf
    clock: Callable[[], int]

    def Undo(  # noqa: N802  # named as in the proto
        self, request: pb.UndoRequest, caller: Caller
    ) -> pb.UndoResponse:
        """Take actions back, or ask the other seats to agree to it."""
        call = undoing.UndoCall(
            session_id=session_id_of(request.name),
            to_revision=request.to_revision if request.HasField("to_revision") else None,
            by_agreement=request.by_agreement,
            seat=request.seat,
            token=caller.token,
            scope=caller.scope,
            expected_revision=revision_of(request.etag),
            request_id=request.request_id,
            fingerprint=fingerprint_of("undo", request, caller),
        )
        if request.validate_only:
            return _response(undoing.preview(self.shelf, call))
        answer, caller.notes.replayed = undoing.undo(self.shelf, self.clock, call)
        response = _response(answer)
        if not answer.waiting_seats:
            session = self.shelf.load(call.session_id)
            caller.notes.ruleset = session.record.ruleset.slug
            entry = self.shelf.action(session, answer.revision)
            response.action.CopyFrom(action_message(session.record, entry))
        return response


def _response(answer: undoing.UndoAnswer) -> pb.UndoResponse:
    return pb.UndoResponse(
        to_revision=answer.to_revision,
        agreed_seats=answer.agreed_seats,
        waiting_seats=answer.waiting_seats,
        revision=answer.revision,
        etag=etag_of(answer.revision),
    )
