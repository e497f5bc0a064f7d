"""What the rules decide: the outcomes of the four verbs. No faces, so that odds can merge them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guncamera.rulesets.redstars.aircraft import Flight, Maneuver, Position
from guncamera.rulesets.redstars.facts import Test


class Harm(StrEnum):
    """One lasting thing that happens to an aircraft or its crew; `amount` says how much."""

    DAMAGE = "damage"  # points
    ENGINE_BOX = "engine_box"  # boxes; `which` is the engine
    ENGINE_SHOT = "engine_shot"  # marked by enemy fire: it smokes
    ACCELERATE_BARRED = "accelerate_barred"
    OIL_LEAK = "oil_leak"
    FIRE_D6 = "fire_d6"
    FIRE_D8 = "fire_d8"
    FIRES_OUT = "fires_out"  # all, but by setting: one, `which` is its die
    DIE_LOST = "die_lost"  # `which` is the weapon
    EXTREME_BARRED = "extreme_barred"
    CAMERA_WRECKED = "camera_wrecked"
    GEAR_WRECKED = "gear_wrecked"
    TOP_SPEED_BARRED = "top_speed_barred"
    PILOT_WOUNDED = "pilot_wounded"
    PILOT_SEVERE = "pilot_severe"
    PILOT_KILLED = "pilot_killed"
    OBSERVER_WOUNDED = "observer_wounded"
    OBSERVER_SEVERE = "observer_severe"  # while he flies
    OBSERVER_KILLED = "observer_killed"
    OBSERVER_FLIES = "observer_flies"
    PILOT_FLIES = "pilot_flies"  # again, when the observer to whom he gave the controls is dead
    CONTROLS_FREE = "controls_free"  # nobody is at them yet, by setting: it spins
    OBSERVER_REPLACED = "observer_replaced"  # by the third man, by setting


@dataclass(frozen=True, slots=True)
class Effect:
    """A harm, its amount (1 where only the fact counts), and the engine or weapon it strikes.

    Of one fire that is out, by setting, `which` is the die that it did damage by.
    """

    harm: Harm
    amount: int = 1
    which: int = 0


class End(StrEnum):
    """How an aircraft left the game."""

    SHOT_DOWN = "shot_down"
    CRASHED = "crashed"
    WINGS_OFF = "wings_off"
    COLLIDED = "collided"
    CREW_LOST = "crew_lost"
    LANDED = "landed"
    LEFT_TABLE = "left_table"


class Turning(StrEnum):
    """What a tailed pilot must tell of his direction."""

    STRAIGHT = "straight"
    LEFT = "left"
    RIGHT = "right"
    SHIFT_LEFT = "shift_left"
    SHIFT_RIGHT = "shift_right"
    EXTREME = "extreme"


class Rising(StrEnum):
    """What a tailed pilot must tell of his altitude."""

    CLIMB = "climb"
    LEVEL = "level"
    DIVE = "dive"


@dataclass(frozen=True, slots=True)
class Intent:
    """A tailed pilot's intent in general terms; `discs` is 0 unless a setting reveals it."""

    turning: Turning
    rising: Rising
    discs: int = 0


# ---- Move


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cards that are legal: the discs they lay, and the intent they show a tailer."""

    aircraft: str
    discs: int
    codes: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class AllChosen:
    """Cards that are legal, for each aircraft in the order given."""

    hands: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A ram that may be tried; empty where nobody rams.

    Attributes:
        head_on: The two flew at each other when it was declared.
    """

    rammer: str = ""
    target: str = ""
    head_on: bool = False


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order of moving or firing, the first one first."""

    aircraft: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move as it was made.

    Attributes:
        discs: Where each disc lies, the last the new position.
        speed: For the next turn.
        dived: Bands of its dive, tweaks included; those of a stall or spin do not count.
        passed_tests, failed_tests: In order.
        end: How it left the game; None while it flies.
    """

    aircraft: str
    discs: tuple[Position, ...]
    position: Position
    speed: int
    flight: Flight
    maneuver: Maneuver | None = None
    dived: int = 0
    passed_tests: tuple[Test, ...] = ()
    failed_tests: tuple[Test, ...] = ()
    effects: tuple[Effect, ...] = ()
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Fate:
    """What a collision or ram did to one aircraft."""

    aircraft: str
    effects: tuple[Effect, ...] = ()
    position: Position | None = None
    flight: Flight = Flight.NORMAL
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Met:
    """Whether two aircraft struck each other, and what it did."""

    struck: bool
    fates: tuple[Fate, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """What a movement came to."""

    procedure: Chosen | AllChosen | Declared | Ordered | Moved | Met


# ---- Spot


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether the enemy was spotted in time."""

    spotted: bool


class Arc(StrEnum):
    """An arc of an aircraft."""

    FORWARD = "forward"
    SIDE = "side"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class Measured:
    """One aircraft measured against another.

    Attributes:
        bearing_degrees: Of the other off this one's nose, to the nearest five; right is positive.
        arc: Of this one, in which the other lies.
        other_arc: Of the other, in which this one lies.
        crossing: A shot at the other from here is a crossing shot.
        tailing: It could tail the other from here.
        overlapping: Their discs cover each other's centers at one altitude.
    """

    range_mils: int
    bearing_degrees: int
    altitude_difference: int
    arc: Arc
    other_arc: Arc
    flexible_arc: bool
    crossing: bool
    tailing: bool
    overlapping: bool


@dataclass(frozen=True, slots=True)
class SpotOutcome:
    """What was seen."""

    procedure: Seen | Measured


# ---- Fire


class RiskResult(StrEnum):
    """Who is hit on the risk to pilot table, for the summary."""

    NOBODY = "nobody"
    PILOT = "pilot"
    OBSERVER = "observer"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Fired:
    """What a shot did.

    Attributes:
        weapons_hit: The weapons that hit, in declared order.
        damage: Points, of the dice kept.
        special_hit: Two ones or more were thrown.
        effects: On the target, in order.
        end: How the target left the game; None while it flies.
    """

    weapons_hit: tuple[int, ...]
    damage: int
    special_hit: bool
    effects: tuple[Effect, ...] = ()
    risk: RiskResult = RiskResult.NOBODY
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """An aircraft that fires no more this turn."""

    aircraft: str


@dataclass(frozen=True, slots=True)
class FireOutcome:
    """What fire came to."""

    procedure: Fired | Held


# ---- Damage


@dataclass(frozen=True, slots=True)
class Worked:
    """What a test, hit, wound or fire did to an aircraft.

    Attributes:
        passed: Of a test; true where there was none.
        speed, flight: After a recovery from a spin; None where nothing changes.
    """

    aircraft: str
    passed: bool = True
    effects: tuple[Effect, ...] = ()
    speed: int | None = None
    flight: Flight | None = None
    end: End | None = None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """All aircraft after the end of a turn."""

    aircraft: tuple[Worked, ...]


@dataclass(frozen=True, slots=True)
class DamageOutcome:
    """What was worked out about damage."""

    procedure: Worked | TurnEnded
