# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""Sessions themselves: made, read, listed, watched, exported, drawn."""

from __future__ import annotations

from collections.abc import Iterator

from google.api.httpbody_pb2 import HttpBody
from google.protobuf.message import Message
from guncamera.v1.actions_pb2 import RulesetSettings, SessionSetup
from guncamera.v1.session_service_pb2 import (
    Action,
    CreateSessionRequest,
    DrawBoardRequest,
    ExportSessionRequest,
    Film,
    GetActionRequest,
    GetReceiptRequest,
    GetSessionRequest,
    ImportSessionRequest,
    ListActionsRequest,
    ListActionsResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    ListSigningKeysRequest,
    ListSigningKeysResponse,
    Receipt,
    Session,
    SigningKey,
    WatchSessionRequest,
)

from guncamera_client._blocking.calls import Stream, new_request_id
from guncamera_client._blocking.seats import SeatCalls
from guncamera_client._blocking.watch import Watch
from guncamera_client._methods import METHODS
from guncamera_client._names import action_name, session_name
from guncamera_client._wrap import wrap, wrap_given


class SessionCalls(SeatCalls):
    """The calls of `SessionService` but for the verbs."""

    def create_session(
        self,
        setup: SessionSetup | Message,
        *,
        session_id: str = "",
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        dice_seed: str = "",
        ttl_seconds: int = 0,
        seal_seconds: int = 0,
        spectator_delay_seconds: int = 0,
        request_id: str | None = None,
    ) -> Session:
        """Creates a session.

        Args:
            setup: What to play: a `SessionSetup`, or the rule set's own message.
            session_id: 1 to 63 lower-case letters, digits and hyphens; empty, one is made.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            dice_seed: 1 to 64 characters, for a game that is to be played again alike; empty, a
                secret one is drawn.
            ttl_seconds: Seconds without an action after which it is deleted, 60 to 31,536,000;
                0 leaves it to the service, 30 days.
            seal_seconds: How long a seat may take to seal its order, up to 604,800; 0 waits for
                every seat.
            spectator_delay_seconds: How far behind spectators see the game, up to 604,800.
            request_id: A UUID; a repeated call with the same one returns the same session. None
                makes one, so that this call repeats itself safely.

        Raises:
            SessionExists: the id is taken.
            InputInvalid: something is out of range; see `violations`.

        Example:
            ```python
            session = client.create_session(KetteringSetup(), dice_seed="night flight")
            ```
        """
        request = CreateSessionRequest(
            session_id=session_id,
            setup=wrap(setup, SessionSetup),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            dice_seed=dice_seed,
            ttl_seconds=ttl_seconds,
            seal_seconds=seal_seconds,
            spectator_delay_seconds=spectator_delay_seconds,
            request_id=request_id or new_request_id(),
        )
        return self._call("CreateSession", request, Session)

    def get_session(self, session: str | Session, *, seat: str = "") -> Session:
        """A session as one seat sees it.

        Args:
            session: `sessions/x`, `x`, or a `Session`, which is read anew.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Raises:
            SessionNotFound: there is none of this name, or it has expired.

        Example:
            ```python
            session = client.get_session("sessions/night")
            print(session.revision, list(session.active_seats))
            ```
        """
        request = GetSessionRequest(name=session_name(session), seat=seat)
        return self._call("GetSession", request, Session)

    def list_sessions(self, *, page_size: int = 0) -> Iterator[Session]:
        """Every session without its board, the oldest first, page by page.

        Args:
            page_size: Most to fetch at once, 1 to 100; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Example:
            ```python
            for session in client.list_sessions():
                print(session.name, session.ruleset)
            ```
        """
        request = ListSessionsRequest(page_size=page_size)
        for page in self._pages("ListSessions", request, ListSessionsResponse):
            yield from page.sessions

    def get_action(self, session: str | Session, revision: int, *, seat: str = "") -> Action:
        """One action of the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            revision: Its place in the ledger, from 1.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Raises:
            ActionNotFound: the ledger has no such action.
            SessionNotFound: there is no such session.

        Example:
            ```python
            first = client.get_action(session, 1)
            ```
        """
        request = GetActionRequest(name=action_name(session, revision), seat=seat)
        return self._call("GetAction", request, Action)

    def get_receipt(self, session: str | Session, revision: int, *, seat: str = "") -> Receipt:
        """The service's signature for one action of the ledger, and so for every one before it.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            revision: Its place in the ledger, from 1.
            seat: Who asks, where the token does not say; empty, a spectator.

        Raises:
            ActionNotFound: the ledger has no such action.
            SessionNotFound: there is no such session.

        Example:
            ```python
            receipt = client.get_receipt(session, session.revision)
            ```
        """
        request = GetReceiptRequest(name=action_name(session, revision), seat=seat)
        return self._call("GetReceipt", request, Receipt)

    def list_signing_keys(self, *, page_size: int = 0) -> Iterator[SigningKey]:
        """The public keys that receipts are signed with, the oldest first.

        Args:
            page_size: Most to fetch at once, 1 to 1,000; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Example:
            ```python
            keys = {key.id: key.public_key for key in client.list_signing_keys()}
            ```
        """
        request = ListSigningKeysRequest(page_size=page_size)
        for page in self._pages("ListSigningKeys", request, ListSigningKeysResponse):
            yield from page.signing_keys

    def list_actions(
        self,
        session: str | Session,
        *,
        after_revision: int = 0,
        page_size: int = 0,
        wait_seconds: int = 0,
        seat: str = "",
    ) -> Iterator[Action]:
        """The ledger as far as it goes now, page by page.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            after_revision: Only actions after this one; 0, all of them.
            page_size: Most to fetch at once, 1 to 500; 0 leaves it to the service, 100.
            wait_seconds: How long to wait for an action where there is none yet, 0 to 25. The
                deadline of the call is that much later.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Returns:
            An iterator that fetches the next page when it gets there, and ends with the ledger.

        Raises:
            SessionNotFound: there is no such session.
            StreamsFull: too many callers wait already.

        Example:
            ```python
            for action in client.list_actions(session, after_revision=12):
                print(action.revision, action.summary)
            ```
        """
        request = ListActionsRequest(
            parent=session_name(session),
            after_revision=after_revision,
            page_size=page_size,
            wait_seconds=wait_seconds,
            seat=seat,
        )
        for page in self._pages(
            "ListActions", request, ListActionsResponse, waits_seconds=wait_seconds
        ):
            yield from page.actions

    def poll_session(
        self,
        session: str | Session,
        *,
        cursor: str = "",
        after_revision: int = 0,
        page_size: int = 0,
        wait_seconds: int = 25,
        seat: str = "",
    ) -> ListActionsResponse:
        """What a watch would tell, in one answer: for programs that cannot hold a stream open.

        Ask again with the answer's `cursor`, until it has an `end`.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            cursor: From the answer before, or from a watch; empty, begin after a revision.
            after_revision: Actions after this one, where there is no cursor.
            page_size: Most actions at once, 1 to 500; 0 leaves it to the service, 100.
            wait_seconds: How long to wait where there is nothing to tell yet, 0 to 25. The deadline
                of the call is that much later.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Returns:
            Actions, `cursor`, and where there are any `sealed`, `resync` and `end`.

        Raises:
            SessionNotFound: there is no such session.
            StreamsFull: too many callers wait already.

        Example:
            ```python
            seen = client.poll_session(session, wait_seconds=0)
            while not seen.HasField("end"):
                seen = client.poll_session(session, cursor=seen.cursor)
            ```
        """
        request = ListActionsRequest(
            parent=session_name(session),
            cursor=cursor,
            after_revision=0 if cursor else after_revision,
            page_size=page_size,
            wait_seconds=wait_seconds,
            seat=seat,
        )
        return self._call("ListActions", request, ListActionsResponse, waits_seconds=wait_seconds)

    def watch_session(
        self,
        session: str | Session,
        *,
        start_revision: int | None = None,
        cursor: str = "",
        seat: str = "",
    ) -> Watch:
        """Every action from a revision on, then live, until the session is finished or deleted.

        A stream that breaks off, falls silent, or ends because the service restarts is opened
        again where it was, so each action comes once, in order. It has no deadline; it
        counts as broken when it is silent for longer than the client's `heartbeat_seconds`. The
        client gives up when it has tried as often as its `RetryPolicy` says without hearing
        anything.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            start_revision: The first revision wanted, from 1; None, the next action's.
            cursor: The `cursor` of an earlier watch, to go on from there; goes before
                `start_revision`.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Returns:
            An iterator of actions with `revision`, the last one seen, `cursor`, where it stands,
            and `cause`, why it ended.

        Raises:
            SessionNotFound: there is no such session.
            Unavailable: it broke off and could not be opened again.
            StreamsFull: too many watches are open, for longer than the client's patience.
            WatchLost: the session is another one of the same name, or lacks what was seen of it.

        Example:
            ```python
            with client.watch_session(session, start_revision=1) as watch:
                for action in watch:
                    print(action.summary)
            print(watch.cause)
            ```
        """
        name = session_name(session)

        def next_revision() -> int:
            if start_revision is not None:
                return start_revision
            return self.get_session(name, seat=seat).revision + 1

        def open_at(revision: int | None, cursor: str) -> Stream:
            self._check_open()
            request = WatchSessionRequest(name=name, cursor=cursor, seat=seat)
            if revision is not None and not cursor:
                request.start_revision = revision
            return self._open(METHODS["WatchSession"], request, self._heartbeat_seconds)

        return Watch(next_revision, open_at, self._retry, cursor)

    def export_session(
        self, session: str | Session, *, seat: str = "", with_receipts: bool = False
    ) -> Film:
        """The film of a session: it and its whole ledger, to replay and verify anywhere.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: Whose view, where the token does not say; empty, a spectator's.
            with_receipts: With a receipt for each action, and the keys they are signed with.

        Raises:
            SessionNotFound: there is no such session.

        Example:
            ```python
            film = client.export_session(session, with_receipts=True)
            Path("night.film").write_bytes(film.SerializeToString())
            ```
        """
        request = ExportSessionRequest(
            name=session_name(session), seat=seat, with_receipts=with_receipts
        )
        return self._call("ExportSession", request, Film)

    def import_session(
        self, film: Film, *, session_id: str = "", request_id: str | None = None
    ) -> Session:
        """Imports a film as a new session, once every ruling in it has been recomputed.

        Args:
            film: From `export_session`.
            session_id: The id of the new session; empty, one is made.
            request_id: A UUID; a repeated call with the same one returns the same session, as it
                was imported. None makes one, so that this call repeats itself safely.

        Raises:
            FilmInvalid: a ruling does not come out as recorded.
            SessionExists: the id is taken.

        Example:
            ```python
            session = client.import_session(film, session_id="night-again")
            ```
        """
        request = ImportSessionRequest(
            session_id=session_id, film=film, request_id=request_id or new_request_id()
        )
        return self._call("ImportSession", request, Session)

    def draw_board(self, session: str | Session, *, seat: str = "") -> str:
        """The board as a picture.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: Whose view, where the token does not say; empty, a spectator's.

        Returns:
            The text of an SVG document.

        Raises:
            SessionNotFound: there is no such session.

        Example:
            ```python
            Path("board.svg").write_text(client.draw_board(session), encoding="utf-8")
            ```
        """
        request = DrawBoardRequest(name=session_name(session), seat=seat)
        picture: bytes = self._call("DrawBoard", request, HttpBody).data
        return picture.decode("utf-8")
