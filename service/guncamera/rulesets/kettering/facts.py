"""What each rule needs to know, and what it decides: facts and outcomes of the five verbs.

Hexes are named as on the map (`A-21`), altitudes are in metres and steps of 50, speeds in
movement points: one point is one hex of 50 metres in a turn of ten seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.hexes import HexDirection
from guncamera.rules.shape import AtMost, Between
from guncamera.rules.straight_line import quick

Metres = Annotated[int, Between(0, 20_000)]
Points = Annotated[int, Between(0, 30)]
Track = Annotated[int, Between(3, 5)]
Torpedoes = Annotated[int, Between(0, 12)]
DamagePoints = Annotated[int, Between(0, 1_000)]
Label = Annotated[str, AtMost(12)]
Slug = Annotated[str, AtMost(40)]


class Aspect(StrEnum):
    """From where the aircraft looks at the torpedo."""

    TAIL = "tail"
    HEAD_ON = "head_on"
    NONE = "none"


class Critical(StrEnum):
    """A result of the critical hit table."""

    FUEL_LINE_SEVERED = "fuel_line_severed"
    AILERON_CABLES_FOULED = "aileron_cables_fouled"
    CONTROLS_JAMMED = "controls_jammed"
    GAS_TANK_PUNCTURED = "gas_tank_punctured"
    ELEVATOR_CABLES_SEVERED = "elevator_cables_severed"
    STRUTS_SHATTERED = "struts_shattered"
    ENGINE_DAMAGED = "engine_damaged"
    PILOT_WOUNDED = "pilot_wounded"
    PILOT_KILLED = "pilot_killed"


class End(StrEnum):
    """How a torpedo's flight stands."""

    FLYING = "flying"
    CRASHED = "crashed"
    EXITED = "exited"
    SHOT_DOWN = "shot_down"
    PASSED = "passed"
    AIRCRAFT_LOST = "aircraft_lost"


class Territory(StrEnum):
    """Whose ground a hex is."""

    GERMAN = "german"
    NO_MANS_LAND = "no_mans_land"
    ALLIED = "allied"


class Winner(StrEnum):
    """Who scores an encounter."""

    ALLIED = "allied"
    GERMAN = "german"
    NOBODY = "nobody"


# ---- Pieces


@quick
@dataclass(frozen=True, slots=True)
class Torpedo:
    """The torpedo, as one ruling needs it."""

    hex: Label
    heading: HexDirection
    altitude_metres: Metres
    speed_mp: Track


@quick
@dataclass(frozen=True, slots=True)
class Condition:
    """What has happened to an aircraft today."""

    damage_points: DamagePoints = 0
    criticals: Annotated[tuple[Critical, ...], AtMost(60)] = ()
    jammed: bool = False
    climbed_last_turn: bool = False
    overdive_struts: Annotated[int, Between(0, 60)] = 0


UNDAMAGED = Condition()


@quick
@dataclass(frozen=True, slots=True)
class Aircraft:
    """The aircraft, as one ruling needs it. Its hex is empty while it is not on the board."""

    type: Slug
    hex: Label
    facing: HexDirection
    altitude_metres: Metres
    speed_mp: Points
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """The figures of a type of aircraft, or what damage has left of them.

    Fields named neither in `stated_fields` nor in `derived_fields` are house estimates.
    """

    type: str
    title: str
    max_speed_mp: int
    min_speed_mp: int
    dive_speed_hexes: int
    dive_limit_metres: int
    climb_limit_metres: int
    schedule: str
    gun: str
    damage_capacity: int
    ammunition: int
    source: str = ""
    stated_fields: tuple[str, ...] = ()
    derived_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fate:
    """How a torpedo's flight stands; territory and winner are unset while it flies."""

    end: End
    territory: Territory | None = None
    winner: Winner | None = None


FLYING = Fate(End.FLYING)


# ---- Wind


@dataclass(frozen=True, slots=True)
class Drifter:
    """A piece that only drifts with the wind."""

    hex: Label
    altitude_metres: Metres


@dataclass(frozen=True, slots=True)
class WindFacts:
    """The wind step of one turn, before the wind."""

    torpedo: Torpedo
    aircraft: Drifter | None = None
    jammed: bool = False


@dataclass(frozen=True, slots=True)
class WindOutcome:
    """What the wind did."""

    wind_toward: HexDirection
    torpedo_shift_hexes: int
    torpedo_hex: str
    torpedo_altitude_metres: int
    torpedo_wind_mp: int
    fate: Fate
    aircraft_shift_hexes: int = 0
    aircraft_hex: str = ""
    jam_freed: bool = False


# ---- Move


@dataclass(frozen=True, slots=True)
class Deployment:
    """Setting the aircraft on the board: anywhere on row A."""

    aircraft: Aircraft


@dataclass(frozen=True, slots=True)
class Entry:
    """The torpedo's entry. It needs no facts."""


