"""What strikes are worth to the pilots: points to hope for, by the exact odds of the rules.

A pilot knows the force that its enemy has as shipped, and what was announced; of a ship that is
hidden it expects each that may stand there as much as another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Refusal
from guncamera.rulesets.carriers.assessing import points_on
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard, Line, Role, Ship, Side, Weapon
from guncamera.rulesets.carriers.facts import (
    FireFacts,
    Flyer,
    Reconnaissance,
    SpotFacts,
    Strike,
)
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.flights import combat_number
from guncamera.rulesets.carriers.forces import default_force
from guncamera.rulesets.carriers.orders import FleetSeen, Place, SlotSeen, View
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.rulesets.carriers.standing import at_turn_end, with_harm

OwnCards = tuple[AircraftCard, ...]
Roster = tuple[tuple[Ship, int], ...]
"""Ships without names that may stand hidden, each with how many of the kind there are."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place of the enemy, and what a pilot knows of it.

    Attributes:
        ship: Without a name; None while it is hidden.
        guards: Cards there that may meet a flight.
    """

    place: Place
    ship: Ship | None
    revealed: bool
    guards: int


# ---- Single strikes


@lru_cache(maxsize=16_384)
def mean_points(strike: Strike, own: OwnCards, book: CarriersBook) -> float | None:
    """The points that a strike adds on an average; None: it may not be flown."""
    try:
        odds = odds_of(lambda dice: _fate_of(strike, own, book, dice))
    except Refusal:
        return None
    before = points_on(at_turn_end(strike.target, book), book)
    return float(odds.mean(lambda ship: points_on(ship, book))) - before


def _fate_of(strike: Strike, own: OwnCards, book: CarriersBook, dice: Any) -> Ship:
    """The target after a strike, as it will be assessed."""
    struck: Any = rule_on_fire(FireFacts(strike, own), book, dice).outcome.procedure
    harmed = with_harm(strike.target, struck.harm) if struck.harm else strike.target
    return at_turn_end(harmed, book)


@lru_cache(maxsize=1024)
def chance_to_see(looking: Reconnaissance, own: OwnCards, book: CarriersBook) -> float | None:
    """The chance that a reconnaissance succeeds; None: it may not be flown."""
    facts = SpotFacts(looking, own)
    try:
        odds = odds_of(lambda dice: rule_on_spot(facts, book, dice).outcome.procedure)
    except Refusal:
        return None
    return float(odds.of(lambda found: getattr(found, "revealed", False)))


# ---- What a pilot knows of the enemy


def types_of(side: Side, own: OwnCards, book: CarriersBook) -> dict[str, AircraftCard]:
    """The types that fly for a side."""
    known = (*book.aircraft.values(), *own)
    return {card.type: card for card in known if card.nation == side}


@lru_cache(maxsize=64)
def guard_of(side: Side, own: OwnCards, book: CarriersBook) -> str:
    """The type that is feared behind the back of a card that guards a ship."""
    types = types_of(side, own, book).values()
    fighters = [card for card in types if card.role == Role.FIGHTER]
    return max(fighters or types, key=lambda card: combat_number(card, book)).type


def targets_of(fleet: FleetSeen, book: CarriersBook) -> list[Target]:
    """The places of a side that its enemy may go for."""
    found = []
    for line in fleet.lines:
        for at, slot in enumerate(line.slots):
            ship = _bare(fleet.side, line.line, slot)
            guards = _guards(slot, book)
            found.append(Target(Place(line.line, at), ship, slot.revealed, guards))
    return found


def _bare(side: Side, line: Line, slot: SlotSeen) -> Ship | None:
    seen = slot.ship
    if seen is None:
        return None
    return Ship(side, seen.ship_class, line, keys=seen.keys, belts=seen.belts)


def _guards(slot: SlotSeen, book: CarriersBook) -> int:
    if book.settings.adjacent_cap:
        return len(slot.front) + len(slot.adjacent) - slot.intercepted
    return len(slot.front) - slot.intercepted_front


def roster_of(fleet: FleetSeen, book: CarriersBook) -> Roster:
    """The ships that may stand hidden: of the force as shipped, by what was announced of it."""
    shipped = default_force(fleet.side, book).ships
    ships = {one.name: Ship(fleet.side, one.ship_class, one.line, name=one.name) for one in shipped}
    for report in fleet.reports:
        if report.name not in ships:
            ships.pop(
                next((n for n in ships if ships[n].ship_class == report.ship_class), ""), None
            )
        kept = Ship(fleet.side, report.ship_class, Line.SHORT, name=report.name)
        ships[report.name] = replace(kept, keys=report.keys, belts=report.belts)
    lie_open = {slot.ship.name for line in fleet.lines for slot in line.slots if slot.ship}
    hidden = [ship for ship in ships.values() if ship.afloat and ship.name not in lie_open]
    bare = (replace(ship, name="", line=Line.SHORT) for ship in hidden or ships.values())
    return tuple(Counter(bare).items())


# ---- Strikes on places


@dataclass(slots=True)
class Judge:
    """What strikes of a side are worth, remembered while a pilot thinks."""

    side: Side
    view: View
    book: CarriersBook
    roster: Roster
    flown: tuple[Weapon, ...]
    known: dict[Any, float | None]

    @classmethod
    def of(cls, view: View, side: Side, flown: tuple[Weapon, ...], book: CarriersBook) -> Judge:
        """The judge of a side that sees so much."""
        return cls(side, view, book, roster_of(fleet_of(view, side.other), book), flown, {})

    def worth(self, flyer: Flyer, weapon: Weapon, target: Target) -> float | None:
        """The points to hope for; None: it may not be flown."""
        met = guard_of(self.side.other, self.view.own_cards, self.book) if target.guards else ""
        key = (flyer, weapon, target.place.line, target.ship, target.revealed, met)
        if key not in self.known:
            self.known[key] = self._mean(flyer, weapon, target, met)
        return self.known[key]

    def _mean(self, flyer: Flyer, weapon: Weapon, target: Target, met: str) -> float | None:
        may_be = self.roster if target.ship is None else ((target.ship, 1),)
        total, count = 0.0, 0
        for ship, times in may_be:
            there = replace(ship, line=target.place.line)
            strike = Strike(flyer, weapon, there, target.revealed, met, flown=self.flown)
            points = mean_points(strike, self.view.own_cards, self.book)
            if points is None:
                return None
            total, count = total + times * points, count + times
        return total / count

    def best_load(self, flyer: Flyer, target: Target) -> tuple[float, Weapon] | None:
        """The better weapon against a place, and what it is worth; None: neither may be flown."""
        found = [
            (worth, weapon)
            for weapon in Weapon
            if (worth := self.worth(flyer, weapon, target)) is not None
        ]
        return max(found, key=lambda one: one[0], default=None)


def fleet_of(view: View, side: Side) -> FleetSeen:
    """A side's fleet as it is seen."""
    return next(fleet for fleet in view.fleets if fleet.side == side)


# ---- Dangers


def danger_to(ship: Ship, own: OwnCards, book: CarriersBook) -> float:
    """The points that the enemy's cards could hope for on a ship that lies open, all of them."""
    return sum(
        times * _best_on(type_, replace(ship, id="", name=""), own, book)
        for type_, times in _enemy_cards(ship.nation.other, own, book)
    )


def _enemy_cards(side: Side, own: OwnCards, book: CarriersBook) -> Iterator[tuple[str, int]]:
    """The cards of the force as shipped, and one each of the types that a game brings."""
    yield from Counter(default_force(side, book).cards).items()
    yield from ((card.type, 1) for card in own if card.nation == side)


def _best_on(type_: str, ship: Ship, own: OwnCards, book: CarriersBook) -> float:
    flyer = Flyer(type_, at_carrier=True)
    strikes = (Strike(flyer, weapon, ship, revealed=True) for weapon in Weapon)
    return max(mean_points(strike, own, book) or 0.0 for strike in strikes)
