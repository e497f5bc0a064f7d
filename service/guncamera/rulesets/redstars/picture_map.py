"""The table seen from above: discs, arcs, aircraft, tailing, shots, wrecks.

Everything is in units of a phone's width: the picture is 360 wide, and a unit is a pixel there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, radians, sin

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut, width_of
from guncamera.rulesets.redstars.aircraft import Flight, Mounting, Position, WeaponKind
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.geometry import MILS
from guncamera.rulesets.redstars.orders import Craft, View
from guncamera.rulesets.redstars.picture_measure import (
    INNER_WIDTH,
    MARGIN,
    Box,
    Room,
    apart,
    toward,
)
from guncamera.rulesets.redstars.picture_style import CROSS_SHAPE, MARKS, STAR_SHAPE
from guncamera.rulesets.redstars.picture_words import book_in, marks_on, state_words

LARGEST, SMALLEST = 6.6, 2.0
"""Units to an inch."""
LOWEST_PANEL, HIGHEST_PANEL = 236.0, 340.0
ROOM_X, ROOM_Y = 104.0, 96.0
PIECE, BADGE = 26.0, 8.0
GRID_INCHES = 10
PUSHES, CLOSEST = 24, 18.0
ID_ROOM, ASIDE = 92.0, 4.0


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the table that is shown.

    Attributes:
        top, height: Of its panel, in the picture.
        scale: Units to a mil.
        west, north: Of the panel's top left corner, in mils.
    """

    top: float
    height: float
    scale: float
    west: float
    north: float

    def place(self, x_mils: float, y_mils: float) -> Point:
        """Where a place of the table is in the picture."""
        return Point(
            MARGIN + (x_mils - self.west) * self.scale,
            self.top + (self.north - y_mils) * self.scale,
        )

    def of(self, position: Position) -> Point:
        """Where a disc's center is in the picture."""
        return self.place(position.x_mils, position.y_mils)

    def bounds(self) -> Box:
        """The panel."""
        middle = Point(MARGIN + INNER_WIDTH / 2, self.top + self.height / 2)
        return Box(middle, INNER_WIDTH / 2, self.height / 2)


