"""Which cards can meet a flight, and which do. Rules CAR-5.5, CAR-5.7 and CAR-5.9."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.carriers.board import Board
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import Card, Role, Side, Station
from guncamera.rulesets.carriers.orders import Intercept


def able(board: Board, side: Side, ship: str, book: CarriersBook) -> tuple[Card, ...]:
    """The cards of a side that may meet a flight to one of its ships."""
    stations = {Station.FRONT}
    if book.settings.adjacent_cap:
        stations.add(Station.ADJACENT)
    cards = board.navy(side).at(ship)
    return tuple(
        card
        for card in cards
        if card.station in stations and not card.spent and _may_patrol(card, board, book)
    )


def _may_patrol(card: Card, board: Board, book: CarriersBook) -> bool:
    if book.settings.any_card_cap:
        return True
    return card_of(card.type, board.own_cards, book, "card").role == Role.FIGHTER


def may_refuse(book: CarriersBook, *, strike: bool) -> bool:
    """Whether a defender may let a flight through although a card could meet it."""
    return not strike or book.settings.strike_interception == "optional"


def meeting(board: Board, order: Intercept, book: CarriersBook) -> tuple[Card, ...]:
    """The cards that meet the flight which waits: those named, or the only one that must.

    Raises:
        Malformed: CAR-5.9, a card is named twice, or further ones without a first.
        Illegal: CAR-5.5, a card that cannot; CAR-5.7, none where one of several must; CAR-5.9,
            several.
    """
    if board.inbound is None:
        raise AssertionError("no flight waits")
    flight = board.flights[-1]
    cards = able(board, flight.side.other, board.inbound.ship, book)
    names = ", ".join(card.id for card in cards)
    if order.card:
        _check_further(order, book)
        return tuple(_named(name, field, cards, names) for name, field in _fields(order))
    if order.further_cards:
        raise Malformed(
            "Further cards are named and no first one; name it, or let the flight through.",
            rule_id="CAR-5.9",
            field="intercept.card",
        )
    if not cards or may_refuse(book, strike=flight.weapon is not None):
        return ()
    if len(cards) > 1:
        raise Illegal(
            "CAR-5.7",
            f"A strike is met where a card can meet it; pick one of {names}.",
            field="intercept.card",
        )
    return cards


def _fields(order: Intercept) -> Iterator[tuple[str, str]]:
    """Each card that an answer names, and where."""
    yield order.card, "intercept.card"
    for at, name in enumerate(order.further_cards):
        yield name, f"intercept.further_cards[{at}]"


def _check_further(order: Intercept, book: CarriersBook) -> None:
    """That several cards may be named, and each is named once (CAR-5.9)."""
    if not order.further_cards:
        return
    if book.settings.interceptors == "one":
        raise Illegal(
            "CAR-5.9",
            "Several cards are named, and in this game one meets a flight. Leave the further ones "
            "out.",
            field="intercept.further_cards",
        )
    if len({order.card, *order.further_cards}) <= len(order.further_cards):
        raise Malformed(
            "A card is named twice; name each once.",
            rule_id="CAR-5.9",
            field="intercept.further_cards",
        )


def _named(name: str, field: str, cards: tuple[Card, ...], names: str) -> Card:
    found = next((card for card in cards if card.id == name), None)
    if found is None:
        way_out = f"name one of {names}" if names else "none of yours can; answer without a card"
        raise Illegal(
            "CAR-5.5",
            f"{name!r} cannot meet this flight; {way_out}.",
            field=field,
            card=name,
        )
    return found
