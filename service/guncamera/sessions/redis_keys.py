"""Keys in Redis: one hash, ``guncamera:{keys}:known``, of key id to what is kept of the key."""

from __future__ import annotations

from guncamera.sessions.redis_scripts import Redis, Script

KNOWN = "guncamera:{keys}:known"

_KEEP = Script.from_file("keep_key.lua")


def read_keys(redis: Redis) -> dict[str, bytes]:
    """Every key that is kept."""
    flat: list[bytes] = redis.read(KNOWN, ("HGETALL", KNOWN))[0]
    return {key_id.decode(): kept for key_id, kept in zip(flat[::2], flat[1::2])}


def keep_key(redis: Redis, key_id: str, kept: bytes) -> None:
    """Keep a key, in place of what was kept of it before."""
    redis.run(_KEEP, (KNOWN,), (key_id, kept))
