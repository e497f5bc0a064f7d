"""The calls of SessionService that follow a session: the stream and the poll tell the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from guncamera.api.caller import Caller
from guncamera.api.films import action_message, session_message
from guncamera.api.names import session_id_of
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.rules.refusal import Malformed
from guncamera.sessions import watch
from guncamera.sessions.cursors import Cursor, read_cursor
from guncamera.sessions.delay import View, view_of
from guncamera.sessions.seating import viewing_seat
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.views import entry_for
from guncamera.v1 import session_service_pb2 as pb


class WatchCalls:
    """One method for each of these calls.

    Attributes:
        clock: Microseconds since 1970 UTC.
        draining: Whether the service is about to stop, and streams should end.
    """

    page_tokens: PageTokens
    shelf: Shelf
    clock: Callable[[], int]
    draining: Callable[[], bool]

    def ListActions(  # noqa: N802  # named as in the proto
        self, request: pb.ListActionsRequest, caller: Caller
    ) -> pb.ListActionsResponse:
        """Read the ledger, or wait for what comes next."""
        size = page_size(request.page_size, default=100, most=500)
        _check_poll(request)
        session_id = session_id_of(request.parent, "parent")
        watched = self._watched(session_id, request.seat, caller)
        view = watched.look()
        bound = ("actions", session_id, request.after_revision, view.seat, size)
        after = int(self.page_tokens.read(request.page_token, *bound) or request.after_revision)
        start = read_cursor(request.cursor) if request.cursor else after
        polled = watch.poll(watched, view, start, limit=size, wait_seconds=request.wait_seconds)
        response = pb.ListActionsResponse(
            revision=polled.view.session.revision, cursor=str(polled.cursor)
        )
        for told in polled.told:
            _fill_answer(self.shelf, response, told.said)
        if not request.cursor and polled.cursor.revision < response.revision:
            response.next_page_token = self.page_tokens.make(str(polled.cursor.revision), *bound)
        return response

    def WatchSession(  # noqa: N802
        self, request: pb.WatchSessionRequest, caller: Caller
    ) -> Iterator[pb.WatchSessionResponse]:
        """Stream the ledger. Closing the iterator frees everything it holds."""
        start: Cursor | int | None = None
        if request.HasField("start_revision"):
            start = request.start_revision
            if start < 1:
                raise Malformed("Revisions count from 1.", field="start_revision")
        if request.cursor:
            if start is not None:
                raise Malformed("A cursor says where to start; send one of both.", field="cursor")
            start = read_cursor(request.cursor)
        watched = self._watched(session_id_of(request.name), request.seat, caller)
        for told in watch.watch(watched, start):
            yield _message(self.shelf, told)

    def _watched(self, session_id: str, seat: str, caller: Caller) -> watch.Watched:
        def look() -> View:
            session = self.shelf.load(session_id)
            caller.notes.ruleset = session.record.ruleset.slug
            caller.check_standing()  # it may have been let in long ago
            viewer = viewing_seat(session, seat, caller.token, caller.scope)
            return view_of(self.shelf, session, viewer, self.clock)

        def is_to_end() -> bool:
            return self.draining() or caller.has_left()

        return watch.Watched(self.shelf, session_id, look, self.clock, is_to_end)


def _check_poll(request: pb.ListActionsRequest) -> None:
    if request.after_revision < 0 or not 0 <= request.wait_seconds <= watch.MAX_WAIT_SECONDS:
        raise Malformed(
            f"Give after_revision from 0 and wait_seconds from 0 to {watch.MAX_WAIT_SECONDS}.",
            field="after_revision" if request.after_revision < 0 else "wait_seconds",
        )
    if request.cursor and (request.after_revision or request.page_token):
        raise Malformed(
            "A cursor says where to go on; leave after_revision and page_token out.",
            field="cursor",
        )


def _message(shelf: Shelf, told: watch.Told) -> pb.WatchSessionResponse:
    message = pb.WatchSessionResponse(cursor=str(told.cursor))
    match told.said:
        case watch.Seen():
            message.action.CopyFrom(_action(shelf, told.said))
        case watch.Sealed(seats):
            message.sealed.SetInParent()  # it may be said that none has any more
            message.sealed.seats.extend(seats)
        case watch.Offered(offers):
            message.undo_offers.CopyFrom(_offers(offers))
        case watch.Heartbeat(revision):
            message.heartbeat.revision = revision
        case watch.Resync():
            message.resync.CopyFrom(_resync(told.said))
        case watch.End(revision, cause):
            message.end.revision = revision
            message.end.cause = cause
    return message


def _fill_answer(shelf: Shelf, response: pb.ListActionsResponse, said: watch.Said) -> None:
    match said:
        case watch.Seen():
            response.actions.append(_action(shelf, said))
        case watch.Sealed(seats):
            response.sealed.SetInParent()
            response.sealed.seats.extend(seats)
        case watch.Offered(offers):
            response.undo_offers.CopyFrom(_offers(offers))
        case watch.Resync():
            response.resync.CopyFrom(_resync(said))
        case watch.End(revision, cause):
            response.end.revision = revision
            response.end.cause = cause


def _action(shelf: Shelf, seen: watch.Seen) -> pb.Action:
    session = seen.view.session
    shown = entry_for(shelf, session, seen.action, seen.view.seat)
    return action_message(session.record, shown)


def _offers(offers: Iterable[tuple[str, int]]) -> pb.UndoOffers:
    return pb.UndoOffers(
        offers=[pb.UndoOffer(seat=seat, to_revision=back) for seat, back in offers]
    )


def _resync(said: watch.Resync) -> pb.Resync:
    return pb.Resync(cause=said.cause, session=session_message(said.view.session, said.view.seat))
