"""What each rule needs to know: data books, pilots, aircraft in flight, and the facts of the verbs.

Lengths are whole thousandths of an inch on the table, headings whole degrees clockwise from
north, so that every position is exact and a replay is equal to the byte. Altitude is in bands,
0 the ground; speed is in discs a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.redstars.aircraft import (
    MAX_AIRCRAFT,
    MAX_DISCS,
    MAX_WEAPONS,
    Aircraft,
    AltitudeBetween,
    AltitudeCard,
    Condition,
    DataBook,
    Id,
    Length,
    Maneuver,
    Pilot,
    Position,
    Rating,
    SpeedCard,
    TweakSide,
)

# ---- Move


@dataclass(frozen=True, slots=True)
class Choice:
    """The cards chosen for one aircraft.

    Attributes:
        take_speed: Take the speed that a DIVE -1 or -2 offers.
    """

    aircraft: Id
    maneuver: Maneuver
    altitude_card: AltitudeCard | None = None
    speed_card: SpeedCard | None = None
    take_speed: bool = False


@dataclass(frozen=True, slots=True)
class Choosing:
    """Cards to check, without dice."""

    aircraft: Aircraft
    choice: Choice


@dataclass(frozen=True, slots=True)
class ChoosingAll:
    """The cards of all aircraft for which one seat chooses at once, to check without dice."""

    hands: Annotated[tuple[Choosing, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class Tweak:
    """One disc adjusted, counted from 1."""

    disc: Annotated[int, Between(1, MAX_DISCS)]
    side: TweakSide


@dataclass(frozen=True, slots=True)
class Moving:
    """One aircraft's move.

    Attributes:
        choice: None for a spin, which nobody chooses.
        tailing: It tails an enemy: one more tweak.
        altitude_trades: Altitude gained (or lost, negative) for two tweaks each.
    """

    aircraft: Aircraft
    choice: Choice | None = None
    tailing: bool = False
    tweaks: Annotated[tuple[Tweak, ...], AtMost(MAX_DISCS)] = ()
    altitude_trades: Annotated[int, Between(-4, 4)] = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """One of two aircraft that may touch: what a collision or ram needs to know of it.

    Attributes:
        extreme: It flew an extreme maneuver this turn.
        tailing: It tails the other.
        discs: Of its move, the last its position; none if it laid none.
    """

    aircraft: Aircraft
    extreme: bool = False
    tailing: bool = False
    discs: Annotated[tuple[Position, ...], AtMost(MAX_DISCS)] = ()


@dataclass(frozen=True, slots=True)
class Colliding:
    """Two aircraft whose last discs overlap at one altitude."""

    first: Pair
    second: Pair


@dataclass(frozen=True, slots=True)
class Declaring:
    """A ram announced once all have chosen and nobody has moved; no rammer: nobody rams.

    Attributes:
        tailing: The rammer tails the target.
    """

    rammer: Aircraft | None = None
    target: Aircraft | None = None
    tailing: bool = False


@dataclass(frozen=True, slots=True)
class Ramming:
    """A rammer and its target when both have moved."""

    rammer: Pair
    target: Pair


@dataclass(frozen=True, slots=True)
class Contender:
    """An aircraft that takes its place in an order of moving or firing.

    Attributes:
        rating: Of whoever flies it now.
        group: 0 gliders, 1 the others, 2 rammers; in an order of firing all are in one.
        tails: The contender that it tails, or empty.
        also_tails: Others that it tails, by setting.
    """

    id: Id
    rating: Rating
    group: Annotated[int, Between(0, 2)] = 1
    tails: Id = ""
    also_tails: Annotated[tuple[Id, ...], AtMost(MAX_AIRCRAFT)] = ()

    @property
    def tailed(self) -> tuple[str, ...]:
        """All that it tails, the nearest first."""
        return (self.tails, *self.also_tails) if self.tails else ()


@dataclass(frozen=True, slots=True)
class Ordering:
    """The order in which aircraft move, or fire.

    Attributes:
        standing: Of firing, the contenders as they stood before the last shot; none as the step
            opens.
    """

    contenders: Annotated[tuple[Contender, ...], AtMost(MAX_AIRCRAFT)]
    firing: bool = False
    standing: Annotated[tuple[Id, ...], AtMost(MAX_AIRCRAFT)] = ()


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A movement, and data books that are not shipped."""

    procedure: Choosing | ChoosingAll | Declaring | Ordering | Moving | Colliding | Ramming
    own_books: Annotated[tuple[DataBook, ...], AtMost(MAX_AIRCRAFT)] = ()


