"""From a board and an order to the facts of a ruling: geometry and look-ups, no dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guncamera.rules.refusal import Illegal, PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aims import check_facts, shot_facts
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, condition_of, is_steered, unplotted
from guncamera.rulesets.circus.book import CircusBook, tells_of_the_board
from guncamera.rulesets.circus.facts import (
    DamageFacts,
    DrumChange,
    Ending,
    FireFacts,
    Flight,
    Flying,
    Holding,
    Looking,
    MoveFacts,
    Plot,
    Plotting,
    SpotFacts,
    TurnEnd,
)
from guncamera.rulesets.circus.homeward import check_homeward
from guncamera.rulesets.circus.looks import looks
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Check,
    Craft,
    DamageOrder,
    EndTurn,
    FireOrder,
    Fly,
    HoldFire,
    MoveOrder,
    Phase,
    Plots,
    Search,
    Shoot,
    SpotOrder,
)
from guncamera.rulesets.circus.phases import falling
from guncamera.rulesets.circus.roster import own_craft

Facts = MoveFacts | SpotFacts | FireFacts | DamageFacts
Order = MoveOrder | SpotOrder | FireOrder | DamageOrder

_PHASES: Mapping[type, tuple[Phase, ...]] = {
    Search: (Phase.SPOT,),
    Plots: (Phase.PLOT, Phase.MOVE),
    Fly: (Phase.FLY,),
    Check: (Phase.FIRE,),
    Shoot: (Phase.FIRE,),
    ChangeDrum: (Phase.FIRE,),
    HoldFire: (Phase.FIRE,),
    EndTurn: (Phase.UPKEEP,),
}
_MAY_BE_DONE: Mapping[Phase, str] = {
    Phase.SPOT: "look for the enemy (Spot search)",
    Phase.PLOT: "plot its aircraft (Move plots, sealed)",
    Phase.FLY: "have the plots flown (Move fly)",
    Phase.MOVE: "plot and fly its aircraft (Move plots)",
    Phase.FIRE: "fire (Fire shoot), change a drum (Fire change_drum), see what bears "
    "(Spot check), or fire no more (Fire hold_fire)",
    Phase.UPKEEP: "end the turn (Damage end_turn)",
    Phase.FINISHED: "do nothing: the game is over",
}


def survey(board: Board, seat: str, _verb: Verb, order: Order, book: CircusBook) -> Facts:
    """The facts that an order's ruling needs.

    Raises:
        PhaseClosed: CIR-12.1 or CIR-12.2, the order belongs to another phase, or to another side.
        Malformed: It names an aircraft that is not there.
        Illegal: The aircraft is not the seat's, or cannot do so in a session.
    """
    side = Side(seat)
    wanted: Any = order.procedure
    _check_phase(board, wanted)
    _check_side(board, side)
    own = board.own_aeroplanes
    match wanted:
        case Search():
            gunners = falling(board, book) if tells_of_the_board(book) else ()
            return SpotFacts(Looking(looks(board, book), gunners), own)
        case Check():
            return SpotFacts(check_facts(board, side, wanted), own)
        case Plots():
            return _plots(board, side, wanted, book)
        case Fly():
            return MoveFacts(Flying(_flights(board, book)), own)
        case Shoot():
            return FireFacts(shot_facts(board, side, wanted, book), own)
        case ChangeDrum():
            return FireFacts(_drum_change(board, side, wanted), own)
        case HoldFire():
            return FireFacts(Holding(side), own)
        case EndTurn():
            return DamageFacts(_turn_end(board), own)
    raise AssertionError(f"no facts for {wanted!r}")


def _turn_rule(board: Board) -> str:
    return "CIR-12.1" if board.simultaneous else "CIR-12.2"


def _check_phase(board: Board, wanted: Any) -> None:
    if board.phase in _PHASES[type(wanted)]:
        return
    may = _MAY_BE_DONE[board.phase]
    raise PhaseClosed(
        _turn_rule(board),
        f"This is the phase {board.phase} of turn {board.turn}; now one may {may}.",
        phase=board.phase.value,
        turn=board.turn,
        may=may,
    )


def _check_side(board: Board, side: Side) -> None:
    """The side may act now; the frame asks first, but rules are not to lean on it."""
    if side in board.active:
        return
    now = " and ".join(board.active) or "neither"
    raise PhaseClosed(
        _turn_rule(board),
        f"The {side} side has nothing more to do in this phase {board.phase}; the {now} side has.",
        phase=board.phase.value,
        side=side.value,
        active=now,
    )


# ---- Movement


def _plots(board: Board, side: Side, order: Plots, book: CircusBook) -> MoveFacts:
    """A side's plots, each checked to be of an aircraft of its own; the rule checks the codes."""
    plotted: dict[str, Plot] = {}
    for at, plot in enumerate(order.plots):
        field = f"plots.plots[{at}].aircraft"
        craft = own_craft(board, side, plot.aircraft, field, "CIR-12.4")
        _check_plotted(craft, plotted, field)
        plotted[plot.aircraft] = plot
    _check_complete(board, side, plotted)
    mine = [craft for craft in board.flying if craft.side == side]
    flights = tuple(_flight(craft, plotted, book) for craft in mine)
    for craft, flight in zip(mine, flights):
        if craft.broken and flight.plot is not None:
            check_homeward(craft, flight.plot, board, book)
    if board.phase == Phase.MOVE:
        return MoveFacts(Flying(flights), board.own_aeroplanes)
    to_plot = tuple(flight for flight in flights if flight.plot is not None)
    return MoveFacts(Plotting(to_plot), board.own_aeroplanes)


