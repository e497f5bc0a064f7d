"""The map: hex labels and edges. Rule CIR-1.1.

A label is the column, counted from the west edge, and the row, counted from the north edge, two
digits each: `2014`. Rows run east and west; even rows begin half a hex further east.
"""

from __future__ import annotations

from functools import lru_cache

from guncamera.rules.hexes import Hex
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.circus.aircraft import Aircraft
from guncamera.rulesets.circus.book import CircusBook


@lru_cache(maxsize=8192)
def column_and_row(hex_: Hex) -> tuple[int, int]:
    """Column from the west and row from the north, each from 1 where it is on the map."""
    row = hex_.r
    return hex_.q + (row - row % 2) // 2 + 1, row + 1


def hex_in(column: int, row: int) -> Hex:
    """The hex in a column and a row, both from 1."""
    r = row - 1
    return Hex(column - 1 - (r - r % 2) // 2, r)


def on_map(hex_: Hex, book: CircusBook) -> bool:
    """Whether the hex is on the map."""
    column, row = column_and_row(hex_)
    settings = book.settings
    return 1 <= column <= settings.map_columns and 1 <= row <= settings.map_rows


def is_edge_barred(aircraft: Aircraft, book: CircusBook) -> bool:
    """Whether an aircraft may not be plotted over the edge of the map (CIR-3.10).

    A pilot out of resolution wants nothing else than to leave (CIR-12.8): he may, where the edge
    is barred to others, and may not where it is closed.
    """
    reading = book.settings.map_edge
    return reading == "closed" or (reading == "barred" and aircraft.resolution > 0)


def middle(book: CircusBook) -> Hex:
    """The hex in the middle of the map."""
    return hex_in((book.settings.map_columns + 1) // 2, (book.settings.map_rows + 1) // 2)


@lru_cache(maxsize=8192)
def label(hex_: Hex) -> str:
    """The hex as the map names it; a hex off the map by signed column and row (`-1,14`)."""
    column, row = column_and_row(hex_)
    if 0 <= column <= 99 and 0 <= row <= 99:
        return f"{column:02d}{row:02d}"
    return f"{column},{row}"


@lru_cache(maxsize=8192)
def _parsed(text: str) -> Hex | None:
    if len(text) == 4 and text.isascii() and text.isdigit():
        return hex_in(int(text[:2]), int(text[2:]))
    column, comma, row = text.partition(",")
    if not comma or not all(
        part.removeprefix("-").isascii() and part.removeprefix("-").isdigit()
        for part in (column, row)
    ):
        return None
    return hex_in(int(column), int(row))


def hex_at(text: str, book: CircusBook, field: str, *, anywhere: bool = False) -> Hex:
    """The hex of a label.

    Args:
        anywhere: Labels off the map are taken too, as in paths flown without a map.

    Raises:
        Malformed: The text is no label.
        Illegal: CIR-1.1, the hex is off the map.
    """
    hex_ = _parsed(text)
    if hex_ is None:
        raise Malformed(
            f"{text!r} is not a hex; write column and row in two digits each, such as 2014.",
            rule_id="CIR-1.1",
            field=field,
            hex=text,
        )
    if not anywhere and not on_map(hex_, book):
        columns, rows = book.settings.map_columns, book.settings.map_rows
        raise Illegal(
            "CIR-1.1",
            f"Hex {text} is off the map, which has columns 01 to {columns:02d} and rows 01 to "
            f"{rows:02d}.",
            field=field,
            hex=text,
            columns=columns,
            rows=rows,
        )
    return hex_
