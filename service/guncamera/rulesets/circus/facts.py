"""What each rule needs to know: aeroplanes, aircraft in flight, and the facts of the four verbs.

One movement point is one hex of 60 metres in a turn of ten seconds. Heights are in feet and steps
of 50; 200 feet of height are one hex of distance. A height difference is the target's height
less the looker's, so that it is negative for a target below.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.circus.aircraft import (
    MAX_AIRCRAFT,
    MAX_WEAPONS,
    Aeroplane,
    Aircraft,
    Codes,
    Condition,
    Count,
    Die,
    Feet,
    FeetBetween,
    Id,
    Label,
    Load,
    Mount,
    Path,
    Points,
    Pose,
    Resolution,
    Side,
    Slug,
)

WeaponNumbers = Annotated[
    tuple[Annotated[int, Between(0, MAX_WEAPONS - 1)], ...], AtMost(MAX_WEAPONS)
]
"""Weapons of an aircraft, by their place in its type's list."""

# ---- Move


@dataclass(frozen=True, slots=True)
class Plot:
    """One aircraft's order, in the codes of the game; see the rule set's README.

    Attributes:
        speed_mp: Speed chosen for this turn, without kinetic energy.
        codes: Such as `3 R 2 ^100`.
    """

    aircraft: Id
    speed_mp: Points
    codes: Codes


@dataclass(frozen=True, slots=True)
class Flight:
    """An aircraft and what it has plotted; a forced dive needs no plot.

    Attributes:
        scored_on: An enemy has scored on it in this game.
        jams_anew: Its weapons that have jammed in this turn.
    """

    aircraft: Aircraft
    plot: Plot | None = None
    scored_on: bool = False
    jams_anew: WeaponNumbers = ()


