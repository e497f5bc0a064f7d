"""What many tests share: a store, the endpoints over it, and a whole running service."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import asking
import chance
import httpx
import pytest
import servers
from guncamera.api.endpoints import Endpoints
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from guncamera_client.local import is_serving

chance.choose_profile()  # before any test is imported

LONG = Path(__file__).with_name("long.txt").read_text(encoding="utf-8").split()
"""Files that take long, those that work and those that wait in turn."""
ALLOCATIONS = 20_000
"""After so many, garbage is looked for: games make boards by the thousand, and few are garbage."""


def pytest_sessionstart() -> None:
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker is left alone with it in the end."""
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONG)}
    assert all(path.exists() for path in places), "a file of long.txt has another name now"
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    """Look for garbage from here on, and not among the tests themselves, which are here to stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS)
    gc.enable()


class Clock:
    """A clock that ticks a second at each look; microseconds since 1970 UTC."""

    def __init__(self) -> None:
        self._ticks = itertools.count(1_790_000_000)

    def __call__(self) -> int:
        return next(self._ticks) * 1_000_000


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    with servers.Server(servers.valkey_program()) as server:
        yield server.url


@pytest.fixture(scope="session")
def shelf(store_url: str) -> Iterator[Shelf]:
    store = RedisStore(store_url)
    yield Shelf(store)
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def endpoints(shelf: Shelf, clock: Clock) -> Endpoints:
    return Endpoints(shelf, clock=clock, page_key=b"a key for tests")


@dataclass(frozen=True)
class Service:
    """A running service, as `guncamera serve` makes it."""

    rest: str
    grpc: str
    data_dir: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://{self.rest}"


def start_service(
    data_dir: Path, *flags: str, rest: str = "", grpc: str = "", wants_ready: bool = True
) -> Service:
    """Start a whole service and wait until it says that it is ready; end it by `stop_service`."""
    rest = rest or f"127.0.0.1:{servers.free_port()}"
    grpc = grpc or f"127.0.0.1:{servers.free_port()}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    words = data_dir / "service.log"
    log = words.open("ab")
    said_before = log.tell()
    process = subprocess.Popen(
        [
            sys.executable, "-m", "guncamera", "serve", "--exit-with-parent",
            "--rest-address", rest, "--grpc-address", grpc, "--data-dir", str(data_dir),
            "--grpc-workers", "1", "--rest-workers", "1", *flags,
        ],
        env=environment,
        stdout=log,
        stderr=log,
    )  # fmt: skip
    log.close()
    service = Service(rest, grpc, data_dir, process)

    def is_ready() -> bool:
        assert process.poll() is None, words.read_text()
        try:
            if not wants_ready:
                return asking.get(f"{service.url}/healthz", timeout=2).status_code == 200
            # First what costs nothing: the service is starting on the same cores.
            says_so = b"ready; press Ctrl-C" in words.read_bytes()[said_before:]
            # REST answers for itself alone: the gRPC workers may still be starting.
            rest_is = says_so and asking.get(f"{service.url}/readyz", timeout=2).status_code == 200
            return rest_is and is_serving(grpc, timeout_seconds=2)
        except httpx.TransportError:
            return False

    servers.wait_until(is_ready, "the service is ready", 60)
    return service


def stop_service(service: Service) -> None:
    """End a service by its process id, and everything it started."""
    if service.process.poll() is None:
        service.process.send_signal(signal.SIGTERM)
    service.process.wait(30)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = start_service(tmp_path_factory.mktemp("service"))
    yield running
    stop_service(running)
