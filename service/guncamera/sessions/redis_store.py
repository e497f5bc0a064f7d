"""Sessions in Redis or Valkey: four keys a session, and one script for each change.

Keys, for a session with id ``<id>``; the braces keep them on one server of a cluster:

- ``guncamera:{<id>}:head``: hash of revision, record, state, request_id, request_fingerprint,
  claim:<seat>, and while orders are sealed seal:<seat> and seal_serial; seal:undo/<seat> while a
  seat offers an undo
- ``guncamera:{<id>}:ledger``: list of entries
- ``guncamera:{<id>}:requests``: hash of request id to "revision fingerprint"; for a seal or a
  reveal to "=answer fingerprint", the answer in base64
- ``guncamera:{<id>}:states``: hash of revision to state, for some revisions; see `redis_states`
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from redis.exceptions import NoScriptError, RedisError

from guncamera.sessions import redis_requests
from guncamera.sessions.redis_chain import CHAIN, chain_arguments, used_before, used_command
from guncamera.sessions.redis_cluster import ClusterTransport
from guncamera.sessions.redis_counts import count
from guncamera.sessions.redis_errors import store_error
from guncamera.sessions.redis_health import report_on
from guncamera.sessions.redis_index import GRACE_SECONDS, SessionIndex, head_key
from guncamera.sessions.redis_keys import keep_key, read_keys
from guncamera.sessions.redis_lines import (
    Command,
    Reply,
    SingleTransport,
    Transport,
    make_wire,
    sentinel_transport,
    wire_settings,
)
from guncamera.sessions.redis_pipeline import Question
from guncamera.sessions.redis_replicas import NONE, Replicas
from guncamera.sessions.redis_requests import CLAIM_FIELD
from guncamera.sessions.redis_scripts import Redis, Script
from guncamera.sessions.redis_seals import (
    OFFER_FIELD,
    REVEAL,
    SEAL,
    SEAL_FIELD,
    SEAL_SERIAL,
    offers_of,
    read_repeated,
    seal_arguments,
    seals_of,
)
from guncamera.sessions.redis_signing import keep_signing, read_signing
from guncamera.sessions.redis_states import due_mark, last_kept
from guncamera.sessions.redis_watch import RedisWatch
from guncamera.sessions.store import (
    Append,
    AppendChain,
    Appended,
    Conflict,
    Counted,
    Created,
    Exists,
    Gone,
    IdPage,
    Load,
    LoadChain,
    Loaded,
    LoadedChain,
    Missing,
    Repeated,
    RequestKey,
    Results,
    Sealed,
    Step,
    StepResult,
    StoreDamaged,
    StoreError,
    StoreReport,
)

ResultT = TypeVar("ResultT")

_APPEND = Script.from_file("append.lua")


class RedisStore:
    """A `SessionStore` on Redis 6.2 or later, or Valkey.

    Args:
        url: redis://, rediss:// or unix:// for one server; redis+cluster://host:port,host:port
            (rediss+cluster); redis+sentinel://host:port,host:port/service (rediss+sentinel).
        replicas: that must have a write before it is acknowledged, each server's own.
        index_grace_seconds: how long an indexed id without a session is left in the index.

    Raises:
        ValueError: the URL is not understood. No connection is made yet.
    """

    def __init__(
        self, url: str, *, replicas: Replicas = NONE, index_grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self._redis = Redis(_transport(url), replicas)
        self._index = SessionIndex(self._redis, grace_seconds=index_grace_seconds)

    def create(
        self,
        session_id: str,
        *,
        record: bytes,
        state: bytes,
        ttl_seconds: int,
        request: RequestKey | None,
    ) -> Created | Exists | Gone:
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
        states: Sequence[tuple[int, bytes]] = (),
    ) -> Created | Exists | Gone:
        """See `SessionStore.import_session`."""
        keys, parts = _keys(session_id), (record, state, entries, states)
        is_new = self._index.enter(session_id)
        result = redis_requests.create(self._redis, keys, parts, _ttl(ttl_seconds), request)
        if isinstance(result, Created) and not is_new:
            self._index.enter(session_id)  # the old session ended just now, and may have left it
        return result

    def load(self, session_id: str, *, request_id: str | None = None) -> Loaded | None:
        """See `SessionStore.load`."""
        step = Load(session_id, request_id)
        replies = self._redis.read(head_key(session_id), *_load_commands(step))
        return self._told(session_id, _loaded(step, replies))

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
        step = Append(session_id, expected_revision, entry, state, request, ttl_seconds)
        return self._append(step)

    def _append(self, step: Append | AppendChain) -> Appended | Conflict | Repeated | Missing:
        script, arguments = _writing(step)
        reply = self._redis.run(script, _keys(step.session_id), arguments)
        return self._told(step.session_id, _appended(reply))

    def _told(self, session_id: str, result: ResultT) -> ResultT:
        """The result of a step, once replicas have also what it only tells again."""
        if self._redis.replicas.count and _tells_again(result):
            self._redis.confirm(head_key(session_id))
        return result

    def seal(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        seat: str,
        order: bytes,
        request: RequestKey | None,
        answer: bytes,
    ) -> Sealed | Conflict | Repeated | Missing:
        """See `SessionStore.seal`."""
        expected = (expected_revision, expected_serial)
        used = (_channel(session_id), *seal_arguments(request, answer))
        arguments: Command = (*expected, *used, seat, order)
        reply = self._redis.run(SEAL, _keys(session_id), arguments)
        if reply[0] == b"sealed":
            return Sealed(int(reply[1]))
        return self._told(session_id, _refused(reply))

    def offer(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        seat: str,
        to_revision: int,
        request: RequestKey | None,
        answer: bytes,
    ) -> Sealed | Conflict | Repeated | Missing:
        """See `SessionStore.offer`."""
        return self.seal(
            session_id,
            expected_revision=expected_revision,
            expected_serial=expected_serial,
            seat=f"{OFFER_FIELD.decode().removeprefix(SEAL_FIELD.decode())}{seat}",
            order=str(to_revision).encode(),
            request=request,
            answer=answer,
        )

    def reveal(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        entries: Sequence[bytes],
        state: bytes,
        request: RequestKey | None,
        answer: bytes,
        ttl_seconds: int,
        follows: int | None = None,
    ) -> Appended | Conflict | Repeated | Missing:
        """See `SessionStore.reveal`."""
        expected = (expected_revision, expected_serial)
        used = (_channel(session_id), *seal_arguments(request, answer))
        before = expected_revision if follows is None else follows
        due = due_mark(before, expected_revision + len(entries))
        arguments: Command = (*expected, *used, state, _ttl(ttl_seconds), due, *entries)
        reply = self._redis.run(REVEAL, _keys(session_id), arguments)
        return self._told(session_id, _appended(reply))

    def exchange(self, step: Step) -> StepResult:
        """See `SessionStore.exchange`."""
        if isinstance(step, Append | AppendChain):
            return self._append(step)
        replies = self._redis.read(head_key(step.session_id), *_load_commands(step))
        return self._told(step.session_id, _read(step, replies))

    def send(self, steps: Sequence[Step]) -> Results:
        """See `SessionStore.send`."""
        receive = self._redis.send([_question(step) for step in steps])
        return lambda: [self._result(step, answer) for step, answer in zip(steps, receive())]

    def _result(self, step: Step, answer: list[Reply] | Exception) -> StepResult | StoreError:
        try:
            if isinstance(answer, NoScriptError) and isinstance(step, Append | AppendChain):
                return self._append(step)  # the server has restarted, and is sent the script
            if isinstance(answer, RedisError):
                return store_error(answer)
            if isinstance(answer, Exception):
                raise answer
            if isinstance(step, Append | AppendChain):
                return self._told(step.session_id, _appended(answer[0]))
            return self._told(step.session_id, _read(step, answer))
        except StoreError as error:
            return error

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

    def claim(
        self, session_id: str, seat: str, token_hash: str, *, request: RequestKey | None = None
    ) -> bool | Repeated | None:
        """See `SessionStore.claim`."""
        keys = _keys(session_id)
        return self._told(
            session_id, redis_requests.claim(self._redis, keys, seat, token_hash, request)
        )

    def release(
        self, session_id: str, seat: str, token_hash: str, *, request: RequestKey | None = None
    ) -> bool | Repeated | None:
        """See `SessionStore.release`."""
        keys, channel = _keys(session_id), _channel(session_id)
        return self._told(
            session_id,
            redis_requests.release(self._redis, keys, channel, seat, token_hash, request),
        )

    def delete(self, session_id: str, *, request: RequestKey | None = None) -> bool | Repeated:
        """See `SessionStore.delete`."""
        place = self._index.place_of(session_id)
        removed = redis_requests.delete(
            self._redis, _keys(session_id), _channel(session_id), session_id, request
        )
        if place is not None and not isinstance(removed, Repeated):
            self._index.remove(session_id, place)
        return removed

    def deletion(self, session_id: str, request_id: str) -> str | None:
        """See `SessionStore.deletion`."""
        return redis_requests.deletion(self._redis, session_id, request_id)

    def begin_request(self, request: RequestKey, *, ttl_seconds: int) -> str:
        """See `SessionStore.begin_request`."""
        return redis_requests.begin_request(self._redis, request, _ttl(ttl_seconds))

    def kept_state(
        self, session_id: str, stretches: Sequence[tuple[int, int]]
    ) -> tuple[int, bytes] | None:
        """See `SessionStore.kept_state`."""
        return last_kept(self._redis, _keys(session_id)[3], stretches)

    def list_ids(self, *, after: str | None, limit: int) -> IdPage:
        """See `SessionStore.list_ids`.

        Raises:
            ValueError: `after` does not come from a page.
        """
        return self._index.page(after=after, limit=limit)

    def watch(self, session_id: str) -> RedisWatch:
        """See `SessionStore.watch`."""
        return RedisWatch(self._redis.transport.open_wire, _channel(session_id))

    def keys(self) -> dict[str, bytes]:
        """See `SessionStore.keys`."""
        return read_keys(self._redis)

    def keep_key(self, key_id: str, kept: bytes) -> None:
        """See `SessionStore.keep_key`."""
        keep_key(self._redis, key_id, kept)

    def signing(self) -> bytes | None:
        """See `SessionStore.signing`."""
        return read_signing(self._redis)

    def keep_signing(self, kept: bytes, *, expected: bytes | None) -> bool:
        """See `SessionStore.keep_signing`."""
        return keep_signing(self._redis, kept, expected)

    def count(self, name: str, amount: int, *, window_seconds: int) -> Counted:
        """See `SessionStore.count`."""
        return count(self._redis, name, amount, window_seconds)

    def check(self) -> StoreReport:
        """See `SessionStore.check`."""
        return report_on(self._redis.transport, self._redis.replicas)

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


@lru_cache(maxsize=4096)  # the same few are asked for several times in each call
def _keys(session_id: str) -> tuple[str, str, str, str]:
    if not session_id or "{" in session_id or "}" in session_id:
        raise ValueError("a session id may not be empty or hold braces")
    prefix = f"guncamera:{{{session_id}}}:"
    return head_key(session_id), f"{prefix}ledger", f"{prefix}requests", f"{prefix}states"


def _channel(session_id: str) -> str:
    return f"guncamera:{{{session_id}}}:changes"


def _ttl(seconds: int) -> int:
    # The server deletes a key that is told to expire in no time.
    if seconds < 1:
        raise ValueError("a session has to live for at least a second")
    return seconds


def _question(step: Step) -> Question:
    keys = _keys(step.session_id)
    if isinstance(step, Append | AppendChain):
        script, arguments = _writing(step)
        return Question(keys[0], (script.call(keys, arguments),), is_repeatable=False)
    return Question(keys[0], _load_commands(step), is_repeatable=True)


def _load_commands(step: Load | LoadChain) -> tuple[Command, ...]:
    head, _, requests, _ = _keys(step.session_id)
    if isinstance(step, LoadChain):
        return (used_command(step, requests), ("HGETALL", head))
    if step.request_id is None:
        return (("HGETALL", head),)
    # The request first: if it is there, the head that is read next is no older.
    return (("HGET", requests, step.request_id), ("HGETALL", head))


def _read(step: Load | LoadChain, replies: list[Reply]) -> Loaded | LoadedChain | None:
    if isinstance(step, Load):
        return _loaded(step, replies)
    flat = replies[-1]
    head = _loaded(Load(step.session_id, None), replies)
    if head is None:
        return None
    return LoadedChain(head, used_before(step, replies[0], dict(zip(flat[::2], flat[1::2]))))


def _loaded(step: Load, replies: list[Reply]) -> Loaded | None:
    flat = replies[-1]
    head: dict[bytes, bytes] = dict(zip(flat[::2], flat[1::2]))
    if b"revision" not in head:
        return None
    repeated = (
        read_repeated(*replies[0].split(b" ", 1))
        if step.request_id is not None and replies[0]
        else None
    )
    if step.request_id is not None and head.get(b"request_id") == step.request_id.encode():
        repeated = Repeated(0, head[b"request_fingerprint"].decode())
    return Loaded(
        revision=int(head[b"revision"]),
        record=head[b"record"],
        state=head[b"state"],
        claims={
            field[len(CLAIM_FIELD) :].decode(): holder.decode()
            for field, holder in head.items()
            if field.startswith(CLAIM_FIELD)
        },
        repeated=repeated,
        seals=seals_of(head),
        seal_serial=int(head.get(SEAL_SERIAL, 0)),
        offers=offers_of(head),
    )


def _writing(step: Append | AppendChain) -> tuple[Script, Command]:
    """The script that takes a writing step, and its arguments."""
    if isinstance(step, Append):
        return _APPEND, _append_arguments(step)
    return CHAIN, chain_arguments(step, _ttl(step.ttl_seconds), _channel(step.session_id))


def _append_arguments(step: Append) -> Command:
    used = (step.request.id, step.request.fingerprint) if step.request else ("", "")
    ttl = _ttl(step.ttl_seconds)
    channel = _channel(step.session_id)
    due = due_mark(step.expected_revision, step.expected_revision + 1)
    return (step.expected_revision, step.entry, step.state, ttl, channel, *used, due)


def _tells_again(result: object) -> bool:
    """Whether a result is that of an earlier request, of which this connection wrote nothing."""
    if isinstance(result, Loaded | LoadedChain):
        return bool(result.repeated)
    return isinstance(result, Repeated)


def _appended(reply: Reply) -> Appended | Conflict | Repeated | Missing:
    return Appended(int(reply[1])) if reply[0] == b"appended" else _refused(reply)


def _refused(reply: Reply) -> Conflict | Repeated | Missing:
    match reply[0]:
        case b"conflict":
            return Conflict(int(reply[1]))
        case b"repeated":
            return read_repeated(reply[1], reply[2])
        case b"missing":
            return Missing()
    revision, length = int(reply[1]), int(reply[2])
    raise StoreDamaged(f"revision {revision} has a ledger of {length} entries")
