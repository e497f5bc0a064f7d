"""Keys and released seats in the store: on every kind of server, and not lost with sessions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore, store_in
from guncamera.sessions.keys import (
    Key,
    KeyUnknown,
    Scope,
    create_key,
    decode_key,
    encode_key,
    list_keys,
    revoke_key,
)
from guncamera.sessions.redis_keys import KNOWN
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import Conflict, Sealed, StoreUnavailable
from store_calls import NAMES, ask, create, seal

NOON = 1_790_000_000_000_000
DAY = 24 * 3600 * 1_000_000


@pytest.fixture(scope="module", params=["embedded", "redis", "cluster"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "embedded":
        with EmbeddedStore(tmp_path_factory.mktemp("embedded")) as embedded:
            yield embedded.url
    elif request.param == "redis":
        with servers.Server(servers.redis_program()) as server:
            yield server.url
    else:
        yield request.getfixturevalue("cluster_url")


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    store = RedisStore(url)
    ask(store, KNOWN, "DEL", KNOWN)
    yield store
    store.close()


def test_a_key_is_kept_without_its_text_and_for_good(store: RedisStore) -> None:
    assert store.keys() == {}
    key, text = create_key(store, NOON, scope=Scope.PLAY, label="the club's bot", days=1)
    assert text.startswith(f"gck_{key.id}_")
    assert len(text.removeprefix(f"gck_{key.id}_")) == 43, "256 bits"
    assert list_keys(store) == [key]
    kept = store.keys()[key.id]
    assert text[-43:].encode() not in kept
    assert ask(store, KNOWN, "PTTL", KNOWN) == -1
    assert (key.scope, key.label, key.expire_micros) == (Scope.PLAY, "the club's bot", NOON + DAY)


def test_no_two_keys_are_alike(store: RedisStore) -> None:
    made = {create_key(store, NOON, scope=Scope.READ, label="", days=0)[1] for _ in range(20)}
    assert len(made) == len(store.keys()) == 20


def test_a_revoked_key_stays_in_the_list_with_the_time_it_was_revoked_first(
    store: RedisStore,
) -> None:
    key, _ = create_key(store, NOON, scope=Scope.ADMIN, label="", days=0)
    other, _ = create_key(store, NOON + 1, scope=Scope.ADMIN, label="", days=0)
    assert revoke_key(store, NOON + 5, key.id).revoke_micros == NOON + 5
    assert revoke_key(store, NOON + 9, key.id).revoke_micros == NOON + 5
    assert [one.id for one in list_keys(store)] == [key.id, other.id], "the oldest first"
    assert [one.is_alive(NOON + 9) for one in list_keys(store)] == [False, True]
    with pytest.raises(KeyUnknown):
        revoke_key(store, NOON, "nobody")


def test_a_seat_is_taken_from_the_token_that_holds_it_and_no_other(store: RedisStore) -> None:
    name = next(NAMES)
    assert store.release(name, "pilot", "hash") is None
    create(store, name)
    assert store.release(name, "pilot", "hash") is False
    store.claim(name, "pilot", "hash")
    store.claim(name, "gunner", "other")
    assert store.release(name, "pilot", "other") is False
    assert store.release(name, "pilot", "hash") is True
    loaded = store.load(name)
    assert loaded is not None
    assert loaded.claims == {"gunner": "other"}
    assert store.claim(name, "pilot", "new") is True


def test_what_a_released_seat_has_sealed_goes_and_nobody_reveals_as_if_it_were_there(
    store: RedisStore,
) -> None:
    name = next(NAMES)
    create(store, name)
    store.claim(name, "a", "hash a")
    store.claim(name, "b", "hash b")
    assert seal(store, name, 0, 0, "a") == Sealed(1)
    assert store.release(name, "b", "hash b") is True
    loaded = store.load(name)
    assert loaded is not None
    assert (set(loaded.seals), loaded.seal_serial) == ({"a"}, 1), "it had sealed nothing"
    assert store.release(name, "a", "hash a") is True
    loaded = store.load(name)
    assert loaded is not None
    assert (dict(loaded.seals), loaded.seal_serial) == ({}, 2)
    assert seal(store, name, 0, 1, "b") == Conflict(0), "it counted the seal that is gone"
    assert seal(store, name, 0, 2, "b") == Sealed(3)


def test_a_watcher_hears_of_a_released_seat(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name)
    store.claim(name, "a", "hash")
    with store.watch(name) as watch:
        store.release(name, "a", "hash")
        assert watch.wait(2.0)


@pytest.mark.parametrize(
    ("expire", "revoke", "now", "alive"),
    [(0, 0, NOON, True), (NOON, 0, NOON - 1, True), (NOON, 0, NOON, False), (0, 1, NOON, False)],
)
def test_a_key_lives_until_it_expires_or_is_revoked(
    expire: int, revoke: int, now: int, alive: bool
) -> None:
    key = Key("id", "hash", Scope.READ, "who", 1, expire, revoke)
    assert key.is_alive(now) is alive
    assert decode_key("id", encode_key(key)) == key
    assert "hash" not in repr(key)


def test_labels_and_lives_are_bounded() -> None:
    nowhere = RedisStore("redis://127.0.0.1:1")
    for label, days in (("x" * 64, 1), ("two\nlines", 1), ("x", -1), ("x", 3651)):
        with pytest.raises(ValueError):
            create_key(nowhere, NOON, scope=Scope.READ, label=label, days=days)
    with pytest.raises(StoreUnavailable):
        create_key(nowhere, NOON, scope=Scope.READ, label="x" * 63, days=3650)


@pytest.mark.parametrize("depth", [0, 12])
def test_the_embedded_store_is_found_while_a_service_runs_on_it_and_started_else(
    tmp_path_factory: pytest.TempPathFactory, depth: int
) -> None:
    folder = tmp_path_factory.mktemp("kept").joinpath(*["a-long-name"] * depth)
    with store_in(folder) as url:
        store = RedisStore(url)
        first, _ = create_key(store, NOON, scope=Scope.READ, label="", days=0)
        store.close()
    with EmbeddedStore(folder) as running, store_in(folder) as url:
        assert url == running.url
        store = RedisStore(url)
        assert [key.id for key in list_keys(store)] == [first.id]
        store.close()
        with store_in(folder):
            pass
        assert running.pid, "who only looks in does not end it"
