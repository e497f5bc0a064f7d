"""The shelf of sessions: reading heads and ledgers from the store."""

from __future__ import annotations

from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.codec import decode_entry, decode_record, decode_state
from guncamera.sessions.notices import UNHEARD, Notices
from guncamera.sessions.refusals import (
    ActionNotFound,
    RequestIdReused,
    SessionNotFound,
    Unavailable,
)
from guncamera.sessions.session import Entry, Session, State
from guncamera.sessions.store import Loaded, SessionStore, StoreUnavailable


class Shelf:
    """Sessions in one store.

    Args:
        notices: Is told of what is appended.
        variants: What may be played beside the rules as printed.
    """

    def __init__(
        self,
        store: SessionStore,
        notices: Notices = UNHEARD,
        variants: Variants = NO_VARIANTS,
    ) -> None:
        self.store = store
        self.notices = notices
        self.variants = variants

    def load(self, session_id: str) -> Session:
        """Read a session.

        Raises:
            SessionNotFound: There is none.
        """
        with unavailable():
            loaded = self.store.load(session_id)
        if loaded is None:
            raise no_session(session_id)
        return self.session_of(loaded)

    def session_of(self, loaded: Loaded) -> Session:
        """A stored head as a session."""
        return session_of(loaded, self.variants)

    def page(self, *, after: str | None, limit: int) -> tuple[list[Session], str | None]:
        """Sessions by age, and where the next page begins; None at the end."""
        with unavailable():
            ids = self.store.list_ids(after=after, limit=limit)
            loaded = [self.store.load(session_id) for session_id in ids.ids]
        return [self.session_of(one) for one in loaded if one is not None], ids.after

    def action(self, session: Session, revision: int) -> Entry:
        """One action.

        Raises:
            ActionNotFound: The ledger has none with this revision.
        """
        return decode_entry(self.store_entry(session, revision), session.record.ruleset)

    def store_entry(self, session: Session, revision: int) -> bytes:
        """One action as the store has it; see `action`."""
        with unavailable():
            is_there = 0 < revision <= session.revision
            entry = self.store.entry(session.record.id, revision) if is_there else None
        if entry is None:
            raise no_action(session, revision)
        return entry

    def kept_state(
        self, session: Session, stretches: list[tuple[int, int]]
    ) -> tuple[int, State] | None:
        """The last revision within stretches whose state is kept, and that state; None if none is.

        Args:
            stretches: Each from a revision up to another, both included.
        """
        with unavailable():
            kept = self.store.kept_state(session.record.id, stretches)
        if kept is None:
            return None
        revision, state = kept[0], decode_state(kept[1], session.record.ruleset)
        # An older version leaves those behind of a session that had the name before.
        is_its_own = state.changed_micros == self.action(session, revision).create_micros
        return (revision, state) if is_its_own else None

    def actions(self, session: Session, *, after_revision: int, limit: int) -> list[Entry]:
        """Actions after a revision, in order; at most `limit`."""
        with unavailable():
            entries = self.store.entries(
                session.record.id, after_revision=after_revision, limit=limit
            )
        return [decode_entry(entry, session.record.ruleset) for entry in entries]


def session_of(loaded: Loaded, variants: Variants) -> Session:
    """A stored head as a session; see `decode_record`."""
    record = decode_record(loaded.record, variants)
    state = decode_state(loaded.state, record.ruleset)
    return Session(
        record,
        state,
        loaded.revision,
        dict(loaded.claims),
        loaded.seals,
        loaded.seal_serial,
        loaded.offers,
    )


class _Unavailable:
    """See `unavailable`. There is one of it, for it remembers nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object
    ) -> None:
        if isinstance(error, StoreUnavailable):
            refusal = Unavailable(
                "The store of sessions cannot be used now. Nothing is lost; try again with the "
                "same request id.",
                why=error.reason[:200],
            )
            refusal.retry_after_seconds = max(1, round(error.retry_after_seconds))
            raise refusal from error


_UNAVAILABLE = _Unavailable()


def unavailable() -> _Unavailable:
    """A context in which a store that cannot answer is a refusal with retry advice."""
    return _UNAVAILABLE


def no_session(session_id: str) -> SessionNotFound:
    """The refusal for a session that is not there."""
    return SessionNotFound(
        f"There is no session {session_id[:63]!r}, or it has expired.",
        field="name",
        session_id=session_id[:63],
    )


def no_action(session: Session, revision: int) -> ActionNotFound:
    """The refusal for an action that is not in the ledger."""
    return ActionNotFound(
        f"Session {session.record.id!r} has {session.revision} actions, "
        f"and none with number {revision}.",
        field="name",
        revision=revision,
    )


def reused(request_id: str) -> RequestIdReused:
    """The refusal for a request id with two bodies."""
    return RequestIdReused(
        "This request id was used for another request. Make a new one for each new order.",
        field="request_id",
        request_id=request_id,
    )
