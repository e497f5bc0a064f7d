"""A store that is reached over TLS: used as any other, and only if it is the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import servers
import tls
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import Append, Appended, Load, Loaded, StoreUnavailable

HOST = "127.0.0.1"
KIBIBYTES = 100
"""A TLS record holds 16 KiB: what is larger comes in parts."""


@pytest.fixture(scope="module")
def authorities(tmp_path_factory: pytest.TempPathFactory) -> tuple[tls.Authority, tls.Authority]:
    folder = tmp_path_factory.mktemp("tls")
    return tls.Authority(folder, "ours"), tls.Authority(folder, "theirs")


@pytest.fixture(scope="module")
def plain() -> Iterator[servers.Server]:
    with servers.Server(servers.valkey_program(), appendonly="yes") as server:
        yield server


@pytest.fixture(scope="module")
def door(plain: servers.Server, authorities: tuple[tls.Authority, ...]) -> Iterator[tls.Door]:
    with tls.Door(authorities[0].server_context(HOST), plain.url.removeprefix("unix://")) as found:
        yield found


@pytest.fixture
def store(door: tls.Door, authorities: tuple[tls.Authority, ...]) -> Iterator[RedisStore]:
    made = RedisStore(f"rediss://{HOST}:{door.port}?ssl_ca_certs={authorities[0].file}")
    yield made
    made.close()
    assert door.in_the_clear == 0


def connections(server: servers.Server) -> int:
    with server.client() as client:
        return int(client.info("stats")["total_connections_received"])


def test_a_session_is_kept_over_tls_on_connections_that_last(
    store: RedisStore, plain: servers.Server
) -> None:
    large = b"s" * KIBIBYTES * 1024
    store.create("tls", record=b"r", state=large, ttl_seconds=600, request=None)
    store.send([Load("tls", None)])()  # on a connection of its own
    before = connections(plain)
    for revision in range(0, 20, 2):
        made = store.append(
            "tls", expected_revision=revision, entry=large, state=large, request=None,
            ttl_seconds=600,
        )  # fmt: skip
        assert made == Appended(revision + 1)
        steps = (Load("tls", None), Append("tls", revision + 1, b"e", large, None, 600))
        read, together = store.send(steps)()
        assert isinstance(read, Loaded)
        assert read.state == large
        assert together == Appended(revision + 2)
    assert connections(plain) == before + 1, "that of who counts"
    with store.watch("tls") as news:
        assert not news.wait(0.01)
        store.append(
            "tls", expected_revision=20, entry=b"e", state=b"s", request=None, ttl_seconds=600
        )
        assert news.wait(10)
    assert store.check().is_ready


@pytest.mark.parametrize(
    ("host", "trusted", "says"),
    [
        (HOST, "theirs", "the store's certificate is not trusted"),
        (HOST, "nobody", "the store's certificate is not trusted"),
        ("localhost", "ours", "the store's certificate is for another host"),
    ],
)
def test_another_store_than_the_one_meant_is_refused_and_said_so(
    door: tls.Door, authorities: tuple[tls.Authority, ...], host: str, trusted: str, says: str
) -> None:
    files = {one.file.stem: f"?ssl_ca_certs={one.file}" for one in authorities}
    store = RedisStore(f"rediss://{host}:{door.port}{files.get(trusted, '')}")
    assert f"The store cannot be used now: {says}." in store.check().warnings
    with pytest.raises(StoreUnavailable, match=says):
        store.load("tls")
    assert not store.check().is_ready
    store.close()


def test_a_store_that_speaks_in_the_clear_gets_nothing(
    authorities: tuple[tls.Authority, ...],
) -> None:
    with servers.Server(servers.valkey_program(), port=servers.free_port()) as server:
        url = f"rediss://:word@{HOST}:{server.port}?ssl_ca_certs={authorities[0].file}"
        store = RedisStore(url)
        with pytest.raises(StoreUnavailable):
            store.load("tls")
        assert not store.check().is_ready
        store.close()
        with server.client() as client:
            assert not {"cmdstat_auth", "cmdstat_hello"} & client.info("commandstats").keys()


def plays(store: RedisStore) -> None:
    """Keep a session in a store, and read it."""
    store.create("far", record=b"r", state=b"s", ttl_seconds=600, request=None)
    made = store.append(
        "far", expected_revision=0, entry=b"e", state=b"t", request=None, ttl_seconds=600
    )
    assert made == Appended(1)
    found = store.load("far")
    assert found is not None
    assert (found.revision, found.state) == (1, b"t")


def test_sentinels_are_asked_over_tls_and_so_is_the_primary_that_they_name(
    authorities: tuple[tls.Authority, ...],
) -> None:
    ours, theirs = authorities
    with (
        servers.Server(servers.redis_program(), port=servers.free_port()) as primary,
        tls.Door(ours.server_context(HOST), f"{HOST}:{primary.port}") as to_primary,
        servers.sentinel(to_primary, "main") as plain_url,
        tls.Door(ours.server_context(HOST), plain_url.split("/")[2]) as to_sentinel,
    ):
        url = f"rediss+sentinel://{HOST}:{to_sentinel.port}/main?ssl_ca_certs="
        store = RedisStore(f"{url}{ours.file}")
        plays(store)
        store.close()
        assert to_primary.handshakes
        assert to_sentinel.handshakes
        assert not to_sentinel.in_the_clear
        wrong = RedisStore(f"{url}{theirs.file}")
        with pytest.raises(StoreUnavailable):
            wrong.load("far")
        wrong.close()


def test_the_nodes_of_a_cluster_are_reached_over_tls(
    authorities: tuple[tls.Authority, ...],
) -> None:
    ours, theirs = authorities
    node = servers.cluster_port()
    with (
        tls.Door(ours.server_context(HOST), f"{HOST}:{node}") as door,
        servers.cluster_of_one(node, door.port),
    ):
        url = f"rediss+cluster://{HOST}:{door.port}?ssl_ca_certs="
        store = RedisStore(f"{url}{ours.file}")
        plays(store)
        store.close()
        assert door.handshakes
        wrong = RedisStore(f"{url}{theirs.file}")
        with pytest.raises(StoreUnavailable, match="certificate is not trusted"):
            wrong.load("far")
        wrong.close()


@pytest.mark.parametrize("scheme", ["rediss", "rediss+cluster", "rediss+sentinel"])
def test_a_file_that_is_not_there_is_named_at_once(scheme: str) -> None:
    with pytest.raises(ValueError, match="ssl_ca_certs of the store URL is no file: /none"):
        RedisStore(f"{scheme}://{HOST}:1/main?ssl_ca_certs=/none")
