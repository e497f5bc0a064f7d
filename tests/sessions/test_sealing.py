"""Sealing a session's orders: secret until all are in, then all at once, and safe to repeat."""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import duel
import orjson
import pytest
import watching
from duel import DUEL, Aim, Shoot, Taunt
from guncamera.rules.refusal import Illegal, Malformed, Refusal
from guncamera.rules.ruleset import Deed, Verb
from guncamera.sessions import (
    choices,
    claiming,
    codec,
    creating,
    play,
    refusals,
    sealing,
    seals,
    views,
    watch,
)
from guncamera.sessions import film as films
from guncamera.sessions.play import Submission
from guncamera.sessions.sealing import RevealAnswer, RevealCall, SealAnswer
from guncamera.sessions.session import MAX_ACTIONS, Session
from guncamera.sessions.shelf import Shelf

SECOND = 1_000_000
NOON = 1_790_000_000 * SECOND
FIRST, SECOND_SEAT, THIRD = "s0", "s1", "s2"


class Game:
    """A duel in the store, and a clock that stands still until it is moved."""

    def __init__(self, shelf: Shelf, *, seats: int = 2, **fields: Any) -> None:
        self.shelf = shelf
        self.now = NOON
        creation = creating.Creation(DUEL, duel.Setup(seats=seats), {}, **fields)
        self.id = creating.create(shelf, self.now, creation)[0].record.id

    def clock(self) -> int:
        return self.now

    def seal(
        self, seat: str, at: int = 1, *, order: Any = None, verb: Verb = Verb.MOVE, **fields: Any
    ) -> SealAnswer:
        return sealing.seal(
            self.shelf, self.clock, self._call(seat, order or Aim(at), verb, fields)
        )[0]

    def act(self, seat: str, verb: Verb, order: Any, **fields: Any) -> play.Acted:
        return play.act(self.shelf, self.clock, self._call(seat, order, verb, fields))

    def reveal(self, **fields: Any) -> RevealAnswer:
        return sealing.reveal(self.shelf, self.clock, RevealCall(self.id, **fields))[0]

    def _call(self, seat: str, order: Any, verb: Verb, fields: dict[str, Any]) -> Submission:
        if fields.get("request_id"):
            fields.setdefault("fingerprint", f"{seat} {order}")
        return Submission(self.id, "duel", verb, order, seat=seat, **fields)

    @property
    def session(self) -> Session:
        return self.shelf.load(self.id)

    @property
    def ledger(self) -> list[tuple[str, Any]]:
        actions = self.shelf.actions(self.session, after_revision=0, limit=500)
        assert [one.revision for one in actions] == list(range(1, self.session.revision + 1))
        return [(one.seat, getattr(one.order, "at", None)) for one in actions]


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[str, Shelf]]:
    with duel.own_store() as store:
        yield store


@pytest.fixture(scope="module")
def shelf(store: tuple[str, Shelf]) -> Shelf:
    return store[1]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with duel.registered(DUEL):
        yield


@pytest.fixture
def game(shelf: Shelf) -> Game:
    return Game(shelf)


def refused(game: Game, kind: type[Refusal], call: Any) -> Any:
    """The refusal of a call, which must have written nothing."""
    before = game.session
    with pytest.raises(kind) as caught:
        call()
    assert game.session == before
    assert game.session.seals == before.seals
    return caught.value


def test_a_seal_leaves_revision_and_ledger_alone_and_shows_only_who(game: Game) -> None:
    answer = game.seal(FIRST, 5)
    assert answer == SealAnswer(FIRST, 0, (SECOND_SEAT,), revealed=False)
    session = game.session
    assert (session.revision, session.etag, game.ledger) == (0, '"0"', [])
    assert seals.sealed_seats(session) == (FIRST,)
    assert seals.sealed_order(session, FIRST) == (Verb.MOVE, Aim(5))
    assert seals.sealed_order(session, SECOND_SEAT) is None
    assert seals.sealed_order(session, None) is None
    assert session.state.active_seats == (FIRST, SECOND_SEAT), "it may still be amended"
    assert "5" not in repr(session).partition("seals")[2]


