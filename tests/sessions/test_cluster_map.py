"""What is known of a cluster's servers, which may change between two looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from guncamera.sessions import redis_cluster
from guncamera.sessions.redis_cluster import SLOT_COUNT, ClusterTransport
from guncamera.sessions.redis_health import report_on
from redis.exceptions import ConnectionError as RedisConnectionError

OLD, NEW = ("127.0.0.1", 1), ("127.0.0.1", 2)
INFO = [b"redis_version:7.0\r\nmaxmemory_policy:noeviction\r\naof_enabled:1", [], [], 0]


class Server:
    """A stand-in for one server: alive or dead, and what happens when somebody looks for it."""

    def __init__(self, is_alive: bool, seen: Callable[[], None]) -> None:
        self._is_alive = is_alive
        self._seen = seen

    def line(self) -> Server:
        self._seen()
        return self

    def open_wire(self) -> Server:
        return self

    def connect(self) -> None:
        self.exchange((), is_repeatable=True)

    def exchange(self, _commands: object, *, is_repeatable: bool) -> list[Any]:
        if not self._is_alive:
            raise RedisConnectionError("it is dead")
        return INFO


class Cluster(ClusterTransport):
    """A cluster whose old primary is dead and whose new one lives."""

    def __init__(self, *maps: tuple[str, int], seen: Callable[[], None] = lambda: None) -> None:
        super().__init__("redis+cluster://127.0.0.1:1")
        self._maps = list(maps)
        self._server = lambda address: Server(address != OLD, seen)  # type: ignore[method-assign]

    def _read_map(self) -> Any:
        return (self._maps.pop(0),) * SLOT_COUNT


def test_a_check_finds_the_primary_that_took_over() -> None:
    cluster = Cluster(OLD, NEW)
    assert not report_on(cluster).is_reachable
    assert report_on(cluster).is_reachable


def test_a_watch_finds_the_primary_that_took_over() -> None:
    cluster = Cluster(OLD, NEW)
    with pytest.raises(RedisConnectionError):
        cluster.open_wire()
    cluster.open_wire().connect()


def test_a_map_that_another_thread_drops_is_used_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another call has found its server dead, just after a check has looked at the map."""
    cluster = Cluster(NEW, NEW)
    served = ClusterTransport._served

    def then_dropped(self: ClusterTransport, *given: Any) -> Any:
        address = served(self, *given)
        self._slots = ()
        return address

    monkeypatch.setattr(redis_cluster.ClusterTransport, "_served", then_dropped)
    assert report_on(cluster).is_reachable
