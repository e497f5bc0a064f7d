"""From a board and an order to the facts of a ruling; and the orders that may be given now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, PhaseClosed, RollRequired
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.peregrine.board import Board, band_of
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.facts import BANDS, Bird, FireFacts, MoveFacts
from guncamera.rulesets.peregrine.fire import rule_on_fire
from guncamera.rulesets.peregrine.move import rule_on_move
from guncamera.rulesets.peregrine.orders import FireOrder, MoveOrder, Phase

RULES: Mapping[Verb, Callable[..., Any]] = {Verb.MOVE: rule_on_move, Verb.FIRE: rule_on_fire}


def survey(
    board: Board, seat: str, _verb: Verb, order: MoveOrder | FireOrder, _book: PeregrineBook
) -> MoveFacts | FireFacts:
    """The facts that an order's ruling needs.

    Raises:
        PhaseClosed: PER-1.1, the order belongs to another phase.
    """
    wanted = Phase.CHOOSE if isinstance(order, MoveOrder) else Phase.STOOP
    if board.phase is not wanted:
        raise PhaseClosed(
            "PER-1.1",
            f"This is the phase {board.phase}; that order belongs to the phase {wanted}.",
            phase=board.phase.value,
        )
    if isinstance(order, MoveOrder):
        bird = Bird(seat)
        return MoveFacts(bird, band_of(board, bird), order.band, board.leagues_to_go)
    return FireFacts(board.falcon, board.pigeon, board.feathers, board.breath, order.stoops)


def legal_orders(board: Board, seat: str, book: PeregrineBook) -> Iterator[LegalOrder]:
    """Every order of the phase that the rule on it does not refuse, in a fixed order."""
    for one in _every_order(board):
        facts = survey(board, seat, one.verb, one.order, book)
        try:
            RULES[one.verb](facts, book, DealtDice(()))
        except Illegal:
            continue
        except RollRequired:
            pass
        yield one


def _every_order(board: Board) -> Iterator[LegalOrder]:
    if board.phase is Phase.CHOOSE:
        for band in BANDS:
            yield LegalOrder(Verb.MOVE, MoveOrder(band), f"Fly {band}.")
    elif board.phase is Phase.STOOP:
        yield LegalOrder(Verb.FIRE, FireOrder(stoops=True), "Stoop at the pigeon.")
        yield LegalOrder(Verb.FIRE, FireOrder(stoops=False), "Wait for a better moment.")
