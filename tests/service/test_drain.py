"""A whole service that is told to stop: calls finish, streams are told, and nothing is lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import asking
import grpc
import httpx
import pytest
import redis
import servers
from conftest import Service, start_service, stop_service
from fakes import FakeEndpoints
from grpc_health.v1 import health_pb2, health_pb2_grpc
from guncamera.api.config import Config
from guncamera.api.grpc_server import build_server
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from guncamera_client import Client
from living import below, is_gone, line_of
from orders import INSPECT, SETUP
from tls import Door

PLAYERS = 6
PLAYED = 2
"""Calls that each player has had answered before the service is told to stop."""
INSPECTION = {"kettering": {"inspect": {}}}


@dataclass
class Table:
    """Players in one session each, who never ask twice; what they were answered."""

    service: Service
    names: list[str]
    answered: dict[str, list[int]] = field(default_factory=dict)
    is_over: threading.Event = field(default_factory=threading.Event)

    def all_play(self) -> None:
        """Wait until each player has had a few more calls answered."""
        goals = {name: len(answers) + PLAYED for name, answers in self.answered.items()}
        servers.wait_until(
            lambda: all(len(self.answered[name]) >= goal for name, goal in goals.items()),
            "all play",
            60,
        )

    def over_grpc(self, name: str) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        with grpc.insecure_channel(self.service.grpc, options) as channel:
            stub = SessionServiceStub(channel)
            while not self.is_over.is_set():
                with suppress(grpc.RpcError):
                    action = stub.Damage(pb.DamageRequest(name=name, order=INSPECT), timeout=20)
                    self.answered[name].append(action.revision)

    def over_rest(self, name: str) -> None:
        with httpx.Client(base_url=self.service.url, timeout=20) as http:
            while not self.is_over.is_set():
                with suppress(httpx.TransportError):
                    answer = http.post(f"/v1/{name}:damage", json={"order": INSPECTION})
                    assert answer.status_code == 200, answer.text
                    self.answered[name].append(answer.json()["revision"])


@contextmanager
def playing(service: Service) -> Iterator[Table]:
    """Players at work over both transports, until the block ends."""
    with Client(service.grpc) as client:
        names = [client.create_session(SETUP).name for _ in range(2 * PLAYERS)]
    table = Table(service, names, {name: [] for name in names})
    with ThreadPoolExecutor(2 * PLAYERS) as pool:
        played = [pool.submit(table.over_grpc, name) for name in names[:PLAYERS]]
        played += [pool.submit(table.over_rest, name) for name in names[PLAYERS:]]
        try:
            table.all_play()
            yield table
        finally:
            table.is_over.set()
    for one in played:
        one.result()


def ledgers(service: Service, names: list[str]) -> dict[str, list[int]]:
    with Client(service.grpc) as client:
        return {name: [one.revision for one in client.list_actions(name)] for name in names}


def worker_of(service: Service, mark: str) -> int:
    """A process that answers calls: the oldest gRPC worker, where callers have stayed since another
    ended; of the REST server's two, the one that the other keeps."""
    found = below(service.process.pid, mark)
    return found[0] if mark == "grpc_worker" else found[-1]


def is_up(service: Service) -> bool:
    with suppress(httpx.TransportError, grpc.RpcError):
        with grpc.insecure_channel(service.grpc) as channel:
            asked = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=2
            )
        rest = asking.get(f"{service.url}/readyz", timeout=2)
        return rest.status_code == 200 and asked.status == health_pb2.HealthCheckResponse.SERVING
    return False


@dataclass
class SlowStore:
    """A store whose answers linger: a call is then long between its action and its answer."""

    url: str
    client: redis.Redis

    def wait_for_unanswered(self, table: Table) -> None:
        """Wait until there are actions, of either transport, that nobody has been told of."""

        def are_some(names: list[str]) -> bool:
            keys = [f"guncamera:{{{name.removeprefix('sessions/')}}}:head" for name in names]
            found = [int(self.client.hget(key, "revision")) for key in keys]
            return any(n > len(table.answered[name]) for n, name in zip(found, names))

        servers.wait_until(
            lambda: are_some(table.names[:PLAYERS]) and are_some(table.names[PLAYERS:]), "they rule"
        )


