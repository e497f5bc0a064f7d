"""Aeroplanes, aircraft in flight, and what has happened to them.

One movement point is one hex of 60 metres in a turn of ten seconds. Heights are in feet and steps
of 50; 200 feet of height are one hex of distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.hexes import HexDirection
from guncamera.rules.shape import AtMost, Between

Feet = Annotated[int, Between(0, 40_000)]
FeetBetween = Annotated[int, Between(-40_000, 40_000)]
Points = Annotated[int, Between(0, 40)]
Count = Annotated[int, Between(0, 100)]
Label = Annotated[str, AtMost(8)]
Slug = Annotated[str, AtMost(40)]
Id = Annotated[str, AtMost(24)]
Codes = Annotated[str, AtMost(160)]
Die = Annotated[int, Between(1, 6)]
Resolution = Annotated[int, Between(-200, 200)]

MAX_AIRCRAFT = 6
MAX_WEAPONS = 4


class Nation(StrEnum):
    """Whose service a type flew in."""

    GERMAN = "german"
    BRITISH = "british"
    FRENCH = "french"
    OTHER = "other"


class Side(StrEnum):
    """The two sides; the first moves first in alternate turns. A side has one seat of its name."""

    FIRST = "first"
    SECOND = "second"


class TurnCode(StrEnum):
    """How well a type turns: A is best; E is reached by damage only."""

    A = "a"
    B = "b"
    C = "c"
    D = "d"
    E = "e"


class Build(StrEnum):
    """How strong an airframe is."""

    FRAGILE = "fragile"
    NORMAL = "normal"
    ROBUST = "robust"


class Manoeuvre(StrEnum):
    """A special manoeuvre, by its printed code."""

    SIDE_SLIP = "side_slip"  # SS
    YO_YO = "yo_yo"  # HYY, LYY
    HAMMERHEAD = "hammerhead"  # HT
    ROLLING_REVERSAL = "rolling_reversal"  # RR
    LOOP = "loop"  # O
    DISPLACEMENT_ROLL = "displacement_roll"  # DR
    PROPELLER_HANG = "propeller_hang"  # PH
    POWER_DIVE = "power_dive"  # PD


HIGH_STRESS = (
    Manoeuvre.HAMMERHEAD,
    Manoeuvre.ROLLING_REVERSAL,
    Manoeuvre.PROPELLER_HANG,
    Manoeuvre.POWER_DIVE,
)
"""The manoeuvres that the rules mark as high stress."""


class Mount(StrEnum):
    """How a gun is mounted."""

    FRONT = "front"
    RING = "ring"
    PIN = "pin"
    PILLAR = "pillar"


class Feed(StrEnum):
    """How a gun is fed. Boxes are changed like drums and fire like belts."""

    BELT = "belt"
    DRUM = "drum"
    BOX = "box"


class Pose(StrEnum):
    """What an aircraft does at a moment of its move."""

    LEVEL = "level"
    CLIMBING = "climbing"
    SHALLOW_DIVE = "shallow_dive"
    STEEP_DIVE = "steep_dive"
    POWER_DIVE = "power_dive"
    HAMMERHEAD = "hammerhead"  # nose up, in the hex of a hammerhead
    HANGING = "hanging"  # nose up, in the hex of a propeller hang
    MANOEUVRING = "manoeuvring"


# ---- Aeroplanes and aircraft


@dataclass(frozen=True, slots=True)
class Weapon:
    """One gun, or two of a kind fired together.

    Attributes:
        loads: Belts, drums or boxes carried, the one on the gun included.
        load_points: Firing turns in one of them.
    """

    mount: Mount
    feed: Feed
    barrels: Annotated[int, Between(1, 2)]
    loads: Annotated[int, Between(1, 20)]
    load_points: Annotated[int, Between(1, 20)]


@dataclass(frozen=True, slots=True)
class Aeroplane:
    """The figures of a type: shipped, or a session's own.

    Attributes:
        drag: Loses one more point of kinetic energy in level flight.
        high_stress: The manoeuvres that stress this type; none given: `HIGH_STRESS`. Rules read
            `stressing`.
    """

    type: Slug
    title: Annotated[str, AtMost(60)]
    nation: Nation
    crew: Annotated[int, Between(1, 2)]
    top_mp: Annotated[int, Between(1, 20)]
    stall_mp: Annotated[int, Between(1, 20)]
    turn_code: TurnCode
    climb_feet: Annotated[int, Between(0, 400)]
    ceiling_feet: Feet
    build: Build
    damage_limit: Annotated[int, Between(1, 40)]
    safe_dive_mp: Points
    over_speed_mp: Points
    drag: bool
    weapons: Annotated[tuple[Weapon, ...], AtMost(MAX_WEAPONS)]
    manoeuvres: Annotated[tuple[Manoeuvre, ...], AtMost(8)] = ()
    high_stress: Annotated[tuple[Manoeuvre, ...], AtMost(8)] = ()
    source: str = ""
    stated_fields: tuple[str, ...] = ()
    derived_fields: tuple[str, ...] = ()

    @property
    def stressing(self) -> tuple[Manoeuvre, ...]:
        """The manoeuvres that stress this type."""
        return self.high_stress or HIGH_STRESS


@dataclass(frozen=True, slots=True)
class Load:
    """What is left for one weapon.

    Attributes:
        points: Firing turns left in the belt, drum or box on the gun.
        spare: Drums or boxes left to change to.
        reload_phases: Fire phases that it misses yet, while it is being changed or rests.
        jammed_before: It has jammed in this game, cleared or not.
        fired_this_phase: It fired in the present fire phase, which `reloaded` ends.
    """

    points: Annotated[int, Between(0, 20)]
    spare: Annotated[int, Between(0, 20)] = 0
    reload_phases: Annotated[int, Between(0, 4)] = 0
    jammed: bool = False
    jammed_before: bool = False
    fired_this_phase: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What has happened to an aircraft and its crew.

    Attributes:
        damage_points: From structure, over-speed and fire; hits do no damage.
        structure_marks: Hits on the structure, tested at the next high-stress manoeuvre.
        spar_cracked: No more high-stress manoeuvres.
        wings_cracked: From over-speed: no steep dives, no climbs.
        top_lost_mp: Top speed lost with engine power.
        oil_leak_turns: Tests made since the leak began; None without a leak.
        fire_points: Damage a turn from fire; 0 is no fire.
        turn_code_steps: Steps by which the turn code is worse.
        climb_steps: Steps added to the climb of a thousand feet.
    """

    damage_points: Count = 0
    structure_marks: Annotated[int, Between(0, 20)] = 0
    spar_cracked: bool = False
    wings_cracked: bool = False
    top_lost_mp: Annotated[int, Between(0, 20)] = 0
    engine_seized: bool = False
    oil_leak_turns: Annotated[int, Between(0, 6)] | None = None
    fire_points: Annotated[int, Between(0, 20)] = 0
    turn_code_steps: Annotated[int, Between(0, 20)] = 0
    left_barred: bool = False
    right_barred: bool = False
    climb_steps: Annotated[int, Between(0, 120)] = 0
    shallow_only: bool = False
    gentle_only: bool = False
    pilot_wounds: Annotated[int, Between(0, 20)] = 0
    pilot_killed: bool = False
    gunner_wounds: Annotated[int, Between(0, 20)] = 0
    gunner_killed: bool = False


