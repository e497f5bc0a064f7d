"""Rate limits in the store: the library's windows on every kind of server, shared by processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import servers
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.rate_windows import SharedWindow, StoreCounters
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import StoreUnavailable
from guncamera.sessions.tallies import (
    FRESH_SECONDS,
    MOST_TALLIES,
    MUCH,
    TELL_LITTLE_SECONDS,
    Tallies,
    Use,
)
from limits import parse
from limits.strategies import FixedWindowRateLimiter
from store_calls import NAMES

LIMIT = 100
ITEM = parse(f"{LIMIT}/minute")


@pytest.fixture(scope="module", params=["embedded", "redis", "valkey", "cluster", "sentinel"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    match request.param:
        case "embedded":
            with EmbeddedStore(tmp_path_factory.mktemp("embedded")) as embedded:
                yield embedded.url
        case "cluster":
            yield request.getfixturevalue("cluster_url")
        case "sentinel":
            with (
                servers.Server(servers.redis_program(), port=servers.free_port()) as primary,
                servers.sentinel(primary, "games") as found,
            ):
                yield found
        case name:
            program = servers.redis_program() if name == "redis" else servers.valkey_program()
            with servers.Server(program) as server:
                yield server.url


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    store = RedisStore(url)
    yield store
    store.close()


class Hand:
    def __init__(self) -> None:
        self.seconds = time.monotonic()

    def __call__(self) -> float:
        return self.seconds


def test_the_librarys_own_limiter_counts_in_the_store_as_ours_does(store: RedisStore) -> None:
    who, limiter = next(NAMES), FixedWindowRateLimiter(StoreCounters(store))
    item = parse("3/minute")
    assert limiter.test(item, who)
    assert [limiter.hit(item, who) for _ in range(4)] == [True, True, True, False]
    assert not limiter.test(item, who)
    reset, remaining = limiter.get_window_stats(item, who)
    assert remaining == 0
    assert 0 < reset - time.time() <= 60
    counted = SharedWindow(store).add(item, who, 0)
    assert counted.total == 4
    assert 0 < counted.left_seconds <= 60
    assert limiter.storage.check()


def test_a_window_ends_by_itself_and_another_begins(store: RedisStore) -> None:
    who, window, item = next(NAMES), SharedWindow(store), parse("3/second")
    assert window.add(item, who, 2).total == 2
    assert 0 < window.add(item, who, 1).left_seconds <= 1
    servers.wait_until(lambda: window.add(item, who, 0).total == 0, "the window is over")
    assert window.add(item, who, 0).left_seconds == 0
    assert window.add(item, who, 1).total == 1


def test_what_one_process_counts_the_others_know_when_it_is_told(store: RedisStore) -> None:
    use = Use("test", ITEM, next(NAMES))
    one, other = (Tallies(SharedWindow(store)) for _ in range(2))
    for _ in range(60):
        assert one.take([use]) is None
        assert other.take([use]) is None, "neither knows of the other yet"
    one.tell()
    other.tell()
    one.take([use])  # there has to be something to tell, to hear something
    assert other.usage(use).remaining == 0
    assert other.take([use]) == use
    assert one.fresh_usage(use).used == 61, "told a moment ago, so it is not asked again"
    later = Tallies(SharedWindow(store))
    assert later.fresh_usage(use).remaining == 0, "a process that starts asks"
    assert later.take([use]) == use


def test_a_new_window_of_the_store_is_a_new_one_for_all(store: RedisStore) -> None:
    clock, use = Hand(), Use("test", parse("4/second"), next(NAMES))
    tallies = Tallies(SharedWindow(store), clock=clock)
    for _ in range(4):
        assert tallies.take([use]) is None
    tallies.tell()
    assert tallies.take([use]) == use
    window = SharedWindow(store)
    servers.wait_until(lambda: window.add(use.item, use.who, 0).total == 0, "it is over there")
    clock.seconds += 2
    assert tallies.take([use]) is None


def test_the_stores_window_is_the_one_that_counts(store: RedisStore) -> None:
    clock, use = Hand(), Use("test", parse("4/second"), next(NAMES))
    tallies, window = Tallies(SharedWindow(store), clock=clock), SharedWindow(store)
    for _ in range(3):
        tallies.take([use])
    tallies.tell()
    servers.wait_until(lambda: window.add(use.item, use.who, 0).total == 0, "it is over there")
    assert tallies.take([use]) is None
    tallies.tell()
    assert tallies.usage(use).used == 1, "though here, by a slower clock, it goes on"


def test_all_are_counted_or_none() -> None:
    tallies = Tallies(SharedWindow(RedisStore("redis://127.0.0.1:1")))
    wide, narrow = Use("test", ITEM, "wide"), Use("narrow", parse("1/minute"), "narrow")
    assert tallies.take([wide, narrow]) is None
    assert tallies.take([wide, narrow]) == narrow
    assert tallies.usage(wide).used == 1


def test_what_is_given_back_was_never_used() -> None:
    tallies = Tallies(SharedWindow(RedisStore("redis://127.0.0.1:1")))
    use = Use("test", ITEM, "stranger", cost=3)
    tallies.take([use])
    tallies.give_back(use)
    tallies.give_back(use)
    assert tallies.usage(use) == tallies.usage(Use("test", ITEM, "nobody"))
    assert not tallies._tallies, "nothing is remembered of who is nobody"


class Recorder(SharedWindow):
    """Notes what the store is told, and does not answer when it is said to be out."""

    def __init__(self, store: RedisStore) -> None:
        super().__init__(store)
        self.told: list[tuple[str, int]] = []
        self.is_out = False

    def add(self, item, who, amount):  # type: ignore[no-untyped-def]  # as its parent's
        if self.is_out:
            raise StoreUnavailable("out", retry_after_seconds=1)
        self.told.append((who, amount))
        return super().add(item, who, amount)


@pytest.fixture
def recorder(store: RedisStore) -> Recorder:
    return Recorder(store)


def test_much_is_told_at_once_and_little_now_and_then(recorder: Recorder) -> None:
    clock, busy, quiet = Hand(), Use("test", ITEM, next(NAMES)), Use("test", ITEM, next(NAMES))
    tallies = Tallies(recorder, clock=clock)
    tallies.take([busy, quiet])
    tallies.tell()
    assert sorted(recorder.told) == sorted([(busy.who, 1), (quiet.who, 1)]), "at first, to know"
    recorder.told.clear()
    for _ in range(LIMIT // MUCH):
        tallies.take([busy])
    tallies.take([quiet])
    tallies.tell()
    assert recorder.told == [(busy.who, LIMIT // MUCH)]
    clock.seconds += TELL_LITTLE_SECONDS
    tallies.tell()
    tallies.tell()
    assert recorder.told[1:] == [(quiet.who, 1)]


def test_what_could_not_be_told_is_told_when_the_store_is_back(recorder: Recorder) -> None:
    clock, use = Hand(), Use("test", ITEM, next(NAMES))
    tallies = Tallies(recorder, clock=clock)
    recorder.is_out = True
    for _ in range(LIMIT):
        assert tallies.take([use]) is None
    with pytest.raises(StoreUnavailable):
        tallies.tell()
    assert tallies.take([use]) == use, "this process alone keeps to the limit"
    assert tallies.fresh_usage(use).remaining == 0
    recorder.is_out = False
    clock.seconds += TELL_LITTLE_SECONDS
    tallies.tell()
    assert recorder.told == [(use.who, LIMIT)]


def test_the_thread_tells_and_outlives_faults(recorder: Recorder) -> None:
    use, tallies = Use("test", ITEM, next(NAMES)), Tallies(recorder).start()
    try:
        recorder.is_out = True
        tallies.take([use])
        servers.wait_until(
            lambda: bool(tallies._tallies["test", use.who].told_at > 0), "it has tried"
        )
        recorder.is_out = False
        servers.wait_until(lambda: recorder.told == [(use.who, 1)], "it has told")
    finally:
        tallies.stop()


def test_of_two_tellings_at_once_the_older_answer_does_not_count(recorder: Recorder) -> None:
    clock, use = Hand(), Use("test", ITEM, next(NAMES))
    tallies, tell = Tallies(recorder, clock=clock), recorder.add

    def while_it_is_told(item, who, amount):  # type: ignore[no-untyped-def]  # as its parent's
        counted = tell(item, who, amount)
        tallies.take([use])
        clock.seconds += 2 * FRESH_SECONDS  # the store is slow, and another thread asks
        tallies.fresh_usage(use)
        return counted

    tallies.take([use])
    recorder.add = while_it_is_told  # type: ignore[method-assign]
    tallies.tell()
    assert tallies.usage(use).used == 2
    assert recorder.told == [(use.who, 1)]


def test_what_could_not_be_told_to_one_who_asked_is_told_later(recorder: Recorder) -> None:
    clock, use = Hand(), Use("test", ITEM, next(NAMES))
    tallies = Tallies(recorder, clock=clock)

    def fails_while_another_looks(*_: object) -> Any:
        tallies.tell()
        raise StoreUnavailable("out", retry_after_seconds=1)

    tallies.take([use])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, "add", fails_while_another_looks)
        tallies.fresh_usage(use)
    clock.seconds += TELL_LITTLE_SECONDS
    tallies.tell()
    assert recorder.told == [(use.who, 1)]


def test_no_number_of_callers_fills_the_memory() -> None:
    tallies = Tallies(SharedWindow(RedisStore("redis://127.0.0.1:1")))
    for number in range(MOST_TALLIES + 10):
        tallies.take([Use("test", ITEM, str(number))])
    assert len(tallies._tallies) == MOST_TALLIES
    assert tallies.usage(Use("test", ITEM, "0")).used == 0
    assert tallies.usage(Use("test", ITEM, str(MOST_TALLIES + 9))).used == 1
