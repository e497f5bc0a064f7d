"""What the seats order in a session, what a race chooses, and what everyone sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guncamera.rulesets.peregrine.facts import Band, Leagues


class Phase(StrEnum):
    """What may be done now."""

    CHOOSE = "choose"
    STOOP = "stoop"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """Choose a band, in secret. Phase CHOOSE."""

    band: Band


@dataclass(frozen=True, slots=True)
class FireOrder:
    """Stoop, or wait. Phase STOOP, the falcon."""

    stoops: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """What a race chooses; `leagues` left out is twenty-four."""

    leagues: Leagues | None = None


@dataclass(frozen=True, slots=True)
class View:
    """The board as everyone sees it: all of it but bands that are chosen and not yet shown."""

    phase: Phase
    turn: int
    leagues: int
    leagues_to_go: int
    pigeon: Band
    falcon: Band
    feathers: int
    breath: int