UNHURT = Condition()


@dataclass(frozen=True, slots=True)
class Aircraft:
    """One aircraft in flight, as a ruling needs it.

    Attributes:
        aeroplane: A type of the book, or of the facts' own aeroplanes.
        hex: Column and row of the map (`2014`). Empty at a table without our map: the move then
            begins in the middle of the map, and the map has no edge.
        speed_mp: Speed of the last turn, without kinetic energy.
        ke: Points of kinetic energy: movement points above it.
        power_diving: The last move ended in a power dive.
        hanging: The last move ended in a propeller hang.
        loads: What is left for each weapon of the type, in its order; none given: all full.
    """

    id: Id
    aeroplane: Slug
    hex: Label
    facing: HexDirection
    altitude_feet: Feet
    speed_mp: Points
    ke: Points = 0
    power_diving: bool = False
    hanging: bool = False
    resolution: Resolution = 10
    condition: Condition | None = None
    loads: Annotated[tuple[Load, ...], AtMost(MAX_WEAPONS)] = ()


@dataclass(frozen=True, slots=True)
class PathStep:
    """Where an aircraft is once it has spent so many movement points of its move.

    An act of several points has its step at the last of them; between, the aircraft is still seen
    where it was before, but a hammerhead or propeller hang is seen in its hex at all its points.
    Where a move leads to several places at one count of points (a turn that costs nothing, the way
    out of a hammerhead), each has a step, and the firing clock sees the last, or the hang.

    Attributes:
        mp: Movement points spent when it stands so; 0 is the start of the move.
        pose: How it got there.
    """

    mp: Points
    hex: Label
    facing: HexDirection
    altitude_feet: FeetBetween
    pose: Pose


Path = Annotated[tuple[PathStep, ...], AtMost(60)]
