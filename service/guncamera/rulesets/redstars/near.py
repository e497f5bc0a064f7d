"""Legal orders like one that was refused.

The list varies one aircraft with the others at their default. Here the others keep what was chosen
for them, if that may stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.ruleset import LegalOrder
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.legal import chosen, hands, legal_orders, varied
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.orders import (
    Choose,
    DamageOrder,
    FireOrder,
    MoveOrder,
    Phase,
    SpotOrder,
)
from guncamera.rulesets.redstars.survey import choosing_of

Order = MoveOrder | SpotOrder | FireOrder | DamageOrder


def orders_near(board: Board, seat: str, order: Order, book: RedstarsBook) -> Iterator[LegalOrder]:
    """Cards like those that were chosen; else every order of the phase."""
    match order:
        case MoveOrder(Choose(choices)) if board.phase == Phase.CHOOSE:
            yield from _choices(choices, board, seat, book)
        case _:
            yield from legal_orders(board, seat, book)


def _choices(
    wanted: tuple[Choice, ...], board: Board, seat: str, book: RedstarsBook
) -> Iterator[LegalOrder]:
    """Every choice for each aircraft whose own may not stand, the others as they were chosen."""
    by_aircraft = {choice.aircraft: choice for choice in wanted}
    base: list[Choice] = []
    others: list[Iterator[Choice]] = []
    for name, hand in zip(choosing_of(board, seat), hands(board, seat, book)):
        choice = by_aircraft.get(name)
        if choice is not None and _may_stand(choice, board, book):
            base.append(choice)
            others.append(iter(()))
        else:
            base.append(next(hand))
            others.append(hand)
    yield chosen(base)
    yield from varied(base, others)


def _may_stand(choice: Choice, board: Board, book: RedstarsBook) -> bool:
    aircraft = board.craft_of(choice.aircraft).aircraft
    return choice_fault(aircraft, choice, book_for(aircraft, board, book), book) is None
