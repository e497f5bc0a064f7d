"""The range of a shot in three dimensions: seen from the side and to scale, with its chart row.

Two hundred feet of height are as long as a hex, as on the chart.
"""

from __future__ import annotations

from math import hypot

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import SMALL, USUAL, cut, width_of
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.orders import View
from guncamera.rulesets.circus.picture_action import arrow
from guncamera.rulesets.circus.picture_map import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.circus.picture_place import toward
from guncamera.rulesets.circus.picture_shots import Measured, measured
from guncamera.rulesets.circus.picture_words import height_words, hexes_words
from guncamera.rulesets.circus.ranges import printed_row, range_hexes

HEAD, GAP = 18.0, 8.0
BOX_WIDTH, BOX_HEIGHT = 168.0, 92.0
ROOM_X, ROOM_Y = 14.0, 20.0
LARGEST_HEX = 24.0
UP_WIDTH = 70.0
WORDS_LEFT = MARGIN + BOX_WIDTH + 8
LINE = 15.0
CELL_LEFT, CELL_HIGH = MARGIN + 56.0, 16.0
MARK = 4.5


def ranges(view: View, top: float, book: CircusBook) -> tuple[str, float]:
    """Each shot that is measured, and where they end; nothing where there is none."""
    drawn = []
    for one in measured(view, book):
        words, top = _shot(one, view, top, book)
        drawn.append(words)
    return "".join(drawn), top


def _shot(one: Measured, view: View, top: float, book: CircusBook) -> tuple[str, float]:
    """One shot, and where it ends."""
    row, end = _chart_row(one, top + HEAD + BOX_HEIGHT + 4, book)
    beside = _side_view(one, view, top + HEAD, book) + _words(one, top + HEAD, book)
    return _head(one, top) + beside + row, end + GAP


def _head(one: Measured, top: float) -> str:
    """Who fired at whom, and what came of it."""
    lay, fired = one.lay, one.fired
    if fired is None:
        words, what = f"{lay.shooter} may fire at {lay.target}", f"{lay.mount} guns"
    else:
        words = f"{lay.shooter} fired at {lay.target}"
        hits = f"{fired.hits} {'hit' if fired.hits == 1 else 'hits'}" if fired.hits else "no hits"
        what = f"{lay.mount} guns, {hits}{', critical' if fired.critical else ''}"
    room = INNER_WIDTH - width_of(what, SMALL) - 10
    rule = f'<path class="grid" d="M{MARGIN} {number(top)}H{MARGIN + INNER_WIDTH}"/>'
    drawn = text(Point(MARGIN, top + 14), cut(words, room, USUAL, bold=True), "strong")
    return rule + drawn + text(Point(PICTURE_WIDTH - MARGIN, top + 14), what, "soft", "end")


# ---- The side view


def _side_view(one: Measured, view: View, top: float, book: CircusBook) -> str:
    """Both aircraft, the hexes and the height between them, and the line of the shot."""
    lay = one.lay
    feet, up = lay.height_difference_feet, lay.height_difference_feet / figure(book, "hex_feet")
    wide = BOX_WIDTH - 2 * ROOM_X - (UP_WIDTH if feet else 0)
    high = BOX_HEIGHT - 2 * ROOM_Y
    unit = min(LARGEST_HEX, wide / max(lay.hexes, 1), high / max(abs(up), 1))
    left = MARGIN + ROOM_X + (wide - lay.hexes * unit) / 2
    middle = top + BOX_HEIGHT / 2
    shooter = Point(left, middle + up * unit / 2)
    target = Point(left + lay.hexes * unit, middle - up * unit / 2)
    corner = Point(target.x, shooter.y)
    drawn = [
        f'<rect class="paper" x="{MARGIN}" y="{number(top)}" width="{number(BOX_WIDTH)}" '
        f'height="{number(BOX_HEIGHT)}"/>'
    ]
    if lay.hexes:
        drawn += [_leg(shooter, corner), _ticks(shooter, lay.hexes, unit)]
        under = shooter.y + (15 if feet >= 0 else -8)
        words = Point((shooter.x + target.x) / 2, under)
        drawn.append(text(words, hexes_words(lay.hexes), "least", "middle"))
    if feet:
        beside = Point(target.x + 8, (shooter.y + target.y) / 2)
        drawn += [_leg(corner, target), *_height_words(feet, up, beside)]
    drawn.append(_line(shooter, target, fired=one.fired is not None))
    drawn += [_mark(lay.shooter, shooter, view), _mark(lay.target, target, view)]
    return "".join(drawn)


