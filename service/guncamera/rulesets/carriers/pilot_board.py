"""A board for who sees only a view, so that rules that read boards can be asked."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rulesets.carriers.board import Board, Inbound, Navy
from guncamera.rulesets.carriers.cards import Card, Ship, ShipClass, Side, Station
from guncamera.rulesets.carriers.facts import Flyer
from guncamera.rulesets.carriers.fleets import ship_at
from guncamera.rulesets.carriers.orders import (
    CardSeen,
    Fate,
    FleetSeen,
    Flight,
    LineSeen,
    SlotSeen,
    View,
)


def board_of(view: View) -> Board:
    """The board that shows this view: of ships that are hidden it holds that they are there.

    Ships that are gone and cards that are lost are not on it. Of the enemy's cards it holds that
    they lie in front of a ship.
    """
    navies = {fleet.side: _navy(fleet, view) for fleet in view.fleets}
    return Board(
        phase=view.phase,
        turn=view.turn,
        turns=view.turns,
        acting=view.acting,
        first=view.first,
        before=None,
        us=navies[Side.US],
        japan=navies[Side.JAPAN],
        passes=0,
        inbound=_inbound(view, navies),
        flights=view.flights,
        own_cards=view.own_cards,
        referee=False,
        ending=None,
        winner=view.winner,
    )


def inbound_flight(view: View) -> Flight | None:
    """The flight that waits for its defender."""
    if view.flights and view.flights[-1].fate == Fate.INBOUND:
        return view.flights[-1]
    return None


def _navy(fleet: FleetSeen, view: View) -> Navy:
    slots = list(_slots(fleet))
    ships = tuple(_ship(fleet, *one) for one in slots)
    flown = (one.weapon for one in view.flights if one.side == fleet.side)
    return Navy(
        side=fleet.side,
        ships=ships,
        cards=tuple(_cards(fleet, slots) if fleet.whole else _backs(ships, slots)),
        stood=ships,
        revealed=tuple(
            ship.id for ship, (_, _, slot) in zip(ships, slots, strict=True) if slot.revealed
        ),
        flown=tuple(dict.fromkeys(one for one in flown if one is not None)),
        points=fleet.points,
    )


def _slots(fleet: FleetSeen) -> Iterator[tuple[LineSeen, int, SlotSeen]]:
    for line in fleet.lines:
        for at, slot in enumerate(line.slots):
            yield line, at, slot


def _ship(fleet: FleetSeen, line: LineSeen, at: int, slot: SlotSeen) -> Ship:
    """A ship by the id its owner knows, else by its place; one that is hidden is of some class."""
    place = f"{line.line}-{at}"
    seen = slot.ship
    if seen is None:
        return Ship(fleet.side, ShipClass.DESTROYER, line.line, place)
    name = seen.id or place
    return Ship(fleet.side, seen.ship_class, line.line, name, seen.name, seen.keys, seen.belts)


def _cards(fleet: FleetSeen, slots: list[tuple[LineSeen, int, SlotSeen]]) -> Iterator[Card]:
    """A side's own cards, in the order of their ids."""
    found = [_card(card, "", None) for card in fleet.hand]
    for _, _, slot in slots:
        at = slot.ship.id if slot.ship else ""
        found += [_card(card, at, Station.FRONT) for card in slot.front]
        found += [_card(card, at, Station.ADJACENT) for card in slot.adjacent]
    return iter(sorted(found, key=lambda card: (len(card.id), card.id)))


def _backs(ships: tuple[Ship, ...], slots: list[tuple[LineSeen, int, SlotSeen]]) -> Iterator[Card]:
    """Cards in front of the other side's ships: of no type and no id, for they hide a ship."""
    for ship, (_, _, slot) in zip(ships, slots, strict=True):
        yield from (Card("", "", ship.id, Station.FRONT) for _ in slot.front)


def _card(seen: CardSeen, ship: str, station: Station | None) -> Card:
    return Card(seen.id, seen.type, ship, station, seen.spent, seen.face_up)


def _inbound(view: View, navies: dict[Side, Navy]) -> Inbound | None:
    flight = inbound_flight(view)
    if flight is None:
        return None
    target = ship_at(navies[flight.side.other].ships, flight.target.line, flight.target.slot)
    if target is None:
        raise AssertionError(f"no ship at {flight.target}")
    return Inbound("", Flyer(flight.type), target.id)
