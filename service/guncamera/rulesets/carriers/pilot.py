"""The pilots: at random, cautious, and striking. The stock pilot is the cautious one.

All are pure functions of what they see and of the number of the order, so that equal games are
flown alike. The cautious one is stock because it plays every part of the game: it scouts, guards
and hides, where the striking one mostly strikes.
"""

from __future__ import annotations

from collections.abc import Mapping

from guncamera.rules.ruleset import LegalOrder, Pilot, Verb
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Side
from guncamera.rulesets.carriers.legal import legal_orders
from guncamera.rulesets.carriers.orders import DamageOrder, MoveOrder, Phase, RollOff, View
from guncamera.rulesets.carriers.pilot_board import board_of, inbound_flight
from guncamera.rulesets.carriers.pilot_cards import placed
from guncamera.rulesets.carriers.pilot_flights import answered, scouted, struck
from guncamera.rulesets.carriers.pilot_manner import CAUTIOUS, STRIKING, Chance, Manner, Scene
from guncamera.rulesets.carriers.pilot_ships import deployed, moved


def cautious(view: View, seat: str, book: CarriersBook, nth: int) -> LegalOrder:
    """Keeps carriers back and guarded, looks before it strikes, and moves about unseen."""
    return ordered(scene_of(view, seat, CAUTIOUS, book, nth))


def striking(view: View, seat: str, book: CarriersBook, nth: int) -> LegalOrder:
    """Sends everything that may hit, and guards its carriers thinly."""
    return ordered(scene_of(view, seat, STRIKING, book, nth))


def at_random(view: View, seat: str, book: CarriersBook, nth: int) -> LegalOrder:
    """A legal order picked by hashing the seat, the turn and the number of the order."""
    orders = list(legal_orders(board_of(view), seat, book))
    return _chance(view, seat, nth).pick(orders)


def _chance(view: View, seat: str, nth: int) -> Chance:
    return Chance(f"{nth} {seat} {view.turn} {view.phase}")


def scene_of(view: View, seat: str, manner: Manner, book: CarriersBook, nth: int) -> Scene:
    """What a seat has before it, for a pilot of some manner."""
    return Scene(view, board_of(view), Side(seat), book, manner, _chance(view, seat, nth))


def ordered(scene: Scene) -> LegalOrder:
    """What a pilot of the scene's manner orders."""
    if inbound_flight(scene.view) is not None:
        return answered(scene)
    match scene.view.phase:
        case Phase.DEPLOY:
            return deployed(scene)
        case Phase.INITIATIVE:
            return LegalOrder(Verb.MOVE, MoveOrder(RollOff()), "Roll for who acts first.")
        case Phase.MOVE:
            return moved(scene)
        case Phase.CAP_1 | Phase.CAP_2:
            return placed(scene)
        case Phase.RECON:
            return scouted(scene)
        case Phase.STRIKE:
            return struck(scene)
        case Phase.ASSESS:
            return LegalOrder(Verb.DAMAGE, DamageOrder(), "Assess damage; end the turn.")
    raise AssertionError(f"nobody may act in phase {scene.view.phase}")


PILOTS: Mapping[str, Pilot] = {
    "stock": cautious,
    "random": at_random,
    "cautious": cautious,
    "striking": striking,
}
