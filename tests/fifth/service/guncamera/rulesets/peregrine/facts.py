"""What the rules need to know, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from guncamera.rules.shape import Between


class Bird(StrEnum):
    """A bird, and the seat that flies it."""

    PIGEON = "pigeon"
    FALCON = "falcon"


class Band(StrEnum):
    """How high a bird flies, from below."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


BANDS = tuple(Band)

Leagues = Annotated[int, Between(1, 60)]
Feathers = Annotated[int, Between(0, 5)]
Breath = Annotated[int, Between(0, 3)]


@dataclass(frozen=True, slots=True)
class Profile:
    """What a bird is, and the band it starts in."""

    type: str
    title: str
    starts: Band


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A bird's choice of a band."""

    bird: Bird
    from_band: Band
    to_band: Band
    leagues_to_go: Leagues


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """Where the bird is, and what is left of the pigeon's way; 0 is home."""

    band: Band
    leagues_to_go: int


@dataclass(frozen=True, slots=True)
class FireFacts:
    """A stoop, or waiting for a better moment.

    Attributes:
        feathers: Lost before.
        breath: Left before.
        stoops: The falcon stoops; if not, it waits.
    """

    falcon: Band
    pigeon: Band
    feathers: Feathers
    breath: Breath
    stoops: bool


@dataclass(frozen=True, slots=True)
class FireOutcome:
    """What the pigeon has lost in all, what breath is left, and whether the pigeon is caught."""

    feathers: int
    breath: int
    caught: bool


def bands_above(falcon: Band, pigeon: Band) -> int:
    """How far the falcon is above the pigeon; negative below it."""
    return BANDS.index(falcon) - BANDS.index(pigeon)
