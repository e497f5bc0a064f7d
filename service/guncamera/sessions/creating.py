"""Creating sessions: what is chosen and pinned, once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from guncamera.rules.book import AnyBook
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Ruleset
from guncamera.rules.settings import SettingValue
from guncamera.sessions import entropy
from guncamera.sessions.books import book_with
from guncamera.sessions.codec import encode_entry, encode_record, encode_state
from guncamera.sessions.history import state_at
from guncamera.sessions.refusals import SessionExists, SessionNotFound
from guncamera.sessions.request_store import creation_kept_seconds
from guncamera.sessions.session import (
    DEFAULT_TTL_SECONDS,
    MAX_TTL_SECONDS,
    MIN_TTL_SECONDS,
    Entry,
    Record,
    Seed,
    Session,
    State,
    checked_delay_seconds,
    checked_request_id,
    checked_seal_seconds,
    checked_session_id,
    state_of,
)
from guncamera.sessions.shelf import Shelf, reused, unavailable
from guncamera.sessions.store import Created, Exists, Gone, RequestKey


@dataclass(frozen=True, slots=True)
class Creation:
    """A session to create. `ttl_seconds` 0 takes the default; texts left out are empty.

    Attributes:
        caller: A hash of who creates it, for whom alone a request id is known again.
        book: A variant's, in place of the rule set's own.
    """

    ruleset: Ruleset
    setup: Any
    settings: dict[str, SettingValue]
    session_id: str = ""
    dice_seed: str = ""
    request_id: str = ""
    ttl_seconds: int = 0
    seal_seconds: int = 0
    spectator_delay_seconds: int = 0
    caller: str = ""
    book: AnyBook | None = None


def create(shelf: Shelf, now_micros: int, creation: Creation) -> tuple[Session, bool]:
    """Create a session, or find the one that the same request created.

    Returns:
        The session as created, and whether an earlier call created it.

    Raises:
        SessionExists: The id is taken by another request.
        SessionNotFound: The same request created one, which is gone.
        Malformed: An id, a setting or the setup is wrong.
    """
    session_id = id_for(creation.session_id, creation.request_id)
    record = _record(now_micros, creation, session_id)
    board = record.ruleset.open_board(record.setup, record.book)
    state = state_of(record, board, now_micros)
    request = _creation_key(creation)
    _begin(shelf, request, record)
    with unavailable():
        created = shelf.store.create(
            session_id,
            record=encode_record(record),
            state=encode_state(state),
            ttl_seconds=record.ttl_seconds,
            request=request,
        )
    if not isinstance(created, Created):
        return _earlier(shelf, session_id, created, request), True
    return Session(record, state, 0, {}, {}, 0), False


def _record(now_micros: int, creation: Creation, session_id: str) -> Record:
    found = creation.ruleset
    book = book_with(creation.book or found.book, creation.settings)
    ttl = creation.ttl_seconds or DEFAULT_TTL_SECONDS
    if not MIN_TTL_SECONDS <= ttl <= MAX_TTL_SECONDS:
        raise Malformed(
            f"{ttl} seconds; give {MIN_TTL_SECONDS} to {MAX_TTL_SECONDS}.",
            field="ttl_seconds",
            ttl_seconds=ttl,
        )
    if len(creation.dice_seed) > 64:
        raise Malformed("A dice seed has at most 64 characters.", field="dice_seed")
    return Record(
        id=session_id,
        ruleset=found,
        book=book,
        rules_version=book.rules_version,
        rules_hash=book.digest,
        setup=creation.setup,
        seats=found.seats(creation.setup, book),
        create_micros=now_micros,
        ttl_seconds=ttl,
        seeds=(new_commitment(1, creation.dice_seed),),
        seal_seconds=checked_seal_seconds(found, creation.seal_seconds, ttl, "seal_seconds"),
        spectator_delay_seconds=checked_delay_seconds(
            creation.spectator_delay_seconds, ttl, "spectator_delay_seconds"
        ),
        variant=book.variant,
    )


def _creation_key(creation: Creation) -> RequestKey | None:
    if not creation.request_id:
        return None
    content = repr(
        (
            creation.ruleset.slug,
            creation.setup,
            sorted(creation.settings.items()),
            creation.session_id,
            creation.dice_seed,
            creation.ttl_seconds,
            creation.caller,
            *([creation.seal_seconds] if creation.seal_seconds else ()),
            *(
                [("delay", creation.spectator_delay_seconds)]
                if creation.spectator_delay_seconds
                else ()
            ),
            *([creation.book.variant] if creation.book and creation.book.variant else ()),
        )
    )
    return RequestKey(creation.request_id, hashlib.sha256(content.encode()).hexdigest())


def _earlier(
    shelf: Shelf, session_id: str, found: Exists | Gone, request: RequestKey | None
) -> Session:
    """The session that an earlier call with this request id created, as it was then."""
    if isinstance(found, Gone):
        raise _gone(session_id, found, request)
    if request is not None and found.request is not None and found.request.id == request.id:
        if found.request.fingerprint != request.fingerprint:
            raise reused(request.id)
        # The answer to the first call, whatever has been played since.
        session = shelf.load(session_id)
        record = session.record
        state = state_at(shelf, session, record.start_revision)
        began = record.start_micros or record.create_micros
        return Session(
            record, replace(state, changed_micros=began), record.start_revision, {}, {}, 0
        )
    raise SessionExists(
        f"There is a session {session_id!r} already. Choose another id, or leave it out.",
        field="session_id",
        session_id=session_id,
    )


def _gone(session_id: str, found: Gone, request: RequestKey | None) -> Refusal:
    """The refusal of a retry that comes later than the end of what it had created."""
    if request is None or found.fingerprint != request.fingerprint:
        return reused(request.id if request else "")
    return SessionNotFound(
        f"This request created session {session_id!r} already, which has been deleted or has "
        "expired since. Send a new request id to create another.",
        field="request_id",
        session_id=session_id,
    )


def _begin(shelf: Shelf, request: RequestKey | None, record: Record) -> None:
    """Bind a request id to one session to make, whatever the session is called.

    Raises:
        RequestIdReused: It was for another one.
    """
    if request is None:
        return
    kept_seconds = creation_kept_seconds(record.ttl_seconds)
    with unavailable():
        kept = shelf.store.begin_request(request, ttl_seconds=kept_seconds)
    if kept != request.fingerprint:
        raise reused(request.id)


def import_film(
    shelf: Shelf,
    record: Record,
    state: State,
    actions: tuple[Entry, ...],
    request: RequestKey | None = None,
    states: tuple[tuple[int, State], ...] = (),
) -> tuple[Session, bool]:
    """Store a film, already recomputed, as a session; or find the one the same request imported.

    Args:
        states: Some of those on the way, by revision, so that they need not be made again.

    Returns:
        The session as imported, and whether an earlier call imported it.

    Raises:
        SessionExists: The id is taken by another request.
        SessionNotFound: The same request imported it, and it is gone.
    """
    _begin(shelf, request, record)
    record = replace(record, start_revision=len(actions), start_micros=state.changed_micros)
    with unavailable():
        created = shelf.store.import_session(
            record.id,
            record=encode_record(record),
            state=encode_state(state),
            entries=[encode_entry(action) for action in actions],
            ttl_seconds=record.ttl_seconds,
            request=request,
            states=[(revision, encode_state(one)) for revision, one in states],
        )
    if not isinstance(created, Created):
        return _earlier(shelf, record.id, created, request), True
    return Session(record, state, len(actions), {}, {}, 0), False


def id_for(session_id: str, request_id: str) -> str:
    """The id of a session to make: the one given, or one that a repeated request leads to again.

    Raises:
        Malformed: The request's id is none, or the session's.
    """
    checked_request_id(request_id)
    return checked_session_id(
        session_id or (entropy.id_from(request_id) if request_id else entropy.new_id())
    )


def new_commitment(from_revision: int, text: str = "") -> Seed:
    """A new seed to draw from: secret, or the one a caller's text leads to."""
    seed = entropy.seed_from(text) if text else entropy.new_seed()
    return Seed(from_revision, seed, entropy.commitment_of(seed), bool(text))
