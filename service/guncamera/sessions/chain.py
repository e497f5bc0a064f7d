"""Orders of one session that are ruled on one after another and written together, all or none.

Each is checked and ruled on as if it had come alone, on the board that those before it left; dice
are bound to the revision each would have. When somebody else acts first, all are ruled on anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from guncamera.rules.refusal import Refusal
from guncamera.rules.straight_line import changed
from guncamera.sessions.codec import encode_action, encode_state
from guncamera.sessions.play import (
    CONFLICT_RETRIES,
    Acted,
    Submission,
    drawn,
    repeat,
    rule,
    stale,
)
from guncamera.sessions.seating import seat_of_token
from guncamera.sessions.session import REQUEST_ID, Session, checked_request_id
from guncamera.sessions.shelf import Shelf, no_session, reused, unavailable
from guncamera.sessions.steps import Steps
from guncamera.sessions.store import (
    AppendChain,
    Appended,
    Load,
    LoadChain,
    Loaded,
    Missing,
    Repeated,
    RequestKey,
)


@dataclass(frozen=True, slots=True)
class Chained:
    """What came of each order, in their order, and the session as they left it.

    Attributes:
        stood: The session as each found it. A refusal does not say yet what may be ordered there
            instead (`play.tell_nearest`): most attempts are told to nobody.
    """

    results: list[Acted | Refusal]
    stood: list[Session]
    session: Session


@dataclass(slots=True)
class _Chain:
    """A session as it stands after orders that have been ruled on and not written.

    Attributes:
        head: As it was loaded.
        repeated: By request id, what was done under it before.
        session: After the orders so far.
        entries: What they add to the ledger.
        made: By request id, the actions among them.
    """

    shelf: Shelf
    head: Loaded
    repeated: dict[str, Repeated]
    session: Session
    entries: list[tuple[bytes, RequestKey | None]] = field(default_factory=list)
    made: dict[str, tuple[str, Acted]] = field(default_factory=dict)

    def act(self, submission: Submission, now_micros: int) -> Acted:
        """Rule on the next order, or find what its request id stands for."""
        request_id = checked_request_id(submission.request_id)
        found = self.repeated.get(request_id)
        if found is not None:
            seat_of_token(self.session, submission.token)
            return repeat(self.shelf, self.head, submission, found)
        if request_id in self.made:
            fingerprint, acted = self.made[request_id]
            if fingerprint != submission.fingerprint:
                raise reused(request_id)
            return replace(acted, replayed=True)
        before = self.session
        revision = before.revision + 1
        action, state = rule(
            before, submission, drawn(before, revision, submission.client_nonce), now_micros
        )
        acted = Acted(before, action, replayed=False)
        key = RequestKey(request_id, submission.fingerprint) if request_id else None
        self.entries.append((encode_action(action), key))
        if request_id:
            self.made[request_id] = (submission.fingerprint, acted)
        self.session = changed(
            before, state=state, revision=revision, seals={}, seal_serial=0, offers=()
        )
        return acted


def chained(
    shelf: Shelf, clock: Callable[[], int], submissions: Sequence[Submission]
) -> Steps[Chained]:
    """Rule on orders of one session and append what was not refused.

    Args:
        submissions: At least one, all of the same session.

    Raises:
        SessionNotFound, Unavailable: For all of them; whether they were written may be unknown.
        EtagMismatch: Others kept coming first; nothing was written.
    """
    session_id = submissions[0].session_id
    for _ in range(CONFLICT_RETRIES):
        chain = yield from _opened(shelf, session_id, submissions)
        stood, results = [], []
        for submission in submissions:
            stood.append(chain.session)
            results.append(_result(chain, submission, clock))
        if not chain.entries:
            return Chained(results, stood, chain.session)
        with unavailable():
            written = yield AppendChain(
                session_id,
                expected_revision=chain.head.revision,
                entries=chain.entries,
                state=encode_state(chain.session.state),
                ttl_seconds=chain.session.record.ttl_seconds,
            )
        match written:
            case Appended():
                for acted in results:
                    if isinstance(acted, Acted) and not acted.replayed:
                        shelf.notices.landed(acted.session, acted.action)
                return Chained(results, stood, chain.session)
            case Missing():
                raise no_session(session_id)
    raise stale(written.revision)


def _opened(shelf: Shelf, session_id: str, submissions: Sequence[Submission]) -> Steps[_Chain]:
    given = (one.request_id for one in submissions if REQUEST_ID.fullmatch(one.request_id))
    ids = list(dict.fromkeys(given))
    with unavailable():
        loaded = yield LoadChain(session_id, ids) if ids else Load(session_id, None)
    if loaded is None:
        raise no_session(session_id)
    head, repeated = (loaded.head, loaded.repeated) if ids else (loaded, {})
    return _Chain(shelf, head, dict(repeated), shelf.session_of(head))


def _result(chain: _Chain, submission: Submission, clock: Callable[[], int]) -> Acted | Refusal:
    try:
        return chain.act(submission, clock())
    except Refusal as refusal:
        return refusal
