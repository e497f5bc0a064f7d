"""SessionService: translate, play, translate back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from google.api import httpbody_pb2
from google.protobuf import empty_pb2

from guncamera.api import wire
from guncamera.api.caller import Caller
from guncamera.api.films import FILM_FORMAT, action_message, read_film, session_message
from guncamera.api.in_steps import InSteps
from guncamera.api.names import action_of, session_id_of
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.api.rulings import chosen, fill_ask, fill_outcome, read_dice, read_settings
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions import creating, entropy, film, play, watch
from guncamera.sessions.refusals import FilmInvalid
from guncamera.sessions.seating import acting_seat, viewing_seat
from guncamera.sessions.session import Session, checked_session_id, revision_of
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.views import action_for, board_for, check_may_be_filmed
from guncamera.v1 import session_service_pb2 as pb


class SessionCalls:
    """One method for each call of SessionService.

    Attributes:
        clock: Microseconds since 1970 UTC.
        draining: Whether the service is about to stop, and streams should end.
    """

    page_tokens: PageTokens
    shelf: Shelf
    clock: Callable[[], int]
    draining: Callable[[], bool]

    def CreateSession(  # noqa: N802  # named as in the proto
        self, request: pb.CreateSessionRequest, caller: Caller
    ) -> pb.Session:
        """Create a session."""
        found = ruleset(chosen(request.setup, "ruleset", "setup"))
        setup: Any = wire.read(
            getattr(request.setup, found.slug), found.setup, f"setup.{found.slug}"
        )
        session, caller.notes.replayed = creating.create(
            self.shelf,
            self.clock(),
            creating.Creation(
                ruleset=found,
                setup=setup,
                settings=read_settings(request.settings, found),
                session_id=request.session_id,
                dice_seed=request.dice_seed,
                request_id=request.request_id,
                ttl_seconds=request.ttl_seconds,
                seal_seconds=request.seal_seconds,
            ),
        )
        return session_message(session, None)

    def GetSession(  # noqa: N802
        self, request: pb.GetSessionRequest, caller: Caller
    ) -> pb.Session:
        """Read a session as one seat sees it."""
        session = self.shelf.load(session_id_of(request.name))
        return session_message(session, viewing_seat(session, request.seat, caller.token))

    def ListSessions(  # noqa: N802
        self, request: pb.ListSessionsRequest, _caller: Caller
    ) -> pb.ListSessionsResponse:
        """List sessions, without boards."""
        size = page_size(request.page_size, default=50, most=100)
        after = self.page_tokens.read(request.page_token, "sessions", size)
        sessions, more = self.shelf.page(after=after, limit=size)
        return pb.ListSessionsResponse(
            sessions=[session_message(one, None, with_board=False) for one in sessions],
            next_page_token=self.page_tokens.make(more, "sessions", size),
        )

    def DeleteSession(  # noqa: N802
        self, request: pb.DeleteSessionRequest, caller: Caller
    ) -> empty_pb2.Empty:
        """Delete a session."""
        self.shelf.delete(session_id_of(request.name), caller.token)
        return empty_pb2.Empty()

    def ClaimSeat(  # noqa: N802
        self, request: pb.ClaimSeatRequest, _caller: Caller
    ) -> pb.ClaimSeatResponse:
        """Claim a seat; its token is shown this once."""
        session, token = play.claim(self.shelf, session_id_of(request.name), request.seat)
        seats = session_message(session, None, with_board=False).seats
        return pb.ClaimSeatResponse(
            seat=next(seat for seat in seats if seat.id == request.seat), token=token
        )

    def Move(self, request: pb.MoveRequest, caller: Caller) -> pb.Action:  # noqa: N802
        """Rule on an order to move."""
        return self._act(Verb.MOVE, request, caller)

    def Wind(self, request: pb.WindRequest, caller: Caller) -> pb.Action:  # noqa: N802
        """Rule on the wind."""
        return self._act(Verb.WIND, request, caller)

    def Spot(self, request: pb.SpotRequest, caller: Caller) -> pb.Action:  # noqa: N802
        """Rule on an order to look."""
        return self._act(Verb.SPOT, request, caller)

    def Fire(self, request: pb.FireRequest, caller: Caller) -> pb.Action:  # noqa: N802
        """Rule on an order to fire."""
        return self._act(Verb.FIRE, request, caller)

    def Damage(self, request: pb.DamageRequest, caller: Caller) -> pb.Action:  # noqa: N802
        """Rule on an order about damage."""
        return self._act(Verb.DAMAGE, request, caller)

    def _act(self, verb: Verb, request: Any, caller: Caller) -> pb.Action:
        return run(self.shelf.store, self._acting(verb, request, caller))

    def _acting(self, verb: Verb, request: Any, caller: Caller) -> Steps[pb.Action]:
        submission = _submission(verb, request, caller)
        if request.validate_only:
            preview = play.preview(self.shelf, submission)
            session, action = preview.session, preview.action
            message = action_message(session.record, action_for(session, action, action.seat))
            if preview.would_ask is not None:
                fill_ask(message.would_ask, preview.would_ask)
            return message
        acted = yield from play.acting(self.shelf, self.clock, submission)
        caller.notes.replayed = acted.replayed
        seat = acted.action.seat
        return action_message(acted.session.record, action_for(acted.session, acted.action, seat))

    @property
    def in_steps(self) -> InSteps:
        """The verbs' calls as steps, for a transport that takes steps of many calls together."""
        return InSteps(
            {verb.value.title(): partial(self._acting, verb) for verb in Verb},
            self.shelf.store.exchange,
            self.shelf.store.send,
        )

    def ListLegalOrders(  # noqa: N802
        self, request: pb.ListLegalOrdersRequest, caller: Caller
    ) -> pb.ListLegalOrdersResponse:
        """What a seat may do now."""
        session = self.shelf.load(session_id_of(request.name))
        seat = acting_seat(session, request.seat, caller.token)
        size = page_size(request.page_size, default=100, most=1000)
        bound = ("legal", session.record.id, session.revision, seat, size)
        start = int(self.page_tokens.read(request.page_token, *bound) or 0)
        orders = list(islice(play.legal_orders(session, seat), start, start + size + 1))
        more = str(start + size) if len(orders) > size else None
        response = pb.ListLegalOrdersResponse(
            revision=session.revision, next_page_token=self.page_tokens.make(more, *bound)
        )
        for order in orders[:size]:
            message = response.orders.add(summary=order.summary)
            slug = session.record.ruleset.slug
            fill_outcome(getattr(message, order.verb.value), slug, order.order)
        return response

    def GetAction(  # noqa: N802
        self, request: pb.GetActionRequest, caller: Caller
    ) -> pb.Action:
        """Read one action."""
        session_id, revision = action_of(request.name)
        session = self.shelf.load(session_id)
        seat = viewing_seat(session, request.seat, caller.token)
        action = self.shelf.action(session, revision)
        return action_message(session.record, action_for(session, action, seat))

    def ListActions(  # noqa: N802
        self, request: pb.ListActionsRequest, caller: Caller
    ) -> pb.ListActionsResponse:
        """Read the ledger, or wait for the next action."""
        size = page_size(request.page_size, default=100, most=500)
        if request.after_revision < 0 or not 0 <= request.wait_seconds <= watch.MAX_WAIT_SECONDS:
            raise Malformed(
                f"Give after_revision from 0 and wait_seconds from 0 to {watch.MAX_WAIT_SECONDS}.",
                field="after_revision" if request.after_revision < 0 else "wait_seconds",
            )
        session = self.shelf.load(session_id_of(request.parent, "parent"))
        seat = viewing_seat(session, request.seat, caller.token)
        bound = ("actions", session.record.id, request.after_revision, seat, size)
        after = int(self.page_tokens.read(request.page_token, *bound) or request.after_revision)
        session = watch.wait_for_action(
            self.shelf,
            session,
            after_revision=after,
            wait_seconds=request.wait_seconds,
            draining=self.draining,
        )
        actions = self.shelf.actions(session, after_revision=after, limit=size)
        last = actions[-1].revision if actions else session.revision
        more = str(last) if last < session.revision else None
        return pb.ListActionsResponse(
            actions=[
                action_message(session.record, action_for(session, one, seat)) for one in actions
            ],
            revision=session.revision,
            next_page_token=self.page_tokens.make(more, *bound),
        )

    def WatchSession(  # noqa: N802
        self, request: pb.WatchSessionRequest, caller: Caller
    ) -> Iterator[pb.WatchSessionResponse]:
        """Stream the ledger. Closing the iterator frees everything it holds."""
        start = request.start_revision if request.HasField("start_revision") else None
        if start is not None and start < 1:
            raise Malformed("Revisions count from 1.", field="start_revision")
        for seen in watch.watch(
            self.shelf,
            session_id_of(request.name),
            start_revision=start,
            admit=lambda session: _viewer(session, request, caller),
            draining=self.draining,
        ):
            message = pb.WatchSessionResponse()
            match seen:
                case watch.Seen(session, action):
                    seat = viewing_seat(session, request.seat, caller.token)
                    filtered = action_for(session, action, seat)
                    message.action.CopyFrom(action_message(session.record, filtered))
                case watch.Sealed(seats):
                    message.sealed.seats.extend(seats)
                case watch.Heartbeat(revision):
                    message.heartbeat.revision = revision
                case watch.End(revision, cause):
                    message.end.revision = revision
                    message.end.cause = cause
            yield message

    def ExportSession(  # noqa: N802
        self, request: pb.ExportSessionRequest, caller: Caller
    ) -> pb.Film:
        """Export a session and its whole ledger."""
        session = self.shelf.load(session_id_of(request.name))
        seat = viewing_seat(session, request.seat, caller.token)
        check_may_be_filmed(session)
        filmed = session_message(session, seat, with_seals=False)
        message = pb.Film(format=FILM_FORMAT, session=filmed)
        seen = 0
        while seen < session.revision:
            page = self.shelf.actions(session, after_revision=seen, limit=500)
            # The ledger may have grown since the session was read; the film ends where it did.
            for action in page[: session.revision - seen]:
                filtered = action_for(session, action, seat)
                message.actions.append(action_message(session.record, filtered))
            seen += len(page)
        return message

    def ImportSession(  # noqa: N802
        self, request: pb.ImportSessionRequest, _caller: Caller
    ) -> pb.Session:
        """Import a film, once every ruling in it has been recomputed."""
        filmed = read_film(request.film)
        replayed = film.replay(filmed)
        differences = (*replayed.differences, *film.check_dice(filmed).differences)
        if differences:
            raise FilmInvalid(
                f"The film does not come out as recorded: {differences[0]}.",
                field="film",
                differences=len(differences),
            )
        session_id = request.session_id or entropy.new_id()
        now = self.clock()
        seeds = filmed.record.seeds
        if replayed.state.result is None:
            # The secret seed stayed with the service that drew from it.
            seeds = (*seeds, creating.new_commitment(len(filmed.actions) + 1))
        record = replace(filmed.record, id=checked_session_id(session_id), seeds=seeds)
        state = replace(replayed.state, changed_micros=now)
        return session_message(
            creating.import_film(self.shelf, record, state, filmed.actions), None
        )

    def DrawBoard(  # noqa: N802
        self, request: pb.DrawBoardRequest, caller: Caller
    ) -> httpbody_pb2.HttpBody:
        """Draw the board as SVG, as one seat sees it."""
        session = self.shelf.load(session_id_of(request.name))
        record = session.record
        view = board_for(session, viewing_seat(session, request.seat, caller.token))
        return httpbody_pb2.HttpBody(
            content_type="image/svg+xml",
            data=record.ruleset.picture(view, record.book).encode(),
        )


def _viewer(session: Session, request: pb.WatchSessionRequest, caller: Caller) -> None:
    viewing_seat(session, request.seat, caller.token)


def _submission(verb: Verb, request: Any, caller: Caller) -> play.Submission:
    session_id = session_id_of(request.name)
    found = ruleset(chosen(request.order, "ruleset", "order"))
    order: Any = wire.read(
        getattr(request.order, found.slug),
        found.procedure(verb).order,
        f"order.{found.slug}",
    )
    return play.Submission(
        session_id=session_id,
        slug=found.slug,
        verb=verb,
        order=order,
        seat=request.seat,
        token=caller.token,
        faces=read_dice(request.dice),
        expected_revision=revision_of(request.etag),
        request_id=request.request_id,
        fingerprint=fingerprint_of(verb, request, caller),
    )


def fingerprint_of(call: str, request: Any, caller: Caller) -> str:
    """What tells a retry from another request under the same id: call, caller and content.

    Empty without a request id.
    """
    if not request.request_id:
        return ""
    token_hash = entropy.token_hash(caller.token) if caller.token else ""
    content: bytes = request.SerializeToString(deterministic=True)
    return hashlib.sha256(f"{call} {token_hash} ".encode() + content).hexdigest()
