"""The table of the picture: the lines of both sides, ships or their covers, and cards at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut, width_of
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard, Key, Side
from guncamera.rulesets.carriers.flights import combat_number
from guncamera.rulesets.carriers.orders import CardSeen, FleetSeen, Phase, ShipSeen, View
from guncamera.rulesets.carriers.picture_layout import (
    BACK,
    BAND,
    CHIP,
    HARM,
    LETTERS_IN_A_ROW,
    NAME,
    Cell,
    Layout,
    Row,
    Stack,
    height_of,
    stacks_of,
    used_told,
)
from guncamera.rulesets.carriers.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.carriers.picture_style import EYE_SHAPE, HALF_SHIP, SHIPS
from guncamera.rulesets.carriers.picture_words import (
    LETTERS,
    cards_by_type,
    inches_told,
    is_seen,
    side_word,
    type_name,
)

SIDES_MET_INCHES = 18
"""How far the Short lines are from their edges."""
BACKS_IN_A_ROW = 4
BACK_WIDTH, SIGN = 13.0, 13.0


def table(view: View, layout: Layout, book: CarriersBook) -> str:
    """Everything that lies on the table."""
    types = cards_by_type(view, book)
    drawn = [_sea(layout), _edges(view, layout), _band(layout, book)]
    for row in layout.rows:
        fleet = next(fleet for fleet in view.fleets if fleet.side == row.side)
        seen = is_seen(fleet, view)
        drawn.append(_row(row, fleet, layout, types, book, seen=seen))
    return "".join(drawn)


# ---- The sea


def _sea(layout: Layout) -> str:
    high = number(layout.bottom - layout.top)
    place = f'x="{MARGIN}" y="{number(layout.top)}" width="{INNER_WIDTH}" height="{high}"'
    return f'<rect class="sea" {place}/><rect class="edge" {place}/>'


def _edges(view: View, layout: Layout) -> str:
    """Whose edge is whose."""
    upper, lower = layout.lower.other, layout.lower
    return _edge(view, upper, layout.top + 12) + _edge(view, lower, layout.bottom - 5)


def _edge(view: View, side: Side, y: float) -> str:
    fleet = next(fleet for fleet in view.fleets if fleet.side == side)
    words = f"{side_word(side)} edge"
    if not is_seen(fleet, view):
        words += " · deploys unseen"
    elif not fleet.whole and view.phase == Phase.MOVE:
        words += " · as before its moves"
    return text(Point(PICTURE_WIDTH / 2, y), words, f"least {side}-words", "middle")


def _band(layout: Layout, book: CarriersBook) -> str:
    """The open sea between the Short lines."""
    place = f'x="{MARGIN}" y="{number(layout.band + 2)}" width="{INNER_WIDTH}"'
    band = f'<rect class="band" {place} height="{number(BAND - 4)}"/>'
    inches = book.settings.table_depth_inches - 2 * SIDES_MET_INCHES
    words = f"{inches} in of open sea"
    return band + text(Point(MARGIN + 4, layout.band + BAND - 7), words, "faint")


# ---- Lines


def _row(
    row: Row,
    fleet: FleetSeen,
    layout: Layout,
    types: Mapping[str, AircraftCard],
    book: CarriersBook,
    *,
    seen: bool,
) -> str:
    label = inches_told(row.line, book)
    if not row.cells and seen:
        label += " · no ship"
    y = number(row.keel + 0.5)
    drawn = [f'<path class="line" d="M{MARGIN} {y}H{MARGIN + INNER_WIDTH}"/>'] if row.cells else []
    if not row.cells or row.cells[0].at == 0:
        drawn.append(text(Point(MARGIN + 4, row.label + 11), label, "faint"))
    drawn += [_cell(cell, fleet, layout, types, book) for cell in row.cells]
    return "".join(drawn)


def _cell(
    cell: Cell,
    fleet: FleetSeen,
    layout: Layout,
    types: Mapping[str, AircraftCard],
    book: CarriersBook,
) -> str:
    wide, slot = layout.cell_width, cell.slot
    middle = cell.left + wide / 2
    beside = 2 + width_of(str(cell.at), LEAST)
    drawn = [
        _ship(slot.ship, fleet.side, Point(middle, cell.keel), wide, beside),
        text(Point(cell.left + 2, cell.keel - 14), str(cell.at), "faint"),
        _cards(slot.front, fleet.side, Point(cell.left, cell.front), wide, types, book),
        _cards(
            slot.adjacent, fleet.side, Point(cell.left, cell.adjacent), wide, types, book, "ready"
        ),
    ]
    note = used_told(fleet, slot)
    if note:
        y = cell.front + height_of(slot.front) + 10
        drawn.append(text(Point(middle, y), note, "faint", "middle"))
    if slot.ship is not None:
        drawn.append(_named(slot.ship, fleet.side, Point(middle, cell.keel), wide))
    if slot.revealed:
        drawn.append(eye(Point(cell.left + wide - 9, cell.keel - 19)))
    return "".join(drawn)


# ---- Ships


def _ship(ship: ShipSeen | None, side: Side, keel: Point, wide: float, beside: float) -> str:
    if ship is None:
        return _veil(side, keel, wide - 2 * beside)
    scale = min(1.0, (wide - 6) / (2 * HALF_SHIP))
    out = " out" if Key.OUT_OF_COMMISSION in ship.keys else ""
    place = f"translate({number(keel.x)} {number(keel.y)}) scale({number(scale)})"
    shape = f'<path class="ship {side}{out}" transform="{place}" d="{SHIPS[ship.ship_class]}"/>'
    return shape + (cross(Point(keel.x, keel.y - 8), 9) if out else "")


def cross(at: Point, half: float) -> str:
    """A cross over what is out of action."""
    left, right = number(at.x - half), number(at.x + half)
    top, bottom = number(at.y - half * 0.7), number(at.y + half * 0.7)
    return f'<path class="cross" d="M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"/>'


def _veil(side: Side, keel: Point, wide: float) -> str:
    """The back behind which a ship is hidden, beside the number of its slot."""
    half = min(24.0, wide / 2 - 1)
    left, top = keel.x - half, keel.y - 21
    lines = "".join(
        f"M{number(left + 6 * nth)} {number(top + 2)}v17" for nth in range(1, int(half / 3))
    )
    return (
        f'<rect class="veil {side}" x="{number(left)}" y="{number(top)}" '
        f'width="{number(2 * half)}" height="21" rx="3"/><path class="hatch" d="{lines}"/>'
        + text(Point(keel.x, keel.y - 5), "?", "query", "middle")
    )


def eye(at: Point) -> str:
    """The sign of what lies open to all."""
    place = f'cx="{number(at.x)}" cy="{number(at.y)}"'
    return (
        f'<ellipse class="eye-plate" {place} rx="8" ry="6"/>'
        f'<path class="eye" transform="translate({number(at.x)} {number(at.y)})" d="{EYE_SHAPE}"/>'
    )


def _named(ship: ShipSeen, side: Side, keel: Point, wide: float) -> str:
    """Name, and signs of damage, below a ship."""
    name = cut(ship.name, wide - 2, LEAST)
    drawn = [text(Point(keel.x, keel.y + 11), name, f"least {side}-words", "middle")]
    signs = [LETTERS[key] for key in ship.keys]
    if ship.belts:
        signs.append(belt_sign(ship.belts))
    for first in range(0, len(signs), LETTERS_IN_A_ROW):
        row = signs[first : first + LETTERS_IN_A_ROW]
        y = keel.y + NAME + HARM * (first // LETTERS_IN_A_ROW) + HARM / 2
        left = keel.x - (sum(map(_width, row)) + 2 * len(row) - 2) / 2
        for one in row:
            drawn.append(sign(Point(left + _width(one) / 2, y), one))
            left += _width(one) + 2
    return "".join(drawn)


def belt_sign(belts: int) -> str:
    """The sign of a pierced belt."""
    return f"P{belts}" if belts > 1 else "P"


def _width(letters: str) -> float:
    return SIGN + 6 * (len(letters) - 1)


def sign(at: Point, letters: str) -> str:
    """A letter on a plate, for damage."""
    wide = _width(letters)
    return (
        f'<rect class="harm" x="{number(at.x - wide / 2)}" y="{number(at.y - SIGN / 2)}" '
        f'width="{number(wide)}" height="{number(SIGN)}" rx="2"/>'
        + text(Point(at.x, at.y + 4), letters, "letter", "middle")
    )


# ---- Cards at ships


def _cards(
    cards: Iterable[CardSeen],
    side: Side,
    corner: Point,
    wide: float,
    types: Mapping[str, AircraftCard],
    book: CarriersBook,
    style: str = "",
) -> str:
    drawn, y = [], corner.y
    for stack in stacks_of(cards):
        if stack.type:
            drawn.append(_chip(stack, side, Point(corner.x, y), wide, types, book, style))
            y += CHIP
        else:
            drawn.append(_backs(stack.count, side, Point(corner.x + wide / 2, y)))
            y += BACK
    return "".join(drawn)


def _chip(
    stack: Stack,
    side: Side,
    corner: Point,
    wide: float,
    types: Mapping[str, AircraftCard],
    book: CarriersBook,
    style: str,
) -> str:
    """A face-up card, or an owner's own: its type, in front with its combat number."""
    profile = types.get(stack.type)
    words = type_name(stack.type)
    if profile and not style:
        words += f" {combat_number(profile, book)}"
    if stack.count > 1:
        words += f" ×{stack.count}"
    used = " used" if stack.spent else ""
    left, across = corner.x + 3, wide - 6
    drawn = (
        f'<rect class="face {side}{f" {style}" if style else ""}{used}" x="{number(left)}" '
        f'y="{number(corner.y + 1)}" width="{number(across)}" height="{number(CHIP - 2)}" rx="3"/>'
    )
    room = across - 4
    place = Point(corner.x + wide / 2, corner.y + 12.5)
    bold = "" if style else " fast"
    return drawn + text(place, cut(words, room, LEAST), f"chip{bold}{used}", "middle")


def _backs(count: int, side: Side, top: Point) -> str:
    """Backs beside each other; of many one, with how many there are."""
    shown = count if count <= BACKS_IN_A_ROW else 1
    step = BACK_WIDTH + 2
    left = top.x - (shown * step - 2) / 2 - (9 if shown < count else 0)
    drawn = "".join(_back(side, Point(left + nth * step, top.y + 1)) for nth in range(shown))
    if shown < count:
        drawn += text(Point(left + step + 2, top.y + 13), f"×{count}", "chip")
    return drawn


def _back(side: Side, corner: Point) -> str:
    x, y = number(corner.x), number(corner.y)
    lines = f"M{number(corner.x + 4)} {number(corner.y + 2.5)}v12m2.5-12v12m2.5-12v12"
    return (
        f'<rect class="back {side}" x="{x}" y="{y}" width="{number(BACK_WIDTH)}" height="17" '
        f'rx="2"/><path class="hatch" d="{lines}"/>'
    )
