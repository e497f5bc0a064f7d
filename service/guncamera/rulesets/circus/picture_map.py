"""The map of the picture: which part of it is shown how large, the ground, clouds and edges.

Everything is in units of a phone's width: the picture is 360 wide, and a unit is a pixel there.
On the map a unit is the width of a hex, and its corner is that of the first row's box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from guncamera.rules.hexes import Hex
from guncamera.rules.svg import Point, number, text
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.map import hex_at, hex_in, label
from guncamera.rulesets.circus.orders import Edge, View

PICTURE_WIDTH, MARGIN = 360, 6
INNER_WIDTH = PICTURE_WIDTH - 2 * MARGIN
SIDE = 1 / sqrt(3)
ROW_STEP = 1.5 * SIDE
LARGEST_HEX = 44.0
LABELLED_HEX = 33
"""From this width on each hex has its label; below it, rulers stand at the sides."""
RULER_EVERY = 5
LOWEST_PANEL, HIGHEST_PANEL = 216, 320
ROOM_X, ROOM_Y = 112, 92
"""What the panel holds beside the way between the aircraft: half of them, and their words."""
OUTLINE = f"l.5 {SIDE / 2:.4f}v{SIDE:.4f}l-.5 {SIDE / 2:.4f}l-.5-{SIDE / 2:.4f}v-{SIDE:.4f}z"
CLOUD_SHAPE = "M-32 20C-46 20-48 1-33-1C-34-18-14-25-6-13C2-26 24-20 22-3C38-6 46 20 28 20Z"


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the map, and where in the picture it is shown.

    Attributes:
        corner: Its top left corner in the picture.
        width, height: Its size there.
        hex_width: How wide a hex is in it.
        origin: Which place of the map lies in its corner.
    """

    corner: Point
    width: float
    height: float
    hex_width: float
    origin: Point

    def place(self, at: Point) -> Point:
        """Where a place of the map is in the picture."""
        return Point(
            self.corner.x + (at.x - self.origin.x) * self.hex_width,
            self.corner.y + (at.y - self.origin.y) * self.hex_width,
        )

    def centre(self, hex_: Hex) -> Point:
        """Where the middle of a hex is in the picture."""
        return self.place(middle_of(hex_))

    def holds(self, at: Point, x: float = 0, y: float = 0) -> bool:
        """Whether a place of the picture is in it, so far from its sides."""
        return (
            x <= at.x - self.corner.x <= self.width - x
            and y <= at.y - self.corner.y <= self.height - y
        )

    def kept(self, at: Point, x: float, y: float) -> Point:
        """The place, or the nearest that is so far from the sides."""
        return Point(
            min(max(at.x, self.corner.x + x), self.corner.x + self.width - x),
            min(max(at.y, self.corner.y + y), self.corner.y + self.height - y),
        )


def middle_of(hex_: Hex) -> Point:
    """Where the middle of a hex is on the map."""
    return Point(hex_.q + hex_.r / 2 + 0.5, hex_.r * ROW_STEP + SIDE)


def map_size(book: CircusBook) -> Point:
    """The far corner of the map."""
    settings = book.settings
    return Point(settings.map_columns + 0.5, (settings.map_rows - 1) * ROW_STEP + 2 * SIDE)


def hex_of(text_: str, book: CircusBook) -> Hex:
    """The hex of a label; it may be off the map."""
    return hex_at(text_, book, "hex", anywhere=True)


# ---- Which part is shown


def window_around(hexes: Iterable[Hex], top: float, book: CircusBook) -> Window:
    """The panel that holds all hexes as large as it can, and as high as it need be."""
    middles = [middle_of(hex_) for hex_ in hexes] or [_half(map_size(book))]
    left, right = min(p.x for p in middles), max(p.x for p in middles)
    upper, lower = min(p.y for p in middles), max(p.y for p in middles)
    hex_width = min(
        LARGEST_HEX,
        (INNER_WIDTH - ROOM_X) / max(right - left, 0.1),
        (HIGHEST_PANEL - ROOM_Y) / max(lower - upper, 0.1),
    )
    size = map_size(book)
    whole_map = min(INNER_WIDTH / (size.x + 2), HIGHEST_PANEL / (size.y + 2))
    hex_width = max(hex_width, whole_map)
    height = min(max((lower - upper) * hex_width + ROOM_Y, LOWEST_PANEL), HIGHEST_PANEL)
    wide, high = INNER_WIDTH / hex_width, height / hex_width
    middle = Point((left + right) / 2, (upper + lower) / 2)
    origin = Point(_slid(middle.x, wide, size.x), _slid(middle.y, high, size.y))
    return Window(Point(MARGIN, top), INNER_WIDTH, height, hex_width, origin)


def _slid(middle: float, length: float, whole: float) -> float:
    """Where a stretch of the map begins: around a middle, but not a hex beyond the map."""
    if length >= whole + 2:
        return (whole - length) / 2
    return min(max(middle - length / 2, -1.0), whole + 1 - length)


def _half(corner: Point) -> Point:
    return Point(corner.x / 2, corner.y / 2)


# ---- What is drawn of it


