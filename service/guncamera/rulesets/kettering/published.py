"""The figures printed with the game, beside ours. They are in `published.toml`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from guncamera.rules.plain import from_plain
from guncamera.rules.ruleset import Figure
from guncamera.rules.shape import AtMost
from guncamera.rules.table import read_toml
from guncamera.rulesets.kettering.book import PACKAGE, KetteringBook
from guncamera.rulesets.kettering.published_study import SAMPLE_SPEEDS, Answer, Cell, Span, Study

ROUNDING = 1e-9
"""What floating point may add to a difference."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed table, and how ours is held to it.

    Attributes:
        tolerance: The largest difference that agrees; empty for a sheet without verdict.
        reason: Why that one.
        decimals: Digits that ours is shown with; negative for a fraction.
    """

    id: str
    title: str
    source: str
    cells: tuple[Cell, ...]
    tolerance: str = ""
    reason: Annotated[str, AtMost(1_000)] = ""
    decimals: int = -1
    method: str = "exact"


def sheets() -> tuple[Sheet, ...]:
    """The printed tables, in order."""
    found = read_toml(PACKAGE, "published.toml")["sheet"]
    return tuple(from_plain(Sheet, entry, f"sheet[{at}]") for at, entry in enumerate(found))


def published(book: KetteringBook) -> Iterator[Figure]:
    """Every figure of the analysis, and ours under a book; a figure for each cell of each sheet."""
    return figures_of(book, [sheet.id for sheet in sheets()])


def figures_of(book: KetteringBook, wanted: Collection[str]) -> Iterator[Figure]:
    """As `published`, for some sheets only."""
    printed = sheets()
    study = Study(book, {sheet.id: sheet.cells for sheet in printed})
    for sheet in printed:
        if sheet.id in wanted:
            for cell in sheet.cells:
                yield _figure(sheet, cell, study.answer(sheet.id, cell))


def _figure(sheet: Sheet, cell: Cell, ours: Answer) -> Figure:
    judged = bool(sheet.tolerance) and not cell.estimate
    difference, agrees = "", False
    if isinstance(ours, Span):
        apart = _apart(ours, cell.published)
        difference = _shown(apart, sheet.decimals, sign="+") if apart else "0"
        agrees = judged and abs(float(apart)) <= float(sheet.tolerance) + ROUNDING
    elif ours is not None:
        agrees = ours == _meant(cell)
    return Figure(
        table=sheet.title,
        cell=cell.cell,
        published=cell.published,
        ours=_text(ours, sheet.decimals),
        difference=difference,
        tolerance=sheet.tolerance if judged else "",
        agrees=agrees if judged else None,
        method=sheet.method,
    )


def _apart(ours: Span, published: str) -> float | Fraction:
    """From the printed figure, or range, to the nearer end of ours; 0 where they meet."""
    ends = [Fraction(end) for end in published.split(" to ")]
    if ours.low > ends[-1]:
        return ours.low - ends[-1]
    if ours.high < ends[0]:
        return ours.high - ends[0]
    return 0


def _meant(cell: Cell) -> frozenset[int]:
    """The speeds that an entry of the sample table stands for."""
    if not cell.speeds:
        return frozenset()
    return frozenset(range(cell.speeds[0], cell.speeds[-1] + 1))


def _text(ours: Answer, decimals: int) -> str:
    """Ours, in the manner of the source."""
    if ours is None:
        return "none"
    if isinstance(ours, Span):
        low, high = (_shown(end, decimals) for end in ours)
        return low if low == high else f"{low} to {high}"
    speeds = sorted(ours)
    if not speeds:
        return "NO"
    if speeds == list(SAMPLE_SPEEDS):
        return "ANY"
    if speeds == list(range(speeds[0], speeds[-1] + 1)):
        return f"{speeds[0]} to {speeds[-1]}"
    return ", ".join(map(str, speeds))


def _shown(value: float | Fraction, decimals: int, sign: str = "") -> str:
    """A number to so many decimals, or as a fraction."""
    if decimals < 0:
        return f"{'+' if sign and value > 0 else ''}{Fraction(value)}"
    return f"{round(float(value), decimals) + 0.0:{sign}.{decimals}f}"
