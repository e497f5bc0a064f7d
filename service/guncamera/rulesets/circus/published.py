"""The figures of the amendments, beside ours. They are in `published.toml`.

Nothing is simulated: each of ours is worked out by the rules that play uses, with dealt dice or
with exact odds.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.published import Studies, exact_figures
from guncamera.rules.ruleset import Figure
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

OURS: Studies = {
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


def published(book: CircusBook) -> Iterator[Figure]:
    """Every figure of the source, and ours under a book; a figure for each cell of each sheet."""
    return exact_figures(PACKAGE, OURS, book)
