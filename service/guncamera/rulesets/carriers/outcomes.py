"""What the rules decide: the outcomes of the four verbs. No faces, so that odds can merge them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guncamera.rulesets.carriers.cards import Key, Line, Side, Weapon
from guncamera.rulesets.carriers.facts import Berth, Placement

# ---- Move


@dataclass(frozen=True, slots=True)
class Deployed:
    """Where a side's ships stand."""

    berths: tuple[Berth, ...]


@dataclass(frozen=True, slots=True)
class RolledOff:
    """Who acts first this turn."""

    first: Side


@dataclass(frozen=True, slots=True)
class Sailed:
    """Where a side's ships that are afloat stand after their moves."""

    berths: tuple[Berth, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The cards placed, each as it lies at the end."""

    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """The outcome of a movement."""

    procedure: Deployed | RolledOff | Sailed | Placed


# ---- Spot


@dataclass(frozen=True, slots=True)
class Approached:
    """A flight that may be flown, and the line it goes to."""

    line: Line
    weapon: Weapon | None


@dataclass(frozen=True, slots=True)
class Reconnoitered:
    """How a reconnaissance ended.

    Attributes:
        flyer_lost, interceptor_spent: As the settings say.
    """

    turned_back: bool
    revealed: bool
    flyer_lost: bool
    interceptor_spent: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """A side has passed."""

    side: Side


@dataclass(frozen=True, slots=True)
class SpotOutcome:
    """The outcome of a reconnaissance."""

    procedure: Approached | Reconnoitered | Passed


# ---- Fire and damage


class Result(StrEnum):
    """The row of a damage table that was rolled."""

    BRIDGE = "bridge"
    DECK_AIRCRAFT = "deck_aircraft"
    FUEL_BURNS = "fuel_burns"
    FIRE_OUT = "fire_out"
    TURRET = "turret"
    CONNING = "conning"
    GUNNERY = "gunnery"
    RUDDER = "rudder"
    MAGAZINE = "magazine"
    BELT = "belt"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Harm:
    """What one hit does.

    Attributes:
        result: The row.
        void: The row was for no ship of the target's nation.
        keys: Standing effects that are new.
        belts: Times the armor belt was pierced: 0 or 1.
        cards_lost: One card at the ship is lost, besides what an effect removes.
    """

    result: Result
    void: bool
    keys: tuple[Key, ...]
    belts: int
    cards_lost: int


@dataclass(frozen=True, slots=True)
class Struck:
    """How a strike ended.

    Attributes:
        harm: None if it was turned back or missed.
        flyer_lost, interceptor_spent: As the settings say.
    """

    turned_back: bool
    hit: bool
    harm: Harm | None
    flyer_lost: bool
    interceptor_spent: bool


@dataclass(frozen=True, slots=True)
class FireOutcome:
    """The outcome of a strike."""

    procedure: Approached | Struck | Passed


class Ending(StrEnum):
    """Why a game is over."""

    TURNS = "turns"
    NO_CARRIER = "no_carrier"
    NO_SHIPS = "no_ships"


@dataclass(frozen=True, slots=True)
class Assessed:
    """The end of a turn.

    Attributes:
        cleared: Ships, by id, whose effects of one turn end; US ships first.
        us_points, japan_points: What a side has scored so far.
        ending: None while the game goes on.
        winner: None in a draw, and while the game goes on.
    """

    cleared: tuple[str, ...]
    us_points: int
    japan_points: int
    ending: Ending | None
    winner: Side | None


@dataclass(frozen=True, slots=True)
class DamageOutcome:
    """The outcome about damage."""

    procedure: Harm | Assessed
