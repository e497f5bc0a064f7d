"""Going on from a cursor: nothing missed, nothing twice, and one resync where it cannot be."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import duel
import pytest
from duel import DUEL, Aim, Shoot, Taunt
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Verb
from guncamera.sessions import claiming, creating, play, sealing, watch
from guncamera.sessions.cursors import Cursor, cursor_at, mark_of, read_cursor
from guncamera.sessions.keys import Scope
from guncamera.sessions.play import Submission
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf
from watching import watched

NOON = 1_790_000_000_000_000


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with duel.registered(DUEL):
        yield


class Game:
    """A duel that is played and watched."""

    def __init__(self, shelf: Shelf, session_id: str = "", now: int = NOON, **fields: Any) -> None:
        self.shelf = shelf
        self.now = now
        setup = duel.Setup(seats=2, **fields)
        creation = creating.Creation(DUEL, setup, {}, session_id=session_id)
        self.id = creating.create(shelf, now, creation)[0].record.id

    @property
    def session(self) -> Session:
        return self.shelf.load(self.id)

    def act(self, seat: str, verb: Verb, order: Any) -> None:
        call = Submission(self.id, "duel", verb, order, seat=seat)
        play.act(self.shelf, lambda: self.now, call)

    def taunt(self, times: int = 1) -> None:
        for _ in range(times):
            self.act("s0", Verb.DAMAGE, Taunt())

    def seal(self, seat: str, at: int) -> None:
        call = Submission(self.id, "duel", Verb.MOVE, Aim(at), seat=seat)
        sealing.seal(self.shelf, lambda: self.now, call)

    def told(self, start: Cursor | int | None, count: int) -> list[watch.Told]:
        """The next messages of a stream of its own."""
        stream = watch.watch(watched(self.shelf, self.id), start, heartbeat_seconds=0.1)
        try:
            return list(islice(stream, count))
        finally:
            stream.close()

    def poll(self, start: Cursor | int, *, limit: int = 100, wait_seconds: int = 0) -> watch.Polled:
        what = watched(self.shelf, self.id)
        return watch.poll(what, what.look(), start, limit=limit, wait_seconds=wait_seconds)


def shape(said: watch.Said) -> str:
    match said:
        case watch.Seen():
            return f"action {said.action.revision}"
        case watch.Sealed(seats):
            return f"sealed {' '.join(seats)}".strip()
        case watch.Heartbeat(revision):
            return f"heartbeat {revision}"
        case watch.Resync():
            return f"resync {said.cause} {said.view.session.revision}"
        case watch.End(_, cause):
            return f"end {cause}"


def shapes(told: Iterator[watch.Told] | list[watch.Told] | tuple[watch.Told, ...]) -> list[str]:
    return [shape(one.said) for one in told]


def whole_game(shelf: Shelf) -> tuple[Game, list[str]]:
    """A game to its end, and what a watch from its beginning on was told of it."""
    game = Game(shelf, turns=1)
    stream = watch.watch(watched(shelf, game.id), 1, heartbeat_seconds=3600)
    heard = [next(stream)]
    for step in (game.taunt, lambda: game.seal("s0", 1), lambda: game.seal("s1", 2)):
        step()
        heard.append(next(stream))
    game.act("s0", Verb.FIRE, Shoot())
    heard += stream
    texts = shapes(heard)
    assert texts == [
        *("heartbeat 0", "action 1", "sealed s0", "action 2", "action 3", "action 4"),
        "end finished",
    ]
    return game, [str(one.cursor) for one in heard]


def test_a_watch_cut_after_any_message_goes_on_without_gap_or_double(shelf: Shelf) -> None:
    game, cursors = whole_game(shelf)
    actions = [f"action {n}" for n in (1, 2, 3, 4)]
    for text in cursors:
        cursor = read_cursor(text)
        heard = shapes(game.told(cursor, 99))
        assert heard == [*actions[cursor.revision :], "end finished"], text


def test_polls_tell_what_a_stream_does_however_they_are_cut(shelf: Shelf) -> None:
    game, cursors = whole_game(shelf)
    for text in cursors:
        for limit in (1, 2, 100):
            cursor, heard = read_cursor(text), []
            while not heard or not heard[-1].startswith("end"):
                polled = game.poll(cursor, limit=limit)
                heard += shapes(polled.told)
                cursor = polled.cursor
            assert heard == shapes(game.told(read_cursor(text), 99))


def test_seals_that_came_and_went_meanwhile_are_told_once(shelf: Shelf) -> None:
    game = Game(shelf)
    start = cursor_at(game.session)
    game.seal("s0", 1)
    [sealed] = game.told(start, 1)
    assert shape(sealed.said) == "sealed s0"
    assert shapes(game.told(sealed.cursor, 1)) == ["heartbeat 0"], "not twice"
    game.seal("s0", 5)
    assert shapes(game.told(sealed.cursor, 1)) == ["heartbeat 0"], "nor that it thought again"
    claiming.claim(shelf, game.id, "s0")
    claiming.release(shelf, game.id, "s0", None, Scope.REFEREE)
    assert shapes(game.told(sealed.cursor, 1)) == ["sealed"]
    assert shapes(game.poll(sealed.cursor).told) == ["sealed"]


def test_a_session_of_the_same_name_is_another_one(shelf: Shelf) -> None:
    old = Game(shelf, "phoenix")
    old.taunt(3)
    cursor = cursor_at(old.session)
    claiming.delete(shelf, "phoenix", None, None)
    new = Game(shelf, "phoenix", NOON + 1)
    new.taunt(5)
    [resync, beat] = new.told(cursor, 2)
    assert shapes([resync, beat]) == ["resync replaced 5", "heartbeat 5"]
    assert resync.cursor == beat.cursor == cursor_at(new.session)
    assert shapes(new.poll(cursor).told) == ["resync replaced 5"]
    new.taunt()
    assert shapes(new.told(resync.cursor, 1)) == ["action 6"]


def test_a_session_replaced_while_it_is_watched_is_told_once_and_watched_on(shelf: Shelf) -> None:
    game = Game(shelf, "relay")
    game.taunt(2)
    look = watched(shelf, "relay").look
    swapped = threading.Event()

    def slow_look() -> Any:
        if not swapped.is_set():
            swapped.set()
            return look()
        if shelf.load("relay").record.create_micros == NOON:
            claiming.delete(shelf, "relay", None, None)
            Game(shelf, "relay", NOON + 1).taunt()
        return look()

    what = replace(watched(shelf, "relay"), look=slow_look)
    stream = watch.watch(what, None, heartbeat_seconds=3600)
    assert shape(next(stream).said) == "resync replaced 1"
    Game.taunt(game)
    assert shape(next(stream).said) == "action 2"
    stream.close()


@pytest.mark.parametrize("is_cursor", [True, False])
def test_a_place_that_the_session_has_not_reached_is_resynced(
    shelf: Shelf, is_cursor: bool
) -> None:
    game = Game(shelf)
    game.taunt(2)
    beyond = Cursor(3, 0, mark_of(game.session.record)) if is_cursor else 4
    assert shapes(game.told(beyond, 2)) == ["resync ahead 2", "heartbeat 2"]
    assert shapes(game.poll(beyond if is_cursor else 3).told) == ["resync ahead 2"]
    at_the_end = cursor_at(game.session) if is_cursor else 3
    assert shapes(game.told(at_the_end, 1)) == ["heartbeat 2"]


def test_a_cursor_far_behind_is_resynced_but_a_revision_or_a_poll_gets_it_all(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_BEHIND", 5)
    game = Game(shelf)
    start = cursor_at(game.session)
    game.taunt(5)
    assert shapes(game.told(start, 5)) == [f"action {n}" for n in range(1, 6)]
    game.taunt()
    assert shapes(game.told(start, 2)) == ["resync behind 6", "heartbeat 6"]
    everything = [f"action {n}" for n in range(1, 7)]
    assert shapes(game.told(1, 6)) == everything
    assert shapes(game.poll(start).told) == everything


def test_a_poll_with_a_cursor_waits_for_seals_and_one_without_for_actions(shelf: Shelf) -> None:
    game = Game(shelf)
    later = threading.Timer(0.3, game.seal, ("s0", 1))
    later.start()
    polled = game.poll(cursor_at(game.session), wait_seconds=20)
    later.join()
    assert shapes(polled.told) == ["sealed s0"]
    assert shapes(game.poll(0, wait_seconds=1).told) == ["sealed s0"], "waited, then told"
    later = threading.Timer(0.3, game.taunt)
    later.start()
    assert shapes(game.poll(0, wait_seconds=20).told) == ["action 1"]
    later.join()


def test_a_cursor_is_read_as_it_was_written() -> None:
    for cursor in (Cursor(0, 0, "0123456789ab"), Cursor(20_000, 2**40 + 1, "ffffffffffff")):
        assert read_cursor(str(cursor)) == cursor
        assert len(str(cursor)) <= 64


@pytest.mark.parametrize(
    "text",
    [
        "", "7", "7.0", "7.0.0123", "-1.0.0123456789ab", "07.0.0123456789ab", "٧.0.0123456789ab",
        "7.00.0123456789ab", "7.0.0123456789AB", "7.0.0123456789ab\n", "9" * 10 + ".0.0123456789ab",
    ],
)  # fmt: skip
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_cursor(text)
    assert refused.value.field == "cursor"
