"""What seats order in a session, what a game chooses, and what one seat sees."""

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
    DataBook,
    Id,
    Pilot,
    Position,
    Slug,
    Speed,
)
from guncamera.rulesets.redstars.facts import Choice, Tweak
from guncamera.rulesets.redstars.outcomes import Effect, End, Intent


class Phase(StrEnum):
    """What may be done now."""

    CHOOSE = "choose"  # orders are sealed, and stay hidden until all aircraft have chosen
    RAM = "ram"
    ORDER = "order"  # ties in the order of moving or firing are rolled off
    MOVE = "move"
    COLLIDE = "collide"
    FIRE = "fire"
    END = "end"
    FINISHED = "finished"


class Side(StrEnum):
    """The two sides; a side has one seat of its name."""

    SOVIET = "soviet"
    JAPANESE = "japanese"


# ---- Orders


@dataclass(frozen=True, slots=True)
class Choose:
    """Cards for each of the seat's aircraft that chooses now. Phase CHOOSE, sealed."""

    choices: Annotated[tuple[Choice, ...], AtMost(MAX_AIRCRAFT)]


@dataclass(frozen=True, slots=True)
class DeclareRam:
    """Declare that one of the seat's aircraft rams another, or that none more does. Phase RAM."""

    rammer: Id = ""
    target: Id = ""


@dataclass(frozen=True, slots=True)
class RollOrder:
    """Roll off the ties in the order of moving or firing. Phase ORDER, by either seat."""


@dataclass(frozen=True, slots=True)
class Fly:
    """Move the aircraft whose turn it is. Phase MOVE.

    Attributes:
        altitude_trades: Altitude gained (or lost, negative) for two tweaks each.
    """

    aircraft: Id
    tweaks: Annotated[tuple[Tweak, ...], AtMost(MAX_DISCS)] = ()
    altitude_trades: Annotated[int, Between(-4, 4)] = 0


@dataclass(frozen=True, slots=True)
class Collide:
    """Work out the next collision or ram. Phase COLLIDE, by either seat."""


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """An order about movement."""

    procedure: Choose | DeclareRam | RollOrder | Fly | Collide


@dataclass(frozen=True, slots=True)
class Measure:
    """Measure one aircraft against another. Not while orders are sealed; no dice."""

    aircraft: Id
    other: Id


@dataclass(frozen=True, slots=True)
class Look:
    """A spotting test, as a scenario asks for it. Not while orders are sealed."""

    aircraft: Id
    up_sun: bool = False


@dataclass(frozen=True, slots=True)
class SpotOrder:
    """An order to look or measure."""

    procedure: Measure | Look


@dataclass(frozen=True, slots=True)
class Shoot:
    """Fire weapons of one mounting. Phase FIRE, when the shooter's turn has come."""

    shooter: Id
    target: Id
    weapons: Annotated[tuple[Annotated[int, Between(0, MAX_WEAPONS - 1)], ...], AtMost(MAX_WEAPONS)]


@dataclass(frozen=True, slots=True)
class HoldFire:
    """The aircraft whose turn it is fires no more. Phase FIRE."""

    aircraft: Id


