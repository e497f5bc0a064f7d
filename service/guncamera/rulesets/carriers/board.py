"""The state of one game, and how events change it. `secrecy` says who sees what of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import (
    MAX_CARDS,
    MAX_SHIPS,
    MAX_TYPES,
    AircraftCard,
    Card,
    Id,
    Ship,
    Side,
    Station,
    Weapon,
)
from guncamera.rulesets.carriers.events import (
    ActingChanged,
    CardIntercepted,
    CardsPlaced,
    CardsRemoved,
    Change,
    FirstDecided,
    FleetDeployed,
    FlightBegun,
    FlightEnded,
    GameEnded,
    PhaseChanged,
    ShipDamaged,
    ShipRevealed,
    ShipsMoved,
    SidePassed,
    TurnAssessed,
)
from guncamera.rulesets.carriers.facts import Flyer, Placement
from guncamera.rulesets.carriers.fleets import in_commission, lying_at, with_berths
from guncamera.rulesets.carriers.orders import Fate, Flight, Phase
from guncamera.rulesets.carriers.outcomes import Ending, Harm
from guncamera.rulesets.carriers.standing import at_turn_end, with_harm


@dataclass(frozen=True, slots=True)
class Navy:
    """One side on the board.

    Attributes:
        ships: All of them, those that are gone included; see `facts.Fleet`.
        stood: The ships as they stood before the segment in which they now move unseen.
        revealed: Ships whose identity lies open.
        flown: What its strikes of this turn have carried, each once, in order.
        done: It has deployed, moved or placed in this segment.
    """

    side: Side
    ships: Annotated[tuple[Ship, ...], AtMost(MAX_SHIPS)]
    cards: Annotated[tuple[Card, ...], AtMost(MAX_CARDS)]
    stood: Annotated[tuple[Ship, ...], AtMost(MAX_SHIPS)] = ()
    revealed: Annotated[tuple[Id, ...], AtMost(MAX_SHIPS)] = ()
    flown: Annotated[tuple[Weapon, ...], AtMost(2)] = ()
    done: bool = False
    points: int = 0

    def ship(self, ship: str) -> Ship:
        """A ship of the side; there must be one of this id."""
        return next(one for one in self.ships if one.id == ship)

    def card(self, card: str) -> Card | None:
        """A card of the side, lost or not."""
        return next((one for one in self.cards if one.id == card), None)

    def at(self, ship: str) -> tuple[Card, ...]:
        """The cards that lie at a ship."""
        return tuple(card for card in self.cards if card.ship == ship and not card.lost)


@dataclass(frozen=True, slots=True)
class Inbound:
    """A flight that waits for the defender: the card, as it lay before, and the target's id."""

    card: Id
    flyer: Flyer
    ship: Id


@dataclass(frozen=True, slots=True)
class Board:
    """One game.

    Attributes:
        turn: 0 while ships deploy.
        acting: The sides that may act now.
        before: Who acted first in the turn before; None in the first turn.
        passes: Passes that count towards the end of this segment.
        inbound: The last of `flights`, while the defender has yet to answer.
        referee: A third seat sees everything.
    """

    phase: Phase
    turn: Annotated[int, Between(0, 200)]
    turns: int
    acting: Annotated[tuple[Side, ...], AtMost(2)]
    first: Side | None
    before: Side | None
    us: Navy
    japan: Navy
    passes: int
    inbound: Inbound | None
    flights: Annotated[tuple[Flight, ...], AtMost(2 * MAX_CARDS)]
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)]
    referee: bool
    ending: Ending | None
    winner: Side | None

    def navy(self, side: Side) -> Navy:
        """A side's ships and cards."""
        return self.us if side == Side.US else self.japan


def flyer_of(navy: Navy, card: Card) -> Flyer:
    """A card as it lies, for the rules on flights."""
    if not card.ship:
        return Flyer(card.type, card.spent)
    ship = navy.ship(card.ship)
    return Flyer(card.type, card.spent, card.station, in_commission(ship), ship.line)


