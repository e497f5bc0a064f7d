"""What seats order in a session, what a game chooses, and what one seat sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import AtMost, Between
from guncamera.rulesets.carriers.cards import (
    MAX_CARDS,
    MAX_KEYS,
    MAX_SHIPS,
    MAX_TYPES,
    AircraftCard,
    Belts,
    Id,
    Key,
    Line,
    Name,
    ShipClass,
    Side,
    Slot,
    Slug,
    Weapon,
)
from guncamera.rulesets.carriers.facts import Berth, Placement, ShipMove


class Phase(StrEnum):
    """What may be done now: the segments of a turn."""

    DEPLOY = "deploy"  # both sides, once, before the first turn
    INITIATIVE = "initiative"  # either seat
    MOVE = "move"  # the first side, then the other; so in both CAP segments
    CAP_1 = "cap_1"
    RECON = "recon"  # card by card in turn, until both pass; so in STRIKE
    CAP_2 = "cap_2"
    STRIKE = "strike"
    ASSESS = "assess"  # either seat
    FINISHED = "finished"


PLACING = (Phase.CAP_1, Phase.CAP_2)
"""The segments in which cards are placed."""

# ---- Orders


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a side's line, as its enemy names it: the slot from its owner's left, from 0."""

    line: Line
    slot: Slot


@dataclass(frozen=True, slots=True)
class Deploy:
    """Where the side's ships begin; no berths: as the set-up has them. Phase DEPLOY."""

    berths: Annotated[tuple[Berth, ...], AtMost(MAX_SHIPS)] = ()


@dataclass(frozen=True, slots=True)
class RollOff:
    """Roll for who acts first. Phase INITIATIVE, by either seat."""


@dataclass(frozen=True, slots=True)
class MoveShips:
    """All ship moves of the side, none included. Phase MOVE."""

    moves: Annotated[tuple[ShipMove, ...], AtMost(MAX_SHIPS)] = ()


@dataclass(frozen=True, slots=True)
class PlaceCards:
    """All placements of the side, none included. Phases CAP_1 and CAP_2."""

    placements: Annotated[tuple[Placement, ...], AtMost(MAX_CARDS)] = ()


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """An order about movement."""

    procedure: Deploy | RollOff | MoveShips | PlaceCards


@dataclass(frozen=True, slots=True)
class Reconnoiter:
    """Send a card to find out which ship stands at a place. Phase RECON."""

    card: Id
    target: Place


@dataclass(frozen=True, slots=True)
class Intercept:
    """Answer a flight with a card of the ship's combat air patrol; no card: let it through.

    Attributes:
        further_cards: Cards that meet it together with that one, by a setting.
    """

    card: Id = ""
    further_cards: Annotated[tuple[Id, ...], AtMost(MAX_CARDS)] = ()


@dataclass(frozen=True, slots=True)
class PassFlight:
    """Fly no card now; two passes running end the segment."""


@dataclass(frozen=True, slots=True)
class SpotOrder:
    """An order about reconnaissance. Phase RECON."""

    procedure: Reconnoiter | Intercept | PassFlight


@dataclass(frozen=True, slots=True)
class SendStrike:
    """Send a card with bombs or a torpedo against the ship at a place. Phase STRIKE."""

    card: Id
    weapon: Weapon
    target: Place


@dataclass(frozen=True, slots=True)
class FireOrder:
    """An order about strikes. Phase STRIKE."""

    procedure: SendStrike | Intercept | PassFlight


@dataclass(frozen=True, slots=True)
class DamageOrder:
    """Damage assessment, the end of the turn. Phase ASSESS, by either seat."""

    @property
    def procedure(self) -> DamageOrder:
        """Itself: there is one kind."""
        return self


# ---- Session


@dataclass(frozen=True, slots=True)
class Entrant:
    """A ship as it enters the game; ships of one line in the order of their slots."""

    name: Name
    ship_class: ShipClass
    line: Line


@dataclass(frozen=True, slots=True)
class Force:
    """A side as it enters the game: its ships, and its cards by type."""

    ships: Annotated[tuple[Entrant, ...], AtMost(MAX_SHIPS)]
    cards: Annotated[tuple[Slug, ...], AtMost(MAX_CARDS)]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game chooses.

    Attributes:
        us, japan: A side's ships and cards; left out, the shipped ones.
        referee: There is a seat `referee` that sees everything and orders nothing.
    """

    us: Force | None = None
    japan: Force | None = None
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)] = ()
    referee: bool = False


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card as a seat sees it.

    Attributes:
        type: Empty: its back.
        id, spent: Told to its owner and the referee only.
    """

    type: Slug
    face_up: bool
    id: Id = ""
    spent: bool = False


