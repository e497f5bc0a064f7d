"""Which cards can meet a flight, and which does. Rules CAR-5.5 and CAR-5.7."""

from __future__ import annotations

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.carriers.board import Board
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import Card, Role, Side, Station


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


def meeting(board: Board, named: str, book: CarriersBook) -> Card | None:
    """The card that meets the flight which waits: the one named, or the only one that must.

    Raises:
        Illegal: CAR-5.5, a card that cannot; CAR-5.7, none where one of several must.
    """
    if board.inbound is None:
        raise AssertionError("no flight waits")
    flight = board.flights[-1]
    cards = able(board, flight.side.other, board.inbound.ship, book)
    names = ", ".join(card.id for card in cards) or "no card"
    if named:
        found = next((card for card in cards if card.id == named), None)
        if found is None:
            raise Illegal(
                "CAR-5.5",
                f"{named!r} cannot meet this flight; {names} can.",
                field="intercept.card",
                card=named,
            )
        return found
    if not cards or may_refuse(book, strike=flight.weapon is not None):
        return None
    if len(cards) > 1:
        raise Illegal(
            "CAR-5.7",
            f"A strike is met where a card can meet it; pick one of {names}.",
            field="intercept.card",
        )
    return cards[0]
