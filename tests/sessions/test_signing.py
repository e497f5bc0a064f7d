"""Signing keys in the store: made once for all workers, followed by others, never signing again."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import servers
from guncamera.sessions import signing
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_signing import RING
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.signing import Signer, SigningKeyRetired, is_signed, public_of, rotate
from store_calls import ask

NOON = 1_790_000_000_000_000
OWN, OTHER = b"1" * 32, b"2" * 32


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
    ask(store, RING, "DEL", RING)
    yield store
    store.close()


def signer(store: RedisStore, private: bytes = b"", now: int = NOON) -> Signer:
    return Signer(store, clock=lambda: now, private=private)


def test_what_is_kept_is_only_replaced_by_who_has_seen_it(store: RedisStore) -> None:
    assert store.signing() is None
    assert not store.keep_signing(b"a", expected=b"other")
    assert store.keep_signing(b"a", expected=None)
    assert not store.keep_signing(b"b", expected=None)
    assert not store.keep_signing(b"b", expected=b"other")
    assert store.signing() == b"a"
    assert store.keep_signing(b"b", expected=b"a")
    assert store.signing() == b"b"
    assert ask(store, RING, "PTTL", RING) == -1, "it never expires"


def test_workers_that_start_together_have_one_key_and_one_secret(url: str) -> None:
    stores = [RedisStore(url) for _ in range(8)]
    ask(stores[0], RING, "DEL", RING)
    rings, start = [], threading.Barrier(8)

    def begin(one: RedisStore) -> None:
        start.wait()
        rings.append(signer(one).ring())

    threads = [threading.Thread(target=begin, args=(one,)) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rings) == 8
    assert all(ring == rings[0] for ring in rings)
    assert len(rings[0].keys) == 1
    for one in stores:
        one.close()


def test_a_statement_is_signed_always_alike_and_whatever_is_changed_is_found(
    store: RedisStore,
) -> None:
    ring = signer(store).ring()
    key_id, signature = signer(store).sign(ring, b"a statement")
    assert (key_id, signature) == signer(store).sign(signer(store).ring(), b"a statement")
    (key,) = ring.keys
    assert key_id == key.id
    octets = bytes.fromhex(signature)
    assert is_signed(key.public, b"a statement", octets)
    assert not is_signed(key.public, b"a Statement", octets)
    assert not is_signed(public_of(OTHER), b"a statement", octets)
    assert not is_signed(b"short", b"a statement", octets)
    for bit in range(0, 512, 31):
        flipped = bytearray(octets)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not is_signed(key.public, b"a statement", bytes(flipped))


def test_a_key_that_another_follows_stays_published_without_its_private_half(
    store: RedisStore,
) -> None:
    before = signer(store).ring()
    _, signature = signer(store).sign(before, b"of old")
    new = rotate(store, NOON + 7)
    after = signer(store, now=NOON + 9).ring()
    old, current = after.keys
    assert (old.public, old.private, old.retire_micros) == (before.keys[0].public, b"", NOON + 7)
    assert current == new
    assert after.current == new
    assert is_signed(old.public, b"of old", bytes.fromhex(signature))
    assert signer(store).sign(after, b"of old")[0] == new.id
    kept = store.signing()
    assert kept is not None
    assert before.keys[0].private.hex().encode() not in kept
    assert after.secret == before.secret, "or receipts of before would say something else"


def test_a_key_of_the_operators_is_published_and_not_kept(store: RedisStore) -> None:
    made = signer(store).ring().keys[0]
    ring = signer(store, OWN, NOON + 1).ring()
    assert [key.public for key in ring.keys] == [made.public, public_of(OWN)]
    assert ring.keys[0].retire_micros == NOON + 1
    kept = store.signing()
    assert kept is not None
    assert OWN.hex().encode() not in kept
    key_id, signature = signer(store, OWN).sign(ring, b"text")
    assert key_id == ring.keys[1].id
    assert is_signed(public_of(OWN), b"text", bytes.fromhex(signature))
    with pytest.raises(ValueError):
        rotate(store, NOON + 2)
    assert signer(store, OTHER, NOON + 3).ring().keys[1].retire_micros == NOON + 3
    with pytest.raises(SigningKeyRetired):
        signer(store, OWN).ring()


def test_a_service_that_is_given_no_key_any_more_makes_one(store: RedisStore) -> None:
    signer(store, OWN).ring()
    ring = signer(store, now=NOON + 1).ring()
    assert ring.keys[0].retire_micros == NOON + 1
    assert ring.current is not None
    assert ring.current.private


def test_salts_are_alike_about_the_same_and_nothing_else(store: RedisStore) -> None:
    ring = signer(store).ring()
    salts = {ring.salt(*about) for about in (("a", 1), ("a", 2), ("b", 1), ("a1",), ("a", "1", ""))}
    assert len(salts) == 5
    assert ring.salt("a", 1) in salts
    other = signing.SigningRing(b"x" * 32, ring.keys)
    assert other.salt("a", 1) not in salts


def test_secrets_are_not_told_by_what_python_prints(store: RedisStore) -> None:
    ring = signer(store).ring()
    for secret in (ring.secret, ring.keys[0].private):
        assert repr(secret) not in repr(ring)
        assert secret.hex() not in repr(ring)
