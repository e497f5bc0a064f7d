"""A session and its ledger, as values: what is pinned at creation, the state, an action."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from guncamera.rules.book import AnyBook, VariantPin
from guncamera.rules.dice import Roll
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, Seat, Verb
from guncamera.rules.straight_line import quick
from guncamera.rules.trace import TraceLine

SESSION_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{8,64}")
CLIENT_NONCE = re.compile(r"[A-Za-z0-9._:+/=-]{8,64}")
MAX_ACTIONS = 20_000
DEFAULT_TTL_SECONDS = 30 * 24 * 3600
MIN_TTL_SECONDS = 60
MAX_TTL_SECONDS = 365 * 24 * 3600
MAX_SEAL_SECONDS = 7 * 24 * 3600
MAX_DELAY_SECONDS = 7 * 24 * 3600


class DiceSource(StrEnum):
    """Where the faces of an action came from."""

    SEEDED = "seeded"
    DRAWN = "drawn"
    SUPPLIED = "supplied"


@quick
@dataclass(frozen=True, slots=True)
class Seed:
    """A seed a session's dice come from, from a revision on."""

    from_revision: int
    seed: bytes
    commitment: str
    supplied: bool


@quick
@dataclass(frozen=True, slots=True)
class Record:
    """What a session is pinned to at creation; never changes.

    Attributes:
        rules_hash: Digest of the book with this session's settings.
        create_micros: Microseconds since 1970 UTC.
        seeds: In order of `from_revision`; more than one only after an import. A seed that an
            imported film did not reveal is empty.
        seal_seconds: How long a seat may take to seal an order; 0 for as long as it likes.
        spectator_delay_seconds: How far behind spectators are; see `guncamera.sessions.delay`.
        start_revision: Its revision when it was created here: above 0 only after an import.
        start_micros: When that was, after an import; 0 for at `create_micros`.
        variant: The variant that it is played by; None for the rules as printed. The book has
            another one where the service has not this one.
    """

    id: str
    ruleset: Ruleset
    book: AnyBook
    rules_version: int
    rules_hash: str
    setup: Any
    seats: tuple[Seat, ...]
    create_micros: int
    ttl_seconds: int
    seeds: tuple[Seed, ...]
    seal_seconds: int = 0
    spectator_delay_seconds: int = 0
    start_revision: int = 0
    start_micros: int = 0
    variant: VariantPin | None = None

    def seed_for(self, revision: int) -> Seed:
        """The seed of a revision's draws."""
        return [seed for seed in self.seeds if seed.from_revision <= revision][-1]


@quick
@dataclass(frozen=True, slots=True)
class State:
    """Where a session stands.

    Attributes:
        changed_micros: When the last action was appended, or the session created.
        result: How it ended; None while it goes on.
        undos: The revision of each undo so far, and the one it went back to.
        kept_from: Seats from which something was hidden on a board that an undo took back; empty
            text is spectators. It stays hidden until the game is over.
    """

    board: Any
    active_seats: tuple[str, ...]
    result: str | None
    changed_micros: int
    undos: tuple[tuple[int, int], ...] = ()
    kept_from: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Session:
    """A session as loaded: record, state, revision, and which seats are claimed.

    Attributes:
        seals: What each seat has sealed, as stored; see `guncamera.sessions.seals`.
        seal_serial: How often anyone has sealed, or offered an undo, since the last action.
        offers: The seats that have offered an undo since, and back to which revision.
    """

    record: Record
    state: State
    revision: int
    claims: dict[str, str]
    seals: Mapping[str, bytes] = field(repr=False)
    seal_serial: int
    offers: tuple[tuple[str, int], ...] = ()

    @property
    def etag(self) -> str:
        """Strong and quoted; changes with every action."""
        return etag_of(self.revision)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.state.result is not None


@quick
@dataclass(frozen=True, slots=True)
class Action:
    """An order that was ruled on. `revision` is 0 in a preview, which is never appended.

    Attributes:
        client_nonce: What the caller sent to enter the draws; empty for nothing.
        by_default: The seat was late to seal, and this is the rule set's order for it.
    """

    revision: int
    seat: str
    verb: Verb
    order: Any
    outcome: Any
    trace: tuple[TraceLine, ...]
    events: tuple[Any, ...]
    summary: str
    rolls: tuple[Roll, ...]
    dice_source: DiceSource | None
    rules_version: int
    create_micros: int
    client_nonce: str = ""
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """An undo: everything after a revision was taken back. In the ledger it stands like an action.

    Attributes:
        agreed_seats: The seat that acted, or every seat where one alone may not.
    """

    revision: int
    seat: str
    to_revision: int
    agreed_seats: tuple[str, ...]
    summary: str
    rules_version: int
    create_micros: int


