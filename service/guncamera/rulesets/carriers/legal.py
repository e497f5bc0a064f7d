"""Orders a seat may give now, in a fixed order, made of what that seat knows and nothing else.

Nothing here decides a rule: what might be given is put to the rule that would be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, zip_longest

from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.carriers.board import Board, Navy, flyer_of
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import Card, Line, Role, Ship, Side, Station, Weapon
from guncamera.rulesets.carriers.cover import able, may_refuse
from guncamera.rulesets.carriers.facts import Berth, FireFacts, Placement, ShipMove, SpotFacts
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.fleets import berths_of, in_commission, line_of
from guncamera.rulesets.carriers.move import rule_on_move
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
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.rulesets.carriers.survey import approach, survey
from guncamera.rulesets.carriers.turn import active_seats

MOST = 300
"""Orders that are listed of a phase: each move, placing or flight, and some of several."""


def legal_orders(board: Board, seat: str, book: CarriersBook) -> Iterator[LegalOrder]:
    """The orders of the phase: of moves and placings each alone, and some together."""
    if seat not in active_seats(board):
        return iter(())
    return islice(_orders(board, Side(seat), book), MOST)


def _orders(board: Board, side: Side, book: CarriersBook) -> Iterator[LegalOrder]:
    navy = board.navy(side)
    match board.phase:
        case Phase.DEPLOY:
            wanted = (Deploy(berths) for berths in _deployments(navy))
            yield from _moves(board, side, wanted, _deploy_told, book)
        case Phase.INITIATIVE:
            yield LegalOrder(Verb.MOVE, MoveOrder(RollOff()), "Roll for who acts first.")
        case Phase.MOVE:
            moves = (MoveShips(some) for some in _sailings(navy))
            yield from _moves(board, side, moves, _sailing_told, book)
        case Phase.CAP_1 | Phase.CAP_2:
            placings = (PlaceCards(some) for some in _placings(board, navy, book))
            yield from _moves(board, side, placings, _placing_told, book)
        case Phase.RECON | Phase.STRIKE:
            yield from _flights(board, side, book)
        case Phase.ASSESS:
            yield LegalOrder(Verb.DAMAGE, DamageOrder(), "Assess damage; end the turn.")


def _is_ruled(rule: Callable[[], object]) -> bool:
    try:
        rule()
    except Refusal:
        return False
    return True


def _moves(
    board: Board,
    side: Side,
    wanted: Iterable[Deploy | MoveShips | PlaceCards],
    told: Callable[..., str],
    book: CarriersBook,
) -> Iterator[LegalOrder]:
    """Those that the rules of movement let pass; they ask for no dice."""
    for one in wanted:
        order = MoveOrder(one)
        facts = survey(board, side.value, Verb.MOVE, order, book)
        if _is_ruled(lambda facts=facts: rule_on_move(facts, book, DealtDice(()))):  # type: ignore[misc]
            yield LegalOrder(Verb.MOVE, order, told(one, board.navy(side)))


# ---- Ships


def _deployments(navy: Navy) -> Iterator[tuple[Berth, ...]]:
    """As set up; each ship at the end of another line; each pair of neighbors exchanged."""
    yield ()
    berths = berths_of(navy.ships)
    for at, berth in enumerate(berths):
        for line in Line:
            if line != berth.line:
                yield (*berths[:at], *berths[at + 1 :], Berth(berth.ship, line))
    for at, (one, other) in enumerate(pairwise(berths)):
        exchanged = (Berth(other.ship, one.line), Berth(one.ship, other.line))
        yield (*berths[:at], *exchanged, *berths[at + 2 :])
    yield tuple(
        Berth(berth.ship, line) for berth, line in zip(reversed(berths), (b.line for b in berths))
    )


def _deploy_told(order: Deploy, navy: Navy) -> str:
    if not order.berths:
        return "Deploy as the set-up has it."
    told = []
    for line in Line:
        names = [navy.ship(one.ship).name for one in order.berths if one.line == line]
        told.append(f"{line}: {', '.join(names) or 'none'}")
    return f"Deploy {'; '.join(told)}."


def _sailings(navy: Navy) -> Iterator[tuple[ShipMove, ...]]:
    """None; every exchange and change of line; and pairs of them."""
    yield ()
    singles = list(_single_moves(navy))
    for move in singles:
        yield (move,)
    for at, move in enumerate(singles):
        yield (move, singles[(at + len(singles) // 2) % len(singles)])


def _single_moves(navy: Navy) -> Iterator[ShipMove]:
    lines = tuple(Line)
    for line in lines:
        for one, other in pairwise(line_of(navy.ships, line)):
            yield ShipMove(one.id, swap_with=other.id)
    for here, there in (*pairwise(lines), *pairwise(reversed(lines))):
        for ship in line_of(navy.ships, here):
            for slot in range(len(line_of(navy.ships, there)) + 1):
                yield ShipMove(ship.id, line=there, slot=slot)


def _sailing_told(order: MoveShips, navy: Navy) -> str:
    told = [_move_told(move, navy) for move in order.moves]
    return f"{'; '.join(told)}." if told else "Move no ship."


def _move_told(move: ShipMove, navy: Navy) -> str:
    name = navy.ship(move.ship).name
    if move.line is None:
        return f"{name} changes places with {navy.ship(move.swap_with).name}"
    return f"{name} to the {move.line} line, slot {move.slot}"


# ---- Cards


def _placings(board: Board, navy: Navy, book: CarriersBook) -> Iterator[tuple[Placement, ...]]:
    """None; some for the carriers; every card alone, kinds of card in turn."""
    yield ()
    ships = [ship for ship in navy.ships if ship.afloat]
    cards = [card for card in navy.cards if not card.spent and not card.lost]
    yield from _for_carriers(board, ships, cards, book)
    different = list(_different(cards))
    for card in different:
        if card.ship:
            yield (Placement(card.id),)
    by_card = [[*_places_for(card, ships)] for card in different]
    for row in zip_longest(*by_card):
        yield from ((placement,) for placement in row if placement is not None)


def _for_carriers(
    board: Board, ships: list[Ship], cards: list[Card], book: CarriersBook
) -> Iterator[tuple[Placement, ...]]:
    """A fighter in hand in front of every carrier; all of them; and the others adjacent."""
    carriers = [ship.id for ship in ships if in_commission(ship)]
    in_hand = [card for card in cards if not card.ship]
    fighters = [card for card in in_hand if _role(card, board, book) == Role.FIGHTER]
    others = [card for card in in_hand if card not in fighters]
    if not carriers:
        return
    guards = [
        Placement(card.id, carriers[at % len(carriers)], Station.FRONT)
        for at, card in enumerate(fighters)
    ]
    ready = [
        Placement(card.id, carriers[at % len(carriers)], Station.ADJACENT)
        for at, card in enumerate(others)
    ]
    found = (guards[: len(carriers)], guards, ready, [*guards, *ready])
    yield from dict.fromkeys(tuple(some) for some in found if len(some) > 1)


def _role(card: Card, board: Board, book: CarriersBook) -> Role:
    return card_of(card.type, board.own_cards, book, "card").role


def _places_for(card: Card, ships: list[Ship]) -> Iterator[Placement]:
    for ship in ships:
        for station in Station:
            if (card.ship, card.station) != (ship.id, station):
                yield Placement(card.id, ship.id, station)


def _different(cards: Iterable[Card]) -> Iterator[Card]:
    """The first of each kind of card that lie alike."""
    seen = set()
    for card in cards:
        key = (card.type, card.ship, card.station)
        if key not in seen:
            seen.add(key)
            yield card


def _placing_told(order: PlaceCards, navy: Navy) -> str:
    told = [_placement_told(one, navy) for one in order.placements]
    return f"{'; '.join(told)}." if told else "Place no card."


def _placement_told(placement: Placement, navy: Navy) -> str:
    kind = next(card.type for card in navy.cards if card.id == placement.card)
    if not placement.ship:
        return f"{kind} back in hand"
    where = "in front of" if placement.station == Station.FRONT else "adjacent to"
    return f"{kind} {where} {navy.ship(placement.ship).name}"


# ---- Flights


def _flights(board: Board, side: Side, book: CarriersBook) -> Iterator[LegalOrder]:
    recon = board.phase == Phase.RECON
    if board.inbound is not None:
        yield from _answers(board, side, board.inbound.ship, recon, book)
        return
    yield _flight(PassFlight(), "Fly no card now.", recon=recon)
    navy = board.navy(side)
    places = list(_places(board, side.other))
    cards = [card for card in navy.cards if not card.spent and not card.lost]
    for card in _different(cards):
        for place in places:
            for weapon in (None,) if recon else tuple(Weapon):
                if _may_fly(board, side, card, place, weapon, book):
                    yield _sent(card, place, weapon)


def _flight(wanted: Intercept | PassFlight, told: str, *, recon: bool) -> LegalOrder:
    if recon:
        return LegalOrder(Verb.SPOT, SpotOrder(wanted), told)
    return LegalOrder(Verb.FIRE, FireOrder(wanted), told)


def _answers(
    board: Board, side: Side, ship: str, recon: bool, book: CarriersBook
) -> Iterator[LegalOrder]:
    cards = able(board, side, ship, book)
    if not cards or may_refuse(book, strike=not recon):
        yield _flight(Intercept(), "Let the flight through.", recon=recon)
    for card in _different(cards):
        yield _flight(Intercept(card.id), f"{card.type} intercepts.", recon=recon)
    if book.settings.interceptors == "together":
        yield from _together(cards, recon)


def _together(cards: Sequence[Card], recon: bool) -> Iterator[LegalOrder]:
    """Several cards at once: each different lot of them, small ones first (CAR-5.9)."""
    alike: dict[tuple[str, str], list[Card]] = {}
    for card in cards:
        alike.setdefault((card.type, card.station or ""), []).append(card)
    for size in range(2, len(cards) + 1):
        for lot in _lots(tuple(alike.values()), size):
            first, *more = (card.id for card in lot)
            told = f"{' and '.join(card.type for card in lot)} intercept."
            yield _flight(Intercept(first, tuple(more)), told, recon=recon)


def _lots(kinds: Sequence[Sequence[Card]], size: int) -> Iterator[tuple[Card, ...]]:
    """So many cards, of each kind the first ones. None is looked at in vain: lots are many."""
    if not kinds:
        yield ()
        return
    kind, rest = kinds[0], kinds[1:]
    least = max(0, size - sum(map(len, rest)))
    for count in range(min(size, len(kind)), least - 1, -1):
        for more in _lots(rest, size - count):
            yield (*kind[:count], *more)


def _places(board: Board, side: Side) -> Iterator[tuple[Place, Ship]]:
    ships = board.navy(side).ships
    for line in Line:
        for slot, ship in enumerate(line_of(ships, line)):
            yield Place(line, slot), ship


def _may_fly(
    board: Board,
    side: Side,
    card: Card,
    place: tuple[Place, Ship],
    weapon: Weapon | None,
    book: CarriersBook,
) -> bool:
    """Whether a flight could be announced: by the card, the line, and what lies open."""
    flyer = flyer_of(board.navy(side), card)
    facts = approach(board, side, flyer, place[1], weapon, book)
    own, dice = board.own_cards, DealtDice(())
    if weapon is None:
        return _is_ruled(lambda: rule_on_spot(SpotFacts(facts, own), book, dice))
    return _is_ruled(lambda: rule_on_fire(FireFacts(facts, own), book, dice))


def _sent(card: Card, place: tuple[Place, Ship], weapon: Weapon | None) -> LegalOrder:
    target = place[0]
    where = f"slot {target.slot} of the {target.line} line"
    if weapon is None:
        order = SpotOrder(Reconnoiter(card.id, target))
        return LegalOrder(Verb.SPOT, order, f"{card.type} reconnoiters {where}.")
    load = "bombs" if weapon == Weapon.BOMB else "a torpedo"
    strike = FireOrder(SendStrike(card.id, weapon, target))
    return LegalOrder(Verb.FIRE, strike, f"{card.type} with {load} to {where}.")
