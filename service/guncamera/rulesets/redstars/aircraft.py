"""Data books, pilots, aircraft in flight, and what has happened to them.

Lengths are whole thousandths of an inch on the table, headings whole degrees clockwise from
north, so that every position is exact and a replay is equal to the byte. Altitude is in bands,
0 the ground; speed is in discs a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rules.straight_line import quick

Mils = Annotated[int, Between(-10_000_000, 10_000_000)]
Length = Annotated[int, Between(0, 30_000_000)]
Degrees = Annotated[int, Between(0, 359)]
Bearing = Annotated[int, Between(-180, 180)]
Altitude = Annotated[int, Between(0, 20)]
AltitudeBetween = Annotated[int, Between(-20, 20)]
Speed = Annotated[int, Between(0, 12)]
Rating = Annotated[int, Between(-10, 4)]
Small = Annotated[int, Between(0, 100)]
Slug = Annotated[str, AtMost(40)]
Id = Annotated[str, AtMost(24)]

MAX_AIRCRAFT = 12
MAX_WEAPONS = 6
MAX_DISCS = 12


class Nation(StrEnum):
    """Whose data book it is."""

    SOVIET = "soviet"
    JAPANESE = "japanese"
    OTHER = "other"


class Agility(StrEnum):
    """How tightly a type turns; A is best."""

    A = "a"
    B = "b"
    C = "c"
    D = "d"


class AircraftTrait(StrEnum):
    """A lasting property of a type."""

    RUGGED = "rugged"
    FLAMMABLE = "flammable"
    FRAGILE_DIVE = "fragile_dive"


class PilotTrait(StrEnum):
    """What a pilot is known for."""

    SNIPER = "sniper"
    TOUGH = "tough"
    ALERT = "alert"
    ONE_WITH_THE_MACHINE = "one_with_the_machine"


class WeaponKind(StrEnum):
    """A kind of weapon: its range and its die."""

    LMG = "lmg"
    HMG = "hmg"
    CANNON = "cannon"
    ROCKET = "rocket"


class Mounting(StrEnum):
    """Where a weapon points."""

    FORWARD = "forward"
    FLEXIBLE_REAR = "flexible_rear"


class Maneuver(StrEnum):
    """An ACTION card."""

    STRAIGHT = "straight"
    LEFT = "left"
    RIGHT = "right"
    LATE_LEFT = "late_left"
    LATE_RIGHT = "late_right"
    SHIFT_LEFT = "shift_left"
    SHIFT_RIGHT = "shift_right"
    HARD_LEFT = "hard_left"
    HARD_RIGHT = "hard_right"
    IMMELMANN = "immelmann"
    SPLIT_S = "split_s"


class AltitudeCard(StrEnum):
    """A STATUS card that changes altitude."""

    CLIMB_1 = "climb_1"
    CLIMB_2 = "climb_2"
    CLIMB_3 = "climb_3"
    DIVE_1 = "dive_1"
    DIVE_2 = "dive_2"
    DIVE_3 = "dive_3"
    DIVE_4 = "dive_4"


class SpeedCard(StrEnum):
    """A STATUS card that changes speed."""

    ACCELERATE_1 = "accelerate_1"
    ACCELERATE_2 = "accelerate_2"
    DECELERATE_1 = "decelerate_1"
    DECELERATE_2 = "decelerate_2"


class TweakSide(StrEnum):
    """Which way a disc is adjusted."""

    LEFT = "left"
    RIGHT = "right"


class Flight(StrEnum):
    """How an aircraft flies."""

    NORMAL = "normal"
    STALL_RECOVERY = "stall_recovery"
    SPINNING = "spinning"
    GLIDING = "gliding"


# ---- Data books, pilots, aircraft


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon system: guns of a kind that fire together, or rockets.

    Attributes:
        guns: Guns, or rockets fired in one salvo.
        boxes: Ammunition boxes; one is marked each time the system is fired.
    """

    kind: WeaponKind
    guns: Annotated[int, Between(1, 8)]
    boxes: Annotated[int, Between(0, 20)]
    mounting: Mounting = Mounting.FORWARD


