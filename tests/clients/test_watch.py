"""Watching through cut, silent and draining streams."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from clients.fake_service import (
    FakeService,
    Hang,
    Refuse,
    action,
    end,
    heartbeat,
    unavailable,
)
from clients.scene import KETTERING, NAME, PATIENCE_SECONDS, SWIFT
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2
from guncamera.v1.session_service_pb2 import Resync, SealsChanged, Session, WatchSessionResponse
from guncamera_client import Client, GuncameraError, RetryPolicy, errors


def test_a_stream_that_ends_without_saying_so_is_resumed(fake: FakeService, client: Client) -> None:
    fake.streams([action(4), action(5)], [action(6), end("finished", 6)])
    watch = client.watch_session(NAME, start_revision=4, seat="pilot")
    assert [seen.revision for seen in watch] == [4, 5, 6]
    assert (watch.revision, watch.cause) == (6, "finished")
    asked = [call.request for call in fake.calls_of("WatchSession")]
    assert [request.start_revision for request in asked] == [4, 6]
    assert {request.seat for request in asked} == {"pilot"}


@pytest.mark.parametrize(
    "broken_by",
    [
        Refuse(code_pb2.UNAVAILABLE),
        Refuse(code_pb2.CANCELLED),
        Refuse(code_pb2.UNKNOWN, message="Stream removed (Data frame with END_STREAM received)"),
        unavailable(0.001),
        end("draining"),
        Refuse(
            code_pb2.RESOURCE_EXHAUSTED,
            "STREAMS_FULL",
            details=[error_details_pb2.RetryInfo(retry_delay=Duration(nanos=1_000_000))],
        ),
    ],
)
def test_a_stream_that_breaks_off_is_resumed(
    fake: FakeService, client: Client, broken_by: Any
) -> None:
    fake.streams([action(1), broken_by], [broken_by], [action(2), end("finished")])
    watch = client.watch_session(NAME, start_revision=1)
    assert [seen.revision for seen in watch] == [1, 2]
    starts = [call.request.start_revision for call in fake.calls_of("WatchSession")]
    assert starts == [1, 2, 2]


def test_a_silent_stream_is_cut_and_resumed(fake: FakeService) -> None:
    fake.streams([action(1), Hang()], [action(2), end("finished")])
    with Client(fake.target, heartbeat_seconds=1, retry=SWIFT) as client:
        assert [seen.revision for seen in client.watch_session(NAME, start_revision=1)] == [1, 2]
    assert fake.ended_streams.acquire(timeout=PATIENCE_SECONDS)


def on_one_stream(steps: Callable[[FakeService, float], None]) -> bool:
    """Whether steps need no second stream; on a busy machine, when everything takes longer."""
    for scale in (1, 5):
        with FakeService() as fake:
            steps(fake, scale)
            if len(fake.calls) == 1:
                return True
    return False


def test_heartbeats_keep_a_quiet_stream_alive() -> None:
    def steps(fake: FakeService, scale: float) -> None:
        lines: list[Any] = []
        for _ in range(10):
            lines += [heartbeat(), lambda: time.sleep(0.1 * scale)]
        fake.streams([*lines, action(1), end("finished")], [action(1), end("finished")])
        with Client(fake.target, heartbeat_seconds=0.7 * scale, retry=SWIFT) as client:
            assert [seen.revision for seen in client.watch_session(NAME, start_revision=1)] == [1]

    assert on_one_stream(steps)


def test_a_slow_reader_is_not_a_silent_service() -> None:
    def steps(fake: FakeService, scale: float) -> None:
        fake.streams([action(1), action(2), end("finished")], [action(2), end("finished")])
        with Client(fake.target, heartbeat_seconds=0.2 * scale, retry=SWIFT) as client:
            watch = client.watch_session(NAME, start_revision=1)
            assert next(watch).revision == 1
            threading.Event().wait(0.4 * scale)
            assert [seen.revision for seen in watch] == [2]

    assert on_one_stream(steps)


def test_a_watch_from_now_on_knows_where_now_is_before_it_begins(
    fake: FakeService, client: Client
) -> None:
    fake.answers("GetSession", KETTERING)
    fake.streams([], [action(4), end("finished")])
    assert [seen.revision for seen in client.watch_session("night")] == [4]
    starts = [call.request.start_revision for call in fake.calls_of("WatchSession")]
    assert starts == [4, 4]


def test_a_revision_that_comes_twice_is_seen_once(fake: FakeService, client: Client) -> None:
    fake.streams([action(1), action(1)], [action(1), action(2), end("deleted")])
    watch = client.watch_session(NAME, start_revision=1)
    assert [seen.revision for seen in watch] == [1, 2]
    assert watch.cause == "deleted"


def test_a_stream_is_resumed_at_the_last_cursor_it_was_told(
    fake: FakeService, client: Client
) -> None:
    sealed = WatchSessionResponse(sealed=SealsChanged(seats=["pilot"]), cursor="c5")
    fake.streams(
        [action(4, "c4"), sealed], [heartbeat(4, "c6")], [action(5, "c7"), end("finished")]
    )
    watch = client.watch_session(NAME, start_revision=4)
    assert next(watch).revision == 4
    assert watch.cursor == "c4"
    assert [seen.revision for seen in watch] == [5]
    asked = [(c.request.start_revision, c.request.cursor) for c in fake.calls_of("WatchSession")]
    assert asked == [(4, ""), (0, "c5"), (0, "c6")]
    assert not fake.calls_of("WatchSession")[1].request.HasField("start_revision")


def test_a_watch_goes_on_from_the_cursor_of_another_program(
    fake: FakeService, client: Client
) -> None:
    fake.streams([action(8, "c8"), end("finished", 8)])
    watch = client.watch_session(NAME, cursor="c7")
    assert [seen.revision for seen in watch] == [8]
    assert not fake.calls_of("GetSession")
    assert fake.calls_of("WatchSession")[0].request.cursor == "c7"


def test_a_watch_tells_who_has_sealed_until_the_next_action(
    fake: FakeService, client: Client
) -> None:
    sealed = WatchSessionResponse(sealed=SealsChanged(seats=["pilot"]), cursor="c5")
    fake.streams([action(4, "c4"), sealed, action(5, "c6"), sealed, end("finished")])
    watch = client.watch_session(NAME, start_revision=4)
    told = [(seen.revision, watch.sealed_seats) for seen in watch]
    assert told == [(4, ()), (5, ())]
    assert watch.sealed_seats == ("pilot",)


def test_a_watch_that_is_far_behind_goes_through_the_ledger(
    fake: FakeService, client: Client
) -> None:
    behind = WatchSessionResponse(
        resync=Resync(cause="behind", session=Session(revision=5000)), cursor="c5000"
    )
    fake.streams([action(4, "c4")], [behind], [action(5, "c5"), end("finished")])
    watch = client.watch_session(NAME, start_revision=4)
    assert [seen.revision for seen in watch] == [4, 5]
    asked = [(c.request.start_revision, c.request.cursor) for c in fake.calls_of("WatchSession")]
    assert asked == [(4, ""), (0, "c4"), (5, "")]


@pytest.mark.parametrize("cause", ["replaced", "ahead"])
def test_a_watch_of_what_is_gone_says_so_with_what_is_there(
    fake: FakeService, client: Client, cause: str
) -> None:
    lost = WatchSessionResponse(
        resync=Resync(cause=cause, session=Session(name=NAME, revision=2)), cursor="c2"
    )
    fake.streams([action(4, "c4")], [lost])
    watch = client.watch_session(NAME, start_revision=4)
    assert next(watch).revision == 4
    with pytest.raises(errors.WatchLost) as caught:
        next(watch)
    assert (caught.value.cause, caught.value.session.revision) == (cause, 2)
    assert (watch.cause, list(watch)) == ("WATCH_LOST", [])
    assert len(fake.calls) == 2


def test_a_watch_gives_up_when_it_hears_nothing_at_all(fake: FakeService) -> None:
    fake.streams([action(1)], *[[end("draining")], []] * 5)
    policy = RetryPolicy(max_attempts=3, first_pause_seconds=0.001)
    with Client(fake.target, retry=policy) as client:
        watch = client.watch_session(NAME, start_revision=1)
        assert next(watch).revision == 1
        with pytest.raises(errors.Unavailable):
            next(watch)
        assert list(watch) == []
        assert watch.cause == "UNAVAILABLE"
    assert len(fake.calls) == 1 + 2


def test_what_was_heard_starts_the_count_of_attempts_again(fake: FakeService) -> None:
    fake.streams(*[[action(number)] for number in range(1, 9)], [end("finished")])
    policy = RetryPolicy(max_attempts=2, first_pause_seconds=0.001)
    with Client(fake.target, retry=policy) as client:
        assert len(list(client.watch_session(NAME, start_revision=1))) == 8


def test_a_watch_of_nothing_is_refused(fake: FakeService, client: Client) -> None:
    fake.streams([Refuse(code_pb2.NOT_FOUND, "SESSION_NOT_FOUND")])
    with pytest.raises(errors.SessionNotFound):
        next(client.watch_session(NAME, start_revision=1))
    assert len(fake.calls) == 1


def test_a_client_that_is_closed_says_so(fake: FakeService) -> None:
    fake.streams([action(1), Hang()])
    fake.answers("Fire", Hang())
    client = Client(fake.target, retry=SWIFT)
    pilot = client.with_token("secret")
    reasons: list[str] = []
    has_first = threading.Event()

    def follow() -> None:
        try:
            for _ in client.watch_session(NAME, start_revision=1):
                has_first.set()
        except GuncameraError as error:
            reasons.append(error.reason)

    thread = threading.Thread(target=follow)
    thread.start()
    assert has_first.wait(PATIENCE_SECONDS)
    client.close()
    thread.join(PATIENCE_SECONDS)
    for other in (client, pilot):
        with pytest.raises(GuncameraError) as caught:
            other.get_session(NAME)
        reasons.append(caught.value.reason)
    assert reasons == ["CLIENT_CLOSED"] * 3
    assert len(fake.calls) == 1


def test_a_watch_can_be_closed_from_another_thread(fake: FakeService, client: Client) -> None:
    fake.streams([action(1), Hang()])
    watch = client.watch_session(NAME, start_revision=1)
    seen: list[int] = []
    has_first = threading.Event()

    def follow() -> None:
        for found in watch:
            seen.append(found.revision)
            has_first.set()

    thread = threading.Thread(target=follow)
    thread.start()
    assert has_first.wait(PATIENCE_SECONDS)
    watch.close()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()
    assert (seen, watch.cause) == ([1], "closed")
    assert len(fake.calls) == 1


def test_leaving_a_watch_ends_its_stream_and_its_threads(fake: FakeService, client: Client) -> None:
    fake.streams([action(1), Hang()])
    with client.watch_session(NAME, start_revision=1) as watch:
        next(watch)
    assert fake.ended_streams.acquire(timeout=PATIENCE_SECONDS)
    for thread in threading.enumerate():
        if thread.name == "guncamera-watchdog":
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()
