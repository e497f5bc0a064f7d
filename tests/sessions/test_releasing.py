"""Releasing a seat: what it sealed is dropped, and whoever comes next finds a free seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duel
import pytest
import watching
from duel import DUEL, Aim
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Verb
from guncamera.sessions import claiming, creating, refusals, sealing, watch
from guncamera.sessions.keys import Scope
from guncamera.sessions.play import Submission
from guncamera.sessions.shelf import Shelf

NOON = 1_790_000_000_000_000


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with duel.registered(DUEL):
        yield


@pytest.fixture
def game(shelf: Shelf) -> tuple[str, dict[str, str]]:
    """A duel of two, and the token of each seat."""
    creation = creating.Creation(DUEL, duel.Setup(seats=2), {})
    session_id = creating.create(shelf, NOON, creation)[0].record.id
    return session_id, {seat: claiming.claim(shelf, session_id, seat)[1] for seat in ("s0", "s1")}


def seal(shelf: Shelf, session_id: str, token: str, at: int, **fields: Any) -> Any:
    call = Submission(session_id, "duel", Verb.MOVE, Aim(at), token=token, **fields)
    return sealing.seal(shelf, lambda: NOON, call)[0]


def test_what_a_released_seat_sealed_is_not_revealed(
    shelf: Shelf, game: tuple[str, dict[str, str]]
) -> None:
    session_id, tokens = game
    seal(shelf, session_id, tokens["s0"], 1)
    session, seat, _ = claiming.release(shelf, session_id, "", tokens["s0"], None)
    assert (seat, session.claims.keys(), dict(session.seals)) == ("s0", {"s1"}, {})
    answer = seal(shelf, session_id, tokens["s1"], 2)
    assert (answer.waiting_seats, answer.revealed) == (("s0",), False)
    again = claiming.claim(shelf, session_id, "s0")[1]
    assert seal(shelf, session_id, again, 3).revealed
    actions = shelf.actions(shelf.load(session_id), after_revision=0, limit=9)
    assert {(one.seat, one.order.at) for one in actions} == {("s0", 3), ("s1", 2)}


def test_a_watcher_is_told_that_a_seal_has_gone(
    shelf: Shelf, game: tuple[str, dict[str, str]]
) -> None:
    session_id, tokens = game
    seal(shelf, session_id, tokens["s0"], 1)
    seen = watching.said(watching.watched(shelf, session_id))
    assert next(seen) == watch.Sealed(("s0",))
    claiming.release(shelf, session_id, "s0", None, Scope.REFEREE)
    assert next(seen) == watch.Sealed(())


def test_a_seal_is_not_repeated_to_a_released_seat(
    shelf: Shelf, game: tuple[str, dict[str, str]]
) -> None:
    session_id, tokens = game
    retry = {"request_id": "first-seal", "fingerprint": "the same"}
    first = seal(shelf, session_id, tokens["s0"], 1, **retry)
    assert seal(shelf, session_id, tokens["s0"], 1, **retry) == first
    claiming.release(shelf, session_id, "", tokens["s0"], None)
    with pytest.raises(refusals.SeatUnknown):
        seal(shelf, session_id, tokens["s0"], 1, **retry)


@pytest.mark.parametrize(
    ("named", "by", "scope", "refused"),
    [
        ("", None, Scope.REFEREE, Malformed),
        ("s9", None, Scope.REFEREE, Malformed),
        ("s1", "s0", None, refusals.SeatForbidden),
        ("s0", None, None, refusals.SeatForbidden),
        ("s0", None, Scope.PLAY, refusals.SeatForbidden),
        ("s0", None, Scope.REFEREE, None),
        ("s0", None, Scope.ADMIN, None),
        ("s0", "s0", None, None),
    ],
)
def test_a_seat_is_released_by_its_holder_or_a_referee(
    shelf: Shelf,
    game: tuple[str, dict[str, str]],
    named: str,
    by: str | None,
    scope: Scope | None,
    refused: type[Refusal] | None,
) -> None:
    session_id, tokens = game
    token = tokens[by] if by else None
    if refused is None:
        assert claiming.release(shelf, session_id, named, token, scope)[1] == named
        assert "s0" not in shelf.load(session_id).claims
        return
    with pytest.raises(refused):
        claiming.release(shelf, session_id, named, token, scope)
    assert shelf.load(session_id).claims.keys() == {"s0", "s1"}


def test_a_reveal_at_the_deadline_is_for_who_plays_or_a_referee(shelf: Shelf) -> None:
    creation = creating.Creation(DUEL, duel.Setup(seats=2), {}, seal_seconds=60)
    session_id = creating.create(shelf, NOON, creation)[0].record.id
    claiming.claim(shelf, session_id, "s0")
    late = NOON + 61_000_000

    def reveal(scope: Scope | None) -> sealing.RevealAnswer:
        return sealing.reveal(shelf, lambda: late, sealing.RevealCall(session_id, scope=scope))[0]

    for scope in (None, Scope.PLAY):
        with pytest.raises(refusals.SeatForbidden):
            reveal(scope)
    assert reveal(Scope.REFEREE).late_seats == ("s0", "s1")
