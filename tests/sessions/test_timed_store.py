"""Timing a store: every operation is told once, by its name, and nothing else changes."""

from __future__ import annotations

from collections import Counter

import pytest
import servers
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import (
    Append,
    Appended,
    Load,
    Loaded,
    SessionStore,
    StoreError,
    StoreUnavailable,
)
from guncamera.sessions.timed_store import timed


class Told:
    """What was told: how often each operation, and how often it failed."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.seconds: list[float] = []

    def __call__(self, operation: str, seconds: float, *, count: int, failed: int) -> None:
        self.count[operation] += count
        self.failed[operation] += failed
        self.seconds.append(seconds)


def append(revision: int) -> Append:
    return Append("game", revision, b"entry", b"state", None, 1000)


def test_every_operation_is_told_once_also_in_shared_exchanges() -> None:
    with servers.Server(servers.valkey_program()) as server:
        told = Told()
        plain = RedisStore(server.url)
        store = timed(plain, told)
        store.create("game", record=b"r", state=b"s", ttl_seconds=1000, request=None)
        assert isinstance(store.load("game"), Loaded)
        assert store.exchange(append(0)) == Appended(1)
        assert isinstance(store.exchange(Load("game", None)), Loaded)
        results = store.send([Load("game", None), append(1), Load("none", None)])()
        assert [type(result) for result in results] == [Loaded, Appended, type(None)]
        assert store.entries("game", after_revision=0, limit=9) == [b"entry", b"entry"]
        with store.watch("game") as watch:
            assert not watch.wait(0.01)
        assert told.count == {"create": 1, "load": 4, "append": 2, "entries": 1}
        assert not any(told.failed.values())
        assert all(0 < seconds < 60 for seconds in told.seconds)
        server.kill()
        with pytest.raises(StoreUnavailable):
            store.load("game")
        with pytest.raises(StoreUnavailable):
            store.exchange(append(2))
        assert all(isinstance(one, StoreError) for one in store.send([append(2), append(2)])())
        assert +told.failed == {"load": 1, "append": 3}
        assert told.count["append"] == 5
        store.close()


def test_a_store_that_is_timed_does_all_that_a_store_does() -> None:
    with servers.Server(servers.valkey_program()) as server:
        store = timed(RedisStore(server.url), Told())
        for name in dir(SessionStore):
            if not name.startswith("_"):
                assert callable(getattr(store, name)), name
        store.close()
