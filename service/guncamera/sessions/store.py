"""What a session store must do: keep a head and a ledger, and append to them in one step.

A store knows nothing of the games. State, record and entries are opaque bytes to it. It keeps,
for each session, a *head* (revision, record, state, claimed seats) and a *ledger* (entry number
``n`` is the action that made revision ``n``, counted from 1). The revision is always the
length of the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, TypeAlias

from guncamera.rules.straight_line import quick
from guncamera.sessions.request_store import RequestStore


class StoreError(Exception):
    """A store could not do what was asked."""


class StoreUnavailable(StoreError):
    """The store is down, full, loading or refusing writes: ask again later.

    After an append this also means that the outcome may be unknown. Repeat the append with the
    same request id: the answer is then `Repeated` if it had gone through after all. So it is where
    too few replicas have what was written: it may be lost with the primary yet.
    """

    def __init__(self, reason: str, *, retry_after_seconds: float) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds


class StoreDamaged(StoreError):
    """What is stored is not what a store writes, or the server refused a command as wrong.

    Asking again does not help. Nothing was written.
    """


@dataclass(frozen=True, slots=True)
class RequestKey:
    """A caller's name for one request, by which a retry is recognized.

    Args:
        id: not empty; unique within the session.
        fingerprint: hash of caller, verb and body; a retry with another one is a different
            request under a used id, which the caller of the store must refuse.
    """

    id: str
    fingerprint: str

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a request id may not be empty; pass no RequestKey instead")


@dataclass(frozen=True, slots=True)
class Created:
    """The session is new; `revision` is 0, or the number of entries that were imported."""

    revision: int


@dataclass(frozen=True, slots=True)
class Exists:
    """There is such a session already; `request` is the request that created it, if it had one."""

    request: RequestKey | None


@dataclass(frozen=True, slots=True)
class Gone:
    """This request created the session already, and it has been deleted or has expired since.

    `fingerprint` is that of the request then. Nothing was written.
    """

    fingerprint: str


@quick
@dataclass(frozen=True, slots=True)
class Appended:
    """The entry is in the ledger, at `revision`."""

    revision: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Someone else was first: the session is at `revision` now. Nothing was written."""

    revision: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """This request id was used before, for the action at `revision`. Nothing was written.

    Revision 0 is the request that created the session, or one with an `answer` of its own: what
    was given to `seal` or `reveal`. No other request has an answer.
    """

    revision: int
    fingerprint: str
    answer: bytes = b""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The order waits with the others; `serial` counts the seals since the last action."""

    serial: int


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such session, or it has expired."""


