"""Spectators who are kept behind: by every call they see the game as it was then, and no more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import duel
import pytest
from games import example_setup
from google.protobuf.message import Message
from guncamera.api.endpoints import Endpoints
from guncamera.api.rulings import fill_outcome
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions import claiming, creating, delay, play, sealing, watch
from guncamera.sessions.cursors import Cursor, mark_of
from guncamera.sessions.refusals import ActionNotFound, RulesVersionChanged, SeatForbidden
from guncamera.sessions.seals import sealed_seats
from guncamera.sessions.seating import acting_seat
from guncamera.sessions.session import checked_delay_seconds
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, LAUNCH, SETUP, move, who
from wire_play import order_of_pilot, request_for, seat_to_act

SECOND = 1_000_000
NOON = 1_790_000_000 * SECOND
DELAY = 100
STEPS = 24
NAME = "sessions/broadcast"


class HandClock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def endpoints(clock: HandClock) -> Iterator[Endpoints]:
    with duel.own_store() as (_, shelf):
        yield Endpoints(shelf, clock=clock, page_key=b"a key for tests")


def create(endpoints: Endpoints, slug: str, delay_seconds: int) -> pb.Session:
    found, request = ruleset(slug), pb.CreateSessionRequest()
    fill_outcome(request.setup, slug, example_setup(found))
    request.session_id, request.dice_seed = NAME.removeprefix("sessions/"), "on the air"
    request.spectator_delay_seconds = delay_seconds
    return endpoints.CreateSession(request, who())


def answers(endpoints: Endpoints) -> list[Message | str]:
    """What a spectator gets by every call that shows a session."""
    calls: list[Callable[[], Any]] = [
        lambda: endpoints.GetSession(pb.GetSessionRequest(name=NAME), who()),
        lambda: endpoints.ListSessions(pb.ListSessionsRequest(), who()),
        lambda: endpoints.DrawBoard(pb.DrawBoardRequest(name=NAME), who()),
        lambda: endpoints.ExportSession(pb.ExportSessionRequest(name=NAME), who()),
        lambda: endpoints.ListActions(pb.ListActionsRequest(parent=NAME, page_size=500), who()),
        lambda: endpoints.ListActions(pb.ListActionsRequest(parent=NAME, page_size=3), who()),
        lambda: watched(endpoints),
        *(
            lambda n=n: endpoints.GetAction(
                pb.GetActionRequest(name=f"{NAME}/actions/{n:08}"), who()
            )
            for n in (1, 5, STEPS)
        ),
    ]
    return [plain(call) for call in calls]


def watched(endpoints: Endpoints) -> pb.ListActionsResponse:
    """What a watch tells until there is no more now, as one message."""
    request = pb.WatchSessionRequest(name=NAME, start_revision=1)
    told = pb.ListActionsResponse()
    for message in endpoints.WatchSession(request, who()):
        if message.HasField("end"):
            break
        if message.HasField("action"):
            told.actions.append(message.action)
            told.cursor = message.cursor
    return told


def plain(call: Callable[[], Any]) -> Message | str:
    try:
        answer = call()
    except Refusal as refusal:
        return f"{refusal.reason}: {refusal.message}"
    for session in (answer, getattr(answer, "session", None), *getattr(answer, "sessions", ())):
        if isinstance(session, pb.Session):
            # What differs by design: the setting, and seals, which are told as they come or never.
            session.spectator_delay_seconds = 0
            session.ClearField("sealed_seats")
    if isinstance(answer, pb.ListActionsResponse):
        answer.ClearField("sealed")
        revision, _, mark = answer.cursor.split(".") if answer.cursor else ("", "", "")
        answer.cursor = f"{revision} {mark}"
    assert isinstance(answer, Message)
    return answer


@pytest.mark.parametrize("slug", ["kettering", "redstars", "circus"])
def test_a_spectator_sees_what_one_without_delay_saw_then(
    endpoints: Endpoints, clock: HandClock, slug: str
) -> None:
    endpoints.draining = lambda: True  # a watch tells what there is, and ends
    found = ruleset(slug)
    session = create(endpoints, slug, 0)
    then: list[list[Message | str]] = [answers(endpoints)]
    sent = []
    for number in range(STEPS):
        session = endpoints.GetSession(pb.GetSessionRequest(name=NAME), who())
        if not session.active_seats:
            break
        seat = seat_to_act(session)
        order = order_of_pilot(endpoints, session, found, "stock", number, seat)
        sent.append(request_for(session, slug, order, seat))
        clock.now += SECOND
        getattr(endpoints, sent[-1][0])(sent[-1][1], who())
        then.append(answers(endpoints))
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=NAME), who())

    clock.now = NOON
    create(endpoints, slug, DELAY)
    for call, request in sent:
        clock.now += SECOND
        getattr(endpoints, call)(request, who())
        assert answers(endpoints)[0] == then[0][0], "nothing of it is on the air yet"
    assert len({str(one) for one in then}) > 3
    for n in (0, 1, len(sent) // 2, len(sent), 2):  # to and fro, as clocks of two machines may
        clock.now = NOON + (DELAY + n) * SECOND
        assert answers(endpoints) == then[n], n
        clock.now += SECOND - 1
        assert answers(endpoints)[0] == then[n][0], n


@pytest.fixture
def game(endpoints: Endpoints, clock: HandClock) -> pb.Session:
    """A game of a seat, an action old and an action young."""
    request = pb.CreateSessionRequest(setup=SETUP, spectator_delay_seconds=DELAY)
    session = endpoints.CreateSession(request, who())
    for order in (DEPLOY, LAUNCH):
        clock.now += 60 * SECOND
        move(endpoints, session, order)
    clock.now += 50 * SECOND
    return session


def test_who_plays_is_not_behind(endpoints: Endpoints, game: pb.Session) -> None:
    seat = game.seats[0].id
    seen = endpoints.GetSession(pb.GetSessionRequest(name=game.name, seat=seat), who())
    assert (seen.revision, seen.spectator_delay_seconds) == (2, DELAY)
    token = endpoints.ClaimSeat(pb.ClaimSeatRequest(name=game.name, seat=seat), who()).token
    actions = endpoints.ListActions(pb.ListActionsRequest(parent=game.name), who(token)).actions
    assert len(actions) == 2
    spectator = endpoints.GetSession(pb.GetSessionRequest(name=game.name), who())
    assert spectator.revision == 1


def test_an_action_still_to_come_looks_like_one_that_never_was(
    endpoints: Endpoints, game: pb.Session
) -> None:
    told = []
    for number in (2, 3):
        request = pb.GetActionRequest(name=f"{game.name}/actions/{number:08}")
        with pytest.raises(ActionNotFound) as refused:
            endpoints.GetAction(request, who())
        told.append(refused.value.message.replace(f"number {number}", "number n"))
    assert told[0] == told[1]


@pytest.mark.parametrize("delay_seconds", [0, DELAY])
def test_only_without_a_delay_are_spectators_told_of_seals_and_whose_turn_it_is(
    endpoints: Endpoints, delay_seconds: int
) -> None:
    shelf, is_late = endpoints.shelf, delay_seconds > 0
    with duel.registered(duel.DUEL):
        creation = creating.Creation(
            duel.DUEL, duel.Setup(seats=2), {}, spectator_delay_seconds=delay_seconds
        )
        session = creating.create(shelf, endpoints.clock(), creation)[0]

        def seal(seat: str) -> None:
            order = play.Submission(session.record.id, "duel", Verb.MOVE, duel.Aim(1), seat=seat)
            sealing.seal(shelf, endpoints.clock, order)

        def refused() -> Exception:
            with pytest.raises((Malformed, SeatForbidden)) as caught:
                acting_seat(shelf.load(session.record.id), "", None, None)
            return caught.value

        at_first = refused()
        seal("s0")
        for now in (NOON, NOON + 2 * DELAY * SECOND):
            seen = delay.view_of(shelf, shelf.load(session.record.id), None, lambda: now)  # noqa: B023
            assert sealed_seats(seen.session) == (() if is_late else ("s0",))
        seal("s1")  # and so it is the turn of the first seat alone
        for seat in ("s0", "s1"):
            claiming.claim(shelf, session.record.id, seat)
        now_refused = refused()
        if is_late:  # told of both seats, as before anybody had sealed
            assert isinstance(now_refused, Malformed)
            assert str(now_refused) == str(at_first)
        else:  # told that the first seat, whose turn it is, is somebody's
            assert isinstance(now_refused, SeatForbidden)
            assert "s0" in str(now_refused)


def test_a_cursor_cannot_be_used_to_find_how_far_the_game_is(
    endpoints: Endpoints, game: pb.Session
) -> None:
    mark = mark_of(endpoints.shelf.load(game.name.removeprefix("sessions/")).record)
    causes = []
    for revision in (2, 3):
        request = pb.ListActionsRequest(parent=game.name, cursor=str(Cursor(revision, 0, mark)))
        answer = endpoints.ListActions(request, who())
        causes.append((answer.resync.cause, answer.resync.session.revision, answer.cursor))
    assert causes[0] == causes[1] == ("ahead", 1, f"1.0.{mark}")


def test_a_cursor_of_a_machine_whose_clock_is_a_little_ahead_is_kept(
    endpoints: Endpoints, clock: HandClock, game: pb.Session
) -> None:
    clock.now = NOON + (120 + DELAY) * SECOND
    request = pb.ListActionsRequest(parent=game.name, after_revision=1)
    answer = endpoints.ListActions(request, who())
    assert [one.revision for one in answer.actions] == [2]
    clock.now -= delay.SKEW_MICROS
    again = pb.ListActionsRequest(parent=game.name, cursor=answer.cursor)
    assert endpoints.ListActions(again, who()) == pb.ListActionsResponse(
        revision=1, cursor=answer.cursor
    )


def test_a_watch_tells_an_action_when_its_time_has_come(
    endpoints: Endpoints, game: pb.Session
) -> None:
    due = NOON + (120 + DELAY) * SECOND
    began: list[float] = []

    def clock() -> int:
        """Half a second before the time, and running once the watch has begun."""
        return due + int((time.monotonic() - began[0] if began else 0) * SECOND) - SECOND // 2

    endpoints.clock = clock
    request = pb.WatchSessionRequest(name=game.name)
    told = endpoints.WatchSession(request, who())
    assert next(told).heartbeat.revision == 1
    began.append(time.monotonic())
    assert next(told).action.revision == 2, "a wait that news does not end"
    assert endpoints.clock() >= due
    told.close()


def test_news_that_may_not_be_seen_neither_shows_nor_holds_heartbeats_up(
    endpoints: Endpoints, game: pb.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = watch.Watched(
        endpoints.shelf,
        game.name.removeprefix("sessions/"),
        lambda: delay.view_of(
            endpoints.shelf,
            endpoints.shelf.load(game.name.removeprefix("sessions/")),
            None,
            endpoints.clock,
        ),
        endpoints.clock,
        lambda: False,
    )
    looks = []
    # News comes four times between two beats, by a clock that only waits move.
    monkeypatch.setattr(watch, "_wait", lambda *_: looks.append(1))
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: float(len(looks))))
    told = watch.watch(what, None, heartbeat_seconds=4)
    beats = [next(told).said for _ in range(4)]
    assert beats == [watch.Heartbeat(1)] * 4
    assert len(looks) >= 12, "several pieces of news between two beats"
    told.close()


def test_a_game_under_other_rules_is_told_late_rather_than_wrong(
    endpoints: Endpoints, game: pb.Session, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_record: Any) -> None:
        raise RulesVersionChanged("Other rules.")

    monkeypatch.setattr(delay, "check_pinned", refuse)
    with pytest.raises(RulesVersionChanged):
        endpoints.GetSession(pb.GetSessionRequest(name=game.name), who())
    assert not endpoints.ListSessions(pb.ListSessionsRequest(), who()).sessions
    clock.now = NOON + (120 + DELAY) * SECOND
    assert endpoints.GetSession(pb.GetSessionRequest(name=game.name), who()).revision == 2
    assert endpoints.ListSessions(pb.ListSessionsRequest(), who()).sessions


@pytest.mark.parametrize(("seconds", "ttl"), [(-1, 3600), (3600, 3600), (604_801, 10**7)])
def test_a_delay_is_bounded(seconds: int, ttl: int) -> None:
    with pytest.raises(Malformed) as refused:
        checked_delay_seconds(seconds, ttl, "spectator_delay_seconds")
    assert refused.value.field == "spectator_delay_seconds"
    assert checked_delay_seconds(min(ttl - 1, 604_800), ttl, "x")


def test_a_film_keeps_the_delay(endpoints: Endpoints, clock: HandClock, game: pb.Session) -> None:
    clock.now += 1000 * SECOND
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=game.name), who())
    again = endpoints.ImportSession(pb.ImportSessionRequest(film=film), who())
    assert again.spectator_delay_seconds == DELAY
