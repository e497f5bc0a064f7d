"""SessionService: translate, play, translate back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from google.api import httpbody_pb2

from guncamera.api import wire
from guncamera.api.as_written import as_written
from guncamera.api.caller import Caller
from guncamera.api.films import FILM_FORMAT, action_message, read_film, session_message
from guncamera.api.in_steps import Answer, InSteps
from guncamera.api.names import action_of, session_id_of
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.api.receipt_book import ReceiptBook
from guncamera.api.repeats import fingerprint_of, holder_of, request_key
from guncamera.api.rulings import (
    chosen,
    fill_ask,
    fill_begun,
    fill_outcome,
    read_dice,
    read_settings,
)
from guncamera.api.written_actions import write_action
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.rules.variant import Variants
from guncamera.sessions import choices, creating, film, play
from guncamera.sessions.delay import View, view_of
from guncamera.sessions.history import check_variant
from guncamera.sessions.listing import checked_nearest, legal_orders
from guncamera.sessions.refusals import FilmInvalid, RulesVersionChanged
from guncamera.sessions.seating import acting_seat, viewing_seat
from guncamera.sessions.session import (
    Session,
    checked_nonce,
    revision_of,
)
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.views import action_for, board_for, check_may_be_filmed, entry_for
from guncamera.v1 import session_service_pb2 as pb


class SessionCalls:
    """One method for each call of SessionService.

    Attributes:
        variants: What may be played beside the rules as printed.
        clock: Microseconds since 1970 UTC.
    """

    page_tokens: PageTokens
    shelf: Shelf
    variants: Variants
    receipts: ReceiptBook
    clock: Callable[[], int]

    def CreateSession(  # noqa: N802  # named as in the proto
        self, request: pb.CreateSessionRequest, caller: Caller
    ) -> pb.Session:
        """Create a session."""
        try:
            return self._created(request, caller)
        except Refusal as refusal:
            raise as_written(refusal, request) from None

    def _created(self, request: pb.CreateSessionRequest, caller: Caller) -> pb.Session:
        found = ruleset(chosen(request.setup, "ruleset", "setup"))
        caller.notes.ruleset = found.slug
        setup: Any = wire.read_asked(
            getattr(request.setup, found.slug), found.setup, f"setup.{found.slug}"
        )
        session, caller.notes.replayed = creating.create(
            self.shelf,
            self.clock(),
            creating.Creation(
                ruleset=found,
                book=self.variants.book_of(found, request.variant),
                setup=setup,
                settings=read_settings(request.settings, found),
                session_id=request.session_id,
                dice_seed=request.dice_seed,
                request_id=request.request_id,
                ttl_seconds=request.ttl_seconds,
                seal_seconds=request.seal_seconds,
                spectator_delay_seconds=request.spectator_delay_seconds,
                caller=holder_of(caller),
            ),
        )
        return session_message(session, None)

    def GetSession(  # noqa: N802
        self, request: pb.GetSessionRequest, caller: Caller
    ) -> pb.Session:
        """Read a session as one seat sees it."""
        return self.seen(self.shelf.load(session_id_of(request.name)), request, caller)

    def seen(self, session: Session, request: pb.GetSessionRequest, caller: Caller) -> pb.Session:
        """A session that has been loaded, as `GetSession` shows it."""
        view = self._view(session, request.seat, caller)
        return session_message(view.session, view.seat)

    def view(self, session_id: str, seat: str, caller: Caller) -> View:
        """A session as the caller may see it, for a seat or as a spectator."""
        return self._view(self.shelf.load(session_id), seat, caller)

    def _view(self, session: Session, seat: str, caller: Caller) -> View:
        caller.notes.ruleset = session.record.ruleset.slug
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
        try:
            return (yield from self._ruled(verb, request, caller))
        except Refusal as refusal:
            raise as_written(refusal, request) from None

    def _ruled(self, verb: Verb, request: Any, caller: Caller) -> Steps[Answer]:
        caller.notes.ruleset = request.order.WhichOneof("ruleset") or ""
        submission = submission_of(verb, request, caller)
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
        check_question(request)
        return self.legal_in(self.shelf.load(session_id_of(request.name)), request, caller)

    def legal_in(
        self, session: Session, request: pb.ListLegalOrdersRequest, caller: Caller
    ) -> pb.ListLegalOrdersResponse:
        """What a seat may do in a session that has been loaded, asked as `check_question` wants."""
        size = _legal_page(request)
        caller.notes.ruleset = session.record.ruleset.slug
        seat = acting_seat(session, request.seat, caller.token, caller.scope)
        check_variant(session.record)
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
            listed = legal_orders(session, seat)
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
        seen = entry_for(self.shelf, view.session, action, view.seat)
        return action_message(view.session.record, seen)

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
                filtered = entry_for(self.shelf, session, action, seat)
                message.actions.append(action_message(session.record, filtered))
            seen += len(page)
        if request.with_receipts:
            self.receipts.add(message, session, seat)
        return message

    def ImportSession(  # noqa: N802
        self, request: pb.ImportSessionRequest, caller: Caller
    ) -> pb.Session:
        """Import a film, once every ruling in it has been recomputed."""
        filmed = read_film(request.film, self.variants)
        caller.notes.ruleset = filmed.record.ruleset.slug
        check_variant(filmed.record, "film.session.variant")
        replayed = film.replay(filmed)
        differences = (*replayed.differences, *film.check_dice(filmed).differences)
        if differences:
            self.shelf.notices.parted(filmed.record.ruleset.slug, "import")
            raise FilmInvalid(
                f"The film does not come out as recorded: {differences[0]}.",
                field="film",
                differences=len(differences),
            )
        session_id = creating.id_for(request.session_id, request.request_id)
        now = self.clock()
        seeds = filmed.record.seeds
        if replayed.state.result is None:
            # The secret seed stayed with the service that drew from it.
            seeds = (*seeds, creating.new_commitment(len(filmed.actions) + 1))
        record = replace(filmed.record, id=session_id, seeds=seeds)
        state = replace(replayed.state, changed_micros=now)
        key = request_key("import-session", request, caller)
        session, caller.notes.replayed = creating.import_film(
            self.shelf, record, state, filmed.actions, key, replayed.states
        )
        return session_message(session, None)

    def DrawBoard(  # noqa: N802
        self, request: pb.DrawBoardRequest, caller: Caller
    ) -> httpbody_pb2.HttpBody:
        """Draw the board as SVG, as one seat sees it."""
        view = self.view(session_id_of(request.name), request.seat, caller)
        check_variant(view.session.record)
        record, board = view.session.record, board_for(view.session, view.seat)
        return httpbody_pb2.HttpBody(
            content_type="image/svg+xml",
            data=record.ruleset.picture(board, record.book).encode(),
        )


def _legal_page(request: pb.ListLegalOrdersRequest) -> int:
    return page_size(request.page_size, default=100, most=1000)


def check_question(request: pb.ListLegalOrdersRequest) -> None:
    """Refuse what is not one question: a page of the list, an order that is begun, or a draw.

    Raises:
        Malformed: It is none, or several.
    """
    _legal_page(request)
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


def submission_of(verb: Verb, request: Any, caller: Caller) -> play.Submission:
    """The order in a verb's request.

    Raises:
        Malformed: It is not well formed.
    """
    session_id = session_id_of(request.name)
    found = ruleset(chosen(request.order, "ruleset", "order"))
    order: Any = wire.read_asked(
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
        nearest_count=checked_nearest(request.nearest_count),
        expected_revision=revision_of(request.etag),
        request_id=request.request_id,
        fingerprint=fingerprint_of(verb, request, caller),
    )
