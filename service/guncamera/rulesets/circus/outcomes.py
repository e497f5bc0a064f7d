"""What the rules decide: the outcomes of the four verbs. No faces, so that odds can merge them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guncamera.rules.hexes import HexDirection
from guncamera.rules.straight_line import quick
from guncamera.rulesets.circus.aircraft import Manoeuvre, PathStep, Pose, Side
from guncamera.rulesets.circus.facts import Part


class Harm(StrEnum):
    """One lasting thing that happens to an aircraft or its crew; `amount` says how much."""

    DAMAGE = "damage"  # points
    STRUCTURE_MARK = "structure_mark"
    STRUCTURE_MARK_SPENT = "structure_mark_spent"
    SPAR_CRACKED = "spar_cracked"
    WINGS_CRACKED = "wings_cracked"
    BROKEN_UP = "broken_up"
    TOP_SPEED_LOST = "top_speed_lost"  # movement points
    ENGINE_SEIZED = "engine_seized"
    OIL_LEAK = "oil_leak"
    OIL_LEAK_TESTED = "oil_leak_tested"
    FIRE = "fire"  # points a turn
    FIRE_OUT = "fire_out"
    TURN_CODE_WORSE = "turn_code_worse"
    LEFT_BARRED = "left_barred"
    RIGHT_BARRED = "right_barred"
    CLIMB_STEPS = "climb_steps"  # steps
    SHALLOW_ONLY = "shallow_only"
    GENTLE_ONLY = "gentle_only"
    PILOT_WOUNDED = "pilot_wounded"
    PILOT_KILLED = "pilot_killed"
    GUNNER_WOUNDED = "gunner_wounded"
    GUNNER_KILLED = "gunner_killed"


@quick
@dataclass(frozen=True, slots=True)
class Effect:
    """A harm and its amount; 1 where only the fact counts."""

    harm: Harm
    amount: int = 1


class End(StrEnum):
    """How an aircraft left the game."""

    DESTROYED = "destroyed"  # shot down, or speed below stall
    BROKEN_UP = "broken_up"
    CRASHED = "crashed"
    COLLIDED = "collided"
    LANDED = "landed"
    LEFT_MAP = "left_map"


# ---- Move


@dataclass(frozen=True, slots=True)
class PlottedFlight:
    """What a plot costs and where it would end, if nothing breaks."""

    aircraft: str
    speed_mp: int
    mp_spent: int
    stress_checks: int
    hex: str
    facing: HexDirection
    altitude_feet: int


@dataclass(frozen=True, slots=True)
class Plotted:
    """Plots that are legal."""

    flights: tuple[PlottedFlight, ...]


@dataclass(frozen=True, slots=True)
class FlownFlight:
    """A move as it was flown.

    Attributes:
        path: Its start and every stand after it.
        hang_mp: Movement points of hammerheads and propeller hangs.
        speed_mp: The new speed, without kinetic energy.
        ke_spent: Spent on zooms.
        ke_change: What the move does to kinetic energy at the end of the turn.
        dive: The steepest dive of the move.
        straight_and_level: The whole move was.
        stalled: It began with fewer points than its stalling speed, and may not fire (CIR-3.8).
        effects: From stress, over-speed and marks spent, in order.
        weapons_cleared: Weapons whose jam was cleared.
        end: How it left the game; None while it flies.
    """

    aircraft: str
    path: tuple[PathStep, ...]
    hang_mp: int
    speed_mp: int
    ke_spent: int
    ke_change: int
    dive: Pose
    straight_and_level: bool
    power_diving: bool = False
    hanging: bool = False
    stalled: bool = False
    manoeuvres: tuple[Manoeuvre, ...] = ()
    effects: tuple[Effect, ...] = ()
    weapons_cleared: tuple[int, ...] = ()
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Flown:
    """Moves that were flown, in their order."""

    flights: tuple[FlownFlight, ...]


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """What a movement came to."""

    procedure: Plotted | Flown


# ---- Spot


class SeenBy(StrEnum):
    """Why a target is spotted or is not."""

    ROLL = "roll"
    FIRING_AT_SPOTTER = "firing_at_spotter"
    FORMATION = "formation"
    MISSED = "missed"
    BLIND_SPOT = "blind_spot"
    NO_LINE_OF_SIGHT = "no_line_of_sight"


@dataclass(frozen=True, slots=True)
class Sighting:
    """What came of one look."""

    spotter: str
    target: str
    spotted: bool
    by: SeenBy


@dataclass(frozen=True, slots=True)
class Sightings:
    """What came of all looks, in their order."""

    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Aimed:
    """What the firing clock found.

    Attributes:
        may_fire: Half of the points of one of the two were in the arc, and the target is not in the
            shooter's blind spot.
        own_mp_in_arc, own_hang_mp_in_arc: As in `Aim`.
        hexes, height_difference_feet: At the point of the shot, which is the last that was counted
            or by setting the nearest; 0 where none was counted.
        range_hexes: Range for the combat table; 0 where there is none.
        vertical: That point is straight above a propeller hang or straight below a
            power dive.
        target_hanging: The target hangs in a hammerhead or propeller hang at a counted point, or by
            setting at that of the shot.
        target_in_blind_spot: It is in the shooter's blind spot at the point of the shot.
    """

    may_fire: bool
    own_mp: int
    own_mp_in_arc: int
    own_hang_mp_in_arc: int
    target_mp: int
    target_mp_in_arc: int
    hexes: int
    height_difference_feet: int
    range_hexes: int
    vertical: bool = False
    target_hanging: bool = False
    target_in_blind_spot: bool = False


@dataclass(frozen=True, slots=True)
class SpotOutcome:
    """What was seen."""

    procedure: Sightings | Aimed


# ---- Fire


@quick
@dataclass(frozen=True, slots=True)
class Critical:
    """A critical hit, worked out.

    Attributes:
        resolution_loss: Beyond the hits themselves.
    """

    part: Part
    effects: tuple[Effect, ...] = ()
    resolution_loss: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Fired:
    """What a shot did.

    Attributes:
        table: The combat table used: 1 to 4.
        hits: Taken from the target pilot's resolution.
        resolution: The target pilot's, afterwards.
        broken: He now only tries to leave.
    """

    table: int
    range_hexes: int
    hits: int
    resolution: int
    broken: bool
    critical: Critical | None = None
    weapons_jammed: tuple[int, ...] = ()
    shooter_resolution_loss: int = 0


@dataclass(frozen=True, slots=True)
class DrumChanged:
    """A drum or box is being changed; the gun misses so many fire phases."""

    aircraft: str
    weapon: int
    reload_phases: int


@dataclass(frozen=True, slots=True)
class Held:
    """A side fires no more in this phase."""

    side: Side


@quick
@dataclass(frozen=True, slots=True)
class FireOutcome:
    """What came of it."""

    procedure: Fired | DrumChanged | Held


# ---- Damage


@dataclass(frozen=True, slots=True)
class Worked:
    """What a test or hit did to an aircraft: critical, stress, over-speed, fire, leak."""

    aircraft: str
    effects: tuple[Effect, ...] = ()
    resolution_loss: int = 0
    critical: Critical | None = None
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class Cleared:
    """Whether a jam was cleared.

    Attributes:
        resolution_gain: What the pilot gets back of what the jam took from him.
        other_weapons: Those that the same die cleared.
    """

    aircraft: str
    weapon: int
    cleared: bool
    resolution_gain: int = 0
    other_weapons: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EndedAircraft:
    """An aircraft after the end of a turn.

    Attributes:
        weapons_reloaded: Weapons that can fire again.
    """

    aircraft: str
    ke: int
    effects: tuple[Effect, ...] = ()
    resolution_loss: int = 0
    weapons_reloaded: tuple[int, ...] = ()
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """All aircraft after the end of a turn."""

    aircraft: tuple[EndedAircraft, ...]


@dataclass(frozen=True, slots=True)
class ReckonedPilot:
    """A pilot's starting resolution for the next game."""

    id: str
    change: int
    resolution: int


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One side's pilots after a game."""

    pilots: tuple[ReckonedPilot, ...]


@dataclass(frozen=True, slots=True)
class DamageOutcome:
    """What was worked out about damage."""

    procedure: Worked | Cleared | TurnEnded | Reckoned