Entry: TypeAlias = Action | Undone
"""What a ledger holds."""


def state_of(record: Record, board: Any, now_micros: int, before: State | None = None) -> State:
    """The state that a board is, by its rule set.

    Args:
        before: The state that led to it; None for the opening.
    """
    found = record.ruleset
    active, result = found.active_seats(board), found.result(board)
    if before is None:
        return State(board, active, result, now_micros)
    return State(board, active, result, now_micros, before.undos, before.kept_from)


def etag_of(revision: int) -> str:
    """The etag of a revision."""
    return f'"{revision}"'


def revision_of(etag: str) -> int | None:
    """The revision an etag names; None for an empty one.

    Raises:
        Malformed: It is no etag of ours.
    """
    if not etag or etag == "*":
        return None
    number = etag.removeprefix('"').removesuffix('"')
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise Malformed(
            f'{etag[:40]!r} is not an etag; send the session\'s own, such as "17" in quotes.',
            field="etag",
        )
    return int(number)


def checked_seal_seconds(found: Ruleset, seal_seconds: int, ttl_seconds: int, path: str) -> int:
    """The seconds, if a session of the rule set may have such a deadline; 0 is none.

    Raises:
        Malformed: It may not.
    """
    most = min(MAX_SEAL_SECONDS, ttl_seconds - 1)
    if not 0 <= seal_seconds <= most:
        raise Malformed(
            f"{seal_seconds} seconds; give 0 to {most}, which is less than the session's ttl.",
            field=path,
            seal_seconds=seal_seconds,
        )
    if seal_seconds and found.default_order is None:
        raise Malformed(
            f"{found.title} states no order for a seat that is late. Leave the deadline out.",
            field=path,
            ruleset=found.slug,
        )
    return seal_seconds


def checked_delay_seconds(delay_seconds: int, ttl_seconds: int, path: str) -> int:
    """The seconds, if spectators of a session may be so far behind; 0 is not at all.

    Raises:
        Malformed: They may not.
    """
    most = min(MAX_DELAY_SECONDS, ttl_seconds - 1)
    if not 0 <= delay_seconds <= most:
        raise Malformed(
            f"{delay_seconds} seconds; give 0 to {most}, which is less than the session's ttl, or "
            "spectators never see the end.",
            field=path,
            spectator_delay_seconds=delay_seconds,
        )
    return delay_seconds


def checked_session_id(session_id: str, field: str = "session_id") -> str:
    """The id, if it is one.

    Raises:
        Malformed: It is not.
    """
    if not SESSION_ID.fullmatch(session_id):
        raise Malformed(
            "A session id is 1 to 63 lower-case letters, digits and hyphens, "
            "with no hyphen at either end.",
            field=field,
        )
    return session_id


def checked_request_id(request_id: str) -> str:
    """The id, if it is one; empty is allowed.

    Raises:
        Malformed: It is not.
    """
    if request_id and not REQUEST_ID.fullmatch(request_id):
        raise Malformed(
            "A request id is 8 to 64 letters, digits, dots, colons, underscores and hyphens; "
            "a UUID is best.",
            field="request_id",
        )
    return request_id


def checked_nonce(nonce: str, *, supplied: bool = False, path: str = "client_nonce") -> str:
    """The nonce, if it may enter a draw; empty is allowed.

    Args:
        supplied: The dice were thrown by the players, so that nothing is drawn.

    Raises:
        Malformed: It may not.
    """
    if nonce and not CLIENT_NONCE.fullmatch(nonce):
        raise Malformed(
            "A nonce is 8 to 64 letters, digits and any of . _ : + / = -; send random ones, such "
            "as a UUID.",
            field=path,
        )
    if nonce and supplied:
        raise Malformed(
            "A nonce enters what the service draws, and these dice were thrown by the players. "
            "Leave one of them out.",
            field=path,
        )
    return nonce
