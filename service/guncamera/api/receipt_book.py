"""Receipts as a service makes them: from the ledger, when they are asked for.

Nothing about them is stored, and nothing on an order's way into the ledger waits for them.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from guncamera.api.films import action_message, session_message
from guncamera.api.receipts import Statement, opening_hash, state
from guncamera.api.refusals import ReceiptNotReady
from guncamera.api.rulings import fill_outcome
from guncamera.sessions.codec import decode_entry
from guncamera.sessions.refusals import Unavailable
from guncamera.sessions.session import MAX_ACTIONS, Record, Session
from guncamera.sessions.shelf import Shelf, no_action, no_session, unavailable
from guncamera.sessions.signing import Signer, SigningKey, SigningKeyRetired, SigningRing
from guncamera.sessions.views import keeps_secrets
from guncamera.v1 import session_service_pb2 as pb

PAGE = 500
MARK_EVERY = 64
MOST_SESSIONS = 256
MOST_A_CALL = 4000
"""Statements that one call makes; a second or two of work."""


class ReceiptBook:
    """Makes receipts of the sessions on a shelf."""

    def __init__(self, shelf: Shelf, signer: Signer) -> None:
        self._shelf = shelf
        self._signer = signer
        self._marks = _Marks()

    def receipt(self, session: Session, revision: int, seat: str | None) -> pb.Receipt:
        """The receipt of one action, for who sees the session as a seat; None is a spectator.

        Raises:
            ActionNotFound: The session has no such action.
            ReceiptNotReady: It follows from more statements than one call makes. They are made by
                as many calls as it takes; the next goes on where this one has stopped.
        """
        if not 0 < revision <= session.revision:
            raise no_action(session, revision)
        (receipt,) = self._receipts(session, revision, revision, seat, most=MOST_A_CALL)
        return receipt

    def add(self, film: pb.Film, session: Session, seat: str | None) -> None:
        """Add all receipts of a session, and the keys, to its film."""
        film.opening_salt = _opening_salt(self._ring(), session.record).hex()
        film.receipts.extend(self._receipts(session, 1, session.revision, seat))
        film.signing_keys.extend(self.keys())

    def keys(self) -> list[pb.SigningKey]:
        """The public keys, the oldest first."""
        return [_key_message(key) for key in self._ring().keys]

    def _receipts(
        self, session: Session, first: int, last: int, seat: str | None, *, most: int = MAX_ACTIONS
    ) -> Iterator[pb.Receipt]:
        ring = self._ring()
        # Salts open what is hashed to who can guess it, so they are for whom nothing is hidden.
        is_open = not keeps_secrets(session, seat)
        for stated in self._statements(session, ring, first, last, most):
            key_id, signature = self._signer.sign(ring, stated.octets)
            yield pb.Receipt(
                name=stated.name,
                statement=stated.octets.decode(),
                key_id=key_id,
                signature=signature,
                salt=stated.salt.hex() if is_open else "",
            )

    def _statements(
        self, session: Session, ring: SigningRing, first: int, last: int, most: int
    ) -> Iterator[Statement]:
        """The statements from one revision to another, made from the nearest mark on."""
        record = session.record
        after, previous = self._start(session, ring, first)
        lacking = max(0, last - after - most)
        last -= lacking
        while after < last:
            with unavailable():
                entries = self._shelf.store.entries(
                    record.id, after_revision=after, limit=min(PAGE, last - after)
                )
            if not entries:
                raise no_session(record.id)  # it was deleted meanwhile
            for entry in entries:
                after += 1
                action = decode_entry(entry, record.ruleset)
                stated = state(
                    action_message(record, action),
                    # The time as well, lest a store that was put back give a salt twice.
                    salt=ring.salt(record.id, record.create_micros, after, action.create_micros),
                    commitment=record.seed_for(after).commitment,
                    previous=previous,
                )
                previous = stated.hash
                self._marks.put(record, after, _Mark(_digest(entry), previous))
                if after >= first:
                    yield stated
        if lacking:
            raise ReceiptNotReady(
                f"The receipt follows from all before it, and {lacking} of them are still to be "
                f"gone through. Ask again in {ReceiptNotReady.retry_after_seconds} second.",
                lacking=lacking,
            )

    def _start(self, session: Session, ring: SigningRing, first: int) -> tuple[int, str]:
        """The revision to go on from, and the hash of its statement; 0 and that of the opening."""
        record = session.record
        found = self._marks.before(record, first)
        if found is not None:
            revision, mark = found
            with unavailable():
                entry = self._shelf.store.entry(record.id, revision)
            if entry is not None and _digest(entry) == mark.entry:
                return revision, mark.statement
            self._marks.drop(record)  # the store has been put back to an earlier state
        opening = session_message(session, None, with_board=False, with_seals=False)
        opening.ClearField("setup")  # it was what a spectator may see
        fill_outcome(opening.setup, record.ruleset.slug, record.setup)
        return 0, opening_hash(opening, _opening_salt(ring, record))

    def _ring(self) -> SigningRing:
        try:
            with unavailable():
                return self._signer.ring()
        except SigningKeyRetired as retired:
            raise Unavailable(
                "Nothing can be signed: the operator has to give the service another key.",
                why=str(retired),
            ) from None


@dataclass(frozen=True, slots=True)
class _Mark:
    """How far statements have been made: the hashes of a ledger's entry and of its statement."""

    entry: bytes
    statement: str


@dataclass(slots=True)
class _Trail:
    """The marks of one session."""

    milestones: dict[int, _Mark] = field(default_factory=dict)
    latest: deque[tuple[int, _Mark]] = field(default_factory=lambda: deque(maxlen=2))


class _Marks:
    """Some statements' hashes, so that a long ledger is not gone through anew for each receipt."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[str, int], _Trail] = OrderedDict()
        self._lock = threading.Lock()

    def before(self, record: Record, revision: int) -> tuple[int, _Mark] | None:
        """The last mark before a revision."""
        with self._lock:
            found = self._found.get(_key(record))
            marks = [] if found is None else [*found.milestones.items(), *found.latest]
            before = [one for one in marks if one[0] < revision]
            return max(before, key=lambda one: one[0], default=None)

    def put(self, record: Record, revision: int, mark: _Mark) -> None:
        """Keep a mark: every so many, and the latest two, for the next receipt or the same."""
        with self._lock:
            found = self._found.setdefault(_key(record), _Trail())
            self._found.move_to_end(_key(record))
            if revision % MARK_EVERY == 0:
                found.milestones[revision] = mark
            if all(revision != at for at, _ in found.latest):  # or the one before it would go
                found.latest.append((revision, mark))
            while len(self._found) > MOST_SESSIONS:
                self._found.popitem(last=False)

    def drop(self, record: Record) -> None:
        """Forget a session's marks."""
        with self._lock:
            self._found.pop(_key(record), None)


def _key(record: Record) -> tuple[str, int]:
    return record.id, record.create_micros


def _digest(entry: bytes) -> bytes:
    return hashlib.sha256(entry).digest()


def _opening_salt(ring: SigningRing, record: Record) -> bytes:
    return ring.salt(record.id, record.create_micros)


def _key_message(key: SigningKey) -> pb.SigningKey:
    message = pb.SigningKey(id=key.id, public_key=key.public.hex())
    message.create_time.FromMicroseconds(key.create_micros)
    if key.retire_micros:
        message.retire_time.FromMicroseconds(key.retire_micros)
    return message
