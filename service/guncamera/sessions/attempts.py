"""Attempts at a call whose answer is kept under its request id: a seal, a reveal, an undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from guncamera.sessions import seating
from guncamera.sessions.session import Session, checked_request_id
from guncamera.sessions.shelf import Shelf, no_session, reused, unavailable
from guncamera.sessions.store import Repeated, RequestKey

CONFLICT_RETRIES = 100
"""How often a call is tried anew when others sealed, offered or acted first."""


class Call(Protocol):
    """What is asked of a call: its session, who sends it, and how a retry is known."""

    @property
    def session_id(self) -> str: ...  # noqa: D102
    @property
    def token(self) -> str | None: ...  # noqa: D102
    @property
    def request_id(self) -> str: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102


def attempts(shelf: Shelf, call: Call) -> Iterator[tuple[Session, RequestKey | None, bytes | None]]:
    """The session as it is at each attempt, and the answer that the request id has got before."""
    checked_request_id(call.request_id)
    request = RequestKey(call.request_id, call.fingerprint) if call.request_id else None
    for _ in range(CONFLICT_RETRIES):
        with unavailable():
            loaded = shelf.store.load(call.session_id, request_id=call.request_id or None)
        if loaded is None:
            raise no_session(call.session_id)
        session = shelf.session_of(loaded)
        found = None
        if loaded.repeated is not None:
            seating.seat_of_token(session, call.token)  # it may be the seat's no more
            found = same_answer(loaded.repeated, call)
        yield session, request, found


def same_answer(found: Repeated, call: Call) -> bytes:
    """What an earlier call under this request id was told.

    Raises:
        RequestIdReused: That was another call.
    """
    if found.fingerprint != call.fingerprint or not found.answer:
        raise reused(call.request_id)
    return found.answer