def _leg(start: Point, end: Point) -> str:
    return (
        f'<path class="leg" d="M{number(start.x)} {number(start.y)}'
        f'L{number(end.x)} {number(end.y)}"/>'
    )


def _ticks(start: Point, hexes: int, unit: float) -> str:
    """A mark at each hex between the two."""
    ticks = (
        f"M{number(start.x + nth * unit)} {number(start.y - 2.5)}v5" for nth in range(1, hexes)
    )
    drawn = "".join(ticks)
    return f'<path class="tie" d="{drawn}"/>' if drawn else ""


def _height_words(feet: int, up: float, at: Point) -> list[str]:
    """The height, in feet and in hexes."""
    hexes = f"= {abs(up):g} {'hex' if abs(up) == 1 else 'hexes'}"
    return [
        text(Point(at.x, at.y - 2), f"{abs(feet):,} ft", "least"),
        text(Point(at.x, at.y + 11), hexes, "least"),
    ]


def _line(shooter: Point, target: Point, *, fired: bool) -> str:
    """The line of the shot; with a head where it was fired."""
    whole = hypot(target.x - shooter.x, target.y - shooter.y)
    end = toward(target, shooter, min(MARK + 2, whole / 2))
    if not fired:
        start = number(shooter.x), number(shooter.y)
        return f'<path class="bears" d="M{start[0]} {start[1]}L{number(end.x)} {number(end.y)}"/>'
    return arrow(shooter, end)


def _mark(id_: str, at: Point, view: View) -> str:
    side = next((craft.side for craft in view.craft if craft.aircraft.id == id_), Side.FIRST)
    where = f'cx="{number(at.x)}" cy="{number(at.y)}"'
    return f'<circle class="{side}" stroke-width="2" {where} r="{MARK}"/>'


# ---- Beside it and below


def _words(one: Measured, top: float, book: CircusBook) -> str:
    """The range, how it comes about, and how long the target was in the arc."""
    lay = one.lay
    counted, own_half = one.half_by_own(book)
    lines = [
        (f"Range {lay.range_hexes}", "strong"),
        (f"{hexes_words(lay.hexes)}, {height_words(lay.height_difference_feet)}", "small"),
        ("In arc, half needed:", "soft"),
        (_share("own MP", counted, lay.own_mp, half=own_half), "small"),
        (
            _share("target's", lay.target_mp_in_arc, lay.target_mp, half=one.half_by_target),
            "small",
        ),
    ]
    room = PICTURE_WIDTH - MARGIN - WORDS_LEFT
    drawn = [
        text(Point(WORDS_LEFT, top + 13 + LINE * nth), cut(words, room, SMALL), style)
        for nth, (words, style) in enumerate(lines)
    ]
    return "".join(drawn)


def _share(whose: str, counted: int, points: int, *, half: bool) -> str:
    """How many points of a move were in the arc, and whether that is half of them."""
    if not points:
        return f"{whose}: it stood still"
    return f"{whose}: {counted} of {points}, {'yes' if half else 'no'}"


def _chart_row(one: Measured, top: float, book: CircusBook) -> tuple[str, float]:
    """The row of the range chart, the cell that was read in a frame; and where it ends."""
    lay, longest = one.lay, figure(book, "longest_range_hexes")
    feet = abs(lay.height_difference_feet)
    between = printed_row(feet, book) is None
    width = (PICTURE_WIDTH - MARGIN - CELL_LEFT) / (longest + 1)
    drawn = [
        text(Point(MARGIN, top + 12), "hexes", "least"),
        text(Point(MARGIN, top + 12 + CELL_HIGH), f"{feet:,} ft{'*' if between else ''}", "least"),
    ]
    for flat in range(longest + 1):
        at = Point(CELL_LEFT + (flat + 0.5) * width, top + 12)
        used = " strong" if flat == lay.hexes else ""
        found = range_hexes(flat, feet, book)
        drawn.append(text(at, str(flat), f"least{used}", "middle"))
        below = Point(at.x, at.y + CELL_HIGH)
        drawn.append(text(below, "–" if found is None else str(found), f"small{used}", "middle"))
        if used:
            drawn.append(
                f'<rect class="used" x="{number(at.x - width / 2 + 2)}" '
                f'y="{number(top)}" width="{number(width - 4)}" '
                f'height="{number(2 * CELL_HIGH)}" rx="3"/>'
            )
    end = top + 2 * CELL_HIGH
    if between:
        words = "* between two rows of the chart: worked out"
        drawn.append(text(Point(MARGIN, end + 12), words, "least"))
        end += CELL_HIGH
    return "".join(drawn), end
