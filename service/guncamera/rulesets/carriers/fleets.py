"""A fleet on its lines: who stands where, who stands beside whom. Pure, and without rules of play.

A fleet is a tuple of ships; those of one line stand in the order of their slots. Slots count only
ships that are afloat, from 0 at their owner's left. Rule CAR-1.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from guncamera.rules.refusal import Violation, refuse_faults
from guncamera.rulesets.carriers.cards import Card, Key, Line, Ship, ShipClass, Station
from guncamera.rulesets.carriers.facts import Berth, Fleet


def line_of(fleet: Fleet, line: Line) -> tuple[Ship, ...]:
    """The ships afloat on a line, by slot."""
    return tuple(ship for ship in fleet if ship.line == line and ship.afloat)


def ship_at(fleet: Fleet, line: Line, slot: int) -> Ship | None:
    """The ship at a slot of a line; None where there is none."""
    ships = line_of(fleet, line)
    return ships[slot] if 0 <= slot < len(ships) else None


def slot_of(fleet: Fleet, ship: Ship) -> int:
    """The slot of a ship that is afloat, on its line."""
    return [one.id for one in line_of(fleet, ship.line)].index(ship.id)


def ship_by_id(fleet: Fleet, name: str) -> Ship | None:
    """A ship by its owner's name for it."""
    return next((ship for ship in fleet if ship.id == name), None)


def neighbors(fleet: Fleet, ship: Ship) -> tuple[Ship, ...]:
    """The one or two ships beside a ship on its line, from the left."""
    slot = slot_of(fleet, ship)
    beside = (ship_at(fleet, ship.line, slot - 1), ship_at(fleet, ship.line, slot + 1))
    return tuple(one for one in beside if one is not None)


def berths_of(fleet: Fleet) -> tuple[Berth, ...]:
    """Where the ships afloat stand: short, medium, long, each by slot."""
    return tuple(Berth(ship.id, line) for line in Line for ship in line_of(fleet, line))


def with_berths(fleet: Fleet, berths: Sequence[Berth]) -> Fleet:
    """The fleet with its ships afloat at other berths; those that are gone come last.

    Args:
        berths: One for every ship afloat.
    """
    known = {ship.id: ship for ship in fleet}
    moved = tuple(replace(known[berth.ship], line=berth.line) for berth in berths)
    return (*moved, *(ship for ship in fleet if not ship.afloat))


def in_commission(ship: Ship) -> bool:
    """Whether a ship is a carrier from which aircraft fly."""
    return (
        ship.ship_class == ShipClass.CARRIER
        and ship.afloat
        and Key.OUT_OF_COMMISSION not in ship.keys
    )


def lying_at(cards: Iterable[Card], ship: str, station: Station) -> tuple[Card, ...]:
    """The cards of a side that lie at a ship, in front of it or adjacent; spent ones included."""
    return tuple(
        card for card in cards if card.ship == ship and card.station == station and not card.lost
    )


# ---- Facts that cannot be


def check_fleet(fleet: Fleet, path: str) -> None:
    """Hold a fleet to what a side's ships are: of one nation, each with an id of its own.

    Raises:
        Malformed: CAR-1.4, with every fault by its path.
    """
    refuse_faults(_faults_of_fleet(fleet, path))


def _faults_of_fleet(fleet: Fleet, path: str) -> Iterator[Violation]:
    named = Counter(ship.id for ship in fleet)
    for at, ship in enumerate(fleet):
        if not ship.id:
            yield Violation(f"{path}[{at}].id", "a ship of a fleet needs an id", "CAR-1.4")
        elif named[ship.id] > 1:
            text = f"{ship.id!r} is given to {named[ship.id]} ships; give each its own"
            yield Violation(f"{path}[{at}].id", text, "CAR-1.4")
        if ship.nation != fleet[0].nation:
            text = f"this ship is of {ship.nation} and the fleet of {fleet[0].nation}"
            yield Violation(f"{path}[{at}].nation", text, "CAR-1.4")


def check_cards(cards: Sequence[Card], fleet: Fleet, path: str) -> None:
    """Hold a side's cards to what they can be: each with an id of its own, at a ship or in hand.

    Raises:
        Malformed: CAR-1.4, with every fault by its path.
    """
    refuse_faults(_faults_of_cards(cards, fleet, path))


def _faults_of_cards(cards: Sequence[Card], fleet: Fleet, path: str) -> Iterator[Violation]:
    named = Counter(card.id for card in cards)
    ships = {ship.id for ship in fleet}
    for at, card in enumerate(cards):
        here = f"{path}[{at}]"
        if not card.id:
            yield Violation(f"{here}.id", "a card needs an id", "CAR-1.4")
        elif named[card.id] > 1:
            text = f"{card.id!r} is given to {named[card.id]} cards; give each its own"
            yield Violation(f"{here}.id", text, "CAR-1.4")
        if card.ship and card.ship not in ships:
            text = f"there is no ship {card.ship!r} in this fleet"
            yield Violation(f"{here}.ship", text, "CAR-1.4")
        if bool(card.ship) != (card.station is not None):
            text = "a card at a ship lies in front of it or adjacent, and a card in hand does not"
            yield Violation(f"{here}.station", text, "CAR-1.4")
