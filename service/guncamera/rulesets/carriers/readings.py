"""How the rules of the carriers read a die.

What a reading says of itself is told to whoever throws, so it names nothing that depends on a
ship which nobody has seen yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from guncamera.rules.table import Table

D6 = 6


@dataclass(frozen=True, slots=True)
class OrLess:
    """Whether the die is at most a number of a card; 0 never is."""

    number: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether it succeeds."""
        return sum(faces) <= self.number

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"{self.number} or less" if self.number else "nothing succeeds"


@dataclass(frozen=True, slots=True)
class AnyOrLess:
    """Whether one of several dice is at most the number of its card; 0 never is (CAR-5.9).

    Args:
        numbers: One for each die, in their order.
    """

    numbers: tuple[int, ...]
    by_total = False

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether one succeeds."""
        return any(face <= number for face, number in zip(faces, self.numbers))

    def weigh(self, dice: tuple[int, ...], /) -> dict[bool, int]:
        """One fails in all throws in which every die is above its number."""
        fail = prod(sides - min(number, sides) for sides, number in zip(dice, self.numbers))
        weights = {True: prod(dice) - fail, False: fail}
        return {value: ways for value, ways in weights.items() if ways}

    def describe(self) -> str:
        """How to read the dice, for players."""
        return f"a die for each card; any of them at most {', '.join(map(str, self.numbers))}"


@dataclass(frozen=True, slots=True)
class Hits:
    """Whether a strike goes through (CAR-7.3).

    Args:
        number: As on the card.
        highest: The highest face that hits this target, its standing effects counted.
    """

    number: int
    highest: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether it hits."""
        return sum(faces) <= self.highest

    def describe(self) -> str:
        """How to read the die, for players: without what the target makes of it."""
        return f"{self.number} or less, the target's standing effects counted"


@dataclass(frozen=True, slots=True)
class OnTable:
    """The die itself, for a row of a table; settings choose the column."""

    table: Table
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        """The number on the table."""
        return sum(faces)

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"a total on table {self.table.id}"


@dataclass(frozen=True, slots=True)
class NationDie:
    """The nation that the second die of a bomb names (CAR-8.5, CAR-8.6).

    Args:
        column: What was hit.
        change: What the class of the target adds.
        lowest: What the die counts as at least.
    """

    table: Table
    column: str
    change: int
    lowest: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> str:
        """The nation, or none."""
        row = max(sum(faces) + self.change, self.lowest)
        return str(self.table.cell(row, self.column))

    def describe(self) -> str:
        """How to read the die, for players."""
        floor = ", 1 at least," if self.lowest == 1 else ""
        change = f" {self.change:+d}{floor}" if self.change else ""
        return f"a total{change} on table {self.table.id}, column {self.column}"