# ---- Spot


@dataclass(frozen=True, slots=True)
class Looking:
    """A spotting test."""

    pilot: Pilot
    condition: Condition | None = None
    damaged: bool = False
    up_sun: bool = False


@dataclass(frozen=True, slots=True)
class Measuring:
    """Measure one aircraft against another: range, bearings, arcs, tailing. No dice."""

    aircraft: Position
    other: Position


@dataclass(frozen=True, slots=True)
class SpotFacts:
    """What is looked for."""

    procedure: Looking | Measuring


# ---- Fire


@dataclass(frozen=True, slots=True)
class Aim:
    """How a target lies to the shooter.

    Attributes:
        in_arc: It is in the arc of the weapons fired.
        behind: The shooter is in the target's rear arc.
        crossing: The shooter is in the target's side arc.
        altitude_difference: The target's altitude less the shooter's.
    """

    range_mils: Length
    altitude_difference: AltitudeBetween
    in_arc: bool = True
    behind: bool = False
    crossing: bool = False


@dataclass(frozen=True, slots=True)
class Firing:
    """One shot: all weapons declared, of one mounting.

    Attributes:
        weapons: Which of the type's weapons, from 0, in declared order.
        extreme: The shooter flew an extreme maneuver this turn.
        target_extreme: The target did.
        own_side: The target is of the shooter's own side.
    """

    shooter: Aircraft
    target: Aircraft
    weapons: Annotated[tuple[Annotated[int, Between(0, MAX_WEAPONS - 1)], ...], AtMost(MAX_WEAPONS)]
    aim: Aim
    tailing: bool = False
    extreme: bool = False
    target_extreme: bool = False
    own_side: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """An aircraft that fires no more this turn."""

    aircraft: Id


@dataclass(frozen=True, slots=True)
class FireFacts:
    """What is fired, or held, and data books that are not shipped."""

    procedure: Firing | Holding
    own_books: Annotated[tuple[DataBook, ...], AtMost(MAX_AIRCRAFT)] = ()


# ---- Damage


class Test(StrEnum):
    """A test of 2d6 plus modifiers."""

    SKILL = "skill"
    AIRFRAME = "airframe"
    ENGINE = "engine"
    SPIN_RECOVERY = "spin_recovery"
    BLOW_OUT = "blow_out"


@dataclass(frozen=True, slots=True)
class Testing:
    """A single test, as a card or a player asks for it.

    Attributes:
        altitude_card: The dive behind a blow-out or an airframe test.
    """

    aircraft: Aircraft
    test: Test
    altitude_card: AltitudeCard | None = None


@dataclass(frozen=True, slots=True)
class SpecialHit:
    """A roll on the special hits table.

    Attributes:
        fire_only: Only a fire counts, as for a flammable type.
    """

    aircraft: Aircraft
    fire_only: bool = False


@dataclass(frozen=True, slots=True)
class RiskToPilot:
    """A roll on the risk to pilot table."""

    aircraft: Aircraft
    sniper: bool = False


@dataclass(frozen=True, slots=True)
class Handover:
    """A wounded pilot gives the controls to his observer. No dice."""

    aircraft: Aircraft


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """Assess and update: spin recovery of the turn, then the fires of the next, by id."""

    aircraft: Annotated[tuple[Aircraft, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class DamageFacts:
    """What is to be worked out about damage."""

    procedure: Testing | SpecialHit | RiskToPilot | Handover | TurnEnd
    own_books: Annotated[tuple[DataBook, ...], AtMost(MAX_AIRCRAFT)] = ()