@dataclass(frozen=True, slots=True)
class ShipSeen:
    """A ship whose identity a seat knows; `id` is told to its owner and the referee only."""

    name: Name
    ship_class: ShipClass
    keys: Annotated[tuple[Key, ...], AtMost(MAX_KEYS)]
    belts: Belts
    id: Id = ""


@dataclass(frozen=True, slots=True)
class SlotSeen:
    """One slot of a line.

    Attributes:
        ship: None while it is hidden from this seat.
        revealed: Its identity lies open to all.
        front, adjacent: Cards at it: face-up ones first, so that their order tells nothing.
        intercepted: Cards here that have intercepted, or by a setting flown, and may not again
            this turn.
        intercepted_front: Those of them in front.
    """

    ship: ShipSeen | None
    revealed: bool
    front: Annotated[tuple[CardSeen, ...], AtMost(MAX_CARDS)]
    adjacent: Annotated[tuple[CardSeen, ...], AtMost(MAX_CARDS)]
    intercepted: Annotated[int, Between(0, MAX_CARDS)]
    intercepted_front: Annotated[int, Between(0, MAX_CARDS)] = 0


@dataclass(frozen=True, slots=True)
class LineSeen:
    """A line, its slots from its owner's left."""

    line: Line
    slots: Annotated[tuple[SlotSeen, ...], AtMost(MAX_SHIPS)]


@dataclass(frozen=True, slots=True)
class Report:
    """What is publicly known of a damaged ship, wherever it stands now."""

    name: Name
    ship_class: ShipClass
    keys: Annotated[tuple[Key, ...], AtMost(MAX_KEYS)]
    belts: Belts


@dataclass(frozen=True, slots=True)
class FleetSeen:
    """One side as a seat sees it.

    Attributes:
        whole: Nothing of it is hidden from this seat.
        lines: Short, medium, long. In MOVE and DEPLOY the enemy sees them as they stood before.
        hand: Cards in hand; empty unless `whole`.
        reports: Damage that was announced, ships that are gone included; by a setting none where
            the fleet is not whole.
        points: What the side has scored.
    """

    side: Side
    whole: bool
    lines: Annotated[tuple[LineSeen, ...], AtMost(3)]
    hand: Annotated[tuple[CardSeen, ...], AtMost(MAX_CARDS)]
    reports: Annotated[tuple[Report, ...], AtMost(MAX_SHIPS)]
    points: int


class Fate(StrEnum):
    """How a flight stands."""

    INBOUND = "inbound"
    TURNED_BACK = "turned_back"
    NOTHING_SEEN = "nothing_seen"
    REVEALED = "revealed"
    MISSED = "missed"
    VOID = "void"
    HIT = "hit"


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight of this turn: nothing in it is hidden.

    Attributes:
        side: Whose card flies.
        weapon: None for reconnaissance.
        target: A place of the other side, as it stood then.
        interceptor: The type of the card that met it, the last named of several; empty: none did.
        keys: What a hit did.
    """

    side: Side
    type: Slug
    weapon: Weapon | None
    target: Place
    fate: Fate
    interceptor: Slug
    keys: Annotated[tuple[Key, ...], AtMost(MAX_KEYS)]


@dataclass(frozen=True, slots=True)
class View:
    """The board, as one seat sees it.

    Attributes:
        acting: The seats that may act now.
        first: Who acts first this turn; None before it is known.
        fleets: The US side, then the Japanese.
        flights: Of this turn, the last one last; INBOUND: the defender has yet to answer.
    """

    phase: Phase
    turn: int
    turns: int
    acting: Annotated[tuple[Side, ...], AtMost(2)]
    first: Side | None
    fleets: Annotated[tuple[FleetSeen, ...], AtMost(2)]
    flights: Annotated[tuple[Flight, ...], AtMost(2 * MAX_CARDS)]
    own_cards: Annotated[tuple[AircraftCard, ...], AtMost(MAX_TYPES)]
    winner: Side | None
    draw: bool
