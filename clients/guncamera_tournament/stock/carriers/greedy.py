"""Carriers, greedy: the strike that promises most points at once, and nothing but strikes.

The points are the mean by the exact odds of the rules on strikes, over all ships that may stand
where it cannot see. It moves no ship, looks at nothing and guards nothing.
"""

from __future__ import annotations

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Station
from guncamera.rulesets.carriers.orders import (
    MoveOrder,
    PassFlight,
    Phase,
    PlaceCards,
    SpotOrder,
    View,
)
from guncamera.rulesets.carriers.pilot import ordered, scene_of
from guncamera.rulesets.carriers.pilot_board import inbound_flight
from guncamera.rulesets.carriers.pilot_cards import placed
from guncamera.rulesets.carriers.pilot_manner import Manner, Scene

GREEDY = Manner(keeps_back=False, all_fighters_guard=False, curiosity=0.0, shuffles=0)


def choose(view: View, seat: str, book: CarriersBook, nth: int) -> LegalOrder:
    """The order of a seat that sees so much."""
    scene = scene_of(view, seat, GREEDY, book, nth)
    if inbound_flight(view) is None:
        if view.phase == Phase.RECON:
            return LegalOrder(Verb.SPOT, SpotOrder(PassFlight()), "Fly no card now.")
        if view.phase in (Phase.CAP_1, Phase.CAP_2):
            return _strikers(scene)
    return ordered(scene)


def _strikers(scene: Scene) -> LegalOrder:
    """Cards to the carriers, if strikes fly from nowhere else; no guards."""
    wished = placed(scene).order.procedure.placements
    kept = tuple(one for one in wished if one.station != Station.FRONT)
    told = f"Place {len(kept)} cards." if kept else "Place no card."
    return LegalOrder(Verb.MOVE, MoveOrder(PlaceCards(kept)), told)
