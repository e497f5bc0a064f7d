"""What is seen of a board, and a board for who sees only that."""

from __future__ import annotations

from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.orders import View
from guncamera.rulesets.circus.volley import open_shots


def view_for(board: Board, seat: str | None, book: CircusBook) -> View:
    """What a seat sees, or a spectator: all of it but what a fire phase holds back."""
    return View(
        seat=None if seat is None else Side(seat),
        phase=board.phase,
        turn=board.turn,
        turns=board.turns,
        turn_order=board.turn_order,
        acting_side=board.acting_side,
        looking_side=board.looking_side,
        craft=board.craft,
        plots=board.plots,
        sightings=board.sightings,
        opportunities=tuple(open_shots(board, None, book)),
        shots=board.shots,
        holding=board.holding,
        kills=board.kills,
        clouds=board.clouds,
        sun=board.sun,
        first_edge=board.first_edge,
        second_edge=board.second_edge,
        own_aeroplanes=board.own_aeroplanes,
        winner=board.winner,
        draw=board.draw,
    )


def board_of(view: View, book: CircusBook) -> Board:
    """The board that shows this view, for rules that read boards; nothing is held back on it."""
    board = Board(
        phase=view.phase,
        turn=view.turn,
        turns=view.turns,
        turn_order=view.turn_order,
        acting_side=view.acting_side,
        looking_side=view.looking_side,
        craft=view.craft,
        plots=view.plots,
        sightings=view.sightings,
        opportunities=view.opportunities,
        shots=view.shots,
        holding=view.holding,
        pending=(),
        active=(),
        kills=view.kills,
        clouds=view.clouds,
        sun=view.sun,
        first_edge=view.first_edge,
        second_edge=view.second_edge,
        own_aeroplanes=view.own_aeroplanes,
        winner=view.winner,
        draw=view.draw,
    )
    return fold(board, (), book)
