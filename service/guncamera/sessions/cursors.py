"""Cursors: where in a session's story a watcher stands, as a text that survives any reconnect."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from guncamera.rules.refusal import Malformed
from guncamera.sessions.seals import sealed_seats
from guncamera.sessions.session import Record, Session

_CURSOR = re.compile(
    r"(0|[1-9]\d{0,8})\.(0|[1-9a-f][0-9a-f]{0,31})\.([0-9a-f]{12})(?:\.([0-9a-f]{8}))?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """What a watcher has been told.

    Attributes:
        revision: Every action up to this one.
        sealed: These seats have sealed an order since, a bit for each in the order of the seats.
            Not how often: that a seat thought twice is nobody's business.
        mark: Of the session; another one of the same name has another.
        offers: A hash of who offers an undo since, and back to where; empty for nobody.
    """

    revision: int
    sealed: int
    mark: str
    offers: str = ""

    def __str__(self) -> str:
        offers = f".{self.offers}" if self.offers else ""
        return f"{self.revision}.{self.sealed:x}.{self.mark}{offers}"


def read_cursor(text: str, field: str = "cursor") -> Cursor:
    """The cursor that a text is.

    Raises:
        Malformed: It is none.
    """
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise Malformed(
            "This is no cursor. Send one as it came in an answer, or none to begin anew.",
            field=field,
        )
    return Cursor(int(found[1]), int(found[2], 16), found[3], found[4] or "")


def cursor_at(session: Session) -> Cursor:
    """The cursor of who has been told all there is."""
    record = session.record
    return Cursor(session.revision, sealed_bits(session), mark_of(record), offers_mark(session))


def sealed_bits(session: Session) -> int:
    """The seats that have sealed an order, a bit for each."""
    sealed = sealed_seats(session)
    return sum(1 << n for n, seat in enumerate(session.record.seats) if seat.id in sealed)


def offers_mark(session: Session) -> str:
    """The offers of an undo in a few letters; empty for none."""
    offers = repr(session.offers).encode()
    return hashlib.sha256(offers).hexdigest()[:8] if session.offers else ""


def mark_of(record: Record) -> str:
    """What tells a session from another of the same name, made of public things alone."""
    commitments = [(seed.from_revision, seed.commitment) for seed in record.seeds]
    content = repr((record.id, record.create_micros, record.rules_hash, commitments))
    return hashlib.sha256(content.encode()).hexdigest()[:12]
