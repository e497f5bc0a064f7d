"""A board for who sees only a view, so that rules that read boards can be asked."""

from __future__ import annotations

from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.orders import Phase, View


def board_of(view: View) -> Board:
    """The board that shows this view; of cards it holds what the view does."""
    return Board(
        phase=view.phase,
        turn=view.turn,
        turns=view.turns,
        table_inches=view.table_inches,
        craft=view.craft,
        firing=view.firing,
        choosing=view.choosing,
        cards=view.cards,
        revealed=view.phase != Phase.CHOOSE,
        possible_rams=view.possible_rams,
        ready=view.ready_sides,
        rams=view.rams,
        order=view.order,
        meetings=view.meetings,
        shots=view.shots,
        pending=view.pending_results,
        kills=view.kills,
        own_books=view.own_books,
        winner=view.winner,
        draw=view.draw,
    )
