"""After a ruling: what changes on the board, which phase follows, and when the game is over.

Rules CIR-12.1, CIR-12.2, CIR-12.4 to CIR-12.7, CIR-12.9 and CIR-12.10. Bookkeeping only: every
decision is in the ruling.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from guncamera.rules.ruleset import Applied, Verb
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import (
    Board,
    Pending,
    condition_of,
    is_lost,
    is_out,
    is_steered,
)
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.events import (
    AircraftLeft,
    Change,
    GameEnded,
    Harmed,
    PhaseChanged,
    PilotBroken,
    PlotRevealed,
    ResolutionChanged,
)
from guncamera.rulesets.circus.orders import Craft, Phase
from guncamera.rulesets.circus.outcomes import (
    Aimed,
    Effect,
    End,
    Fired,
    Flown,
    Plotted,
    Sightings,
    TurnEnded,
)
from guncamera.rulesets.circus.phases import is_idle, is_over, next_phase
from guncamera.rulesets.circus.stress import end_of
from guncamera.rulesets.circus.volley import figures_of, guns_after

BROUGHT_DOWN = (End.DESTROYED, End.BROKEN_UP, End.CRASHED, End.LANDED)
"""Ends that count as a kill for whoever scored last (CIR-12.9)."""


@dataclass(slots=True)
class _Story:
    """What happens, event by event, and the board that it leads to."""

    board: Board
    book: CircusBook
    events: list[Change] = field(default_factory=list)

    def tell(self, *events: Change) -> None:
        self.events += events
        self.board = fold(self.board, events, self.book)


def apply(board: Board, _verb: Verb, order: Any, ruling: Ruling[Any], book: CircusBook) -> Applied:
    """The board after a ruling, and everything that changed."""
    story = _Story(board, book)
    outcome = ruling.outcome.procedure
    if isinstance(outcome, Fired):
        _fired(story, ruling.events)
    else:
        story.tell(*(_credited(event, board, book) for event in ruling.events))
    match outcome:
        case Plotted():
            story.tell(_revealed(board, order))
        case Flown():
            _collisions(story)
        case TurnEnded():
            _broken(story)
        case Aimed():
            return Applied(board, tuple(story.events))
    _advance(story, done=isinstance(outcome, Sightings | Flown | TurnEnded))
    return Applied(story.board, tuple(story.events))


def _revealed(board: Board, order: Any) -> PlotRevealed:
    plots = order.procedure.plots
    side = board.craft_of(plots[0].aircraft).side
    return PlotRevealed("CIR-12.4", side, plots)


def _fired(story: _Story, events: Iterable[Change]) -> None:
    """Guns change at once; what the shot did waits for the end of the phase (CIR-12.6)."""
    held: list[Pending] = []
    for event in events:
        if isinstance(event, Harmed | ResolutionChanged | PilotBroken):
            held.append(event)
        else:
            story.tell(event)
    story.board = replace(story.board, pending=(*story.board.pending, *held))


def _credited(event: Change, board: Board, book: CircusBook) -> Change:
    """An aircraft that leaves the game, with whose kill it is (CIR-12.9)."""
    if not isinstance(event, AircraftLeft) or event.by or event.end not in BROUGHT_DOWN:
        return event
    if event.end == End.LANDED and book.settings.landed_kill == "none":
        return event
    return replace(event, by=board.craft_of(event.aircraft).last_hit_by)


# ---- What follows


def _advance(story: _Story, *, done: bool) -> None:
    """Go on to the next phase in which somebody has something to do.

    Args:
        done: What is done once in the present phase has been done.
    """
    while not is_over(story.board):
        if not done and not is_idle(story.board, story.book):
            return
        if story.board.phase == Phase.FIRE:
            _fire_ends(story)
        if _is_decided(story.board):
            _game_ends(story)
            return
        story.tell(next_phase(story.board))
        done = False


def _fire_ends(story: _Story) -> None:
    """What the shots did takes effect, on all at once (CIR-12.6)."""
    board, book = story.board, story.book
    ends = [(craft, _end_of(craft, board, book)) for craft in board.flying]
    story.tell(*board.pending)
    story.tell(*(_left(craft, end) for craft, end in ends if end is not None))
    _broken(story)
    story.tell(*guns_after(story.board, book))


def _end_of(craft: Craft, board: Board, book: CircusBook) -> End | None:
    """How the shots of the phase end an aircraft's flight; None if they do not."""
    effects = [
        Effect(event.harm, event.amount)
        for event in board.pending
        if isinstance(event, Harmed) and event.aircraft == craft.aircraft.id
    ]
    aeroplane = figures_of(craft.aircraft, board, book)
    return end_of(aeroplane, condition_of(craft.aircraft), effects, book)


def _left(craft: Craft, end: End) -> AircraftLeft:
    return AircraftLeft("CIR-12.9", craft.aircraft.id, end, craft.last_hit_by)


def _broken(story: _Story) -> None:
    """Pilots whose resolution is gone, where no ruling has said so yet."""
    for craft in story.board.flying:
        if craft.aircraft.resolution <= 0 and not craft.broken and is_steered(craft):
            story.tell(PilotBroken("CIR-12.8", craft.aircraft.id))


def _collisions(story: _Story) -> None:
    """Aircraft in one hex and at one height: ignored, or by setting both lost (CIR-12.7)."""
    if story.book.settings.stacking == "ignored":
        return
    step = figure(story.book, "height_step_feet")
    lost = {
        craft.aircraft.id
        for one, other in combinations(story.board.flying, 2)
        if one.aircraft.hex == other.aircraft.hex
        and abs(one.aircraft.altitude_feet - other.aircraft.altitude_feet) < step
        for craft in (one, other)
    }
    story.tell(*(AircraftLeft("CIR-12.7", id_, End.COLLIDED) for id_ in sorted(lost)))


# ---- The end of the game


def _is_decided(board: Board) -> bool:
    """A side has nobody left, or the last turn is over (CIR-12.10)."""
    if {craft.side for craft in board.flying} != set(Side):
        return True
    return board.phase == Phase.UPKEEP and board.turn >= board.turns


def _game_ends(story: _Story) -> None:
    """Aircraft without a pilot are lost too; then the tally decides."""
    for craft in story.board.flying:
        if condition_of(craft.aircraft).pilot_killed:
            story.tell(_left(craft, End.CRASHED))
    board = story.board
    first, second = (_tally(board, side, story.book) for side in Side)
    winner = None if first == second else Side.FIRST if first > second else Side.SECOND
    story.tell(
        GameEnded("CIR-12.10", winner),
        PhaseChanged("CIR-12.10", Phase.FINISHED, board.turn),
    )


def _tally(board: Board, side: Side, book: CircusBook) -> tuple[int, int]:
    """What decides the game, the first number first: enemies brought down, enemies out of the
    fight, or own aircraft that are not lost."""
    own = [craft for craft in board.craft if craft.side == side]
    if book.settings.victory == "survivors":
        return sum(1 for craft in own if not is_lost(craft)), 0
    kills = sum(craft.kills for craft in own)
    if book.settings.victory == "kills":
        return kills, 0
    return kills, sum(1 for craft in board.craft if craft.side != side and is_out(craft))