def ground(window: Window, clouds: Sequence[Cloud], book: CircusBook) -> str:
    """The hexes, the clouds over them, and the friendly edges; what is off the map is dark."""
    x, y = number(window.corner.x), number(window.corner.y)
    wide, high = number(window.width), number(window.height)
    box = " ".join(
        number(length)
        for length in (
            window.origin.x,
            window.origin.y,
            window.width / window.hex_width,
            window.height / window.hex_width,
        )
    )
    covered = dict.fromkeys(hex_of(cloud.hex, book) for cloud in clouds)
    return (
        f'<rect class="off" x="{x}" y="{y}" width="{wide}" height="{high}"/>'
        f'<svg x="{x}" y="{y}" width="{wide}" height="{high}" viewBox="{box}">'
        f'<g class="hex" stroke-width="{number(0.8 / window.hex_width)}">'
        f"{_rows(window, book)}</g>{''.join(map(_cloud, covered))}</svg>"
    )


def _rows(window: Window, book: CircusBook) -> str:
    """The hexes that can be seen: one row of them, laid in each place."""
    columns, rows = _seen(window, book)
    row = "".join(f"M{number(column - 0.5)} 0{OUTLINE}" for column in columns)
    laid = (
        f'<use href="#cir-row" x="{(row - 1) % 2 / 2}" y="{number((row - 1) * ROW_STEP)}"/>'
        for row in rows
    )
    return f'<defs><path id="cir-row" d="{row}"/></defs>{"".join(laid)}'


def _seen(window: Window, book: CircusBook) -> tuple[range, range]:
    """The columns and rows, from 1, of which the window shows anything."""
    settings, origin = book.settings, window.origin
    wide, high = window.width / window.hex_width, window.height / window.hex_width
    return (
        _span(origin.x, wide, 1, settings.map_columns),
        _span(origin.y, high, ROW_STEP, settings.map_rows),
    )


def _span(start: float, length: float, step: float, last: int) -> range:
    first = max(int(start / step) - 1, 1)
    return range(first, min(int((start + length) / step) + 2, last) + 1)


def _cloud(hex_: Hex) -> str:
    at = middle_of(hex_)
    top = f"M{number(at.x)} {number(at.y - SIDE)}"
    return (
        f'<path class="under" d="{top}{OUTLINE}"/>'
        f'<use href="#cir-cloud" class="cloud" transform="translate({number(at.x)} '
        f'{number(at.y)}) scale(.0105)"/>'
    )


def seen_hexes(window: Window, book: CircusBook) -> Iterator[Hex]:
    """The hexes of the map whose middles are in the window, row by row."""
    columns, rows = _seen(window, book)
    for row in rows:
        for column in columns:
            hex_ = hex_in(column, row)
            if window.holds(window.centre(hex_)):
                yield hex_


def labels(window: Window, book: CircusBook) -> Iterator[tuple[Point, str]]:
    """The labels of the hexes, each with the middle of its words; rulers where hexes are small."""
    if window.hex_width < LABELLED_HEX:
        yield from _rulers(window, book)
        return
    for hex_ in seen_hexes(window, book):
        at = window.centre(hex_)
        spot = Point(at.x, at.y - 0.17 * window.hex_width)
        if window.holds(spot, 14, 10):
            yield spot, text(spot, label(hex_), "name", "middle")


def _rulers(window: Window, book: CircusBook) -> Iterator[tuple[Point, str]]:
    """Every fifth column along the top, and every fifth row along the left side."""
    hexes = list(seen_hexes(window, book))
    if not hexes:
        return
    top, left = hexes[0].r, min(window.centre(hex_).x for hex_ in hexes)
    for hex_ in hexes:
        name, at = label(hex_), window.centre(hex_)
        if hex_.r == top and int(name[:2]) % RULER_EVERY == 0 and at.x - window.corner.x > 30:
            spot = window.kept(Point(at.x, window.corner.y + 11), 8, 11)
            yield spot, text(spot, name[:2], "ruler", "middle")
        if at.x < left + 0.75 * window.hex_width and int(name[2:]) % RULER_EVERY == 0:
            spot = window.kept(Point(window.corner.x + 3, at.y + 4), 3, 11)
            if at.x < left + 0.25 * window.hex_width or hex_.r % 2:
                yield spot, text(spot, name[2:], "ruler")


def edge_lines(window: Window, view: View, book: CircusBook) -> str:
    """The friendly edges as far as they are seen: one line for the first side, else two."""
    drawn = []
    far = window.place(map_size(book))
    near = window.place(Point(0, 0))
    for side, edge in ((Side.FIRST, view.first_edge), (Side.SECOND, view.second_edge)):
        drawn += [
            _edge(window, near, far, edge, away, f"home {side}")
            for away in ((2.5,) if side == Side.FIRST else (1.5, 5))
        ]
    return "".join(drawn)


def _edge(window: Window, near: Point, far: Point, edge: Edge, away: float, name: str) -> str:
    """A line along one edge of the map, so far outside it."""
    if edge in (Edge.NORTH, Edge.SOUTH):
        y = near.y - away if edge == Edge.NORTH else far.y + away
        ends = Point(near.x, y), Point(far.x, y)
        seen = window.corner.y < y < window.corner.y + window.height
    else:
        x = near.x - away if edge == Edge.WEST else far.x + away
        ends = Point(x, near.y), Point(x, far.y)
        seen = window.corner.x < x < window.corner.x + window.width
    if not seen:
        return ""
    start, end = (window.kept(at, 0, 0) for at in ends)
    return (
        f'<path class="{name}" d="M{number(start.x)} {number(start.y)}'
        f'L{number(end.x)} {number(end.y)}"/>'
    )
