"""Dice as asks: what a rule wants thrown, and how it reads the faces.

The reading is part of the ask so that the odds can branch on what the rule will see (hit or
miss) and not on every combination of faces, and so that a player can be told how to read a throw.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from guncamera.rules.table import Cell, Table

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)

D6 = 6
MAX_DICE_PER_ASK = 40
MAX_SIDES = 100


@runtime_checkable
class Reading(Protocol[V_co]):
    """How a rule looks at faces. Pure, hashable; `by_total` if only the sum matters."""

    @property
    def by_total(self) -> bool: ...

    def __hash__(self) -> int: ...

    def __call__(self, faces: tuple[int, ...], /) -> V_co: ...

    def describe(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of the faces, plus a fixed modifier."""

    modifier: int = 0
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        return sum(faces) + self.modifier

    def describe(self) -> str:
        return f"a total{_signed(self.modifier)}"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Whether the total reaches a number."""

    number: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        return sum(faces) >= self.number

    def describe(self) -> str:
        return f"{self.number} or more"


@dataclass(frozen=True, slots=True)
class Odd:
    """Whether the total is odd."""

    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        return sum(faces) % 2 == 1

    def describe(self) -> str:
        return "odd or even"


@dataclass(frozen=True, slots=True)
class LookUp:
    """The cell of a printed table at the total plus a modifier, in one column."""

    table: Table
    column: str
    modifier: int = 0
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> Cell:
        return self.table.cell(self.row(faces), self.column)

    def row(self, faces: tuple[int, ...]) -> int:
        """The number looked up: the total of the faces plus the modifier."""
        return sum(faces) + self.modifier

    def describe(self) -> str:
        return f"a total{_signed(self.modifier)} on table {self.table.id}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Ask(Generic[V]):
    """Dice to throw, and how the rule reads the faces.

    Args:
        dice: Sides of each die: `(6, 6)` is 2d6.
        read: The reading.
        purpose: Shown to players, and part of the label of a seeded draw: `to-hit`.
        rule_id: The rule that asks.
    """

    dice: tuple[int, ...]
    read: Reading[V]
    purpose: str
    rule_id: str

    def __post_init__(self) -> None:
        if not 1 <= len(self.dice) <= MAX_DICE_PER_ASK:
            raise AssertionError(f"{self.purpose}: {len(self.dice)} dice; at most 40 are thrown")
        if not all(2 <= sides <= MAX_SIDES for sides in self.dice):
            raise AssertionError(f"{self.purpose}: no such dice: {self.dice}")

    def notation(self) -> str:
        """As players write it: `2d6`, `1d10+3d4`."""
        return "+".join(f"{n}d{sides}" for sides, n in Counter(self.dice).items())


@dataclass(frozen=True, slots=True)
class Throw(Generic[V]):
    """An answered ask: the value read, and the faces (empty while odds are enumerated)."""

    value: V
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice as they fell, for the ledger: sides and faces by purpose."""

    purpose: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]


class Dice(Protocol):
    """Whoever deals: drawn, supplied, replayed or enumerated. The rule does not know which."""

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """Throw the ask's dice and read them.

        Raises:
            RollRequired: Supplied faces ran out.
            RollInvalid: A supplied face is not on the die.
        """
        ...


def _signed(modifier: int) -> str:
    return f" {modifier:+d}" if modifier else ""
