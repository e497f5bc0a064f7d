"""A rule set of the tests' own: a duel in which every seat chooses its aim in secret.

A turn has two phases. In `aim` each seat seals a Move; a Damage may be given openly. In `fire` the
first seat gives an open Fire, for which a die falls. Some aims break the contract on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import servers
from guncamera.rules.dice import Ask, Total
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruleset import Applied, LegalOrder, Procedure, Ruleset, Seat, Verb, rulesets
from guncamera.rules.ruling import Ruling
from guncamera.sessions import codec
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf

LOWEST, HIGHEST = 1, 6
DEFAULT = 3
ASKS_FOR_DICE, BREAKS, REFUSES_LATER, BREAKS_LATER = 100, 101, 102, 103


@dataclass(frozen=True, slots=True)
class Setup:
    seats: int = 2
    turns: int = 3


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a seat aims: a number that nobody else may learn too soon."""

    at: int


@dataclass(frozen=True, slots=True)
class Shoot:
    pass


@dataclass(frozen=True, slots=True)
class Taunt:
    pass


@dataclass(frozen=True, slots=True)
class Facts:
    seat: str
    at: int
    aimed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    seat: str
    at: int


@dataclass(frozen=True, slots=True)
class Aimed:
    rule_id: str
    seat: str
    at: int


@dataclass(frozen=True, slots=True)
class Fired:
    rule_id: str
    turn: int


@dataclass(frozen=True, slots=True)
class Board:
    seats: tuple[str, ...]
    turns: int
    turn: int = 1
    aims: tuple[Aimed, ...] = ()
    history: tuple[int, ...] = ()

    @property
    def is_aiming(self) -> bool:
        return len(self.aims) < len(self.seats)


def _seats(setup: Setup, _book: Any) -> tuple[Seat, ...]:
    return tuple(Seat(f"s{n}", f"s{n}", f"Seat {n}") for n in range(setup.seats))


def _open_board(setup: Setup, book: Any) -> Board:
    return Board(tuple(seat.id for seat in _seats(setup, book)), setup.turns)


def _active_seats(board: Board) -> tuple[str, ...]:
    if board.turn > board.turns:
        return ()
    aimed = {one.seat for one in board.aims}
    if board.is_aiming:
        return tuple(seat for seat in board.seats if seat not in aimed)
    return board.seats[:1]


def _survey(board: Board, seat: str, verb: Verb, order: Any, _book: Any) -> Facts:
    if (verb is Verb.FIRE) == board.is_aiming:
        raise Illegal("DUE-1.1", "Aim first, then fire.")
    return Facts(seat, getattr(order, "at", 0), len(board.aims))


def _rule_on_aim(facts: Facts, _book: Any, dice: Any) -> Ruling[Outcome]:
    if facts.at == ASKS_FOR_DICE:
        dice.roll(Ask((6,), Total(), "nerves", "DUE-9.1"))
    if facts.at == BREAKS or (facts.at == BREAKS_LATER and facts.aimed):
        raise ValueError(f"{facts} is beyond me")
    if facts.at == REFUSES_LATER and facts.aimed:
        raise Illegal("DUE-9.2", f"Too late to aim at {facts.at}.", at=facts.at)
    if not (LOWEST <= facts.at <= HIGHEST or facts.at >= ASKS_FOR_DICE):
        raise Illegal(
            "DUE-1.2", f"Aim at {LOWEST} to {HIGHEST}, not {facts.at}.", field="order", at=facts.at
        )
    shown = Aimed("DUE-1.2", facts.seat, facts.at)
    return Ruling(Outcome(facts.seat, facts.at), (), (shown,), f"{facts.seat} aims at {facts.at}.")


def _rule_on_shot(facts: Facts, _book: Any, dice: Any) -> Ruling[Outcome]:
    at = dice.roll(Ask((6,), Total(), "to-hit", "DUE-2.1")).value
    return Ruling(Outcome(facts.seat, at), (), (), "A shot.")


def _rule_on_taunt(facts: Facts, _book: Any, _dice: Any) -> Ruling[Outcome]:
    return Ruling(Outcome(facts.seat, 0), (), (), f"{facts.seat} says something.")


def _apply(board: Board, verb: Verb, _order: Any, ruling: Ruling[Any], _book: Any) -> Applied:
    if verb is Verb.MOVE:
        return Applied(replace(board, aims=(*board.aims, *ruling.events)), ruling.events)
    if verb is Verb.FIRE:
        history = (*board.history, *(one.at for one in board.aims))
        fired = (Fired("DUE-2.1", board.turn),)
        return Applied(replace(board, turn=board.turn + 1, aims=(), history=history), fired)
    return Applied(board, ())


def _legal_orders(board: Board, seat: str, _book: Any) -> Iterator[LegalOrder]:
    if board.is_aiming:
        for at in range(LOWEST, HIGHEST + 1):
            yield LegalOrder(Verb.MOVE, Aim(at), f"Aim at {at}.")
    elif seat == board.seats[0]:
        yield LegalOrder(Verb.FIRE, Shoot(), "Fire.")


DUEL = Ruleset(
    slug="duel",
    title="Duel",
    prefix="DUE",
    # Any book does: the duel looks nothing up.
    book=rulesets()["kettering"].book,
    setup=Setup,
    board=Board,
    view=Board,
    event=Aimed | Fired,
    procedures={
        Verb.MOVE: Procedure(Verb.MOVE, Facts, Outcome, Aim, _rule_on_aim),
        Verb.FIRE: Procedure(Verb.FIRE, Facts, Outcome, Shoot, _rule_on_shot),
        Verb.DAMAGE: Procedure(Verb.DAMAGE, Facts, Outcome, Taunt, _rule_on_taunt),
    },
    open_board=_open_board,
    seats=_seats,
    active_seats=_active_seats,
    survey=_survey,
    apply=_apply,
    view_for=lambda board, _seat, _book: board,
    legal_orders=_legal_orders,
    picture=lambda view, _book: f"<svg>{view.turn}</svg>",
    result=lambda board: "Both are gone." if board.turn > board.turns else None,
    pilots={},
    published=lambda _book: (),
    sealed_verb=lambda board: Verb.MOVE if board.is_aiming else None,
    # The last seat first, so that no order of seats or of arrival passes for it.
    reveal_order=lambda _board, seats, _book: tuple(reversed(seats)),
    default_order=lambda _board, _seat, _book: Aim(DEFAULT),
)


@contextmanager
def registered(found: Ruleset) -> Iterator[Ruleset]:
    """Put a rule set among those the service finds, for as long as a test runs."""
    known: Any = rulesets()
    before = dict(known)
    known[found.slug] = found
    # A record is remembered with its rule set, and another one may bear the same name.
    codec.decode_record.cache_clear()
    try:
        yield found
    finally:
        known.clear()
        known.update(before)
        codec.decode_record.cache_clear()


@contextmanager
def own_store() -> Iterator[tuple[str, Shelf]]:
    """A store, and its URL, that no test shares to whom this rule set would be unknown."""
    with servers.Server(servers.valkey_program()) as server:
        store = RedisStore(server.url)
        yield server.url, Shelf(store)
        store.close()
