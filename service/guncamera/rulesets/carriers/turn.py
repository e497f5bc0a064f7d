"""After a ruling: what changes on the board, and who acts next. Chapters 2 and 10.

Bookkeeping only; every decision is in the ruling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from guncamera.rules.ruleset import Applied, Verb
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.carriers.aftermath import flown, sent
from guncamera.rulesets.carriers.assessing import ENDINGS
from guncamera.rulesets.carriers.board import Board, fold
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Side
from guncamera.rulesets.carriers.events import (
    ActingChanged,
    CardsPlaced,
    Change,
    FirstDecided,
    FleetDeployed,
    GameEnded,
    PhaseChanged,
    ShipsMoved,
    SidePassed,
    TurnAssessed,
)
from guncamera.rulesets.carriers.orders import PLACING, Phase, Setup
from guncamera.rulesets.carriers.outcomes import (
    Approached,
    Assessed,
    Deployed,
    Ending,
    Passed,
    Placed,
    Reconnoitered,
    RolledOff,
    Sailed,
    Struck,
)
from guncamera.rulesets.carriers.placing import places_first
from guncamera.rulesets.carriers.setup import set_up
from guncamera.rulesets.carriers.told import NATIONS

_NEXT = {
    Phase.MOVE: Phase.CAP_1,
    Phase.CAP_1: Phase.RECON,
    Phase.RECON: Phase.CAP_2,
    Phase.CAP_2: Phase.STRIKE,
    Phase.STRIKE: Phase.ASSESS,
}


def open_board(setup: Setup, book: CarriersBook) -> Board:
    """The board before ships deploy; both sides may.

    Raises:
        Malformed: Everything about the set-up that cannot be, by path.
    """
    return set_up(setup, book)


def active_seats(board: Board) -> tuple[str, ...]:
    """The seats that may act now; empty when it is over. A referee never may."""
    return tuple(side.value for side in board.acting)


def apply(
    board: Board, _verb: Verb, order: Any, ruling: Ruling[Any], book: CarriersBook
) -> Applied:
    """The board after a ruling, and everything that changed."""
    events: list[Change] = []
    before, outcome = board, ruling.outcome.procedure
    for event in _follows(board, order.procedure, outcome, book):
        board = fold(board, (event,), book)
        events.append(event)
    for event in _then(before, board, outcome, book):
        board = fold(board, (event,), book)
        events.append(event)
    return Applied(board, tuple(events))


def _follows(board: Board, wanted: Any, outcome: Any, book: CarriersBook) -> Iterable[Change]:
    """What the ruling itself changes."""
    side = board.acting[0]
    match outcome:
        case Deployed():
            owner = _owner_of(board, outcome.berths[0].ship)
            return (FleetDeployed(owner, outcome.berths, "CAR-2.6"),)
        case RolledOff():
            return (FirstDecided(outcome.first, "CAR-2.2"),)
        case Sailed():
            return (ShipsMoved(side, outcome.berths, "CAR-2.5"),)
        case Placed():
            return (CardsPlaced(side, outcome.placements, "CAR-2.5"),)
        case Approached():
            return (sent(board, wanted, book),)
        case Reconnoitered() | Struck():
            return flown(board, wanted, outcome, book)
        case Passed():
            return (SidePassed(side, "CAR-2.4"),)
        case Assessed():
            points = (outcome.us_points, outcome.japan_points)
            return (TurnAssessed(outcome.cleared, *points, "CAR-9.1"),)
    raise AssertionError(f"nothing follows from {outcome!r}")


def _owner_of(board: Board, ship: str) -> Side:
    return Side.US if any(one.id == ship for one in board.us.ships) else Side.JAPAN


# ---- Who acts next


def _then(before: Board, board: Board, outcome: Any, book: CarriersBook) -> Iterator[Change]:
    """Who acts next, or which segment follows."""
    match outcome:
        case Deployed() | Sailed() | Placed():
            yield from _one_after_the_other(board, book)
        case RolledOff():
            yield PhaseChanged(Phase.MOVE, board.turn, (outcome.first,), "CAR-2.1")
        case Approached():
            yield ActingChanged((before.acting[0].other,), "CAR-5.7")
        case Reconnoitered() | Struck():
            flyer = board.flights[-1].side
            # A pass that no flight has wiped out is for good: the other side flies on alone.
            in_turn = book.settings.alternation == "cards" and not board.passes
            yield from _passed_to(board, flyer.other if in_turn else flyer)
        case Passed() if board.passes == len(Side):
            yield from _next_segment(board, book)
        case Passed():
            yield from _passed_to(board, board.acting[0].other)
        case Assessed(ending=Ending() as ending):
            yield GameEnded(ending, outcome.winner, "CAR-9.3")
        case Assessed():
            yield from _new_turn(board, book)


def _one_after_the_other(board: Board, book: CarriersBook) -> Iterator[Change]:
    waiting = tuple(side for side in Side if not board.navy(side).done)
    if waiting:
        yield ActingChanged(waiting, "CAR-2.6" if board.phase == Phase.DEPLOY else "CAR-2.5")
    elif board.phase == Phase.DEPLOY:
        yield from _new_turn(board, book)
    else:
        yield from _next_segment(board, book)


def _passed_to(board: Board, side: Side) -> Iterator[Change]:
    if board.acting != (side,):
        yield ActingChanged((side,), "CAR-2.3")


def _next_segment(board: Board, book: CarriersBook) -> Iterator[Change]:
    phase = _NEXT[board.phase]
    acting = tuple(Side) if phase == Phase.ASSESS else (_begins(board, phase, book),)
    yield PhaseChanged(phase, board.turn, acting, "CAR-2.1")


def _begins(board: Board, phase: Phase, book: CarriersBook) -> Side:
    """The side that begins a segment: the first, but by setting not to place cards (CAR-2.5)."""
    if board.first is None:
        raise AssertionError("nobody acts first")
    return places_first(board.first, book) if phase in PLACING else board.first


def _new_turn(board: Board, book: CarriersBook) -> Iterator[Change]:
    turn, first_player = board.turn + 1, book.settings.first_player
    if first_player == "roll":
        yield PhaseChanged(Phase.INITIATIVE, turn, tuple(Side), "CAR-2.1")
        return
    first = Side(first_player)
    yield PhaseChanged(Phase.MOVE, turn, (first,), "CAR-2.1")
    yield FirstDecided(first, "CAR-2.2")


# ---- The end


def result(board: Board) -> str | None:
    """How the game ended, in one sentence; None while it goes on."""
    if board.ending is None:
        return None
    points = f"{board.us.points} points to {board.japan.points}, US side first"
    why = f"{ENDINGS[board.ending]}, turn {board.turn}"
    if board.winner is None:
        return f"A draw: {why}; {points}."
    return f"The {NATIONS[board.winner]} side wins: {why}; {points}."
