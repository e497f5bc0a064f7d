"""What each verb needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.carriers.cards import (
    MAX_CARDS,
    MAX_SHIPS,
    MAX_TYPES,
    AircraftCard,
    Card,
    Id,
    Line,
    Ship,
    Side,
    Slot,
    Slug,
    Station,
    Weapon,
)

Fleet = Annotated[tuple[Ship, ...], AtMost(MAX_SHIPS)]
"""A side's ships: those of one line in the order of their slots, from the left of their owner."""
Cards = Annotated[tuple[Card, ...], AtMost(MAX_CARDS)]

# ---- Move


@dataclass(frozen=True, slots=True)
class Berth:
    """A ship on a line; berths of one line are in the order of their slots."""

    ship: Id
    line: Line


@dataclass(frozen=True, slots=True)
class ShipMove:
    """One ship's move: change places with a neighbor, or go one line up or down.

    Attributes:
        swap_with: The neighbor on its line; empty for a change of line.
        line: The new line; None for a swap.
        slot: Its place on the new line, from 0 to that line's length before it comes.
    """

    ship: Id
    swap_with: Id = ""
    line: Line | None = None
    slot: Slot = 0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a card is put: at a ship, or, with no ship, back in hand."""

    card: Id
    ship: Id = ""
    station: Station | None = None


@dataclass(frozen=True, slots=True)
class Deploying:
    """A side's ships take their first places; no berths: they keep those they have."""

    fleet: Fleet
    berths: Annotated[tuple[Berth, ...], AtMost(MAX_SHIPS)] = ()


@dataclass(frozen=True, slots=True)
class RollingOff:
    """Who acts first this turn.

    Attributes:
        before: Who acted first in the turn before; None in the first turn.
    """

    before: Side | None = None


@dataclass(frozen=True, slots=True)
class Sailing:
    """A side's ship moves, one after another, all or none."""

    fleet: Fleet
    moves: Annotated[tuple[ShipMove, ...], AtMost(MAX_SHIPS)] = ()


@dataclass(frozen=True, slots=True)
class Placing:
    """A side's cards are placed and moved, one after another, all or none.

    Attributes:
        first: Who acts first this turn; None where the sides do not wait for each other.
    """

    fleet: Fleet
    cards: Cards
    placements: Annotated[tuple[Placement, ...], AtMost(MAX_CARDS)] = ()
    first: Side | None = None


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A movement, and card types that are not shipped."""

    procedure: Deploying | RollingOff | Sailing | Placing
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)] = ()


# ---- Spot and Fire


@dataclass(frozen=True, slots=True)
class Flyer:
    """A card that flies to an enemy ship.

    Attributes:
        station: Where it lay; None in hand.
        at_carrier: It lay at a carrier that is in commission.
        line: That of the ship it lay at; None in hand.
    """

    type: Slug
    spent: bool = False
    station: Station | None = None
    at_carrier: bool = False
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Approach:
    """A flight announced, to be checked without dice: the defender has yet to choose.

    Attributes:
        weapon: What a strike carries; None for reconnaissance.
        line: The target's line.
        revealed: The target's identity lies open.
        flown: What the side's strikes of this turn have carried, each once, in order.
    """

    flyer: Flyer
    line: Line
    weapon: Weapon | None = None
    revealed: bool = False
    flown: Annotated[tuple[Weapon, ...], AtMost(2)] = ()


@dataclass(frozen=True, slots=True)
class Interceptor:
    """A card of the defender that meets a flight together with another, by a setting.

    Attributes:
        adjacent: It lies adjacent to the target, not in front of it.
        spent: It has been used this turn.
    """

    type: Slug
    adjacent: bool = False
    spent: bool = False


Interceptors = Annotated[tuple[Interceptor, ...], AtMost(MAX_CARDS)]


@dataclass(frozen=True, slots=True)
class Reconnaissance:
    """One card reconnoiters one ship.

    Attributes:
        revealed: The target's identity lies open already.
        interceptor: The type of the defender's card that intercepts; empty: none does.
        interceptor_adjacent: It lies adjacent to the target, not in front of it.
        interceptor_spent: It has been used this turn.
        further_interceptors: Cards that meet the flight together with it, by a setting.
    """

    flyer: Flyer
    line: Line
    revealed: bool = False
    interceptor: Slug = ""
    interceptor_adjacent: bool = False
    interceptor_spent: bool = False
    further_interceptors: Interceptors = ()


@dataclass(frozen=True, slots=True)
class Passing:
    """A side passes: no dice."""

    side: Side


@dataclass(frozen=True, slots=True)
class SpotFacts:
    """A reconnaissance, and card types that are not shipped."""

    procedure: Approach | Reconnaissance | Passing
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)] = ()


@dataclass(frozen=True, slots=True)
class Strike:
    """One card bombs or torpedoes one ship, interception and damage included.

    Attributes:
        interceptor: The type of the defender's card that intercepts; empty: none does.
        interceptor_adjacent: It lies adjacent to the target, not in front of it.
        interceptor_spent: It has been used this turn.
        flown: What the side's strikes of this turn have carried, each once, in order.
        further_interceptors: Cards that meet the flight together with it, by a setting.
    """

    flyer: Flyer
    weapon: Weapon
    target: Ship
    revealed: bool = False
    interceptor: Slug = ""
    interceptor_adjacent: bool = False
    interceptor_spent: bool = False
    flown: Annotated[tuple[Weapon, ...], AtMost(2)] = ()
    further_interceptors: Interceptors = ()


@dataclass(frozen=True, slots=True)
class FireFacts:
    """A strike, and card types that are not shipped."""

    procedure: Approach | Strike | Passing
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)] = ()


# ---- Damage


@dataclass(frozen=True, slots=True)
class BombHit:
    """A bomb has hit: roll on the tables."""

    target: Ship


@dataclass(frozen=True, slots=True)
class TorpedoHit:
    """A torpedo strike has gone through: roll on the table."""

    target: Ship


@dataclass(frozen=True, slots=True)
class Assessing:
    """Damage assessment at the end of a turn: no dice.

    Attributes:
        us, japan: All ships of a side, those that are gone included.
    """

    turn: Annotated[int, Between(1, 200)]
    us: Fleet
    japan: Fleet


@dataclass(frozen=True, slots=True)
class DamageFacts:
    """What is to be worked out about damage."""

    procedure: BombHit | TorpedoHit | Assessing
