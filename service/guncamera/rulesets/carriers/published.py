"""The figures that the source and its register state, beside ours. They are in `published.toml`.

Nothing is simulated: each of ours is worked out by the rules that play uses, with dealt dice or
with exact odds.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.published import Studies, exact_figures
from guncamera.rules.ruleset import Figure
from guncamera.rulesets.carriers.book import PACKAGE, CarriersBook
from guncamera.rulesets.carriers.published_study import (
    bomb_chance,
    number_told,
    strike_percent,
    torpedo_chance,
)

OURS: Studies = {
    "cards": lambda cell, book: number_told(*cell.named, book=book),
    "carrier-bomb": lambda cell, book: bomb_chance(*cell.named, book=book),
    "ship-bomb": lambda cell, book: bomb_chance(*cell.named, book=book),
    "torpedo": lambda cell, book: torpedo_chance(*cell.named, book=book),
    "strikes": lambda cell, book: strike_percent(*cell.named, book=book),
}


def published(book: CarriersBook) -> Iterator[Figure]:
    """Every figure of the source, and ours under a book; a figure for each cell of each sheet."""
    return exact_figures(PACKAGE, OURS, book)
