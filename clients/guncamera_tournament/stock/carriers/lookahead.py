"""Carriers, looking ahead: what the enemy's cards may do, and what a look would be worth.

It places a guard where the enemy's strikes, by their exact odds, promise most, and its carriers on
the line where they promise least. It looks at a place when the strikes that follow gain more by
it, over all ships that may stand there, than the card that looks would have struck. Then it strikes
as the greedy one does.
"""

from __future__ import annotations

from guncamera.rules.ruleset import LegalOrder
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.orders import View
from guncamera.rulesets.carriers.pilot import ordered, scene_of
from guncamera.rulesets.carriers.pilot_manner import Manner

LOOKAHEAD = Manner(keeps_back=True, all_fighters_guard=False, curiosity=1.0, shuffles=0)


def choose(view: View, seat: str, book: CarriersBook, nth: int) -> LegalOrder:
    """The order of a seat that sees so much."""
    return ordered(scene_of(view, seat, LOOKAHEAD, book, nth))
