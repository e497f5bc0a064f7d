"""A sealing rule set that has wire types: two campaigns of kettering side by side.

Both seats seal where they deploy; what follows is open, the first seat's campaign before the
other's. It stands in for kettering while a test runs, so that its messages carry it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from guncamera.rules.ruleset import Applied, LegalOrder, Seat, Verb, rulesets
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.kettering.board import Board as Campaign
from guncamera.rulesets.kettering.orders import Phase

SINGLE = rulesets()["kettering"]
RED, BLUE = "red", "blue"


@dataclass(frozen=True, slots=True)
class Board:
    red: Campaign
    blue: Campaign

    def of(self, seat: str | None) -> Campaign:
        return self.blue if seat == BLUE else self.red


def _deploying(board: Board) -> tuple[str, ...]:
    return tuple(seat for seat in (RED, BLUE) if board.of(seat).phase is Phase.DEPLOY)


def _active_seats(board: Board) -> tuple[str, ...]:
    going_on = [seat for seat in (RED, BLUE) if SINGLE.active_seats(board.of(seat))]
    return _deploying(board) or tuple(going_on[:1])


def _apply(board: Board, verb: Verb, order: Any, ruling: Ruling[Any], book: Any) -> Applied:
    # In the order of the reveal, which tells whose order this is.
    seat = _active_seats(board)[-1]
    applied = SINGLE.apply(board.of(seat), verb, order, ruling, book)
    return Applied(replace(board, **{seat: applied.board}), applied.events)


def _legal_orders(board: Board, seat: str, book: Any) -> Iterator[LegalOrder]:
    return SINGLE.legal_orders(board.of(seat), seat, book)


def _default_order(board: Board, seat: str, book: Any) -> Any:
    return next(islice(_legal_orders(board, seat, book), 1)).order


def _result(board: Board) -> str | None:
    return SINGLE.result(board.red) and SINGLE.result(board.blue)


PAIRED = replace(
    SINGLE,
    board=Board,
    open_board=lambda setup, book: Board(
        SINGLE.open_board(setup, book), SINGLE.open_board(setup, book)
    ),
    seats=lambda _setup, _book: (Seat(RED, "german", "Red"), Seat(BLUE, "german", "Blue")),
    active_seats=_active_seats,
    survey=lambda board, seat, verb, order, book: SINGLE.survey(
        board.of(seat), seat, verb, order, book
    ),
    apply=_apply,
    view_for=lambda board, seat, book: SINGLE.view_for(board.of(seat), seat, book),
    legal_orders=_legal_orders,
    orders_near=lambda board, seat, order, book: SINGLE.orders_near(
        board.of(seat), seat, order, book
    ),
    result=_result,
    sealed_verb=lambda board: Verb.MOVE if _deploying(board) else None,
    reveal_order=lambda _board, seats, _book: tuple(reversed(seats)),
    default_order=_default_order,
)