@dataclass(frozen=True, slots=True)
class Plotting:
    """Plots to check and cost, without dice."""

    flights: Annotated[tuple[Flight, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class Flying:
    """Plots to fly, in this order: stress on the way, then over-speed, then jammed guns."""

    flights: Annotated[tuple[Flight, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A movement, and types of aeroplane that are not in the book."""

    procedure: Plotting | Flying
    own_aeroplanes: Annotated[tuple[Aeroplane, ...], AtMost(MAX_AIRCRAFT)] = ()


# ---- Spot


@dataclass(frozen=True, slots=True)
class Look:
    """One aircraft looking for another.

    Attributes:
        hexes: Flat distance.
        line_of_sight: No cloud lies between them.
        target_fired: The target fired in the last fire phase.
        fired_at_spotter: And this spotter was its target.
        formation: Other targets of this call that fly in close formation with the target.
        readings: Settings under whose other choices these facts would be others, for the trace.
    """

    spotter: Id
    target: Id
    hexes: Count
    height_difference_feet: FeetBetween
    line_of_sight: bool = True
    in_blind_spot: bool = False
    up_sun: bool = False
    target_fired: bool = False
    fired_at_spotter: bool = False
    formation: Annotated[tuple[Id, ...], AtMost(MAX_AIRCRAFT)] = ()
    readings: Annotated[tuple[Slug, ...], AtMost(5)] = ()


@dataclass(frozen=True, slots=True)
class Looking:
    """The looks of one spotting phase, in this order.

    Attributes:
        falling_aircraft: Those whose pilot is dead and whose gunner lives: by setting he looks too.
    """

    looks: Annotated[tuple[Look, ...], AtMost(18)]
    falling_aircraft: Annotated[tuple[Id, ...], AtMost(MAX_AIRCRAFT)] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """What an aircraft flew this turn, for the firing clock.

    Attributes:
        path: Its start (0 points spent) and every stand after it; a craft that stood still while
            another moved has its start only.
    """

    path: Path


@dataclass(frozen=True, slots=True)
class Cloud:
    """A cloud over one hex, from its base to its top."""

    hex: Label
    base_feet: Feet
    top_feet: Feet


@dataclass(frozen=True, slots=True)
class Aiming:
    """Whether a target was long enough in the arc, counted along both paths. No dice.

    Attributes:
        aeroplane, mount, gunner_killed: The shooter's.
        simultaneous: Both flew at once; otherwise one of the two stood still.
    """

    aeroplane: Slug
    mount: Mount
    shooter: Track
    target: Track
    simultaneous: bool
    gunner_killed: bool = False
    clouds: Annotated[tuple[Cloud, ...], AtMost(60)] = ()


@dataclass(frozen=True, slots=True)
class SpotFacts:
    """What is looked for."""

    procedure: Looking | Aiming
    own_aeroplanes: Annotated[tuple[Aeroplane, ...], AtMost(MAX_AIRCRAFT)] = ()


# ---- Fire


@dataclass(frozen=True, slots=True)
class Aim:
    """How a target came into the sights.

    Attributes:
        own_mp: Movement points the shooter spent; 0 where it stood while the target moved.
        own_mp_in_arc: Of those, at whose end the target was in arc, range and sight; of a second
            hang in one move no more than the three that count.
        own_hang_mp_in_arc: Of those in arc, the ones of a hammerhead or propeller hang; of several
            hangs the one with the most.
        target_mp: Movement points the target spent.
        target_mp_in_arc: Of those, at whose end it was in the shooter's arc, range and sight.
        hexes: Flat distance at the last one counted, or by setting at the nearest.
        height_difference_feet: At the same one.
        vertical: The shot is straight up from a propeller hang, or straight down from a power
            dive, gained by that very move.
        readings: Settings under whose other choices the counts or the moment would be others, for
            the trace.
    """

    own_mp: Points
    own_mp_in_arc: Points
    target_mp: Points
    target_mp_in_arc: Points
    hexes: Count
    height_difference_feet: FeetBetween
    own_hang_mp_in_arc: Points = 0
    vertical: bool = False
    readings: Annotated[tuple[Slug, ...], AtMost(8)] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """What a shot needs to know of its target.

    Attributes:
        hanging: In a hammerhead or a propeller hang when shot at.
    """

    id: Id
    aeroplane: Slug
    condition: Condition | None = None
    resolution: Resolution = 10
    hanging: bool = False


@dataclass(frozen=True, slots=True)
class Firing:
    """One shot, of all guns of a mount that can fire.

    Attributes:
        shooter: The shooter's id, for events and summary.
        loads: What is left for each weapon of the shooter's type; none given: all full.
        spotted: The shooter has spotted the target.
        fired_at_shooter: The target has fired at the shooter in this fire phase.
        stalled: The shooter stalled in its last move.
        in_blind_spot: The target is in the shooter's blind spot.
        simultaneous: One fire phase a turn, not two: it counts for a drum that runs empty.
    """

    shooter: Id
    aeroplane: Slug
    mount: Mount
    aim: Aim
    target: Target
    long_burst: bool = False
    loads: Annotated[tuple[Load, ...], AtMost(MAX_WEAPONS)] = ()
    condition: Condition | None = None
    spotted: bool = True
    in_blind_spot: bool = False
    simultaneous: bool = True
    fired_at_shooter: bool = False
    stalled: bool = False


@dataclass(frozen=True, slots=True)
class DrumChange:
    """Changing a drum or box that is not yet empty, instead of firing the gun. No dice."""

    aircraft: Id
    aeroplane: Slug
    weapon: Annotated[int, Between(0, MAX_WEAPONS - 1)]
    loads: Annotated[tuple[Load, ...], AtMost(MAX_WEAPONS)] = ()
    condition: Condition | None = None
    simultaneous: bool = True


@dataclass(frozen=True, slots=True)
class Holding:
    """A side fires no more in this phase. No dice."""

    side: Side


@dataclass(frozen=True, slots=True)
class FireFacts:
    """What is done with the guns, and types of aeroplane that are not in the book."""

    procedure: Firing | DrumChange | Holding
    own_aeroplanes: Annotated[tuple[Aeroplane, ...], AtMost(MAX_AIRCRAFT)] = ()


# ---- Damage


@dataclass(frozen=True, slots=True)
class CriticalTest:
    """The second die of a shot that scored, and the chart. The first die is the natural one."""

    target: Target
    hits: Annotated[int, Between(1, 6)]
    first_die: Die


@dataclass(frozen=True, slots=True)
class CriticalHit:
    """A result of the critical chart to work out."""

    target: Target
    part: Part


class Part(StrEnum):
    """What a critical hit strikes."""

    CREW = "crew"
    ENGINE = "engine"
    STRUCTURE = "structure"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class StressTest:
    """One high-stress manoeuvre's checks: marks first, then the roll by build."""

    aircraft: Id
    aeroplane: Slug
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class OverSpeedTest:
    """The end of a turn in which the aircraft dived above its safe speed."""

    aircraft: Id
    aeroplane: Slug
    mp: Points
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class FireAboard:
    """A turn of fire on board, and the dive that may put it out."""

    aircraft: Id
    aeroplane: Slug
    condition: Condition
    resolution: Resolution = 10
    dive: Pose = Pose.LEVEL


@dataclass(frozen=True, slots=True)
class OilLeak:
    """A turn of an oil leak."""

    aircraft: Id
    condition: Condition


@dataclass(frozen=True, slots=True)
class JamClearing:
    """A turn flown straight and level with a jammed gun.

    Attributes:
        loads: What is left for each weapon of the type, the jammed one among them.
    """

    aircraft: Id
    aeroplane: Slug
    weapon: Annotated[int, Between(0, MAX_WEAPONS - 1)]
    loads: Annotated[tuple[Load, ...], AtMost(MAX_WEAPONS)]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The end of a turn: fires, kinetic energy, drums; then the oil leaks of the next turn."""

    aircraft: Annotated[tuple[Ending, ...], AtMost(MAX_AIRCRAFT)]
    simultaneous: bool = True


@dataclass(frozen=True, slots=True)
class Ending:
    """An aircraft at the end of a turn.

    Attributes:
        dive: The steepest dive of its move.
        ke_change: What its move does to its kinetic energy; it may be negative.
        lit_points: Of its fire, what broke out in this turn.
        leaks_anew: Its oil leak began in this turn.
    """

    aircraft: Aircraft
    dive: Pose = Pose.LEVEL
    ke_change: Annotated[int, Between(-40, 40)] = 0
    lit_points: Points = 0
    leaks_anew: bool = False


@dataclass(frozen=True, slots=True)
class PilotRecord:
    """A pilot after a game.

    Attributes:
        resolution: The value he started the game with.
        kills: Enemies whose last shot was his.
        survived: He came out of the game alive.
    """

    id: Id
    resolution: Resolution
    kills: Annotated[int, Between(0, 20)] = 0
    survived: bool = True


@dataclass(frozen=True, slots=True)
class Reckoning:
    """One side's pilots after a game of a campaign.

    Attributes:
        friends_killed: Friends shot down and killed in the game.
    """

    pilots: Annotated[tuple[PilotRecord, ...], AtMost(20)]
    friends_killed: Annotated[int, Between(0, 20)] = 0


@dataclass(frozen=True, slots=True)
class DamageFacts:
    """What is to be worked out about damage."""

    procedure: (
        CriticalTest
        | CriticalHit
        | StressTest
        | OverSpeedTest
        | FireAboard
        | OilLeak
        | JamClearing
        | TurnEnd
        | Reckoning
    )
    own_aeroplanes: Annotated[tuple[Aeroplane, ...], AtMost(MAX_AIRCRAFT)] = ()
