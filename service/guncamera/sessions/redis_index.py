"""The list of all sessions in the order of their creation.

One sorted set, ``guncamera:{sessions}:index``, holds the ids. In a cluster it lives apart from the
sessions, so no script covers both: an id enters the index before its session exists and
leaves it after the session is gone, and what is listed is looked up first.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.sessions.redis_scripts import Redis, Script
from guncamera.sessions.store import IdPage

INDEX = "guncamera:{sessions}:index"
# Longer than a creation can take between entering the index and writing the session.
GRACE_SECONDS = 60.0
# How often one page looks for more when what it found had expired.
ROUNDS = 10

_ENTER = Script.from_file("index.lua")
_PRUNE = Script.from_file("prune.lua")


class SessionIndex:
    """Enters, removes and lists session ids."""

    def __init__(self, redis: Redis, *, grace_seconds: float) -> None:
        self._redis = redis
        self._grace_microseconds = int(grace_seconds * 1_000_000)

    def enter(self, session_id: str) -> bool:
        """Enter an id, before its session is created; False if a session has it already."""
        if self._redis.run(_ENTER, (INDEX,), (session_id, "")):
            return True
        if self._redis.read_each("EXISTS", [head_key(session_id)])[0]:
            return False
        # The place of a session that is gone: the next list would prune it under our hands.
        self._redis.run(_ENTER, (INDEX,), (session_id, "renew"))
        return True

    def place_of(self, session_id: str) -> bytes | None:
        """Return where an id stands, for `remove`."""
        place: bytes | None = self._redis.read(INDEX, ("ZSCORE", INDEX, session_id))[0]
        return place

    def remove(self, session_id: str, place: bytes) -> None:
        """Remove an id, unless it has been entered again since."""
        self._redis.run_unkept(_PRUNE, (INDEX,), (0, session_id, place))

    def page(self, *, after: str | None, limit: int) -> IdPage:
        """List ids that have a session, and prune those that have none.

        Raises:
            ValueError: `after` does not come from a page.
        """
        if after is not None and not after.isdecimal():
            raise ValueError("after must be the place that an earlier page gave")
        found: list[str] = []
        for _ in range(ROUNDS):
            wanted = limit - len(found)
            if wanted < 1:
                break
            start = f"({after}" if after else "-inf"
            within = ("WITHSCORES", "LIMIT", 0, wanted)
            flat: list[bytes]
            flat = self._redis.read(INDEX, ("ZRANGEBYSCORE", INDEX, start, "+inf", *within))[0]
            found += self._existing(flat[::2], flat[1::2])
            if len(flat) < 2 * wanted:
                return IdPage(found, None)
            after = flat[-1].decode()
        return IdPage(found, after)

    def _existing(self, ids: Sequence[bytes], places: Sequence[bytes]) -> Sequence[str]:
        names = [name.decode() for name in ids]
        exists = self._redis.read_each("EXISTS", [head_key(name) for name in names])
        gone = [
            part
            for name, place, is_there in zip(names, places, exists)
            if not is_there
            for part in (name, place)
        ]
        if gone:
            self._redis.run_unkept(_PRUNE, (INDEX,), (self._grace_microseconds, *gone))
        return [name for name, is_there in zip(names, exists) if is_there]


def head_key(session_id: str) -> str:
    """Return the key of a session's head."""
    return f"guncamera:{{{session_id}}}:head"
