"""Replicas in a cluster, in the settings, in readiness, and as callers are told of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import servers
from conftest import Clock
from guncamera.api.endpoints import Endpoints
from guncamera.host.settings import ServiceSettings, SettingsError, settings_from
from guncamera.host.startup_report import look_over
from guncamera.sessions.redis_cluster import ClusterTransport
from guncamera.sessions.redis_lines import raise_first
from guncamera.sessions.redis_replicas import Replicas
from guncamera.sessions.refusals import Unavailable
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.store import (
    Append,
    Appended,
    Repeated,
    RequestKey,
    StoreUnavailable,
)
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, SETUP, who
from redis.crc import key_slot
from replicas import ONE, PATIENT, TOO_FEW, Pair, a_pair, all_of, held_back, opened, soon
from store_calls import NAMES, append, create, keys_of

KEY = RequestKey("request-1", "print")
SECOND_KEY = RequestKey("request-2", "print")


@pytest.fixture(scope="module", params=["valkey", "redis"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    program = servers.valkey_program() if request.param == "valkey" else servers.redis_program()
    with a_pair(program) as found:
        yield found


# ---- A cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[list[servers.Server]]:
    with servers.cluster_with_replicas(cluster_node_timeout="15000") as nodes:
        yield nodes


def test_in_a_cluster_each_server_waits_for_its_own_replica(cluster: list[servers.Server]) -> None:
    primaries, replicas = cluster[:3], cluster[3:]
    url = servers.cluster_url(cluster)
    with opened(url, ONE) as store, opened(url, PATIENT) as patient:
        transport = store._redis.transport
        assert isinstance(transport, ClusterTransport)
        names: dict[int, str] = {}
        while len(names) < 3:
            name = next(NAMES)
            soon(lambda name=name: create(store, name))
            names.setdefault(transport._address(key_slot(keys_of(name)[0].encode()))[1], name)
        slow, *others = (names[server.port] for server in primaries)
        with held_back(replicas[0]):
            for name in others:
                told = soon(lambda name=name: append(patient, name, 0, KEY))
                assert told in (Appended(1), Repeated(1, KEY.fingerprint))
            steps = [Append(n, 1, b"2", b"s", SECOND_KEY, 99) for n in others]
            for told in soon(lambda: all_of(patient.send(steps)())):
                assert told in (Appended(2), Repeated(2, KEY.fingerprint))
            with pytest.raises(StoreUnavailable, match=TOO_FEW):
                append(store, slow, 0, KEY)
            (sent,) = store.send([Append(slow, 1, b"entry 2", b"s", None, 99)])()
            assert isinstance(sent, StoreUnavailable)
            assert TOO_FEW in str(sent)
        assert soon(lambda: append(store, slow, 0, KEY)) == Repeated(1, KEY.fingerprint)


def test_a_session_that_is_being_moved_is_waited_for_where_it_is(
    cluster: list[servers.Server],
) -> None:
    with opened(servers.cluster_url(cluster), PATIENT) as store:
        transport = store._redis.transport
        assert isinstance(transport, ClusterTransport)
        name = next(NAMES)
        slot = key_slot(keys_of(name)[0].encode())
        source = transport._address(slot)
        target = next(one for one in transport._slots if one not in (None, source))
        assert target is not None
        lines = {address: transport._server(address).line() for address in (source, target)}

        def tell(address: tuple[str, int], *command: str | int) -> Any:
            return raise_first(lines[address].exchange([command], is_repeatable=False))[0]

        ids = {address: tell(address, "CLUSTER", "MYID").decode() for address in lines}
        tell(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
        tell(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
        try:
            head = ("HSET", keys_of(name)[0], "revision", 0, "record", "r", "state", "s")
            raise_first(lines[target].exchange([("ASKING",), head], is_repeatable=False))
            before = _waits(cluster, target)
            assert soon(lambda: store.claim(name, "red", "hash")) is True
            assert _waits(cluster, target) > before
        finally:
            lines[target].exchange([("ASKING",), ("DEL", keys_of(name)[0])], is_repeatable=False)
            for address in lines:
                tell(address, "CLUSTER", "SETSLOT", slot, "STABLE")


def _waits(cluster: list[servers.Server], address: tuple[str, int]) -> int:
    server = next(one for one in cluster if one.port == address[1])
    return Pair(server, server).counts().get("wait", 0)


# ---- What is said of it


def test_a_store_with_fewer_replicas_than_asked_is_not_ready(pair: Pair) -> None:
    with opened(pair.primary.url, Replicas(2)) as store:
        (hindrance,) = store.check().hindrances
        assert hindrance.startswith("The store has 1 replicas in step, and 2 must have every write")
    with opened(pair.primary.url, ONE) as store:
        servers.wait_until(lambda: store.check().is_ready, "it has the one that is asked for")
        with held_back(pair.replica):
            servers.wait_until(lambda: not store.check().is_ready, "one that hangs does not count")
            assert "has 0 replicas in step" in store.check().hindrances[0]
        servers.wait_until(lambda: store.check().is_ready, "it is in step again")
    with opened(pair.primary.url, Replicas(0)) as store:
        assert store.check().is_ready


def test_the_start_says_that_replicas_are_missing() -> None:
    with servers.Server(servers.redis_program(), appendonly="yes") as lonely:
        settings = ServiceSettings(store_url=lonely.url, store_replicas=1, store_replica_millis=50)
        report = look_over(settings, lonely.url)
        assert any("has 0 replicas in step, and 1 must" in point for point in report.unsafe)
        report = look_over(ServiceSettings(store_url=lonely.url), lonely.url)
        assert not any("replicas" in point for point in report.unsafe)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"GUNCAMERA_STORE_REPLICAS": "1"}, "the embedded store has no replicas"),
        ({"GUNCAMERA_STORE_REPLICAS": "17"}, "give 0 to 16"),
        ({"GUNCAMERA_STORE_REPLICAS": "-1"}, "give 0 to 16"),
        ({"GUNCAMERA_STORE_REPLICAS": "some"}, "give a whole number"),
        ({"GUNCAMERA_STORE_REPLICA_MILLIS": "0"}, "give 1 to 800"),
        ({"GUNCAMERA_STORE_REPLICA_MILLIS": "801"}, "give 1 to 800"),
    ],
)
def test_settings_that_cannot_be_kept_stop_the_start(given: dict[str, str], says: str) -> None:
    with pytest.raises(SettingsError, match=says) as wrong:
        settings_from(given, {})
    assert next(iter(given)) in str(wrong.value)


def test_the_settings_reach_the_store_by_flag_environment_and_file(tmp_path: Path) -> None:
    place = {"GUNCAMERA_STORE_URL": "redis://store:6379"}
    flags = {"store_replicas": 2, "store_replica_millis": 90}
    assert settings_from(place, flags).replicas == Replicas(2, 90)
    given = {**place, "GUNCAMERA_STORE_REPLICAS": "3"}
    assert settings_from(given, {}).replicas == Replicas(3, 500)
    file = tmp_path / "service.toml"
    file.write_text("store_replicas = 1\nstore_replica_millis = 70\n")
    assert settings_from(place, {"config": str(file)}).replicas == Replicas(1, 70)
    made = settings_from(given, {}).environment()
    assert settings_from(made, {}).replicas == Replicas(3, 500), "as a worker gets them"
    assert settings_from(place, {}).replicas.behind == ()


def test_endpoints_tell_a_caller_to_ask_again_with_the_same_request_id(pair: Pair) -> None:
    with opened(pair.primary.url, PATIENT) as patient, opened(pair.primary.url, ONE) as hasty:
        endpoints, behind = (
            Endpoints(Shelf(store), clock=Clock(), page_key=b"k") for store in (patient, hasty)
        )
        session = soon(lambda: endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who()))
        move = pb.MoveRequest(
            name=session.name, seat="pilot", order=DEPLOY, request_id="move-by-retry"
        )
        with held_back(pair.replica):
            for _ in range(2):
                with pytest.raises(Unavailable) as refused:
                    behind.Move(move, who())
                assert TOO_FEW in refused.value.facts["why"]
        told = soon(lambda: endpoints.Move(move, who()))
        assert told.revision == 1
        assert soon(lambda: endpoints.Move(move, who())) == told