@pytest.fixture
def slow_store() -> Iterator[SlowStore]:
    with (
        servers.Server(servers.valkey_program(), appendonly="yes") as store,
        Door(None, store.url.removeprefix("unix://"), answer_seconds=0.1) as door,
        store.client() as client,
    ):
        yield SlowStore(f"redis://127.0.0.1:{door.port}", client)


@pytest.mark.parametrize("flags", [(), ("--grpc-lane", "standard")], ids=["fast", "standard"])
def test_what_was_answered_before_a_stop_is_the_ledger_and_nothing_else(
    tmp_path: Path, slow_store: SlowStore, flags: tuple[str, ...]
) -> None:
    first = start_service(tmp_path, "--store-url", slow_store.url, *flags)
    try:
        with playing(first) as table:
            slow_store.wait_for_unanswered(table)
            first.process.send_signal(signal.SIGTERM)
            assert first.process.wait(30) == 0
    finally:
        stop_service(first)
    second = start_service(tmp_path, "--store-url", slow_store.url)
    try:
        assert ledgers(second, table.names) == table.answered
    finally:
        stop_service(second)


# Granian gives up on a process that ends soon after its start, so that one is told once.
@pytest.mark.parametrize(("mark", "times"), [("grpc_worker", 3), ("rest_worker", 1)])
def test_one_worker_that_is_told_to_stop_loses_nothing_and_comes_back(
    tmp_path: Path, slow_store: SlowStore, mark: str, times: int
) -> None:
    service = start_service(tmp_path, "--store-url", slow_store.url, "--grpc-workers", "2")
    try:
        with playing(service) as table:
            for _ in range(times):
                told = worker_of(service, mark)
                slow_store.wait_for_unanswered(table)
                os.kill(told, signal.SIGTERM)
                servers.wait_until(lambda told=told: mark not in line_of(told), "it has ended", 30)
                servers.wait_until(lambda: is_up(service), "another serves", 60)
                table.all_play()
        assert ledgers(service, table.names) == table.answered
    finally:
        stop_service(service)


@dataclass
class Onlooker:
    """A stream read to its end: its messages' cursors, the revisions seen, and how it ended."""

    cursor: str = ""
    revisions: list[int] = field(default_factory=list)
    cause: str = ""

    def over_grpc(self, service: Service, name: str) -> None:
        request = pb.WatchSessionRequest(name=name, cursor=self.cursor)
        with grpc.insecure_channel(service.grpc) as channel:
            for message in SessionServiceStub(channel).WatchSession(request):
                self.told(message.cursor, message.action.revision, message.end.cause)

    def over_sse(self, service: Service, name: str) -> None:
        self._over_rest(service, name, "text/event-stream")

    def over_lines(self, service: Service, name: str) -> None:
        self._over_rest(service, name, "application/x-ndjson")

    def _over_rest(self, service: Service, name: str, accept: str) -> None:
        import json

        url = f"{service.url}/v1/{name}:watch"
        asked = {"cursor": self.cursor} if self.cursor else {}
        with asking.stream("GET", url, params=asked, headers={"Accept": accept}, timeout=60) as got:
            for line in got.iter_lines():
                data = line.removeprefix("data: ")
                if data.startswith("{"):
                    said = json.loads(data)
                    revision = said.get("action", {}).get("revision", 0)
                    self.told(said["cursor"], revision, said.get("end", {}).get("cause", ""))

    def told(self, cursor: str, revision: int, cause: str) -> None:
        self.cursor, self.cause = cursor, cause
        if revision:
            self.revisions.append(revision)


FORMS: dict[str, Callable[[Onlooker, Service, str], None]] = {
    "grpc": Onlooker.over_grpc,
    "sse": Onlooker.over_sse,
    "lines": Onlooker.over_lines,
}


