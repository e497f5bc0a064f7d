"""What a store makes of clusters, Sentinels, addresses and unsafe settings."""

from __future__ import annotations

from pathlib import Path

import pytest
import servers
from guncamera.sessions.redis_cluster import ClusterTransport
from guncamera.sessions.redis_lines import Line, Reply, raise_first
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import Appended, Created, Loaded, StoreUnavailable
from redis.crc import key_slot
from store_calls import NAMES, append, create, keys_of


def test_a_session_is_found_again_when_the_cluster_has_moved_it(cluster_url: str) -> None:
    store = RedisStore(cluster_url)
    transport = store._redis.transport
    assert isinstance(transport, ClusterTransport)
    names = [next(NAMES) for _ in range(9)]
    for name in names:
        create(store, name)
        # As if every slot had gone to the next server since the map was read.
        servers_now = sorted({address for address in transport._slots if address})
        after = dict(zip(servers_now, servers_now[1:] + servers_now[:1]))
        transport._slots = tuple(after[address] for address in transport._slots if address)
        assert append(store, name, 0) == Appended(1)
        assert store.load(name, request_id="r") is not None
    assert [name for name in store.list_ids(after=None, limit=1000).ids if name in names] == names
    store.close()


def test_a_slot_that_nobody_serves_makes_the_session_unavailable(cluster_url: str) -> None:
    store = RedisStore(cluster_url)
    transport = store._redis.transport
    assert isinstance(transport, ClusterTransport)
    transport._slots = (None,) * 16384
    with pytest.raises(StoreUnavailable, match="cluster is down"):
        store.load("game")
    assert store.load("game") is None, "the map is read again"
    store.close()


def test_a_slot_that_is_being_moved_is_followed_or_waited_for(cluster_url: str) -> None:
    store = RedisStore(cluster_url)
    transport = store._redis.transport
    assert isinstance(transport, ClusterTransport)
    old = next(NAMES)
    create(store, old)
    slot = key_slot(keys_of(old)[0].encode())
    new = next(name for name in NAMES if key_slot(keys_of(name)[0].encode()) == slot)
    source = transport._address(slot)
    target = next(address for address in transport._slots if address not in (None, source))
    assert target is not None
    lines = {address: transport._server(address).line() for address in (source, target)}

    def tell(address: tuple[str, int], *command: str | int) -> Reply:
        return raise_first(lines[address].exchange([command], is_repeatable=False))[0]

    ids = {address: tell(address, "CLUSTER", "MYID").decode() for address in lines}
    tell(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    tell(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    try:
        # What has moved is followed; what may be half here and half there has to wait.
        head = ("HSET", keys_of(new)[0], "revision", 0, "record", "r", "state", "s")
        raise_first(lines[target].exchange([("ASKING",), head], is_repeatable=False))
        assert store.load(new, request_id="r") == Loaded(0, b"r", b"s", {}, None, {}, 0)
        assert store.claim(new, "red", "hash") is True
        with pytest.raises(StoreUnavailable, match="moving"):
            store.load(old, request_id="r")
        with pytest.raises(StoreUnavailable, match="moving"):
            append(store, old, 0)
    finally:
        lines[target].exchange([("ASKING",), ("DEL", keys_of(new)[0])], is_repeatable=False)
        for address in lines:
            tell(address, "CLUSTER", "SETSLOT", slot, "STABLE")
    assert append(store, old, 0) == Appended(1)
    store.close()


def test_a_sentinel_names_the_primary() -> None:
    with (
        servers.Server(servers.redis_program(), port=servers.free_port()) as primary,
        servers.sentinel(primary, "main") as sentinel_url,
    ):
        store = RedisStore(sentinel_url)
        assert create(store, "game") == Created(0)
        assert append(store, "game", 0) == Appended(1)
        with store.watch("game") as watch:
            append(store, "game", 1)
            assert watch.wait(5)
        store.close()
        lost = RedisStore(sentinel_url.replace("main", "other"))
        with pytest.raises(StoreUnavailable):
            lost.load("game")
        lost.close()


@pytest.mark.parametrize(
    "bad_url",
    ["http://localhost", "localhost:6379", "", "redis://localhost?color=red", "redis+sentinel://a"],
)
def test_a_url_that_is_not_understood_is_refused_at_once(bad_url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        RedisStore(bad_url)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, "eviction policy is allkeys-lru"),
        ({"maxmemory-policy": "volatile-ttl"}, "eviction policy is volatile-ttl"),
        ({}, "Nothing is saved"),
        ({"save": "60 1"}, "Only snapshots"),
        ({"replicaof": "127.0.0.1 1"}, "is a replica"),
        ({"maxmemory": "1"}, "is full"),
    ],
)
def test_the_report_says_what_is_unsafe(options: dict[str, str], word: str, tmp_path: Path) -> None:
    with servers.Server(servers.redis_program(), **options) as server:
        store = RedisStore(server.url)
        report = store.check()
        assert any(word in warning for warning in report.warnings), report
        hinders = {"replicaof", "maxmemory", "maxmemory-policy"} & set(options)
        assert report.is_ready == (not hinders)
        assert any(word in hindrance for hindrance in report.hindrances) == bool(hinders)
        if "replicaof" in options:
            with pytest.raises(StoreUnavailable, match="replica"):
                create(store, "game")
        store.close()


