"""Sealed orders in Redis: fields of the head, beside the state they were given for.

An append, a seal and a reveal compare the revision and the serial inside one script each. So of
two seats that seal at one moment the second finds the first, and only one of them is the last.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from guncamera.sessions.redis_scripts import Script
from guncamera.sessions.store import Repeated, RequestKey

SEAL = Script.from_file("seal.lua")
REVEAL = Script.from_file("reveal.lua")
SEAL_SERIAL = b"seal_serial"
SEAL_FIELD = b"seal:"
# What goes with a seal at the next action, goes by its name; no seat has a slash in its own.
OFFER_FIELD = b"seal:undo/"
_ANSWER = b"="


def seals_of(head: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """What each seat has sealed, from the fields of a head."""
    if SEAL_SERIAL not in head:
        return {}
    return {
        field[len(SEAL_FIELD) :].decode(): order
        for field, order in head.items()
        if field.startswith(SEAL_FIELD) and not field.startswith(OFFER_FIELD)
    }


def offers_of(head: Mapping[bytes, bytes]) -> tuple[tuple[str, int], ...]:
    """Which seat has offered to undo, and back to where, in the order of the seats' names."""
    if SEAL_SERIAL not in head:
        return ()
    found = (
        (field[len(OFFER_FIELD) :].decode(), int(back))
        for field, back in head.items()
        if field.startswith(OFFER_FIELD)
    )
    return tuple(sorted(found))


def seal_arguments(request: RequestKey | None, answer: bytes) -> tuple[str, str]:
    """A request id, and what is kept under it."""
    if not answer:
        raise ValueError("a seal without an answer could not be told from an action")
    if request is None:
        return ("", "")
    token = _ANSWER + base64.urlsafe_b64encode(answer)
    return (request.id, f"{token.decode()} {request.fingerprint}")


def read_repeated(token: bytes, fingerprint: bytes) -> Repeated:
    """What a used request id stands for: an action's revision, or the answer to a seal."""
    if token.startswith(_ANSWER):
        answer = base64.urlsafe_b64decode(token[len(_ANSWER) :])
        return Repeated(0, fingerprint.decode(), answer)
    return Repeated(int(token), fingerprint.decode())
