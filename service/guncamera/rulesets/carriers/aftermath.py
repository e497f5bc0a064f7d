"""What a flight changes on the board: the card, the ship, the cards that lie there.

Bookkeeping only; every decision is in the ruling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guncamera.rulesets.carriers.board import Board, Navy, lies_open
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import GONE, Card, Key, Ship, Station, Weapon
from guncamera.rulesets.carriers.cover import meeting
from guncamera.rulesets.carriers.events import (
    CardIntercepted,
    CardsRemoved,
    Change,
    FlightBegun,
    FlightEnded,
    ShipDamaged,
    ShipRevealed,
)
from guncamera.rulesets.carriers.fleets import ship_at
from guncamera.rulesets.carriers.orders import Intercept, Place, Reconnoiter, SendStrike
from guncamera.rulesets.carriers.outcomes import Harm, Reconnoitered, Struck
from guncamera.rulesets.carriers.standing import with_harm


def sent(board: Board, order: Reconnoiter | SendStrike, book: CarriersBook) -> FlightBegun:
    """A flight leaves, and waits for the defender to say who meets it."""
    side = board.acting[0]
    navy, enemy = board.navy(side), board.navy(side.other)
    card = navy.card(order.card)
    target = ship_at(enemy.ships, order.target.line, order.target.slot)
    if card is None or target is None:
        raise AssertionError(f"{order} was ruled on")
    weapon = order.weapon if isinstance(order, SendStrike) else None
    return FlightBegun(
        side=side,
        card=card.id,
        type=card.type,
        weapon=weapon,
        target=order.target,
        ship=target.id,
        revealed=lies_open(enemy, target.id, book),
        rule_id="CAR-6.1" if weapon is None else "CAR-7.1",
    )


def flown(
    board: Board, order: Intercept, outcome: Reconnoitered | Struck, book: CarriersBook
) -> Iterator[Change]:
    """A flight from the defender's answer to its end."""
    if board.inbound is None:
        raise AssertionError("no flight waits")
    flight, name = board.flights[-1], board.inbound.ship
    defender = board.navy(flight.side.other)
    ship = defender.ship(name)
    for card in meeting(board, order, book):
        yield _intercepted(defender, card, outcome, flight.weapon, book)
    hit = outcome.revealed if isinstance(outcome, Reconnoitered) else outcome.hit
    shown = hit or (isinstance(outcome, Struck) and strike_shows(outcome, book))
    if shown and name not in defender.revealed:
        yield _revealed(ship, flight.target, flight.weapon)
    harm = outcome.harm if isinstance(outcome, Struck) else None
    if harm is not None and not harm.void:
        yield from _harmed(defender, ship, flight.target, harm, book)
    yield FlightEnded(
        side=flight.side,
        card=board.inbound.card,
        turned_back=outcome.turned_back,
        hit=hit,
        void=harm is not None and harm.void,
        revealed=shown or lies_open(defender, name, book),
        lost=outcome.flyer_lost,
        rule_id="CAR-5.8",
    )


def strike_shows(outcome: Struck, book: CarriersBook) -> bool:
    """Whether a strike shows its target (CAR-7.6): one that goes through, or by setting a miss."""
    return outcome.hit or (not outcome.turned_back and book.settings.strike_shows == "past-cards")


def _intercepted(
    navy: Navy,
    card: Card,
    outcome: Reconnoitered | Struck,
    weapon: Weapon | None,
    book: CarriersBook,
) -> CardIntercepted:
    """Whether it stays face up, by a setting (CAR-10.4)."""
    turned_down = {
        "recon-down": weapon is None and outcome.turned_back,
        "until-move": False,
        "flight": True,
    }[book.settings.interceptor_shown]
    return CardIntercepted(
        side=navy.side,
        card=card.id,
        type=card.type,
        turned_back=outcome.turned_back,
        face_up=not turned_down,
        spent=outcome.interceptor_spent,
        rule_id="CAR-5.6",
    )


def _revealed(ship: Ship, place: Place, weapon: Weapon | None) -> ShipRevealed:
    return ShipRevealed(
        side=ship.nation,
        ship=ship.id,
        place=place,
        name=ship.name,
        ship_class=ship.ship_class,
        keys=ship.keys,
        belts=ship.belts,
        rule_id="CAR-6.3" if weapon is None else "CAR-7.6",
    )


# ---- Damage


def _harmed(
    navy: Navy, ship: Ship, place: Place, harm: Harm, book: CarriersBook
) -> Iterator[Change]:
    """A hit, and what it costs in cards, at once (CAR-2.8)."""
    yield ShipDamaged(navy.side, ship.id, place, harm.result, harm.keys, harm.belts, "CAR-2.8")
    cards = navy.at(ship.id)
    keys = with_harm(ship, harm).keys
    if GONE.intersection(keys):
        lost = book.settings.lost_ship_cards == "lost"
        yield from _removed(navy, ship, place, cards, "CAR-8.12", lost=lost)
    elif Key.OUT_OF_COMMISSION in harm.keys:
        yield from _removed(navy, ship, place, cards, "CAR-8.11", lost=True)
    elif harm.cards_lost:
        first = sorted(cards, key=lambda card: card.station != Station.ADJACENT)
        yield from _removed(navy, ship, place, first[: harm.cards_lost], "CAR-8.3", lost=True)


def _removed(
    navy: Navy, ship: Ship, place: Place, cards: Sequence[Card], rule_id: str, *, lost: bool
) -> Iterator[CardsRemoved]:
    if cards:
        ids = tuple(card.id for card in cards)
        yield CardsRemoved(navy.side, ship.id, place, ids, len(ids), lost, rule_id)
