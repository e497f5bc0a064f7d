"""Range and distance in three dimensions. Rules CIR-7.6 and CIR-8.3.

The printed chart is the plain distance with 200 feet of height as one hex, rounded, halves up. It
is read where it has a row for the height, and worked out between its rows. Whole numbers only.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from guncamera.rules.table import Table
from guncamera.rulesets.circus.book import CircusBook, figure


def range_hexes(flat: int, height_difference_feet: int, book: CircusBook) -> int | None:
    """The range for the combat tables; None where there is none (CIR-8.3).

    Args:
        flat: Hexes on the map.
        height_difference_feet: Above or below alike.
    """
    return charted(flat, abs(height_difference_feet), *limits(book)) or None


def distance_hexes(flat: int, height_difference_feet: int, book: CircusBook) -> int:
    """How far away a target is for spotting, at any distance (CIR-7.6)."""
    return rounded(flat, abs(height_difference_feet), figure(book, "hex_feet"))


def printed_row(height_difference_feet: int, book: CircusBook) -> str | None:
    """The label of the chart's row for a height, above or below; None between the rows."""
    return _rows(book.tables["range"]).get(abs(height_difference_feet))


def limits(book: CircusBook) -> tuple[Table, int, int, int]:
    """What the range turns on: the chart, its longest range, greatest height, feet of a hex."""
    return (
        book.tables["range"],
        figure(book, "longest_range_hexes"),
        figure(book, "highest_difference_feet"),
        figure(book, "hex_feet"),
    )


@lru_cache(maxsize=65_536)
def charted(flat: int, feet: int, chart: Table, longest: int, highest: int, hex_feet: int) -> int:
    """As `range_hexes`, 0 where there is none, with what it turns on; see `limits`."""
    if flat > longest or feet > highest:
        return 0
    row = _rows(chart).get(feet)
    if row is not None:
        return chart.number(row, str(flat))
    found = rounded(flat, feet, hex_feet)
    return found if found <= longest else 0


def rounded(flat: int, feet: int, hex_feet: int) -> int:
    """The root of the sum of the squares of both distances in hexes, halves up."""
    twice = isqrt(4 * (flat * flat * hex_feet * hex_feet + feet * feet) // (hex_feet * hex_feet))
    return (twice + 1) // 2


@lru_cache(maxsize=16)
def _rows(chart: Table) -> dict[int, str]:
    """The rows of the chart by their height: `200 feet` is 200."""
    return {int(row.label.split()[0]): row.label for row in chart.rows}
