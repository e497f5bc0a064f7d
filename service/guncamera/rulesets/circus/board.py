"""The state of one game.

All of it is open but two things: plots that are sealed, which are not on the board yet, and what
the shots of a fire phase did, which waits in `pending` until the phase ends (CIR-12.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from guncamera.rules.hexes import HexDirection
from guncamera.rules.ruleset import Seat
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft, Condition, Load, Side
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.events import Harmed, PilotBroken, ResolutionChanged
from guncamera.rulesets.circus.facts import Cloud, Plot
from guncamera.rulesets.circus.orders import (
    Craft,
    Edge,
    Entrant,
    Kill,
    Opportunity,
    Phase,
    Setup,
    Shot,
    TurnOrder,
)
from guncamera.rulesets.circus.outcomes import End, Sighting
from guncamera.rulesets.circus.setup import chosen

Pending = Harmed | ResolutionChanged | PilotBroken


@dataclass(frozen=True, slots=True)
class Board:
    """One game; what `View` has too means the same there.

    Attributes:
        opportunities: Every shot that the firing clock allows in this fire phase, fired or not.
        pending: What the shots of this fire phase did, in order.
        active: Who may act now.
    """

    phase: Phase
    turn: int
    turns: int
    turn_order: TurnOrder
    acting_side: Side | None
    looking_side: Side | None
    craft: tuple[Craft, ...]
    plots: tuple[Plot, ...]
    sightings: tuple[Sighting, ...]
    opportunities: tuple[Opportunity, ...]
    shots: tuple[Shot, ...]
    holding: tuple[Side, ...]
    pending: tuple[Pending, ...]
    active: tuple[Side, ...]
    kills: tuple[Kill, ...]
    clouds: tuple[Cloud, ...]
    sun: HexDirection | None
    first_edge: Edge
    second_edge: Edge
    own_aeroplanes: tuple[Aeroplane, ...]
    winner: Side | None
    draw: bool

    @property
    def simultaneous(self) -> bool:
        """Whether both sides plot, fly and fire together."""
        return self.turn_order == TurnOrder.SIMULTANEOUS

    @property
    def flying(self) -> tuple[Craft, ...]:
        """The aircraft that are still in the game."""
        return tuple(craft for craft in self.craft if craft.end is None)

    def find(self, id_: str) -> Craft | None:
        """The aircraft with an id, in the game or out of it; None if there is none."""
        return next((craft for craft in self.craft if craft.aircraft.id == id_), None)

    def craft_of(self, id_: str) -> Craft:
        """The aircraft with an id that is known to be there."""
        found = self.find(id_)
        if found is None:
            raise AssertionError(f"no aircraft {id_!r} on the board")
        return found

    def edge_of(self, side: Side) -> Edge:
        """The friendly edge of a side."""
        return self.first_edge if side == Side.FIRST else self.second_edge


def other(side: Side) -> Side:
    """The enemy."""
    return Side.SECOND if side == Side.FIRST else Side.FIRST


def condition_of(aircraft: Aircraft) -> Condition:
    """What has happened to it; nothing, if nothing is noted."""
    return aircraft.condition or UNHURT


def is_steered(craft: Craft) -> bool:
    """Whether it is in the game and its pilot lives (CIR-12.5)."""
    return craft.end is None and not condition_of(craft.aircraft).pilot_killed


def is_lost(craft: Craft) -> bool:
    """Whether it is lost, and has neither landed nor flown off the map."""
    return craft.end not in (None, End.LEFT_MAP, End.LANDED)


def is_out(craft: Craft) -> bool:
    """Whether it is out of the fight: lost, landed, off the map, or with a broken pilot."""
    return craft.end is not None or craft.broken


def unplotted(board: Board, side: Side) -> tuple[Craft, ...]:
    """A side's aircraft that can be steered and whose plot is not on the board."""
    plotted = {plot.aircraft for plot in board.plots}
    return tuple(
        craft
        for craft in board.craft
        if craft.side == side and is_steered(craft) and craft.aircraft.id not in plotted
    )


# ---- What the frame asks


def open_board(setup: Setup, book: CircusBook) -> Board:
    """The board before the first turn.

    Raises:
        Malformed: CIR-12.3, with every fault of the set-up.
    """
    setup = chosen(setup, book)
    if setup.turn_order is None or setup.turns is None:
        raise AssertionError("a set-up that was decided leaves something out")
    if setup.first_edge is None or setup.second_edge is None:
        raise AssertionError("a set-up that was decided has no edges")
    first = Side.FIRST if setup.turn_order == TurnOrder.ALTERNATE else None
    return Board(
        phase=Phase.SPOT,
        turn=1,
        turns=setup.turns,
        turn_order=setup.turn_order,
        acting_side=first,
        looking_side=first,
        craft=tuple(
            _entered(entrant, setup, book)
            for entrant in sorted(setup.aircraft, key=lambda entrant: entrant.id)
        ),
        plots=(),
        sightings=(),
        opportunities=(),
        shots=(),
        holding=(),
        pending=(),
        active=tuple(Side) if first is None else (first,),
        kills=(),
        clouds=setup.clouds,
        sun=setup.sun,
        first_edge=setup.first_edge,
        second_edge=setup.second_edge,
        own_aeroplanes=setup.own_aeroplanes,
        winner=None,
        draw=False,
    )


def _entered(entrant: Entrant, setup: Setup, book: CircusBook) -> Craft:
    if entrant.speed_mp is None or entrant.resolution is None:
        raise AssertionError("an entrant that was decided leaves something out")
    own = setup.own_aeroplanes
    aeroplane = aeroplane_of(entrant.aeroplane, own, book, "setup.aircraft")
    aircraft = Aircraft(
        id=entrant.id,
        aeroplane=entrant.aeroplane,
        hex=entrant.hex,
        facing=entrant.facing,
        altitude_feet=entrant.altitude_feet,
        speed_mp=entrant.speed_mp,
        resolution=entrant.resolution,
        condition=UNHURT,
        loads=tuple(Load(weapon.load_points, weapon.loads - 1) for weapon in aeroplane.weapons),
    )
    return Craft(entrant.side, aircraft)


def seats(_setup: Setup, _book: CircusBook) -> tuple[Seat, ...]:
    """One seat a side, of its name."""
    return tuple(Seat(side.value, side.value, f"The {side} side") for side in Side)


def active_seats(board: Board) -> tuple[str, ...]:
    """The sides that may act now, the first side first."""
    return tuple(side.value for side in board.active)


def result(board: Board) -> str | None:
    """How the game ended, in one sentence; None while it goes on."""
    if board.winner is None and not board.draw:
        return None
    first, second = (_score(board, side) for side in Side)
    tally = (
        f"kills {first.kills} to {second.kills}, "
        f"aircraft lost {first.lost} and {second.lost}, "
        f"out of the fight {first.out} and {second.out}, "
        f"in turn {board.turn}"
    )
    if board.winner is None:
        return f"A draw: {tally}."
    return f"The {board.winner} side wins: {tally}."


class _Score(NamedTuple):
    """What a side has to show at the end, of its own aircraft."""

    kills: int
    lost: int
    out: int


def _score(board: Board, side: Side) -> _Score:
    own = [craft for craft in board.craft if craft.side == side]
    return _Score(
        sum(craft.kills for craft in own),
        sum(1 for craft in own if is_lost(craft)),
        sum(1 for craft in own if is_out(craft)),
    )
