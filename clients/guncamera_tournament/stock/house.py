"""The rule set's own stock pilot, the one that `guncamera play` flies with."""

from __future__ import annotations

from guncamera_tournament.pilot import Order, Situation
from guncamera_tournament.rules_at_hand import order_by, ruleset_of


def pilot(situation: Situation) -> Order:
    """What it orders here."""
    return order_by(situation, ruleset_of(situation).pilots["stock"])