def lies_open(navy: Navy, ship: str, book: CarriersBook) -> bool:
    """Whether a ship's identity lies open: shown, or by setting hidden by no card (CAR-10.1)."""
    if ship in navy.revealed or book.settings.ships_hidden == "all":
        return ship in navy.revealed
    return not lying_at(navy.cards, ship, Station.FRONT)


def fold(board: Board, events: Iterable[Change], book: CarriersBook) -> Board:
    """The board after some events, in order."""
    for event in events:
        board = _after(board, event, book)
    return board


def _after(board: Board, event: Change, book: CarriersBook) -> Board:
    match event:
        case FleetDeployed() | ShipsMoved() | CardsPlaced() | CardsRemoved():
            return _with_navy(board, _navy_after(board.navy(event.side), event))
        case FlightBegun():
            return _begun(board, event, book)
        case CardIntercepted():
            return _intercepted(board, event)
        case FlightEnded():
            return _ended(board, event)
        case ShipRevealed():
            navy = board.navy(event.side)
            return _with_navy(board, replace(navy, revealed=(*navy.revealed, event.ship)))
        case ShipDamaged():
            return _damaged(board, event)
        case TurnAssessed():
            return _assessed(board, event, book)
        case _:
            return _course(board, event, book)


def _with_navy(board: Board, navy: Navy) -> Board:
    return replace(board, us=navy) if navy.side == Side.US else replace(board, japan=navy)


def _each_navy(board: Board, change: Callable[[Navy], Navy]) -> Board:
    return replace(board, us=change(board.us), japan=change(board.japan))


def _with_card(navy: Navy, card: Card) -> Navy:
    cards = tuple(card if one.id == card.id else one for one in navy.cards)
    return replace(navy, cards=cards)


def _with_ship(navy: Navy, ship: Ship) -> Navy:
    ships = tuple(ship if one.id == ship.id else one for one in navy.ships)
    return replace(navy, ships=ships)


def _card(navy: Navy, card: str) -> Card:
    found = navy.card(card)
    if found is None:
        raise AssertionError(f"the {navy.side} side has no card {card}")
    return found


# ---- Ships and cards


def _navy_after(navy: Navy, event: FleetDeployed | ShipsMoved | CardsPlaced | CardsRemoved) -> Navy:
    match event:
        case FleetDeployed() | ShipsMoved():
            return replace(navy, ships=with_berths(navy.ships, event.berths), done=True)
        case CardsPlaced():
            for placement in event.placements:
                navy = _with_card(navy, _placed(_card(navy, placement.card), placement))
            return replace(navy, done=True)
        case CardsRemoved():
            for name in event.cards:
                card = _in_hand(_card(navy, name))
                navy = _with_card(navy, replace(card, spent=True, lost=event.lost))
            return navy


def _placed(card: Card, placement: Placement) -> Card:
    """A card where it is put; one that lies open stays so on the table."""
    open_still = card.face_up and bool(placement.ship)
    return replace(card, ship=placement.ship, station=placement.station, face_up=open_still)


def _in_hand(card: Card) -> Card:
    return replace(card, ship="", station=None, face_up=False)


# ---- Flights


def _begun(board: Board, event: FlightBegun, book: CarriersBook) -> Board:
    navy = board.navy(event.side)
    card = _card(navy, event.card)
    flight = Flight(event.side, event.type, event.weapon, event.target, Fate.INBOUND, "", ())
    settings = book.settings
    left = _in_hand(card) if settings.flown_cards == "hand" else card
    board = _with_navy(board, _with_card(navy, replace(left, spent=True)))
    # Only passes that run count where cards alternate, but by setting; else a pass is for good.
    running = settings.alternation == "cards" and settings.passing == "running"
    return replace(
        board,
        flights=(*board.flights, flight),
        inbound=Inbound(event.card, flyer_of(navy, card), event.ship),
        passes=0 if running else board.passes,
    )


