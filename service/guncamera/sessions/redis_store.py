"""Sessions in Redis or Valkey: three keys a session, and one script for each change.

Keys, for a session with id ``<id>``; the braces keep them on one server of a cluster:

- ``guncamera:{<id>}:head``: hash of revision, record, state, request_id, request_fingerprint,
  and claim:<seat>
- ``guncamera:{<id>}:ledger``: list of entries
- ``guncamera:{<id>}:requests``: hash of request id to "revision fingerprint"
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.sessions.redis_cluster import ClusterTransport
from guncamera.sessions.redis_health import report_on
from guncamera.sessions.redis_index import GRACE_SECONDS, SessionIndex, head_key
from guncamera.sessions.redis_lines import (
    Command,
    SingleTransport,
    Transport,
    make_wire,
    sentinel_transport,
    wire_settings,
)
from guncamera.sessions.redis_scripts import Redis, Script
from guncamera.sessions.redis_watch import RedisWatch
from guncamera.sessions.store import (
    Appended,
    Conflict,
    Created,
    Exists,
    IdPage,
    Loaded,
    Missing,
    Repeated,
    RequestKey,
    StoreDamaged,
    StoreReport,
)

_APPEND = Script.from_file("append.lua")
_CREATE = Script.from_file("create.lua")
_CLAIM = Script.from_file("claim.lua")
_DELETE = Script.from_file("delete.lua")

_CLAIM_FIELD = b"claim:"


class RedisStore:
    """A `SessionStore` on Redis 6.2 or later, or Valkey.

    Args:
        url: redis://, rediss:// or unix:// for one server; redis+cluster://host:port,host:port
            (rediss+cluster); redis+sentinel://host:port,host:port/service (rediss+sentinel).
        index_grace_seconds: how long an indexed id without a session is left in the index.

    Raises:
        ValueError: the URL is not understood. No connection is made yet.
    """

    def __init__(self, url: str, *, index_grace_seconds: float = GRACE_SECONDS) -> None:
        self._redis = Redis(_transport(url))
        self._index = SessionIndex(self._redis, grace_seconds=index_grace_seconds)

    def create(
        self,
        session_id: str,
        *,
        record: bytes,
        state: bytes,
        ttl_seconds: int,
        request: RequestKey | None,
    ) -> Created | Exists:
        """See `SessionStore.create`."""
        return self.import_session(
            session_id,
            record=record,
            state=state,
            entries=(),
            ttl_seconds=ttl_seconds,
            request=request,
        )

    def import_session(
        self,
        session_id: str,
        *,
        record: bytes,
        state: bytes,
        entries: Sequence[bytes],
        ttl_seconds: int,
        request: RequestKey | None,
    ) -> Created | Exists:
        """See `SessionStore.import_session`."""
        keys = _keys(session_id)
        used = (request.id, request.fingerprint) if request else ("", "")
        arguments: Command = (record, state, _ttl(ttl_seconds), *used, *entries)
        is_new = self._index.enter(session_id)
        reply = self._redis.run(_CREATE, keys, arguments)
        if reply[0] == b"created":
            if not is_new:  # the old session ended just now, and may have left the index since
                self._index.enter(session_id)
            return Created(int(reply[1]))
        return Exists(RequestKey(reply[1].decode(), reply[2].decode()) if reply[1] else None)

    def load(self, session_id: str, *, request_id: str | None = None) -> Loaded | None:
        """See `SessionStore.load`."""
        key, _, requests_key = _keys(session_id)
        if request_id is None:
            used, flat = None, self._redis.read(key, ("HGETALL", key))[0]
        else:
            # The request first: if it is there, the head that is read next is no older.
            find = ("HGET", requests_key, request_id)
            used, flat = self._redis.read(key, find, ("HGETALL", key))
        head: dict[bytes, bytes] = dict(zip(flat[::2], flat[1::2]))
        if b"revision" not in head:
            return None
        repeated = _repeated(used) if used else None
        if request_id is not None and head.get(b"request_id") == request_id.encode():
            repeated = Repeated(0, head[b"request_fingerprint"].decode())
        return Loaded(
            revision=int(head[b"revision"]),
            record=head[b"record"],
            state=head[b"state"],
            claims={
                field[len(_CLAIM_FIELD) :].decode(): holder.decode()
                for field, holder in head.items()
                if field.startswith(_CLAIM_FIELD)
            },
            repeated=repeated,
        )

    def append(
        self,
        session_id: str,
        *,
        expected_revision: int,
        entry: bytes,
        state: bytes,
        request: RequestKey | None,
        ttl_seconds: int,
    ) -> Appended | Conflict | Repeated | Missing:
        """See `SessionStore.append`."""
        used = (request.id, request.fingerprint) if request else ("", "")
        ttl = _ttl(ttl_seconds)
        arguments = (expected_revision, entry, state, ttl, _channel(session_id), *used)
        reply = self._redis.run(_APPEND, _keys(session_id), arguments)
        match reply[0]:
            case b"appended":
                return Appended(int(reply[1]))
            case b"conflict":
                return Conflict(int(reply[1]))
            case b"repeated":
                return Repeated(int(reply[1]), reply[2].decode())
            case b"missing":
                return Missing()
        revision, length = int(reply[1]), int(reply[2])
        raise StoreDamaged(f"revision {revision} has a ledger of {length} entries")

    def entries(self, session_id: str, *, after_revision: int, limit: int) -> Sequence[bytes]:
        """See `SessionStore.entries`."""
        if after_revision < 0:
            raise ValueError("revisions are counted from 0")
        if limit < 1:
            return ()
        ledger = _keys(session_id)[1]
        last = after_revision + limit - 1
        entries: list[bytes] = self._redis.read(ledger, ("LRANGE", ledger, after_revision, last))[0]
        return entries

    def entry(self, session_id: str, revision: int) -> bytes | None:
        """See `SessionStore.entry`."""
        if revision < 1:
            return None
        ledger = _keys(session_id)[1]
        entry: bytes | None = self._redis.read(ledger, ("LINDEX", ledger, revision - 1))[0]
        return entry

    def claim(self, session_id: str, seat: str, token_hash: str) -> bool | None:
        """See `SessionStore.claim`."""
        field = _CLAIM_FIELD + seat.encode()
        claimed: int = self._redis.run(_CLAIM, _keys(session_id)[:1], (field, token_hash))
        return None if claimed < 0 else claimed == 1

    def delete(self, session_id: str) -> bool:
        """See `SessionStore.delete`."""
        keys = _keys(session_id)
        place = self._index.place_of(session_id)
        removed: int = self._redis.run(_DELETE, keys, (_channel(session_id),))
        if place is not None:
            self._index.remove(session_id, place)
        return removed == 1

    def list_ids(self, *, after: str | None, limit: int) -> IdPage:
        """See `SessionStore.list_ids`.

        Raises:
            ValueError: `after` does not come from a page.
        """
        return self._index.page(after=after, limit=limit)

    def watch(self, session_id: str) -> RedisWatch:
        """See `SessionStore.watch`."""
        return RedisWatch(self._redis.transport.open_wire, _channel(session_id))

    def check(self) -> StoreReport:
        """See `SessionStore.check`."""
        return report_on(self._redis.transport)

    def close(self) -> None:
        """See `SessionStore.close`."""
        self._redis.transport.close()


def _transport(url: str) -> Transport:
    scheme = url.partition("://")[0]
    if scheme in ("redis+cluster", "rediss+cluster"):
        return ClusterTransport(url)
    if scheme in ("redis+sentinel", "rediss+sentinel"):
        return sentinel_transport(url)
    settings = wire_settings(url)
    make_wire(settings)  # a bad option is told at the start
    return SingleTransport(lambda: make_wire(settings))


def _keys(session_id: str) -> tuple[str, str, str]:
    if not session_id or "{" in session_id or "}" in session_id:
        raise ValueError("a session id may not be empty or hold braces")
    prefix = f"guncamera:{{{session_id}}}:"
    return head_key(session_id), f"{prefix}ledger", f"{prefix}requests"


def _channel(session_id: str) -> str:
    return f"guncamera:{{{session_id}}}:changes"


def _ttl(seconds: int) -> int:
    # The server deletes a key that is told to expire in no time.
    if seconds < 1:
        raise ValueError("a session has to live for at least a second")
    return seconds


def _repeated(used: bytes) -> Repeated:
    revision, _, fingerprint = used.decode().partition(" ")
    return Repeated(int(revision), fingerprint)
