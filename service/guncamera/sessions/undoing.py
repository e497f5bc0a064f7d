"""Undoing: taking back what was done after a revision, alone or by agreement.

Whether a seat may take something back alone is answered by public facts alone: whose actions they
were, whether dice fell, whether they were sealed, and whether the rule set keeps anything from
anyone while they stood. Of what is hidden or sealed nothing enters the answer. In a game that hides
something every ruling may have told of it, also by what it did not find; so there nobody takes
anything back alone.

Checks come in the order of `play`, but for whose turn it is: whoever has just acted may take it
back. An offer is kept beside the state like a seal, and lapses with the next action like one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import orjson

from guncamera.rules.refusal import Malformed
from guncamera.sessions import seating
from guncamera.sessions.attempts import attempts, same_answer
from guncamera.sessions.codec import encode_entry, encode_state
from guncamera.sessions.history import (
    Undos,
    again_after,
    entries_between,
    last_in_force,
    seals_orders,
    stands,
    state_at,
    taken_back,
    viewers,
)
from guncamera.sessions.keys import Scope
from guncamera.sessions.play import check_open, check_pinned, stale
from guncamera.sessions.refusals import UndoImpossible, UndoNeedsAgreement
from guncamera.sessions.session import (
    Entry,
    Record,
    Session,
    State,
    Undone,
)
from guncamera.sessions.shelf import Shelf, no_session, unavailable
from guncamera.sessions.store import Appended, Conflict, Missing, Repeated, RequestKey, Sealed

MAX_UNDOS = 1000
"""How many undos a session may have: each is kept with its state."""

Written: TypeAlias = Appended | Sealed | Conflict | Repeated | Missing


class Cause(StrEnum):
    """Why a seat may not take an action back alone."""

    OTHER_SEAT = "other-seat"
    DICE = "dice"
    REVEAL = "reveal"
    SECRETS = "secrets"


_TEXTS = {
    Cause.OTHER_SEAT: "Action {revision} was another seat's",
    Cause.DICE: "Dice fell in action {revision}",
    Cause.REVEAL: "Action {revision} revealed what was sealed",
    Cause.SECRETS: "Something was hidden in this game when action {revision} was ruled on",
}


@dataclass(frozen=True, slots=True)
class Note:
    """What an undo asks about one entry of the ledger.

    Attributes:
        cause: Why not even the seat that acted may take it back alone; None if it may.
        is_whole: The ledger may end after it: it is not amid a reveal.
    """

    revision: int
    seat: str
    cause: Cause | None
    is_whole: bool


@dataclass(frozen=True, slots=True)
class UndoCall:
    """A call to undo.

    Attributes:
        to_revision: None for the one before the last action that is in force, or the last reveal.
        by_agreement: Ask the others where one alone may not. The rest is as in `Submission`.
    """

    session_id: str
    to_revision: int | None = None
    by_agreement: bool = False
    seat: str = ""
    token: str | None = None
    scope: Scope | None = None
    expected_revision: int | None = None
    request_id: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """What a seat is told of its undo.

    Attributes:
        revision: Of the session afterwards.
        waiting_seats: Who has still to agree; nobody once it is done.
    """

    seat: str
    to_revision: int
    agreed_seats: tuple[str, ...]
    waiting_seats: tuple[str, ...]
    revision: int


def undo(shelf: Shelf, clock: Callable[[], int], call: UndoCall) -> tuple[UndoAnswer, bool]:
    """Take back what came after a revision, or offer to; or find what an earlier call was told.

    Returns:
        The answer, and whether an earlier call with this request id had got it.

    Raises:
        UndoNeedsAgreement: The seat may not do so alone, and has not asked for agreement.
        UndoImpossible: Not even all seats together may.
        Refusal: In the order of checks of `play`; nothing was written.
    """
    started_at: int | None = None
    for session, request, found in attempts(shelf, call):
        if found is not None:
            return _answer_of(found), True
        if started_at not in (None, session.revision):
            raise stale(session.revision)  # what was agreed to was about another ledger
        started_at = session.revision
        answer, target = check(shelf, session, call)
        if answer.waiting_seats:
            written = _offer(shelf, session, answer, request)
        else:
            written = _append(shelf, session, answer, target, clock(), request)
        match written:
            case Appended() | Sealed():
                return answer, False
            case Repeated():
                return _answer_of(same_answer(written, call)), True
            case Missing():
                raise no_session(call.session_id)
    raise stale(session.revision)


def preview(shelf: Shelf, call: UndoCall) -> UndoAnswer:
    """Check an undo as `undo` would, without writing anything; the revision is the one now."""
    session = shelf.load(call.session_id)
    answer, _ = check(shelf, session, call)
    return replace(answer, revision=session.revision)


def check(shelf: Shelf, session: Session, call: UndoCall) -> tuple[UndoAnswer, State]:
    """Every check of an undo; returns its answer, and the state it goes back to."""
    record = session.record
    seat = _acting_seat(session, call)
    if call.expected_revision not in (None, session.revision):
        raise stale(session.revision)
    check_open(session)
    check_pinned(record)
    to_revision = check_target(session.state.undos, session.revision, call.to_revision)
    if call.to_revision is None:
        while _is_amid_reveal(shelf, session, to_revision):
            to_revision -= 1
    elif _is_amid_reveal(shelf, session, to_revision):
        raise amid_reveal(to_revision)
    target = state_at(shelf, session, to_revision)
    notes = _noted(shelf, session, target, to_revision)
    needed = needed_seats(record, seat, notes, by_agreement=call.by_agreement)
    offered = {one for one, back in session.offers if back == to_revision} | {seat}
    agreed = tuple(one for one in needed if one in offered)
    waiting = tuple(one for one in needed if one not in offered)
    revision = session.revision if waiting else session.revision + 1
    return UndoAnswer(seat, to_revision, agreed, waiting, revision), target


def _acting_seat(session: Session, call: UndoCall) -> str:
    """The seat that asks. Whose turn it is says nothing of who wants to take back."""
    seats = session.record.seats
    named = call.seat or (seats[0].id if len(seats) == 1 else "")
    if not named and not call.token:
        raise Malformed("Say which seat takes it back.", field="seat")
    return seating.acting_seat(session, named, call.token, call.scope)


def check_target(undos: Undos, revision: int, wanted: int | None) -> int:
    """The revision to go back to, if a ledger that has come to a revision can be taken back so far.

    Raises:
        Malformed: It is no revision before the last.
        UndoImpossible: It was taken back itself; or nothing in force came after it.
    """
    last = last_in_force(undos, revision)
    if last == 0:
        raise _impossible("nothing", "No action is in force: there is nothing to take back.")
    if len(undos) >= MAX_UNDOS:
        raise _impossible("too-many", f"A session has at most {MAX_UNDOS} undos. Play on.")
    if wanted is None:
        return last - 1
    if not 0 <= wanted < revision:
        raise Malformed(
            f"{wanted} is no revision to go back to; give 0 to {revision - 1}.",
            field="to_revision",
            to_revision=wanted,
        )
    if not stands(undos, revision, wanted):
        raise _impossible(
            "taken-back",
            f"What made revision {wanted} was itself taken back, and is not brought back. Go back "
            "to one that is in force.",
        )
    if wanted >= last:
        raise _impossible(
            "nothing",
            f"What came after revision {wanted} has been taken back already. The last action in "
            f"force is {last}.",
        )
    return wanted


def _noted(shelf: Shelf, session: Session, target: State, to_revision: int) -> Iterator[Note]:
    """A note on each entry after the revision to go back to, made as far as anyone reads them."""
    record, state = session.record, target
    wanted = {back for _, back in session.state.undos}
    states = {to_revision: target}
    for entry in entries_between(shelf, session, to_revision, session.revision):
        before, state = state, state_after(record, state, entry, states)
        if entry.revision in wanted:
            states[entry.revision] = state
        yield note_on(record, before, entry, state)


def _is_amid_reveal(shelf: Shelf, session: Session, revision: int) -> bool:
    """Whether some orders of a reveal lie before a revision in force, and some after it."""
    if revision == 0 or not seals_orders(session.record.ruleset):
        return False
    entry = shelf.action(session, revision)
    if isinstance(entry, Undone):
        return False
    before, after = (state_at(shelf, session, at) for at in (revision - 1, revision))
    return not note_on(session.record, before, entry, after).is_whole


def state_after(record: Record, state: State, entry: Entry, states: dict[int, State]) -> State:
    """The state that an entry leads to, where the states it may go back to are known."""
    if isinstance(entry, Undone):
        return taken_back(record, state, states[entry.to_revision], entry)
    return again_after(record, state, entry, entry.revision)[1]


def note_on(record: Record, before: State, entry: Entry, after: State) -> Note:
    """What an undo asks about an entry, which led from one state to another."""
    if isinstance(entry, Undone):
        return Note(entry.revision, entry.seat, None, is_whole=True)
    found = record.ruleset
    is_sealed = found.sealed_verb(before.board) is entry.verb
    cause = None
    if any(found.keeps_secrets(at.board, one) for at in (before, after) for one in viewers(record)):
        cause = Cause.SECRETS
    if is_sealed:
        cause = Cause.REVEAL
    if entry.rolls:
        cause = Cause.DICE
    # Each seat acts once in a reveal, and then is active no more: the last one leaves nobody.
    is_whole = not is_sealed or before.active_seats == (entry.seat,)
    return Note(entry.revision, entry.seat, cause, is_whole)


def needed_seats(
    record: Record, seat: str, notes: Iterable[Note], *, by_agreement: bool = True
) -> tuple[str, ...]:
    """The seats that have to agree before a seat takes some actions back: itself, or all.

    Raises:
        UndoNeedsAgreement: All have to, and it was not to be by agreement.
        UndoImpossible: There is nobody else who could agree.
    """
    seats = tuple(one.id for one in record.seats)
    stopped = _stopped_by(seat, notes)
    if stopped is None:
        return (seat,)
    cause, revision = stopped
    why = _TEXTS[cause].format(revision=revision)
    if len(seats) == 1:
        raise UndoImpossible(
            f"{why}, and there is nobody else who could agree to take it back. It stands.",
            cause=cause.value,
            revision=revision,
        )
    if not by_agreement:
        raise UndoNeedsAgreement(
            f"{why}: it is taken back only if every seat agrees. Send by_agreement to ask the "
            "others, who answer with the same call.",
            cause=cause.value,
            revision=revision,
        )
    return seats


def _stopped_by(seat: str, notes: Iterable[Note]) -> tuple[Cause, int] | None:
    """Why a seat may not take some actions back alone, and by which of them; None if it may."""
    for note in notes:
        if note.seat != seat:
            return Cause.OTHER_SEAT, note.revision
        if note.cause is not None:
            return note.cause, note.revision
    return None


def amid_reveal(revision: int) -> UndoImpossible:
    """The refusal to go back to where some of a reveal's orders lie open and others do not."""
    return _impossible(
        "amid-reveal",
        f"Revision {revision} lies amid a reveal, and those still to be revealed would be sealed "
        "by who has seen the others. Go back to before the reveal, or to its end.",
    )


