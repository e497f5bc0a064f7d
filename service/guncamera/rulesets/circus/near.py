"""Legal orders like one that was refused.

The list varies one aircraft with the others straight and level. Here the others keep what was
plotted for them, if that can be flown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import LegalOrder
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, unplotted
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.homeward import check_homeward, default_plot, plots_of
from guncamera.rulesets.circus.legal import legal_orders, plotted, varied
from guncamera.rulesets.circus.orders import (
    Craft,
    DamageOrder,
    FireOrder,
    MoveOrder,
    Phase,
    Plots,
    SpotOrder,
)
from guncamera.rulesets.circus.volley import figures_of

Order = MoveOrder | SpotOrder | FireOrder | DamageOrder


def orders_near(board: Board, seat: str, order: Order, book: CircusBook) -> Iterator[LegalOrder]:
    """Plots like those that were written; else every order of the phase."""
    crafts = unplotted(board, Side(seat))
    match order:
        case MoveOrder(Plots(plots)) if crafts and board.phase in (Phase.PLOT, Phase.MOVE):
            yield from _plots(plots, crafts, board, book)
        case _:
            yield from legal_orders(board, seat, book)


def _plots(
    wanted: tuple[Plot, ...], crafts: tuple[Craft, ...], board: Board, book: CircusBook
) -> Iterator[LegalOrder]:
    """Some plots for each aircraft whose own cannot be flown, the others as they were plotted."""
    by_aircraft = {plot.aircraft: plot for plot in wanted}
    base: list[Plot] = []
    choices: list[Iterator[Plot]] = []
    for craft in crafts:
        plot = by_aircraft.get(craft.aircraft.id)
        if plot is not None and _can_be_flown(craft, plot, board, book):
            base.append(plot)
            choices.append(iter(()))
        else:
            base.append(default_plot(craft, board, book))
            choices.append(islice(plots_of(craft, board, book), 1, None))
    yield plotted(base)
    yield from varied(base, choices)


def _can_be_flown(craft: Craft, plot: Plot, board: Board, book: CircusBook) -> bool:
    aeroplane = figures_of(craft.aircraft, board, book)
    try:
        flown_path(craft.aircraft, aeroplane, plot, book)
        check_homeward(craft, plot, board, book)
    except Refusal:
        return False
    return True
