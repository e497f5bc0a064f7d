"""The pilot that looks ahead: what the rival may answer, and what comes of it a turn later."""

from __future__ import annotations

from guncamera_tournament.pilot import Order, Situation
from guncamera_tournament.rules_at_hand import order_by
from guncamera_tournament.stock import chooser


def pilot(situation: Situation) -> Order:
    """What promises most in the end; `stock/RULESET/lookahead.py` says how far it looks.

    Raises:
        LookupError: There is none for this rule set, or the service has other rules.
    """
    return order_by(situation, chooser(situation.ruleset, "lookahead"))
