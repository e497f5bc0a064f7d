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


def ask(store: RedisStore, key: str, *command: str | bytes | int) -> Reply:
    """Go behind the store's back, to the server that holds a key."""
    sent: Command = command
    return store._redis.transport.ask(key, sent, is_repeatable=False)[0]


def keys_of(name: str) -> list[str]:
    return [f"guncamera:{{{name}}}:{kind}" for kind in ("head", "ledger", "requests")]
