"""The order in which sealed orders arrive changes nothing: equal ledgers and states, to the byte.

Whole games are played one after the other under one session id, with one seed and by a clock that
stands still, so that nothing has to be normalized. They differ only in who seals first, and in how
often a seat changes its mind before its last word. Rule sets that seal are found, not named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice, permutations
from random import Random
from typing import Any

import duel
import pytest
from duel import DUEL
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb, rulesets
from guncamera.sessions import creating, play, sealing, seals
from guncamera.sessions.codec import encode_state
from guncamera.sessions.play import Submission
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf
from secrecy import Start, sealing_start

NOON = 1_790_000_000_000_000
ID = "arrivals"
MOST_ACTIONS = 120
CHOICES = 40
SHUFFLED = 4
STARTS: dict[str, tuple[Ruleset, Start]] = {
    "a duel of three": (DUEL, Start(duel.Setup(seats=3), {})),
    **{
        slug: (found, start)
        for slug, found in rulesets().items()
        if (start := sealing_start(found)) is not None
    },
}

Arrival = Callable[[Sequence[str]], list[str]]
"""In which order seats seal, the last word of each counting."""


@dataclass(frozen=True)
class Played:
    """What a game left in the store, and how many phases several seats sealed in."""

    entries: tuple[bytes, ...]
    state: bytes
    phases: int


def arrivals(most_seats: int) -> Iterator[Arrival]:
    """Every order of so many seats, then some by chance in which seats amend."""
    for ranks in permutations(range(most_seats)):
        yield lambda seats, r=ranks: [seats[n] for n in r if n < len(seats)]
    for number in range(SHUFFLED):
        random = Random(number)
        yield lambda seats, r=random: _with_amendments(seats, r)


def _with_amendments(seats: Sequence[str], random: Random) -> list[str]:
    """Each seat once to three times; all but one have sealed before that one seals at all."""
    *early, last = random.sample(list(seats), len(seats))
    words = [seat for seat in early for _ in range(random.randint(1, 3))]
    random.shuffle(words)
    return [*words, last]


class Game:
    """One game in the store, from its creation on."""

    def __init__(self, shelf: Shelf, found: Ruleset, start: Start) -> None:
        self.shelf, self.found = shelf, found
        shelf.store.delete(ID)  # the game before
        creation = creating.Creation(
            found, start.setup, start.settings, session_id=ID, dice_seed="arrivals"
        )
        creating.create(shelf, NOON, creation)

    @property
    def session(self) -> Session:
        return self.shelf.load(ID)

    def play(self, arrival: Arrival) -> Played:
        phases = 0
        while (session := self.session).revision < MOST_ACTIONS and not session.finished:
            verb, seats = seals.sealed_verb(session), seals.awaited_seats(session)
            if verb is None:
                self._act(session)
                continue
            phases += len(seats) > 1
            self._seal(session, verb, arrival(seats))
        entries = self.shelf.store.entries(ID, after_revision=0, limit=500)
        return Played(tuple(entries), encode_state(self.session.state), phases)

    def _act(self, session: Session) -> None:
        seat = session.state.active_seats[0]
        order = self._orders(session, seat, None)[0]
        call = Submission(ID, self.found.slug, order.verb, order.order, seat=seat)
        play.act(self.shelf, lambda: NOON, call)

    def _seal(self, session: Session, verb: Verb, seats: list[str]) -> None:
        """Every word of a seat, of which the last is what it would have sealed at once."""
        for at, seat in enumerate(seats):
            orders = self._orders(session, seat, verb)
            later = seats[at + 1 :].count(seat)
            pick = session.revision + later + len(seat)
            order = orders[pick % len(orders)]
            call = Submission(ID, self.found.slug, verb, order.order, seat=seat)
            answer, _ = sealing.seal(self.shelf, lambda: NOON, call)
            assert answer.revealed == (at == len(seats) - 1)

    def _orders(self, session: Session, seat: str, verb: Verb | None) -> list[LegalOrder]:
        found, board, book = self.found, session.state.board, session.record.book
        if verb is None and found.pilots:
            view = found.view_for(board, seat, book)
            return [found.pilots["stock"](view, seat, book, session.revision)]
        listed = islice(found.legal_orders(board, seat, book), CHOICES)
        return [order for order in listed if verb is None or order.verb is verb]


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    with duel.own_store() as (_, shelf):
        yield shelf


def check(shelf: Shelf, found: Ruleset, start: Start) -> None:
    """Hold every order of arrival to what the first one comes to."""
    known = found.slug in rulesets() and rulesets()[found.slug] is found
    with nullcontext() if known else duel.registered(found):
        seats = len(Game(shelf, found, start).session.record.seats)
        assert 2 <= seats <= 4, "too many to try every order of arrival"
        first, *others = (Game(shelf, found, start).play(one) for one in arrivals(seats))
        assert first.phases > 1, "several seats seal more than once"
        assert len(others) > SHUFFLED
        for other in others:
            assert other == first


@pytest.mark.parametrize("name", STARTS)
def test_the_order_of_arrival_changes_nothing(shelf: Shelf, name: str) -> None:
    check(shelf, *STARTS[name])


def test_it_changes_nothing_for_a_rule_set_that_reveals_seats_as_they_are_given(
    shelf: Shelf,
) -> None:
    """Whatever order the session hands over, it is not that of arrival."""
    careless = replace(DUEL, reveal_order=lambda _board, seats, _book: seats)
    check(shelf, careless, Start(duel.Setup(seats=3), {}))


@pytest.mark.parametrize("name", STARTS)
def test_the_check_finds_a_reveal_in_the_order_of_arrival(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    revealed = sealing.revealed

    def as_they_came(session: Session, orders: Any, now_micros: int, late: Any = ()) -> Any:
        came = [*session.seals, *(seat for seat in orders if seat not in session.seals)]
        dependent = replace(session.record.ruleset, reveal_order=lambda *_: tuple(came))
        record = replace(session.record, ruleset=dependent)
        return revealed(replace(session, record=record), orders, now_micros, late)

    monkeypatch.setattr(sealing, "revealed", as_they_came)
    with pytest.raises(AssertionError):
        check(shelf, *STARTS[name])
