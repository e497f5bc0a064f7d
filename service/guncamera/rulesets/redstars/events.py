"""What can change on the board: one dataclass for each kind of event, with the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rulesets.redstars.aircraft import Flight, Maneuver, Position
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.orders import Meeting, Phase, Ram, Side
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm, Intent


@dataclass(frozen=True, slots=True)
class CardsChosen:
    """Cards were chosen for an aircraft; hidden from other seats until all have chosen."""

    rule_id: str
    turn: int
    aircraft: str
    choice: Choice
    intent: Intent


@dataclass(frozen=True, slots=True)
class IntentTold:
    """A tailed pilot told his tailer's seat what he will do, in general terms."""

    rule_id: str
    turn: int
    aircraft: str
    tailer: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class CardsRevealed:
    """All cards lie open."""

    rule_id: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class TailingFound:
    """Who tails whom this turn; fixed when the turn begins."""

    rule_id: str
    tailer: str
    target: str


@dataclass(frozen=True, slots=True)
class RamsPossible:
    """Who could ram whom from where they are; none: the phase is passed over."""

    rule_id: str
    rams: tuple[Ram, ...]


@dataclass(frozen=True, slots=True)
class RamDeclared:
    """Who rams whom."""

    rule_id: str
    rammer: str
    target: str


@dataclass(frozen=True, slots=True)
class SideReady:
    """A side has declared its ram, or that it has none."""

    rule_id: str
    side: Side


@dataclass(frozen=True, slots=True)
class MeetingsFound:
    """Rams and collisions to be worked out, once all have moved."""

    rule_id: str
    meetings: tuple[Meeting, ...]


@dataclass(frozen=True, slots=True)
class MeetingOver:
    """A ram or collision was worked out."""

    rule_id: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class AircraftMoved:
    """An aircraft lies elsewhere, or flies otherwise."""

    rule_id: str
    aircraft: str
    position: Position
    speed: int
    flight: Flight
    maneuver: Maneuver | None = None
    discs: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class RamMissed:
    """A ram missed: the rammer must go forward next turn."""

    rule_id: str
    aircraft: str


@dataclass(frozen=True, slots=True)
class Harmed:
    """Something lasting happened to an aircraft or its crew."""

    rule_id: str
    aircraft: str
    harm: Harm
    amount: int = 1
    which: int = 0


@dataclass(frozen=True, slots=True)
class ShotFired:
    """Weapons were fired."""

    rule_id: str
    shooter: str
    target: str
    weapons: tuple[int, ...]
    hit: bool
    damage: int
    special_hit: bool


@dataclass(frozen=True, slots=True)
class ResultsHeld:
    """What a shot did to its target waits until the last has fired, by setting.

    Attributes:
        end: How the target will leave the game; None if it stays.
        by: Who fired.
    """

    rule_id: str
    aircraft: str
    effects: tuple[Effect, ...]
    end: End | None
    by: str


@dataclass(frozen=True, slots=True)
class AircraftLeft:
    """An aircraft left the game; `by` is whose doing it was, or empty."""

    rule_id: str
    aircraft: str
    end: End
    by: str = ""


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """An aircraft has moved, or fires no more: the next one's turn."""

    rule_id: str
    aircraft: str


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The order in which aircraft choose, move or fire in a phase."""

    rule_id: str
    phase: Phase
    aircraft: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """Another phase or turn begins."""

    rule_id: str
    phase: Phase
    turn: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; no winner is a draw."""

    rule_id: str
    winner: Side | None = None


Change = (
    CardsChosen
    | IntentTold
    | CardsRevealed
    | TailingFound
    | RamsPossible
    | RamDeclared
    | SideReady
    | MeetingsFound
    | MeetingOver
    | AircraftMoved
    | RamMissed
    | Harmed
    | ShotFired
    | ResultsHeld
    | AircraftLeft
    | TurnTaken
    | OrderSet
    | PhaseChanged
    | GameEnded
)
