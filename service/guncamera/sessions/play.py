"""Playing sessions: create, claim, act, read. The order of checks is fixed and is this:

the request is well formed; the session exists; a token sent is a seat's here; the request id is
new (else its action is returned); the caller holds the seat; the etag matches; the game goes on
and the seat is active; the rules are those the session is pinned to; the order is given as the
phase wants it, openly or sealed; it is legal; the dice are right. Dice are drawn after every check,
so that no refusal can be used to look at a throw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask
from guncamera.rules.refusal import Illegal, Malformed, Refusal, RollRequired
from guncamera.rules.ruleset import Verb
from guncamera.rules.straight_line import quick
from guncamera.sessions import entropy, seating
from guncamera.sessions.codec import decode_entry, encode_action, encode_state
from guncamera.sessions.history import check_variant, hides_deeds, is_pinned, session_at
from guncamera.sessions.keys import Scope
from guncamera.sessions.listing import nearest_orders
from guncamera.sessions.refusals import (
    EtagMismatch,
    LedgerFull,
    RulesVersionChanged,
    SessionFinished,
)
from guncamera.sessions.resolution import RememberingDice, resolve
from guncamera.sessions.seals import check_given_openly
from guncamera.sessions.session import (
    MAX_ACTIONS,
    Action,
    DiceSource,
    Record,
    Session,
    State,
    checked_request_id,
    etag_of,
    state_of,
)
from guncamera.sessions.shelf import Shelf, no_session, reused, unavailable
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.store import (
    Append,
    Appended,
    Conflict,
    Load,
    Loaded,
    Missing,
    Repeated,
    RequestKey,
)

CONFLICT_RETRIES = 4
"""How often an order without an etag is ruled on anew when another action came first."""


@quick
@dataclass(frozen=True, slots=True)
class Submission:
    """An order to rule on, of any verb.

    Attributes:
        order: The rule set's dataclass; it must be the session's rule set.
        slug: The rule set the order was written for.
        scope: Of the caller's key; None without one.
        faces: What the players threw; None to draw.
        expected_revision: From the etag; None takes whatever the revision is.
        fingerprint: A hash of the whole request, for telling a retry from a reused request id.
        client_nonce: Enters the draws; empty for none. See `guncamera.sessions.entropy`.
        nearest_count: How many legal orders to tell if a rule refuses this one.
    """

    session_id: str
    slug: str
    verb: Verb
    order: Any
    seat: str = ""
    token: str | None = None
    faces: tuple[int, ...] | None = None
    expected_revision: int | None = None
    request_id: str = ""
    fingerprint: str = ""
    scope: Scope | None = None
    client_nonce: str = ""
    nearest_count: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Acted:
    """An action, the session it was ruled on in, and whether an earlier call made it."""

    session: Session
    action: Action
    replayed: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What an order would do: the first dice it would ask for, or the ruling if it asks none."""

    session: Session
    action: Action
    would_ask: Ask[Any] | None


def act(shelf: Shelf, clock: Callable[[], int], submission: Submission) -> Acted:
    """Rule on an order and append it; or find the action its request id made before.


    Raises:
        Refusal: In the order of checks above; nothing was written.
    """
    return run(shelf.store, acting(shelf, clock, submission))


def acting(shelf: Shelf, clock: Callable[[], int], submission: Submission) -> Steps[Acted]:
    """As `act`, one step with the store at a time, so that many can be taken together."""
    checked_request_id(submission.request_id)
    request = (
        RequestKey(submission.request_id, submission.fingerprint) if submission.request_id else None
    )
    for _ in range(CONFLICT_RETRIES):
        with unavailable():
            loaded = yield Load(submission.session_id, submission.request_id or None)
        if loaded is None:
            raise no_session(submission.session_id)
        session = shelf.session_of(loaded)
        if loaded.repeated is not None:
            seating.seat_of_token(session, submission.token)  # it may be the seat's no more
            return repeat(shelf, loaded, submission, loaded.repeated)
        revision = session.revision + 1
        with nearest_told(session, submission):
            action, state = rule(
                session, submission, drawn(session, revision, submission.client_nonce), clock()
            )
        with unavailable():
            written = yield Append(
                submission.session_id,
                expected_revision=session.revision,
                entry=encode_action(action),
                state=encode_state(state),
                request=request,
                ttl_seconds=session.record.ttl_seconds,
            )
        match written:
            case Appended():
                shelf.notices.landed(session, action)
                return Acted(session, action, replayed=False)
            case Missing():
                raise no_session(submission.session_id)
            case Repeated():
                return repeat(shelf, loaded, submission, written)
            case Conflict(now):
                if submission.expected_revision is not None:
                    raise stale(now)
    raise stale(now)


def preview(shelf: Shelf, submission: Submission) -> Preview:
    """Check an order as `act` would, without drawing or writing anything."""
    session = shelf.load(submission.session_id)
    try:
        with nearest_told(session, submission):
            action, _ = rule(session, submission, partial(DealtDice, ()), 0)
    except RollRequired as needed:
        seat = _acting_seat(session, submission)
        empty = Action(
            0, seat, submission.verb, submission.order, None, (), (), "", (), None,
            session.record.rules_version, 0,
        )  # fmt: skip
        return Preview(session, empty, needed.ask)
    return Preview(session, action, None)


def drawn(session: Session, revision: int, nonce: str) -> Callable[[], RememberingDice]:
    """The dice that make a revision, when they are asked for."""
    seed = session.record.seed_for(revision)
    return partial(entropy.SeededDice, seed.seed, seed.commitment, revision, nonce)