def _check_plotted(craft: Craft, plotted: Mapping[str, Plot], field: str) -> None:
    id_ = craft.aircraft.id
    if not is_steered(craft):
        raise Illegal(
            "CIR-12.5",
            f"The pilot of {id_} is dead; it dives to the ground and takes no plot. Leave it out.",
            field=field,
            aircraft=id_,
        )
    if id_ in plotted:
        raise Illegal(
            "CIR-12.4",
            f"{id_} is plotted twice. Each aircraft has one plot; give the one that counts.",
            field=field,
            aircraft=id_,
        )


def _check_complete(board: Board, side: Side, plotted: Mapping[str, Plot]) -> None:
    missing = [
        craft.aircraft.id for craft in unplotted(board, side) if craft.aircraft.id not in plotted
    ]
    if missing:
        names = ", ".join(missing)
        raise Illegal(
            "CIR-12.4",
            f"Without a plot: {names}. A side plots all its aircraft that can be steered, "
            "in one order; add them.",
            field="plots.plots",
            missing=names,
        )


def _flights(board: Board, book: CircusBook) -> tuple[Flight, ...]:
    """All aircraft with their plots, in order of their ids: so their dice fall."""
    plots = {plot.aircraft: plot for plot in board.plots}
    return tuple(_flight(craft, plots, book) for craft in board.flying)


def _flight(craft: Craft, plots: Mapping[str, Plot], book: CircusBook) -> Flight:
    aircraft = craft.aircraft
    scored_on = tells_of_the_board(book) and bool(craft.last_hit_by)
    plot = plots.get(aircraft.id)
    return Flight(aircraft, plot, scored_on=scored_on, jams_anew=craft.jams_anew)


# ---- Guns, and the turn's end


def _drum_change(board: Board, side: Side, order: ChangeDrum) -> DrumChange:
    field = "change_drum.aircraft"
    aircraft = own_craft(board, side, order.aircraft, field, "CIR-12.6").aircraft
    return DrumChange(
        aircraft=aircraft.id,
        aeroplane=aircraft.aeroplane,
        weapon=order.weapon,
        loads=aircraft.loads,
        condition=condition_of(aircraft),
        simultaneous=board.simultaneous,
    )


def _turn_end(board: Board) -> TurnEnd:
    endings = (_ending(craft) for craft in board.flying)
    return TurnEnd(tuple(endings), board.simultaneous)


def _ending(craft: Craft) -> Ending:
    return Ending(craft.aircraft, craft.dive, craft.ke_change, craft.lit_points, craft.leaks_anew)