def test_the_last_seal_reveals_all_in_the_order_of_the_rule_set(shelf: Shelf) -> None:
    game = Game(shelf, seats=3)
    assert game.seal(THIRD, 1).waiting_seats == (FIRST, SECOND_SEAT)
    assert game.seal(FIRST, 2).waiting_seats == (SECOND_SEAT,)
    assert game.seal(SECOND_SEAT, 3) == SealAnswer(SECOND_SEAT, 0, (), revealed=True)
    assert game.ledger == [(THIRD, 1), (SECOND_SEAT, 3), (FIRST, 2)]
    session = game.session
    assert (session.revision, session.seals, session.seal_serial) == (3, {}, 0)
    assert [one.at for one in session.state.board.aims] == [1, 3, 2]
    assert session.state.changed_micros == NOON


def test_an_answer_depends_on_nothing_that_others_sealed(shelf: Shelf) -> None:
    answers = []
    for others in (1, 6):
        game = Game(shelf, seats=3)
        game.seal(FIRST, others)
        game.seal(SECOND_SEAT, others)
        answers.append([game.seal(THIRD, 2, expected_revision=0), game.session.revision])
    assert answers[0] == answers[1]


def test_an_order_may_be_amended_until_the_reveal(game: Game) -> None:
    for at in (1, 2, 6):
        assert game.seal(FIRST, at).waiting_seats == (SECOND_SEAT,)
    game.seal(SECOND_SEAT, 4)
    assert game.ledger == [(SECOND_SEAT, 4), (FIRST, 6)]
    # The phase is over: what comes now is no amendment.
    refused(game, refusals.SeatNotActive, lambda: game.seal(SECOND_SEAT, 1))
    refused(game, refusals.NothingToSeal, lambda: game.seal(FIRST, 1))


def test_turns_follow_each_other(game: Game) -> None:
    for turn in range(3):
        game.seal(SECOND_SEAT, 2)
        game.seal(FIRST, 1)
        assert game.session.revision == 3 * turn + 2
        game.act(FIRST, Verb.FIRE, Shoot())
    session = game.session
    assert session.finished
    assert session.state.board.history == (2, 1) * 3
    assert seals.sealed_verb(session) is None
    refused(game, refusals.SessionFinished, lambda: game.seal(FIRST, 1))
    actions = tuple(game.shelf.actions(session, after_revision=0, limit=500))
    film = films.Film(session.record, actions, session.state.result)
    assert films.replay(film).differences == ()
    assert films.check_dice(film).differences == ()


def test_a_phase_with_seals_refuses_the_open_verb_and_the_other_way_round(game: Game) -> None:
    found = refused(game, refusals.SealRequired, lambda: game.act(FIRST, Verb.MOVE, Aim(1)))
    assert "SealOrder" in found.message
    refused(
        game,
        refusals.NothingToSeal,
        lambda: game.seal(FIRST, order=Taunt(), verb=Verb.DAMAGE),
    )
    previewed = Submission(game.id, "duel", Verb.MOVE, Aim(1), seat=FIRST)
    refused(game, refusals.SealRequired, lambda: play.preview(game.shelf, previewed))
    game.seal(FIRST, 1)
    game.seal(SECOND_SEAT, 1)
    refused(game, refusals.NothingToSeal, lambda: game.seal(FIRST, 1))
    refused(game, Illegal, lambda: game.act(FIRST, Verb.MOVE, Aim(1)))


def test_an_action_before_the_reveal_takes_the_seals_back(game: Game) -> None:
    game.seal(FIRST, 1)
    game.act(SECOND_SEAT, Verb.DAMAGE, Taunt())
    session = game.session
    assert (session.revision, session.seals, session.seal_serial) == (1, {}, 0)
    assert game.seal(SECOND_SEAT, 2).waiting_seats == (FIRST,)
    game.seal(FIRST, 3)
    assert game.ledger == [(SECOND_SEAT, None), (SECOND_SEAT, 2), (FIRST, 3)]


