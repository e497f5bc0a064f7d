"""Who sees what. Chapter 10.

Everything is decided by the board, or by the deed, as it was then: history reads the same later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from guncamera.rules.ruleset import Deed, Verb
from guncamera.rules.trace import FindingLine, SettingLine, SumLine, TraceLine
from guncamera.rulesets.carriers.assessing import POINTS, REPORTS, called
from guncamera.rulesets.carriers.board import Board, Navy, lies_open
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Card, Line, Ship, Side, Station
from guncamera.rulesets.carriers.events import (
    ActingChanged,
    CardIntercepted,
    CardsRemoved,
    FirstDecided,
    FlightBegun,
    FlightEnded,
    GameEnded,
    PhaseChanged,
    ShipDamaged,
    ShipRevealed,
    TurnAssessed,
)
from guncamera.rulesets.carriers.fleets import line_of
from guncamera.rulesets.carriers.orders import (
    CardSeen,
    Deploy,
    FleetSeen,
    Intercept,
    LineSeen,
    MoveShips,
    Phase,
    PlaceCards,
    Reconnoiter,
    Report,
    SendStrike,
    Setup,
    ShipSeen,
    SlotSeen,
    View,
)
from guncamera.rulesets.carriers.setup import REFEREE, TITLES
from guncamera.rulesets.carriers.standing import SUBTRACTION

_UNSEEN = (Phase.DEPLOY, Phase.MOVE)
_PUBLIC = (PhaseChanged, ActingChanged, FirstDecided, GameEnded)
_KEPT = SettingLine(REPORTS, "damage_reports", "own")
_DONE = {Deploy: "has deployed", MoveShips: "has moved", PlaceCards: "has placed its cards"}


def keeps_secrets(board: Board, seat: str | None) -> bool:
    """Whether ships and cards lie hidden from a seat: until the game is over, but for a referee."""
    return board.phase != Phase.FINISHED and seat != REFEREE


def setup_for(setup: Setup, board: Board, seat: str | None) -> Setup:
    """The set-up without the ships and cards of a side that a seat does not see."""
    if not keeps_secrets(board, seat):
        return setup
    return replace(
        setup,
        us=setup.us if seat == Side.US else None,
        japan=setup.japan if seat == Side.JAPAN else None,
    )


# ---- The board


def view_for(board: Board, seat: str | None, book: CarriersBook) -> View:
    """What a seat sees; None is a spectator."""
    return View(
        phase=board.phase,
        turn=board.turn,
        turns=board.turns,
        acting=board.acting,
        first=board.first,
        fleets=tuple(_fleet(board, board.navy(side), seat, book) for side in Side),
        flights=board.flights,
        own_cards=board.own_cards,
        winner=board.winner,
        draw=board.ending is not None and board.winner is None,
    )


def _fleet(board: Board, navy: Navy, seat: str | None, book: CarriersBook) -> FleetSeen:
    whole = seat == navy.side.value or not keeps_secrets(board, seat)
    as_before = not whole and board.phase in _UNSEEN
    ships = navy.stood if as_before else navy.ships
    lines = tuple(_line(navy, line, line_of(ships, line), book, whole=whole) for line in Line)
    hand = [card for card in navy.cards if not card.ship and not card.lost]
    return FleetSeen(
        side=navy.side,
        whole=whole,
        lines=lines,
        hand=tuple(_own_card(card) for card in hand) if whole else (),
        reports=_reports(navy) if whole or book.settings.damage_reports == "open" else (),
        points=navy.points,
    )


def _line(
    navy: Navy, line: Line, ships: Iterable[Ship], book: CarriersBook, *, whole: bool
) -> LineSeen:
    return LineSeen(line, tuple(_slot(navy, ship, book, whole=whole) for ship in ships))


def _slot(navy: Navy, ship: Ship, book: CarriersBook, *, whole: bool) -> SlotSeen:
    revealed = lies_open(navy, ship.id, book)
    shown = ShipSeen(ship.name, ship.ship_class, ship.keys, ship.belts, ship.id if whole else "")
    cards = navy.at(ship.id)
    return SlotSeen(
        ship=shown if whole or revealed else None,
        revealed=revealed,
        front=_cards(cards, Station.FRONT, whole=whole),
        adjacent=_cards(cards, Station.ADJACENT, whole=whole),
        # A card that flew is back in hand, but by setting: else one that is spent has intercepted.
        intercepted=sum(card.spent for card in cards),
        intercepted_front=sum(card.spent and card.station == Station.FRONT for card in cards),
    )


def _cards(cards: Iterable[Card], station: Station, *, whole: bool) -> tuple[CardSeen, ...]:
    here = [card for card in cards if card.station == station]
    if whole:
        return tuple(_own_card(card) for card in here)
    face_up = sorted(card.type for card in here if card.face_up)
    backs = len(here) - len(face_up)
    return (*(CardSeen(kind, face_up=True) for kind in face_up), *[CardSeen("", False)] * backs)


def _own_card(card: Card) -> CardSeen:
    return CardSeen(card.type, card.face_up, card.id, card.spent)


def _reports(navy: Navy) -> tuple[Report, ...]:
    """Damage (CAR-10.6), all of it announced as it was done; by name, as places would tell."""
    hurt = [ship for ship in navy.ships if ship.keys or ship.belts]
    return tuple(
        Report(ship.name, ship.ship_class, ship.keys, ship.belts)
        for ship in sorted(hurt, key=lambda ship: ship.name)
    )


# ---- Actions


def deed_for(deed: Deed, board: Board, seat: str | None) -> Deed:
    """What a seat sees of an action: of moves nothing, of flights no ids, of a miss no reason."""
    if seat == REFEREE:
        return deed
    wanted: Any = deed.order.procedure if deed.order is not None else None
    if isinstance(wanted, Deploy | MoveShips | PlaceCards):
        return deed if deed.seat == seat else _unseen(deed, _DONE[type(wanted)])
    deed = replace(deed, events=tuple(_event_for(event, board, seat) for event in deed.events))
    if deed.verb == Verb.DAMAGE:
        trace = tuple(_reported(deed.trace, board, seat))
        return replace(deed, outcome=_assessed(deed.outcome, board, seat), trace=trace)
    if deed.verb not in (Verb.SPOT, Verb.FIRE):
        return deed
    if deed.seat != seat:
        deed = replace(deed, order=_without_card(deed.order))
    return _missed(deed, seat) if _is_unseen_miss(deed) else deed


def _unseen(deed: Deed, done: str) -> Deed:
    """That a side has done what it does unseen (CAR-10.2)."""
    return replace(
        deed,
        order=None,
        outcome=None,
        trace=(),
        events=tuple(event for event in deed.events if isinstance(event, _PUBLIC)),
        summary=f"{TITLES[Side(deed.seat)]} {done}.",
        rolls=(),
    )


def _without_card(order: Any) -> Any:
    """An order without its owner's names for the cards."""
    wanted = order.procedure
    if isinstance(wanted, Intercept):
        return replace(order, procedure=Intercept())
    if isinstance(wanted, Reconnoiter | SendStrike):
        return replace(order, procedure=replace(wanted, card=""))
    return order


