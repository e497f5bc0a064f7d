"""The flights of the picture: the last ones as arrows with what came of them, and all in words."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import SMALL, cut
from guncamera.rulesets.carriers.cards import GONE
from guncamera.rulesets.carriers.orders import Fate, Flight, View
from guncamera.rulesets.carriers.picture_layout import BAND, Cell, Layout, height_of, middle
from guncamera.rulesets.carriers.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.carriers.picture_style import BURST_SHAPE
from guncamera.rulesets.carriers.picture_words import NAMES, fate_told, flight_told

DRAWN, LISTED = 3, 8
LINE = 15.0
RADIUS = 8.0
_TELLING = (Fate.HIT, Fate.REVEALED)


def arrows(view: View, layout: Layout) -> str:
    """The last flights, the very last one on top."""
    count = len(view.flights)
    drawn = [
        _arrow(nth, view, layout, count - nth)
        for nth in range(max(count - DRAWN, 0) + 1, count + 1)
    ]
    return "".join(drawn) + (_told(view.flights[-1], layout) if count else "")


def slot_now(nth: int, flights: Sequence[Flight]) -> int | None:
    """Where the target of a flight stands since its line has closed up; None: it is gone."""
    flight = flights[nth - 1]
    slot = flight.target.slot
    for later in flights[nth - 1 :]:
        hit = later.side == flight.side and later.target.line == flight.target.line
        if not hit or not GONE.intersection(later.keys):
            continue
        if later.target.slot == slot:
            return None
        slot -= later.target.slot < slot
    return slot


def _told(flight: Flight, layout: Layout) -> str:
    """The last flight in words, on the open sea."""
    head = f"{NAMES[flight.side]}: {flight_told(flight).partition(':')[0]}"
    room = INNER_WIDTH - 12
    at = Point(PICTURE_WIDTH / 2, layout.band + 17)
    below = Point(PICTURE_WIDTH - MARGIN - 6, layout.band + BAND - 8)
    return text(
        at, cut(head, room, SMALL, bold=True), f"small strong {flight.side}-words", "middle"
    ) + text(below, cut(fate_told(flight), room - 110, SMALL, bold=True), "small strong", "end")


def _arrow(nth: int, view: View, layout: Layout, back: int) -> str:
    """From the open sea along the gutter to the ship; turned back it ends before the cards.

    Args:
        back: How many flights came after it.
    """
    flight, slot = view.flights[nth - 1], slot_now(nth, view.flights)
    cell = None if slot is None else layout.cell(flight.side.other, flight.target.line, slot)
    if cell is None:
        return ""
    upward = flight.side == layout.lower
    start = layout.band + (2 if upward else BAND - 2)
    style = "way" + (" old" if back else "") + (" look" if flight.weapon is None else "")
    x = cell.left + 1 + 3 * back
    if flight.fate == Fate.TURNED_BACK:
        return _turned(nth, Point(x, start), _front(cell, upward=upward), style)
    at = middle(cell, layout)
    bend, ring = (8, layout.band - RADIUS) if upward else (-8, layout.band + BAND + RADIUS)
    beside = at.y + (bend / 8) * (19 + 18 * back)
    beside = min(beside, ring) if upward else max(beside, ring)
    tip = Point(x + 11, at.y)
    path = f"M{number(x)} {number(start)}V{number(at.y + bend)}"
    path += f"Q{number(x)} {number(at.y)} {number(x + 7)} {number(at.y)}"
    old = " old" if back else ""
    dart = f"M{number(tip.x)} {number(tip.y)}l-7-4v8z"
    return f'<path class="{style}" d="{path}"/><path class="dart{old}" d="{dart}"/>' + _mark(
        nth, flight.fate, tip, Point(x, beside)
    )


def _front(cell: Cell, *, upward: bool) -> float:
    """Just before the cards of a ship."""
    return cell.front + height_of(cell.slot.front) + 3 if upward else cell.front - 2


def _turned(nth: int, start: Point, y: float, style: str) -> str:
    way = -7 if start.y < y else 7
    bar = f"M{number(start.x - 5)} {number(y - way / 2)}h10"
    path = f"M{number(start.x)} {number(start.y)}V{number(y + way)}h12"
    return f'<path class="{style}" d="{path}"/><path class="bar" d="{bar}"/>' + _ring(
        nth, Point(start.x + 12, y + 2 * way)
    )


def _mark(nth: int, fate: Fate, tip: Point, beside: Point) -> str:
    """What came of it: a burst at the ship, a ring on the way there, or nothing yet."""
    if fate == Fate.INBOUND:
        return ""
    if fate != Fate.HIT:
        return _ring(nth, beside)
    at = Point(tip.x + RADIUS, tip.y)
    place = f"translate({number(at.x)} {number(at.y)}) scale(1.25)"
    burst = f'<path class="burst" transform="{place}" d="{BURST_SHAPE}"/>'
    return burst + text(Point(at.x, at.y + 4), str(nth), "letter", "middle")


def _ring(nth: int, at: Point) -> str:
    at = Point(max(at.x, MARGIN + RADIUS + 1), at.y)
    ring = f'<circle class="ring" cx="{number(at.x)}" cy="{number(at.y)}" r="{number(RADIUS)}"/>'
    return ring + text(Point(at.x, at.y + 4), str(nth), "least strong", "middle")


# ---- In words


def listed(view: View, top: float) -> tuple[str, float]:
    """The flights of this turn, the last one first; where they end."""
    if not view.flights:
        return "", top
    drawn = [text(Point(MARGIN, top + 13), "Flights of this turn", "strong")]
    y = top + 13
    numbered = list(enumerate(view.flights, start=1))[::-1]
    for nth, flight in numbered[:LISTED]:
        y += LINE
        told = f"{nth} {NAMES[flight.side]}: {flight_told(flight)}"
        bold = flight.fate in _TELLING
        style = "small strong" if bold else "small"
        drawn.append(text(Point(MARGIN, y), cut(told, INNER_WIDTH, SMALL, bold=bold), style))
    if len(numbered) > LISTED:
        y += LINE
        drawn.append(text(Point(MARGIN, y), f"and {len(numbered) - LISTED} before", "soft"))
    return "".join(drawn), y + 10
