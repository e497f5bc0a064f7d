"""The random pilot: any legal order."""

from __future__ import annotations

from guncamera_tournament.pilot import Order, Situation


def pilot(situation: Situation) -> Order:
    """One of the orders that the service draws from, each as likely."""
    return situation.draw_orders(1)[0]
