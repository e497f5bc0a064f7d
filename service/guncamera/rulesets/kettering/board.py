"""The state of one campaign, and how events change it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Malformed
from guncamera.rules.straight_line import changed, quick
from guncamera.rulesets.kettering.book import KetteringBook, figure, profile_of
from guncamera.rulesets.kettering.events import (
    AltitudeChanged,
    CampaignEnded,
    Change,
    Cleared,
    DamageTaken,
    EncounterEnded,
    PathFlown,
    PhaseChanged,
    Piece,
    PieceMoved,
    ShotFired,
    SpeedChanged,
    TorpedoEntered,
    WindBlew,
)
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aircraft,
    Condition,
    Critical,
    Score,
    Torpedo,
)
from guncamera.rulesets.kettering.orders import Encounter, Phase, Setup, Shot, View
from guncamera.rulesets.kettering.score import score_summary


@quick
@dataclass(frozen=True, slots=True)
class Board:
    """One campaign. The aircraft's hex is empty while it is not on the board.

    Attributes:
        torpedoes: Torpedoes in the campaign.
        shots: Shots fired in this encounter.
        fuel_turns: Flights left with a punctured tank; None without one.
        lost: The aircraft or its pilot is lost.
    """

    torpedoes: int
    phase: Phase
    encounter: int
    turn: int
    aircraft: Aircraft
    ammunition: int
    guns_jammed: bool
    fuel_turns: int | None
    bonus_hexes: int
    straight_hexes: int
    torpedo: Torpedo | None
    wind_toward: HexDirection | None
    wind_mp: int
    shots: int
    last_shot: Shot | None
    encounters: tuple[Encounter, ...]
    passed: int
    lost: bool
    score: Score | None

    @property
    def condition(self) -> Condition:
        """What has happened to the aircraft today."""
        return self.aircraft.condition or UNDAMAGED

    @property
    def torpedoes_left(self) -> int:
        """Torpedoes still to come after the one that is met now."""
        met = max(self.encounter, len(self.encounters))
        return self.torpedoes - met - self.passed


def open_board(setup: Setup, book: KetteringBook) -> Board:
    """The board before the first encounter.

    Raises:
        Malformed: No such aircraft, or a number of torpedoes that is none of 1 to 12.
        Illegal: KET-1.1, the type may not be flown under these settings.
    """
    profile = profile_of(setup.aircraft_type, book, "setup.aircraft_type")
    most = figure(book, "torpedoes")
    torpedoes = most if setup.torpedoes is None else setup.torpedoes
    if not 1 <= torpedoes <= most:
        raise Malformed(
            f"A campaign has 1 to {most} torpedoes, not {torpedoes}.",
            rule_id="KET-10.1",
            field="setup.torpedoes",
            torpedoes=torpedoes,
        )
    return Board(
        torpedoes=torpedoes,
        phase=Phase.DEPLOY,
        encounter=0,
        turn=0,
        aircraft=Aircraft(profile.type, "", HexDirection.NORTHEAST, 0, 0, UNDAMAGED),
        ammunition=profile.ammunition,
        guns_jammed=False,
        fuel_turns=None,
        bonus_hexes=0,
        straight_hexes=0,
        torpedo=None,
        wind_toward=None,
        wind_mp=0,
        shots=0,
        last_shot=None,
        encounters=(),
        passed=0,
        lost=False,
        score=None,
    )


def view_for(board: Board, _seat: str | None, _book: KetteringBook) -> View:
    """What anyone sees: all of it."""
    return View(
        phase=board.phase,
        encounter=board.encounter,
        turn=board.turn,
        aircraft=board.aircraft,
        ammunition=board.ammunition,
        guns_jammed=board.guns_jammed,
        fuel_turns=board.fuel_turns,
        bonus_hexes=board.bonus_hexes,
        straight_hexes=board.straight_hexes,
        torpedo=board.torpedo,
        wind_toward=board.wind_toward,
        wind_mp=board.wind_mp,
        last_shot=board.last_shot,
        encounters=board.encounters,
        passed=board.passed,
        torpedoes_left=board.torpedoes_left,
        score=board.score,
    )


def result(board: Board) -> str | None:
    """How the campaign ended, in one sentence; None while it goes on."""
    if board.score is None:
        return None
    lost = "The aircraft or its pilot was lost. " if board.lost else ""
    return lost + score_summary(board.score)


def fold(board: Board, events: Iterable[Change], book: KetteringBook) -> Board:
    """The board after some events, in order."""
    for event in events:
        board = _after(board, event, book)
    return board


def _after(board: Board, event: Change, book: KetteringBook) -> Board:
    match event:
        case PieceMoved() | AltitudeChanged() | SpeedChanged():
            return _piece(board, event)
        case PathFlown():
            fuel = None if board.fuel_turns is None else board.fuel_turns - 1
            condition = changed(board.condition, climbed_last_turn=event.climbed)
            return changed(
                _with_condition(board, condition),
                fuel_turns=fuel,
                bonus_hexes=event.bonus_hexes,
                straight_hexes=event.straight_hexes,
            )
        case WindBlew():
            return changed(board, wind_toward=event.wind_toward, wind_mp=event.wind_mp)
        case ShotFired():
            return _shot(board, event)
        case DamageTaken():
            return _damaged(board, event)
        case Cleared():
            return _cleared(board, event, book)
        case TorpedoEntered():
            return changed(board, torpedo=event.torpedo)
        case EncounterEnded():
            return _encounter_over(board, event, book)
        case PhaseChanged():
            return _phase(board, event, book)
        case CampaignEnded():
            return changed(board, score=event.score, lost=event.lost)


def _with_condition(board: Board, condition: Condition) -> Board:
    return changed(board, aircraft=changed(board.aircraft, condition=condition))


def _piece(board: Board, event: PieceMoved | AltitudeChanged | SpeedChanged) -> Board:
    if event.piece == Piece.TORPEDO:
        if board.torpedo is None:
            raise AssertionError(f"{event} moves a torpedo that is not there")
        match event:
            case PieceMoved():
                # A torpedo that has left the board stays in its last hex until the encounter ends.
                torpedo = changed(board.torpedo, hex=event.to_hex or event.from_hex)
            case AltitudeChanged():
                torpedo = changed(board.torpedo, altitude_metres=event.to_metres)
            case SpeedChanged():
                torpedo = changed(board.torpedo, speed_mp=event.to_mp)
        return changed(board, torpedo=torpedo)
    aircraft = board.aircraft
    match event:
        case PieceMoved():
            facing = event.facing or aircraft.facing
            aircraft = changed(aircraft, hex=event.to_hex, facing=facing)
        case AltitudeChanged():
            aircraft = changed(aircraft, altitude_metres=event.to_metres)
        case SpeedChanged():
            aircraft = changed(aircraft, speed_mp=event.to_mp)
    return changed(board, aircraft=aircraft)


def _shot(board: Board, event: ShotFired) -> Board:
    if board.torpedo is None:
        raise AssertionError("a shot was fired at a torpedo that is not there")
    shot = Shot(
        board.turn,
        board.aircraft.hex,
        board.torpedo.hex,
        event.aspect,
        event.torpedo_destroyed,
    )
    return changed(
        board,
        ammunition=event.ammunition,
        guns_jammed=board.guns_jammed or event.guns_jammed,
        shots=board.shots + 1,
        last_shot=shot,
    )


def _damaged(board: Board, event: DamageTaken) -> Board:
    before = board.condition
    hits = () if event.critical is None else (event.critical,)
    condition = changed(
        before,
        damage_points=event.total_points,
        criticals=before.criticals + hits,
        overdive_struts=before.overdive_struts + event.overdive,
    )
    return _with_condition(board, condition)


def _cleared(board: Board, event: Cleared, book: KetteringBook) -> Board:
    """A repair takes one hit off the list; a jam that freed itself is gone, by setting."""
    before = board.condition
    hits = list(before.criticals)
    if event.rule_id == "KET-9.1":
        hits.remove(event.critical)
    elif book.settings.freed_jam == "cured":
        hits = [hit for hit in hits if hit != Critical.CONTROLS_JAMMED]
    condition = changed(before, criticals=tuple(hits), jammed=False)
    board = _with_condition(board, condition)
    return changed(board, passed=board.passed + event.torpedoes_passed)


def _encounter_over(board: Board, event: EncounterEnded, book: KetteringBook) -> Board:
    """The aircraft has landed: it leaves the board and reloads (KET-9.3)."""
    condition = changed(board.condition, jammed=False, climbed_last_turn=False)
    aircraft = changed(board.aircraft, hex="", altitude_metres=0, speed_mp=0, condition=condition)
    return changed(
        board,
        aircraft=aircraft,
        ammunition=book.aircraft[aircraft.type].ammunition,
        guns_jammed=False,
        fuel_turns=None,
        bonus_hexes=0,
        straight_hexes=0,
        torpedo=None,
        wind_toward=None,
        wind_mp=0,
        encounters=(*board.encounters, Encounter(board.turn, board.shots, event.fate)),
    )


def _phase(board: Board, event: PhaseChanged, book: KetteringBook) -> Board:
    new_encounter = event.encounter != board.encounter
    new_turn = event.turn != board.turn
    board = changed(board, phase=event.phase, encounter=event.encounter, turn=event.turn)
    if new_turn:
        board = changed(board, bonus_hexes=0, straight_hexes=0)
    if not new_encounter:
        return board
    hits = board.condition.criticals
    tank = Critical.GAS_TANK_PUNCTURED in hits
    jammed = Critical.CONTROLS_JAMMED in hits
    board = _with_condition(board, changed(board.condition, jammed=jammed))
    fuel = book.settings.fuel_turns if tank else None
    return changed(board, shots=0, last_shot=None, fuel_turns=fuel)