def test_watchers_are_told_of_a_stop_and_go_on_where_they_were(tmp_path: Path) -> None:
    first = start_service(tmp_path, "--drain-seconds", "25")
    onlookers = {form: Onlooker() for form in FORMS}
    with ThreadPoolExecutor(len(FORMS) + 1) as pool:
        try:
            with Client(first.grpc) as client:
                name = client.create_session(SETUP).name
                watches = [
                    pool.submit(FORMS[form], one, first, name) for form, one in onlookers.items()
                ]
                servers.wait_until(lambda: all(o.cursor for o in onlookers.values()), "they watch")
                played = [client.damage(name, INSPECT).revision for _ in range(5)]
            url = f"{first.url}/v1/{name}/actions?after_revision=5&wait_seconds=25"
            poll = pool.submit(asking.get, url, timeout=60)
            servers.wait_until(lambda: "4.0" in metrics_of(first), "the poll waits")
            first.process.send_signal(signal.SIGTERM)
            assert first.process.wait(20) == 0, "sooner than calls may take: none holds it up"
            for watch in watches:
                watch.result(5)
            assert poll.result(5).json()["actions"] == []
        finally:
            stop_service(first)
        assert [one.cause for one in onlookers.values()] == ["draining"] * len(FORMS)
        second = start_service(tmp_path)
        try:
            with Client(second.grpc) as client:
                played.append(client.damage(name, INSPECT).revision)
                again = [
                    pool.submit(FORMS[form], one, second, name) for form, one in onlookers.items()
                ]
                played.append(client.damage(name, INSPECT).revision)
                for one in onlookers.values():
                    servers.wait_until(
                        lambda one=one: len(one.revisions) >= len(played), "all came"
                    )
        finally:
            stop_service(second)
        for watch in again:
            watch.result(5)
    assert [one.revisions for one in onlookers.values()] == [played] * len(FORMS)


def metrics_of(service: Service) -> str:
    text = asking.get(f"{service.url}/metrics").text
    lines = [line for line in text.splitlines() if line.startswith("guncamera_streams_open{")]
    return f"{sum(float(line.rpartition(' ')[2]) for line in lines)}"


def test_who_watches_the_health_of_a_server_hears_that_it_leaves_and_is_served_on() -> None:
    server = build_server(FakeEndpoints(), address="127.0.0.1:0", config=Config())
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        told = health_pb2_grpc.HealthStub(channel).Watch(
            health_pb2.HealthCheckRequest(), timeout=20
        )
        assert next(told).status == health_pb2.HealthCheckResponse.SERVING
        server.leave()
        assert next(told).status == health_pb2.HealthCheckResponse.NOT_SERVING
        ask = SessionServiceStub(channel).GetSession.with_call
        _, call = ask(pb.GetSessionRequest(name="sessions/s1"))
        assert call.code() is grpc.StatusCode.OK
    server.stop(0).wait()


def test_readiness_is_red_before_the_service_leaves(tmp_path: Path) -> None:
    service = start_service(tmp_path, "--unready-seconds", "600")
    with Client(service.grpc) as client, grpc.insecure_channel(service.grpc) as channel:
        name = client.create_session(SETUP).name
        health = health_pb2_grpc.HealthStub(channel)
        told = health.Watch(health_pb2.HealthCheckRequest())
        assert next(told).status == health_pb2.HealthCheckResponse.SERVING
        with client.watch_session(name, start_revision=1) as watch:
            service.process.send_signal(signal.SIGTERM)
            assert next(told).status == health_pb2.HealthCheckResponse.NOT_SERVING
            servers.wait_until(
                lambda: asking.get(f"{service.url}/readyz").status_code == 503, "REST says so"
            )
            assert "stopping" in asking.get(f"{service.url}/readyz").text
            assert client.damage(name, INSPECT).revision == 1, "and all is answered as before"
            assert next(watch).revision == 1
            answer = asking.post(f"{service.url}/v1/{name}:damage", json={"order": INSPECTION})
            assert answer.json()["revision"] == 2
    # Nobody waits ten minutes here: what goes with the one that started it goes at once.
    all_below = servers.descendants(service.process.pid)
    assert below(service.process.pid, "rest_worker")
    service.process.kill()
    service.process.wait(30)
    servers.wait_until(lambda: all(map(is_gone, all_below)), "none of them is left", 60)
