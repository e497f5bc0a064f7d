"""Published figures, from a rule set's `published.toml`, each beside ours; all judged exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from guncamera.rules.book import AnyBook
from guncamera.rules.plain import from_plain
from guncamera.rules.ruleset import Figure
from guncamera.rules.table import read_toml

Answer = str | Fraction
"""Words, or a number that is shown as the source shows its own."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure.

    Attributes:
        of, named: What the computation needs to know, in numbers and in names.
    """

    cell: str
    published: str
    of: tuple[int, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed table, or what follows from one."""

    id: str
    title: str
    source: str
    cells: tuple[Cell, ...]


Studies = Mapping[str, Callable[[Cell, AnyBook], Answer]]
"""By the id of a sheet, what works out one of its cells."""


def sheets_of(package: str) -> tuple[Sheet, ...]:
    """The sheets of a rule set's folder, in order."""
    found = read_toml(package, "published.toml")["sheet"]
    return tuple(from_plain(Sheet, entry, f"sheet[{at}]") for at, entry in enumerate(found))


def exact_figures(package: str, studies: Studies, book: AnyBook) -> Iterator[Figure]:
    """Every figure of the source, and ours under a book; a figure for each cell of each sheet."""
    for sheet in sheets_of(package):
        for cell in sheet.cells:
            yield _figure(sheet, cell, studies[sheet.id](cell, book))


def _figure(sheet: Sheet, cell: Cell, ours: Answer) -> Figure:
    shown, difference, agrees = str(ours), "", ours == cell.published
    if isinstance(ours, Fraction):
        apart = ours - Fraction(cell.published)
        shown, difference = _shown(ours, cell.published), f"{'+' if apart > 0 else ''}{apart}"
        agrees = not apart
    return Figure(
        table=sheet.title,
        cell=cell.cell,
        published=cell.published,
        ours=shown,
        difference=difference,
        tolerance="0",
        agrees=agrees,
        method="exact",
    )


def _shown(ours: Fraction, published: str) -> str:
    """Ours over the denominator that the source has, if that can be."""
    below = int(published.partition("/")[2] or 1)
    parts = ours * below
    if below == 1 or parts.denominator != 1:
        return str(ours)
    return f"{parts}/{below}"
