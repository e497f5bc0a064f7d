"""A primary and its replica for the tests, which can be held back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import servers
from guncamera.sessions.redis_replicas import MOST_MILLIS, Replicas
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.refusals import Unavailable
from guncamera.sessions.store import StoreUnavailable

ONE = Replicas(1, 150)
PATIENT = Replicas(1, MOST_MILLIS)
TOO_FEW = "0 of 1 replicas have it"


class Pair:
    """A primary and the replica that follows it, over a relay if there is one."""

    def __init__(self, primary: servers.Server, replica: servers.Server) -> None:
        self.primary = primary
        self.replica = replica

    def counts(self) -> dict[str, int]:
        """How often the primary was asked each command."""
        with self.primary.client() as client:
            found: dict[str, Any] = client.info("commandstats")
        return {name.removeprefix("cmdstat_"): told["calls"] for name, told in found.items()}

    def is_in_step(self) -> bool:
        with self.replica.client() as client:
            told: dict[str, Any] = client.info("replication")
        with self.primary.client() as client:
            known: dict[str, Any] = client.info("replication")
        return bool(
            told["role"] == "slave"
            and told["master_link_status"] == "up"
            and known["connected_slaves"] == 1
            and known["slave0"]["state"] == "online"
        )


@contextmanager
def a_pair(program: str, behind: Callable[[int], str] | None = None) -> Iterator[Pair]:
    """Run a primary and its replica.

    Args:
        behind: By the primary's port, where the replica is to find it instead.
    """
    port = servers.free_port()
    options = {"appendonly": "yes", "repl_diskless_sync_delay": "0"}
    with servers.Server(program, port=port, **options) as primary:
        host, _, at = (behind(port) if behind else f"127.0.0.1:{port}").rpartition(":")
        followed = {**options, "replicaof": f"{host} {at}"}
        with servers.Server(program, port=servers.free_port(), **followed) as replica:
            pair = Pair(primary, replica)
            servers.wait_until(pair.is_in_step, "the replica follows")
            try:
                yield pair
            finally:
                replica.resume()


@contextmanager
def opened(url: str, replicas: Replicas) -> Iterator[RedisStore]:
    store = RedisStore(url, replicas=replicas)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def held_back(server: servers.Server) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


def soon(ask: Callable[[], Any]) -> Any:
    """What a caller is told who asks again until the store answers."""
    deadline = time.monotonic() + servers.PATIENCE_SECONDS
    while True:
        try:
            return ask()
        except (StoreUnavailable, Unavailable):
            assert time.monotonic() < deadline, "the replica never had it"


def in_time(scene: Callable[[], None]) -> None:
    """Play a scene anew while the replica of a busy machine is late, a few times at most."""
    for _ in range(5):
        try:
            return scene()
        except StoreUnavailable as late:
            refused = late
    raise refused


def all_of(results: Sequence[Any]) -> Sequence[Any]:
    """The results of a sending, if each of its steps was acknowledged."""
    for one in results:
        if isinstance(one, StoreUnavailable):
            raise one
    return results
