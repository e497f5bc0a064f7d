"""The figures that the source and its register state, beside ours. They are in `published.toml`.

Nothing is simulated: each of ours is worked out by the rules that play uses, with dealt dice or
with exact odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from guncamera.rules.plain import from_plain
from guncamera.rules.ruleset import Figure
from guncamera.rules.table import read_toml
from guncamera.rulesets.redstars.book import PACKAGE, RedstarsBook
from guncamera.rulesets.redstars.published_study import (
    example,
    pool,
    ram_chance,
    ram_number,
    reaches,
    special_percent,
    spin_chance,
    test_chance,
)

METHOD = "exact"
Answer = str | Fraction
"""Words, or a number that is shown as the source shows its own."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure.

    Attributes:
        of: What the computation needs to know.
        named: The same, where it is a name.
    """

    cell: str
    published: str
    of: tuple[int, ...] = ()
    named: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed table, or what follows from one."""

    id: str
    title: str
    source: str
    cells: tuple[Cell, ...]


OURS: Mapping[str, Callable[[Cell, RedstarsBook], Answer]] = {
    "two-dice": lambda cell, book: reaches(*cell.of, book=book),
    "tests": lambda cell, book: test_chance(cell.named, book=book),
    "rugged": lambda cell, book: pool(cell.of, book=book)[cell.named],
    "special": lambda cell, book: special_percent(*cell.of, book=book),
    "spin": lambda cell, book: spin_chance(*cell.of, book=book),
    "ram-number": lambda cell, book: ram_number(*cell.of, book=book),
    "ram": lambda cell, book: ram_chance(*cell.of, book=book),
    "example": lambda cell, book: example(*cell.of, book=book)[cell.named],
}


def sheets() -> tuple[Sheet, ...]:
    """The sheets, in order."""
    found = read_toml(PACKAGE, "published.toml")["sheet"]
    return tuple(from_plain(Sheet, entry, f"sheet[{at}]") for at, entry in enumerate(found))


def published(book: RedstarsBook) -> Iterator[Figure]:
    """Every figure of the source, and ours under a book; a figure for each cell of each sheet."""
    for sheet in sheets():
        for cell in sheet.cells:
            yield _figure(sheet, cell, OURS[sheet.id](cell, book))


def _figure(sheet: Sheet, cell: Cell, ours: Answer) -> Figure:
    if isinstance(ours, str):
        return _judged(sheet, cell, ours, "", agrees=ours == cell.published)
    apart = ours - Fraction(cell.published)
    shown = _shown(ours, cell.published)
    return _judged(sheet, cell, shown, f"{'+' if apart > 0 else ''}{apart}", agrees=not apart)


def _judged(sheet: Sheet, cell: Cell, ours: str, difference: str, *, agrees: bool) -> Figure:
    return Figure(
        table=sheet.title,
        cell=cell.cell,
        published=cell.published,
        ours=ours,
        difference=difference,
        tolerance="0",
        agrees=agrees,
        method=METHOD,
    )


def _shown(ours: Fraction, published: str) -> str:
    """Ours over the denominator that the source has, if that can be."""
    below = int(published.partition("/")[2] or 1)
    parts = ours * below
    if below == 1 or parts.denominator != 1:
        return str(ours)
    return f"{parts}/{below}"
