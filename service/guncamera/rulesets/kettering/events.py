"""What can change on the board: one dataclass for each kind of event, with the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guncamera.rules.hexes import HexDirection
from guncamera.rules.straight_line import quick
from guncamera.rulesets.kettering.facts import Aspect, Critical, Fate, Score, Torpedo
from guncamera.rulesets.kettering.orders import Phase


class Piece(StrEnum):
    """A piece on the board."""

    TORPEDO = "torpedo"
    AIRCRAFT = "aircraft"


@dataclass(frozen=True, slots=True)
class PieceMoved:
    """A piece stands on another hex; an empty hex is off the board, no facing is the old one."""

    rule_id: str
    piece: Piece
    from_hex: str
    to_hex: str
    facing: HexDirection | None = None


@dataclass(frozen=True, slots=True)
class AltitudeChanged:
    """A piece's altitude changed."""

    rule_id: str
    piece: Piece
    from_metres: int
    to_metres: int


@dataclass(frozen=True, slots=True)
class SpeedChanged:
    """A piece's speed changed."""

    rule_id: str
    piece: Piece
    from_mp: int
    to_mp: int


@dataclass(frozen=True, slots=True)
class PathFlown:
    """How the aircraft flew this turn, as far as fire and the next turn need to know."""

    rule_id: str
    bonus_hexes: int
    straight_hexes: int
    climbed: bool


@dataclass(frozen=True, slots=True)
class WindBlew:
    """The wind of the turn."""

    rule_id: str
    wind_toward: HexDirection
    wind_mp: int


@quick
@dataclass(frozen=True, slots=True)
class ShotFired:
    """A shot was fired."""

    rule_id: str
    ammunition: int
    aspect: Aspect
    torpedo_destroyed: bool
    guns_jammed: bool


@quick
@dataclass(frozen=True, slots=True)
class DamageTaken:
    """The aircraft took damage."""

    rule_id: str
    damage_points: int
    total_points: int
    critical: Critical | None = None
    overdive: bool = False


@dataclass(frozen=True, slots=True)
class Cleared:
    """A critical hit was repaired, or a jam freed itself (no torpedo passed for it)."""

    rule_id: str
    critical: Critical
    torpedoes_passed: int


@dataclass(frozen=True, slots=True)
class TorpedoEntered:
    """A torpedo entered."""

    rule_id: str
    torpedo: Torpedo


@quick
@dataclass(frozen=True, slots=True)
class EncounterEnded:
    """An encounter ended."""

    rule_id: str
    fate: Fate


@quick
@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The phase, and perhaps the turn or the encounter, changed."""

    rule_id: str
    phase: Phase
    encounter: int
    turn: int


@dataclass(frozen=True, slots=True)
class CampaignEnded:
    """The campaign ended."""

    rule_id: str
    score: Score
    lost: bool


Change = (
    PieceMoved
    | AltitudeChanged
    | SpeedChanged
    | PathFlown
    | WindBlew
    | ShotFired
    | DamageTaken
    | Cleared
    | TorpedoEntered
    | EncounterEnded
    | PhaseChanged
    | CampaignEnded
)
