"""A board for who sees only a view, so that rules that read boards can be asked."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rulesets.redstars.aim import in_arc
from guncamera.rulesets.redstars.aircraft import Flight, Mounting
from guncamera.rulesets.redstars.board import Board, book_for, fired_key
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of, is_gliding
from guncamera.rulesets.redstars.contact import is_head_on
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.orders import Craft, Phase, Ram, Side, View
from guncamera.rulesets.redstars.specials import guns_left


def board_of(view: View, seat: str) -> Board:
    """The board that shows this view to a seat that may act."""
    return Board(
        phase=view.phase,
        turn=view.turn,
        turns=view.turns,
        table_inches=view.table_inches,
        craft=view.craft,
        firing=view.phase == Phase.FIRE,
        choosing=view.choosing,
        cards=view.cards,
        revealed=view.phase != Phase.CHOOSE,
        possible_rams=(),
        ready=tuple(side for side in Side if side != seat) if view.phase == Phase.RAM else (),
        rams=view.rams,
        order=view.order,
        meetings=view.meetings,
        fired=(),
        shots=view.shots,
        kills=view.kills,
        own_books=view.own_books,
        winner=view.winner,
        draw=view.draw,
    )


def rams_of(board: Board, seat: str, book: RedstarsBook) -> Iterator[Ram]:
    """The rams that a seat may declare, from where all are (RED-9.3)."""
    for one in board.flying():
        aircraft = one.aircraft
        glides = is_gliding(aircraft, book_for(aircraft, board, book))
        if one.side != seat or glides or aircraft.flight == Flight.SPINNING:
            continue
        for other in board.flying():
            there = other.aircraft
            meets = is_head_on(aircraft.position, there.position, book.settings)
            if other.side != one.side and (meets or one.tails == there.id):
                yield Ram(aircraft.id, there.id)


def fired_by(shooter: str, board: Board, book: RedstarsBook) -> tuple[str, ...]:
    """The weapons that an aircraft has fired this turn, as far as its shots tell.

    A view does not say with what a shot was fired. A pilot fires his forward weapons together
    and his flexible ones in their order; where that leaves a doubt a weapon counts as fired.
    """
    one = board.craft_of(shooter)
    weapons = book_for(one.aircraft, board, book).weapons
    forward = [at for at, weapon in enumerate(weapons) if weapon.mounting == Mounting.FORWARD]
    flexible = [at for at in range(len(weapons)) if at not in forward]
    targets = [shot.target for shot in board.shots if shot.shooter == shooter]
    ahead = sum(_is_ahead(one, target, board, book) for target in targets)
    fired = list(forward) if ahead else []
    both_forward = book.settings.flexible_arc_rule == "forward"
    aside = len(targets) - (ahead if forward and not both_forward else 0)
    fired += _flexible_fired(one, flexible, aside, board, book)
    return tuple(fired_key(shooter, at) for at in fired)


def _is_ahead(one: Craft, target: str, board: Board, book: RedstarsBook) -> bool:
    there = board.craft_of(target).aircraft.position
    return in_arc(one.aircraft.position, there, Mounting.FORWARD, book)


def _flexible_fired(
    one: Craft, flexible: list[int], shots: int, board: Board, book: RedstarsBook
) -> list[int]:
    """The first weapons, one for each shot; all where one may have been empty before."""
    data_book = book_for(one.aircraft, board, book)
    condition, boxes = condition_of(one.aircraft), boxes_of(one.aircraft, data_book)
    armed = [at for at in flexible if guns_left(at, data_book, condition)]
    fired = armed[:shots]
    return armed if any(not boxes[at] for at in fired) else fired
