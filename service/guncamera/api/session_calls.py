"""SessionService: translate, play, translate back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from google.api import httpbody_pb2
from google.protobuf import empty_pb2

from guncamera.api import wire
from guncamera.api.caller import Caller
from guncamera.api.films import FILM_FORMAT, action_message, read_film, session_message
from guncamera.api.in_steps import Answer, InSteps
from guncamera.api.names import action_of, session_id_of
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.api.receipt_book import ReceiptBook
from guncamera.api.rulings import (
    chosen,
    fill_ask,
    fill_begun,
    fill_outcome,
    read_dice,
    read_settings,
)
from guncamera.api.written_actions import write_action
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions import choices, creating, entropy, film, play
from guncamera.sessions.delay import View, view_of
from guncamera.sessions.refusals import FilmInvalid, RulesVersionChanged
from guncamera.sessions.seating import acting_seat, viewing_seat
from guncamera.sessions.session import (
    Session,
    checked_nonce,
    checked_session_id,
    revision_of,
)
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.views import action_for, board_for, check_may_be_filmed
from guncamera.v1 import session_service_pb2 as pb


class SessionCalls:
    """One method for each call of SessionService.

    Attributes:
        clock: Microseconds since 1970 UTC.
    """

    page_tokens: PageTokens
    shelf: Shelf
    receipts: ReceiptBook
    clock: Callable[[], int]

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
                spectator_delay_seconds=request.spectator_delay_seconds,
            ),
        )
        return session_message(session, None)

    def GetSession(  # noqa: N802
        self, request: pb.GetSessionRequest, caller: Caller
    ) -> pb.Session:
        """Read a session as one seat sees it."""
        view = self.view(session_id_of(request.name), request.seat, caller)
        return session_message(view.session, view.seat)

    def view(self, session_id: str, seat: str, caller: Caller) -> View:
        """A session as the caller may see it, for a seat or as a spectator."""
        session = self.shelf.load(session_id)
        viewer = viewing_seat(session, seat, caller.token, caller.scope)
        return view_of(self.shelf, session, viewer, self.clock)

    def ListSessions(  # noqa: N802
        self, request: pb.ListSessionsRequest, _caller: Caller
    ) -> pb.ListSessionsResponse:
        """List sessions, without boards."""
        size = page_size(request.page_size, default=50, most=100)
        after = self.page_tokens.read(request.page_token, "sessions", size)
        sessions, more = self.shelf.page(after=after, limit=size)
        return pb.ListSessionsResponse(
            sessions=list(self._spectated(sessions)),
            next_page_token=self.page_tokens.make(more, "sessions", size),
        )

    def _spectated(self, sessions: Iterable[Session]) -> Iterator[pb.Session]:
        for session in sessions:
            # One that cannot be shown as it was then will be as it is, in a while.
            with suppress(RulesVersionChanged):
                seen = view_of(self.shelf, session, None, self.clock).session
                yield session_message(seen, None, with_board=False)

    def DeleteSession(  # noqa: N802
        self, request: pb.DeleteSessionRequest, caller: Caller
    ) -> empty_pb2.Empty:
        """Delete a session."""
        self.shelf.delete(session_id_of(request.name), caller.token, caller.scope)
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

    def ReleaseSeat(  # noqa: N802
        self, request: pb.ReleaseSeatRequest, caller: Caller
    ) -> pb.Seat:
        """Take a seat back from its token."""
        session_id = session_id_of(request.name)
        session, released = play.release(
            self.shelf, session_id, request.seat, caller.token, caller.scope
        )
        seats = session_message(session, None, with_board=False).seats
        return next(seat for seat in seats if seat.id == released)

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
        return pb.Action.FromString(
            run(self.shelf.store, self._acting(verb, request, caller)).SerializeToString()
        )

    def _acting(self, verb: Verb, request: Any, caller: Caller) -> Steps[Answer]:
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
        return write_action(acted.session.record, action_for(acted.session, acted.action, seat))

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
        """What a seat may do now: a page of the list, what may follow, or a draw."""
        size = page_size(request.page_size, default=100, most=1000)
        _check_one_question(request)
        session = self.shelf.load(session_id_of(request.name))
        seat = acting_seat(session, request.seat, caller.token, caller.scope)
        response = pb.ListLegalOrdersResponse(revision=session.revision)
        if request.HasField("so_far"):
            found = choices.begun(session, seat, request.so_far)
            fill_begun(response.begun, found)
            orders = [found.order] if found.order is not None else []
        elif request.sample_count:
            drawn = choices.draw(session, seat, request.sample_count, request.sample_seed)
            response.drawn_from, orders = str(drawn.drawn_from), list(drawn.orders)
        else:
            bound = ("legal", session.record.id, session.revision, seat, size)
            start = int(self.page_tokens.read(request.page_token, *bound) or 0)
            listed = choices.legal_orders(session, seat)
            orders = list(islice(listed, start, start + size + 1))
            more = str(start + size) if len(orders) > size else None
            response.next_page_token = self.page_tokens.make(more, *bound)
        for order in orders[: max(size, request.sample_count)]:
            message = response.orders.add(summary=order.summary)
            slug = session.record.ruleset.slug
            fill_outcome(getattr(message, order.verb.value), slug, order.order)
        return response

    def GetAction(  # noqa: N802
        self, request: pb.GetActionRequest, caller: Caller
    ) -> pb.Action:
        """Read one action."""
        session_id, revision = action_of(request.name)
        view = self.view(session_id, request.seat, caller)
        action = self.shelf.action(view.session, revision)
        return action_message(view.session.record, action_for(view.session, action, view.seat))

    def ExportSession(  # noqa: N802
        self, request: pb.ExportSessionRequest, caller: Caller
    ) -> pb.Film:
        """Export a session and its whole ledger."""
        view = self.view(session_id_of(request.name), request.seat, caller)
        session, seat = view.session, view.seat
        check_may_be_filmed(session, seat)
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
        if request.with_receipts:
            self.receipts.add(message, session, seat)
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
        view = self.view(session_id_of(request.name), request.seat, caller)
        record, board = view.session.record, board_for(view.session, view.seat)
        return httpbody_pb2.HttpBody(
            content_type="image/svg+xml",
            data=record.ruleset.picture(board, record.book).encode(),
        )


def _check_one_question(request: pb.ListLegalOrdersRequest) -> None:
    """A list is paged, an order is begun, or some are drawn: one of the three."""
    drawn = request.sample_count or request.sample_seed
    if drawn:
        choices.check_draw(request.sample_count, request.sample_seed)
    if not drawn and not request.HasField("so_far"):
        return
    excluded = {
        "so_far": drawn and request.HasField("so_far"),
        "page_token": request.page_token,
        "page_size": request.page_size,
    }
    for field, given in excluded.items():
        if given:
            asked = "a draw" if drawn else "what may follow so_far"
            raise Malformed(f"{field} does not go with {asked}. Leave it out.", field=field)


def _submission(verb: Verb, request: Any, caller: Caller) -> play.Submission:
    session_id = session_id_of(request.name)
    found = ruleset(chosen(request.order, "ruleset", "order"))
    order: Any = wire.read(
        getattr(request.order, found.slug),
        found.procedure(verb).order,
        f"order.{found.slug}",
    )
    faces = read_dice(request.dice)
    return play.Submission(
        session_id=session_id,
        slug=found.slug,
        verb=verb,
        order=order,
        seat=request.seat,
        token=caller.token,
        scope=caller.scope,
        faces=faces,
        client_nonce=checked_nonce(request.client_nonce, supplied=faces is not None),
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
    key_id = caller.standing.key_id if caller.standing else ""
    holder = entropy.token_hash(caller.token) if caller.token else key_id
    content: bytes = request.SerializeToString(deterministic=True)
    return hashlib.sha256(f"{call} {holder} ".encode() + content).hexdigest()