def test_the_checks_come_in_the_documented_order(game: Game) -> None:
    """Each call is wrong in every later way too; the first fault answers."""
    wrong = {"expected_revision": 9}
    _, token, _ = claiming.claim(game.shelf, game.id, FIRST)
    lost = Submission("no-such", "other", Verb.FIRE, Shoot(), seat=FIRST, **wrong)
    with pytest.raises(Malformed):
        sealing.seal(game.shelf, game.clock, replace(lost, request_id="short"))
    with pytest.raises(refusals.SessionNotFound):
        sealing.seal(game.shelf, game.clock, lost)
    refused(game, refusals.SeatUnknown, lambda: game.seal(FIRST, 9, token="gcs_wrong", **wrong))
    refused(game, refusals.SeatForbidden, lambda: game.seal(FIRST, 9, **wrong))
    refused(game, refusals.EtagMismatch, lambda: game.seal(FIRST, 9, token=token, **wrong))
    mine = Submission(game.id, "other", Verb.DAMAGE, Taunt(), seat=FIRST, token=token)
    refused(game, Malformed, lambda: sealing.seal(game.shelf, game.clock, mine))
    open_verb = replace(mine, slug="duel")
    refused(game, refusals.NothingToSeal, lambda: sealing.seal(game.shelf, game.clock, open_verb))
    illegal = refused(game, Illegal, lambda: game.seal(FIRST, 9, token=token))
    assert (illegal.rule_id, illegal.facts) == ("DUE-1.2", {"at": 9})
    game.seal(FIRST, 1, token=token)
    game.seal(SECOND_SEAT, 1)
    refused(game, refusals.SeatNotActive, lambda: game.seal(SECOND_SEAT, 9))


def test_the_etag_is_that_of_the_revision_and_seals_do_not_change_it(game: Game) -> None:
    game.seal(FIRST, 1, expected_revision=0)
    game.seal(FIRST, 2, expected_revision=0)
    game.seal(SECOND_SEAT, 2, expected_revision=0)
    refused(game, refusals.EtagMismatch, lambda: game.seal(FIRST, 2, expected_revision=0))


def test_a_retry_gets_the_same_answer_and_seals_nothing(game: Game) -> None:
    early, last = str(uuid.uuid4()), str(uuid.uuid4())
    first = game.seal(FIRST, 1, request_id=early, expected_revision=0)
    game.seal(FIRST, 6)
    assert game.seal(FIRST, 1, request_id=early, expected_revision=0) == first
    assert seals.sealed_order(game.session, FIRST) == (Verb.MOVE, Aim(6)), "no amendment"
    revealed = game.seal(SECOND_SEAT, 2, request_id=last)
    assert revealed.revealed
    game.act(FIRST, Verb.FIRE, Shoot())
    assert game.seal(FIRST, 1, request_id=early, expected_revision=0) == first
    assert game.seal(SECOND_SEAT, 2, request_id=last) == revealed
    assert game.session.seals == {}, "a retry seals nothing in the next turn either"
    assert game.session.revision == 3


def test_a_request_id_with_another_content_is_refused_across_calls(game: Game) -> None:
    sealed, acted = str(uuid.uuid4()), str(uuid.uuid4())
    game.seal(FIRST, 1, request_id=sealed)
    for at in (1, 2):
        refused(
            game,
            refusals.RequestIdReused,
            lambda n=at: game.seal(FIRST, n, request_id=sealed, fingerprint="x"),
        )
    refused(
        game,
        refusals.RequestIdReused,
        lambda: game.act(FIRST, Verb.DAMAGE, Taunt(), request_id=sealed),
    )
    refused(game, refusals.RequestIdReused, lambda: game.reveal(request_id=sealed, fingerprint="x"))
    game.act(SECOND_SEAT, Verb.DAMAGE, Taunt(), request_id=acted)
    refused(game, refusals.RequestIdReused, lambda: game.seal(SECOND_SEAT, 1, request_id=acted))


