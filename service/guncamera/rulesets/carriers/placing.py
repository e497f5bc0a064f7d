"""Placing aircraft cards at ships: in front as combat air patrol, or adjacent. Chapter 4.

Source: seed 003, placing combat air patrol; register sections 4.2, 12.1 and 12.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook, card_of, figure, tells_what_decided
from guncamera.rulesets.carriers.cards import AircraftCard, Card, Key, Role, Ship, Side, Station
from guncamera.rulesets.carriers.facts import Fleet, Placement, Placing
from guncamera.rulesets.carriers.fleets import check_cards, check_fleet, lying_at, ship_by_id
from guncamera.rulesets.carriers.outcomes import MoveOutcome, Placed

Hand = dict[str, Card]
"""A side's cards by id."""


def rule_on_placing(
    facts: Placing, own: Sequence[AircraftCard], book: CarriersBook
) -> Ruling[MoveOutcome]:
    """Rules on a side's placings, one after another: all of them, or none.

    Raises:
        Malformed: CAR-1.4, ships or cards that cannot be, or that are not there; CAR-1.2, no such
            type; CAR-4.1, a card at a ship without a station or the other way round.
        Illegal: CAR-4.2, four cards in front of a ship; CAR-4.3, a spent or lost card; CAR-4.4,
            no fighter in front, under a setting; CAR-4.5, a carrier out of commission or a ship
            that is gone.
    """
    check_fleet(facts.fleet, "placing.fleet")
    check_cards(facts.cards, facts.fleet, "placing.cards")
    profiles = _profiles(facts, own, book)
    trace = Trace()
    cards = {card.id: card for card in facts.cards}
    placed: dict[str, Placement] = {}
    if facts.first is not None and tells_what_decided(book):
        trace.setting("CAR-2.5", "placing_first", book.settings.placing_first)
        trace.finding("CAR-2.5", "places_first", places_first(facts.first, book).value)
    for at, placement in enumerate(facts.placements):
        here = f"placing.placements[{at}]"
        card = _mobile(cards, placement, here)
        _check_place(facts.fleet, placement, profiles[card.id], book, here)
        cards[card.id] = replace(card, ship=placement.ship, station=placement.station)
        _check_front(cards, placement, book, here)
        placed[card.id] = placement
    _record(facts.fleet, cards, placed, profiles, book, trace)
    outcome = MoveOutcome(Placed(tuple(placed.values())))
    count = len(placed)
    told = "1 card is" if count == 1 else f"{count or 'No'} cards are"
    return Ruling(outcome, tuple(trace.lines), (), f"{told} placed.")


def places_first(first: Side, book: CarriersBook) -> Side:
    """The side that places its cards before the other (CAR-2.5).

    Args:
        first: Who acts first this turn.
    """
    return first.other if book.settings.placing_first == "second-side" else first


def _mobile(cards: Hand, placement: Placement, here: str) -> Card:
    """The card that a placement names, if it may be placed at all."""
    card = cards.get(placement.card)
    if card is None:
        raise Malformed(
            f"There is no card {placement.card!r} on this side; name one of "
            f"{', '.join(cards) or 'none: it has no cards'}.",
            rule_id="CAR-1.4",
            field=f"{here}.card",
            card=placement.card,
        )
    if bool(placement.ship) != (placement.station is not None):
        raise Malformed(
            "A card at a ship lies in front of it or adjacent, and one in hand does not; give both "
            "ship and station, or neither.",
            rule_id="CAR-4.1",
            field=f"{here}.station",
        )
    if card.lost or card.spent:
        what = "is out of the game" if card.lost else "has been used this turn"
        raise Illegal(
            "CAR-4.3",
            f"{card.id} {what}, and only a card that may still be used is placed. Name another.",
            field=f"{here}.card",
            card=card.id,
        )
    return card


