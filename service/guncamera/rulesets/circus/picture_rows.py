"""The rows of the picture: each side and its aircraft, with everything that is known of them."""

from __future__ import annotations

from guncamera.rules.hexes import HexDirection
from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import SMALL, USUAL, cut, width_of, wrapped
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.orders import Craft, View
from guncamera.rulesets.circus.picture_action import aircraft_shape
from guncamera.rulesets.circus.picture_map import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.circus.picture_style import CROSS_SHAPE
from guncamera.rulesets.circus.picture_words import (
    guns,
    loss,
    position,
    side_words,
    spotted_by,
    title_of,
    troubles,
)

INDENT = 26
LINE, ROW_GAP = 15.0, 5.0
MOST_PIPS, PIP = 18, 5.5
BETWEEN = " · "


def rows(view: View, top: float, book: CircusBook) -> tuple[str, float]:
    """Both sides, and where the rows end."""
    drawn = []
    for side in Side:
        words, top = _side(side, view, top)
        drawn.append(words)
        for craft in view.craft:
            if craft.side == side:
                words, top = _row(craft, view, top, book)
                drawn.append(words)
        top += ROW_GAP
    return "".join(drawn), top


def _side(side: Side, view: View, top: float) -> tuple[str, float]:
    name = f"{side.value.capitalize()} side"
    room = INNER_WIDTH - width_of(name, USUAL, bold=True) - 12
    words = cut(BETWEEN.join(side_words(side, view)), room, SMALL)
    rule = f'<path class="grid" d="M{MARGIN} {number(top)}H{MARGIN + INNER_WIDTH}"/>'
    drawn = text(Point(MARGIN, top + 17), name, f"strong {side}-words")
    drawn += text(Point(PICTURE_WIDTH - MARGIN, top + 17), words, "soft", "end")
    return rule + drawn, top + 23


def _row(craft: Craft, view: View, top: float, book: CircusBook) -> tuple[str, float]:
    """One aircraft: who, where, guns, and what is wrong; for a lost one, how it was lost."""
    if craft.end is not None:
        return _lost(craft, view, top, book)
    y = top + 12
    drawn = [
        aircraft_shape(craft.side, Point(MARGIN + 10, y + 2), HexDirection.EAST, 19),
        _title(craft, view, y, book),
        _pips(craft, y, book),
    ]
    seen = spotted_by(craft, view)
    facts = [*position(craft), *guns(craft, view, book), *([seen] if seen else [])]
    for line in wrapped(facts, _room(), SMALL, between=BETWEEN):
        y += LINE
        drawn.append(text(Point(MARGIN + INDENT, y), line, "soft"))
    for line in wrapped(troubles(craft, view, book), _room() / 1.07, SMALL, between=BETWEEN):
        y += LINE
        drawn.append(text(Point(MARGIN + INDENT, y), line, "hurt"))
    return "".join(drawn), y + ROW_GAP + 3


def _room() -> float:
    return INNER_WIDTH - INDENT


def _title(craft: Craft, view: View, y: float, book: CircusBook) -> str:
    """Id and type, as far as the pips leave room."""
    room = _room() - _whole(craft, book) * PIP - 30
    name = cut(craft.aircraft.id, room, USUAL, bold=True)
    used = width_of(name, USUAL, bold=True) + 6
    drawn = text(Point(MARGIN + INDENT, y), name, f"strong {craft.side}-words")
    if room - used < 30:
        return drawn
    kind = cut(title_of(craft.aircraft.aeroplane, view, book), room - used, SMALL)
    return drawn + text(Point(MARGIN + INDENT + used, y), kind, "small")


def _pips(craft: Craft, y: float, book: CircusBook) -> str:
    """The pilot's resolution: a figure, and a pip for each point; lost ones are hollow."""
    left = craft.aircraft.resolution
    whole = _whole(craft, book)
    right = PICTURE_WIDTH - MARGIN
    drawn = [text(Point(right, y), str(left), "small strong", "end")]
    begin = right - 24 - whole * PIP
    for nth in range(whole):
        gone = "" if nth < left else " gone"
        drawn.append(
            f'<rect class="pip{gone}" x="{number(begin + nth * PIP)}" y="{number(y - 8)}" '
            'width="4" height="8"/>'
        )
    return "".join(drawn)


def _whole(craft: Craft, book: CircusBook) -> int:
    """How many pips there are, lost ones included."""
    return min(max(craft.aircraft.resolution, book.settings.standard_resolution), MOST_PIPS)


def _lost(craft: Craft, view: View, top: float, book: CircusBook) -> tuple[str, float]:
    y = top + 12
    cross = (
        f'<path class="lost {craft.side}" transform="translate({MARGIN + 10} {number(y - 4)}) '
        f'scale(1.6)" d="{CROSS_SHAPE}"/>'
    )
    name = cut(craft.aircraft.id, _room() / 2, USUAL, bold=True)
    used = width_of(name, USUAL, bold=True) + 6
    kind = title_of(craft.aircraft.aeroplane, view, book)
    words = cut(f"{loss(craft, view)}{BETWEEN}{kind}", _room() - used, SMALL)
    drawn = text(Point(MARGIN + INDENT, y), name, f"strong {craft.side}-words")
    return cross + drawn + text(Point(MARGIN + INDENT + used, y), words, "soft"), y + ROW_GAP + 3
