"""Aircraft cards, ships, and what has happened to them.

A number of a card is the highest d6 that succeeds; 0 cannot. There is no map: a ship stands at a
slot of one of three range lines of its side.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import AtMost, Between

Number = Annotated[int, Between(0, 6)]
Slug = Annotated[str, AtMost(40)]
Id = Annotated[str, AtMost(24)]
Name = Annotated[str, AtMost(40)]
Slot = Annotated[int, Between(0, 39)]
Belts = Annotated[int, Between(0, 99)]

MAX_SHIPS = 40
MAX_CARDS = 60
MAX_TYPES = 40
MAX_KEYS = 40


class Side(StrEnum):
    """The two sides, and nations; a side has one seat of its name."""

    US = "us"
    JAPAN = "japan"

    @property
    def other(self) -> Side:
        """The enemy."""
        return Side.JAPAN if self is Side.US else Side.US


class Role(StrEnum):
    """What a type was built for. A setting may ask for it; the printed rules do not."""

    FIGHTER = "fighter"
    TORPEDO = "torpedo"
    DIVE_BOMBER = "dive_bomber"
    RECON = "recon"
    BOMBER_RECON = "bomber_recon"


class Line(StrEnum):
    """A range line: 18, 12 and 6 inches from the side's own edge of the table."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


class ShipClass(StrEnum):
    """A class of ship."""

    CARRIER = "carrier"
    BATTLESHIP = "battleship"
    CRUISER = "cruiser"
    DESTROYER = "destroyer"


class Station(StrEnum):
    """Where a card lies at a ship: in front of it, as its combat air patrol, or adjacent."""

    FRONT = "front"
    ADJACENT = "adjacent"


class Weapon(StrEnum):
    """What a striking card carries: one of the two on a sortie."""

    BOMB = "bomb"
    TORPEDO = "torpedo"


class Key(StrEnum):
    """A standing effect on a ship."""

    BRIDGE = "bridge"
    DECK_AIRCRAFT = "deck_aircraft"
    OUT_OF_COMMISSION = "out_of_commission"
    CONNING = "conning"
    GUNNERY = "gunnery"
    RUDDER = "rudder"
    LISTING = "listing"
    TURRET = "turret"
    TURRET_LOST = "turret_lost"  # by a setting: a turret hit that lasts
    DEAD_IN_WATER = "dead_in_water"
    EXPLODED = "exploded"
    SUNK = "sunk"


GONE = frozenset({Key.EXPLODED, Key.SUNK})
"""Effects that remove a ship from its line."""


@dataclass(frozen=True, slots=True)
class AircraftCard:
    """The figures of a type of aircraft card: shipped, or a session's own.

    Attributes:
        combat: Highest d6 with which it turns a flight back.
        bomb, torpedo: Highest d6 with which its bombs, or its torpedo, hit; 0: it carries none.
        range: The line that it reaches.
        recon: Highest d6 with which it finds out what lies behind a ship's card.
    """

    type: Slug
    title: Annotated[str, AtMost(60)]
    nation: Side
    role: Role
    combat: Number
    bomb: Number
    torpedo: Number
    range: Line
    recon: Number
    source: str = ""
    stated_fields: tuple[str, ...] = ()
    derived_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship, as a ruling needs it.

    Attributes:
        id: Its owner's name for it; the enemy never learns it.
        keys: Standing effects, in the order they came; the same one twice only where a setting
            adds them up.
        belts: How often its armor belt has been pierced.
    """

    nation: Side
    ship_class: ShipClass
    line: Line
    id: Id = ""
    name: Name = ""
    keys: Annotated[tuple[Key, ...], AtMost(MAX_KEYS)] = ()
    belts: Belts = 0

    @property
    def afloat(self) -> bool:
        """Whether it still stands on its line."""
        return not GONE.intersection(self.keys)


@dataclass(frozen=True, slots=True)
class Card:
    """One aircraft card of a side.

    Attributes:
        ship: The ship it lies at, by id; empty: in its owner's hand.
        station: In front of that ship or adjacent; None in hand.
        spent: It has flown this turn, or intercepted.
        face_up: Seen by all.
        lost: Out of the game.
    """

    id: Id
    type: Slug
    ship: Id = ""
    station: Station | None = None
    spent: bool = False
    face_up: bool = False
    lost: bool = False
