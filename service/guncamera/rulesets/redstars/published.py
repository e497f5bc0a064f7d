"""The figures that the source and its register state, beside ours. They are in `published.toml`.

Nothing is simulated: each of ours is worked out by the rules that play uses, with dealt dice or
with exact odds.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.published import Studies, exact_figures
from guncamera.rules.ruleset import Figure
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

OURS: Studies = {
    "two-dice": lambda cell, book: reaches(*cell.of, book=book),
    "tests": lambda cell, book: test_chance(*cell.named, book=book),
    "rugged": lambda cell, book: pool(cell.of, book=book)[cell.named[0]],
    "special": lambda cell, book: special_percent(*cell.of, book=book),
    "spin": lambda cell, book: spin_chance(*cell.of, book=book),
    "ram-number": lambda cell, book: ram_number(*cell.of, book=book),
    "ram": lambda cell, book: ram_chance(*cell.of, book=book),
    "example": lambda cell, book: example(*cell.of, book=book)[cell.named[0]],
}


def published(book: RedstarsBook) -> Iterator[Figure]:
    """Every figure of the source, and ours under a book; a figure for each cell of each sheet."""
    return exact_figures(PACKAGE, OURS, book)
