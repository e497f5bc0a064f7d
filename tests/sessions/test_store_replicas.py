"""What is acknowledged outlives its primary, where replicas are waited for: real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import pytest
import servers
from chaos.relay import Relay
from guncamera.sessions import redis_lines
from guncamera.sessions.redis_replicas import Replicas
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Append,
    AppendChain,
    Appended,
    Created,
    Exists,
    Load,
    LoadChain,
    Loaded,
    LoadedChain,
    Repeated,
    RequestKey,
    Sealed,
    StoreUnavailable,
)
from replicas import ONE, PATIENT, TOO_FEW, Pair, a_pair, all_of, held_back, in_time, opened, soon
from store_calls import NAMES, append, create, keys_of, reveal, seal

KEY = RequestKey("request-1", "print")


@pytest.fixture(scope="module", params=["valkey", "redis"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    program = servers.valkey_program() if request.param == "valkey" else servers.redis_program()
    with a_pair(program) as found:
        yield found


# ---- Each write, what makes it possible, and what its retry is told


def _nothing(_store: RedisStore, _name: str) -> None:
    pass


def _begun(store: RedisStore, name: str) -> None:
    create(store, name)


def _held(store: RedisStore, name: str) -> None:
    create(store, name)
    store.claim(name, "red", "hash")


def _append(store: RedisStore, name: str) -> Any:
    return append(store, name, 0, KEY)


def _imported(store: RedisStore, name: str) -> Any:
    return store.import_session(
        name, record=b"r", state=b"s", entries=[b"1", b"2"], ttl_seconds=99, request=KEY
    )


def _chain(store: RedisStore, name: str) -> Any:
    return store.exchange(AppendChain(name, 0, [(b"1", KEY), (b"2", None)], b"s", 99))


def _looked_up(store: RedisStore, name: str) -> Any:
    found = store.exchange(LoadChain(name, [KEY.id]))
    assert isinstance(found, LoadedChain)
    return found.repeated


def _sent(store: RedisStore, name: str) -> Any:
    (result,) = store.send([Append(name, 0, b"entry 1", b"state 1", KEY, 99)])()
    if isinstance(result, StoreUnavailable):
        raise result
    return result


def _offer(store: RedisStore, name: str) -> Any:
    return store.offer(
        name, expected_revision=0, expected_serial=0, seat="red", to_revision=0, request=KEY,
        answer=b"told",
    )  # fmt: skip


REVEALED = Repeated(0, KEY.fingerprint, b"told")
WRITES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], Any, Any]] = {
    # what there is before, the write, what a retry calls, what each is told
    "create": (
        _nothing,
        lambda store, name: create(store, name, KEY),
        lambda store, name: create(store, name, KEY),
        Created(0),
        Exists(KEY),
    ),
    "import": (_nothing, _imported, _imported, Created(2), Exists(KEY)),
    "append": (_begun, _append, _append, Appended(1), Repeated(1, KEY.fingerprint)),
    "append, looked up": (
        _begun,
        _append,
        lambda store, name: (store.load(name, request_id=KEY.id) or pytest.fail(name)).repeated,
        Appended(1),
        Repeated(1, KEY.fingerprint),
    ),
    "append, sent": (_begun, _sent, _sent, Appended(1), Repeated(1, KEY.fingerprint)),
    "chain": (_begun, _chain, _looked_up, Appended(2), {KEY.id: Repeated(1, KEY.fingerprint)}),
    "seal": (
        _begun,
        lambda store, name: seal(store, name, 0, 0, "red", request=KEY),
        lambda store, name: seal(store, name, 0, 0, "red", request=KEY),
        Sealed(1),
        REVEALED,
    ),
    "offer": (_begun, _offer, _offer, Sealed(1), REVEALED),
    "reveal": (
        _begun,
        lambda store, name: reveal(store, name, 0, 0, 2, KEY),
        lambda store, name: reveal(store, name, 0, 0, 2, KEY),
        Appended(2),
        REVEALED,
    ),
    "claim": (
        _begun,
        lambda store, name: store.claim(name, "red", "hash", request=KEY),
        lambda store, name: store.claim(name, "red", "hash", request=KEY),
        True,
        Repeated(0, KEY.fingerprint, b"claimed"),
    ),
    "claim without a request id": (
        _begun,
        lambda store, name: store.claim(name, "red", "hash"),
        lambda store, name: store.claim(name, "red", "hash"),
        True,
        True,
    ),
    "release": (
        _held,
        lambda store, name: store.release(name, "red", "hash", request=KEY),
        lambda store, name: store.release(name, "red", "hash", request=KEY),
        True,
        Repeated(0, KEY.fingerprint, b"red"),
    ),
    "delete": (
        _begun,
        lambda store, name: store.delete(name, request=KEY),
        lambda store, name: store.delete(name, request=KEY),
        True,
        Repeated(0, KEY.fingerprint),
    ),
    "delete, looked up": (
        _begun,
        lambda store, name: store.delete(name, request=KEY),
        lambda store, name: store.deletion(name, KEY.id),
        True,
        KEY.fingerprint,
    ),
    "request id": (
        _nothing,
        lambda store, name: store.begin_request(RequestKey(name, "print"), ttl_seconds=99),
        lambda store, name: store.begin_request(RequestKey(name, "print"), ttl_seconds=99),
        "print",
        "print",
    ),
    "key": (
        _nothing,
        lambda store, name: store.keep_key(name, b"kept"),
        lambda store, name: store.keep_key(name, b"kept"),
        None,
        None,
    ),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_write_is_acknowledged_once_the_replica_has_it(pair: Pair, write: str) -> None:
    before, do, again, told, told_again = WRITES[write]

    def scene() -> None:
        name = next(NAMES)
        before(store, name)
        assert do(store, name) == told
        with pair.replica.client() as behind:
            assert behind.exists(*keys_of(name), *_beside(name)), "the replica has it by then"
        assert again(store, name) == told_again

    with opened(pair.primary.url, PATIENT) as store:
        in_time(scene)


def _beside(name: str) -> list[str]:
    """Keys that a write may have made beside those of a session."""
    return [
        f"guncamera:{{{name}}}:deletions", f"guncamera:{{request:{name}}}:begun",
        "guncamera:{keys}:known",
    ]  # fmt: skip


@pytest.mark.parametrize("write", WRITES)
def test_a_write_that_the_replica_lacks_is_not_acknowledged_and_a_retry_waits_again(
    pair: Pair, write: str
) -> None:
    before, do, again, told, told_again = WRITES[write]
    name = next(NAMES)
    with opened(pair.primary.url, PATIENT) as store:
        soon(lambda: before(store, name))
    with held_back(pair.replica):
        with opened(pair.primary.url, ONE) as store:
            with pytest.raises(StoreUnavailable, match=TOO_FEW) as refused:
                do(store, name)
            assert refused.value.retry_after_seconds == 1
        if write in ("create", "import"):
            # Their id entered the index first, and that was not acknowledged either.
            told_again = (told, told_again)
        # Over another connection, which has written nothing that could be waited for.
        with opened(pair.primary.url, ONE) as store, pytest.raises(StoreUnavailable, match=TOO_FEW):
            again(store, name)
    with opened(pair.primary.url, PATIENT) as store:
        found = soon(lambda: again(store, name))
        assert found in told_again if isinstance(told_again, tuple) else found == told_again


def test_a_session_that_was_created_and_not_acknowledged_is_confirmed_by_the_retry(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = next(NAMES)
    with opened(pair.primary.url, ONE) as store:
        soon(lambda: create(store, next(NAMES)))
        monkeypatch.setattr(store._index, "enter", lambda _session_id: True)
        with held_back(pair.replica):
            with pytest.raises(StoreUnavailable, match=TOO_FEW):
                create(store, name, KEY)
            with opened(pair.primary.url, ONE) as other:
                monkeypatch.setattr(other._index, "enter", lambda _session_id: True)
                with pytest.raises(StoreUnavailable, match=TOO_FEW):
                    create(other, name, KEY)
        assert soon(lambda: create(store, name, KEY)) == Exists(KEY)


def test_signing_keys_are_not_acknowledged_either(pair: Pair) -> None:
    with opened(pair.primary.url, PATIENT) as store:
        kept = store.signing()
        with held_back(pair.replica), pytest.raises(StoreUnavailable, match=TOO_FEW):
            store.keep_signing(b"ring", expected=kept)
        assert soon(lambda: store.keep_signing(b"another", expected=b"ring")) in (True, False)


def test_who_only_looks_or_is_counted_waits_for_nobody(pair: Pair) -> None:
    name = next(NAMES)
    with opened(pair.primary.url, ONE) as store:
        soon(lambda: create(store, name))
        with held_back(pair.replica):
            loaded = store.load(name, request_id="unused")
            assert isinstance(loaded, Loaded)
            assert isinstance(store.exchange(Load(name, None)), Loaded)
            assert isinstance(store.send([Load(name, None)])()[0], Loaded)
            assert store.entries(name, after_revision=0, limit=9) == []
            assert name in store.list_ids(after=None, limit=1000).ids
            assert store.count(f"rate/{name}", 1, window_seconds=99).total == 1


def test_waiting_costs_no_exchange_of_its_own(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    exchanges: list[int] = []
    once = redis_lines.Line._exchange_once

    def counted(line: redis_lines.Line, commands: Any) -> Any:
        exchanges.append(len(commands))
        return once(line, commands)

    def scene() -> None:
        names = [next(NAMES) for _ in range(20)]
        for name in names:
            create(store, name)
        append(store, names[0], 0)
        with monkeypatch.context() as patched:
            patched.setattr(redis_lines.Line, "_exchange_once", counted)
            exchanges.clear()
            assert append(store, names[0], 1) == Appended(2)
            assert exchanges == [2], "the script, and the waiting right behind it"
            before = pair.counts()
            steps = [Append(name, 0, b"1", b"s", None, 99) for name in names[1:]]
            assert all_of(store.send(steps)()) == [Appended(1)] * 19
            assert exchanges == [2], "they went over the pipeline's own connection"
        after = pair.counts()
        assert after["evalsha"] - before["evalsha"] == 19
        assert after["wait"] - before["wait"] == 1, "one waits for all that were sent together"
        store.send([Load(name, None) for name in names])()
        assert pair.counts()["wait"] == after["wait"], "who only looks waits for nobody"

    with opened(pair.primary.url, PATIENT) as store:
        in_time(scene)


def test_of_a_sending_only_what_was_written_is_not_acknowledged(pair: Pair) -> None:
    written, read = next(NAMES), next(NAMES)
    with opened(pair.primary.url, ONE) as store:
        for name in (written, read):
            soon(lambda name=name: create(store, name))
        with held_back(pair.replica):
            lost, loaded = store.send(
                [Append(written, 0, b"entry 1", b"s", KEY, 99), Load(read, None)]
            )()
            assert isinstance(lost, StoreUnavailable)
            assert TOO_FEW in str(lost)
            assert isinstance(loaded, Loaded)
        assert soon(lambda: _sent(store, written)) == Repeated(1, KEY.fingerprint)
        assert store.entries(written, after_revision=0, limit=9) == [b"entry 1"]


def test_a_full_store_still_tells_again_what_it_has(pair: Pair) -> None:
    name = next(NAMES)
    with opened(pair.primary.url, PATIENT) as store, pair.primary.client() as client:
        soon(lambda: create(store, name))
        soon(lambda: append(store, name, 0, KEY))
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(StoreUnavailable, match="full"):
                append(store, name, 1)
            assert soon(lambda: append(store, name, 0, KEY)) == Repeated(1, KEY.fingerprint)
            loaded = store.load(name, request_id=KEY.id)
            assert loaded is not None
            assert loaded.repeated == Repeated(1, KEY.fingerprint)
        finally:
            client.config_set("maxmemory", 0)


# ---- A failover


@pytest.mark.parametrize(("replicas", "is_lost"), [(Replicas(0), True), (Replicas(1, 100), False)])
def test_a_failover_loses_nothing_that_was_acknowledged(replicas: Replicas, is_lost: bool) -> None:
    """The replica stands still and what is on its way to it is lost, as with a machine that dies.

    Stopping the replica alone would not do: what the primary has sent waits for it in the kernel.
    """
    with ExitStack() as stack:
        relay: list[Relay] = []

        def behind(port: int) -> str:
            relay.append(stack.enter_context(Relay(f"127.0.0.1:{port}")))
            return relay[0].address

        pair = stack.enter_context(a_pair(servers.redis_program(), behind))
        store = stack.enter_context(opened(pair.primary.url, replicas))
        name = next(NAMES)
        soon(lambda: create(store, name))
        requests = [RequestKey(f"request-{revision}", "print") for revision in range(10)]
        told: list[int] = []
        for revision, request in enumerate(requests):
            if revision == 5:
                servers.wait_until(lambda: _ledger_of(pair.replica, name) == 5, "it has the first")
                relay[0].go_deaf(loses_questions=False, loses_answers=True)
                pair.replica.pause()
            if revision < 5:  # by a retry where the machine is busy
                soon(partial(append, store, name, revision, request))
                told.append(revision + 1)
                continue
            with suppress(StoreUnavailable):
                assert append(store, name, revision, request) == Appended(revision + 1)
                told.append(revision + 1)
        pair.primary.kill()
        pair.replica.resume()
        with pair.replica.client() as client:
            client.replicaof("NO", "ONE")
        assert (_ledger_of(pair.replica, name) < len(told)) is is_lost
        after = stack.enter_context(opened(pair.replica.url, Replicas(0)))
        if not is_lost:
            again = [append(after, name, n, one) for n, one in enumerate(requests)]
            assert again == [Repeated(n, "print") for n in range(1, 6)] + [
                Appended(n) for n in range(6, 11)
            ], "what was told is told again, and the rest is done now"


def _ledger_of(server: servers.Server, name: str) -> int:
    with server.client() as client:
        return int(client.llen(keys_of(name)[1]))
