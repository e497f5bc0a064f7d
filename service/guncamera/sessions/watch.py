"""Watching a session: every action from a revision on, then live, with heartbeats and an end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from guncamera.sessions.refusals import SessionNotFound
from guncamera.sessions.seals import sealed_seats
from guncamera.sessions.session import Action, Session
from guncamera.sessions.shelf import Shelf, unavailable
from guncamera.sessions.store import Watch

HEARTBEAT_SECONDS = 7.0
PAGE = 200
MAX_WAIT_SECONDS = 25


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing happened for a while."""

    revision: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seat has sealed an order; these have."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The watch is over: `finished`, `deleted` or `draining`."""

    revision: int
    cause: str


@dataclass(frozen=True, slots=True)
class Seen:
    """An action, with the session as it was when it was read."""

    session: Session
    action: Action


def watch(
    shelf: Shelf,
    session_id: str,
    *,
    start_revision: int | None,
    admit: Callable[[Session], None],
    draining: Callable[[], bool],
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
) -> Iterator[Seen | Sealed | Heartbeat | End]:
    """Yield a session's actions as they come, and in between who has sealed an order.

    Args:
        start_revision: The first one wanted; None for the next one.
        admit: Refuses a caller who may not see the session; called on every look at it.
        draining: Whether the service is about to stop.

    Raises:
        SessionNotFound: There is none. One that is deleted later ends the watch instead.
    """
    session = shelf.load(session_id)
    admit(session)
    seen = session.revision if start_revision is None else start_revision - 1
    greeted = False
    told: tuple[str, ...] = ()
    with unavailable(), shelf.store.watch(session_id) as news:
        while True:
            try:
                session = shelf.load(session_id)
            except SessionNotFound:
                yield End(seen, "deleted")
                return
            admit(session)
            for action in shelf.actions(session, after_revision=seen, limit=PAGE):
                # Every action takes the seals before it along.
                seen, greeted, told = action.revision, True, ()
                yield Seen(session, action)
            if session.finished and seen >= session.revision:
                yield End(seen, "finished")
                return
            if seen < session.revision:
                continue
            # The actions may be of after the session was read, and then its seals are gone.
            if seen == session.revision and told != (sealed := sealed_seats(session)):
                told, greeted = sealed, True
                yield Sealed(sealed)
            if not greeted:
                # Something at once, so that a client behind HTTP knows it has been let in.
                greeted = True
                yield Heartbeat(seen)
            if not _news(news, heartbeat_seconds, draining):
                yield End(seen, "draining") if draining() else Heartbeat(seen)
                if draining():
                    return


def _news(news: Watch, seconds: float, draining: Callable[[], bool]) -> bool:
    """Wait in short spells, so that a service that drains is not held up by its watchers."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not draining():
        if news.wait(min(left, 0.5)):
            return True
    return False


def wait_for_action(
    shelf: Shelf,
    session: Session,
    *,
    after_revision: int,
    wait_seconds: int,
    draining: Callable[[], bool],
) -> Session:
    """The session once it has an action after a revision, or when the time is up or it is over."""
    if session.revision > after_revision or session.finished or wait_seconds <= 0:
        return session
    until = time.monotonic() + min(wait_seconds, MAX_WAIT_SECONDS)
    with unavailable(), shelf.store.watch(session.record.id) as news:
        while True:
            session = shelf.load(session.record.id)
            left = until - time.monotonic()
            if session.revision > after_revision or session.finished or left <= 0 or draining():
                return session
            _news(news, left, draining)