def _intercepted(board: Board, event: CardIntercepted) -> Board:
    navy = board.navy(event.side)
    card = _card(navy, event.card)
    met = replace(card, spent=card.spent or event.spent, face_up=event.face_up)
    board = _with_navy(board, _with_card(navy, met))
    board = _last_flight(board, replace(board.flights[-1], interceptor=event.type))
    return board if event.face_up else _each_navy(board, _turned_down)


def _turned_down(navy: Navy) -> Navy:
    return replace(navy, cards=tuple(replace(card, face_up=False) for card in navy.cards))


def _last_flight(board: Board, flight: Flight) -> Board:
    return replace(board, flights=(*board.flights[:-1], flight))


def _ended(board: Board, event: FlightEnded) -> Board:
    flight = board.flights[-1]
    navy = board.navy(event.side)
    card = _card(navy, event.card)
    navy = _with_card(navy, replace(_in_hand(card), lost=True) if event.lost else card)
    if flight.weapon is not None and flight.weapon not in navy.flown:
        navy = replace(navy, flown=(*navy.flown, flight.weapon))
    board = _last_flight(board, replace(flight, fate=_fate(flight, event)))
    return replace(_with_navy(board, navy), inbound=None)


def _fate(flight: Flight, event: FlightEnded) -> Fate:
    if event.turned_back:
        return Fate.TURNED_BACK
    if flight.weapon is None:
        return Fate.REVEALED if event.hit else Fate.NOTHING_SEEN
    if not event.hit:
        return Fate.MISSED
    return Fate.VOID if event.void else Fate.HIT


def _damaged(board: Board, event: ShipDamaged) -> Board:
    navy = board.navy(event.side)
    harm = Harm(event.result, void=False, keys=event.keys, belts=event.belts, cards_lost=0)
    board = _with_navy(board, _with_ship(navy, with_harm(navy.ship(event.ship), harm)))
    return _last_flight(board, replace(board.flights[-1], keys=event.keys))


# ---- The course of a turn


def _assessed(board: Board, event: TurnAssessed, book: CarriersBook) -> Board:
    points = {Side.US: event.us_points, Side.JAPAN: event.japan_points}

    def rested(navy: Navy) -> Navy:
        """A side at the end of a turn: its cards may be used again (CAR-2.9)."""
        ships = tuple(
            at_turn_end(ship, book) if ship.id in event.cleared else ship for ship in navy.ships
        )
        cards = tuple(replace(card, spent=False) for card in navy.cards)
        return replace(navy, ships=ships, cards=cards, flown=(), points=points[navy.side])

    return _each_navy(board, rested)


def _course(
    board: Board,
    event: FirstDecided | SidePassed | PhaseChanged | ActingChanged | GameEnded,
    book: CarriersBook,
) -> Board:
    match event:
        case FirstDecided():
            return replace(board, first=event.first)
        case SidePassed():
            return replace(board, passes=board.passes + 1)
        case ActingChanged():
            return replace(board, acting=event.acting)
        case GameEnded():
            return replace(
                board,
                phase=Phase.FINISHED,
                acting=(),
                ending=event.ending,
                winner=event.winner,
            )
        case PhaseChanged():
            return _phase(board, event, book)


def _phase(board: Board, event: PhaseChanged, book: CarriersBook) -> Board:
    if event.turn != board.turn:
        board = replace(board, turn=event.turn, before=board.first, first=None, flights=())
    board = _each_navy(board, lambda navy: replace(navy, done=False))
    if event.phase == Phase.MOVE:
        board = _each_navy(board, lambda navy: _unseen(navy, book))
    return replace(board, phase=event.phase, acting=event.acting, passes=0)


def _unseen(navy: Navy, book: CarriersBook) -> Navy:
    """A side as ships begin to move: cards are turned down, and reveals are over (CAR-10.3)."""
    revealed = navy.revealed if book.settings.reveal_length == "game" else ()
    return replace(_turned_down(navy), stood=navy.ships, revealed=revealed)
