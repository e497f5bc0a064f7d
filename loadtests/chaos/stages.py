"""Where play goes on while something breaks: a service over each kind of store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import servers
from guncamera.sessions.embedded import ADDRESS
from serving import service

from chaos import faults
from chaos.faults import Fault, Place
from chaos.relay import Relay

CLOCK_DIR = Path(__file__).parent / "clock"


@dataclass(frozen=True)
class Stage:
    """A service over one kind of store, and the faults that it is shown."""

    name: str
    open: Callable[[Path], Iterator[Place]]
    faults: Sequence[type[Fault]]


@contextmanager
def own_store(folder: Path) -> Iterator[Place]:
    """A service with the store that it runs itself, and players behind relays."""
    clock = folder / "clock"
    clock.write_text("0")
    path = os.pathsep.join([str(CLOCK_DIR), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {"PYTHONPATH": path, "CHAOS_CLOCK": str(clock)}
    with ExitStack() as stack:
        running = stack.enter_context(
            service(folder, "--grpc-workers", "2", environment=environment)
        )
        relays = [stack.enter_context(Relay(at)) for at in (running.grpc, running.rest)]
        yield Place(running, (folder / ADDRESS).read_text(), to_service=relays, clock=clock)


@contextmanager
def one_redis(folder: Path) -> Iterator[Place]:
    """A service with a Redis that saves before it answers, reached through a relay."""
    with ExitStack() as stack:
        store = stack.enter_context(
            servers.Server(
                servers.redis_program(), port=servers.free_port(),
                appendonly="yes", appendfsync="always",
            )
        )  # fmt: skip
        relay = stack.enter_context(Relay(f"127.0.0.1:{store.port}"))
        running = stack.enter_context(service(folder, "--store-url", f"redis://{relay.address}"))
        yield Place(running, store.url, stores=[store], to_store=relay)


@contextmanager
def primary_and_replica(folder: Path) -> Iterator[Place]:
    """A service that waits for the replica of its Redis, each reached through a relay."""
    with ExitStack() as stack:
        options = {"appendonly": "yes", "repl_diskless_sync_delay": "0"}
        primary = stack.enter_context(
            servers.Server(servers.redis_program(), port=servers.free_port(), **options)
        )
        to_store, to_primary = (
            stack.enter_context(Relay(f"127.0.0.1:{primary.port}")) for _ in range(2)
        )
        followed = to_primary.address.replace(":", " ")
        replica = stack.enter_context(
            servers.Server(
                servers.redis_program(), port=servers.free_port(), replicaof=followed, **options
            )
        )
        url = f"redis://{to_store.address}"
        running = stack.enter_context(service(folder, "--store-url", url, "--store-replicas", "1"))
        yield Place(
            running, url, stores=[primary, replica], to_store=to_store, to_primary=to_primary
        )


@contextmanager
def cluster(folder: Path) -> Iterator[Place]:
    """A service with a cluster of three primaries, each with a replica."""
    with ExitStack() as stack:
        nodes = stack.enter_context(servers.cluster_with_replicas())
        url = servers.cluster_url(nodes)
        running = stack.enter_context(service(folder, "--store-url", url))
        yield Place(running, url, stores=nodes)


STAGES = (
    Stage(
        "the service's own store",
        own_store,
        (
            faults.KillGrpcWorker,
            faults.KillOwnStore,
            faults.KillRestWorker,
            faults.DeafClients,
            faults.SlowClients,
            faults.StepClock,
        ),
    ),
    Stage(
        "one Redis",
        one_redis,
        (faults.StallStore, faults.FillStore, faults.DeafStore, faults.KillStore),
    ),
    Stage("a Redis and its replica", primary_and_replica, (faults.FailOverBehind,)),
    Stage("a Redis Cluster", cluster, (faults.FailOver,)),
)
