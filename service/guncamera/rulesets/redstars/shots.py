"""The shots that an aircraft may still fire this turn, for legal orders and for passing over it."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook, Flight, Mounting
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import condition_of, is_served
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.geometry import TOLERANCE_MILS
from guncamera.rulesets.redstars.orders import Craft, Shoot
from guncamera.rulesets.redstars.specials import guns_left
from guncamera.rulesets.redstars.to_hit import reach_mils


def has_shot(board: Board, shooter: str, book: RedstarsBook) -> bool:
    """Whether any shot is open to an aircraft."""
    return next(open_shots(board, shooter, book), None) is not None


def spent(board: Board, shooter: str, data_book: DataBook, book: RedstarsBook) -> frozenset[int]:
    """The weapons that fire no more this turn; forward ones fire together (RED-6.16)."""
    fired = {at for shot in board.shots if shot.shooter == shooter for at in shot.weapons}
    together = book.settings.forward_fire == "together"
    if together and any(_is_forward(at, data_book) for at in fired):
        fired |= {at for at in range(len(data_book.weapons)) if _is_forward(at, data_book)}
    return frozenset(fired)


def open_shots(board: Board, shooter: str, book: RedstarsBook) -> Iterator[Shoot]:
    """The shots open to an aircraft, by target.

    First all forward weapons together, then, where there are several, each alone to spare the
    others' ammunition, then each flexible mount.
    """
    one = board.craft_of(shooter)
    if one.end is not None or not may_fire(one.aircraft, book):
        return
    data_book = book_for(one.aircraft, board, book)
    ready = _ready(one, board, data_book, book)
    forward = tuple(at for at in ready if _is_forward(at, data_book))
    volleys = [forward]
    volleys += [(at,) for at in forward if len(forward) > 1]
    volleys += [(at,) for at in ready if not _is_forward(at, data_book)]
    for other in _targets(board, one, book):
        open_ = (_reaching(one, other, weapons, data_book, book) for weapons in volleys)
        for weapons in dict.fromkeys(open_):
            if weapons:
                yield Shoot(shooter, other.aircraft.id, weapons)


def may_fire(aircraft: Aircraft, book: RedstarsBook) -> bool:
    """Whether an aircraft's flight, and who holds its controls, let it fire (RED-6.17)."""
    if condition_of(aircraft).nobody_flies:
        return False
    return aircraft.flight != Flight.SPINNING or book.settings.spinning_fire == "allowed"


def _targets(board: Board, one: Craft, book: RedstarsBook) -> Iterator[Craft]:
    """The aircraft that another may fire at: enemies, by setting anybody; none as good as down."""
    down = {held.aircraft for held in board.pending if held.end is not None}
    for other in board.flying():
        at_enemy = other.side != one.side or book.settings.own_side == "allowed"
        if at_enemy and other is not one and other.aircraft.id not in down:
            yield other


def _is_forward(at: int, data_book: DataBook) -> bool:
    return data_book.weapons[at].mounting == Mounting.FORWARD


def _ready(one: Craft, board: Board, data_book: DataBook, book: RedstarsBook) -> list[int]:
    """Weapons with a gun, an ammunition box, a man to fire them, and no shot this turn."""
    boxes, condition = boxes_of(one.aircraft, data_book), condition_of(one.aircraft)
    fired, served = spent(board, one.aircraft.id, data_book, book), is_served(one.aircraft, book)
    return [
        at
        for at in range(len(data_book.weapons))
        if boxes[at]
        and guns_left(at, data_book, condition)
        and at not in fired
        and (served or _is_forward(at, data_book))
    ]


def _reaching(
    one: Craft, other: Craft, weapons: tuple[int, ...], data_book: DataBook, book: RedstarsBook
) -> tuple[int, ...]:
    if not weapons:
        return ()
    mounting = data_book.weapons[weapons[0]].mounting
    aim = aim_of(one.aircraft.position, other.aircraft.position, mounting, book)
    if not aim.in_arc or abs(aim.altitude_difference) > figure(book, "altitude_reach"):
        return ()
    return tuple(
        at for at in weapons if aim.range_mils <= reach_mils(at, data_book, book) + TOLERANCE_MILS
    )
