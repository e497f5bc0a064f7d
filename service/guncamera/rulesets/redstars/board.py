"""The state of one game, and how events change it.

Hidden in it are the cards of this turn until all have chosen; `secrecy` says who sees what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook, data_book_of
from guncamera.rulesets.redstars.discs import EXTREME
from guncamera.rulesets.redstars.events import (
    AircraftLeft,
    AircraftMoved,
    CardsChosen,
    CardsRevealed,
    Change,
    GameEnded,
    Harmed,
    IntentTold,
    MeetingOver,
    MeetingsFound,
    OrderSet,
    PhaseChanged,
    RamDeclared,
    RamMissed,
    RamsPossible,
    ResultsHeld,
    ShotFired,
    SideReady,
    TailingFound,
    TurnTaken,
)
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.orders import (
    Card,
    Craft,
    Kill,
    Meeting,
    Pending,
    Phase,
    Ram,
    Shot,
    Side,
)
from guncamera.rulesets.redstars.outcomes import Effect
from guncamera.rulesets.redstars.specials import after


@dataclass(frozen=True, slots=True)
class Board:
    """One game.

    Attributes:
        firing: The order that is rolled for, or open, is that of firing; else that of moving.
        choosing: Aircraft that choose now.
        cards: Choices made this turn, each with its intent, hidden or not.
        revealed: The cards of this turn lie open.
        possible_rams: Who could ram whom, once all have chosen.
        ready: Sides that have declared their ram, or none.
        shots: Of this turn.
        pending: What shots did and is not yet in effect, by setting.
    """

    phase: Phase
    turn: int
    turns: int
    table_inches: int
    craft: tuple[Craft, ...]
    firing: bool
    choosing: tuple[str, ...]
    cards: tuple[Card, ...]
    revealed: bool
    possible_rams: tuple[Ram, ...]
    ready: tuple[Side, ...]
    rams: tuple[Ram, ...]
    order: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    shots: tuple[Shot, ...]
    pending: tuple[Pending, ...]
    kills: tuple[Kill, ...]
    own_books: tuple[DataBook, ...]
    winner: Side | None
    draw: bool

    def craft_of(self, aircraft: str) -> Craft:
        """An aircraft of the game, flying or not; there must be one of this id."""
        return next(one for one in self.craft if one.aircraft.id == aircraft)

    def flying(self) -> tuple[Craft, ...]:
        """The aircraft still in the game, in the order of their ids."""
        return tuple(one for one in self.craft if one.end is None)

    def struck(self, aircraft: str) -> Aircraft:
        """An aircraft with everything that shots have done to it, in effect or not."""
        one = self.craft_of(aircraft).aircraft
        effects = [e for held in self.pending if held.aircraft == aircraft for e in held.effects]
        return after(one, effects) if effects else one

    def card_of(self, aircraft: str) -> Card | None:
        """The cards chosen for an aircraft this turn."""
        return next((card for card in self.cards if card.aircraft == aircraft), None)


def book_for(aircraft: Aircraft, board: Board, book: RedstarsBook) -> DataBook:
    """The data book of an aircraft on the board."""
    return data_book_of(aircraft.type, board.own_books, book, "aircraft")


def fold(board: Board, events: Iterable[Change], book: RedstarsBook) -> Board:
    """The board after some events, in order."""
    for event in events:
        board = _after(board, event, book)
    return board


def _after(board: Board, event: Change, book: RedstarsBook) -> Board:
    match event:
        case AircraftMoved() | Harmed() | RamMissed() | TailingFound() | AircraftLeft():
            return _craft_after(board, event)
        case ShotFired():
            return _shot(board, event, book)
        case ResultsHeld():
            held = Pending(event.aircraft, event.effects, event.end, event.by)
            return replace(board, pending=(*board.pending, held))
        case PhaseChanged():
            return _phase(board, event)
        case GameEnded():
            return replace(
                board, phase=Phase.FINISHED, winner=event.winner, draw=event.winner is None
            )
        case CardsChosen() | CardsRevealed() | IntentTold():
            return _cards(board, event)
        case _:
            return _course(board, event)


def _cards(board: Board, event: CardsChosen | CardsRevealed | IntentTold) -> Board:
    match event:
        case CardsChosen():
            card = Card(event.aircraft, made=True, choice=event.choice, intent=event.intent)
            return replace(
                board,
                cards=(*board.cards, card),
                choosing=tuple(one for one in board.choosing if one != event.aircraft),
            )
        case CardsRevealed():
            return replace(board, revealed=True)
        case IntentTold():
            return board  # the card holds it; who sees it is `secrecy`'s to say


def _course(
    board: Board,
    event: RamsPossible
    | RamDeclared
    | SideReady
    | MeetingsFound
    | MeetingOver
    | TurnTaken
    | OrderSet,
) -> Board:
    match event:
        case RamsPossible():
            return replace(board, possible_rams=event.rams)
        case RamDeclared():
            return replace(board, rams=(*board.rams, Ram(event.rammer, event.target)))
        case SideReady():
            return replace(board, ready=(*board.ready, event.side))
        case MeetingsFound():
            return replace(board, meetings=event.meetings)
        case MeetingOver():
            return replace(board, meetings=board.meetings[1:])
        case TurnTaken():
            left = tuple(one for one in board.order if one != event.aircraft)
            return replace(board, order=left)
        case OrderSet(phase=Phase.CHOOSE):
            return replace(board, choosing=event.aircraft)
        case OrderSet():
            return replace(board, order=event.aircraft)


def _with_craft(board: Board, changed: Craft) -> Board:
    craft: Sequence[Craft] = [
        changed if one.aircraft.id == changed.aircraft.id else one for one in board.craft
    ]
    return replace(board, craft=tuple(craft))


def _craft_after(
    board: Board, event: AircraftMoved | Harmed | RamMissed | TailingFound | AircraftLeft
) -> Board:
    match event:
        case AircraftMoved():
            return _moved(board, event)
        case TailingFound():
            one = board.craft_of(event.tailer)
            if one.tails:
                return _with_craft(board, replace(one, also_tails=(*one.also_tails, event.target)))
            return _with_craft(board, replace(one, tails=event.target))
        case AircraftLeft():
            return _left(board, event)
        case Harmed():
            one = board.craft_of(event.aircraft)
            effect = Effect(event.harm, event.amount, event.which)
            aircraft = after(one.aircraft, (effect,))
        case RamMissed():
            one = board.craft_of(event.aircraft)
            aircraft = replace(one.aircraft, ram_missed=True)
    return _with_craft(board, replace(one, aircraft=aircraft))


def _moved(board: Board, event: AircraftMoved) -> Board:
    one = board.craft_of(event.aircraft)
    aircraft = replace(
        one.aircraft, position=event.position, speed=event.speed, flight=event.flight
    )
    if board.phase != Phase.MOVE:
        return _with_craft(board, replace(one, aircraft=aircraft))
    aircraft = replace(aircraft, last_maneuver=event.maneuver, ram_missed=False)
    extreme = event.maneuver in EXTREME
    start = one.aircraft.position
    moved = replace(one, aircraft=aircraft, start=start, discs=event.discs, extreme=extreme)
    return _with_craft(board, moved)


def _left(board: Board, event: AircraftLeft) -> Board:
    one = board.craft_of(event.aircraft)
    gone = event.aircraft
    board = _with_craft(board, replace(one, end=event.end))
    kills = (*board.kills, Kill(gone, event.end, event.by))
    victor = board.craft_of(event.by) if event.by else one
    if victor.side != one.side:
        board = _with_craft(board, replace(victor, kills=victor.kills + 1))
    return replace(
        board,
        kills=kills,
        order=tuple(name for name in board.order if name != gone),
        choosing=tuple(name for name in board.choosing if name != gone),
        meetings=tuple(m for m in board.meetings if gone not in (m.first, m.second)),
    )


def _shot(board: Board, event: ShotFired, book: RedstarsBook) -> Board:
    one = board.craft_of(event.shooter)
    boxes = list(boxes_of(one.aircraft, book_for(one.aircraft, board, book)))
    for weapon in event.weapons:
        boxes[weapon] -= 1
    board = _with_craft(board, replace(one, aircraft=replace(one.aircraft, boxes=tuple(boxes))))
    shot = Shot(
        event.shooter, event.target, event.weapons, event.hit, event.damage, event.special_hit
    )
    return replace(board, shots=(*board.shots, shot))


def _phase(board: Board, event: PhaseChanged) -> Board:
    if event.turn == board.turn:
        moved = board.phase == Phase.COLLIDE  # what follows, ties included, is about firing
        return replace(board, phase=event.phase, firing=board.firing or moved, pending=())
    fresh = tuple(replace(one, tails="", also_tails=()) for one in board.craft)
    return replace(
        board,
        phase=event.phase,
        turn=event.turn,
        craft=fresh,
        firing=False,
        cards=(),
        revealed=False,
        possible_rams=(),
        ready=(),
        rams=(),
        order=(),
        meetings=(),
        shots=(),
    )
