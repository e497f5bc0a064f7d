"""Who could ram whom, and which aircraft meet once all have moved. Rules RED-9.1 and RED-9.3.

Geometry on the board only; whether they strike each other is ruled on one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from guncamera.rulesets.redstars.aircraft import Flight
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.cards import play
from guncamera.rulesets.redstars.condition import is_gliding
from guncamera.rulesets.redstars.contact import is_head_on, overlap
from guncamera.rulesets.redstars.geometry import within
from guncamera.rulesets.redstars.orders import Craft, Meeting, Ram, Side

# ---- Rams


def rams_of(board: Board, book: RedstarsBook) -> Iterator[Ram]:
    """Rammers and targets, by where they are as the turn begins (RED-9.3).

    Those so far apart that no discs of theirs can touch are left out.
    """
    for one in board.flying():
        aircraft = one.aircraft
        glides = is_gliding(aircraft, book_for(aircraft, board, book))
        if glides or aircraft.flight == Flight.SPINNING:
            continue
        for other in board.flying():
            there = other.aircraft.position
            meets = is_head_on(aircraft.position, there, book.settings)
            placed = meets or other.aircraft.id in one.tailed
            if other.side != one.side and placed and _in_reach(one, other, board, book):
                yield Ram(aircraft.id, other.aircraft.id)


def _in_reach(one: Craft, other: Craft, board: Board, book: RedstarsBook) -> bool:
    discs = _discs_chosen(one, board, book) + _discs_chosen(other, board, book) + 1
    return within(one.aircraft.position, other.aircraft.position, discs * book.settings.disc_mils)


def _discs_chosen(one: Craft, board: Board, book: RedstarsBook) -> int:
    card = board.card_of(one.aircraft.id)
    if card is None or card.choice is None:
        return 0
    return len(play(one.aircraft, card.choice, book_for(one.aircraft, board, book), book).codes)


def open_rams(board: Board, side: Side) -> tuple[Ram, ...]:
    """The rams that a side may still declare: one of each rammer, until it declares none more."""
    if side in board.ready:
        return ()
    declared = {ram.rammer for ram in board.rams}
    return tuple(
        ram
        for ram in board.possible_rams
        if board.craft_of(ram.rammer).side == side and ram.rammer not in declared
    )


def next_to_declare(board: Board) -> Side | None:
    """The side that declares now; None once both are done."""
    return next((side for side in Side if open_rams(board, side)), None)


def declaring_side(board: Board) -> Side:
    """The side that declares now; there must be one."""
    return next(side for side in Side if open_rams(board, side))


# ---- Meetings


def meetings_of(board: Board, book: RedstarsBook) -> tuple[Meeting, ...]:
    """Rams first, then the pairs whose discs overlap, in the order of their ids (RED-9.1)."""
    flying = {one.aircraft.id for one in board.flying()}
    rams = [ram for ram in board.rams if {ram.rammer, ram.target} <= flying]
    found = [Meeting(ram.rammer, ram.target, ram=True) for ram in rams]
    rammed = [{ram.rammer, ram.target} for ram in rams]
    for first, second in combinations(sorted(flying), 2):
        accident = Meeting(first, second, ram=False)
        if {first, second} not in rammed and still_meet(accident, board, book):
            found.append(accident)
    return tuple(found)


def still_meet(meeting: Meeting, board: Board, book: RedstarsBook) -> bool:
    """Whether a meeting takes place: one by accident not where a spin has parted the two."""
    first, second = board.craft_of(meeting.first), board.craft_of(meeting.second)
    return meeting.ram or overlap(first.aircraft.position, second.aircraft.position, book.settings)


def left_alone(board: Board) -> Iterator[str]:
    """Rammers whose target has left the game before they met it: a miss (RED-9.6)."""
    for ram in board.rams:
        rammer, target = board.craft_of(ram.rammer), board.craft_of(ram.target)
        if rammer.end is None and target.end is not None:
            yield ram.rammer
