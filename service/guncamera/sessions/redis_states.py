"""States in Redis that are kept for good, so that no board has to be made from the opening again.

One hash, ``guncamera:{<id>}:states``, of revision to state, beside the ledger. The scripts that
write the ledger write it too: it holds what was the state at that revision, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.sessions.redis_scripts import Redis
from guncamera.sessions.request_store import is_kept


def due_mark(before: int, revision: int) -> str:
    """What tells a script whether to keep the state at a revision; see `is_kept`."""
    return "1" if is_kept(before, revision) else ""


def last_kept(
    redis: Redis, key: str, stretches: Sequence[tuple[int, int]]
) -> tuple[int, bytes] | None:
    """See `SessionStore.kept_state`.

    Args:
        key: Of the session's states.
    """
    kept = [int(revision) for revision in redis.read(key, ("HKEYS", key))[0]]
    found = [one for one in kept if any(after <= one <= upto for after, upto in stretches)]
    if not found:
        return None
    state: bytes | None = redis.read(key, ("HGET", key, max(found)))[0]
    return None if state is None else (max(found), state)
