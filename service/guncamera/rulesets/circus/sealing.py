"""Plots in secret: when they are sealed, the order of the reveal, and who plots nothing in time.

Rules CIR-12.4 and CIR-12.5.
"""

from __future__ import annotations

from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, unplotted
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.homeward import default_plot
from guncamera.rulesets.circus.orders import MoveOrder, Phase, Plots


def sealed_verb(board: Board) -> Verb | None:
    """Plots are sealed while both sides plot at once."""
    return Verb.MOVE if board.phase == Phase.PLOT else None


def reveal_order(_board: Board, seats: tuple[str, ...], _book: CircusBook) -> tuple[str, ...]:
    """The first side's plots lie open first; it makes no difference to the second's."""
    return tuple(side.value for side in Side if side.value in seats)


def default_order(board: Board, seat: str, book: CircusBook) -> MoveOrder:
    """All of a side's aircraft straight and level at their speed, or as nearly so as can be."""
    crafts = unplotted(board, Side(seat))
    return MoveOrder(Plots(tuple(default_plot(craft, board, book) for craft in crafts)))
