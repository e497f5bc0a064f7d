"""Where pilots place their cards: fighters in front of what the enemy would like best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.carriers.book import figure
from guncamera.rulesets.carriers.cards import Card, Key, Ship, Station
from guncamera.rulesets.carriers.facts import Placement
from guncamera.rulesets.carriers.fleets import in_commission
from guncamera.rulesets.carriers.orders import MoveOrder, PlaceCards
from guncamera.rulesets.carriers.pilot_manner import Scene
from guncamera.rulesets.carriers.pilot_worth import danger_to

NEXT_GUARD = 0.35
"""What one more guard of a ship is worth, against the one before."""
LIES_OPEN = 2.0
"""How much more a ship whose identity lies open draws the enemy."""


def placed(scene: Scene) -> LegalOrder:
    """The guards, and, where strikes fly from carriers, the strikers."""
    placements = (*_guards(scene), *_strikers(scene))
    told = f"Place {len(placements)} cards." if placements else "Place no card."
    return LegalOrder(Verb.MOVE, MoveOrder(PlaceCards(placements)), told)


def _may_lie_at(ship: Ship) -> bool:
    return ship.afloat and Key.OUT_OF_COMMISSION not in ship.keys


# ---- Guards


def _guards(scene: Scene) -> Iterator[Placement]:
    """Fighters that are not where they are wanted, to where they are."""
    fighters = [card for card in scene.unspent() if scene.is_fighter(card)]
    wanted = _wanted(scene, len(fighters))
    free = []
    for card in fighters:
        stays = card.station == Station.FRONT and wanted[card.ship] > 0
        if stays:
            wanted[card.ship] -= 1
        else:
            free.append(card)
    for card, ship in zip(free, wanted.elements()):
        yield Placement(card.id, ship, Station.FRONT)


def _wanted(scene: Scene, fighters: int) -> Counter[str]:
    """How many guards each ship should have that can still meet a flight."""
    ships = [ship for ship in scene.navy.ships if _may_lie_at(ship)]
    worth = {ship.id: _draws(ship, scene) for ship in ships}
    room = {ship.id: _room(ship, scene) for ship in ships}
    wanted: Counter[str] = Counter()
    for _ in range(fighters):
        open_to = [name for name in worth if wanted[name] < room[name] and worth[name] > 0]
        if not open_to:
            break
        best = max(open_to, key=lambda name: worth[name])
        wanted[best] += 1
        worth[best] *= NEXT_GUARD
    return wanted if scene.manner.all_fighters_guard else _thin(wanted, scene)


def _draws(ship: Ship, scene: Scene) -> float:
    more = LIES_OPEN if ship.id in scene.navy.revealed else 1.0
    return more * danger_to(ship, scene.view.own_cards, scene.book)


def _room(ship: Ship, scene: Scene) -> int:
    """Places in front of a ship that are not taken by cards which stay."""
    stay = [
        card
        for card in scene.navy.at(ship.id)
        if card.station == Station.FRONT and (card.spent or not scene.is_fighter(card))
    ]
    return figure(scene.book, "cards_in_front") - len(stay)


def _thin(wanted: Counter[str], scene: Scene) -> Counter[str]:
    """One guard for each carrier in danger."""
    carriers = (ship.id for ship in scene.navy.ships if in_commission(ship))
    return Counter({name: 1 for name in carriers if wanted[name]})


# ---- Strikers


def _strikers(scene: Scene) -> Iterator[Placement]:
    """Cards in hand to the carriers, if they may fly from nowhere else."""
    if scene.book.settings.strike_base != "carrier":
        return
    carriers = [ship.id for ship in scene.navy.ships if in_commission(ship)]
    if not carriers:
        return
    for at, card in enumerate(_waiting(scene)):
        yield Placement(card.id, carriers[at % len(carriers)], Station.ADJACENT)


def _waiting(scene: Scene) -> Iterator[Card]:
    for card in scene.unspent():
        if not card.ship and not scene.is_fighter(card):
            yield card
