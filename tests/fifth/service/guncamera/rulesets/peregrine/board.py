"""The state of one race, who may act and see what, and how events change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from guncamera.rules.book import figure
from guncamera.rules.ruleset import Applied, Seat, Verb
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.events import BandChosen, Change, PhaseChanged, Stooped, Waited
from guncamera.rulesets.peregrine.facts import Band, Bird, FireOutcome
from guncamera.rulesets.peregrine.orders import MoveOrder, Phase, Setup, View


@dataclass(frozen=True, slots=True)
class Board:
    """One race.

    Attributes:
        leagues: The whole way.
        pigeon, falcon: Where they were last shown.
        chosen: Bands that are chosen and not shown yet.
    """

    phase: Phase
    turn: int
    leagues: int
    leagues_to_go: int
    pigeon: Band
    falcon: Band
    feathers: int
    breath: int
    chosen: tuple[BandChosen, ...] = ()


def open_board(setup: Setup, book: PeregrineBook) -> Board:
    """The board before the first turn, with each bird in the band it starts in."""
    leagues = figure(book, "leagues") if setup.leagues is None else setup.leagues
    return Board(
        phase=Phase.CHOOSE,
        turn=1,
        leagues=leagues,
        leagues_to_go=leagues,
        pigeon=book.aircraft[Bird.PIGEON].starts,
        falcon=book.aircraft[Bird.FALCON].starts,
        feathers=0,
        breath=figure(book, "breath"),
    )


def seats(_setup: Setup, book: PeregrineBook) -> tuple[Seat, ...]:
    """One for each bird."""
    return tuple(Seat(bird.value, bird.value, book.aircraft[bird].title) for bird in Bird)


def active_seats(board: Board) -> tuple[str, ...]:
    """Who has not chosen yet; then the falcon."""
    if board.phase is Phase.FINISHED:
        return ()
    if board.phase is Phase.STOOP:
        return (Bird.FALCON.value,)
    done = {choice.bird for choice in board.chosen}
    return tuple(bird.value for bird in Bird if bird not in done)


def view_for(board: Board, _seat: str | None, _book: PeregrineBook) -> View:
    """What anyone sees: all of it but `chosen`."""
    return View(
        phase=board.phase,
        turn=board.turn,
        leagues=board.leagues,
        leagues_to_go=board.leagues_to_go,
        pigeon=board.pigeon,
        falcon=board.falcon,
        feathers=board.feathers,
        breath=board.breath,
    )


def board_of(view: View) -> Board:
    """The board that shows this view, for rules that read boards."""
    return Board(
        phase=view.phase,
        turn=view.turn,
        leagues=view.leagues,
        leagues_to_go=view.leagues_to_go,
        pigeon=view.pigeon,
        falcon=view.falcon,
        feathers=view.feathers,
        breath=view.breath,
    )


def result(board: Board) -> str | None:
    """How the race ended, in one sentence; None while it goes on."""
    if board.phase is not Phase.FINISHED:
        return None
    if board.leagues_to_go == 0:
        return f"The pigeon is home in turn {board.turn}."
    return f"The falcon caught the pigeon {board.leagues_to_go} leagues from home."


def sealed_verb(board: Board) -> Verb | None:
    """Bands are sealed while both birds choose."""
    return Verb.MOVE if board.phase is Phase.CHOOSE else None


def default_order(board: Board, seat: str, _book: PeregrineBook) -> MoveOrder:
    """A bird whose seat chooses nothing in time stays where it is (PER-2.1)."""
    return MoveOrder(band_of(board, Bird(seat)))


def band_of(board: Board, bird: Bird) -> Band:
    """Where a bird was last shown."""
    return board.pigeon if bird is Bird.PIGEON else board.falcon


def apply(
    board: Board, _verb: Verb, _order: Any, ruling: Ruling[Any], _book: PeregrineBook
) -> Applied:
    """The board after a ruling, and after what follows from it (PER-1.1)."""
    events: tuple[Change, ...] = ruling.events
    for event in events:
        board = _after(board, event)
    following = _following(board, ruling.outcome)
    if following is not None:
        board = _after(board, following)
        events = (*events, following)
    return Applied(board, events)


def _after(board: Board, event: Change) -> Board:
    match event:
        case BandChosen():
            return _shown(replace(board, chosen=(*board.chosen, event)))
        case Stooped():
            return replace(board, falcon=board.pigeon, feathers=event.feathers, breath=event.breath)
        case Waited():
            return replace(board, breath=event.breath)
        case PhaseChanged():
            return replace(board, phase=event.phase, turn=event.turn)


def _shown(board: Board) -> Board:
    """Both bands at once, as soon as both are chosen."""
    chosen = {choice.bird: choice for choice in board.chosen}
    if len(chosen) < len(Bird):
        return board
    pigeon, falcon = chosen[Bird.PIGEON], chosen[Bird.FALCON]
    return replace(
        board,
        pigeon=pigeon.band,
        falcon=falcon.band,
        leagues_to_go=pigeon.leagues_to_go,
        chosen=(),
    )


def _following(board: Board, outcome: Any) -> PhaseChanged | None:
    """The phase after a ruling; None where the other bird has yet to choose."""
    if board.chosen:
        return None
    over = board.leagues_to_go == 0 or (isinstance(outcome, FireOutcome) and outcome.caught)
    if over:
        return PhaseChanged("PER-1.1", Phase.FINISHED, board.turn)
    if board.phase is Phase.CHOOSE:
        return PhaseChanged("PER-3.1", Phase.STOOP, board.turn)
    return PhaseChanged("PER-1.1", Phase.CHOOSE, board.turn + 1)
