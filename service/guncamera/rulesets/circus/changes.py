"""How events change the board of a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, condition_of, other
from guncamera.rulesets.circus.book import CircusBook, names_all_that_decides
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.events import (
    AircraftLeft,
    AircraftMoved,
    Change,
    FireHeld,
    GameEnded,
    GunChanged,
    Harmed,
    KineticEnergyChanged,
    PhaseChanged,
    PilotBroken,
    PlotRevealed,
    ResolutionChanged,
    ShotFired,
    Sighted,
)
from guncamera.rulesets.circus.orders import Craft, Kill, Phase, Shot
from guncamera.rulesets.circus.outcomes import Effect, Harm, Sighting
from guncamera.rulesets.circus.phases import acting_sides
from guncamera.rulesets.circus.volley import opportunities_of


def fold(board: Board, events: Iterable[Change], book: CircusBook) -> Board:
    """The board after some events, in order.

    Effects that are held back until a fire phase ends (CIR-12.6) are no events before that:
    `turn` keeps them on the board.
    """
    for event in events:
        board = _after(board, event, book)
    return replace(board, active=acting_sides(board, book))


def _after(board: Board, event: Change, book: CircusBook) -> Board:
    match event:
        case PlotRevealed():
            return replace(board, plots=board.plots + event.plots)
        case Sighted():
            return replace(board, sightings=_sightings(board, event.sightings, book))
        case ShotFired():
            return _shot(board, event, book)
        case FireHeld():
            return replace(board, holding=(*board.holding, event.side))
        case PhaseChanged():
            return _phase(board, event, book)
        case GameEnded():
            draw = event.winner is None
            return replace(board, winner=event.winner, draw=draw, plots=(), pending=())
        case AircraftLeft():
            return _left(board, event)
    craft = board.craft_of(event.aircraft)
    board = _with(board, _changed(craft, event, book))
    if isinstance(event, AircraftMoved):
        plots = tuple(plot for plot in board.plots if plot.aircraft != event.aircraft)
        board = replace(board, plots=plots)
    return board


def _with(board: Board, changed: Craft) -> Board:
    """The board with one aircraft changed."""
    id_ = changed.aircraft.id
    craft = tuple(changed if one.aircraft.id == id_ else one for one in board.craft)
    return replace(board, craft=craft)


OfOne = AircraftMoved | Harmed | ResolutionChanged | PilotBroken | GunChanged | KineticEnergyChanged


def _changed(craft: Craft, event: OfOne, book: CircusBook) -> Craft:
    """An aircraft after an event that is about it alone."""
    aircraft = craft.aircraft
    match event:
        case AircraftMoved():
            return _moved(craft, event)
        case PilotBroken():
            return replace(craft, broken=True)
        case Harmed():
            if event.harm == Harm.BROKEN_UP:
                return craft
            condition = with_effects(condition_of(aircraft), (Effect(event.harm, event.amount),))
            aircraft = replace(aircraft, condition=condition)
            craft = _begun(craft, event)
        case ResolutionChanged():
            aircraft = replace(aircraft, resolution=aircraft.resolution + event.amount)
        case GunChanged():
            loads = list(aircraft.loads)
            loads[event.weapon] = event.load
            jams = event.load.jammed and not aircraft.loads[event.weapon].jammed
            if jams and names_all_that_decides(book):  # boards of before knew nothing of it
                craft = replace(craft, jams_anew=(*craft.jams_anew, event.weapon))
            aircraft = replace(aircraft, loads=tuple(loads))
        case KineticEnergyChanged():
            aircraft = replace(aircraft, ke=event.to_ke)
    return replace(craft, aircraft=aircraft)


def _begun(craft: Craft, event: Harmed) -> Craft:
    """A fire or a leak that began in this turn, for its end (CIR-10.13)."""
    if event.harm == Harm.FIRE:
        return replace(craft, lit_points=craft.lit_points + event.amount)
    return replace(craft, leaks_anew=True) if event.harm == Harm.OIL_LEAK else craft


def _moved(craft: Craft, event: AircraftMoved) -> Craft:
    aircraft = replace(
        craft.aircraft,
        hex=event.to_hex,
        facing=event.facing,
        altitude_feet=max(event.altitude_feet, 0),
        speed_mp=event.speed_mp,
        ke=craft.aircraft.ke - event.ke_spent,
        power_diving=event.power_diving,
        hanging=event.hanging,
    )
    return replace(
        craft,
        aircraft=aircraft,
        path=event.path,
        hang_mp=event.hang_mp,
        dive=event.dive,
        ke_change=event.ke_change,
        stalled=event.stalled,
    )


def _sightings(board: Board, found: tuple[Sighting, ...], book: CircusBook) -> tuple[Sighting, ...]:
    """What was seen now, beside what still holds (CIR-12.11)."""
    pairs = {(sighting.spotter, sighting.target) for sighting in found}
    looking = (board.looking_side,) if board.looking_side else tuple(Side)
    kept = tuple(
        sighting
        for sighting in board.sightings
        if board.craft_of(sighting.spotter).side not in looking
        or (
            book.settings.spotting_memory == "kept"
            and sighting.spotted
            and (sighting.spotter, sighting.target) not in pairs
        )
    )
    return kept + found


def _shot(board: Board, event: ShotFired, book: CircusBook) -> Board:
    """A shot of this phase; whose kill its target will be, if it is one (CIR-12.9)."""
    shot = Shot(event.shooter, event.target, event.mount, event.hits, event.critical)
    board = replace(board, shots=(*board.shots, shot))
    target = board.craft_of(event.target)
    falls = book.settings.kill_shot == "fatal" and _is_falling(target, board)
    if not event.hits or (falls and target.last_hit_by):
        return board
    return _with(board, replace(target, last_hit_by=event.shooter))


def _is_falling(craft: Craft, board: Board) -> bool:
    """Whether its pilot is dead, or will be when the phase ends."""
    killed = any(
        isinstance(event, Harmed)
        and event.harm == Harm.PILOT_KILLED
        and event.aircraft == craft.aircraft.id
        for event in board.pending
    )
    return killed or condition_of(craft.aircraft).pilot_killed


def _left(board: Board, event: AircraftLeft) -> Board:
    """An aircraft is out of the game, and someone may have a kill (CIR-12.9)."""
    board = _with(board, replace(board.craft_of(event.aircraft), end=event.end))
    if event.by:
        victor = board.craft_of(event.by)
        board = _with(board, replace(victor, kills=victor.kills + 1))
    gone = event.aircraft
    return replace(
        board,
        kills=(*board.kills, Kill(gone, event.end, event.by)),
        plots=tuple(plot for plot in board.plots if plot.aircraft != gone),
        sightings=tuple(one for one in board.sightings if gone not in (one.spotter, one.target)),
        opportunities=tuple(
            one for one in board.opportunities if gone not in (one.shooter, one.target)
        ),
    )


def _of_a_new_turn(craft: Craft, book: CircusBook) -> Craft:
    """An aircraft without what was new in the turn before."""
    stalled = craft.stalled and not names_all_that_decides(book)
    return replace(craft, lit_points=0, leaks_anew=False, jams_anew=(), stalled=stalled)


def _phase(board: Board, event: PhaseChanged, book: CircusBook) -> Board:
    """Another phase: what belonged to the one before is cleared away."""
    looking: Side | None = None
    if event.phase == Phase.SPOT and event.acting_side is not None:
        moved = board.phase == Phase.MOVE
        looking = other(event.acting_side) if moved else event.acting_side
    sightings = board.sightings
    if event.turn != board.turn and book.settings.spotting_memory == "each-turn":
        sightings = ()
    craft = board.craft
    if event.turn != board.turn:
        craft = tuple(_of_a_new_turn(one, book) for one in craft)
    board = replace(
        board,
        craft=craft,
        phase=event.phase,
        turn=event.turn,
        acting_side=event.acting_side,
        looking_side=looking,
        sightings=sightings,
        opportunities=(),
        holding=(),
        pending=(),
    )
    if event.phase != Phase.FIRE:
        return board
    return replace(board, shots=(), opportunities=opportunities_of(board, book))
