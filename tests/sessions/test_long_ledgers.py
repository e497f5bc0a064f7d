"""States of the past are made from the nearest one that is kept, and come out the same.

What it costs is counted in rulings: how many, for a ledger of any length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import duel
import pytest
from duel import Aim, Shoot, Taunt
from guncamera.rules.ruleset import Verb
from guncamera.sessions import creating, history, play, request_store, sealing, undoing
from guncamera.sessions import film as films
from guncamera.sessions.film import Film
from guncamera.sessions.play import Submission
from guncamera.sessions.redis_states import due_mark
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.request_store import KEEP_EVERY
from guncamera.sessions.session import Session, State
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.store import Append, AppendChain, Appended
from guncamera.sessions.undoing import UndoCall
from store_calls import NAMES, append, ask, create, keys_of, reveal

A, B = "s0", "s1"
SECOND = 1_000_000
NOON = 1_790_000_000 * SECOND


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    with duel.registered(duel.DUEL), duel.own_store() as (_, made):
        yield made


@pytest.fixture
def store(store_url: str) -> Iterator[RedisStore]:
    made = RedisStore(store_url)
    yield made
    made.close()


class Game:
    """A duel that may go on for long."""

    def __init__(self, shelf: Shelf, turns: int = 10_000) -> None:
        self.shelf = shelf
        self.now = NOON
        creation = creating.Creation(duel.DUEL, duel.Setup(2, turns), {}, dice_seed="long")
        self.id = creating.create(shelf, self.clock(), creation)[0].record.id

    def clock(self) -> int:
        self.now += SECOND
        return self.now

    @property
    def session(self) -> Session:
        return self.shelf.load(self.id)

    def act(self, verb: Verb, order: Any, seat: str = A) -> None:
        play.act(self.shelf, self.clock, Submission(self.id, "duel", verb, order, seat=seat))

    def taunt(self, seat: str = A) -> None:
        self.act(Verb.DAMAGE, Taunt(), seat)

    def turn(self) -> None:
        """Three entries: two are revealed at once, and a die falls."""
        for nth, seat in enumerate((A, B), start=1):
            call = Submission(self.id, "duel", Verb.MOVE, Aim(nth), seat=seat)
            sealing.seal(self.shelf, self.clock, call)
        self.act(Verb.FIRE, Shoot())

    def undo(self, seat: str = A, back: int | None = None, **fields: Any) -> Any:
        call = UndoCall(self.id, back, seat=seat, **fields)
        return undoing.undo(self.shelf, self.clock, call)[0]

    def undo_together(self, back: int) -> None:
        if self.undo(A, back, by_agreement=True).waiting_seats:
            assert not self.undo(B, back, by_agreement=True).waiting_seats

    def film(self) -> Film:
        session = self.session
        entries = self.shelf.actions(session, after_revision=0, limit=10_000)
        return Film(session.record, tuple(entries), session.state.result)


def forget() -> None:
    """As in a process that has made none of the states yet."""
    history._states.clear()


def made_anew(shelf: Shelf, session: Session, revision: int, patch: Any) -> State:
    forget()
    with patch.context() as patched:
        patched.setattr(shelf, "kept_state", lambda _session, _stretches: None)
        return history.state_at(shelf, session, revision)


class Rulings:
    """Counts what is ruled on again."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        again = history.again_after

        def counted(*given: Any) -> Any:
            self.count += 1
            return again(*given)

        for module in (history, undoing):
            patch.setattr(module, "again_after", counted)


