"""Request ids of claims, releases, deletions and creations, and offers, on each kind of server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.request_store import DELETIONS_KEPT_SECONDS
from guncamera.sessions.store import Conflict, Loaded, Missing, Repeated, RequestKey, Sealed
from store_calls import NAMES, append, ask, create, keys_of, seal

KEY, OTHER = RequestKey("request-1", "print-1"), RequestKey("request-2", "print-2")


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
    yield store
    store.close()


@pytest.fixture
def game(store: RedisStore) -> str:
    name = next(NAMES)
    create(store, name)
    return name


def loaded(store: RedisStore, name: str, request_id: str | None = None) -> Loaded:
    found = store.load(name, request_id=request_id)
    assert found is not None
    return found


def offer(store: RedisStore, name: str, seat: str, back: int, **fields: Any) -> Any:
    head = loaded(store, name)
    wanted = {
        "expected_revision": head.revision,
        "expected_serial": head.seal_serial,
        "request": None,
        "answer": b"told",
        **fields,
    }
    return store.offer(name, seat=seat, to_revision=back, **wanted)


def test_a_claim_is_known_again_and_nothing_is_claimed_twice(store: RedisStore, game: str) -> None:
    assert store.claim(game, "red", "hash", request=KEY) is True
    assert store.claim(game, "red", "hash", request=KEY) == Repeated(0, "print-1", b"claimed")
    assert store.release(game, "red", "hash") is True
    assert store.claim(game, "red", "hash", request=KEY) == Repeated(0, "print-1", b"claimed")
    assert loaded(store, game).claims == {}
    assert store.claim(game, "blue", "hash", request=OTHER) is True
    assert store.claim(next(NAMES), "red", "hash", request=KEY) is None


def test_a_claim_that_was_refused_is_not_remembered(store: RedisStore, game: str) -> None:
    assert store.claim(game, "red", "theirs") is True
    assert store.claim(game, "red", "mine", request=KEY) is False
    assert loaded(store, game, KEY.id).repeated is None
    store.release(game, "red", "theirs")
    assert store.claim(game, "red", "mine", request=KEY) is True


def test_a_release_is_known_again_also_where_nobody_held_the_seat(
    store: RedisStore, game: str
) -> None:
    assert store.release(game, "red", "", request=KEY) is False
    store.claim(game, "red", "new")
    assert store.release(game, "red", "new", request=KEY) == Repeated(0, "print-1", b"red")
    assert loaded(store, game).claims == {"red": "new"}
    assert store.release(game, "red", "new", request=OTHER) is True
    assert store.release(next(NAMES), "red", "new", request=KEY) is None


def test_what_one_call_used_no_other_may(store: RedisStore, game: str) -> None:
    append(store, game, 0, request=KEY)
    used = Repeated(1, "print-1")
    assert store.claim(game, "red", "hash", request=KEY) == used
    assert store.release(game, "red", "", request=KEY) == used
    assert offer(store, game, "red", 0, request=KEY) == used
    store.claim(game, "red", "hash", request=OTHER)
    assert append(store, game, 1, request=OTHER) == Repeated(0, "print-2", b"claimed")
    assert loaded(store, game).claims == {"red": "hash"}


def test_the_one_that_made_the_session_counts_too(store: RedisStore) -> None:
    name = next(NAMES)
    create(store, name, request=KEY)
    made = Repeated(0, "print-1")
    assert store.claim(name, "red", "hash", request=KEY) == made
    assert store.release(name, "red", "", request=KEY) == made
    assert loaded(store, name).claims == {}


def test_request_ids_of_claims_and_releases_go_with_the_session(
    store: RedisStore, game: str
) -> None:
    head, _, requests = keys_of(game)
    store.claim(game, "red", "hash", request=KEY)
    left = ask(store, head, "PTTL", head)
    assert 0 < ask(store, requests, "PTTL", requests) <= left
    other = next(NAMES)
    create(store, other)
    head, _, requests = keys_of(other)
    store.release(other, "red", "", request=KEY)
    assert 0 < ask(store, requests, "PTTL", requests) <= ask(store, head, "PTTL", head) + 1000


def test_a_deletion_is_known_beyond_the_session_for_a_day(store: RedisStore, game: str) -> None:
    assert store.deletion(game, KEY.id) is None
    assert store.delete(game, request=KEY) is True
    assert store.deletion(game, KEY.id) == "print-1"
    assert store.delete(game, request=KEY) == Repeated(0, "print-1")
    create(store, game)
    assert store.delete(game, request=KEY) == Repeated(0, "print-1")
    assert store.load(game) is not None, "another session of the name stays"
    assert store.delete(game, request=OTHER) is True
    assert store.delete(game) is False
    assert (store.deletion(game, KEY.id), store.deletion(game, OTHER.id)) == ("print-1", "print-2")
    key = f"guncamera:{{{game}}}:deletions"
    assert 0 < ask(store, key, "TTL", key) <= DELETIONS_KEPT_SECONDS


def test_what_was_not_there_leaves_no_trace_of_a_deletion(store: RedisStore) -> None:
    name = next(NAMES)
    assert store.delete(name, request=KEY) is False
    assert store.deletion(name, KEY.id) is None


def test_a_request_of_the_whole_service_is_kept_as_it_was_first(store: RedisStore) -> None:
    request = RequestKey(f"service-{next(NAMES)}", "first")
    other = RequestKey(request.id, "other")
    assert store.begin_request(request, ttl_seconds=60) == "first"
    assert store.begin_request(other, ttl_seconds=9999) == "first"
    assert store.begin_request(request, ttl_seconds=60) == "first"
    key = f"guncamera:{{request:{request.id}}}:begun"
    assert 0 < ask(store, key, "TTL", key) <= 60
    with pytest.raises(ValueError, match="second"):
        store.begin_request(request, ttl_seconds=0)


def test_an_offer_lies_beside_the_seals_and_goes_with_them(store: RedisStore, game: str) -> None:
    assert offer(store, game, "red", 3) == Sealed(1)
    assert seal(store, game, 0, 1, "blue") == Sealed(2)
    assert offer(store, game, "blue", 4) == Sealed(3)
    assert offer(store, game, "red", 5) == Sealed(4), "in place of the first"
    head = loaded(store, game)
    assert head.offers == (("blue", 4), ("red", 5))
    assert set(head.seals) == {"blue"}
    assert (head.revision, head.seal_serial) == (0, 4)
    append(store, game, 0)
    head = loaded(store, game)
    assert (head.offers, head.seals, head.seal_serial) == ((), {}, 0)


def test_an_offer_is_checked_like_a_seal(store: RedisStore, game: str) -> None:
    assert store.offer(
        next(NAMES), expected_revision=0, expected_serial=0, seat="red", to_revision=0,
        request=None, answer=b"told",
    ) == Missing()  # fmt: skip
    assert offer(store, game, "red", 0, expected_revision=1) == Conflict(0)
    assert offer(store, game, "red", 0, expected_serial=1) == Conflict(0)
    assert offer(store, game, "red", 0, request=KEY) == Sealed(1)
    assert offer(store, game, "red", 9, request=KEY) == Repeated(0, "print-1", b"told")
    assert loaded(store, game).offers == (("red", 0),)


def test_a_seat_that_is_released_loses_its_own_offer_alone(store: RedisStore, game: str) -> None:
    for seat in ("red", "blue"):
        store.claim(game, seat, f"hash of {seat}")
        offer(store, game, seat, 1)
    assert store.release(game, "red", "hash of red") is True
    head = loaded(store, game)
    assert head.offers == (("blue", 1),)
    assert head.seal_serial == 3, "who counted the other one must not go on"


def test_of_claims_at_one_moment_under_one_id_one_is_made(store: RedisStore, game: str) -> None:
    barrier, results = threading.Barrier(8), []

    def claim() -> None:
        barrier.wait()
        results.append(store.claim(game, "red", "hash", request=KEY))

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count(True) == 1
    assert results.count(Repeated(0, "print-1", b"claimed")) == 7
