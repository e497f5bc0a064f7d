"""From a board and an order to the facts of a ruling: geometry and look-ups, no dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guncamera.rules.refusal import PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import (
    Advance,
    Aircraft,
    Assessment,
    DamageFacts,
    Deployment,
    Drifter,
    Entry,
    FireFacts,
    Flight,
    MoveFacts,
    Plot,
    Repair,
    SpotFacts,
    Torpedo,
    WindFacts,
)
from guncamera.rulesets.kettering.map import hex_at
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    Deploy,
    FireOrder,
    Inspect,
    Launch,
    Mend,
    MoveOrder,
    Phase,
    Proceed,
    SpotOrder,
    WindOrder,
)
from guncamera.rulesets.kettering.spot import aspect_of

Facts = MoveFacts | WindFacts | SpotFacts | FireFacts | DamageFacts
Order = MoveOrder | WindOrder | SpotOrder | FireOrder | DamageOrder

_UNFINISHED = tuple(phase for phase in Phase if phase != Phase.FINISHED)
_PHASES: Mapping[type, tuple[Phase, ...]] = {
    Deploy: (Phase.DEPLOY,),
    Launch: (Phase.LAUNCH,),
    Proceed: (Phase.TORPEDO,),
    Plot: (Phase.AIRCRAFT,),
    WindOrder: (Phase.FIRE, Phase.WIND),
    SpotOrder: (Phase.FIRE,),
    FireOrder: (Phase.FIRE,),
    Mend: (Phase.DEPLOY,),
    Inspect: _UNFINISHED,
}
_MAY_BE_DONE: Mapping[Phase, str] = {
    Phase.DEPLOY: "repair (Damage mend) or set up the aircraft (Move deploy)",
    Phase.LAUNCH: "roll the torpedo's entry (Move launch)",
    Phase.WIND: "roll the wind (Wind)",
    Phase.TORPEDO: "move the torpedo (Move proceed)",
    Phase.AIRCRAFT: "fly the aircraft (Move plot)",
    Phase.FIRE: "look (Spot), fire (Fire), or roll the wind of the next turn (Wind)",
    Phase.FINISHED: "nothing: the campaign is over",
}


def survey(board: Board, _seat: str, _verb: Verb, order: Order, book: KetteringBook) -> Facts:
    """The facts that an order's ruling needs.

    Raises:
        PhaseClosed: KET-1.7, or KET-7.1 for a second shot: the order belongs to another phase.
    """
    wanted: Any = order
    if isinstance(order, MoveOrder | DamageOrder):
        wanted = order.procedure
    _check_phase(board, wanted)
    match wanted:
        case Mend():
            left = board.torpedoes_left
            return DamageFacts(Repair(board.condition, wanted.critical, left))
        case Inspect():
            return DamageFacts(Assessment(board.aircraft.type, board.condition))
        case Deploy():
            return MoveFacts(Deployment(_deployed(board, wanted)))
        case Launch():
            return MoveFacts(Entry())
        case Proceed():
            first = board.turn == 1
            jammed = first and board.condition.jammed and bool(board.aircraft.hex)
            return MoveFacts(Advance(_torpedo(board), board.wind_mp, first, jammed))
        case Plot():
            return MoveFacts(Flight(board.aircraft, wanted, _torpedo(board).hex))
        case WindOrder():
            return _wind(board)
        case SpotOrder():
            return _spot(board)
        case FireOrder():
            return _fire(board, book)
    raise AssertionError(f"no facts for {wanted!r}")


def _check_phase(board: Board, wanted: Any) -> None:
    if board.phase in _PHASES[type(wanted)]:
        return
    spent = isinstance(wanted, FireOrder) and board.phase == Phase.WIND
    why = "The shot of this turn is fired" if spent else f"This is the phase {board.phase}"
    raise PhaseClosed(
        "KET-7.1" if spent else "KET-1.7",
        f"{why}; now one may {_MAY_BE_DONE[board.phase]}.",
        phase=board.phase.value,
        may=_MAY_BE_DONE[board.phase],
    )


def _torpedo(board: Board) -> Torpedo:
    if board.torpedo is None:
        raise AssertionError(f"no torpedo in phase {board.phase}")
    return board.torpedo


def _deployed(board: Board, order: Deploy) -> Aircraft:
    return Aircraft(
        board.aircraft.type,
        order.hex,
        order.facing,
        order.altitude_metres,
        order.speed_mp,
        board.condition,
    )


def _wind(board: Board) -> WindFacts:
    aircraft = board.aircraft
    if not aircraft.hex:
        return WindFacts(_torpedo(board))
    drifter = Drifter(aircraft.hex, aircraft.altitude_metres)
    return WindFacts(_torpedo(board), drifter, board.condition.jammed)


def _spot(board: Board) -> SpotFacts:
    aircraft, torpedo = board.aircraft, _torpedo(board)
    return SpotFacts(
        aircraft_hex=aircraft.hex,
        aircraft_facing=aircraft.facing,
        aircraft_altitude_metres=aircraft.altitude_metres,
        straight_hexes=board.straight_hexes,
        torpedo_hex=torpedo.hex,
        torpedo_heading=torpedo.heading,
        torpedo_altitude_metres=torpedo.altitude_metres,
    )


def _fire(board: Board, book: KetteringBook) -> FireFacts:
    aircraft, torpedo = board.aircraft, _torpedo(board)
    shooter = hex_at(aircraft.hex, book, "aircraft_hex")
    target = hex_at(torpedo.hex, book, "torpedo_hex")
    return FireFacts(
        aircraft_type=aircraft.type,
        aspect=aspect_of(shooter, aircraft.facing, target, torpedo.heading),
        range_hexes=shooter.distance(target),
        speed_mp=aircraft.speed_mp,
        torpedo_speed_mp=torpedo.speed_mp,
        altitude_difference_metres=abs(aircraft.altitude_metres - torpedo.altitude_metres),
        sighted=board.straight_hexes >= book.settings.sighting_hexes,
        bonus_hexes=board.bonus_hexes,
        ammunition=board.ammunition,
        condition=board.condition,
        guns_jammed=board.guns_jammed,
    )
