"""A rule set that hides without sealing, and has wire types: two campaigns of kettering.

Each seat plays its own, the first seat to its end before the other, and nobody sees anything of
the other's until both are over. It stands in for kettering while a test runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from guncamera.rules.ruleset import Applied, Deed, LegalOrder, Seat, Verb, rulesets
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.kettering.board import Board as Campaign
from guncamera.rulesets.kettering.orders import Phase

SINGLE = rulesets()["kettering"]
RED, BLUE = "red", "blue"


@dataclass(frozen=True, slots=True)
class Board:
    """Two campaigns, and what a stranger sees."""

    red: Campaign
    blue: Campaign
    blank: Campaign

    def of(self, seat: str | None) -> Campaign:
        """The campaign of a seat."""
        return {RED: self.red, BLUE: self.blue}.get(seat or "", self.blank)


def _opened(setup: Any, book: Any) -> Board:
    return Board(*(SINGLE.open_board(setup, book) for _ in range(3)))


def _active_seats(board: Board) -> tuple[str, ...]:
    """Both deploy before either goes on."""
    going_on = [seat for seat in (RED, BLUE) if SINGLE.active_seats(board.of(seat))]
    deploying = [seat for seat in going_on if board.of(seat).phase is Phase.DEPLOY]
    return tuple((deploying or going_on)[:1])


def _apply(board: Board, verb: Verb, order: Any, ruling: Ruling[Any], book: Any) -> Applied:
    seat = _active_seats(board)[0]
    applied = SINGLE.apply(board.of(seat), verb, order, ruling, book)
    return Applied(replace(board, **{seat: applied.board}), applied.events)


def _legal_orders(board: Board, seat: str, book: Any) -> Iterator[LegalOrder]:
    return SINGLE.legal_orders(board.of(seat), seat, book)


def _result(board: Board) -> str | None:
    return SINGLE.result(board.red) and SINGLE.result(board.blue)


def deed_for(deed: Deed, _board: Board, seat: str | None) -> Deed:
    """Of another's campaign nothing but that something was done."""
    if deed.seat == seat:
        return deed
    return Deed(deed.seat, deed.verb, None, None, (), (), "Something is done.", ())


VEILED = replace(
    SINGLE,
    board=Board,
    open_board=_opened,
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
    deed_for=deed_for,
    keeps_secrets=lambda board, _seat: _result(board) is None,
)
