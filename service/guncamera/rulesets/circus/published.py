"""The figures of the amendments, beside ours. They are in `published.toml`.

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
from guncamera.rulesets.circus.book import PACKAGE, CircusBook
from guncamera.rulesets.circus.published_study import (
    critical_chance,
    example,
    formula_cells,
    hits_of_die,
    leak_survival,
    loop,
    mean_hits,
    part_of_sum,
    range_row,
    structural_chance,
    sums,
)

METHOD = "exact"
Answer = str | Fraction
"""Words, or a number that is shown as the source shows its own."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure.

    Attributes:
        of: What the computation needs to know.
    """

    cell: str
    published: str
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed table, or what follows from one."""

    id: str
    title: str
    source: str
    cells: tuple[Cell, ...]


OURS: Mapping[str, Callable[[Cell, CircusBook], Answer]] = {
    "hits": lambda cell, book: hits_of_die(*cell.of, book=book),
    "mean-hits": lambda cell, book: mean_hits(*cell.of, book=book),
    "critical": lambda cell, book: critical_chance(*cell.of, book=book),
    "sums": lambda cell, book: sums(*cell.of, book=book),
    "chart": lambda cell, book: part_of_sum(*cell.of, book=book),
    "example": lambda cell, book: example(book)[cell.cell],
    "stress": lambda cell, book: structural_chance(*cell.of, book=book),
    "loop": lambda cell, book: loop(*cell.of, book=book),
    "range": lambda cell, book: range_row(*cell.of, book=book),
    "range-formula": lambda _, book: formula_cells(book),
    "oil-leak": lambda cell, book: leak_survival(*cell.of, book=book),
}


def sheets() -> tuple[Sheet, ...]:
    """The sheets, in order."""
    found = read_toml(PACKAGE, "published.toml")["sheet"]
    return tuple(from_plain(Sheet, entry, f"sheet[{at}]") for at, entry in enumerate(found))


def published(book: CircusBook) -> Iterator[Figure]:
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
