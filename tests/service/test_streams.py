"""A whole service and its streams: a thousand come and go, and nothing of them is left."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import asking
import grpc
import pytest
import servers
from conftest import Service, start_service, stop_service
from guncamera.api.grpc_server import SPARE_WAITING_THREADS
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from guncamera_client import Client
from orders import INSPECT, SETUP

STREAMS, CAP = 1000, 40
WARMING, STEADY = 80, 12
"""Most waves until pools have all the threads that they start, and how many without a new one."""
SOON, LONG = 30.0, 90.0


@pytest.fixture(scope="module")
def store() -> Iterator[servers.Server]:
    with servers.Server(servers.valkey_program()) as server:
        yield server


@pytest.fixture(scope="module")
def service(store: servers.Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    flags = ("--store-url", store.url, "--max-streams", str(CAP))
    running = start_service(tmp_path_factory.mktemp("streams"), *flags)
    yield running
    stop_service(running)


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[Client]:
    with Client(service.grpc) as client:
        yield client


def used(service: Service, store: servers.Server) -> dict[str, int]:
    """Threads and descriptors of the service's processes, and the store's clients."""
    tasks = [Path(f"/proc/{pid}") for pid in servers.descendants(service.process.pid)]
    with store.client() as plain:
        clients = len(plain.client_list())
    return {
        "threads": sum(len(list((task / "task").iterdir())) for task in tasks),
        "descriptors": sum(len(list((task / "fd").iterdir())) for task in tasks),
        "clients": clients,
    }


def open_streams(service: Service) -> float:
    metrics = asking.get(f"{service.url}/metrics").text
    return sum(map(float, re.findall(r"^guncamera_streams_open\{.*\} (.*)$", metrics, re.M)))


class GrpcWatches:
    """Watches over one channel."""

    def __init__(self, service: Service, name: str) -> None:
        self.channel = grpc.insecure_channel(service.grpc)
        self.stub = SessionServiceStub(self.channel)
        self.request = pb.WatchSessionRequest(name=name)

    def come_and_go(self, count: int) -> None:
        watches = [self.stub.WatchSession(self.request) for _ in range(count)]
        for watch in watches:
            next(watch)
        for watch in watches:  # all at once, so that each wave wants as much as any other
            watch.cancel()

    def close(self) -> None:
        self.channel.close()


class RestWatches:
    """Watches over a connection each, which is cut without a word."""

    def __init__(self, service: Service, name: str, accept: str) -> None:
        host, _, port = service.rest.rpartition(":")
        self.address = (host, int(port))
        self.request = (
            f"GET /v1/{name}:watch HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode()
        )

    def come_and_go(self, count: int) -> None:
        callers = [socket.create_connection(self.address) for _ in range(count)]
        for caller in callers:
            caller.sendall(self.request)
        for caller in callers:
            assert caller.recv(12) == b"HTTP/1.1 200"
        for caller in callers:
            caller.close()

    def close(self) -> None:
        pass


@pytest.mark.parametrize("form", ["grpc", "application/x-ndjson", "text/event-stream"])
def test_a_thousand_streams_opened_and_dropped_leave_nothing(
    service: Service, store: servers.Server, client: Client, form: str
) -> None:
    name = client.create_session(SETUP).name
    watches = GrpcWatches(service, name) if form == "grpc" else RestWatches(service, name, form)

    def wave() -> None:
        watches.come_and_go(CAP)
        # Whoever writes to a caller who has gone away learns of it; else at the next heartbeat.
        client.damage(name, INSPECT)
        servers.wait_until(lambda: open_streams(service) == 0, "every stream is freed", SOON)

    # The first streams start threads, each with a client of the store, that later ones use again.
    before, steady = used(service, store), 0
    for _ in range(WARMING):
        wave()
        now = used(service, store)
        steady = steady + 1 if all(now[what] <= before[what] for what in now) else 0
        before = {what: max(now[what], before[what]) for what in now}
        if steady == STEADY:
            break
    for _ in range(STREAMS // CAP):
        wave()
    # The pool of gRPC has a few threads to spare, which it starts when a stream ends late.
    spare = SPARE_WAITING_THREADS if form == "grpc" else 0
    servers.wait_until(
        lambda: all(now <= before[what] + spare for what, now in used(service, store).items()),
        f"all is as it was: {before}",
        LONG,
    )
    watches.close()


def test_each_stream_may_be_resumed_on_the_other_transport(
    service: Service, client: Client
) -> None:
    name = client.create_session(SETUP).name
    client.damage(name, INSPECT)
    with client.watch_session(name, start_revision=1) as watch:
        assert next(watch).revision == 1
        cursor = watch.cursor
    client.damage(name, INSPECT)
    headers = {"Accept": "text/event-stream", "Last-Event-ID": cursor}
    with asking.stream("GET", f"{service.url}/v1/{name}:watch", headers=headers) as response:
        lines = response.iter_lines()
        seen = [next(lines) for _ in range(5)]
    assert seen[:3] == ["retry: 2000", "", "event: action"]
    assert seen[3].startswith("id: 2.0.")
    with client.watch_session(name, cursor=seen[3].removeprefix("id: ")) as watch:
        client.damage(name, INSPECT)
        assert next(watch).revision == 3


def test_with_the_cap_reached_the_next_is_told_when_to_come_back_and_calls_go_on(
    service: Service, client: Client
) -> None:
    name = client.create_session(SETUP).name
    servers.wait_until(lambda: open_streams(service) == 0, "every stream is freed", SOON)
    with grpc.insecure_channel(service.grpc) as channel:
        stub = SessionServiceStub(channel)
        watches = [stub.WatchSession(pb.WatchSessionRequest(name=name)) for _ in range(CAP)]
        for watch in watches:
            next(watch)
        with pytest.raises(grpc.RpcError) as refused:
            next(stub.WatchSession(pb.WatchSessionRequest(name=name)))
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert b"RetryInfo" in dict(refused.value.trailing_metadata())["grpc-status-details-bin"]
        began = time.monotonic()
        client.damage(name, INSPECT)
        assert time.monotonic() - began < 5
        for watch in watches:
            assert next(watch).action.revision == 1
