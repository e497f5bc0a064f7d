"""The random pilot: any legal order."""

from __future__ import annotations

from guncamera_tournament.pilot import Order, Situation
from guncamera_tournament.stock import lists_a_selection

MOST = 100


def pilot(situation: Situation) -> Order:
    """One of the first hundred legal orders; where only a selection is listed, one of all."""
    if lists_a_selection(situation.ruleset):
        return situation.draw_orders(1)[0]
    return situation.random.choice(situation.legal_orders(MOST))
