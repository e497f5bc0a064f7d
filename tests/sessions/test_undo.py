"""Undo: who may take back what, alone or by agreement; whoever reads a ledger understands it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import duel
import pytest
from duel import DUEL, Aim, Shoot, Taunt
from guncamera.rules.refusal import Illegal, Malformed, Refusal
from guncamera.rules.ruleset import Ruleset, Verb
from guncamera.sessions import (
    claiming,
    creating,
    delay,
    history,
    play,
    refusals,
    sealing,
    undoing,
    watch,
)
from guncamera.sessions import film as films
from guncamera.sessions.cursors import Cursor, read_cursor
from guncamera.sessions.keys import Scope
from guncamera.sessions.play import Submission
from guncamera.sessions.session import Action, Entry, Session, Undone
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.undoing import UndoAnswer, UndoCall
from guncamera.sessions.views import entry_for, keeps_secrets

SECOND = 1_000_000
NOON = 1_790_000_000 * SECOND
A, B, C = "s0", "s1", "s2"


class Game:
    """A duel in the store, and a clock that moves a second with each call."""

    def __init__(
        self, shelf: Shelf, *, found: Ruleset = DUEL, seats: int = 2, turns: int = 3, **fields: Any
    ) -> None:
        self.shelf = shelf
        self.now = NOON
        self.found = found
        creation = creating.Creation(found, duel.Setup(seats, turns), {}, **fields)
        self.id = creating.create(shelf, self.now, creation)[0].record.id

    def clock(self) -> int:
        self.now += SECOND
        return self.now

    def act(self, seat: str, verb: Verb, order: Any, **fields: Any) -> Action:
        call = Submission(self.id, self.found.slug, verb, order, seat=seat, **fields)
        return play.act(self.shelf, self.clock, call).action

    def taunt(self, seat: str = A) -> Action:
        """Open, and without dice."""
        return self.act(seat, Verb.DAMAGE, Taunt())

    def shoot(self) -> Action:
        """A die falls."""
        return self.act(A, Verb.FIRE, Shoot())

    def seal(self, seat: str, at: int = 1) -> sealing.SealAnswer:
        call = Submission(self.id, self.found.slug, Verb.MOVE, Aim(at), seat=seat)
        return sealing.seal(self.shelf, self.clock, call)[0]

    def aim(self) -> None:
        """Every seat seals, and all are revealed."""
        for nth, seat in enumerate(self.session.state.active_seats, start=1):
            self.seal(seat, nth)

    def undo(self, seat: str = A, back: int | None = None, **fields: Any) -> UndoAnswer:
        call = UndoCall(self.id, back, seat=seat, **fields)
        return undoing.undo(self.shelf, self.clock, call)[0]

    def agree(self, back: int) -> UndoAnswer:
        """Every seat wants to go back."""
        for seat in self.session.record.seats:
            answer = self.undo(seat.id, back, by_agreement=True)
        return answer

    @property
    def session(self) -> Session:
        return self.shelf.load(self.id)

    @property
    def board(self) -> Any:
        return self.session.state.board

    @property
    def entries(self) -> tuple[Entry, ...]:
        found = tuple(self.shelf.actions(self.session, after_revision=0, limit=500))
        assert [one.revision for one in found] == list(range(1, self.session.revision + 1))
        return found

    def film(self) -> films.Film:
        session = self.session
        return films.Film(session.record, self.entries, session.state.result)


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with duel.registered(DUEL):
        yield


@pytest.fixture
def game(shelf: Shelf) -> Game:
    return Game(shelf)


def refused(game: Game, kind: type[Refusal], call: Callable[[], Any]) -> Any:
    """The refusal of a call, which must have written nothing."""
    before = game.session
    with pytest.raises(kind) as caught:
        call()
    assert game.session == before
    assert game.session.seals == before.seals
    return caught.value


def cause(game: Game, kind: type[Refusal], call: Callable[[], Any]) -> tuple[Any, Any]:
    facts = refused(game, kind, call).facts
    return facts["cause"], facts.get("revision")


# ---- Alone


def test_a_seat_takes_its_own_actions_back_and_the_ledger_grows(game: Game) -> None:
    opening = game.board
    game.taunt()
    game.taunt()
    answer = game.undo(back=0)
    assert answer == UndoAnswer(A, 0, (A,), (), 3)
    session, entries = game.session, game.entries
    assert (session.revision, session.etag, session.state.board) == (3, '"3"', opening)
    assert session.state.undos == ((3, 0),)
    assert session.state.changed_micros == game.now
    assert entries[-1] == Undone(
        3, A, 0, (A,), "Taken back by s0: actions 1 to 2. The board is that of the opening.", 1,
        game.now,
    )  # fmt: skip
    assert [type(one) for one in entries] == [Action, Action, Undone]


def test_left_out_the_revision_is_that_before_the_last_action_in_force(game: Game) -> None:
    for _ in range(3):
        game.taunt()
    assert game.undo().to_revision == 2
    assert game.undo().to_revision == 1, "the undo itself is not what it takes back"
    game.taunt()
    assert game.undo().to_revision == 5
    assert game.undo().to_revision == 0
    assert cause(game, refusals.UndoImpossible, game.undo) == ("nothing", None)
    assert history.stretches(game.session.state.undos, game.session.revision) == []


def test_one_may_go_back_though_it_is_anothers_turn(shelf: Shelf) -> None:
    found = replace(DUEL, sealed_verb=lambda _board: None)
    with duel.registered(found):
        game = Game(shelf, found=found)
        game.act(A, Verb.MOVE, Aim(1))
        assert game.session.state.active_seats == (B,)
        refused(game, refusals.SeatNotActive, lambda: game.taunt(A))
        assert game.undo(A).agreed_seats == (A,)
        assert game.session.state.active_seats == (A, B)


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        (["taunt A", "taunt B"], ("other-seat", 2)),
        (["taunt B", "taunt A"], ("other-seat", 1)),
        (["aim", "shoot"], ("reveal", 1)),
    ],
)
def test_what_is_not_for_one_seat_alone_is_refused_with_its_cause_and_a_way_out(
    game: Game, moves: list[str], found: tuple[str, int]
) -> None:
    for move in moves:
        name, _, seat = move.partition(" ")
        getattr(game, name)(*([{"A": A, "B": B}[seat]] if seat else []))
    seat = B if found[0] == "reveal" else A  # whose order was revealed first
    assert cause(game, refusals.UndoNeedsAgreement, lambda: game.undo(seat, 0)) == found
    caught = refused(game, refusals.UndoNeedsAgreement, lambda: game.undo(seat, 0))
    assert "by_agreement" in caught.message


def test_dice_are_not_for_one_seat_alone(game: Game) -> None:
    game.aim()
    game.shoot()
    assert cause(game, refusals.UndoNeedsAgreement, game.undo) == ("dice", 3)
    game.taunt()
    assert cause(game, refusals.UndoNeedsAgreement, lambda: game.undo(A, 2)) == ("dice", 3)
    assert game.undo(A, 3).to_revision == 3, "what came after the die is one's own"
    assert cause(game, refusals.UndoNeedsAgreement, lambda: game.undo(A, 2)) == ("dice", 3)


def test_what_was_taken_back_counts_all_the_same(game: Game) -> None:
    """Or a seat could change what it did once it has seen what others would do."""
    game.taunt(A)
    game.taunt(B)
    assert game.undo(B).to_revision == 1
    found = cause(game, refusals.UndoNeedsAgreement, lambda: game.undo(A, 0))
    assert found == ("other-seat", 2)


def test_where_nobody_else_could_agree_dice_stand(shelf: Shelf) -> None:
    game = Game(shelf, seats=1)
    game.seal(A)
    assert cause(game, refusals.UndoImpossible, game.undo) == ("reveal", 1)
    game.shoot()
    found = cause(game, refusals.UndoImpossible, lambda: game.undo(A, by_agreement=True))
    assert found == ("dice", 2)
    game.taunt()
    assert game.undo().to_revision == 2, "the rest is taken back as ever"
    game.seal(A)
    assert cause(game, refusals.UndoImpossible, game.undo) == ("reveal", 5)


# ---- Not at all


@pytest.mark.parametrize("back", [-1, 2, 3, 2**31 - 1])
def test_a_revision_that_is_none_before_the_last_is_malformed(game: Game, back: int) -> None:
    game.taunt()
    game.taunt()
    assert refused(game, Malformed, lambda: game.undo(A, back)).field == "to_revision"


def test_an_undo_is_not_undone(game: Game) -> None:
    for _ in range(3):
        game.taunt()
    game.undo(A, 1)
    for back in (2, 3):
        found = cause(game, refusals.UndoImpossible, lambda: game.undo(A, back))  # noqa: B023
        assert found == ("taken-back", None)
    assert cause(game, refusals.UndoImpossible, lambda: game.undo(A, 1)) == ("nothing", None)
    game.taunt()
    assert game.undo(A, 4).to_revision == 4, "the revision of an undo is as good as any"


def test_a_reveal_is_taken_back_whole_or_not_at_all(shelf: Shelf) -> None:
    game = Game(shelf, seats=3)
    game.aim()
    game.shoot()
    game.aim()
    for back in (1, 2, 5, 6):
        call = UndoCall(game.id, back, by_agreement=True, seat=A)
        found = cause(
            game,
            refusals.UndoImpossible,
            lambda: undoing.undo(game.shelf, game.clock, call),  # noqa: B023
        )
        assert found == ("amid-reveal", None), back
    for back in (4, 3, 0):
        assert game.agree(back).to_revision == back
        assert len(game.session.state.active_seats) == (1 if back == 3 else 3)


def test_left_out_the_revision_is_that_before_the_whole_reveal(shelf: Shelf) -> None:
    game = Game(shelf, seats=3)
    game.taunt(B)
    game.aim()
    answer = game.undo(A, by_agreement=True)
    assert (answer.to_revision, answer.waiting_seats) == (1, (B, C))


def test_a_finished_game_stays_finished(shelf: Shelf) -> None:
    game = Game(shelf, turns=1)
    game.aim()
    game.shoot()
    assert game.session.finished
    refused(game, refusals.SessionFinished, lambda: game.undo(A, 0, by_agreement=True))


def test_a_session_has_only_so_many_undos(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoing, "MAX_UNDOS", 2)
    for _ in range(2):
        game.taunt()
        game.undo()
    game.taunt()
    assert cause(game, refusals.UndoImpossible, game.undo) == ("too-many", None)


def test_the_checks_come_in_the_documented_order(game: Game) -> None:
    """Each call is wrong in every later way too; the first fault answers."""
    game.taunt(B)
    _, token, _ = claiming.claim(game.shelf, game.id, A)
    wrong: dict[str, Any] = {"expected_revision": 9}
    with pytest.raises(Malformed) as caught:
        undoing.undo(game.shelf, game.clock, UndoCall("no-such", 99, request_id="short"))
    assert caught.value.field == "request_id"
    with pytest.raises(refusals.SessionNotFound):
        undoing.undo(game.shelf, game.clock, UndoCall("no-such", 99, token="gcs_x"))
    assert refused(game, Malformed, lambda: game.undo("", 99, **wrong)).field == "seat"
    refused(game, Malformed, lambda: game.undo("nobody", 99, **wrong))
    refused(game, refusals.SeatUnknown, lambda: game.undo(A, 99, token="gcs_x", **wrong))
    refused(game, refusals.SeatForbidden, lambda: game.undo(A, 99, **wrong))
    refused(game, refusals.EtagMismatch, lambda: game.undo("", 99, token=token, **wrong))
    refused(game, Malformed, lambda: game.undo("", 99, token=token))
    refused(game, refusals.UndoNeedsAgreement, lambda: game.undo("", 0, token=token))
    assert game.undo(A, 0, scope=Scope.REFEREE, by_agreement=True).waiting_seats == (B,)


def test_another_rules_version_takes_nothing_back(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.taunt()
    monkeypatch.setattr(play, "is_pinned", lambda _record: False)
    refused(game, refusals.RulesVersionChanged, game.undo)


def test_a_preview_offers_and_writes_nothing(game: Game) -> None:
    game.taunt(B)
    call = UndoCall(game.id, 0, by_agreement=True, seat=A)
    before = game.session
    assert undoing.preview(game.shelf, call) == UndoAnswer(A, 0, (A,), (B,), 1)
    own = undoing.preview(game.shelf, replace(call, seat=B))
    assert own == UndoAnswer(B, 0, (B,), (), 1)
    assert game.session == before


# ---- By agreement


def test_all_seats_together_take_back_what_one_alone_may_not(shelf: Shelf) -> None:
    game = Game(shelf, seats=3)
    game.aim()
    board = game.board
    shot = game.shoot()
    assert game.undo(B, 3, by_agreement=True) == UndoAnswer(B, 3, (B,), (A, C), 4)
    session = game.session
    assert (session.revision, session.etag, session.offers) == (4, '"4"', ((B, 3),))
    assert game.undo(A, 3, by_agreement=True).waiting_seats == (C,)
    assert game.undo(C, 3, by_agreement=True) == UndoAnswer(C, 3, (A, B, C), (), 5)
    session = game.session
    assert (session.state.board, session.offers, session.seal_serial) == (board, (), 0)
    assert game.entries[-1].summary == (
        "Taken back by all seats: action 4. The board is that of revision 3."
    )
    again = game.shoot()
    assert again.revision == 6
    seed = session.record.seeds[0]
    drawn = play.drawn(session, 6, "")()
    assert seed.from_revision == 1
    assert (shot.rolls[0].purpose, again.rolls[0].purpose) == ("to-hit", "to-hit")
    drawn.roll(_ask_of(again))
    assert drawn.rolls[0].faces == again.rolls[0].faces, "bound to the new revision, so a new throw"


def _ask_of(action: Action) -> Any:
    from guncamera.rules.dice import Ask, Total

    (roll,) = action.rolls
    return Ask(roll.sides, Total(), roll.purpose, "DUE-2.1")


def test_nothing_that_was_thrown_before_tells_of_the_throw_after(shelf: Shelf) -> None:
    """Many games: the face after an undo is the face before it no more often than by chance."""
    same = 0
    for nth in range(120):
        game = Game(shelf, dice_seed=f"again {nth}")
        game.aim()
        first = game.shoot().rolls[0].faces
        game.agree(2)
        same += game.shoot().rolls[0].faces == first
    assert 5 <= same <= 40, "20 are to be expected, give or take four standard deviations"


def test_an_offer_lapses_with_the_next_action(game: Game) -> None:
    game.taunt(B)
    game.undo(A, 0, by_agreement=True)
    game.taunt(B)
    assert game.session.offers == ()
    assert game.undo(B, 0).agreed_seats == (B,)
    game.taunt(B)
    assert game.undo(A, 0, by_agreement=True).waiting_seats == (B,)


def test_offers_that_differ_do_not_add_up(game: Game) -> None:
    game.taunt(A)
    game.taunt(B)
    game.taunt(A)
    game.undo(A, 0, by_agreement=True)
    assert game.undo(B, 1, by_agreement=True).waiting_seats == (A,)
    assert game.session.offers == ((A, 0), (B, 1))
    assert game.undo(A, 1, by_agreement=True).waiting_seats == ()
    assert game.session.state.undos == ((4, 1),)


def test_a_seat_that_is_released_wants_nothing_back(game: Game) -> None:
    game.taunt(B)
    _, token, _ = claiming.claim(game.shelf, game.id, A)
    game.undo("", 0, token=token, by_agreement=True)
    serial = game.session.seal_serial
    claiming.release(game.shelf, game.id, "", token, None)
    assert game.session.offers == ()
    assert game.session.seal_serial > serial, "who has counted the offer must not go on without it"
    other = Game(game.shelf)
    other.taunt(A)
    other.undo(B, 0, by_agreement=True)
    assert other.session.offers == ((B, 0),)


def test_seals_and_offers_leave_each_other_alone_until_an_undo_takes_both(game: Game) -> None:
    game.taunt(B)
    game.seal(A, 3)
    game.undo(A, 0, by_agreement=True)
    assert game.seal(A, 4).waiting_seats == (B,)
    assert (tuple(game.session.seals), game.session.offers) == ((A,), ((A, 0),))
    game.undo(B, 0)
    assert (game.session.seals, game.session.offers, game.session.seal_serial) == ({}, (), 0)


def test_the_answer_rests_on_nothing_that_is_sealed(shelf: Shelf) -> None:
    told = []
    for sealed in (None, 1, 6):
        game = Game(shelf)
        game.taunt(A)
        if sealed:
            game.seal(B, sealed)
        preview = undoing.preview(shelf, UndoCall(game.id, 0, seat=A))
        caught = refused(game, refusals.UndoNeedsAgreement, lambda: game.undo(B, 0))  # noqa: B023
        told.append((preview, caught.message, caught.facts, game.undo(A, 0)))
    assert told[0] == told[1] == told[2]


def test_a_repeated_offer_is_answered_again_whatever_came_of_it(game: Game) -> None:
    game.taunt(B)
    mine = UndoCall(game.id, 0, True, A, request_id="offer-by-a", fingerprint="f")
    theirs = replace(mine, seat=B, request_id="offer-by-b")
    first, _ = undoing.undo(game.shelf, game.clock, mine)
    done, _ = undoing.undo(game.shelf, game.clock, theirs)
    game.taunt(A)
    assert undoing.undo(game.shelf, game.clock, mine) == (first, True)
    assert undoing.undo(game.shelf, game.clock, theirs) == (done, True)
    assert game.session.revision == 3
    with pytest.raises(refusals.RequestIdReused):
        undoing.undo(game.shelf, game.clock, replace(mine, fingerprint="other"))


# ---- At the same moment


def test_of_seats_that_agree_at_one_moment_one_finds_the_others(shelf: Shelf) -> None:
    for _ in range(20):
        game = Game(shelf, seats=3)
        game.taunt(A)
        game.taunt(B)
        answers = together([partial(game.undo, seat, 0, by_agreement=True) for seat in (A, B, C)])
        done = [one for one in answers if isinstance(one, UndoAnswer) and not one.waiting_seats]
        assert len(done) == 1, answers
        assert game.session.state.undos == ((3, 0),)


def test_what_came_meanwhile_is_not_taken_back_along(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it could be: the caller has not seen it."""
    game.taunt(A)
    reveal = game.shelf.store.reveal

    def late(*args: Any, **fields: Any) -> Any:
        monkeypatch.undo()
        game.taunt(A)
        return reveal(*args, **fields)

    monkeypatch.setattr(game.shelf.store, "reveal", late)
    with pytest.raises(refusals.EtagMismatch):
        game.undo(A, 0)
    assert (game.session.revision, game.session.state.undos) == (2, ())


