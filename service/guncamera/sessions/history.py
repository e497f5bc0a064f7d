"""What an undo leaves of a ledger: which actions are in force, and the session as it once was.

A ledger only grows. An undo at revision u back to t leads to the state that was after t, so what is
in force at a revision is found by going back from it, and at each undo on to where that went back.
Of the states before the last only some are kept. The others are made from the one before them by
ruling again on what was in force since.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import TypeAlias

from guncamera.rules.dealt import DealtDice
from guncamera.rules.ruleset import Ruleset
from guncamera.sessions.books import ruled, variant_changed
from guncamera.sessions.codec import decode_entry
from guncamera.sessions.cursors import mark_of
from guncamera.sessions.refusals import RulesVersionChanged
from guncamera.sessions.session import Action, Entry, Record, Session, State, Undone, state_of
from guncamera.sessions.shelf import Shelf, no_session

Undos: TypeAlias = tuple[tuple[int, int], ...]
"""The revision of each undo, and the one it went back to."""

PAGE = 200
MOST_REMEMBERED = 256
_SHOWS_ALL, _SEALS_NOTHING = (
    next(field.default for field in fields(Ruleset) if field.name == name)
    for name in ("deed_for", "sealed_verb")
)

_states: OrderedDict[tuple[str, int, bytes], State] = OrderedDict()
_lock = threading.Lock()


# ---- What is in force


def stretches(undos: Undos, revision: int) -> list[tuple[int, int]]:
    """The actions in force at a revision: after which, up to which, in the order of the ledger."""
    found = []
    for undo, back in reversed(undos):
        if undo <= revision:
            found.append((undo, revision))
            revision = back
    found.append((0, revision))
    return [(after, upto) for after, upto in reversed(found) if after < upto]


def last_in_force(undos: Undos, revision: int) -> int:
    """The revision of the last action in force at a revision; 0 for none."""
    found = stretches(undos, revision)
    return found[-1][1] if found else 0


def stands(undos: Undos, revision: int, earlier: int) -> bool:
    """Whether a ledger that has come to a revision still stands on an earlier one."""
    for undo, back in reversed(undos):
        if undo <= revision:
            if earlier >= undo:
                return earlier <= revision
            revision = back
    return earlier <= revision


def taken_back_at(undos: Undos, revision: int) -> int | None:
    """The revision of the undo that took an action back; None while it is in force."""
    return next((undo for undo, back in undos if back < revision < undo), None)


# ---- Ruling again


def again_after(record: Record, state: State, action: Action, number: int) -> tuple[Action, State]:
    """An action ruled on again from its faces, after a state; and the state it leads to.

    Raises:
        Refusal: The rules do not allow it there.
    """
    found = record.ruleset
    facts = found.survey(state.board, action.seat, action.verb, action.order, record.book)
    dice = DealtDice(face for roll in action.rolls for face in roll.faces)
    ruling = ruled(found.procedure(action.verb), facts, record.book, dice)
    dice.close()
    applied = found.apply(state.board, action.verb, action.order, ruling, record.book)
    again = Action(
        revision=number,
        seat=action.seat,
        verb=action.verb,
        order=action.order,
        outcome=ruling.outcome,
        trace=ruling.trace,
        events=applied.events,
        summary=ruling.summary,
        rolls=tuple(dice.rolls),
        dice_source=action.dice_source,
        rules_version=record.book.rules_version,
        create_micros=action.create_micros,
        client_nonce=action.client_nonce,
        by_default=action.by_default,
    )
    return again, state_of(record, applied.board, action.create_micros, state)


def taken_back(record: Record, before: State, target: State, undone: Undone) -> State:
    """The state that an undo leads to.

    Args:
        before: The state that is taken back.
        target: The one it goes back to.
    """
    found = record.ruleset
    hidden = {
        viewer or "" for viewer in viewers(record) if found.keeps_secrets(before.board, viewer)
    }
    return State(
        board=target.board,
        active_seats=target.active_seats,
        result=target.result,
        changed_micros=undone.create_micros,
        undos=(*before.undos, (undone.revision, undone.to_revision)),
        kept_from=tuple(sorted({*before.kept_from, *hidden})),
    )


def viewers(record: Record) -> Iterable[str | None]:
    """Whoever may look on: every seat, and spectators."""
    return (None, *(seat.id for seat in record.seats))


def opening(record: Record) -> State:
    """The state a session begins with, wherever it was imported."""
    board = record.ruleset.open_board(record.setup, record.book)
    return state_of(record, board, record.create_micros)


# ---- The session as it was


def state_at(shelf: Shelf, session: Session, revision: int) -> State:
    """The state after a revision; of its `kept_from` it tells what is known now.

    Args:
        session: As it is, or later than the revision in any case.

    Raises:
        RulesVersionChanged: It was played by other rules than there are now.
    """
    record = session.record
    _check_same_rules(record)
    if revision == session.revision:
        return session.state
    if revision == 0:
        return opening(record)
    entry = shelf.store_entry(session, revision)
    key = (mark_of(record), revision, hashlib.sha256(entry).digest())
    with _lock:
        state = _states.get(key)
    if state is None:
        state = _made_again(shelf, session, revision)
        # It may be an undo that led there, at a later time.
        changed = decode_entry(entry, record.ruleset).create_micros
        state = replace(state, changed_micros=changed)
        with _lock:
            _states[key] = state
            while len(_states) > MOST_REMEMBERED:
                _states.popitem(last=False)
    undos = tuple(one for one in session.state.undos if one[0] <= revision)
    return replace(state, undos=undos, kept_from=session.state.kept_from)


def session_at(shelf: Shelf, session: Session, revision: int) -> Session:
    """A session as it was after a revision: what was offered and sealed then is not known."""
    state = state_at(shelf, session, revision)
    return replace(session, state=state, revision=revision, seals={}, seal_serial=0, offers=())


def hides_deeds(found: Ruleset) -> bool:
    """Whether a rule set shows actions otherwise to one seat than to another."""
    return found.deed_for is not _SHOWS_ALL


def seals_orders(found: Ruleset) -> bool:
    """Whether orders of a rule set are ever given sealed."""
    return found.sealed_verb is not _SEALS_NOTHING


def entries_between(shelf: Shelf, session: Session, after: int, upto: int) -> Iterator[Entry]:
    """What the ledger holds after a revision, up to another one."""
    while after < upto:
        page = shelf.actions(session, after_revision=after, limit=min(PAGE, upto - after))
        if not page:  # it was deleted just now
            raise no_session(session.record.id)
        yield from page
        after += len(page)


def _made_again(shelf: Shelf, session: Session, revision: int) -> State:
    """The state after a revision, ruled on again from the last one before it that is kept."""
    record = session.record
    in_force = stretches(session.state.undos, revision)
    # What follows an undo stands on the state that it led to, so that counts as well.
    begun, state = shelf.kept_state(session, in_force) or (0, opening(record))
    for after, upto in in_force:
        for action in _actions(shelf, session, max(after, begun), upto):
            _, state = again_after(record, state, action, action.revision)
    return state


def _actions(shelf: Shelf, session: Session, after: int, upto: int) -> Iterator[Action]:
    for entry in entries_between(shelf, session, after, upto):
        if isinstance(entry, Undone):
            raise AssertionError(f"an undo is in force as an action: {session.record.id}")
        yield entry


def check_variant(record: Record, path: str = "") -> None:
    """Refuse to go on without the variant that a session is played by.

    Args:
        path: Where the request names it.

    Raises:
        VariantChanged: It is not here.
    """
    if record.variant != record.book.variant:
        raise variant_changed(record.variant, record.book.variant, path)


def is_pinned(record: Record) -> bool:
    """Whether the rules in force are those a session is pinned to."""
    if record.variant != record.book.variant:
        return False
    pinned = (record.rules_version, record.rules_hash)
    return (record.book.rules_version, record.book.digest) == pinned


def _check_same_rules(record: Record) -> None:
    check_variant(record)
    if not is_pinned(record):
        raise RulesVersionChanged(
            "This cannot be shown by other rules than those the session was played by. Use the "
            "service it was created with.",
            session_version=record.rules_version,
            service_version=record.book.rules_version,
        )