def test_a_check_beforehand_writes_nothing(game: Game) -> None:
    call = Submission(game.id, "duel", Verb.MOVE, Aim(2), seat=FIRST)
    before = game.session
    assert sealing.check_seal(before, call).waiting_seats == (SECOND_SEAT,)
    assert game.session.seals == {}
    with pytest.raises(Illegal):
        sealing.check_seal(before, replace(call, order=Aim(7)))


def test_legal_orders_are_those_of_the_sealed_verb_before_and_after_sealing(game: Game) -> None:
    listed = list(choices.legal_orders(game.session, FIRST))
    assert [one.verb for one in listed] == [Verb.MOVE] * 6
    game.seal(FIRST, 1)
    game.seal(FIRST, 4)
    assert list(choices.legal_orders(game.session, FIRST)) == listed
    assert list(choices.legal_orders(game.session, SECOND_SEAT)) == listed


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (duel.ASKS_FOR_DICE, "DUE-9.1 asks for dice under a seal"),
        (duel.BREAKS, "ValueError over a sealed order in _rule_on_aim"),
    ],
)
def test_a_rule_that_breaks_the_contract_is_a_fault_without_the_order_in_it(
    game: Game, at: int, message: str
) -> None:
    with pytest.raises(AssertionError, match=message) as caught:
        game.seal(FIRST, at)
    assert str(at) not in "".join(traceback.format_exception(caught.value))
    assert game.session.seals == {}


@pytest.mark.parametrize("at", [duel.REFUSES_LATER, duel.BREAKS_LATER])
def test_an_order_that_fails_at_the_reveal_leaves_everything_as_it_was(game: Game, at: int) -> None:
    game.seal(FIRST, at)
    with pytest.raises(AssertionError) as caught:
        game.seal(SECOND_SEAT, 1)
    assert str(at) not in "".join(traceback.format_exception(caught.value))
    session = game.session
    assert (session.revision, tuple(session.seals), game.ledger) == (0, (FIRST,), [])
    game.seal(FIRST, 2)
    assert game.seal(SECOND_SEAT, 1).revealed, "an amendment is the way out"


def test_a_reveal_order_that_loses_a_seat_is_a_fault(game: Game) -> None:
    careless = replace(DUEL, reveal_order=lambda _board, seats, _book: seats[:1])
    with duel.registered(careless):
        game = Game(game.shelf)
        game.seal(FIRST, 1)
        with pytest.raises(AssertionError, match="reveal_order"):
            game.seal(SECOND_SEAT, 1)


def test_a_ledger_without_room_for_the_reveal_takes_no_seal(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "MAX_ACTIONS", 1)
    refused(game, refusals.LedgerFull, lambda: game.seal(FIRST, 1))
    monkeypatch.setattr(play, "MAX_ACTIONS", 2)
    game.seal(FIRST, 1)
    assert game.seal(SECOND_SEAT, 1).revealed
    assert MAX_ACTIONS > 2


