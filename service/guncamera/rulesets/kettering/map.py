"""The map: hex labels, the edges of the board, and whose ground a hex is. Chapter 2 of the rules.

A label is the row, counted from the south edge (A to Z, then AA to PP), a hyphen, and the number,
which is constant along the northwest-southeast grain. So `Hex(q=-number, r=-row)` makes the label
itself the axial coordinate. Row r, x hexes east of the west edge, has the number 53 - x - r/2;
odd rows begin half a hex further east.
"""

from __future__ import annotations

from functools import lru_cache

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Territory

ROWS = 42
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEFT = 106  # twice 53: half hexes count whole below


def row_name(row: int) -> str:
    """Row 1 is A, row 27 is AA."""
    return LETTERS[row - 1] if row <= len(LETTERS) else LETTERS[row - 27] * 2


_ROW_OF = {row_name(row): row for row in range(1, ROWS + 1)}


def row_number(name: str) -> int:
    """The inverse of `row_name`, for a row of the map."""
    return _ROW_OF[name]


def row_of(hex_: Hex) -> int:
    """The row, counted from the south edge, where it is 1."""
    return -hex_.r


def half_hexes_east(hex_: Hex) -> int:
    """Half hexes between the hex and the west edge; even rows begin at 0."""
    return _LEFT + 2 * hex_.q + hex_.r


def on_board(hex_: Hex, book: KetteringBook) -> bool:
    """Whether the hex is on the board."""
    row = row_of(hex_)
    x = half_hexes_east(hex_) - row % 2
    return 1 <= row <= ROWS and 0 <= x <= 2 * (book.settings.map_width_hexes - 1)


def east_edge(row: int, book: KetteringBook) -> Hex:
    """The easternmost hex of a row."""
    x = 2 * (book.settings.map_width_hexes - 1) + row % 2
    return Hex(q=(x - _LEFT + row) // 2, r=-row)


def all_hexes(book: KetteringBook) -> tuple[Hex, ...]:
    """Every hex of the board, row by row from the south, each from west to east."""
    width = book.settings.map_width_hexes
    return tuple(
        east_edge(row, book).step(HexDirection.WEST, back)
        for row in range(1, ROWS + 1)
        for back in reversed(range(width))
    )


@lru_cache(maxsize=8192)
def label(hex_: Hex) -> str:
    """The hex as the map names it: `A-21`."""
    return f"{row_name(row_of(hex_))}-{-hex_.q}"


@lru_cache(maxsize=8192)
def _parsed(text: str) -> Hex | None:
    name, hyphen, number = text.partition("-")
    digits = number.removeprefix("-")
    plain = digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0")
    if name not in _ROW_OF or not hyphen or not plain or len(digits) > 3 or number == "-0":
        return None
    return Hex(q=-int(number), r=-_ROW_OF[name])


def hex_named(text: str) -> Hex | None:
    """The hex of a label, on the board or off it; None if the text is no label."""
    return _parsed(text)


def hex_at(text: str, book: KetteringBook, field: str) -> Hex:
    """The hex of a label.

    Raises:
        Malformed: The text is no label.
        Illegal: KET-2.1, the hex is off the board.
    """
    hex_ = _parsed(text)
    if hex_ is None:
        raise Malformed(
            f"{text!r} is not a hex; write a row, A to Z or AA to PP, a hyphen and a number, "
            "such as A-21.",
            rule_id="KET-2.1",
            field=field,
            hex=text,
        )
    if not on_board(hex_, book):
        raise Illegal(
            "KET-2.1",
            f"Hex {text} is off the board; row {row_name(row_of(hex_))} runs from "
            f"{_west_number(row_of(hex_))} in the west down to "
            f"{-east_edge(row_of(hex_), book).q} in the east.",
            field=field,
            hex=text,
        )
    return hex_


def _west_number(row: int) -> int:
    return (_LEFT - row - row % 2) // 2


def territory(row: int, book: KetteringBook) -> Territory:
    """Whose ground a row is (KET-2.2); rows beyond an edge belong to the side behind it."""
    if row < book.settings.no_mans_land_south_row:
        return Territory.GERMAN
    if row > book.settings.no_mans_land_north_row:
        return Territory.ALLIED
    return Territory.NO_MANS_LAND
