"""Receipts: what one says, as anyone can make it from a film, and check it.

A statement is the same for everyone, so it may tell nothing that is hidden from anyone: of the
action it has a salted hash. It holds the hash of the statement before it, and the first one that
of the opening, so that one receipt speaks for the whole ledger up to its action.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from guncamera.v1 import session_service_pb2 as pb

STATEMENT = "guncamera/receipt/v1"
OPENING = b"guncamera/opening/v1\0"
ACTION = b"guncamera/action/v1\0"
_OPENING_FIELDS = (
    "name", "ruleset", "rules_version", "rules_hash", "settings", "setup",
    "seal_seconds", "spectator_delay_seconds", "variant", "variant_hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """What is signed about an action.

    Attributes:
        name: Of the action.
        octets: Canonical JSON.
        salt: Opens its `action_digest`.
    """

    name: str
    octets: bytes
    salt: bytes

    @property
    def hash(self) -> str:
        """What the next statement calls `previous`."""
        return hashlib.sha256(self.octets).hexdigest()


def state(action: pb.Action, *, salt: bytes, commitment: str, previous: str) -> Statement:
    """The statement about an action.

    Args:
        action: The whole of it, as a film has it.
        salt: 32 bytes.
        commitment: Of the seed that its revision draws from.
        previous: The hash of the statement before, or of the opening.
    """
    session, _, _ = action.name.partition("/actions/")
    octets = canonical(
        {
            "format": STATEMENT,
            "session": session,
            "revision": action.revision,
            "seat": action.seat,
            "time": action.create_time.ToJsonString(),
            "commitment": commitment,
            "action_digest": action_digest(action, salt),
            "previous": previous,
        }
    )
    return Statement(action.name, octets, salt)


def action_digest(action: pb.Action, salt: bytes) -> str:
    """The hash of a whole action, which tells nothing of it to who does not know the salt."""
    return hashlib.sha256(ACTION + salt + canonical(plain_of(action))).hexdigest()


def opening_hash(session: pb.Session, salt: bytes) -> str:
    """The hash of what a session was created as: what the first statement calls `previous`.

    It is salted, for a set-up may be hidden.
    """
    whole = plain_of(session)
    opening = {name: whole[name] for name in _OPENING_FIELDS if name in whole}
    opening["seats"] = [
        {name: text for name, text in seat.items() if name != "claimed"}
        for seat in whole.get("seats", ())
    ]
    opening["dice_commitments"] = [
        {name: found for name, found in one.items() if name != "seed"}
        for one in whole.get("dice_commitments", ())
    ]
    opening["create_time"] = session.create_time.ToJsonString()
    return hashlib.sha256(OPENING + salt + canonical(opening)).hexdigest()


def commitment_for(session: pb.Session, revision: int) -> str:
    """The commitment of the seed that a revision draws from; empty if there is none."""
    found = [one for one in session.dice_commitments if one.from_revision <= revision]
    return found[-1].commitment if found else ""


def canonical(plain: Any) -> bytes:
    """Canonical JSON, by RFC 8785, of what holds no real numbers and no names but ASCII's."""
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def plain_of(message: Message) -> dict[str, Any]:
    """A message in protobuf's JSON form: names as in the proto, and only what is set.

    What a later version of the service adds is not set in an older action, whose hash stays.
    """
    return {
        name: value if write is None else write(value)
        for name, write, value in ((*_form(field), value) for field, value in message.ListFields())
    }


@cache
def _form(field: FieldDescriptor) -> tuple[str, Callable[[Any], Any] | None]:
    """A field's name, and what makes its value plain; None where it is already."""
    one = _form_of_one(field)
    if not field.is_repeated:
        return field.name, one
    return field.name, list if one is None else lambda values: [one(value) for value in values]


def _form_of_one(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    if field.message_type is not None:
        is_time = field.message_type.full_name == "google.protobuf.Timestamp"
        return (lambda time: time.ToJsonString()) if is_time else plain_of
    if field.enum_type is not None:
        return {value.number: value.name for value in field.enum_type.values}.__getitem__
    if field.type not in _EXACT:
        raise AssertionError(f"{field.full_name} has no exact form in JSON")
    return None


_EXACT = {
    FieldDescriptor.TYPE_STRING,
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_UINT32,
}