def test_an_action_and_the_last_agreement_never_both_count_for_the_same_ledger(
    shelf: Shelf,
) -> None:
    for _ in range(20):
        game = Game(shelf)
        game.taunt(A)
        game.undo(B, 0, by_agreement=True)
        game.taunt(B)
        game.undo(A, 1, by_agreement=True)
        undone, _ = together([partial(game.undo, B, 1, by_agreement=True), partial(game.taunt, A)])
        session = game.session
        if isinstance(undone, refusals.EtagMismatch):
            assert session.state.undos == ()
        elif undone.waiting_seats:
            assert (session.revision, session.offers) == (3, ((B, 1),)), "after the other action"
        else:
            assert session.state.undos == ((3, 1),)
        assert films.replay(game.film()).differences == ()


def together(calls: list[Callable[[], Any]]) -> list[Any]:
    """What calls that begin at one moment return, or raise."""
    barrier, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(nth: int) -> None:
        barrier.wait()
        try:
            results[nth] = calls[nth]()
        except Refusal as refusal:
            results[nth] = refusal

    threads = [threading.Thread(target=run, args=(nth,)) for nth in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


# ---- What a ledger with undos says


def undone_game(shelf: Shelf, **fields: Any) -> Game:
    """A game with undos alone, by agreement, and within one another."""
    game = Game(shelf, **fields)
    game.taunt(A)
    game.taunt(A)
    game.undo(A, 1)
    game.aim()
    game.shoot()
    game.agree(5)
    game.shoot()
    game.taunt(B)
    game.undo(B)
    game.agree(1)
    game.aim()
    game.shoot()
    return game


def test_a_film_with_undos_is_ruled_on_again_to_the_same_end(shelf: Shelf) -> None:
    game = undone_game(shelf)
    replayed = films.replay(game.film())
    assert replayed.differences == ()
    assert replayed.state == game.session.state
    assert films.check_dice(game.film()).unrevealed == 0


SPOILS: dict[str, Callable[[list[Any]], Any]] = {
    "one seat instead of all": lambda all_: _change(all_, 7, agreed_seats=(A,)),
    "all instead of one": lambda all_: _change(all_, 3, agreed_seats=(A, B)),
    "another seat": lambda all_: _change(all_, 3, seat=B),
    "further back": lambda all_: _change(all_, 7, to_revision=3),
    "into a reveal": lambda all_: (_change(all_, 7, to_revision=4), all_.__delitem__(slice(7, 99))),
    "to nowhere": lambda all_: _change(all_, 7, to_revision=7),
    "before the beginning": lambda all_: _change(all_, 7, to_revision=-1),
    "to what was taken back": lambda all_: _change(all_, 7, to_revision=2),
    "other words": lambda all_: _change(all_, 3, summary="Nothing happened."),
    "other rules": lambda all_: _change(all_, 3, rules_version=9),
    "left out": lambda all_: all_.pop(2),
}


def _change(entries: list[Any], revision: int, **fields: Any) -> None:
    """Change an undo, and what is said of it too."""
    changed = replace(entries[revision - 1], **fields)
    said = undoing.summary_of(revision, changed.to_revision, changed.agreed_seats)
    entries[revision - 1] = replace(changed, **{"summary": said, **fields})


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_a_film_whose_undos_were_not_allowed_does_not_hold(
    shelf: Shelf, spoil: Callable[[list[Any]], Any]
) -> None:
    film = undone_game(shelf).film()
    entries = list(film.actions)
    spoil(entries)
    assert films.replay(replace(film, actions=tuple(entries))).differences != ()


def test_every_state_of_before_is_made_again_from_what_was_in_force(shelf: Shelf) -> None:
    game = undone_game(shelf)
    session = game.session
    states = {0: history.opening(session.record)}
    for entry in game.entries:
        states[entry.revision] = undoing.state_after(
            session.record, states[entry.revision - 1], entry, states
        )
    assert states[session.revision] == session.state
    for revision, state in states.items():
        for _ in range(2):  # and once more from memory
            assert history.state_at(shelf, session, revision) == state


def test_what_is_in_force_agrees_with_a_ledger_that_is_cut() -> None:
    chance = Random("in force")
    for _ in range(300):
        undos: list[tuple[int, int]] = []
        standing: list[int] = []  # revisions of the actions in force
        by_revision: dict[int, list[int]] = {0: []}
        reached: dict[int, set[int]] = {0: {0}}
        for revision in range(1, chance.randint(2, 30)):
            back = chance.choice(sorted(reached[revision - 1]))
            if standing and chance.random() < 0.35 and by_revision[back] != standing:
                undos.append((revision, back))
                standing = list(by_revision[back])
                reached[revision] = {*reached[back], revision}
            else:
                standing = [*standing, revision]
                reached[revision] = {*reached[revision - 1], revision}
            by_revision[revision] = standing
        found = tuple(undos)
        last = max(by_revision)
        for at, in_force in by_revision.items():
            stretches = history.stretches(found, at)
            assert [n for after, upto in stretches for n in range(after + 1, upto + 1)] == in_force
            assert history.last_in_force(found, at) == (in_force[-1] if in_force else 0)
            assert {n for n in by_revision if history.stands(found, at, n)} == reached[at]
        for revision in range(1, last + 1):
            took = history.taken_back_at(found, revision)
            if revision not in dict(undos):
                gone = [at for at in range(revision, last + 1) if revision not in by_revision[at]]
                assert took == (gone[0] if gone else None)


# ---- Who looks on


def test_a_watch_tells_offers_and_undos_once_and_goes_on_from_anywhere(game: Game) -> None:
    game.taunt(B)
    said: list[Any] = []
    at: Cursor | int = 0

    def hear() -> list[Any]:
        nonlocal at
        view = delay.view_of(game.shelf, game.session, None, game.clock)
        polled = watch.poll(_watched(game), view, at, limit=50, wait_seconds=0)
        at = read_cursor(str(polled.cursor))
        assert len(str(polled.cursor)) <= 64
        said.extend(one.said for one in polled.told)
        return [one.said for one in polled.told]

    assert [type(one) for one in hear()] == [watch.Seen]
    game.undo(A, 0, by_agreement=True)
    assert hear() == [watch.Offered(((A, 0),))]
    assert hear() == []
    game.undo(A, 0, by_agreement=True)
    assert hear() == [], "the same again is no news"
    game.seal(B)
    assert hear() == [watch.Sealed((B,))]
    game.undo(B, 0)
    (seen,) = hear()
    assert isinstance(seen.action, Undone)
    assert seen.view.session.state.board == history.opening(seen.view.session.record).board
    assert hear() == []


def test_an_offer_that_goes_with_its_seat_is_told(game: Game) -> None:
    game.taunt(B)
    game.undo(A, 0, by_agreement=True)
    view = delay.view_of(game.shelf, game.session, None, game.clock)
    at = watch.poll(_watched(game), view, 0, limit=50, wait_seconds=0).cursor
    _, token, _ = claiming.claim(game.shelf, game.id, A)
    claiming.release(game.shelf, game.id, "", token, None)
    view = delay.view_of(game.shelf, game.session, None, game.clock)
    (told,) = watch.poll(_watched(game), view, at, limit=50, wait_seconds=0).told
    assert told.said == watch.Offered(())


def _watched(game: Game) -> watch.Watched:
    return watch.Watched(
        game.shelf,
        game.id,
        lambda: delay.view_of(game.shelf, game.session, None, game.clock),
        game.clock,
        lambda: False,
    )


def test_spectators_who_are_behind_see_each_state_of_then_and_no_offers(shelf: Shelf) -> None:
    game = undone_game(shelf, spectator_delay_seconds=30)
    session = game.session
    states = {0: history.opening(session.record)}
    for entry in game.entries:
        states[entry.revision] = undoing.state_after(
            session.record, states[entry.revision - 1], entry, states
        )
    last = {entry.create_micros: entry for entry in game.entries}  # a reveal has one time
    for entry in last.values():
        moment = entry.create_micros + 30 * SECOND
        for late in (moment, moment + SECOND // 2):
            seen = delay.view_of(shelf, session, None, lambda: late).session  # noqa: B023
            assert (seen.revision, seen.state) == (entry.revision, states[entry.revision])
    game.undo(B, 1, by_agreement=True)
    assert game.session.offers == ((B, 1),)
    for moment in (game.now, game.now + 3600 * SECOND):
        seen = delay.view_of(shelf, game.session, None, lambda: moment).session  # noqa: B023
        assert seen.offers == ()


# ---- What is hidden


def veiled(board: duel.Board, seat: str | None) -> bool:
    """Whether somebody has aimed and nobody has fired, which is then nobody else's business."""
    return bool(board.aims) and seat != A


HIDING = replace(
    DUEL,
    slug="duel",
    sealed_verb=lambda _board: None,
    keeps_secrets=veiled,
    deed_for=lambda deed, board, seat: (
        replace(deed, order=None, outcome=None, events=(), summary="Something is done.")
        if deed.verb is Verb.MOVE and veiled(board, seat)
        else deed
    ),
)


@pytest.fixture
def hiding(shelf: Shelf) -> Iterator[Game]:
    with duel.registered(HIDING):
        yield Game(shelf, found=HIDING, seats=2)


def seen_by(game: Game, revision: int, seat: str | None) -> Any:
    session = game.session
    return entry_for(game.shelf, session, game.shelf.action(session, revision), seat)


def test_where_something_is_hidden_nobody_takes_back_alone(hiding: Game) -> None:
    """Also one's own, and also before: a ruling may tell of what is hidden by finding nothing."""
    hiding.taunt(A)
    assert hiding.undo(A, 0).agreed_seats == (A,)
    hiding.act(A, Verb.MOVE, Aim(3))
    found = cause(hiding, refusals.UndoNeedsAgreement, lambda: hiding.undo(A))
    assert found == ("secrets", 3)


def test_what_is_taken_back_stays_hidden_from_whom_it_was_hidden(hiding: Game) -> None:
    hiding.act(A, Verb.MOVE, Aim(3))
    secret = seen_by(hiding, 1, A)
    assert secret.order == Aim(3)
    assert seen_by(hiding, 1, B).order is None
    hiding.agree(0)
    assert not veiled(hiding.board, B), "the board of now hides nothing"
    assert seen_by(hiding, 1, A) == secret
    for viewer in (B, None):
        assert seen_by(hiding, 1, viewer).order is None
        assert seen_by(hiding, 1, viewer).summary == "Something is done."
        assert keeps_secrets(hiding.session, viewer), "a film would show it"
    assert not keeps_secrets(hiding.session, A)
    assert hiding.session.state.kept_from == ("", B)
    hiding.taunt(B)
    assert seen_by(hiding, 1, B).order is None, "whatever is done afterwards"
    assert hiding.session.state.kept_from == ("", B)
    assert films.replay(hiding.film()).state == hiding.session.state


def test_each_of_several_undos_shows_its_own_by_the_board_that_it_took_back(hiding: Game) -> None:
    """The second one takes back to before the first, whose secret its own board does not know."""
    hiding.taunt(A)
    hiding.act(A, Verb.MOVE, Aim(3))
    hiding.agree(1)
    hiding.taunt(B)
    hiding.agree(0)
    assert seen_by(hiding, 2, B).order is None
    assert seen_by(hiding, 1, B).order == Taunt()


def test_what_had_been_revealed_is_no_secret_because_it_is_taken_back(hiding: Game) -> None:
    hiding.act(A, Verb.MOVE, Aim(3))
    hiding.act(B, Verb.MOVE, Aim(4))
    hiding.shoot()
    hiding.agree(0)
    assert seen_by(hiding, 1, B).order == Aim(3)
    assert not keeps_secrets(hiding.session, B)


def test_when_the_game_is_over_everything_lies_open(shelf: Shelf) -> None:
    with duel.registered(HIDING):
        game = Game(shelf, found=HIDING, turns=1)
        game.act(A, Verb.MOVE, Aim(3))
        game.agree(0)
        game.act(A, Verb.MOVE, Aim(4))
        game.act(B, Verb.MOVE, Aim(5))
        game.shoot()
        assert game.session.finished
        assert seen_by(game, 1, None).order == Aim(3)
        assert not keeps_secrets(game.session, None)
        assert films.check_dice(game.film()).differences == ()
        assert films.replay(game.film()).differences == ()


def test_a_retry_shows_what_the_first_answer_did_though_it_is_hidden_or_open_by_now(
    shelf: Shelf,
) -> None:
    """B's own aim is hidden from B itself while it is worth something, by these rules."""
    with duel.registered(HIDING):
        game = Game(shelf, found=HIDING, turns=1)
        game.act(A, Verb.MOVE, Aim(3))
        call = Submission(
            game.id, "duel", Verb.MOVE, Aim(4), seat=B, request_id="aim-of-b", fingerprint="f"
        )
        first = play.act(shelf, game.clock, call)
        shown = _shown(first)
        assert shown.order is None
        game.shoot()
        assert game.session.finished
        assert seen_by(game, 2, B).order == Aim(4)
        again = play.act(shelf, game.clock, call)
        assert again.replayed
        assert _shown(again) == shown


def _shown(acted: play.Acted) -> Any:
    from guncamera.sessions.views import action_for

    return action_for(acted.session, acted.action, acted.action.seat)


def test_an_order_that_was_legal_before_is_legal_again(game: Game) -> None:
    game.aim()
    refused(game, Illegal, lambda: game.act(A, Verb.MOVE, Aim(1)))
    game.agree(0)
    game.aim()
    assert game.session.revision == 5
