"""The faults: each strikes once, and says from when on everything should be well again."""

from __future__ import annotations

import os
import random
import signal
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis
import servers
from guncamera.sessions.redis_index import head_key
from redis.crc import key_slot
from serving import Service, command_of, descendants

from chaos.relay import Relay

SLOW_CLIENTS = 100
DEAF_SECONDS = 3.0


@dataclass
class Place:
    """What a stage has that can break.

    Attributes:
        store_url: Past every relay.
        stores: Servers of ours; none where the service runs its own.
        to_store: Between service and store, if there is one.
        to_primary: Between a replica and its primary, if there are such.
        to_service: Between some players and the service.
        clock: The file with the seconds that the service's clock is off.
        played: The ids of the sessions that are played now.
    """

    service: Service
    store_url: str
    stores: list[servers.Server] = field(default_factory=list)
    to_store: Relay | None = None
    to_primary: Relay | None = None
    to_service: list[Relay] = field(default_factory=list)
    clock: Path | None = None
    played: Callable[[], list[str]] = list


class Fault(ABC):
    """One kind of fault.

    Attributes:
        limit_seconds: From the end of the fault, within which every player must have an answer
            to an order given since.
    """

    limit_seconds: float = 10.0

    @property
    def name(self) -> str:
        """What it is, in a few words: the first line of its documentation."""
        return (self.__doc__ or "").partition(".")[0]

    @abstractmethod
    def strike(self, place: Place, chance: random.Random) -> float:
        """Do it; returns the moment (`time.monotonic`) from which all should be well again."""

    def mend(self) -> None:  # noqa: B027  # most leave nothing behind
        """Restore after the check what the fault left behind."""


class KillGrpcWorker(Fault):
    """kill -9 of a gRPC worker."""

    limit_seconds = 15.0

    def strike(self, place: Place, chance: random.Random) -> float:
        return kill_one(place.service, "guncamera.host.grpc_worker", chance)


class KillRestWorker(Fault):
    """kill -9 of a process of the REST server."""

    limit_seconds = 15.0

    def strike(self, place: Place, chance: random.Random) -> float:
        return kill_one(place.service, "guncamera.host.rest_worker", chance)


class KillOwnStore(Fault):
    """kill -9 of the service's own store."""

    limit_seconds = 15.0

    def strike(self, place: Place, chance: random.Random) -> float:
        return kill_one(place.service, "valkey-server", chance)


class KillStore(Fault):
    """kill -9 of a Redis, which comes back."""

    def strike(self, place: Place, chance: random.Random) -> float:
        (store,) = place.stores
        store.kill()
        time.sleep(chance.uniform(0.2, 2.0))
        store.start()
        return time.monotonic()


class StallStore(Fault):
    """A store that stops answering."""

    def strike(self, place: Place, chance: random.Random) -> float:
        (store,) = place.stores
        store.pause()
        time.sleep(chance.uniform(1.5, 4.0))
        store.resume()
        return time.monotonic()


class FillStore(Fault):
    """A store that is full."""

    limit_seconds = 12.0  # callers are told to come back in five seconds

    def strike(self, place: Place, chance: random.Random) -> float:
        (store,) = place.stores
        with store.client() as client:
            client.config_set("maxmemory", int(client.info("memory")["used_memory"]))
            time.sleep(chance.uniform(1.5, 3.0))
            client.config_set("maxmemory", 0)
        return time.monotonic()


class DeafStore(Fault):
    """A half-open connection to the store."""

    def strike(self, place: Place, chance: random.Random) -> float:
        assert place.to_store is not None
        # Orders are lost on their way, or carried out and their answers lost.
        place.to_store.go_deaf(loses_questions=chance.random() < 0.3, loses_answers=True)
        return time.monotonic()


class DeafClients(Fault):
    """Half-open connections of clients."""

    limit_seconds = 35.0  # a gRPC client notices within 30 s, most often within 10

    def strike(self, place: Place, chance: random.Random) -> float:
        for relay in place.to_service:
            relay.go_deaf(loses_questions=chance.random() < 0.3, loses_answers=True)
        return time.monotonic()


class SlowClients(Fault):
    """A hundred slow clients."""

    limit_seconds = 5.0  # others are not to notice, so it counts from the beginning

    def strike(self, place: Place, chance: random.Random) -> float:
        since = time.monotonic()
        with _slow_clients(place, chance) as slow:
            until = since + DEAF_SECONDS
            while time.monotonic() < until:
                for one in slow:
                    with suppress(OSError):
                        one.send(b"a")  # of a head or a body that never ends
                time.sleep(0.2)
        return since