@pytest.mark.parametrize("seed", range(4))
def test_every_state_is_what_it_is_without_those_that_are_kept(
    shelf: Shelf, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept every three entries, over undos of every length, so that each kind comes up."""
    monkeypatch.setattr(request_store, "KEEP_EVERY", 3)
    chance, game = Random(seed), Game(shelf)
    for _ in range(25):
        match chance.choice(("turn", "turn", "taunt", "back")):
            case "turn" if game.session.state.board.is_aiming:
                game.turn()
            case "back" if game.session.revision:
                undos = game.session.state.undos
                now = game.session.revision
                whole = [
                    back
                    for back in range(now)
                    if history.stands(undos, now, back)
                    and back < history.last_in_force(undos, now)
                    and not undoing._is_amid_reveal(shelf, game.session, back)
                ]
                if whole:
                    game.undo_together(chance.choice(whole))
            case _ if game.session.state.board.is_aiming:
                game.taunt(A)
            case _:
                game.act(Verb.FIRE, Shoot())
    session = game.session
    assert len(session.state.undos) > 1
    kept = ask_kept(shelf, game.id)
    assert len(kept) >= session.revision // 3 - 1
    for revision in range(session.revision):
        wanted = made_anew(shelf, session, revision, monkeypatch)
        forget()
        assert history.state_at(shelf, session, revision) == wanted, revision
        if revision in kept:  # it is what was the state then
            entry = shelf.action(session, revision)
            state = shelf.kept_state(session, [(revision, revision)])
            assert state is not None
            assert (state[0], state[1].board) == (revision, wanted.board)
            assert state[1].changed_micros == entry.create_micros
    # Where some were never kept, as by an older version, the others are no harm.
    assert isinstance(shelf.store, RedisStore)
    states = f"guncamera:{{{game.id}}}:states"
    ask(shelf.store, states, "HDEL", states, *(undo for undo, _ in session.state.undos))
    for revision in range(session.revision):
        forget()
        found = history.state_at(shelf, session, revision)
        assert found == made_anew(shelf, session, revision, monkeypatch), revision


def ask_kept(shelf: Shelf, session_id: str) -> set[int]:
    store = shelf.store
    assert isinstance(store, RedisStore)
    key = f"guncamera:{{{session_id}}}:states"
    return {int(one) for one in ask(store, key, "HKEYS", key)}


def test_an_undo_rules_on_no_more_than_what_came_since_the_last_state_that_is_kept(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(shelf)
    for _ in range(KEEP_EVERY + 20):
        game.turn()
    game.taunt()
    revision = game.session.revision
    assert revision > 3 * KEEP_EVERY
    forget()
    rulings = Rulings(monkeypatch)
    game.undo(A, revision - 1)
    nearest = revision - 1 - max(ask_kept(shelf, game.id))
    # The states before and after the action gone back to, and the one that is taken back.
    assert 0 < rulings.count <= 2 * nearest + 2
    assert nearest < KEEP_EVERY


def test_going_back_past_the_states_that_are_kept_makes_nothing_longer(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each state that is kept is taken back at once, as by one who wants the longest way."""
    monkeypatch.setattr(request_store, "KEEP_EVERY", 10)
    game = Game(shelf)
    for _ in range(12):
        while game.session.revision % 10 or game.session.revision == 0:
            game.taunt()
        game.undo(A)
    game.taunt()
    session = game.session
    assert session.revision > 60
    rulings = Rulings(monkeypatch)
    for revision in range(1, session.revision):
        forget()
        rulings.count = 0
        history.state_at(shelf, session, revision)
        assert rulings.count < 10, revision


def test_states_that_another_session_of_the_name_left_behind_count_for_nothing(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where an older version deletes a session, and creates another, in between."""
    monkeypatch.setattr(request_store, "KEEP_EVERY", 3)
    first, second = Game(shelf), Game(shelf)
    for _ in range(3):
        first.turn()
    second.now += 500 * SECOND
    for _ in range(10):
        second.taunt()
    assert isinstance(shelf.store, RedisStore)
    theirs, ours = (f"guncamera:{{{game.id}}}:states" for game in (first, second))
    left = ask(shelf.store, theirs, "HGETALL", theirs)
    ask(shelf.store, ours, "DEL", ours)
    ask(shelf.store, ours, "HSET", ours, *left)
    session = second.session
    for revision in range(1, session.revision):
        forget()
        found = history.state_at(shelf, session, revision)
        assert found == made_anew(shelf, session, revision, monkeypatch), revision


def test_an_undo_looks_at_what_came_since_only_as_far_as_it_has_to(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(shelf)
    for _ in range(KEEP_EVERY + 20):
        game.turn()
    forget()
    rulings = Rulings(monkeypatch)
    answer = game.undo(A, 0, by_agreement=True)
    assert answer.waiting_seats == (B,)
    assert rulings.count == 1, "the first of them was another seat's, and that is enough to know"


def test_a_film_brings_its_states_along(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(shelf)
    for _ in range(KEEP_EVERY):
        game.turn()
    game.undo_together(KEEP_EVERY // 3 * 3)
    game.turn()
    film = game.film()
    replayed = films.replay(film)
    assert not replayed.differences
    assert [revision for revision, _ in replayed.states] == [100, 200, 300, 301]
    record = replace(film.record, id=f"{game.id}-again"[:63])
    creating.import_film(shelf, record, replayed.state, film.actions, None, replayed.states)
    assert ask_kept(shelf, record.id) == {100, 200, 300, 301}
    assert ask_kept(shelf, game.id) == {101, 200, 300, 301}, "two were revealed at once"
    session = shelf.load(record.id)
    for revision in (99, 100, 101, 200, 250, 301, 303):
        forget()
        rulings = Rulings(monkeypatch)
        found = history.state_at(shelf, session, revision)
        assert rulings.count <= KEEP_EVERY
        assert found == made_anew(shelf, session, revision, monkeypatch)


# ---- The store


@pytest.mark.parametrize(
    ("before", "revision", "is_due"),
    [
        (0, 1, False), (98, 99, False), (99, 100, True), (100, 101, False), (0, 99, False),
        (0, 100, True), (99, 355, True), (100, 199, False), (199, 201, True), (205, 210, False),
    ],
)  # fmt: skip
def test_a_state_is_kept_where_a_multiple_is_gone_past(
    before: int, revision: int, is_due: bool
) -> None:
    assert bool(due_mark(before, revision)) is is_due


@pytest.mark.parametrize("how", ["append", "send", "chain", "reveal"])
def test_whatever_writes_the_ledger_keeps_the_state(
    store: RedisStore, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_store, "KEEP_EVERY", 4)
    name = next(NAMES)
    create(store, name)
    for revision in range(0, 12, 2 if how in ("chain", "reveal") else 1):
        state = b"state %d" % (revision + 1)
        if how == "append":
            append(store, name, revision)
        elif how == "send":
            step = Append(name, revision, b"entry", state, None, 100)
            assert store.send([step])() == [Appended(revision + 1)]
        elif how == "chain":
            entries = [(b"entry", None)] * 2
            state = b"state %d" % (revision + 2)
            step = AppendChain(name, revision, entries, state, 100)
            assert store.exchange(step) == Appended(revision + 2)
        else:
            reveal(store, name, revision, 0, 2)
    found = {at: store.kept_state(name, [(at, at)]) for at in range(1, 13)}
    assert {at for at, one in found.items() if one} == {4, 8, 12}
    assert found[8] == (8, b"state 8")
    assert store.kept_state(name, [(0, 11)]) == (8, b"state 8")
    assert store.kept_state(name, [(0, 5), (9, 11)]) == (4, b"state 4")
    assert store.kept_state(name, [(8, 8), (9, 11)]) == (8, b"state 8"), "both ends belong to it"
    assert store.kept_state(name, [(5, 7)]) is None
    states = f"guncamera:{{{name}}}:states"
    assert 0 < ask(store, states, "TTL", states) <= 100


def test_states_live_and_go_with_their_session(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_store, "KEEP_EVERY", 2)
    name = next(NAMES)
    create(store, name, ttl_seconds=50)
    for revision in range(2):
        append(store, name, revision, ttl_seconds=50)
    states = f"guncamera:{{{name}}}:states"
    append(store, name, 2, ttl_seconds=5000)
    assert ask(store, states, "TTL", states) > 4000, "it is counted anew from every append"
    store.delete(name)
    assert ask(store, states, "EXISTS", states) == 0
    ask(store, states, "HSET", states, 1, "of a session before")
    create(store, name)
    assert store.kept_state(name, [(0, 9)]) is None
    assert ask(store, states, "EXISTS", states) == 0
    ask(store, states, "DEL", *keys_of(name))


def test_nothing_is_kept_where_nothing_was_written(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_store, "KEEP_EVERY", 1)
    name = next(NAMES)
    create(store, name)
    append(store, name, 5)
    reveal(store, name, 5, 0)
    store.exchange(AppendChain(name, 5, [(b"entry", None)], b"state", 99))
    assert store.kept_state(name, [(0, 9)]) is None
    assert store.kept_state("nowhere", [(0, 9)]) is None