@dataclass(frozen=True, slots=True)
class DataBook:
    """The figures of a type: shipped, or a session's own.

    Attributes:
        dive_speed: Highest speed in a dive.
        climb: The highest CLIMB card in the book: 1 to 3.
        climb_test: Its CLIMB +3 asks a skill test; failed, an engine box is marked.
        engines: Engine boxes of each engine.
        spin_number: 2d6 plus rating needed to recover from a spin.
        extreme: The book has extreme maneuvers.
        observer: A second man who can be hit, and take over.
        third_man: A third one, who by setting takes a dead observer's place.
    """

    type: Slug
    title: Annotated[str, AtMost(60)]
    nation: Nation
    min_speed: Annotated[int, Between(1, 10)]
    max_speed: Annotated[int, Between(1, 10)]
    dive_speed: Annotated[int, Between(1, 12)]
    agility: Agility
    climb: Annotated[int, Between(1, 3)]
    damage_points: Annotated[int, Between(1, 100)]
    engines: Annotated[tuple[Annotated[int, Between(1, 10)], ...], AtMost(4)]
    weapons: Annotated[tuple[Weapon, ...], AtMost(MAX_WEAPONS)]
    spin_number: Annotated[int, Between(2, 12)]
    climb_test: bool = False
    traits: Annotated[tuple[AircraftTrait, ...], AtMost(4)] = ()
    extreme: bool = True
    observer: bool = False
    source: str = ""
    stated_fields: tuple[str, ...] = ()
    derived_fields: tuple[str, ...] = ()
    third_man: bool = False


@dataclass(frozen=True, slots=True)
class Pilot:
    """A pilot: -1 a trained crewman, 0 no combat, 1 experienced, 2 kills, 3 expert, 4 legend."""

    rating: Annotated[int, Between(-1, 4)] = 0
    traits: Annotated[tuple[PilotTrait, ...], AtMost(4)] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What has happened to an aircraft and its crew.

    Attributes:
        engine_marks: Boxes marked on each engine; none given: none.
        fires_d6, fires_d8: Fires burning, by the die of damage a turn.
        lost_dice: Shooting dice lost, by weapon, one entry each.
        pilot_severe, observer_severe: Severe wounds: a lasting further -1 each.
        pilot_tough_spared: His first wound was severe, which costs a tough man nothing.
        observer_flies: The observer is at the controls.
        further_oil_leaks, further_speeds_lost: After the first, by setting.
        nobody_flies: Nobody is at the controls yet, by setting; it spins.
        third_man_serves: The third man has taken the observer's place, by setting.
    """

    damage: Annotated[int, Between(0, 1000)] = 0
    engine_marks: Annotated[tuple[Annotated[int, Between(0, 10)], ...], AtMost(4)] = ()
    accelerate_barred: bool = False
    oil_leak: bool = False
    fires_d6: Annotated[int, Between(0, 20)] = 0
    fires_d8: Annotated[int, Between(0, 20)] = 0
    lost_dice: Annotated[tuple[Annotated[int, Between(0, MAX_WEAPONS - 1)], ...], AtMost(40)] = ()
    extreme_barred: bool = False
    camera_wrecked: bool = False
    gear_wrecked: bool = False
    top_speed_barred: bool = False
    engine_shot: bool = False
    pilot_wounds: Annotated[int, Between(0, 3)] = 0
    pilot_severe: Annotated[int, Between(0, 3)] = 0
    pilot_tough_spared: bool = False
    pilot_killed: bool = False
    observer_wounds: Annotated[int, Between(0, 3)] = 0
    observer_severe: Annotated[int, Between(0, 3)] = 0
    observer_killed: bool = False
    observer_flies: bool = False
    further_oil_leaks: Annotated[int, Between(0, 20)] = 0
    further_speeds_lost: Annotated[int, Between(0, 20)] = 0
    nobody_flies: bool = False
    third_man_serves: bool = False


UNHURT = Condition()


@quick
@dataclass(frozen=True, slots=True)
class Position:
    """Where an aircraft's disc lies: its center, east and north of the table's southwest corner."""

    x_mils: Mils
    y_mils: Mils
    heading_degrees: Degrees
    altitude: Altitude


@dataclass(frozen=True, slots=True)
class Aircraft:
    """One aircraft, as a ruling needs it.

    Attributes:
        type: A data book of the shipped ones, or of the facts' own.
        speed: Discs a turn.
        boxes: Ammunition boxes left for each weapon; none given: all.
        last_maneuver: Of the turn before; None at the start.
        ram_missed: It missed a ram last turn and must go forward now.
    """

    id: Id
    type: Slug
    position: Position
    speed: Speed
    pilot: Pilot = Pilot()
    condition: Condition | None = None
    boxes: Annotated[tuple[Annotated[int, Between(0, 20)], ...], AtMost(MAX_WEAPONS)] = ()
    flight: Flight = Flight.NORMAL
    last_maneuver: Maneuver | None = None
    ram_missed: bool = False
