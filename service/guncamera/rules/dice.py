"""Dice as asks: what a rule wants thrown, and how it reads the faces.

The reading is part of the ask so that the odds can branch on what the rule will see (hit or
miss) and not on every combination of faces, and so that a player can be told how to read a throw.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from guncamera.rules.straight_line import quick
from guncamera.rules.table import Cell, Table

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)

D6 = 6
MAX_DICE_PER_ASK = 40
MAX_SIDES = 100
ONES_COUNTED = 2


@runtime_checkable
class Reading(Protocol[V_co]):
    """How a rule looks at faces. Pure, hashable; `by_total` if only the sum matters."""

    @property
    def by_total(self) -> bool: ...

    def __hash__(self) -> int: ...

    def __call__(self, faces: tuple[int, ...], /) -> V_co: ...

    def describe(self) -> str: ...


@runtime_checkable
class Weighing(Reading[V_co], Protocol[V_co]):
    """A reading that counts its own values, where listing every face would take too long."""

    def weigh(self, dice: tuple[int, ...], /) -> dict[Any, int]:
        """Each value with the number of face combinations that give it."""
        ...


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
class Pool:
    """What a pool came to: the sum of the dice kept, and ones shown, of which two are counted."""

    total: int
    ones: int


@dataclass(frozen=True, slots=True)
class KeepLowest:
    """The sum of the lowest dice of a pool, and the ones among its first dice, kept or not.

    Args:
        keep: How many dice count: all of the pool, or all but the highest.
        ones_among: How many of the pool's dice, in their order, are looked at for ones.
    """

    keep: int
    ones_among: int
    by_total = False

    def __call__(self, faces: tuple[int, ...], /) -> Pool:
        ones = faces[: self.ones_among].count(1)
        return Pool(sum(sorted(faces)[: self.keep]), min(ones, ONES_COUNTED))

    def describe(self) -> str:
        return f"the lowest {self.keep}, added up; ones among the first {self.ones_among} count"

    def weigh(self, dice: tuple[int, ...], /) -> dict[Pool, int]:
        """Exact, by generating functions: x for pips, y for ones, packed into whole numbers."""
        if len(dice) - self.keep not in (0, 1):
            raise AssertionError(f"{len(dice)} dice keep all or all but one, not {self.keep}")
        if len(dice) == self.keep:
            return self._unpacked(dice, {0: self._packed(dice, max(dice))})
        by_highest, lower = {}, 0
        for highest in range(1, max(dice) + 1):
            upto = self._packed(dice, highest)
            by_highest[highest] = upto - lower
            lower = upto
        return self._unpacked(dice, by_highest)

    def _packed(self, dice: tuple[int, ...], highest: int) -> int:
        """The pool's generating function where no face is above `highest`."""
        octets, row = _packing(dice)
        product = 1
        for at, sides in enumerate(dice):
            pips = sum(1 << 8 * octets * face for face in range(2, min(sides, highest) + 1))
            one = 1 + row if at < self.ones_among else 1
            product *= pips + (1 << 8 * octets * one)
        return product

    def _unpacked(self, dice: tuple[int, ...], by_dropped: dict[int, int]) -> dict[Pool, int]:
        """The values in generating functions of pools from which one die is dropped."""
        octets, row = _packing(dice)
        counted: Counter[tuple[int, int]] = Counter()
        for dropped, packed in by_dropped.items():
            counts = _unpacked(packed.to_bytes(octets * row * (len(dice) + 1), "little"), octets)
            for at, n in enumerate(counts):
                if n:
                    ones, total = divmod(at, row)
                    counted[total - dropped, min(ones, ONES_COUNTED)] += n
        return {Pool(*value): n for value, n in counted.items()}


def _packing(dice: tuple[int, ...]) -> tuple[int, int]:
    """Octets for one count, and counts for one number of ones."""
    return max(8, (prod(dice).bit_length() + 7) // 8), sum(dice) + 1


def _unpacked(data: bytes, octets: int) -> Iterable[int]:
    if octets == 8:
        return struct.unpack(f"<{len(data) // 8}Q", data)
    return (int.from_bytes(data[at : at + octets], "little") for at in range(0, len(data), octets))


@quick
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
        if min(self.dice) < 2 or max(self.dice) > MAX_SIDES:
            raise AssertionError(f"{self.purpose}: no such dice: {self.dice}")

    def notation(self) -> str:
        """As players write it: `2d6`, `1d10+3d4`."""
        return "+".join(f"{n}d{sides}" for sides, n in Counter(self.dice).items())


@quick
@dataclass(frozen=True, slots=True)
class Throw(Generic[V]):
    """An answered ask: the value read, and the faces (empty while odds are enumerated)."""

    value: V
    faces: tuple[int, ...] = ()


@quick
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


class Branching:
    """Dice of the odds, which fall every way there is.

    They show no faces, so that nothing a rule records of them is ever read.
    """

    __slots__ = ()

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """A value that the ask's reading can have; see `Dice.roll`."""
        raise NotImplementedError

    def part(self, trace: Any, rule: Callable[[Any, Any], V], /) -> V:
        """A result that a part of a rule can have; see `Trace.part`."""
        raise NotImplementedError

    def apart(self, trace: Any, rules: Sequence[Callable[[Any, Any], V]], /) -> tuple[V, ...]:
        """Places for the results of parts that are kept apart; see `Trace.apart`."""
        raise NotImplementedError


def _signed(modifier: int) -> str:
    return f" {modifier:+d}" if modifier else ""
