"""Watching a session: every action from a place on, then live, with heartbeats and an end.

A watcher stands at a cursor. What it is told next follows from that and from the session as it sees
it, over a stream and by polls alike, so that it can go on anywhere, without gap or double.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from guncamera.sessions.cursors import Cursor, cursor_at, mark_of, offers_mark, sealed_bits
from guncamera.sessions.delay import View, will_be_there
from guncamera.sessions.refusals import SessionNotFound
from guncamera.sessions.seals import sealed_seats
from guncamera.sessions.session import Entry
from guncamera.sessions.shelf import Shelf, unavailable
from guncamera.sessions.store import Watch

HEARTBEAT_SECONDS = 7.0
PAGE = 200
MAX_WAIT_SECONDS = 25
MOST_BEHIND = 1000
"""So many actions behind, a stream with a cursor is better served by the session itself."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An action, with the session as it was when it was read."""

    view: View
    action: Entry


@dataclass(frozen=True, slots=True)
class Sealed:
    """Seats have sealed an order, or taken it back; these have."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """Seats have offered an undo, or offer none any more; these do, back to these revisions."""

    offers: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing happened for a while."""

    revision: int


@dataclass(frozen=True, slots=True)
class Resync:
    """The watch cannot go on from where it was to: `replaced`, `ahead` or `behind`."""

    view: View
    cause: str


@dataclass(frozen=True, slots=True)
class End:
    """The watch is over: `finished`, `deleted` or `draining`."""

    revision: int
    cause: str


Said: TypeAlias = Seen | Sealed | Offered | Heartbeat | Resync | End


@dataclass(frozen=True, slots=True)
class Told:
    """One message of a watch, and where the watcher stands after it."""

    said: Said
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched, and by whom.

    Attributes:
        look: Reads the session as the watcher sees it, and refuses one who may not see it.
        clock: Microseconds since 1970 UTC.
        draining: Whether the service is about to stop, or the watcher has left.
    """

    shelf: Shelf
    session_id: str
    look: Callable[[], View]
    clock: Callable[[], int]
    draining: Callable[[], bool]


def watch(
    watched: Watched, start: Cursor | int | None, *, heartbeat_seconds: float = HEARTBEAT_SECONDS
) -> Iterator[Told]:
    """Yield a session's actions as they come, and in between who has sealed an order.

    Args:
        start: A cursor to go on from, or the first revision wanted; None for the next one.

    Raises:
        SessionNotFound: There is none. One that is deleted later ends the watch instead.
    """
    at = _begin(watched.look(), start)
    most_behind = MOST_BEHIND if isinstance(start, Cursor) else None
    with unavailable(), watched.shelf.store.watch(watched.session_id) as news:
        # Something at once, so that a client behind HTTP knows it has been let in.
        beat_at = time.monotonic()
        while True:
            try:
                view = watched.look()
            except SessionNotFound:
                yield Told(End(at.revision, "deleted"), at)
                return
            for told in _news_of(watched, view, at, most_behind):
                at = told.cursor
                yield told
                if isinstance(told.said, End):
                    return
                beat_at = time.monotonic() + heartbeat_seconds
            most_behind = None
            if at.revision < view.session.revision:
                continue
            _wait(watched, news, view, beat_at)
            if watched.draining():
                yield Told(End(at.revision, "draining"), at)
                return
            # Not "when nothing came": what came may be nothing that this watcher is shown.
            if time.monotonic() >= beat_at:
                yield Told(Heartbeat(at.revision), at)
                beat_at = time.monotonic() + heartbeat_seconds


def _begin(view: View, start: Cursor | int | None) -> Cursor:
    if isinstance(start, Cursor):
        return start
    revision = view.session.revision if start is None else start - 1
    return Cursor(revision, 0, mark_of(view.session.record))


def _news_of(
    watched: Watched, view: View, at: Cursor, most_behind: int | None, limit: int = PAGE
) -> Iterator[Told]:
    """What there is to tell now, of at most so many actions."""
    session = view.session
    cause = _astray(watched, view, at, most_behind)
    if cause:
        at = cursor_at(session)
        yield Told(Resync(view, cause), at)
    count = min(limit, session.revision - at.revision)
    if count > 0:
        for action in watched.shelf.actions(session, after_revision=at.revision, limit=count):
            # Every action takes the seals and offers before it along.
            at = replace(at, revision=action.revision, sealed=0, offers="")
            yield Told(Seen(view, action), at)
    if at.revision < session.revision:
        return
    if at.sealed != (sealed := sealed_bits(session)) and at.revision == session.revision:
        at = replace(at, sealed=sealed)
        yield Told(Sealed(sealed_seats(session)), at)
    if at.offers != (offers := offers_mark(session)) and at.revision == session.revision:
        at = replace(at, offers=offers)
        yield Told(Offered(session.offers), at)
    if session.finished:
        yield Told(End(at.revision, "finished"), at)


def _astray(watched: Watched, view: View, at: Cursor, most_behind: int | None) -> str:
    """Why a watcher cannot go on from its cursor; empty if it can."""
    session = view.session
    if at.mark != mark_of(session.record):
        return "replaced"
    if not will_be_there(watched.shelf, view, at.revision, watched.clock):
        return "ahead"
    if most_behind is not None and session.revision - at.revision > most_behind:
        return "behind"
    return ""


def _wait(watched: Watched, news: Watch, view: View, until: float) -> None:
    """Wait for news, or until more may be seen or a time has come."""
    if view.more_micros is not None:
        seconds = (view.more_micros - watched.clock()) / 1_000_000
        until = min(until, time.monotonic() + max(0.0, seconds))
    # In short spells, so that a service that drains is not held up by its watchers.
    while (left := until - time.monotonic()) > 0 and not watched.draining():
        if news.wait(min(left, 0.5)):
            return


@dataclass(frozen=True, slots=True)
class Polled:
    """What a poll is answered with.

    Attributes:
        told: In order, without heartbeats.
        cursor: Where the next poll goes on.
    """

    view: View
    told: tuple[Told, ...]
    cursor: Cursor


def poll(
    watched: Watched, view: View, start: Cursor | int, *, limit: int, wait_seconds: int
) -> Polled:
    """What a watch would tell, as one answer.

    Args:
        view: What the watcher has just seen.
        start: A cursor, or the revision after which actions are wanted.
        limit: Most actions.
        wait_seconds: How long to wait where there is nothing to tell yet. Who starts at a revision
            waits for actions, and is told of seals beside them.
    """
    polled = _poll(watched, view, start, limit)
    if wait_seconds <= 0 or _is_answer(polled, start):
        return polled
    until = time.monotonic() + min(wait_seconds, MAX_WAIT_SECONDS)
    with unavailable(), watched.shelf.store.watch(watched.session_id) as news:
        while True:
            polled = _poll(watched, watched.look(), start, limit)
            if _is_answer(polled, start) or time.monotonic() >= until or watched.draining():
                return polled
            _wait(watched, news, polled.view, until)


def _poll(watched: Watched, view: View, start: Cursor | int, limit: int) -> Polled:
    at = _begin(view, start if isinstance(start, Cursor) else start + 1)
    told = tuple(_news_of(watched, view, at, None, limit))
    return Polled(view, told, told[-1].cursor if told else at)


def _is_answer(polled: Polled, start: Cursor | int) -> bool:
    if isinstance(start, Cursor):
        return bool(polled.told)
    return any(not isinstance(told.said, Sealed | Offered) for told in polled.told)
