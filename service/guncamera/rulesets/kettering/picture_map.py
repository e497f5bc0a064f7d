"""The map of the picture: where each hex is drawn, the ground, the edge labels, and the pieces.

Everything is in units of a phone's width: the picture is 360 wide, and a unit is a pixel there.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.svg import Point, number, text
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.map import (
    ROWS,
    east_edge,
    half_hexes_east,
    row_name,
    row_of,
    territory,
)

PICTURE_WIDTH = 360
LEFT, RIGHT = 25, 6
LABEL_EVERY = 5
BOARD_PIECE = 24
"""How wide a piece's hundred units are on the whole board, where a hex would be too small."""
AIRCRAFT_SHAPE = (
    "M46 0L36-7L25-8V-46H3V-8L-30-4V-19H-43V19H-30V4L3 8V46H25V8L36 7ZM-8-46H-22V-10L-22 10V46H-8Z"
)
TORPEDO_SHAPE = (
    "M44 0Q36-11 18-11H10L-2-34H-14L-8-10L-32-6L-40-20H-47V20H-40L-32 6L-8 10L-14 34H-2L10 11"
    "H18Q36 11 44 0Z"
)
STAR = (
    (0, 1), (0.25, 0.45), (0.7, 0.7), (0.45, 0.25), (1, 0), (0.45, -0.25), (0.7, -0.7),
    (0.25, -0.45), (0, -1), (-0.25, -0.45), (-0.7, -0.7), (-0.45, -0.25), (-1, 0), (-0.45, 0.25),
    (-0.7, 0.7), (-0.25, 0.45),
)  # fmt: skip
BURST_SMALL, BURST_LARGE = 12, 22
RING_SMALL, RING_LARGE = 8, 20
AHEAD_MARK = "M53-10L68 0L53 10Z"


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the whole board is drawn: its top, its hexes' width, and how many make a row."""

    top: float
    hexes: int

    @property
    def hex_width(self) -> float:
        """The width of a hex, between its upright sides."""
        return (PICTURE_WIDTH - LEFT - RIGHT) / (self.hexes + 0.5)

    @property
    def hex_side(self) -> float:
        """The length of a side, which is half the height."""
        return self.hex_width / sqrt(3)

    @property
    def height(self) -> float:
        """The height of the board."""
        return self.hex_side * (1.5 * ROWS + 0.5)

    def centre(self, hex_: Hex) -> Point:
        """The middle of a hex."""
        x = LEFT + self.hex_width * (half_hexes_east(hex_) + 1) / 2
        y = self.top + self.hex_side * (1.5 * (ROWS - row_of(hex_)) + 1)
        return Point(x, y)


def definitions(frame: Frame, book: KetteringBook) -> str:
    """The shapes that are drawn more than once: the two pieces, a row of hexes, the board."""
    pieces = (("ket-aircraft", AIRCRAFT_SHAPE), ("ket-torpedo", TORPEDO_SHAPE))
    shapes = "".join(f'<path id="{name}" d="{d}{AHEAD_MARK}"/>' for name, d in pieces)
    return f'<defs>{shapes}<path id="ket-row" d="{_row(frame)}"/>{_board(frame, book)}</defs>'


def _row(frame: Frame) -> str:
    """Every hex of one row, from the northwest corner of its western hex's box."""
    half, side = frame.hex_width / 2, frame.hex_side
    outline = (
        f"l{number(half)} {number(side / 2)}v{number(side)}l{number(-half)} {number(side / 2)}"
        f"l{number(-half)} {number(-side / 2)}v{number(-side)}z"
    )
    return "".join(f"M{number((2 * at + 1) * half)} 0{outline}" for at in range(frame.hexes))


def _board(frame: Frame, book: KetteringBook) -> str:
    """The rows, each in the tint of its ground."""
    rows = []
    for row in range(ROWS, 0, -1):
        west = east_edge(row, book).step(HexDirection.WEST, frame.hexes - 1)
        at = frame.centre(west)
        x, y = number(at.x - frame.hex_width / 2), number(at.y - frame.hex_side)
        ground = territory(row, book).value.replace("_", "-")
        rows.append(f'<use href="#ket-row" x="{x}" y="{y}" class="hex {ground}"/>')
    return f'<g id="ket-board">{"".join(rows)}</g>'


def edge_labels(frame: Frame, book: KetteringBook) -> str:
    """Every other row's letter in the west, and every fifth number in the north and the south."""
    labels = []
    for row in range(1, ROWS + 1, 2):
        y = frame.centre(east_edge(row, book)).y + 4
        labels.append(text(Point(LEFT - 3, y), row_name(row), "edge", "end"))
    for row, away in ((ROWS, -frame.hex_side - 3), (1, frame.hex_side + 11)):
        east = east_edge(row, book)
        for back in range(frame.hexes):
            hex_ = east.step(HexDirection.WEST, back)
            if -hex_.q % LABEL_EVERY == 0:
                at = frame.centre(hex_)
                labels.append(text(Point(at.x, at.y + away), str(-hex_.q), "edge", "middle"))
    return "".join(labels)


def piece(name: str, at: Point, facing: HexDirection, width: float) -> str:
    """A piece on the middle of its hex, turned the way it faces."""
    return (
        f'<use href="#ket-{name}" class="{name}" transform="translate({number(at.x)} '
        f'{number(at.y)}) rotate({-60 * facing.facing}) scale({number(width / 100)})"/>'
    )


def shot_line(start: Point, end: Point, scale: float, *, destroyed: bool) -> str:
    """The line of a shot, with a burst or a ring where the torpedo was.

    Args:
        start, end: On the whole board.
        scale: How much larger the board is drawn.
    """
    width, dash, gap = (number(length / scale) for length in (2, 5, 3))
    line = (
        f'<path class="shot" stroke-width="{width}" stroke-dasharray="{dash} {gap}" '
        f'd="M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}"/>'
    )
    return line + (_burst(end, scale) if destroyed else _ring(end, scale))


def _ring(at: Point, scale: float) -> str:
    """A ring around a torpedo that was missed."""
    radius = number((RING_SMALL if scale == 1 else RING_LARGE) / scale)
    return (
        f'<circle class="shot" stroke-width="{number(1.5 / scale)}" cx="{number(at.x)}" '
        f'cy="{number(at.y)}" r="{radius}"/>'
    )


def _burst(at: Point, scale: float) -> str:
    """An eight-pointed star."""
    size = (BURST_SMALL if scale == 1 else BURST_LARGE) / scale
    points = " ".join(f"{number(at.x + size * x)},{number(at.y + size * y)}" for x, y in STAR)
    return f'<polygon class="burst" stroke-width="{number(1 / scale)}" points="{points}"/>'
