"""What can change on the board: one dataclass for each kind of event, with the rule behind it.

Ids of ships and cards are the owner's: `secrecy` empties them for everybody else, who go by place.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rulesets.carriers.cards import Key, ShipClass, Side, Weapon
from guncamera.rulesets.carriers.facts import Berth, Placement
from guncamera.rulesets.carriers.orders import Phase, Place
from guncamera.rulesets.carriers.outcomes import Ending, Result


@dataclass(frozen=True, slots=True)
class FleetDeployed:
    """A side's ships have taken their first places. Hidden from the enemy."""

    side: Side
    berths: tuple[Berth, ...]
    rule_id: str


@dataclass(frozen=True, slots=True)
class FirstDecided:
    """Who acts first this turn."""

    first: Side
    rule_id: str


@dataclass(frozen=True, slots=True)
class ShipsMoved:
    """A side's ships stand so now. Hidden from the enemy."""

    side: Side
    berths: tuple[Berth, ...]
    rule_id: str


@dataclass(frozen=True, slots=True)
class CardsPlaced:
    """A side's cards were placed. Hidden from the enemy, who sees their backs on the table."""

    side: Side
    placements: tuple[Placement, ...]
    rule_id: str


@dataclass(frozen=True, slots=True)
class FlightBegun:
    """A card flies, face up, to a place of the enemy; it leaves the ship it lay at, but by setting.

    Attributes:
        weapon: None for reconnaissance.
        ship: The target's id, its owner's to know.
        revealed: The target's identity lay open.
    """

    side: Side
    card: str
    type: str
    weapon: Weapon | None
    target: Place
    ship: str
    revealed: bool
    rule_id: str


@dataclass(frozen=True, slots=True)
class CardIntercepted:
    """A card of the defender met the flight.

    Attributes:
        face_up: It stays face up; else it is turned back at once.
        spent: It may not be used again this turn.
    """

    side: Side
    card: str
    type: str
    turned_back: bool
    face_up: bool
    spent: bool
    rule_id: str


@dataclass(frozen=True, slots=True)
class FlightEnded:
    """A flight is over, and its card is back, spent, or lost.

    Attributes:
        hit: A strike went through; of reconnaissance: it saw the ship.
        revealed: The target's identity lies open now.
    """

    side: Side
    card: str
    turned_back: bool
    hit: bool
    void: bool
    revealed: bool
    lost: bool
    rule_id: str


@dataclass(frozen=True, slots=True)
class ShipRevealed:
    """The identity of the ship at a place lies open, as do its standing effects."""

    side: Side
    ship: str
    place: Place
    name: str
    ship_class: ShipClass
    keys: tuple[Key, ...]
    belts: int
    rule_id: str


@dataclass(frozen=True, slots=True)
class ShipDamaged:
    """A hit on the ship at a place. A ship that is gone leaves its line.

    Attributes:
        keys: Standing effects that are new.
    """

    side: Side
    ship: str
    place: Place
    result: Result
    keys: tuple[Key, ...]
    belts: int
    rule_id: str


@dataclass(frozen=True, slots=True)
class CardsRemoved:
    """Cards leave the ship at a place: lost, or back in hand and spent.

    Attributes:
        cards: Their ids, their owner's to know.
        count: How many.
    """

    side: Side
    ship: str
    place: Place
    cards: tuple[str, ...]
    count: int
    lost: bool
    rule_id: str


@dataclass(frozen=True, slots=True)
class SidePassed:
    """A side flew no card."""

    side: Side
    rule_id: str


@dataclass(frozen=True, slots=True)
class TurnAssessed:
    """Effects of one turn have ended, and the points stand so.

    Attributes:
        cleared: Ids of ships, their owners' to know.
    """

    cleared: tuple[str, ...]
    us_points: int
    japan_points: int
    rule_id: str


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """Another segment begins.

    Attributes:
        acting: Who may act; both where either may.
    """

    phase: Phase
    turn: int
    acting: tuple[Side, ...]
    rule_id: str


@dataclass(frozen=True, slots=True)
class ActingChanged:
    """The other side may act now, in the same segment."""

    acting: tuple[Side, ...]
    rule_id: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; no winner: a draw."""

    ending: Ending
    winner: Side | None
    rule_id: str


Change = (
    FleetDeployed
    | FirstDecided
    | ShipsMoved
    | CardsPlaced
    | FlightBegun
    | CardIntercepted
    | FlightEnded
    | ShipRevealed
    | ShipDamaged
    | CardsRemoved
    | SidePassed
    | TurnAssessed
    | PhaseChanged
    | ActingChanged
    | GameEnded
)
