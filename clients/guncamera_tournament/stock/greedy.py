"""The greedy pilot: the best exact odds of something good at once, and no thought of what comes."""

from __future__ import annotations

from guncamera_tournament.pilot import Order, Situation
from guncamera_tournament.rules_at_hand import order_by
from guncamera_tournament.stock import chooser


def pilot(situation: Situation) -> Order:
    """What promises most at once; `stock/RULESET/greedy.py` says what that is.

    Raises:
        LookupError: There is none for this rule set, or the service has other rules.
    """
    return order_by(situation, chooser(situation.ruleset, "greedy"))
