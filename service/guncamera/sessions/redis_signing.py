"""Signing keys in Redis: one string, ``guncamera:{signing}:ring``."""

from __future__ import annotations

from guncamera.sessions.redis_scripts import Redis, Script

RING = "guncamera:{signing}:ring"

_KEEP = Script.from_file("keep_signing.lua")


def read_signing(redis: Redis) -> bytes | None:
    """What is kept of the signing keys."""
    kept: bytes | None = redis.read(RING, ("GET", RING))[0]
    return kept


def keep_signing(redis: Redis, kept: bytes, expected: bytes | None) -> bool:
    """Keep the signing keys, if what was kept before is what is expected."""
    return bool(redis.run(_KEEP, (RING,), (expected or b"", kept)))
