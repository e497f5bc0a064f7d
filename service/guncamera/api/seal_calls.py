"""The calls of SessionService that seal and reveal orders: translate, play, translate back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guncamera.api import wire
from guncamera.api.as_written import as_written
from guncamera.api.caller import Caller
from guncamera.api.names import session_id_of
from guncamera.api.repeats import fingerprint_of
from guncamera.api.rulings import chosen
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions import sealing
from guncamera.sessions.listing import checked_nearest
from guncamera.sessions.play import Submission
from guncamera.sessions.session import revision_of
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb


class SealCalls:
    """One method for each of these calls.

    Attributes:
        clock: Microseconds since 1970 UTC.
    """

    shelf: Shelf
    clock: Callable[[], int]

    def SealOrder(  # noqa: N802  # named as in the proto
        self, request: pb.SealOrderRequest, caller: Caller
    ) -> pb.SealOrderResponse:
        """Seal an order; the last one reveals all."""
        try:
            return self._seal(request, caller)
        except Refusal as refusal:
            raise as_written(refusal, request) from None

    def _seal(self, request: pb.SealOrderRequest, caller: Caller) -> pb.SealOrderResponse:
        submission = _submission(request, caller)
        if request.validate_only:
            answer = sealing.check_seal(self.shelf.load(submission.session_id), submission)
            revealed = False
        else:
            answer, caller.notes.replayed = sealing.seal(self.shelf, self.clock, submission)
            revealed = answer.revealed
        return pb.SealOrderResponse(
            seat=answer.seat,
            revision=answer.revision,
            waiting_seats=answer.waiting_seats,
            revealed=revealed,
        )

    def RevealOrders(  # noqa: N802
        self, request: pb.RevealOrdersRequest, caller: Caller
    ) -> pb.RevealOrdersResponse:
        """Reveal at the deadline."""
        call = sealing.RevealCall(
            session_id=session_id_of(request.name),
            seat=request.seat,
            token=caller.token,
            scope=caller.scope,
            request_id=request.request_id,
            fingerprint=fingerprint_of("reveal-orders", request, caller),
        )
        answer, caller.notes.replayed = sealing.reveal(self.shelf, self.clock, call)
        return pb.RevealOrdersResponse(
            first_revision=answer.first_revision,
            revision=answer.revision,
            late_seats=answer.late_seats,
        )


def _submission(request: pb.SealOrderRequest, caller: Caller) -> Submission:
    session_id = session_id_of(request.name)
    verb = Verb(chosen(request, "order", "order"))
    message = getattr(request, verb)
    found = ruleset(chosen(message, "ruleset", verb))
    caller.notes.ruleset = found.slug
    order: Any = wire.read_asked(
        getattr(message, found.slug), found.procedure(verb).order, f"{verb}.{found.slug}"
    )
    return Submission(
        session_id=session_id,
        slug=found.slug,
        verb=verb,
        order=order,
        seat=request.seat,
        token=caller.token,
        scope=caller.scope,
        expected_revision=revision_of(request.etag),
        request_id=request.request_id,
        fingerprint=fingerprint_of("seal-order", request, caller),
        nearest_count=checked_nearest(request.nearest_count),
    )
