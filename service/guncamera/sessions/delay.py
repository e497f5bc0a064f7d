"""What spectators see of a session that keeps them behind: the session as it was then.

Whoever looks for a seat sees the present. Everyone else sees revision, board, result, seed and
actions of a while ago, by every call alike, to the end of the game and beyond: they are shown
another session, whose ledger ends earlier. What is sealed they never learn, for by then it has been
revealed.

No state but the last is kept, so the board of then is made by ruling on the ledger again. Each
process remembers how far it got.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from guncamera.sessions.cursors import mark_of
from guncamera.sessions.film import compare
from guncamera.sessions.history import again_after, opening, state_at, taken_back
from guncamera.sessions.play import check_pinned
from guncamera.sessions.session import Record, Session, State, Undone
from guncamera.sessions.shelf import Shelf

PAGE = 200
MOST_REMEMBERED = 256
# A cursor may have been given by another machine, whose clock is a little ahead.
SKEW_MICROS = 2_000_000


@dataclass(frozen=True, slots=True)
class View:
    """A session as one viewer sees it.

    Attributes:
        session: The present; for a spectator who is kept behind, the session of then.
        seat: Who sees it; None is a spectator.
        more_micros: From when on there is more to see though nothing happens; None: never.
    """

    session: Session
    seat: str | None
    more_micros: int | None = None


@dataclass(frozen=True, slots=True)
class _Past:
    """A state on the way, and when the last action before it was appended."""

    revision: int
    state: State


_pasts: OrderedDict[str, _Past] = OrderedDict()
_lock = threading.Lock()


def view_of(shelf: Shelf, session: Session, seat: str | None, clock: Callable[[], int]) -> View:
    """What a seat sees of a session, just loaded; None is a spectator.

    Raises:
        RulesVersionChanged: The board of then cannot be made any more. All is shown in a while.
    """
    if seat is not None or not session.record.spectator_delay_seconds:
        return View(session, seat)
    until = _until(session, clock)
    blind = replace(session, seals={}, seal_serial=0, offers=())
    if session.revision == 0 or session.state.changed_micros <= until:
        return View(blind, None)
    check_pinned(session.record)
    past, more_micros = _past_of(shelf, session, until)
    if more_micros is None:
        return View(blind, None)
    then = replace(blind, revision=past.revision, state=past.state)
    return View(then, None, more_micros)


def will_be_there(shelf: Shelf, view: View, revision: int, clock: Callable[[], int]) -> bool:
    """Whether a viewer will see a revision, if not now then in a moment."""
    if revision <= view.session.revision or view.more_micros is None:
        return revision <= view.session.revision
    actions = shelf.actions(view.session, after_revision=revision - 1, limit=1)
    soon = _until(view.session, clock) + SKEW_MICROS
    return bool(actions) and actions[0].create_micros <= soon


def _until(session: Session, clock: Callable[[], int]) -> int:
    return clock() - session.record.spectator_delay_seconds * 1_000_000


def _past_of(shelf: Shelf, session: Session, until: int) -> tuple[_Past, int | None]:
    """The state after the last action that may be seen, and when the next one may; None: all may.

    No action may be seen before one that stands before it, whatever clocks said when they fell.
    """
    record = session.record
    past = _remembered(record, until)
    while past.revision < session.revision:
        page = shelf.actions(session, after_revision=past.revision, limit=PAGE)
        for action in page[: session.revision - past.revision]:
            if action.create_micros > until:
                _remember(record, past)
                return past, action.create_micros + record.spectator_delay_seconds * 1_000_000
            if isinstance(action, Undone):
                target = state_at(shelf, session, action.to_revision)
                past = _Past(action.revision, taken_back(record, past.state, target, action))
                continue
            again, state = again_after(record, past.state, action, action.revision)
            if compare(action, again):
                shelf.notices.parted(record.ruleset.slug, "ledger")
            past = _Past(action.revision, state)
        if not page:  # it was deleted just now
            break
    _remember(record, past)
    return past, None


def _remembered(record: Record, until: int) -> _Past:
    with _lock:
        past = _pasts.get(mark_of(record))
    if past is not None and past.state.changed_micros <= until:
        return past
    return _Past(0, opening(record))


def _remember(record: Record, past: _Past) -> None:
    key = mark_of(record)
    with _lock:
        _pasts[key] = past
        _pasts.move_to_end(key)
        while len(_pasts) > MOST_REMEMBERED:
            _pasts.popitem(last=False)
