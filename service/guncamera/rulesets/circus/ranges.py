"""Range and distance in three dimensions. Rules CIR-7.6 and CIR-8.3.

The printed chart is the plain distance with 200 feet of height as one hex, rounded, halves up. It
is read where it has a row for the height, and between its rows worked out or, by setting, read in
the next one. Whole numbers only.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from guncamera.rules.table import Table
from guncamera.rulesets.circus.book import CircusBook, figure

Limits = tuple[Table, int, int, int, bool]
"""What a range turns on, as `limits` gives it."""


def range_hexes(flat: int, height_difference_feet: int, book: CircusBook) -> int | None:
    """The range for the combat tables; None where there is none (CIR-8.3).

    Args:
        flat: Hexes on the map.
        height_difference_feet: Above or below alike.
    """
    return charted(flat, abs(height_difference_feet), *limits(book)) or None


def distance_hexes(
    flat: int, height_difference_feet: int, book: CircusBook, reading: str = ""
) -> int:
    """How far away a target is for spotting, at any distance (CIR-7.6).

    Args:
        reading: Of `spotting_distance`; left out, that of the book.
    """
    feet, hex_feet = abs(height_difference_feet), figure(book, "hex_feet")
    if (reading or book.settings.spotting_distance) == "added":
        return flat + (2 * feet + hex_feet) // (2 * hex_feet)
    return rounded(flat, feet, hex_feet)


def printed_row(height_difference_feet: int, book: CircusBook) -> str | None:
    """The label of the chart's row that is read for a height, above or below; None for none."""
    chart, feet = book.tables["range"], abs(height_difference_feet)
    if reads_next_row(book):
        feet = _next_row(feet, chart)
    return _rows(chart).get(feet)


def reads_next_row(book: CircusBook) -> bool:
    """Whether a height between two rows of the chart reads the higher one (CIR-8.3)."""
    return book.settings.between_rows == "next-row"


def limits(book: CircusBook) -> Limits:
    """What the range turns on: the chart, its longest range, greatest height, feet of a hex, and
    whether a height between two rows reads the higher one."""
    return (
        book.tables["range"],
        figure(book, "longest_range_hexes"),
        figure(book, "highest_difference_feet"),
        figure(book, "hex_feet"),
        reads_next_row(book),
    )


def rows_decide(flat: int, height_difference_feet: int, book: CircusBook) -> bool:
    """Whether a range turns on how the chart is read between its rows."""
    feet, known = abs(height_difference_feet), limits(book)
    return len({charted(flat, feet, *known[:-1], next_row) for next_row in (False, True)}) > 1


@lru_cache(maxsize=65_536)
def charted(
    flat: int,
    feet: int,
    chart: Table,
    longest: int,
    highest: int,
    hex_feet: int,
    next_row: bool,
) -> int:
    """As `range_hexes`, 0 where there is none, with what it turns on; see `limits`."""
    if flat > longest or feet > highest:
        return 0
    if next_row:
        feet = _next_row(feet, chart)
    row = _rows(chart).get(feet)
    if row is not None:
        return chart.number(row, str(flat))
    found = rounded(flat, feet, hex_feet)
    return found if found <= longest else 0


def rounded(flat: int, feet: int, hex_feet: int) -> int:
    """The root of the sum of the squares of both distances in hexes, halves up."""
    twice = isqrt(4 * (flat * flat * hex_feet * hex_feet + feet * feet) // (hex_feet * hex_feet))
    return (twice + 1) // 2


def _next_row(feet: int, chart: Table) -> int:
    """The height of the row for some feet, or of the one above them."""
    return min((height for height in _rows(chart) if height >= feet), default=feet)


@lru_cache(maxsize=16)
def _rows(chart: Table) -> dict[int, str]:
    """The rows of the chart by their height: `200 feet` is 200."""
    return {int(row.label.split()[0]): row.label for row in chart.rows}