class StepClock(Fault):
    """Steps of the service's clock, back and forth."""

    limit_seconds = 5.0

    def strike(self, place: Place, chance: random.Random) -> float:
        assert place.clock is not None
        since = time.monotonic()
        for seconds in (chance.randint(60, 86_400), -chance.randint(60, 86_400), 0):
            place.clock.write_text(str(seconds))
            time.sleep(0.7)
        return since


class FailOver(Fault):
    """A cluster's primary dies, and its replica takes over."""

    limit_seconds = 30.0

    def __init__(self) -> None:
        self._dead: servers.Server | None = None

    def strike(self, place: Place, chance: random.Random) -> float:
        session = chance.choice(place.played())
        self._dead = _primary_of(place.stores, key_slot(head_key(session).encode()))
        self._dead.kill()
        return time.monotonic()

    def mend(self) -> None:
        """Bring the dead one back, as a replica of its successor."""
        assert self._dead is not None
        self._dead.start()
        dead = self._dead
        servers.wait_until(lambda: _is_in_step(dead), "the old primary follows the new one", 30)


class FailOverBehind(Fault):
    """A primary dies while its replica is behind."""

    limit_seconds = 15.0

    def strike(self, place: Place, chance: random.Random) -> float:
        assert place.to_store is not None
        assert place.to_primary is not None
        primary, replica = place.stores
        # What is on its way to the replica is lost. A replica that is stopped would not do: it
        # would find in its socket what the primary has sent.
        place.to_primary.go_deaf(loses_questions=False, loses_answers=True)
        time.sleep(chance.uniform(0.5, 1.5))
        primary.kill()
        _follow(replica, None)
        place.to_store.lead_to(f"127.0.0.1:{replica.port}")
        primary.start()
        _follow(primary, replica)
        servers.wait_until(lambda: _is_in_step(primary), "the old primary follows the new one", 30)
        place.stores.reverse()
        return time.monotonic()


def kill_one(service: Service, mark: str, chance: random.Random) -> float:
    """kill -9 one of a service's processes whose command line has a mark; the moment of it."""
    found = [pid for pid in descendants(service.process.pid) if mark in command_of(pid)]
    if not found:
        raise AssertionError(f"the service runs no {mark}")
    os.kill(chance.choice(found), signal.SIGKILL)
    return time.monotonic()


@contextmanager
def _slow_clients(place: Place, chance: random.Random) -> Iterator[list[socket.socket]]:
    """Connections that send a little at a time, and read nothing: not even what they watch."""
    service = place.service
    watch = (
        f"GET /v1/sessions/{chance.choice(place.played())}:watch HTTP/1.1\r\nHost: chaos\r\n\r\n"
    )
    begun = [
        (service.rest, watch.encode()),
        (service.rest, b"GET /v1/sessions HTTP/1.1\r\nHost: chaos\r\nX-Slow: "),
        (
            service.rest,
            b"POST /v1/sessions HTTP/1.1\r\nHost: chaos\r\nContent-Type: application/json\r\n"
            b"Content-Length: 5000\r\n\r\n",
        ),
        (service.grpc, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\x40\x01\x04\0\0\0\x01"),
    ]
    slow: list[socket.socket] = []
    try:
        for _ in range(SLOW_CLIENTS):
            address, octets = chance.choice(begun)
            host, _, port = address.rpartition(":")
            one = socket.create_connection((host, int(port)), timeout=5)
            slow.append(one)
            one.sendall(octets)
            one.setblocking(False)
        yield slow
    finally:
        for one in slow:
            one.close()


def _primary_of(nodes: Sequence[servers.Server], slot: int) -> servers.Server:
    """The node that serves a slot."""
    with nodes[0].client() as client:
        parts = client.execute_command("CLUSTER SLOTS")
    port = next(primary[1] for first, last, primary, *_ in parts if first <= slot <= last)
    return next(node for node in nodes if node.port == port)


def _follow(server: servers.Server, primary: servers.Server | None) -> None:
    """Tell a server whose replica it is; None for nobody's."""
    with server.client() as client:
        if primary is None:
            client.replicaof("NO", "ONE")
        else:
            client.replicaof("127.0.0.1", primary.port)


def _is_in_step(server: servers.Server) -> bool:
    with suppress(redis.RedisError), server.client() as client:
        info = client.info("replication")
        return bool(info["role"] == "slave" and info["master_link_status"] == "up")
    return False
