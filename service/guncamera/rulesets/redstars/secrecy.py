"""Who sees what. Rules RED-2.1 and RED-2.4.

Cards lie hidden until all have chosen: a seat sees its own, and what an aircraft that its side
tails has told of its intent. Everything else in this game is open.
"""

from __future__ import annotations

from dataclasses import replace

from guncamera.rules.ruleset import Deed, Verb
from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.events import CardsChosen, IntentTold
from guncamera.rulesets.redstars.orders import Card, Choose, MoveOrder, View
from guncamera.rulesets.redstars.waves import tailers_told


def keeps_secrets(board: Board, _seat: str | None) -> bool:
    """Whether cards are chosen and not yet open; a film would show them to anyone."""
    return bool(board.cards) and not board.revealed


def _told_to(board: Board, aircraft: str, seat: str | None) -> bool:
    """Whether an aircraft's intent was told to a seat."""
    return any(board.craft_of(tailer).side == seat for tailer in tailers_told(board, aircraft))


def _card_for(card: Card, board: Board, seat: str | None) -> Card:
    own = board.craft_of(card.aircraft).side == seat
    if board.revealed or own:
        return card
    intent = card.intent if _told_to(board, card.aircraft, seat) else None
    return Card(card.aircraft, made=True, intent=intent)


def view_for(board: Board, seat: str | None, _book: RedstarsBook) -> View:
    """What a seat sees; None is a spectator."""
    return View(
        phase=board.phase,
        turn=board.turn,
        turns=board.turns,
        table_inches=board.table_inches,
        craft=board.craft,
        firing=board.firing,
        choosing=board.choosing,
        cards=tuple(_card_for(card, board, seat) for card in board.cards),
        possible_rams=board.possible_rams,
        ready_sides=board.ready,
        order=board.order,
        rams=board.rams,
        meetings=board.meetings,
        shots=board.shots,
        pending_results=board.pending,
        kills=board.kills,
        own_books=board.own_books,
        winner=board.winner,
        draw=board.draw,
    )


def deed_for(deed: Deed, board: Board, seat: str | None) -> Deed:
    """What a seat sees of an action: of cards that are still hidden, only that they are chosen."""
    if deed.verb != Verb.MOVE or deed.seat == seat or not keeps_secrets(board, seat):
        return deed
    hidden = isinstance(deed.order, MoveOrder) and isinstance(deed.order.procedure, Choose)
    if not hidden or not any(_is_of(event, board.turn) for event in deed.events):
        return deed
    events = tuple(event for event in deed.events if _is_open(event, board, seat))
    return replace(
        deed,
        order=None,
        outcome=None,
        trace=(),
        events=events,
        summary=f"The {deed.seat} side has chosen.",
    )


def _is_of(event: object, turn: int) -> bool:
    return isinstance(event, CardsChosen) and event.turn == turn


def _is_open(event: object, board: Board, seat: str | None) -> bool:
    if isinstance(event, CardsChosen):
        return False
    if isinstance(event, IntentTold):
        return board.craft_of(event.tailer).side == seat
    return True
