"""From a board and an order to the facts of a ruling: look-ups, no dice.

What is refused here is refused by what the seat may know: its own ships and cards, and the places
where enemy ships stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.carriers.board import Board, flyer_of, lies_open
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Card, Ship, Side, Station, Weapon
from guncamera.rulesets.carriers.cover import meeting
from guncamera.rulesets.carriers.facts import (
    Approach,
    Assessing,
    DamageFacts,
    Deploying,
    FireFacts,
    Flyer,
    Interceptor,
    MoveFacts,
    Passing,
    Placing,
    Reconnaissance,
    RollingOff,
    Sailing,
    SpotFacts,
    Strike,
)
from guncamera.rulesets.carriers.fleets import line_of, ship_at
from guncamera.rulesets.carriers.orders import (
    DamageOrder,
    Deploy,
    FireOrder,
    Intercept,
    MoveOrder,
    MoveShips,
    PassFlight,
    Phase,
    Place,
    PlaceCards,
    Reconnoiter,
    RollOff,
    SendStrike,
    SpotOrder,
)

Facts = MoveFacts | SpotFacts | FireFacts | DamageFacts
Order = MoveOrder | SpotOrder | FireOrder | DamageOrder

_MOVES: Mapping[type, tuple[Phase, ...]] = {
    Deploy: (Phase.DEPLOY,),
    RollOff: (Phase.INITIATIVE,),
    MoveShips: (Phase.MOVE,),
    PlaceCards: (Phase.CAP_1, Phase.CAP_2),
}
_PHASES: Mapping[type, tuple[Phase, ...]] = {
    SpotOrder: (Phase.RECON,),
    FireOrder: (Phase.STRIKE,),
    DamageOrder: (Phase.ASSESS,),
}
_MAY_BE_DONE: Mapping[Phase, str] = {
    Phase.DEPLOY: "deploy (Move deploy)",
    Phase.INITIATIVE: "roll for who acts first (Move roll_off)",
    Phase.MOVE: "move ships (Move move_ships)",
    Phase.CAP_1: "place cards (Move place_cards)",
    Phase.RECON: "reconnoiter or pass (Spot reconnoiter, pass_flight)",
    Phase.CAP_2: "place cards (Move place_cards)",
    Phase.STRIKE: "strike or pass (Fire send_strike, pass_flight)",
    Phase.ASSESS: "assess damage (Damage assess)",
    Phase.FINISHED: "nothing: the game is over",
}


def survey(board: Board, seat: str, _verb: Verb, order: Order, book: CarriersBook) -> Facts:
    """The facts that an order's ruling needs.

    Raises:
        PhaseClosed: CAR-2.1, the order belongs to another segment; CAR-5.7, a flight waits to be
            answered, or none does.
        Malformed, Illegal: CAR-2.7, a card that the side has not, a place without a ship;
            CAR-5.7, an answer that is not open.
    """
    _check_phase(board, order)
    side, own = Side(seat), board.own_cards
    match order:
        case MoveOrder():
            return MoveFacts(_move(board, side, order.procedure), own)
        case SpotOrder():
            return SpotFacts(_flight(board, side, order.procedure, book), own)
        case FireOrder():
            return FireFacts(_flight(board, side, order.procedure, book), own)
        case DamageOrder():
            fleets = (_by_name(board.us.ships), _by_name(board.japan.ships))
            return DamageFacts(Assessing(board.turn, *fleets))


def _by_name(ships: tuple[Ship, ...]) -> tuple[Ship, ...]:
    """Ships in an order that tells nothing of where they stand, or stood at first.

    Everybody reads how they are assessed.
    """
    return tuple(sorted(ships, key=lambda ship: ship.name))


def _check_phase(board: Board, order: Order) -> None:
    wanted: Any = order.procedure
    phases = _MOVES[type(wanted)] if isinstance(order, MoveOrder) else _PHASES[type(order)]
    may = _MAY_BE_DONE[board.phase]
    if board.phase not in phases:
        raise PhaseClosed(
            "CAR-2.1",
            f"This is the segment {board.phase}; now one may {may}.",
            phase=board.phase.value,
            may=may,
        )
    if board.inbound is not None and not isinstance(wanted, Intercept):
        raise PhaseClosed(
            "CAR-5.7",
            "A flight waits for an answer; name the card that intercepts, or none (intercept).",
            phase=board.phase.value,
            may="intercept",
        )
    if board.inbound is None and isinstance(wanted, Intercept):
        raise PhaseClosed(
            "CAR-5.7",
            f"No flight waits for an answer; now one may {may}.",
            phase=board.phase.value,
            may=may,
        )


def _move(board: Board, side: Side, wanted: Any) -> Deploying | RollingOff | Sailing | Placing:
    navy = board.navy(side)
    match wanted:
        case Deploy():
            return Deploying(navy.ships, wanted.berths)
        case RollOff():
            return RollingOff(board.before)
        case MoveShips():
            return Sailing(navy.ships, wanted.moves)
        case PlaceCards():
            return Placing(navy.ships, navy.cards, wanted.placements, board.first)
    raise AssertionError(f"no facts for {wanted!r}")


# ---- Flights


def _flight(board: Board, side: Side, wanted: Any, book: CarriersBook) -> Any:
    match wanted:
        case PassFlight():
            return Passing(side)
        case Intercept():
            return _answered(board, wanted, book)
        case Reconnoiter():
            return _sent(board, side, wanted, "reconnoiter", None, book)
        case SendStrike():
            return _sent(board, side, wanted, "send_strike", wanted.weapon, book)
    raise AssertionError(f"no facts for {wanted!r}")


def _sent(
    board: Board,
    side: Side,
    wanted: Reconnoiter | SendStrike,
    path: str,
    weapon: Weapon | None,
    book: CarriersBook,
) -> Approach:
    """A flight is announced first, whoever may meet it: its dice fall with the answer."""
    flyer = flyer_of(board.navy(side), own_card(board, side, wanted.card, f"{path}.card"))
    target = target_at(board, side.other, wanted.target, f"{path}.target")
    return approach(board, side, flyer, target, weapon, book)


def approach(
    board: Board,
    side: Side,
    flyer: Flyer,
    target: Ship,
    weapon: Weapon | None,
    book: CarriersBook,
) -> Approach:
    """A flight announced: nothing in it that its owner does not know."""
    flown = board.navy(side).flown
    revealed = lies_open(board.navy(side.other), target.id, book)
    if weapon is None:
        return Approach(flyer, target.line, revealed=revealed)
    return Approach(flyer, target.line, weapon, revealed, flown)


def _answered(board: Board, wanted: Intercept, book: CarriersBook) -> Reconnaissance | Strike:
    """The flight that waits, with the cards that meet it."""
    if board.inbound is None:
        raise AssertionError("no flight waits")
    flight, flyer = board.flights[-1], board.inbound.flyer
    enemy = board.navy(flight.side.other)
    target = enemy.ship(board.inbound.ship)
    met = [
        Interceptor(one.type, one.station == Station.ADJACENT)
        for one in meeting(board, wanted, book)
    ]
    first, *more = met or [Interceptor("")]
    further = tuple(more)
    revealed = lies_open(enemy, target.id, book)
    if flight.weapon is None:
        return Reconnaissance(
            flyer, target.line, revealed, first.type, first.adjacent, further_interceptors=further
        )
    return Strike(
        flyer,
        flight.weapon,
        target,
        revealed,
        first.type,
        first.adjacent,
        flown=board.navy(flight.side).flown,
        further_interceptors=further,
    )


# ---- What an order names


def own_card(board: Board, side: Side, card: str, field: str) -> Card:
    """A card of the side that is in the game.

    Raises:
        Malformed: CAR-2.7, the side has none of this id.
        Illegal: CAR-2.7, it is lost.
    """
    found = board.navy(side).card(card)
    if found is None:
        raise Malformed(
            f"There is no card {card!r} of yours; your view names your cards by id.",
            rule_id="CAR-2.7",
            field=field,
            card=card,
        )
    if found.lost:
        raise Illegal(
            "CAR-2.7",
            f"{card} is out of the game. Send another card.",
            field=field,
            card=card,
        )
    return found


def target_at(board: Board, side: Side, place: Place, field: str) -> Ship:
    """The ship of a side at a place.

    Raises:
        Illegal: CAR-2.7, no ship stands there.
    """
    ships = board.navy(side).ships
    ship = ship_at(ships, place.line, place.slot)
    if ship is None:
        count = len(line_of(ships, place.line))
        slots = f"slots 0 to {count - 1} are taken" if count else "nothing stands on it"
        raise Illegal(
            "CAR-2.7",
            f"No ship stands at slot {place.slot} of the enemy's {place.line} line; {slots}.",
            field=f"{field}.slot",
            line=place.line.value,
            slot=place.slot,
        )
    return ship
