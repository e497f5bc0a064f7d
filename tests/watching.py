"""Watching a session in a test, below the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from guncamera.sessions import watch
from guncamera.sessions.cursors import Cursor
from guncamera.sessions.delay import View, view_of
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf

Start = Cursor | int | None


def watched(
    shelf: Shelf,
    session_id: str,
    *,
    seat: str | None = None,
    clock: Callable[[], int] = lambda: 0,
    draining: Callable[[], bool] = lambda: False,
    admit: Callable[[Session], None] = lambda _session: None,
) -> watch.Watched:
    """A session as a seat, or a spectator, watches it."""

    def look() -> View:
        session = shelf.load(session_id)
        admit(session)
        return view_of(shelf, session, seat, clock)

    return watch.Watched(shelf, session_id, look, clock, draining)


def said(
    what: watch.Watched, start: Start = None, *, heartbeat_seconds: float = 5
) -> Iterator[watch.Said]:
    """What a watch says, without its cursors."""
    stream = watch.watch(what, start, heartbeat_seconds=heartbeat_seconds)
    try:
        for told in stream:
            yield told.said
    finally:
        stream.close()