def _profiles(
    facts: Placing, own: Sequence[AircraftCard], book: CarriersBook
) -> dict[str, AircraftCard]:
    """The figures of a side's cards, by id; a side flies cards of its own nation."""
    profiles: dict[str, AircraftCard] = {}
    for at, card in enumerate(facts.cards):
        field = f"placing.cards[{at}].type"
        profile = profiles[card.id] = card_of(card.type, own, book, field)
        if facts.fleet and profile.nation != facts.fleet[0].nation:
            raise Malformed(
                f"{card.type} is a card of {profile.nation} and the fleet is of "
                f"{facts.fleet[0].nation}; a side flies cards of its own nation.",
                rule_id="CAR-1.4",
                field=field,
                card=card.id,
            )
    return profiles


def _check_place(
    fleet: Fleet, placement: Placement, profile: AircraftCard, book: CarriersBook, here: str
) -> None:
    """Hold a placement to where cards may lie, but for the limit in front."""
    if not placement.ship:
        return
    _check_ship(_ship(fleet, placement, here), f"{here}.ship")
    in_front = placement.station == Station.FRONT
    if in_front and profile.role != Role.FIGHTER and not book.settings.any_card_cap:
        raise Illegal(
            "CAR-4.4",
            f"{placement.card} is no fighter, and by the setting any_card_cap only fighters lie in "
            "front of a ship. Put it adjacent, or take a fighter.",
            field=f"{here}.station",
            card=placement.card,
        )


def _ship(fleet: Fleet, placement: Placement, here: str) -> Ship:
    ship = ship_by_id(fleet, placement.ship)
    if ship is None:
        raise Malformed(
            f"There is no ship {placement.ship!r} in this fleet; name one of "
            f"{', '.join(one.id for one in fleet) or 'none: it is empty'}.",
            rule_id="CAR-1.4",
            field=f"{here}.ship",
            ship=placement.ship,
        )
    return ship


def _check_ship(ship: Ship, field: str) -> None:
    if ship.afloat and Key.OUT_OF_COMMISSION not in ship.keys:
        return
    what = "is out of commission" if ship.afloat else "is gone"
    raise Illegal(
        "CAR-4.5",
        f"{ship.id} {what}, and no cards are placed there. Choose another ship.",
        field=field,
        ship=ship.id,
    )


def _check_front(cards: Hand, placement: Placement, book: CarriersBook, here: str) -> None:
    """Hold a ship to its cards in front, spent ones included."""
    most = figure(book, "cards_in_front")
    in_front = len(lying_at(cards.values(), placement.ship, Station.FRONT))
    if placement.station == Station.FRONT and in_front > most:
        raise Illegal(
            "CAR-4.2",
            f"There would be {in_front} cards in front of {placement.ship}, used ones included, "
            f"and {most} are the most. Put this one adjacent, or move another away first.",
            field=f"{here}.station",
            ship=placement.ship,
            cards=in_front,
        )


def _record(
    fleet: Fleet,
    cards: Hand,
    placed: dict[str, Placement],
    profiles: dict[str, AircraftCard],
    book: CarriersBook,
    trace: Trace,
) -> None:
    """What was placed, and how many cards then lie in front of a ship."""
    for placement in placed.values():
        if not placement.ship:
            trace.finding("CAR-4.6", placement.card, "in hand")
            continue
        trace.finding("CAR-4.1", placement.card, f"{placement.station} of {placement.ship}")
        fighter = profiles[placement.card].role == Role.FIGHTER
        if placement.station == Station.FRONT and not fighter:
            trace.setting("CAR-4.4", "any_card_cap", book.settings.any_card_cap)
    fronts = {one.ship for one in placed.values() if one.station == Station.FRONT}
    for ship in fleet:
        if ship.id in fronts:
            in_front = len(lying_at(cards.values(), ship.id, Station.FRONT))
            trace.finding("CAR-4.2", f"in_front_of_{ship.id}", in_front)
