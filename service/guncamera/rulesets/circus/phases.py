"""Whose turn it is: the phases of a turn, who may act in them, and which are passed over.

Rules CIR-12.1 and CIR-12.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, condition_of, other, unplotted
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.clock import has_gunner
from guncamera.rulesets.circus.events import PhaseChanged
from guncamera.rulesets.circus.orders import Craft, Phase
from guncamera.rulesets.circus.volley import figures_of, may_use_guns


def is_over(board: Board) -> bool:
    """Whether the game has been decided."""
    return board.winner is not None or board.draw


def acting_sides(board: Board, book: CircusBook) -> tuple[Side, ...]:
    """The sides that may act now, the first side first; none once the game is over."""
    if is_over(board):
        return ()
    match board.phase:
        case Phase.SPOT:
            return tuple(Side) if board.looking_side is None else (board.looking_side,)
        case Phase.PLOT:
            return tuple(side for side in Side if unplotted(board, side))
        case Phase.MOVE:
            return () if board.acting_side is None else (board.acting_side,)
        case Phase.FIRE:
            return tuple(side for side in Side if may_use_guns(board, side, book))
        case Phase.FLY | Phase.UPKEEP:
            return tuple(Side)
        case Phase.FINISHED:
            return ()


def is_idle(board: Board, book: CircusBook) -> bool:
    """Whether nobody has anything to do in the phase, so that it is passed over."""
    if board.phase == Phase.SPOT:
        return next(pairs(board, book), None) is None
    return not board.active


def pairs(board: Board, book: CircusBook) -> Iterator[tuple[Craft, Craft]]:
    """Who looks for whom now, in order of their ids.

    An aircraft whose pilot is dead looks for nobody, but by setting its gunner does. Where
    sightings are kept (CIR-12.11), an enemy that is spotted is not looked for again.
    """
    seen = {(one.spotter, one.target) for one in board.sightings if one.spotted}
    kept = book.settings.spotting_memory == "kept"
    gunners_look = book.settings.falling_gunner == "looks-too"
    for spotter in board.flying:
        if board.looking_side not in (None, spotter.side):
            continue
        if condition_of(spotter.aircraft).pilot_killed and not (
            gunners_look and _has_gunner(spotter, board, book)
        ):
            continue
        for target in board.flying:
            pair = (spotter.aircraft.id, target.aircraft.id)
            if target.side != spotter.side and not (kept and pair in seen):
                yield spotter, target


def falling(board: Board, book: CircusBook) -> tuple[str, ...]:
    """Who falls with a dead pilot and a living gunner, of those who look now (CIR-9.17)."""
    return tuple(
        craft.aircraft.id
        for craft in board.flying
        if board.looking_side in (None, craft.side)
        and condition_of(craft.aircraft).pilot_killed
        and _has_gunner(craft, board, book)
    )


def _has_gunner(craft: Craft, board: Board, book: CircusBook) -> bool:
    aeroplane = figures_of(craft.aircraft, board, book)
    return has_gunner(aeroplane, killed=condition_of(craft.aircraft).gunner_killed)


def next_phase(board: Board) -> PhaseChanged:
    """The phase after this one."""
    if board.simultaneous:
        return _next_together(board)
    return _next_by_halves(board)


_TOGETHER = {
    Phase.SPOT: Phase.PLOT,
    Phase.PLOT: Phase.FLY,
    Phase.FLY: Phase.FIRE,
    Phase.FIRE: Phase.UPKEEP,
}


def _next_together(board: Board) -> PhaseChanged:
    if board.phase == Phase.UPKEEP:
        return PhaseChanged("CIR-12.1", Phase.SPOT, board.turn + 1)
    return PhaseChanged("CIR-12.1", _TOGETHER[board.phase], board.turn)


def _next_by_halves(board: Board) -> PhaseChanged:
    acting, turn = board.acting_side, board.turn
    match board.phase:
        case Phase.SPOT if board.looking_side == acting:
            return PhaseChanged("CIR-12.2", Phase.MOVE, turn, acting)
        case Phase.SPOT:
            return PhaseChanged("CIR-12.2", Phase.FIRE, turn, acting)
        case Phase.MOVE:
            return PhaseChanged("CIR-12.2", Phase.SPOT, turn, acting)
        case Phase.FIRE if acting == Side.FIRST:
            return PhaseChanged("CIR-12.2", Phase.SPOT, turn, other(Side.FIRST))
        case Phase.FIRE:
            return PhaseChanged("CIR-12.2", Phase.UPKEEP, turn)
    return PhaseChanged("CIR-12.2", Phase.SPOT, turn + 1, Side.FIRST)
