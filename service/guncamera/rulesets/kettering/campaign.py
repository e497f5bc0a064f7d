"""After a ruling: what changes on the board, which phase follows, and when it is all over.

Rules KET-1.7, KET-10.1, KET-10.2. Bookkeeping only; every decision is in the ruling.
"""

from __future__ import annotations

from typing import Any

from guncamera.rules.ruleset import Applied, Verb
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.kettering.board import Board, fold
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.events import (
    CampaignEnded,
    Change,
    EncounterEnded,
    PhaseChanged,
    Piece,
    PieceMoved,
)
from guncamera.rulesets.kettering.facts import (
    Advanced,
    DamageOutcome,
    Deployed,
    End,
    Entered,
    Fate,
    FireOutcome,
    Flown,
    MoveOutcome,
    Reckoning,
    Repaired,
    Score,
    WindOutcome,
    Winner,
)
from guncamera.rulesets.kettering.fate import AIRCRAFT_LOST, PASSED, SHOT_DOWN
from guncamera.rulesets.kettering.orders import Phase
from guncamera.rulesets.kettering.score import rule_on_reckoning


def apply(
    board: Board, _verb: Verb, _order: Any, ruling: Ruling[Any], book: KetteringBook
) -> Applied:
    """The board after a ruling, and everything that changed."""
    after = fold(board, ruling.events, book)
    outcome = ruling.outcome
    if isinstance(outcome, MoveOutcome | DamageOutcome):
        outcome = outcome.procedure
    more = _follows(after, outcome, book)
    return Applied(fold(after, more, book), (*ruling.events, *more))


def _follows(board: Board, outcome: Any, book: KetteringBook) -> tuple[Change, ...]:
    """The events that a ruling brings with it, by the order of a turn."""
    match outcome:
        case Deployed():
            met = board.encounter + 1
            return (PhaseChanged("KET-1.7", Phase.LAUNCH, met, 0),)
        case Entered():
            return (PhaseChanged("KET-1.7", Phase.TORPEDO, board.encounter, 1),)
        case Advanced(fate=fate):
            if fate.end != End.FLYING:
                return _encounter_over(board, fate, book)
            return (_phase(board, Phase.AIRCRAFT if board.aircraft.hex else Phase.WIND),)
        case Flown():
            return _after_flight(board, outcome, book)
        case FireOutcome(torpedo_destroyed=True, blast=blast):
            lost = blast is not None and blast.lost
            return _encounter_over(board, SHOT_DOWN, book, lost=lost)
        case FireOutcome():
            return (_phase(board, Phase.WIND),)
        case WindOutcome(fate=fate):
            return _after_wind(board, fate, book)
        case Repaired() if board.torpedoes_left <= 0:
            return _campaign_over(board, book, lost=False)
    return ()


def _phase(board: Board, phase: Phase) -> PhaseChanged:
    return PhaseChanged("KET-1.7", phase, board.encounter, board.turn)


def _after_flight(board: Board, flown: Flown, book: KetteringBook) -> tuple[Change, ...]:
    if flown.aircraft_lost:
        return _encounter_over(board, AIRCRAFT_LOST, book, lost=True)
    if not flown.left_board:
        return (_phase(board, Phase.FIRE),)
    if book.settings.aircraft_gone == "passes":
        return _encounter_over(board, PASSED, book)
    return (_phase(board, Phase.WIND),)


def _after_wind(board: Board, fate: Fate, book: KetteringBook) -> tuple[Change, ...]:
    """A new turn, unless the torpedo has crashed or the fuel is gone (KET-8.14)."""
    if fate.end != End.FLYING:
        return _encounter_over(board, fate, book)
    new_turn = PhaseChanged("KET-1.7", Phase.TORPEDO, board.encounter, board.turn + 1)
    if board.fuel_turns != 0 or not board.aircraft.hex:
        return (new_turn,)
    if book.settings.aircraft_gone == "passes":
        return _encounter_over(board, PASSED, book)
    return (PieceMoved("KET-8.14", Piece.AIRCRAFT, board.aircraft.hex, ""), new_turn)


def _encounter_over(
    board: Board, fate: Fate, book: KetteringBook, *, lost: bool = False
) -> tuple[Change, ...]:
    ended = EncounterEnded("KET-10.2", fate)
    landed = fold(board, (ended,), book)
    if lost or landed.torpedoes_left <= 0:
        return (ended, *_campaign_over(landed, book, lost=lost))
    return (ended, _phase(landed, Phase.DEPLOY))


def _campaign_over(board: Board, book: KetteringBook, *, lost: bool) -> tuple[Change, ...]:
    score = reckon(board, book, lost=lost)
    return (CampaignEnded("KET-10.1", score, lost), _phase(board, Phase.FINISHED))


def reckon(board: Board, book: KetteringBook, *, lost: bool) -> Score:
    """The score of a board, by the rule that a stateless call would use."""
    ends = [encounter.fate for encounter in board.encounters]
    won = [fate for fate in ends if fate.winner == Winner.GERMAN]
    shot_down = sum(1 for fate in won if fate.end == End.SHOT_DOWN)
    reckoning = Reckoning(
        aircraft_type=board.aircraft.type,
        shot_down=shot_down,
        credited=len(won) - shot_down,
        torpedoes=board.torpedoes,
        condition=board.condition,
        lost=lost,
    )
    score = rule_on_reckoning(reckoning, book).outcome.procedure
    if not isinstance(score, Score):
        raise AssertionError(f"a reckoning gave {score!r}")
    return score