def check(session: Session, submission: Submission) -> str:
    """Every check before the rules', in its order; returns the seat that acts."""
    record = session.record
    seat = _acting_seat(session, submission)
    if (
        submission.expected_revision is not None
        and submission.expected_revision != session.revision
    ):
        raise stale(session.revision)
    check_open(session)
    seating.check_active(session, seat)
    check_pinned(record)
    if submission.slug != record.ruleset.slug:
        raise Malformed(
            f"This session plays {record.ruleset.slug}, not {submission.slug}.",
            field="order",
            ruleset=record.ruleset.slug,
        )
    return seat


def _acting_seat(session: Session, submission: Submission) -> str:
    return seating.acting_seat(session, submission.seat, submission.token, submission.scope)


def rule(
    session: Session,
    submission: Submission,
    drawn: Callable[[], RememberingDice],
    now_micros: int,
) -> tuple[Action, State]:
    """Check an order in full and rule on it; returns the action, and the state it leaves.

    A refusal does not say yet what may be ordered instead: that is looked for once it is an answer.
    """
    seat = check(session, submission)
    check_given_openly(session, submission.verb)
    return _ruled(session, seat, submission, drawn, now_micros)


@contextmanager
def nearest_told(session: Session, submission: Submission) -> Iterator[None]:
    """Let a rule's refusal of an order, which is about to be told, say what to order instead."""
    try:
        yield
    except Illegal as refusal:
        tell_nearest(refusal, session, submission)
        raise


def tell_nearest(refusal: Refusal, session: Session, submission: Submission) -> None:
    """Add the legal orders nearest to one that a rule refused in a session, if they are asked for.

    It may cost much more than the ruling did.
    """
    if isinstance(refusal, Illegal) and submission.nearest_count:
        seat, one = _acting_seat(session, submission), submission
        refusal.nearest = nearest_orders(session, seat, one.verb, one.order, one.nearest_count)


def _ruled(
    session: Session,
    seat: str,
    submission: Submission,
    drawn: Callable[[], RememberingDice],
    now_micros: int,
) -> tuple[Action, State]:
    record, board = session.record, session.state.board
    facts = record.ruleset.survey(board, seat, submission.verb, submission.order, record.book)
    try:
        resolved = resolve(
            record.ruleset.procedure(submission.verb),
            facts,
            record.book,
            faces=submission.faces,
            drawn=drawn,
            source=DiceSource.SEEDED,
        )
    except Refusal as refusal:
        refusal.surveyed = submission.order, facts
        raise
    ruling = resolved.ruling
    applied = record.ruleset.apply(board, submission.verb, submission.order, ruling, record.book)
    state = state_of(record, applied.board, now_micros, session.state)
    action = Action(
        revision=session.revision + 1 if now_micros else 0,
        seat=seat,
        verb=submission.verb,
        order=submission.order,
        outcome=ruling.outcome,
        trace=ruling.trace,
        events=applied.events,
        summary=ruling.summary,
        rolls=resolved.rolls,
        dice_source=resolved.dice_source,
        rules_version=record.rules_version,
        create_micros=now_micros,
        client_nonce=submission.client_nonce,
    )
    return action, state


def repeat(shelf: Shelf, loaded: Loaded, submission: Submission, found: Repeated) -> Acted:
    """The action that an order's request id made before.

    Raises:
        RequestIdReused: It was for another order.
    """
    if found.fingerprint != submission.fingerprint or found.revision == 0:
        raise reused(submission.request_id)
    session = shelf.session_of(loaded)
    with unavailable():
        entry = shelf.store.entry(submission.session_id, found.revision)
    if entry is None:
        raise no_session(submission.session_id)
    action = decode_entry(entry, session.record.ruleset)
    if not isinstance(action, Action):
        raise AssertionError(f"an undo is kept as an order: {submission.session_id}")
    if hides_deeds(session.record.ruleset) and is_pinned(session.record):
        # The answer shows what the first one did, whatever has been revealed or taken back since.
        session = session_at(shelf, session, found.revision - 1)
    return Acted(session, action, replayed=True)


def check_open(session: Session, *, actions: int = 1) -> None:
    """Refuse what cannot be done in a finished session, or one without room for so many actions."""
    if session.finished:
        raise SessionFinished(
            f"The game is over: {session.state.result} Create a new session to play on.",
            result=session.state.result or "",
        )
    if session.revision + actions > MAX_ACTIONS:
        raise LedgerFull(
            f"A session holds at most {MAX_ACTIONS} actions. Export it and create a new one.",
            actions=MAX_ACTIONS,
        )


def check_pinned(record: Record) -> None:
    """Refuse to rule by other rules than those a session is pinned to."""
    book = record.book
    check_variant(record)
    if not is_pinned(record):
        raise RulesVersionChanged(
            f"This session is pinned to rules version {record.rules_version} with other tables "
            f"than this service's version {book.rules_version}. It can be read and exported; "
            "play it on with the service it was created with.",
            session_version=record.rules_version,
            service_version=book.rules_version,
        )


def stale(revision: int) -> EtagMismatch:
    """The refusal for an order that was meant for another revision than the latest."""
    return EtagMismatch(
        f"The session has moved on to {etag_of(revision)}. Read it again before you act.",
        field="etag",
        etag=etag_of(revision),
        revision=revision,
    )
