"""The close-up of the picture: the ground around the pieces, large enough for a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.svg import Point, number, text
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.map import hex_at, label, on_board
from guncamera.rulesets.kettering.orders import View
from guncamera.rulesets.kettering.picture_map import (
    LEFT,
    PICTURE_WIDTH,
    RIGHT,
    Frame,
    piece,
    shot_line,
)
from guncamera.rulesets.kettering.picture_words import ended, height

PANEL_HEIGHT = 190
MARGIN, GAP = 6, 6
LARGE_HEX, SMALL_HEX = 42, 25
ROOM_X, ROOM_Y = 90, 72
"""What a panel holds besides the way between the pieces: the pieces and their words."""
WORDS_HALF = 68
NAMES_REACH = 6
COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Actor:
    """A piece that is on the board, with what is written beside it."""

    name: str
    hex: Hex
    facing: HexDirection
    words: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A window on the board.

    Attributes:
        corner: Its top left corner in the picture.
        width: Its width; all are equally high.
        scale: How much larger the board is in it.
        origin: What of the whole board lies in its corner.
    """

    corner: Point
    width: float
    scale: float
    origin: Point

    def place(self, at: Point) -> Point:
        """Where a place of the whole board lies in the panel."""
        return Point(
            self.corner.x + (at.x - self.origin.x) * self.scale,
            self.corner.y + (at.y - self.origin.y) * self.scale,
        )

    def holds(self, at: Point, x: float, y: float) -> bool:
        """Whether a place in the picture is in the panel, so far from its sides."""
        return (
            x <= at.x - self.corner.x <= self.width - x
            and y <= at.y - self.corner.y <= PANEL_HEIGHT - y
        )


def actors(view: View, book: KetteringBook) -> list[Actor]:
    """The pieces on the board, the aircraft first."""
    found = []
    aircraft, torpedo = view.aircraft, view.torpedo
    if aircraft.hex:
        at = hex_at(aircraft.hex, book, "aircraft.hex")
        found.append(Actor("aircraft", at, aircraft.facing, height(aircraft)))
    if torpedo is not None:
        at = hex_at(torpedo.hex, book, "torpedo.hex")
        found.append(Actor("torpedo", at, torpedo.heading, height(torpedo)))
    return found


def close_up(view: View, frame: Frame, top: float, book: KetteringBook) -> str:
    """One panel around both pieces, or one around each, or the day so far."""
    found = actors(view, book)
    if not found:
        return _day(view, top)
    panels = _panels([frame.centre(actor.hex) for actor in found], frame, top)
    drawn = []
    for panel in panels:
        inside = [a for a in found if panel.holds(panel.place(frame.centre(a.hex)), 0, 0)]
        drawn.append(_drawn(panel, inside, view, frame, book))
    return "".join(drawn)


