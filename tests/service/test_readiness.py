"""Readiness of a whole service over one Redis: red while games cannot be played, green again after.

Both transports say the same, and neither ever waits for longer than the store's own time limits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import asking
import grpc
import pytest
import servers
from conftest import Service, start_service, stop_service
from grpc_health.v1 import health_pb2, health_pb2_grpc

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
BOUND_SECONDS = 10
"""Far above what the store's limits come to, and far below for ever."""


@pytest.fixture(scope="module")
def redis() -> Iterator[servers.Server]:
    with servers.Server(
        servers.redis_program(), port=servers.free_port(), appendonly="yes", save="3600 1"
    ) as server:
        yield server


@pytest.fixture(scope="module")
def service(redis: servers.Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("readiness")
    running = start_service(
        folder, "--store-url", redis.url, "--grpc-workers", "1", "--rest-workers", "1"
    )
    yield running
    stop_service(running)


def configure(redis: servers.Server, **options: str) -> None:
    with redis.client() as client:
        for name, value in options.items():
            client.config_set(name.replace("_", "-"), value)


@contextmanager
def evicting(redis: servers.Server) -> Iterator[None]:
    configure(redis, maxmemory_policy="volatile-lru")
    yield
    configure(redis, maxmemory_policy="noeviction")


@contextmanager
def full(redis: servers.Server) -> Iterator[None]:
    configure(redis, maxmemory="1")
    yield
    configure(redis, maxmemory="0")


@contextmanager
def replica(redis: servers.Server) -> Iterator[None]:
    with redis.client() as client:
        client.replicaof("127.0.0.1", 1)
        yield
        client.replicaof("NO", "ONE")


@contextmanager
def unable_to_save(redis: servers.Server) -> Iterator[None]:
    snapshot = redis.folder / "dump.rdb"
    snapshot.unlink(missing_ok=True)
    snapshot.mkdir()  # which stops root as well

    def ends(status: str) -> None:
        with redis.client() as client:
            client.bgsave()
            servers.wait_until(
                lambda: client.info("persistence")["rdb_last_bgsave_status"] == status, status
            )

    ends("err")
    yield
    snapshot.rmdir()
    ends("ok")


@contextmanager
def lonely(redis: servers.Server) -> Iterator[None]:
    configure(redis, min_replicas_to_write="1")
    yield
    configure(redis, min_replicas_to_write="0")


@contextmanager
def out(redis: servers.Server) -> Iterator[None]:
    redis.kill()
    yield
    redis.start()


@contextmanager
def hanging(redis: servers.Server) -> Iterator[None]:
    redis.pause()
    yield
    redis.resume()


def answers(service: Service) -> tuple[int, str, int, int]:
    """REST's status and words, and gRPC's health of sessions and of rule sets."""
    began = time.monotonic()
    rest = asking.get(f"{service.url}/readyz", timeout=30)
    with grpc.insecure_channel(service.grpc) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        sessions, rulesets = (
            check(health_pb2.HealthCheckRequest(service=f"guncamera.v1.{name}"), timeout=30).status
            for name in ("SessionService", "RulesetService")
        )
    assert time.monotonic() - began < BOUND_SECONDS
    return rest.status_code, rest.json().get("detail", ""), sessions, rulesets


def probed(service: Service, **more: str) -> tuple[int, str]:
    """How `python -m guncamera.host.probe` ends, and what it says."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    addresses = {"GUNCAMERA_GRPC_ADDRESS": service.grpc, "GUNCAMERA_REST_ADDRESS": service.rest}
    done = subprocess.run(
        [sys.executable, "-m", "guncamera.host.probe"],
        env={**clean, **addresses, **more}, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    return done.returncode, done.stderr


def is_green(service: Service) -> bool:
    status, _, sessions, rulesets = answers(service)
    return (status, sessions, rulesets) == (200, SERVING, SERVING)


def is_red(service: Service) -> bool:
    status, _, sessions, _ = answers(service)
    return status == 503 and sessions != SERVING


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (evicting, "The eviction policy is volatile-lru"),
        (full, "The store is full"),
        (replica, "is a replica"),
        (unable_to_save, "its last save to disk failed"),
        (lonely, "too few replicas"),
        (out, "cannot be used now"),
        (hanging, "cannot be used now"),
    ],
)
def test_it_is_red_while_games_cannot_be_played_and_green_again_by_itself(
    service: Service, redis: servers.Server, trouble: Callable[..., object], says: str
) -> None:
    servers.wait_until(lambda: is_green(service), "it is green before")

    def is_red() -> bool:
        status, words, sessions, rulesets = answers(service)
        return (status, sessions, rulesets) == (503, NOT_SERVING, SERVING) and says in words

    with trouble(redis):  # type: ignore[attr-defined]
        servers.wait_until(is_red, f"it is red and says: {says}", 60)
        assert asking.get(f"{service.url}/healthz", timeout=10).status_code == 200
    servers.wait_until(lambda: is_green(service), "it is green again", 60)
    lines = (service.data_dir / "service.log").read_text().splitlines()
    told = [line for line in lines if "ready" in line and says in line]
    assert told, "the log says why"
    assert any("ready again" in line for line in lines[lines.index(told[-1]) :])


def test_the_probe_of_containers_asks_either_transport(
    service: Service, redis: servers.Server
) -> None:
    servers.wait_until(lambda: is_green(service), "it is green")
    by_rest = {"GUNCAMERA_GRPC_WORKERS": "0"}
    assert (probed(service), probed(service, **by_rest)) == ((0, ""), (0, ""))
    with evicting(redis):
        # Each transport looks for itself, every second or so.
        servers.wait_until(lambda: is_red(service), "it is red by both")
        assert probed(service) == (1, "not serving: games cannot be played now\n")
        code, says = probed(service, **by_rest)
        assert (code, "The eviction policy" in says) == (1, True)
    nowhere = f"127.0.0.1:{servers.free_port()}"
    assert probed(service, GUNCAMERA_GRPC_ADDRESS=nowhere)[0] == 1
    assert probed(service, **by_rest, GUNCAMERA_REST_ADDRESS=nowhere)[0] == 1