def test_a_trial_of_writing_leaves_nothing_behind_and_may_be_forbidden() -> None:
    with servers.Server(servers.redis_program()) as server, server.client() as client:
        store = RedisStore(server.url)
        assert store.check().is_ready
        assert client.keys() == []
        client.acl_setuser(
            "default", enabled=True, nopass=True, commands=["+@all", "-setrange", "-config"]
        )
        report = store.check()
        assert report.is_ready, "who may not try may still play"
        assert (report.persistence, report.appendfsync) == ("unknown", "unknown")
        store.close()


def test_a_store_that_cannot_save_is_not_ready_until_it_can(tmp_path: Path) -> None:
    # A folder stands where the snapshot is to go, which stops root as well.
    with servers.Server(servers.redis_program(), save="3600 1") as server:
        store = RedisStore(server.url)
        assert store.check().is_ready
        (server.folder / "dump.rdb").mkdir()
        with server.client() as client:
            client.set("something", "to save")
            client.bgsave()
            servers.wait_until(
                lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it failed"
            )
            report = store.check()
            assert (report.is_ready, report.is_read_only, report.is_full) == (False, True, False)
            assert "last save to disk failed" in report.hindrances[0]
            with pytest.raises(StoreUnavailable):
                create(store, "game")
            (server.folder / "dump.rdb").rmdir()
            client.bgsave()
            servers.wait_until(lambda: store.check().is_ready, "it saves again")
            assert create(store, "game") == Created(0)
        store.close()


def test_a_store_that_waits_for_replicas_is_not_ready_without_them() -> None:
    with servers.Server(servers.redis_program(), min_replicas_to_write="1") as server:
        store = RedisStore(server.url)
        report = store.check()
        assert (report.is_ready, report.is_read_only) == (False, True)
        assert "too few replicas" in report.hindrances[0]
        with server.client() as client:
            client.config_set("min-replicas-to-write", 0)
        assert store.check().is_ready
        store.close()


def test_a_cluster_is_as_ready_as_its_worst_server(cluster_url: str) -> None:
    store = RedisStore(cluster_url)
    report = store.check()
    assert report.is_ready, report
    transport = store._redis.transport
    assert isinstance(transport, ClusterTransport)
    addresses = {address for address in transport._slots if address}
    assert len(addresses) == 3, "only one of them has the key that a trial is about"
    for address in addresses:
        line = transport._server(address).line()

        def configure(*pairs: tuple[str, str], line: Line = line) -> None:
            for pair in pairs:
                raise_first(line.exchange([("CONFIG", "SET", *pair)], is_repeatable=True))

        try:
            configure(("maxmemory", "1"))
            assert (store.check().is_full, store.check().is_ready) == (True, False)
            configure(("maxmemory", "0"), ("maxmemory-policy", "allkeys-lru"))
            assert (store.check().is_full, store.check().is_ready) == (False, False)
        finally:
            configure(("maxmemory", "0"), ("maxmemory-policy", "noeviction"))
        assert store.check().is_ready
    store.close()
