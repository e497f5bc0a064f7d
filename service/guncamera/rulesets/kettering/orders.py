"""What the pilot orders in a session, what a campaign chooses, and what everyone sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.hexes import HexDirection
from guncamera.rules.shape import Between
from guncamera.rules.straight_line import quick
from guncamera.rulesets.kettering.facts import (
    Aircraft,
    Aspect,
    Critical,
    Fate,
    Label,
    Metres,
    Plot,
    Points,
    Score,
    Slug,
    Torpedo,
)


class Phase(StrEnum):
    """What may be done now."""

    DEPLOY = "deploy"
    LAUNCH = "launch"
    WIND = "wind"
    TORPEDO = "torpedo"
    AIRCRAFT = "aircraft"
    FIRE = "fire"
    FINISHED = "finished"


# ---- Orders


@dataclass(frozen=True, slots=True)
class Deploy:
    """Set the aircraft on the board. Phase DEPLOY."""

    hex: Label
    facing: HexDirection
    altitude_metres: Metres
    speed_mp: Points


@dataclass(frozen=True, slots=True)
class Launch:
    """Roll the torpedo's entry. Phase LAUNCH."""


@dataclass(frozen=True, slots=True)
class Proceed:
    """Roll the torpedo's speed and move it. Phase TORPEDO."""


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """An order of the pilot or for the torpedo, by phase."""

    procedure: Deploy | Launch | Proceed | Plot


@dataclass(frozen=True, slots=True)
class WindOrder:
    """Roll the wind: a new turn begins. Phase FIRE or WIND."""


@dataclass(frozen=True, slots=True)
class SpotOrder:
    """Look whether the torpedo is in the sights. Phase FIRE; no dice."""


@dataclass(frozen=True, slots=True)
class FireOrder:
    """Fire at the torpedo. Phase FIRE, once a turn."""


@dataclass(frozen=True, slots=True)
class Mend:
    """Repair one critical hit, letting torpedoes pass. Phase DEPLOY."""

    critical: Critical


@dataclass(frozen=True, slots=True)
class Inspect:
    """Read what the aircraft can still do. Any phase; no dice."""


@dataclass(frozen=True, slots=True)
class DamageOrder:
    """An order about damage."""

    procedure: Mend | Inspect


# ---- Session


@dataclass(frozen=True, slots=True)
class Setup:
    """What a campaign chooses; `torpedoes` left out is twelve."""

    aircraft_type: Slug
    torpedoes: Annotated[int, Between(1, 12)] | None = None


@quick
@dataclass(frozen=True, slots=True)
class Shot:
    """A shot that was fired."""

    turn: int
    from_hex: str
    at_hex: str
    aspect: Aspect
    torpedo_destroyed: bool


@quick
@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter that is over."""

    turns: int
    shots: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class View:
    """The board, as the pilot and everyone else sees it: nothing is hidden in this game."""

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
    last_shot: Shot | None
    encounters: tuple[Encounter, ...]
    passed: int
    torpedoes_left: int
    score: Score | None