@dataclass(frozen=True, slots=True)
class Advance:
    """The torpedo's move, after the wind."""

    torpedo: Torpedo
    wind_mp: Annotated[int, Between(-1, 1)] = 0
    first_turn: bool = False
    jammed: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """What the pilot decides for one turn's flight."""

    speed_mp: Points
    altitude_change_metres: Annotated[int, Between(-20_000, 20_000)]
    bonus_hexes: Points
    path: Annotated[str, AtMost(200)]
    climb_after_dive_metres: Metres = 0


@dataclass(frozen=True, slots=True)
class Flight:
    """One turn's flight of the aircraft, before it moves."""

    aircraft: Aircraft
    plot: Plot
    torpedo_hex: Label | None = None


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A movement of one kind."""

    procedure: Deployment | Entry | Advance | Flight


@dataclass(frozen=True, slots=True)
class Deployed:
    """The aircraft stands on the board."""

    aircraft: Aircraft


@dataclass(frozen=True, slots=True)
class Entered:
    """The torpedo entered."""

    torpedo: Torpedo


@dataclass(frozen=True, slots=True)
class Advanced:
    """The torpedo moved."""

    speed_mp: int
    spent_mp: int
    hex: str
    fate: Fate
    jam_freed: bool = False


@dataclass(frozen=True, slots=True)
class Flown:
    """The aircraft flew.

    Attributes:
        compared_bonus_hexes: The bonus hexes that count in the speed of a shot, where those are
            more than were flown.
    """

    hex: str
    facing: HexDirection
    altitude_metres: int
    speed_mp: int
    bonus_hexes: int
    straight_hexes: int
    left_board: bool
    struts_shattered: bool
    aircraft_lost: bool
    compared_bonus_hexes: int | None = None


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """What a movement came to."""

    procedure: Deployed | Entered | Advanced | Flown


# ---- Spot


@dataclass(frozen=True, slots=True)
class SpotFacts:
    """Where the two pieces stand after the flight."""

    aircraft_hex: Label
    aircraft_facing: HexDirection
    aircraft_altitude_metres: Metres
    straight_hexes: Annotated[int, Between(0, 100)]
    torpedo_hex: Label
    torpedo_heading: HexDirection
    torpedo_altitude_metres: Metres


@dataclass(frozen=True, slots=True)
class SpotOutcome:
    """Whether the torpedo is sighted, from where, and how far off."""

    sighted: bool
    aspect: Aspect
    range_hexes: int


# ---- Fire


@quick
@dataclass(frozen=True, slots=True)
class FireFacts:
    """One shot at the torpedo; `ammunition` left out is a full load."""

    aircraft_type: Slug
    aspect: Aspect
    range_hexes: Annotated[int, Between(0, 100)]
    speed_mp: Points
    torpedo_speed_mp: Track
    altitude_difference_metres: Metres = 0
    sighted: bool = True
    bonus_hexes: Points = 0
    ammunition: Annotated[int, Between(0, 100)] | None = None
    condition: Condition | None = None
    guns_jammed: bool = False


@quick
@dataclass(frozen=True, slots=True)
class DamageDone:
    """Damage that one attack did to the aircraft."""

    damage_points: int
    critical: Critical | None = None
    lost: bool = False


@quick
@dataclass(frozen=True, slots=True)
class FireOutcome:
    """What a shot came to; `blast` is unset where the torpedo flies on."""

    torpedo_destroyed: bool
    blast: DamageDone | None = None
    guns_jammed: bool = False


# ---- Damage


@dataclass(frozen=True, slots=True)
class Explosion:
    """The explosion of a destroyed torpedo."""

    aspect: Aspect
    range_hexes: Annotated[int, Between(0, 100)]
    aircraft_type: Slug
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class CriticalHit:
    """A roll on the critical hit table."""

    aircraft_type: Slug
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Assessment:
    """What an aircraft in some condition can still do."""

    aircraft_type: Slug
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """An emergency repair, paid in torpedoes let pass."""

    condition: Condition
    critical: Critical
    torpedoes_left: Torpedoes


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The score of the day."""

    aircraft_type: Slug
    shot_down: Torpedoes
    credited: Torpedoes
    torpedoes: Annotated[int, Between(1, 12)]
    condition: Condition | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class DamageFacts:
    """A ruling on damage of one kind."""

    procedure: Explosion | CriticalHit | Assessment | Repair | Reckoning


@dataclass(frozen=True, slots=True)
class Performance:
    """What an aircraft can still do."""

    profile: Profile
    sharp_turns: bool
    steers: bool
    overdives: bool
    climbs: bool
    forced_loss_metres: int
    must_slow: bool
    stalls: bool


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repair.

    Attributes:
        other_criticals: What else was repaired while the same torpedoes passed.
    """

    critical: Critical
    torpedoes_passed: int
    other_criticals: tuple[Critical, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """The score of the day."""

    stopped: int
    deleted_for_criticals: int
    deleted_for_damage: int
    score: int
    expectation: str
    pleased: bool


@dataclass(frozen=True, slots=True)
class DamageOutcome:
    """A ruling on damage."""

    procedure: DamageDone | Performance | Repaired | Score