def _impossible(cause: str, message: str) -> UndoImpossible:
    return UndoImpossible(message, cause=cause)


def undone_by(record: Record, answer: UndoAnswer, revision: int, now_micros: int) -> Undone:
    """The entry of the ledger for an undo that is done."""
    return Undone(
        revision=revision,
        seat=answer.seat,
        to_revision=answer.to_revision,
        agreed_seats=answer.agreed_seats,
        summary=summary_of(revision, answer.to_revision, answer.agreed_seats),
        rules_version=record.rules_version,
        create_micros=now_micros,
    )


def summary_of(revision: int, to_revision: int, agreed_seats: tuple[str, ...]) -> str:
    """One sentence on an undo."""
    by = agreed_seats[0] if len(agreed_seats) == 1 else "all seats"
    back = f"revision {to_revision}" if to_revision else "the opening"
    first, last = to_revision + 1, revision - 1
    taken = f"action {last}" if first == last else f"actions {first} to {last}"
    return f"Taken back by {by}: {taken}. The board is that of {back}."


# ---- Writing


def _append(
    shelf: Shelf,
    session: Session,
    answer: UndoAnswer,
    target: State,
    now_micros: int,
    request: RequestKey | None,
) -> Written:
    undone = undone_by(session.record, answer, session.revision + 1, now_micros)
    state = taken_back(session.record, session.state, target, undone)
    with unavailable():
        return shelf.store.reveal(
            session.record.id,
            expected_revision=session.revision,
            expected_serial=session.seal_serial,
            entries=[encode_entry(undone)],
            state=encode_state(state),
            request=request,
            answer=_encoded(answer),
            ttl_seconds=session.record.ttl_seconds,
            follows=answer.to_revision,
        )


def _offer(
    shelf: Shelf, session: Session, answer: UndoAnswer, request: RequestKey | None
) -> Written:
    with unavailable():
        return shelf.store.offer(
            session.record.id,
            expected_revision=session.revision,
            expected_serial=session.seal_serial,
            seat=answer.seat,
            to_revision=answer.to_revision,
            request=request,
            answer=_encoded(answer),
        )


def _encoded(answer: UndoAnswer) -> bytes:
    return orjson.dumps(asdict(answer))


def _answer_of(data: bytes) -> UndoAnswer:
    plain = orjson.loads(data)
    seats = {name: tuple(plain[name]) for name in ("agreed_seats", "waiting_seats")}
    return UndoAnswer(**{**plain, **seats})