def _panels(centres: list[Point], frame: Frame, top: float) -> list[Panel]:
    """One panel at the largest scale that holds all; where none does, one for each."""
    whole = PICTURE_WIDTH - 2 * MARGIN
    xs, ys = [p.x for p in centres], [p.y for p in centres]
    middle = Point((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    for hex_width in (LARGE_HEX, SMALL_HEX):
        scale = hex_width / frame.hex_width
        wide, high = (max(xs) - min(xs)) * scale, (max(ys) - min(ys)) * scale
        if wide + ROOM_X <= whole and high + ROOM_Y <= PANEL_HEIGHT:
            return [_panel(Point(MARGIN, top), whole, scale, middle, frame)]
    half = (whole - GAP) / 2
    scale = LARGE_HEX / frame.hex_width
    return [
        _panel(Point(MARGIN + at * (half + GAP), top), half, scale, centre, frame)
        for at, centre in enumerate(centres)
    ]


def _panel(corner: Point, width: float, scale: float, middle: Point, frame: Frame) -> Panel:
    """Around a middle, but not further beyond the board than a hex."""
    wide, high, rim = width / scale, PANEL_HEIGHT / scale, frame.hex_width
    right, bottom = PICTURE_WIDTH - RIGHT + rim - wide, frame.top + frame.height + rim - high
    x = min(max(middle.x - wide / 2, LEFT - rim), right)
    y = min(max(middle.y - high / 2, frame.top - rim), bottom)
    return Panel(corner, width, scale, Point(x, y))


def _drawn(panel: Panel, inside: list[Actor], view: View, frame: Frame, book: KetteringBook) -> str:
    """The ground, the labels of its hexes, the last shot, the pieces and their words."""
    x, y, width = number(panel.corner.x), number(panel.corner.y), number(panel.width)
    box = f"{number(panel.origin.x)} {number(panel.origin.y)}"
    size = f"{number(panel.width / panel.scale)} {number(PANEL_HEIGHT / panel.scale)}"
    contents = [f'<use href="#ket-board" stroke-width="{number(1 / panel.scale)}"/>']
    contents.append(shot(view, frame, book, panel.scale))
    contents += [
        piece(actor.name, frame.centre(actor.hex), actor.facing, frame.hex_width * 0.92)
        for actor in inside
    ]
    ground = (
        f'<rect class="off" x="{x}" y="{y}" width="{width}" height="{PANEL_HEIGHT}"/>'
        f'<svg x="{x}" y="{y}" width="{width}" height="{PANEL_HEIGHT}" viewBox="{box} {size}">'
        f"{''.join(contents)}</svg>"
    )
    words = list(_words(panel, inside, frame))
    names = ""
    if panel.scale * frame.hex_width > SMALL_HEX:
        covered = [at for at, _ in words]
        names = "".join(_names(panel, {actor.hex for actor in inside}, covered, frame, book))
    written = "".join(drawn for _, drawn in words)
    rim = f'<rect class="rim" x="{x}" y="{y}" width="{width}" height="{PANEL_HEIGHT}"/>'
    return ground + names + written + rim


def shot(view: View, frame: Frame, book: KetteringBook, scale: float) -> str:
    """The line of the last shot on the board."""
    fired = view.last_shot
    if fired is None:
        return ""
    start = frame.centre(hex_at(fired.from_hex, book, "last_shot.from_hex"))
    end = frame.centre(hex_at(fired.at_hex, book, "last_shot.at_hex"))
    return shot_line(start, end, scale, destroyed=fired.torpedo_destroyed)


def _names(
    panel: Panel, taken: set[Hex], covered: list[Point], frame: Frame, book: KetteringBook
) -> Iterator[str]:
    """The labels of the hexes that are well inside the panel, under no piece and no words."""
    around = {hex_ for middle in taken for hex_ in _around(middle, NAMES_REACH)}
    for hex_ in sorted(around - taken, key=lambda h: (h.r, h.q)):
        if not on_board(hex_, book):
            continue
        at = panel.place(frame.centre(hex_))
        hidden = any(
            abs(at.x - words.x) < WORDS_HALF + 18 and abs(at.y - words.y + 4) < 13
            for words in covered
        )
        if panel.holds(at, 20, 12) and not hidden:
            yield text(Point(at.x, at.y + 4), label(hex_), "name", "middle")


def _around(middle: Hex, reach: int) -> Iterator[Hex]:
    for dq in range(-reach, reach + 1):
        for dr in range(max(-reach, -dq - reach), min(reach, -dq + reach) + 1):
            yield Hex(middle.q + dq, middle.r + dr)


def _words(panel: Panel, inside: list[Actor], frame: Frame) -> Iterator[tuple[Point, str]]:
    """Altitude and speed: over the piece to the north, under the one to the south."""
    # The torpedo is written above where both stand in one row, or on one hex.
    order = sorted(inside, key=lambda a: (a.hex.r, a.name != "torpedo"))
    reach = panel.scale * frame.hex_width * 0.55
    for nth, actor in enumerate(order):
        spot = panel.place(frame.centre(actor.hex))
        above = nth == 0 and len(order) > 1
        y = spot.y - reach - 4 if above else spot.y + reach + 13
        y = min(max(y, panel.corner.y + 14), panel.corner.y + PANEL_HEIGHT - 5)
        left, right = panel.corner.x + WORDS_HALF, panel.corner.x + panel.width - WORDS_HALF
        x = min(max(spot.x, left), right)
        at = Point(x, y)
        yield at, text(at, actor.words, f"tag {actor.name}-words", "middle")


def _day(view: View, top: float) -> str:
    """With nothing on the board: how the torpedoes so far ended, in two columns."""
    lines = [f"{at}. {ended(e)}" for at, e in enumerate(view.encounters, start=1)]
    if view.passed:
        lines.append(f"Let pass for repairs: {view.passed}")
    drawn = [text(Point(MARGIN + 8, top + 22), "The day so far", "strong")]
    if not lines:
        drawn.append(text(Point(MARGIN + 8, top + 44), "Nothing yet. The board is empty."))
    rows = -(-max(len(lines), 1) // COLUMNS)
    for at, line in enumerate(lines):
        column, row = divmod(at, rows)
        drawn.append(text(Point(MARGIN + 8 + 174 * column, top + 46 + 21 * row), line))
    rim = (
        f'<rect class="rim" x="{MARGIN}" y="{number(top)}" '
        f'width="{PICTURE_WIDTH - 2 * MARGIN}" height="{PANEL_HEIGHT}"/>'
    )
    return rim + "".join(drawn)
