"""Calls in Redis that are known again by their request id: claims, releases, deletions, creations.

Beside the keys of a session:

- ``guncamera:{<id>}:deletions``: hash of request id to fingerprint; it outlives the session
- ``guncamera:{<id>}:created:<request id>``: fingerprint of the request that created a session of
  this name; it outlives the session
- ``guncamera:{request:<request id>}:begun``: what a request id of the whole service stands for
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.sessions.redis_lines import Command
from guncamera.sessions.redis_scripts import Redis, Script
from guncamera.sessions.redis_seals import OFFER_FIELD, SEAL_FIELD, read_repeated, seal_arguments
from guncamera.sessions.request_store import DELETIONS_KEPT_SECONDS, creation_kept_seconds
from guncamera.sessions.store import Created, Exists, Gone, Repeated, RequestKey

CLAIM_FIELD = b"claim:"
_CREATE = Script.from_file("create.lua")
_CLAIM = Script.from_file("claim.lua")
_RELEASE = Script.from_file("release.lua")
_DELETE = Script.from_file("delete.lua")
_BEGIN = Script.from_file("begin_request.lua")


def create(
    redis: Redis,
    keys: Sequence[str],
    parts: tuple[bytes, bytes, Sequence[bytes], Sequence[tuple[int, bytes]]],
    ttl_seconds: int,
    request: RequestKey | None,
) -> Created | Exists | Gone:
    """See `SessionStore.import_session`; into the index nothing is entered.

    Args:
        parts: Record, state, entries, and states to keep.
    """
    record, state, entries, states = parts
    used = (request.id, request.fingerprint) if request else ("", "")
    kept: Command = [part for one in states for part in one]
    lives = (ttl_seconds, *used, creation_kept_seconds(ttl_seconds))
    arguments: Command = (record, state, *lives, len(states), *kept, *entries)
    done = [f"{keys[0].removesuffix('head')}created:{request.id}"] if request else []
    reply = redis.run(_CREATE, (*keys, *done), arguments)
    if reply[0] == b"created":
        return Created(int(reply[1]))
    if reply[0] == b"gone":
        return Gone(reply[1].decode())
    redis.confirm(keys[0])
    return Exists(RequestKey(reply[1].decode(), reply[2].decode()) if reply[1] else None)


def claim(
    redis: Redis, keys: Sequence[str], seat: str, token_hash: str, request: RequestKey | None
) -> bool | Repeated | None:
    """See `SessionStore.claim`."""
    kept = seal_arguments(request, b"claimed")
    arguments: Command = (CLAIM_FIELD + seat.encode(), token_hash, *kept)
    reply = redis.run(_CLAIM, _needed(keys, request), arguments)
    if reply[0] == b"repeated":
        return read_repeated(reply[1], reply[2])
    if reply[0] == b"kept":  # by an earlier call
        redis.confirm(keys[0])
        return True
    return None if reply[0] == b"missing" else bool(reply[0] == b"held")


def release(
    redis: Redis,
    keys: Sequence[str],
    channel: str,
    seat: str,
    token_hash: str,
    request: RequestKey | None,
) -> bool | Repeated | None:
    """See `SessionStore.release`."""
    fields = [prefix + seat.encode() for prefix in (CLAIM_FIELD, SEAL_FIELD, OFFER_FIELD)]
    kept = seal_arguments(request, seat.encode())
    arguments: Command = (*fields, token_hash, channel, *kept)
    reply = redis.run(_RELEASE, _needed(keys, request), arguments)
    if reply[0] == b"repeated":
        return read_repeated(reply[1], reply[2])
    return None if reply[0] == b"missing" else bool(reply[0] == b"released")


def delete(
    redis: Redis, keys: Sequence[str], channel: str, session_id: str, request: RequestKey | None
) -> bool | Repeated:
    """See `SessionStore.delete`; of the index nothing is removed."""
    used = (request.id, request.fingerprint) if request else ("", "")
    all_keys = (*keys, _deletions(session_id))
    reply = redis.run(_DELETE, all_keys, (channel, *used, DELETIONS_KEPT_SECONDS))
    if reply[0] == b"repeated":
        redis.confirm(all_keys[-1])
        return read_repeated(reply[1], reply[2])
    return bool(reply[0] == b"deleted")


def deletion(redis: Redis, session_id: str, request_id: str) -> str | None:
    """See `SessionStore.deletion`."""
    key = _deletions(session_id)
    found: bytes | None = redis.read(key, ("HGET", key, request_id))[0]
    if found is None:
        return None
    redis.confirm(key)
    return found.decode()


def begin_request(redis: Redis, request: RequestKey, ttl_seconds: int) -> str:
    """See `SessionStore.begin_request`."""
    key = f"guncamera:{{request:{request.id}}}:begun"
    kept: bytes = redis.run(_BEGIN, (key,), (request.fingerprint, ttl_seconds))
    return kept.decode()


def _needed(keys: Sequence[str], request: RequestKey | None) -> Sequence[str]:
    """Without a request id the head alone, which a cluster can find also while it moves it."""
    return keys if request else keys[:1]


def _deletions(session_id: str) -> str:
    return f"guncamera:{{{session_id}}}:deletions"