def _event_for(event: Any, board: Board, seat: str | None) -> Any:
    """An event without ids that are not the seat's to know (CAR-10.1)."""
    match event:
        case FlightBegun():
            mine = event.side == seat
            theirs = event.side.other == seat
            return replace(
                event, card=event.card if mine else "", ship=event.ship if theirs else ""
            )
        case CardIntercepted() | FlightEnded() if event.side != seat:
            return replace(event, card="")
        case ShipRevealed() | ShipDamaged() if event.side != seat:
            return replace(event, ship="")
        case CardsRemoved() if event.side != seat:
            return replace(event, ship="", cards=())
        case TurnAssessed():
            return replace(event, cleared=_own(event.cleared, board, seat))
    return event


def _assessed(outcome: Any, board: Board, seat: str | None) -> Any:
    """An assessment without ids of ships that are not the seat's (CAR-10.1)."""
    found = outcome.procedure
    return replace(outcome, procedure=replace(found, cleared=_own(found.cleared, board, seat)))


def _own(ships: Iterable[str], board: Board, seat: str | None) -> tuple[str, ...]:
    """Those of some ships that are the seat's side's."""
    own = {ship.id for side in Side if side == seat for ship in board.navy(side).ships}
    return tuple(ship for ship in ships if ship in own)


def _reported(trace: Sequence[TraceLine], board: Board, seat: str | None) -> Iterator[TraceLine]:
    """The lines of an assessment without reports that are kept from a seat (CAR-10.6)."""
    if _KEPT not in trace:
        yield from trace
        return
    named = {side: {called(ship) for ship in board.navy(side).ships} for side in Side}
    own = next((named[side] - named[side.other] for side in Side if side == seat), set[str]())
    scored: list[TraceLine] = []
    for line in trace:
        if line.rule_id == POINTS:
            scored.append(line)
            if isinstance(line, SumLine):
                # The enemy scores by the state of the seat's own ships.
                if any(line.name == f"{side.other}_points" for side in Side if side == seat):
                    yield from scored
                scored.clear()
        elif not isinstance(line, FindingLine) or line.name != "ends" or line.why in own:
            yield line


# ---- Misses


def _is_unseen_miss(deed: Deed) -> bool:
    """A strike that got past all cards, missed, and did not know its target (CAR-10.5)."""
    return deed.verb == Verb.FIRE and any(
        isinstance(event, FlightEnded) and not (event.hit or event.turned_back or event.revealed)
        for event in deed.events
    )


def _missed(deed: Deed, seat: str | None) -> Deed:
    ended = next(event for event in deed.events if isinstance(event, FlightEnded))
    if ended.side.other == seat:
        return deed
    trace = tuple(line for line in deed.trace if not _tells_of_target(line))
    return replace(deed, trace=trace)


def _tells_of_target(line: TraceLine) -> bool:
    return line.rule_id == SUBTRACTION