def window_on(view: View, top: float) -> Window:
    """The panel that holds all that flies, as large as it can, and as high as it need be."""
    struck = {shot.target for shot in view.shots}
    shown = [one for one in view.craft if one.end is None or one.aircraft.id in struck]
    spots = [at for one in shown or view.craft for at in (one.aircraft.position, *one.discs)]
    edge = view.table_inches * MILS
    spots = spots or [Position(edge // 2, edge // 2, 0, 0)]
    left, right = min(at.x_mils for at in spots), max(at.x_mils for at in spots)
    low, high = min(at.y_mils for at in spots), max(at.y_mils for at in spots)
    scale = min(
        LARGEST / MILS,
        (INNER_WIDTH - ROOM_X) / max(right - left, 1),
        (HIGHEST_PANEL - ROOM_Y) / max(high - low, 1),
    )
    scale = max(scale, min(SMALLEST / MILS, HIGHEST_PANEL / (edge + 12 * MILS)))
    height = min(max((high - low) * scale + ROOM_Y, LOWEST_PANEL), HIGHEST_PANEL)
    wide, tall = INNER_WIDTH / scale, height / scale
    west = _slid((left + right) / 2, wide, edge)
    south = _slid((low + high) / 2, tall, edge)
    return Window(top, height, scale, west, south + tall)


def _slid(middle: float, length: float, edge: int) -> float:
    """Where a stretch begins: around a middle, but hardly beyond the table."""
    beyond = 4 * MILS
    if length >= edge + 2 * beyond:
        return (edge - length) / 2
    return min(max(middle - length / 2, -beyond), edge + beyond - length)


# ---- The panel


def panel(view: View, window: Window, book: RedstarsBook) -> str:
    """The table with everything on it."""
    flying = [one for one in view.craft if one.end is None]
    places = _spread(flying, window)
    spots = {one.aircraft.id: place for one, place in zip(flying, places)}
    for one in view.craft:
        spots.setdefault(one.aircraft.id, window.of(one.aircraft.position))
    room = Room(window.bounds())
    for spot in spots.values():
        room.take(spot, PIECE / 2, PIECE / 2, 4.0)
    inside = "".join(
        (
            _ground(view, window),
            *(_arc(one, view, window, book) for one in flying),
            *(_discs(one, window, room, book) for one in flying),
            *(_wreck(one, window) for one in view.craft if one.end is not None),
            _lines(view, spots),
            _shots(view, spots, room),
            *(
                piece(one.side.value, spots[one.aircraft.id], _heading(one), PIECE)
                for one in flying
            ),
            *(_badges(one, spots[one.aircraft.id], room, book) for one in flying),
            *(_chip(one, at, room) for one, at in zip(flying, places)),
        )
    )
    box = f"{MARGIN} {number(window.top)} {INNER_WIDTH} {number(window.height)}"
    x, y, wide, high = box.split()
    sides = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
    return f'<svg {sides} viewBox="{box}">{inside}</svg><rect class="rim" {sides}/>'


def _heading(one: Craft) -> int:
    return one.aircraft.position.heading_degrees


def _ground(view: View, window: Window) -> str:
    """The table, a line every ten inches, and what lies beyond it."""
    edge = view.table_inches * MILS
    start, end = window.place(0, edge), window.place(edge, 0)
    lines = []
    for inches in range(GRID_INCHES, view.table_inches, GRID_INCHES):
        at = window.place(inches * MILS, inches * MILS)
        lines.append(f"M{number(at.x)} {number(start.y)}V{number(end.y)}")
        lines.append(f"M{number(start.x)} {number(at.y)}H{number(end.x)}")
    return (
        f'<rect class="off" x="{MARGIN}" y="{number(window.top)}" width="{INNER_WIDTH}" '
        f'height="{number(window.height)}"/>'
        f'<rect class="table" x="{number(start.x)}" y="{number(start.y)}" '
        f'width="{number(end.x - start.x)}" height="{number(end.y - start.y)}"/>'
        f'<path class="line" d="{"".join(lines)}"/>'
    )


def _arc(one: Craft, view: View, window: Window, book: RedstarsBook) -> str:
    """The forward arc, as far as the guns reach; rockets only where there are no guns."""
    data_book = book_in(view, one.aircraft, book)
    if data_book is None or one.aircraft.flight == Flight.SPINNING:
        return ""
    kinds = [w.kind for w in data_book.weapons if w.mounting == Mounting.FORWARD]
    guns = [kind for kind in kinds if kind != WeaponKind.ROCKET] or kinds
    if not guns:
        return ""
    table = book.tables["weapons"]
    reach = max(table.number(kind.value, "range") for kind in guns) * MILS * window.scale
    at, half = window.of(one.aircraft.position), book.settings.gun_half_arc
    left, right = (_along(at, _heading(one) + turn, reach) for turn in (-half, half))
    far = number(reach)
    return (
        f'<path class="arc {one.side}" d="M{_xy(at)}L{_xy(left)}A{far} {far} 0 0 1 {_xy(right)}Z"/>'
    )


def _along(at: Point, heading: float, length: float) -> Point:
    turned = radians(heading)
    return Point(at.x + length * sin(turned), at.y - length * cos(turned))


def _xy(at: Point) -> str:
    return f"{number(at.x)} {number(at.y)}"


def _discs(one: Craft, window: Window, room: Room, book: RedstarsBook) -> str:
    """The discs of its last move, each with its facing, and a sign where one was tweaked."""
    radius = book.settings.disc_mils * window.scale / 2
    drawn = []
    for nth, disc in enumerate(one.discs):
        at = window.of(disc)
        room.take(at, radius / 2, radius / 2, 0.1)
        drawn.append(
            f'<circle class="disc {one.side}" cx="{number(at.x)}" cy="{number(at.y)}" '
            f'r="{number(radius)}"/>'
        )
        if nth < len(one.discs) - 1:
            start, end = (_along(at, disc.heading_degrees, radius * part) for part in (0.3, 1))
            drawn.append(f'<path class="nose {one.side}" d="M{_xy(start)}L{_xy(end)}"/>')
    step = 360 // book.settings.points
    begun = one.discs if one.start is None else (one.start, *one.discs)
    for before, disc in pairwise(begun):
        side = _tweaked(before, disc, step)
        if side:
            drawn.append(_tweak(window.of(disc), disc.heading_degrees, side, radius))
    return "".join(drawn)


def _tweaked(before: Position, disc: Position, step: int) -> int:
    """Which way a disc was turned beside its card: -1 to the left, 1 to the right."""
    off = (disc.heading_degrees - before.heading_degrees) % step
    if not off:
        return 0
    return 1 if off < step / 2 else -1


def _tweak(at: Point, heading: int, side: int, radius: float) -> str:
    """A wedge at the disc's edge, on the side to which it was turned."""
    tip = _along(at, heading + side * 70, radius + 5)
    one, other = (_along(at, heading + side * turn, radius - 1.5) for turn in (45, 95))
    return f'<path class="tweak" d="M{_xy(tip)}L{_xy(one)}L{_xy(other)}Z"/>'


def _wreck(one: Craft, window: Window) -> str:
    """A cross where an aircraft left the game."""
    at = window.of(one.aircraft.position)
    return (
        f'<path class="lost {one.side}" transform="translate({_xy(at)}) scale(2)" '
        f'd="{CROSS_SHAPE}"/>'
    )


# ---- Lines between aircraft


def _lines(view: View, spots: dict[str, Point]) -> str:
    """Who tails whom, and who means to ram whom."""
    drawn = [
        _line("tail", "follow", spots[one.aircraft.id], spots[target])
        for one in view.craft
        for target in one.tailed
        if one.end is None and target in spots
    ]
    drawn += [
        _line("ram", "dart", spots[ram.rammer], spots[ram.target])
        for ram in view.rams
        if ram.rammer in spots and ram.target in spots
    ]
    return "".join(drawn)


def _line(style: str, dart: str, start: Point, end: Point) -> str:
    """An arrow from one aircraft to another."""
    long = apart(start, end)
    if long < PIECE:
        return ""
    near, far = toward(start, end, PIECE / 2), toward(start, end, long - PIECE / 2 + 1)
    neck = toward(start, end, long - PIECE / 2 - 7)
    x, y = (far.y - neck.y) / 2, (neck.x - far.x) / 2
    return (
        f'<path class="{style}" d="M{_xy(near)}L{_xy(neck)}"/>'
        f'<path class="{dart}" d="M{_xy(far)}L{_xy(Point(neck.x + x, neck.y + y))}'
        f'L{_xy(Point(neck.x - x, neck.y - y))}Z"/>'
    )


def _shots(view: View, spots: dict[str, Point], room: Room) -> str:
    """Arrows, with the damage beside the target; a special hit has a star."""
    drawn, counts = [], []
    for shot in view.shots:
        start, end = spots.get(shot.shooter), spots.get(shot.target)
        if start is None or end is None:
            continue
        start, end = _aside(start, end)
        drawn.append(_line("shot" if shot.hit else "shot miss", "dart", start, end))
        at = room.beside(toward(start, end, 0.6 * apart(start, end)), -10, 9, 9)
        room.take(at, 10, 10, 6.0)
        counts.append(_count(at, str(shot.damage) if shot.hit else "0", star=shot.special_hit))
    return "".join(drawn + counts)


def _aside(start: Point, end: Point) -> tuple[Point, Point]:
    """The line moved to its left, so that two who fire at each other have a line each."""
    long = apart(start, end) or 1.0
    x, y = (end.y - start.y) * ASIDE / long, (start.x - end.x) * ASIDE / long
    return Point(start.x + x, start.y + y), Point(end.x + x, end.y + y)


def _count(at: Point, words: str, *, star: bool) -> str:
    sign = f'<circle class="hit" cx="{number(at.x)}" cy="{number(at.y)}" r="8.5"/>'
    if star:
        place = f"translate({_xy(at)}) scale(1.25)"
        sign = f'<path class="special" transform="{place}" d="{STAR_SHAPE}"/>'
    style = "count star" if star else "count"
    return sign + text(Point(at.x, at.y + 4), words, style, "middle")


# ---- Aircraft


def piece(side: str, at: Point, heading: float, size: float) -> str:
    """An aircraft from above, heading so many degrees from north."""
    scale = number(size / 100)
    return (
        f'<use href="#red-aircraft" class="piece {side}" stroke-width="8" '
        f'transform="translate({_xy(at)}) rotate({number(heading)}) scale({scale})"/>'
    )


def _badges(one: Craft, at: Point, room: Room, book: RedstarsBook) -> str:
    """The signs of fire, smoke, spin and the like, beside the aircraft."""
    drawn = []
    for mark in marks_on(one, book):
        spot = room.beside(at, PIECE / 2 - 7, BADGE, BADGE, farthest=10)
        room.take(spot, BADGE, BADGE, 6.0)
        drawn.append(
            f'<circle class="badge" cx="{number(spot.x)}" cy="{number(spot.y)}" r="{BADGE}"/>'
            + mark_at(mark, spot, "mark")
        )
    return "".join(drawn)


def mark_at(mark: str, at: Point, style: str) -> str:
    """A sign."""
    return f'<path class="{style} {mark}" transform="translate({_xy(at)})" d="{MARKS[mark]}"/>'


def _chip(one: Craft, at: Point, room: Room) -> str:
    """Id, altitude and speed."""
    name = cut(one.aircraft.id, ID_ROOM, LEAST, bold=True)
    state = state_words(one.aircraft)
    wide = max(width_of(name, LEAST, bold=True), width_of(state, LEAST)) + 10
    middle = room.beside(at, PIECE / 2, wide / 2, 15)
    room.take(middle, wide / 2, 15, 6.0)
    x, y = number(middle.x - wide / 2), number(middle.y - 15)
    tie = ""
    if apart(at, middle) > PIECE / 2 + wide / 2 + 12:
        tie = f'<path class="tie" d="M{_xy(toward(at, middle, PIECE / 2))}L{_xy(middle)}"/>'
    return (
        f'{tie}<rect class="chip {one.side}" x="{x}" y="{y}" width="{number(wide)}" height="30" '
        f'rx="4"/>'
        + text(Point(middle.x, middle.y - 3), name, f"tag strong {one.side}", "middle")
        + text(Point(middle.x, middle.y + 10), state, f"tag {one.side}", "middle")
    )


def _spread(flying: Sequence[Craft], window: Window) -> list[Point]:
    """Where aircraft are drawn: on their discs, but never quite upon each other."""
    places = []
    for nth, one in enumerate(flying):
        at = window.of(one.aircraft.position)
        places.append(_along(at, 360 * nth / len(flying), 0.1))
    for _ in range(PUSHES):
        _pushed(places, range(len(places)))
    return places


def _pushed(places: list[Point], all_: Iterable[int]) -> None:
    for one, other in combinations(all_, 2):
        start, end = places[one], places[other]
        lacking = CLOSEST - apart(start, end)
        if lacking > 0:
            places[one] = toward(start, end, -lacking / 2)
            places[other] = toward(end, start, -lacking / 2)
