"""What can change on the board: one dataclass for each kind of event, with the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.hexes import HexDirection
from guncamera.rulesets.circus.aircraft import Load, Mount, PathStep, Pose, Side
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.orders import Phase
from guncamera.rulesets.circus.outcomes import End, Harm, Sighting


@dataclass(frozen=True, slots=True)
class PlotRevealed:
    """A side's plots lie open."""

    rule_id: str
    side: Side
    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True)
class AircraftMoved:
    """An aircraft flew its move."""

    rule_id: str
    aircraft: str
    to_hex: str
    facing: HexDirection
    altitude_feet: int
    speed_mp: int
    ke_spent: int
    ke_change: int
    dive: Pose
    hang_mp: int
    power_diving: bool
    hanging: bool
    path: tuple[PathStep, ...]
    stalled: bool = False


@dataclass(frozen=True, slots=True)
class Harmed:
    """Something lasting happened to an aircraft or its crew."""

    rule_id: str
    aircraft: str
    harm: Harm
    amount: int = 1


@dataclass(frozen=True, slots=True)
class ResolutionChanged:
    """A pilot's resolution rose or fell."""

    rule_id: str
    aircraft: str
    amount: int


@dataclass(frozen=True, slots=True)
class PilotBroken:
    """A pilot now only tries to leave."""

    rule_id: str
    aircraft: str


@dataclass(frozen=True, slots=True)
class Sighted:
    """Who has spotted whom, for this turn."""

    rule_id: str
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class ShotFired:
    """Guns were fired; what they did follows when the phase ends."""

    rule_id: str
    shooter: str
    target: str
    mount: Mount
    hits: int
    critical: bool


@dataclass(frozen=True, slots=True)
class GunChanged:
    """A weapon's ammunition, drum or jam changed."""

    rule_id: str
    aircraft: str
    weapon: int
    load: Load


@dataclass(frozen=True, slots=True)
class KineticEnergyChanged:
    """An aircraft gained or bled kinetic energy."""

    rule_id: str
    aircraft: str
    to_ke: int


@dataclass(frozen=True, slots=True)
class AircraftLeft:
    """An aircraft left the game; `by` is whose shot it was, or empty."""

    rule_id: str
    aircraft: str
    end: End
    by: str = ""


@dataclass(frozen=True, slots=True)
class FireHeld:
    """A side fires no more in this phase."""

    rule_id: str
    side: Side


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """Another phase, half turn or turn begins."""

    rule_id: str
    phase: Phase
    turn: int
    acting_side: Side | None = None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; no winner is a draw."""

    rule_id: str
    winner: Side | None = None


Change = (
    PlotRevealed
    | AircraftMoved
    | Harmed
    | ResolutionChanged
    | PilotBroken
    | Sighted
    | ShotFired
    | GunChanged
    | KineticEnergyChanged
    | AircraftLeft
    | FireHeld
    | PhaseChanged
    | GameEnded
)
