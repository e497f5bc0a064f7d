"""Sealing and revealing: secret simultaneous orders, kept beside the state until all are in.

Checks come in the order of `play`. An order is ruled on when it is sealed, and told only what is
wrong with itself. At the reveal all are ruled on again, in the order the rule set gives, each on
the board that the one before left, and appended in one step. That one writes on the condition
that nobody has acted or sealed since the session was read, so a reveal is whole or not there.

Nothing here puts an order into a message: whatever fails over one says only where it failed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import orjson

from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, Refusal, RollRequired
from guncamera.rules.ruleset import Verb
from guncamera.rules.ruling import Ruling
from guncamera.sessions import seating
from guncamera.sessions.attempts import attempts, same_answer
from guncamera.sessions.books import ruled
from guncamera.sessions.codec import encode_action, encode_order, encode_state
from guncamera.sessions.keys import Scope
from guncamera.sessions.play import (
    Submission,
    check,
    check_open,
    check_pinned,
    stale,
    tell_nearest,
)
from guncamera.sessions.refusals import NoSealDeadline, RevealNotDue
from guncamera.sessions.seals import (
    awaited_seats,
    check_sealed,
    reveal_micros,
    sealed_order,
)
from guncamera.sessions.session import (
    Action,
    Record,
    Session,
    State,
    state_of,
)
from guncamera.sessions.shelf import Shelf, no_session, unavailable
from guncamera.sessions.store import Appended, Conflict, Missing, Repeated, RequestKey, Sealed

Orders: TypeAlias = Mapping[str, tuple[Verb, Any]]
Written: TypeAlias = Appended | Sealed | Conflict | Repeated | Missing


@dataclass(frozen=True, slots=True)
class SealAnswer:
    """What a seat is told when it has sealed; it holds nothing of what others sealed.

    Attributes:
        revision: The revision it was sealed at.
        waiting_seats: Who had still to seal.
        revealed: It was the last, and all were revealed.
    """

    seat: str
    revision: int
    waiting_seats: tuple[str, ...]
    revealed: bool


@dataclass(frozen=True, slots=True)
class RevealAnswer:
    """The actions of a reveal, from the first revision to the last, and who had not sealed."""

    first_revision: int
    revision: int
    late_seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RevealCall:
    """A call to reveal at the deadline; the fields are those of `Submission`."""

    session_id: str
    seat: str = ""
    token: str | None = None
    request_id: str = ""
    fingerprint: str = ""
    scope: Scope | None = None


def seal(shelf: Shelf, clock: Callable[[], int], submission: Submission) -> tuple[SealAnswer, bool]:
    """Seal an order, and reveal all if it is the last; or find what an earlier call was told.

    Returns:
        The answer, and whether an earlier call with this request id had got it.

    Raises:
        Refusal: In the order of checks of `play`; nothing was written.
    """
    started_at: int | None = None
    for session, request, found in attempts(shelf, submission):
        if found is not None:
            return _seal_answer(found), True
        if started_at not in (None, session.revision):
            # All were revealed just now. What was chosen for that phase is not for the next.
            raise stale(session.revision)
        started_at = session.revision
        answer = check_seal(session, submission)
        order = (submission.verb, submission.order)
        if answer.revealed:
            orders = {**_sealed_orders(session), answer.seat: order}
            written = _reveal(shelf, session, orders, clock(), request, answer)
        else:
            written = _seal(shelf, session, answer, encode_order(*order), request)
        match written:
            case Appended() | Sealed():
                return answer, False
            case Repeated():
                return _seal_answer(same_answer(written, submission)), True
            case Missing():
                raise no_session(submission.session_id)
    raise stale(session.revision)


def check_seal(session: Session, submission: Submission) -> SealAnswer:
    """Every check of a seal; returns what it will be answered with."""
    seat = check(session, submission)
    check_sealed(session, submission.verb)
    awaited = awaited_seats(session)
    check_open(session, actions=len(awaited))
    try:
        with _sealed_lips():
            board, order = session.state.board, submission.order
            _rule_blind(session.record, board, seat, submission.verb, order)
    except Illegal as refusal:
        with _sealed_lips():
            tell_nearest(refusal, session, submission)
        raise
    waiting = tuple(one for one in awaited if one != seat and one not in session.seals)
    return SealAnswer(seat, session.revision, waiting, revealed=not waiting)


def reveal(shelf: Shelf, clock: Callable[[], int], call: RevealCall) -> tuple[RevealAnswer, bool]:
    """Reveal at the deadline, with the rule set's orders for the seats that are late.

    Returns:
        The answer, and whether an earlier call with this request id had got it.

    Raises:
        RevealNotDue, NoSealDeadline: Those who are late may still seal.
        Refusal: In the order of checks of `play`; nothing was written.
    """
    for session, request, found in attempts(shelf, call):
        if found is not None:
            return _reveal_answer(found), True
        now = clock()
        _check_due(session, call, now)
        orders = _sealed_orders(session)
        late = tuple(seat for seat in awaited_seats(session) if seat not in orders)
        orders |= {seat: _default_order(session, seat) for seat in late}
        last = session.revision + len(orders)
        answer = RevealAnswer(session.revision + 1, last, late)
        match written := _reveal(shelf, session, orders, now, request, answer):
            case Appended():
                return answer, False
            case Repeated():
                return _reveal_answer(same_answer(written, call)), True
            case Missing():
                raise no_session(call.session_id)
    raise stale(session.revision)


def _check_due(session: Session, call: RevealCall, now_micros: int) -> None:
    if call.seat or call.token:
        seating.acting_seat(session, call.seat, call.token, call.scope)
    else:
        seating.check_holds_a_seat(session, None, call.scope, enough=Scope.REFEREE)
    check_open(session, actions=len(awaited_seats(session)))
    check_pinned(session.record)
    check_sealed(session)
    due = reveal_micros(session)
    if due is None:
        raise NoSealDeadline(
            "This session has no deadline to seal by. Its orders are revealed when every active "
            "seat has sealed one."
        )
    if now_micros < due:
        seconds = math.ceil((due - now_micros) / 1_000_000)
        refusal = RevealNotDue(
            f"The seats have {seconds} seconds left to seal. Come back then; if the last one "
            "seals before, the orders are revealed by themselves.",
            seconds_left=seconds,
        )
        refusal.retry_after_seconds = seconds
        raise refusal


def _sealed_orders(session: Session) -> dict[str, tuple[Verb, Any]]:
    """The orders of the seats that count in this phase."""
    found = {seat: sealed_order(session, seat) for seat in awaited_seats(session)}
    return {seat: order for seat, order in found.items() if order is not None}


def _default_order(session: Session, seat: str) -> tuple[Verb, Any]:
    found = session.record.ruleset
    verb = found.sealed_verb(session.state.board)
    if verb is None or found.default_order is None:
        raise AssertionError("no order for a late seat; the deadline was checked before")
    return verb, found.default_order(session.state.board, seat, session.record.book)


def _seal(
    shelf: Shelf,
    session: Session,
    answer: SealAnswer,
    order: bytes,
    request: RequestKey | None,
) -> Written:
    with unavailable():
        return shelf.store.seal(
            session.record.id,
            expected_revision=session.revision,
            expected_serial=session.seal_serial,
            seat=answer.seat,
            order=order,
            request=request,
            answer=_encoded(answer),
        )


def _reveal(
    shelf: Shelf,
    session: Session,
    orders: Orders,
    now_micros: int,
    request: RequestKey | None,
    answer: SealAnswer | RevealAnswer,
) -> Written:
    late = answer.late_seats if isinstance(answer, RevealAnswer) else ()
    actions, state = revealed(session, orders, now_micros, late)
    with unavailable():
        return shelf.store.reveal(
            session.record.id,
            expected_revision=session.revision,
            expected_serial=session.seal_serial,
            entries=[encode_action(action) for action in actions],
            state=encode_state(state),
            request=request,
            answer=_encoded(answer),
            ttl_seconds=session.record.ttl_seconds,
        )


def revealed(
    session: Session, orders: Orders, now_micros: int, late_seats: Sequence[str] = ()
) -> tuple[Sequence[Action], State]:
    """The actions that sealed orders become, and the state they lead to.

    Args:
        late_seats: Those whose orders are the rule set's, as their actions then say.

    Raises:
        AssertionError: The rule set breaks its contract; nothing of an order is in the message.
    """
    record, state = session.record, session.state
    # Not the keys of `orders`: they may stand in the order of arrival.
    seats = awaited_seats(session)
    order_of_seats = record.ruleset.reveal_order(state.board, seats, record.book)
    if sorted(order_of_seats) != sorted(seats):
        raise AssertionError(f"{record.ruleset.slug}: reveal_order leaves out or adds a seat")
    actions: list[Action] = []
    for revision, seat in enumerate(order_of_seats, start=session.revision + 1):
        with _sealed_lips(refusals_too=True):
            action, state = _rule(record, state, revision, seat, *orders[seat], now_micros)
        actions.append(replace(action, by_default=seat in late_seats))
    return actions, state


def _rule(
    record: Record,
    state: State,
    revision: int,
    seat: str,
    verb: Verb,
    order: Any,
    now_micros: int,
) -> tuple[Action, State]:
    ruling = _rule_blind(record, state.board, seat, verb, order)
    applied = record.ruleset.apply(state.board, verb, order, ruling, record.book)
    action = Action(
        revision=revision,
        seat=seat,
        verb=verb,
        order=order,
        outcome=ruling.outcome,
        trace=ruling.trace,
        events=applied.events,
        summary=ruling.summary,
        rolls=(),
        dice_source=None,
        rules_version=record.rules_version,
        create_micros=now_micros,
    )
    return action, state_of(record, applied.board, now_micros, state)


def _rule_blind(record: Record, board: Any, seat: str, verb: Verb, order: Any) -> Ruling[Any]:
    """Rule on an order without dice, which no rule may ask for under a seal."""
    found = record.ruleset
    facts = found.survey(board, seat, verb, order, record.book)
    try:
        return ruled(found.procedure(verb), facts, record.book, DealtDice(()))
    except Refusal as refusal:
        refusal.surveyed = order, facts
        raise


@contextmanager
def _sealed_lips(*, refusals_too: bool = False) -> Iterator[None]:
    """Say of a fault only what kind it is and where, for its own message may quote an order."""
    try:
        yield
    except RollRequired as asked:
        raise AssertionError(f"{asked.rule_id} asks for dice under a seal") from None
    except Refusal as refusal:
        if not refusals_too:
            raise
        raise AssertionError(
            f"{refusal.rule_id} refuses at the reveal ({refusal.reason}) what it let be sealed"
        ) from None
    except Exception as fault:
        trace = fault.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}" if trace else "?"
        raise AssertionError(f"{type(fault).__name__} over a sealed order in {where}") from None


def _encoded(answer: SealAnswer | RevealAnswer) -> bytes:
    return orjson.dumps(asdict(answer))


def _seal_answer(data: bytes) -> SealAnswer:
    plain = orjson.loads(data)
    return SealAnswer(**{**plain, "waiting_seats": tuple(plain["waiting_seats"])})


def _reveal_answer(data: bytes) -> RevealAnswer:
    plain = orjson.loads(data)
    return RevealAnswer(**{**plain, "late_seats": tuple(plain["late_seats"])})