@quick
@dataclass(frozen=True, slots=True)
class Loaded:
    """The head of a session.

    `claims` maps a seat to the hash of the token that holds it; free seats are absent.
    `repeated` answers the request id given to `load`.
    `seals` maps a seat to what it has sealed since the last action; `seal_serial` counts how often
    anyone has, or has offered an undo, 0 for never. `offers` has the seats that have offered one
    since, and back to which revision.
    """

    revision: int
    record: bytes
    state: bytes
    claims: Mapping[str, str]
    repeated: Repeated | None
    seals: Mapping[str, bytes] = field(repr=False)
    seal_serial: int
    offers: tuple[tuple[str, int], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Load:
    """A request to load a head; see `SessionStore.load`."""

    session_id: str
    request_id: str | None


@quick
@dataclass(frozen=True, slots=True)
class Append:
    """A request to append an entry; see `SessionStore.append`."""

    session_id: str
    expected_revision: int
    entry: bytes
    state: bytes
    request: RequestKey | None
    ttl_seconds: int


@dataclass(frozen=True, slots=True)
class LoadChain:
    """A request to load a head, and what each of many request ids was used for before.

    `request_ids` are not empty, and neither is the sequence of them.
    """

    session_id: str
    request_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class LoadedChain:
    """The head of a session, and by request id what was done under it before."""

    head: Loaded
    repeated: Mapping[str, Repeated]


@dataclass(frozen=True, slots=True)
class AppendChain:
    """A request to append entries, at least one, and replace the state: all or nothing.

    Checked like an append; `Conflict` also when one of the request ids has been used. The revision
    in `Appended` is that of the last entry.
    """

    session_id: str
    expected_revision: int
    entries: Sequence[tuple[bytes, RequestKey | None]]
    state: bytes
    ttl_seconds: int


Step: TypeAlias = Load | Append | LoadChain | AppendChain
StepResult: TypeAlias = Loaded | LoadedChain | Appended | Conflict | Repeated | Missing | None
Results: TypeAlias = Callable[[], list[StepResult | StoreError]]


@dataclass(frozen=True, slots=True)
class IdPage:
    """Some session ids, oldest first; `after` continues the list and is None at its end.

    A page may be shorter than asked for, even empty, and still have more after it.
    """

    ids: Sequence[str]
    after: str | None


@dataclass(frozen=True, slots=True)
class Counted:
    """A counter of a window of time, and the seconds until the window is over."""

    total: int
    left_seconds: float


@dataclass(frozen=True, slots=True)
class StoreReport:
    """How a store is set up, and what is unsafe about it in plain English.

    Args:
        server: "valkey" or "redis"; "" when it could not be reached.
        persistence: "aof", "rdb", "aof+rdb", "none" or "unknown".
        appendfsync: when the server's log reaches the disk, as it names it; "unknown".
        eviction_policy: as the server names it; "unknown" when it does not tell.
        is_read_only: writes are refused: it is a replica, or cannot save.
        is_full: writes are refused for want of memory; reads still work.
        refusal: why the service must not run on this store; "" when it may.
        hindrances: why sessions cannot be played on it now, one sentence each.
        warnings: what is unsafe about it, the hindrances first, one sentence each.
    """

    is_reachable: bool
    server: str
    version: str
    persistence: str
    appendfsync: str
    eviction_policy: str
    is_read_only: bool
    is_full: bool
    refusal: str
    hindrances: Sequence[str]
    warnings: Sequence[str]

    @property
    def is_ready(self) -> bool:
        """Whether sessions can be played on this store right now."""
        return not self.hindrances


class Watch(Protocol):
    """Wakes up when something happens to one session. For one thread at a time.

    Enter it *before* loading the session, or an append in between goes unseen.
    """

    def __enter__(self) -> Watch:
        """Start listening.

        Raises:
            StoreUnavailable
        """
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening and give the connection up."""
        ...

    def wait(self, timeout_seconds: float) -> bool:
        """Wait for an append or a deletion since the last wait; False when none came in time.

        True may also mean that news could have been missed: read the session again. Expiry
        makes no sound.

        Raises:
            StoreUnavailable: the store went away; wait again later on the same watch.
        """
        ...


class SessionStore(RequestStore, Protocol):
    """Keeps sessions. Safe to share between threads, and to use on both sides of a fork.

    Every method raises `StoreUnavailable` within two seconds when the store cannot answer, and
    recovers by itself; every method may raise `StoreDamaged`. Session ids are not empty and
    hold no braces; `ttl_seconds` is at least 1 and is counted anew from every append.
    """

    def create(
        self,
        session_id: str,
        *,
        record: bytes,
        state: bytes,
        ttl_seconds: int,
        request: RequestKey | None,
    ) -> Created | Exists | Gone:
        """Create a session at revision 0, with an empty ledger.

        A request creates one session, also when that is gone, for `creation_kept_seconds`.
        """
        ...

    def import_session(
        self,
        session_id: str,
        *,
        record: bytes,
        state: bytes,
        entries: Sequence[bytes],
        ttl_seconds: int,
        request: RequestKey | None,
        states: Sequence[tuple[int, bytes]] = (),
    ) -> Created | Exists | Gone:
        """Create a session with a ledger, all or nothing; the revision is the ledger's length.

        Claims and the request ids of the imported entries are not part of an import.

        Args:
            states: by revision, what `kept_state` is to find.
        """
        ...

    def load(self, session_id: str, *, request_id: str | None = None) -> Loaded | None:
        """Read the head, and whether `request_id` was used before, in one round trip."""
        ...

    def append(
        self,
        session_id: str,
        *,
        expected_revision: int,
        entry: bytes,
        state: bytes,
        request: RequestKey | None,
        ttl_seconds: int,
    ) -> Appended | Conflict | Repeated | Missing:
        """Add one entry and replace the state, if the revision is still the expected one.

        Checked in this order: the session exists, the request id is new, the revision matches.
        What was sealed before goes: it was sealed for the state that is replaced.

        Raises:
            StoreUnavailable: nothing was written, or it is not known whether it was.
        """
        ...

    def seal(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        seat: str,
        order: bytes,
        request: RequestKey | None,
        answer: bytes,
    ) -> Sealed | Conflict | Repeated | Missing:
        """Keep a seat's order beside the state, in place of one that it sealed before.

        Checked like an append; the serial must match too, so that whoever finds every other seat
        sealed is the only one. Neither the revision nor the expiry changes.

        Args:
            answer: what a repeated request is answered with; not empty.
        """
        ...

    def reveal(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        entries: Sequence[bytes],
        state: bytes,
        request: RequestKey | None,
        answer: bytes,
        ttl_seconds: int,
        follows: int | None = None,
    ) -> Appended | Conflict | Repeated | Missing:
        """Add entries, replace the state and let every seal go, all or nothing.

        Checked like `seal`. The revision returned is that of the last entry.

        Args:
            follows: the revision whose state was gone on from, if not the expected one.
        """
        ...

    def exchange(self, step: Step) -> StepResult:
        """Load or append, whichever the step is, one or many in a row."""
        ...

    def send(self, steps: Sequence[Step]) -> Results:
        """Send steps for many callers in one go; what is returned waits for their results.

        Each step stands for itself, as if done alone; what it would have raised is returned in
        its place. A thread may send again before it has waited, and waits in the order it sent.
        An append whose answer is lost is never sent twice.
        """
        ...

    def entries(self, session_id: str, *, after_revision: int, limit: int) -> Sequence[bytes]:
        """Return up to `limit` entries from number `after_revision` + 1 on; empty if none."""
        ...

    def entry(self, session_id: str, revision: int) -> bytes | None:
        """Return entry number `revision`, or None."""
        ...

    def kept_state(
        self, session_id: str, stretches: Sequence[tuple[int, int]]
    ) -> tuple[int, bytes] | None:
        """The state at the last revision within stretches of which it was kept, and the revision.

        A state is kept where `is_kept` says so, as long as its session.

        Args:
            stretches: Each from a revision up to another, both included.
        """
        ...

    def list_ids(self, *, after: str | None, limit: int) -> IdPage:
        """List the sessions in the order of their creation, continuing from a page's `after`."""
        ...

    def watch(self, session_id: str) -> Watch:
        """Return a watch over one session; it holds a connection while it is entered."""
        ...

    def keys(self) -> Mapping[str, bytes]:
        """Return what is kept of every key, by its id."""
        ...

    def keep_key(self, key_id: str, kept: bytes) -> None:
        """Keep a key for good, in place of what was kept of it before."""
        ...

    def signing(self) -> bytes | None:
        """Return what is kept of the signing keys, or None."""
        ...

    def keep_signing(self, kept: bytes, *, expected: bytes | None) -> bool:
        """Keep the signing keys for good; False, and nothing done, if others have been kept."""
        ...

    def count(self, name: str, amount: int, *, window_seconds: int) -> Counted:
        """Add to a counter that is gone when its window is over.

        Args:
            name: Begins with what it counts: `rate/…`. Holds no braces.
            amount: From 0, which looks only.
            window_seconds: Of a window that begins now; one that has begun ends as it was to.
        """
        ...

    def check(self) -> StoreReport:
        """Look at how the store is set up. Never raises: a store that is down is reported."""
        ...

    def close(self) -> None:
        """Give all connections up; later calls raise `StoreUnavailable`."""
        ...
