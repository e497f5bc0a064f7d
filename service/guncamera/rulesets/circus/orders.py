"""What seats order in a session, what a game chooses, and what everyone sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.hexes import HexDirection
from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.circus.aircraft import (
    MAX_AIRCRAFT,
    MAX_WEAPONS,
    Aeroplane,
    Aircraft,
    Feet,
    Id,
    Label,
    Mount,
    Path,
    Points,
    Pose,
    Resolution,
    Side,
    Slug,
)
from guncamera.rulesets.circus.facts import Cloud, Plot, WeaponNumbers
from guncamera.rulesets.circus.outcomes import End, Sighting


class Phase(StrEnum):
    """What may be done now."""

    SPOT = "spot"
    PLOT = "plot"  # simultaneous: orders are sealed
    FLY = "fly"  # simultaneous: the revealed plots are flown
    MOVE = "move"  # alternate turns: one side plots openly and flies
    FIRE = "fire"
    UPKEEP = "upkeep"
    FINISHED = "finished"


class TurnOrder(StrEnum):
    """How the sides take turns."""

    SIMULTANEOUS = "simultaneous"
    ALTERNATE = "alternate"


class Edge(StrEnum):
    """An edge of the map."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


# ---- Orders


@dataclass(frozen=True, slots=True)
class Plots:
    """A plot for each aircraft of the seat that can be steered. Phase PLOT (sealed) or MOVE."""

    plots: Annotated[tuple[Plot, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class Fly:
    """Fly all revealed plots together. Phase FLY, by either seat."""


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """An order about movement."""

    procedure: Plots | Fly


@dataclass(frozen=True, slots=True)
class Search:
    """Roll for all sightings of the phase. Phase SPOT."""


@dataclass(frozen=True, slots=True)
class Check:
    """Read whether and why a target may be fired at. Phase FIRE; no dice, nothing changes."""

    shooter: Id
    target: Id
    mount: Mount


@dataclass(frozen=True, slots=True)
class SpotOrder:
    """An order to look."""

    procedure: Search | Check


@dataclass(frozen=True, slots=True)
class Shoot:
    """Fire the guns of a mount. Phase FIRE; each mount once, each gunner once."""

    shooter: Id
    target: Id
    mount: Mount
    long_burst: bool = False


@dataclass(frozen=True, slots=True)
class ChangeDrum:
    """Change a drum or box that is not yet empty. Phase FIRE, instead of firing it."""

    aircraft: Id
    weapon: Annotated[int, Between(0, MAX_WEAPONS - 1)]


@dataclass(frozen=True, slots=True)
class HoldFire:
    """The seat fires no more in this phase."""


@dataclass(frozen=True, slots=True)
class FireOrder:
    """An order about the guns."""

    procedure: Shoot | ChangeDrum | HoldFire


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Work out the end of the turn for all aircraft. Phase UPKEEP, by either seat."""


@dataclass(frozen=True, slots=True)
class DamageOrder:
    """An order about damage."""

    procedure: EndTurn


# ---- Session


@dataclass(frozen=True, slots=True)
class Entrant:
    """An aircraft as it enters the game.

    Attributes:
        speed_mp: Left out, the type's top speed.
        resolution: Left out, the standard pilot's.
    """

    id: Id
    side: Side
    aeroplane: Slug
    hex: Label
    facing: HexDirection
    altitude_feet: Feet
    speed_mp: Points | None = None
    resolution: Resolution | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game chooses.

    Attributes:
        aeroplane: The type both sides fly where no `aircraft` are given: a duel, one a side,
            head on across the middle of the map.
        aircraft: One to three a side.
        turn_order: Left out, simultaneous.
        turns: Turns after which the game ends; left out, 30.
        own_aeroplanes: Types that are not in the book.
        sun: The direction in which the sun stands; left out, it is hidden.
        first_edge, second_edge: The friendly edges; left out, south and north.
    """

    aeroplane: Slug = ""
    aircraft: Annotated[tuple[Entrant, ...], AtMost(MAX_AIRCRAFT)] = ()
    turn_order: TurnOrder | None = None
    turns: Annotated[int, Between(1, 200)] | None = None
    own_aeroplanes: Annotated[tuple[Aeroplane, ...], AtMost(MAX_AIRCRAFT)] = ()
    clouds: Annotated[tuple[Cloud, ...], AtMost(60)] = ()
    sun: HexDirection | None = None
    first_edge: Edge | None = None
    second_edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class Craft:
    """An aircraft on the board.

    Attributes:
        path: Of its last move; empty before the first.
        dive, ke_change: Of its last move, for the end of the turn.
        hang_mp: Of its last move.
        kills: Enemies whose last shot was its pilot's.
        last_hit_by: The enemy who scored on it last; empty before anyone did.
        stalled: It stalled in its move of this turn, and fires nothing but by setting.
        lit_points, leaks_anew: Of its fire and its oil leak, what began in this turn.
        jams_anew: Its weapons that have jammed in this turn.
        end: How it left the game; None while it flies.
    """

    side: Side
    aircraft: Aircraft
    path: Path = ()
    hang_mp: Points = 0
    dive: Pose = Pose.LEVEL
    ke_change: Annotated[int, Between(-40, 40)] = 0
    kills: Annotated[int, Between(0, 20)] = 0
    last_hit_by: Id = ""
    stalled: bool = False
    broken: bool = False
    end: End | None = None
    lit_points: Points = 0
    leaks_anew: bool = False
    jams_anew: WeaponNumbers = ()


@dataclass(frozen=True, slots=True)
class Opportunity:
    """A shot that the firing clock allows in this phase; see `Aimed`."""

    shooter: Id
    target: Id
    mount: Mount
    own_mp: Points
    own_mp_in_arc: Points
    own_hang_mp_in_arc: Points
    target_mp: Points
    target_mp_in_arc: Points
    hexes: Points
    height_difference_feet: Annotated[int, Between(-40_000, 40_000)]
    range_hexes: Points
    vertical: bool = False
    target_hanging: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot that was fired in the last fire phase."""

    shooter: Id
    target: Id
    mount: Mount
    hits: int
    critical: bool


@dataclass(frozen=True, slots=True)
class Kill:
    """An aircraft that left the game, and whose shot it was; empty: nobody's."""

    aircraft: Id
    end: End
    by: Id


@dataclass(frozen=True, slots=True)
class View:
    """The board, as everyone sees it: only sealed plots are hidden in this game.

    Attributes:
        seat: Whose view this is; None for a spectator's.
        acting_side: In alternate turns, whose half of the turn it is.
        looking_side: In alternate turns, whose aircraft look in a phase SPOT.
        plots: Revealed plots that are still to be flown.
        sightings: Of this turn.
        opportunities: Shots of this fire phase that are still open.
        holding: Sides that fire no more in this phase.
    """

    seat: Side | None
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
    kills: tuple[Kill, ...]
    clouds: tuple[Cloud, ...]
    sun: HexDirection | None
    first_edge: Edge
    second_edge: Edge
    own_aeroplanes: tuple[Aeroplane, ...]
    winner: Side | None
    draw: bool
