"""Short ways to call a store in the tests, and to look behind its back."""

from __future__ import annotations

import itertools

from guncamera.sessions.redis_lines import Command, Reply
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Appended,
    Conflict,
    Created,
    Exists,
    Missing,
    Repeated,
    RequestKey,
    Sealed,
    SessionStore,
)

# Servers are shared by many tests, so every test has sessions of its own.
NAMES = (f"game-{number}" for number in itertools.count())


def create(
    store: SessionStore, name: str, request: RequestKey | None = None, ttl_seconds: int = 100
) -> Created | Exists:
    return store.create(
        name, record=b"record", state=b"state 0", ttl_seconds=ttl_seconds, request=request
    )


def append(
    store: SessionStore,
    name: str,
    expected_revision: int,
    request: RequestKey | None = None,
    ttl_seconds: int = 100,
    entry: bytes | None = None,
) -> Appended | Conflict | Repeated | Missing:
    return store.append(
        name,
        expected_revision=expected_revision,
        entry=b"entry %d" % (expected_revision + 1) if entry is None else entry,
        state=b"state %d" % (expected_revision + 1),
        request=request,
        ttl_seconds=ttl_seconds,
    )


def seal(
    store: SessionStore,
    name: str,
    expected_revision: int,
    expected_serial: int,
    seat: str,
    order: bytes = b"",
    request: RequestKey | None = None,
    answer: bytes = b"told",
) -> Sealed | Conflict | Repeated | Missing:
    return store.seal(
        name,
        expected_revision=expected_revision,
        expected_serial=expected_serial,
        seat=seat,
        order=order or f"{seat} {expected_serial + 1}".encode(),
        request=request,
        answer=answer,
    )


def reveal(
    store: SessionStore,
    name: str,
    expected_revision: int,
    expected_serial: int,
    count: int = 1,
    request: RequestKey | None = None,
    answer: bytes = b"told",
    ttl_seconds: int = 100,
) -> Appended | Conflict | Repeated | Missing:
    last = expected_revision + count
    return store.reveal(
        name,
        expected_revision=expected_revision,
        expected_serial=expected_serial,
        entries=[b"entry %d" % number for number in range(expected_revision + 1, last + 1)],
        state=b"state %d" % last,
        request=request,
        answer=answer,
        ttl_seconds=ttl_seconds,
    )


def ask(store: RedisStore, key: str, *command: str | bytes | int) -> Reply:
    """Go behind the store's back, to the server that holds a key."""
    sent: Command = command
    return store._redis.transport.ask(key, sent, is_repeatable=False)[0]


def keys_of(name: str) -> list[str]:
    return [f"guncamera:{{{name}}}:{kind}" for kind in ("head", "ledger", "requests")]