@dataclass(frozen=True, slots=True)
class FireOrder:
    """An order about the guns."""

    procedure: Shoot | HoldFire


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Assess this turn and update for the next. Phase END, by either seat."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """A wounded pilot gives the controls to his observer. Phase END, or MOVE in his turn."""

    aircraft: Id


@dataclass(frozen=True, slots=True)
class DamageOrder:
    """An order about damage."""

    procedure: EndTurn | HandOver


# ---- Session


@dataclass(frozen=True, slots=True)
class Entrant:
    """An aircraft as it enters the game; speed left out is its type's level maximum."""

    id: Id
    side: Side
    type: Slug
    position: Position
    speed: Speed | None = None
    pilot: Pilot | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game chooses.

    Attributes:
        type: The type both sides fly where no `aircraft` are given: a duel, head on; left out,
            the book's first.
        aircraft: One to six a side.
        turns: Turns after which the game ends; left out, 30.
        table_inches: Width and depth of the table; left out, 144.
    """

    type: Slug = ""
    aircraft: Annotated[tuple[Entrant, ...], AtMost(MAX_AIRCRAFT)] = ()
    turns: Annotated[int, Between(1, 200)] | None = None
    table_inches: Annotated[int, Between(36, 600)] | None = None
    own_books: Annotated[tuple[DataBook, ...], AtMost(MAX_AIRCRAFT)] = ()


@dataclass(frozen=True, slots=True)
class Craft:
    """An aircraft on the board.

    Attributes:
        start: Where its last move began; None before its first.
        discs: Of its last move.
        tails: The enemy it tails this turn, or empty.
        also_tails: Further enemies that it tails, by setting.
        extreme: It flew an extreme maneuver this turn.
        end: How it left the game; None while it flies.
    """

    side: Side
    aircraft: Aircraft
    start: Position | None = None
    discs: Annotated[tuple[Position, ...], AtMost(MAX_DISCS)] = ()
    tails: Id = ""
    extreme: bool = False
    kills: Annotated[int, Between(0, 20)] = 0
    end: End | None = None
    also_tails: Annotated[tuple[Id, ...], AtMost(MAX_AIRCRAFT)] = ()

    @property
    def tailed(self) -> tuple[str, ...]:
        """All enemies that it tails, the nearest first."""
        return (self.tails, *self.also_tails) if self.tails else ()


@dataclass(frozen=True, slots=True)
class Card:
    """One aircraft's choice of this turn, as one seat sees it.

    Attributes:
        choice: None while it is hidden from this seat, or not made.
        intent: What a tailed pilot has told his tailer's seat; else None.
    """

    aircraft: Id
    made: bool
    choice: Choice | None = None
    intent: Intent | None = None


@dataclass(frozen=True, slots=True)
class Ram:
    """A ram that was declared this turn."""

    rammer: Id
    target: Id


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two aircraft that have to be looked at: a declared ram, or an accidental collision."""

    first: Id
    second: Id
    ram: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot of this turn, and the weapons that were fired in it."""

    shooter: Id
    target: Id
    weapons: tuple[int, ...]
    hit: bool
    damage: int
    special_hit: bool


@dataclass(frozen=True, slots=True)
class Pending:
    """What a shot of this turn did to an aircraft and is not yet in effect, by setting.

    Attributes:
        end: How it will leave the game; None if it stays.
        by: Who fired.
    """

    aircraft: Id
    effects: tuple[Effect, ...]
    end: End | None
    by: Id


@dataclass(frozen=True, slots=True)
class Kill:
    """An aircraft that left the game, and whose doing it was; empty: nobody's."""

    aircraft: Id
    end: End
    by: Id


@dataclass(frozen=True, slots=True)
class View:
    """The board, as one seat sees it.

    Attributes:
        firing: An order that is rolled for, or open, is that of firing; else that of moving.
        choosing: Aircraft that choose now.
        cards: Choices of this turn.
        possible_rams: Who could ram whom, once all have chosen.
        ready_sides: Sides that have declared their rams.
        order: Aircraft still to move or fire in this phase, the next one first.
        meetings: Rams and collisions still to be worked out, the next one first.
        pending_results: What shots of this turn did and is not yet in effect.
    """

    phase: Phase
    turn: int
    turns: int
    table_inches: int
    craft: tuple[Craft, ...]
    firing: bool
    choosing: tuple[Id, ...]
    cards: tuple[Card, ...]
    possible_rams: tuple[Ram, ...]
    ready_sides: tuple[Side, ...]
    order: tuple[Id, ...]
    rams: tuple[Ram, ...]
    meetings: tuple[Meeting, ...]
    shots: tuple[Shot, ...]
    pending_results: tuple[Pending, ...]
    kills: tuple[Kill, ...]
    own_books: tuple[DataBook, ...]
    winner: Side | None
    draw: bool
