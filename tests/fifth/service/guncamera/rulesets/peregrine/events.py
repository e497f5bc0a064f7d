"""What can change on the board: one dataclass for each kind of event, with the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rulesets.peregrine.facts import Band, Bird
from guncamera.rulesets.peregrine.orders import Phase


@dataclass(frozen=True, slots=True)
class BandChosen:
    """A bird's band for this turn, and the pigeon's way after it."""

    rule_id: str
    bird: Bird
    band: Band
    leagues_to_go: int


@dataclass(frozen=True, slots=True)
class Stooped:
    """The falcon stooped: what the pigeon has lost, and what breath is left."""

    rule_id: str
    feathers: int
    breath: int


@dataclass(frozen=True, slots=True)
class Waited:
    """The falcon waited: what breath it has now."""

    rule_id: str
    breath: int


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The phase, and perhaps the turn, changed."""

    rule_id: str
    phase: Phase
    turn: int


Change = BandChosen | Stooped | Waited | PhaseChanged