def test_an_amendment_that_comes_with_the_reveal_is_not_carried_into_the_next_phase(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was sealed while the call was on its way, it was meant for that revision."""
    game.seal(FIRST, 1)
    write = game.shelf.store.seal

    def slow(session_id: str, **fields: Any) -> Any:
        monkeypatch.undo()
        game.seal(SECOND_SEAT, 1)
        game.act(FIRST, Verb.FIRE, Shoot())  # which opens the next turn, where all seal again
        return write(session_id, **fields)

    monkeypatch.setattr(game.shelf.store, "seal", slow)
    with pytest.raises(refusals.EtagMismatch):
        game.seal(FIRST, 6)
    assert game.session.seals == {}
    assert game.ledger == [(SECOND_SEAT, 1), (FIRST, 1), (FIRST, None)]


# The deadline.


@pytest.fixture
def timed(shelf: Shelf) -> Game:
    return Game(shelf, seats=3, seal_seconds=90)


def test_a_deadline_reveals_with_the_rule_sets_order_for_those_who_are_late(timed: Game) -> None:
    timed.seal(SECOND_SEAT, 6)
    timed.now += 89 * SECOND + 1
    early = refused(timed, refusals.RevealNotDue, timed.reveal)
    assert (early.facts, early.retry_after_seconds) == ({"seconds_left": 1}, 1)
    timed.now += SECOND - 1
    request_id = str(uuid.uuid4())
    fields = {"request_id": request_id, "fingerprint": "f"}
    answer = timed.reveal(**fields)
    assert answer == RevealAnswer(1, 3, (FIRST, THIRD))
    assert timed.ledger == [(THIRD, duel.DEFAULT), (SECOND_SEAT, 6), (FIRST, duel.DEFAULT)]
    actions = timed.shelf.actions(timed.session, after_revision=0, limit=500)
    assert [one.by_default for one in actions] == [True, False, True]
    assert [b"by_default" in codec.encode_action(one) for one in actions] == [True, False, True]
    assert timed.session.state.changed_micros == timed.now
    timed.act(FIRST, Verb.FIRE, Shoot())
    assert timed.reveal(**fields) == answer, "also when the next phase has begun"
    assert timed.session.revision == 4


def test_that_a_seat_was_late_is_as_secret_as_the_order_it_got(shelf: Shelf) -> None:
    def deed_for(deed: Deed, _board: Any, seat: str | None) -> Deed:
        return deed if deed.seat == seat else replace(deed, order=None, outcome=None, trace=())

    with duel.registered(replace(DUEL, deed_for=deed_for)):
        game = Game(shelf, seal_seconds=90)
        game.seal(FIRST, 6)
        game.now += 90 * SECOND
        game.reveal()
        actions = game.shelf.actions(game.session, after_revision=0, limit=500)
        told = {
            viewer: [
                views.entry_for(shelf, game.session, one, viewer).by_default for one in actions
            ]
            for viewer in (SECOND_SEAT, FIRST, None)
        }
    assert told == {SECOND_SEAT: [True, False], FIRST: [False, False], None: [False, False]}


def test_the_deadline_counts_from_the_last_action(timed: Game) -> None:
    timed.now += 60 * SECOND
    timed.act(FIRST, Verb.DAMAGE, Taunt())
    timed.now += 60 * SECOND
    timed.seal(FIRST, 1)
    assert refused(timed, refusals.RevealNotDue, timed.reveal).facts == {"seconds_left": 30}
    assert seals.reveal_micros(timed.session) == NOON + 150 * SECOND
    timed.now += 30 * SECOND
    assert timed.reveal().late_seats == (SECOND_SEAT, THIRD)
    assert seals.reveal_micros(timed.session) is None


def test_a_late_seal_that_comes_before_the_reveal_is_taken(timed: Game) -> None:
    timed.now += 10_000 * SECOND
    timed.seal(FIRST, 1)
    timed.seal(SECOND_SEAT, 2)
    assert timed.seal(THIRD, 4).revealed
    assert timed.ledger == [(THIRD, 4), (SECOND_SEAT, 2), (FIRST, 1)]
    refused(timed, refusals.NothingToSeal, timed.reveal)


def test_nobody_need_have_sealed(timed: Game) -> None:
    timed.now += 90 * SECOND
    assert timed.reveal().late_seats == (FIRST, SECOND_SEAT, THIRD)


def test_without_a_deadline_nothing_is_revealed_early(game: Game) -> None:
    game.now += 10**6 * SECOND
    refused(game, refusals.NoSealDeadline, game.reveal)


def test_whoever_holds_a_seat_may_reveal_and_nobody_else(timed: Game) -> None:
    _, token, _ = claiming.claim(timed.shelf, timed.id, FIRST)
    refused(timed, refusals.RevealNotDue, lambda: timed.reveal(token=token))
    refused(timed, refusals.RevealNotDue, lambda: timed.reveal(seat=SECOND_SEAT))
    refused(timed, refusals.SeatForbidden, timed.reveal)
    refused(timed, refusals.SeatForbidden, lambda: timed.reveal(seat=FIRST))
    refused(timed, refusals.SeatUnknown, lambda: timed.reveal(token="gcs_wrong"))
    timed.now += 90 * SECOND
    refused(timed, refusals.SeatForbidden, timed.reveal)
    timed.reveal(token=token)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seal_seconds": -1}, "seal_seconds"),
        ({"seal_seconds": 604_801}, "seal_seconds"),
        ({"seal_seconds": 60, "ttl_seconds": 60}, "seal_seconds"),
    ],
)
def test_a_deadline_has_limits(shelf: Shelf, fields: dict[str, int], field: str) -> None:
    with pytest.raises(Malformed) as caught:
        Game(shelf, **fields)
    assert caught.value.field == field


def test_a_rule_set_without_an_order_for_the_late_has_no_deadline(shelf: Shelf) -> None:
    with duel.registered(replace(DUEL, default_order=None)) as strict:
        creation = creating.Creation(strict, duel.Setup(), {}, seal_seconds=60)
        with pytest.raises(Malformed, match="states no order"):
            creating.create(shelf, NOON, creation)


def test_a_deadline_is_part_of_what_a_repeated_create_must_repeat(shelf: Shelf) -> None:
    request_id = str(uuid.uuid4())
    game = Game(shelf, request_id=request_id, seal_seconds=60)
    assert Game(shelf, request_id=request_id, seal_seconds=60).id == game.id
    with pytest.raises(refusals.RequestIdReused):
        Game(shelf, request_id=request_id)


# What is stored.


def test_a_record_of_before_there_were_deadlines_still_loads(game: Game) -> None:
    record = game.session.record
    plain = orjson.loads(codec.encode_record(record))
    assert plain.pop("seal_seconds") == 0
    assert codec.decode_record(orjson.dumps(plain)) == record
    timed = replace(record, seal_seconds=77)
    assert codec.decode_record(codec.encode_record(timed)) == timed


# Watching.


def test_a_watch_tells_who_has_sealed_and_then_what_was_revealed(game: Game) -> None:
    stream = watching.said(watching.watched(game.shelf, game.id), 1)
    assert next(stream) == watch.Heartbeat(0)
    game.seal(FIRST, 1)
    assert next(stream) == watch.Sealed((FIRST,))
    game.act(SECOND_SEAT, Verb.DAMAGE, Taunt())
    assert next(stream).action.seat == SECOND_SEAT
    game.seal(FIRST, 2)
    assert next(stream) == watch.Sealed((FIRST,))
    game.seal(FIRST, 3)
    game.seal(SECOND_SEAT, 4)
    seen = [next(stream) for _ in range(2)]
    assert [(one.action.revision, one.action.order.at) for one in seen] == [(2, 4), (3, 3)]
    stream.close()


def test_a_watch_that_begins_late_tells_who_has_sealed_before(game: Game) -> None:
    game.seal(SECOND_SEAT, 1)
    stream = watching.said(watching.watched(game.shelf, game.id))
    assert next(stream) == watch.Sealed((SECOND_SEAT,))
    stream.close()


def test_the_revisions_of_a_reveal_have_no_gap(shelf: Shelf) -> None:
    game = Game(shelf, seats=5)
    for number in range(5):
        game.seal(f"s{number}", number + 1)
    actions = game.shelf.actions(game.session, after_revision=0, limit=9)
    assert all(two.revision == one.revision + 1 for one, two in pairwise(actions))
    assert {one.dice_source for one in actions} == {None}
