"""The foot of the picture: the whole map with the part that is shown, and the signs explained."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.hexes import HexDirection
from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut
from guncamera.rulesets.circus.aircraft import Pose, Side
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.orders import View
from guncamera.rulesets.circus.picture_action import aircraft_shape, marks_of
from guncamera.rulesets.circus.picture_map import (
    INNER_WIDTH,
    MARGIN,
    PICTURE_WIDTH,
    Window,
    edge_lines,
    hex_of,
    map_size,
)
from guncamera.rulesets.circus.picture_style import MARK_WORDS, STEP_WORDS

WIDEST, HIGHEST = 138, 118
ROOM = 8.0
KEY_LEFT, KEY_COLUMNS, KEY_LINE = MARGIN + WIDEST + 12, 2, 15.0
TURNS = {"east": 0, "northeast": -60, "northwest": -120, "west": 180, "southwest": 120,
         "southeast": 60}  # fmt: skip
PIPS = '<path class="pip" d="M-5-4h4v8h-4z"/><path class="pip gone" d="M1-4h4v8h-4z"/>'
DART = "M6 0L-4-4.5L-1.5 0L-4 4.5Z"


def foot(view: View, window: Window, top: float, book: CircusBook) -> tuple[str, float]:
    """Both, and where they end."""
    inset, inset_end = _inset(view, window, top, book)
    key, key_end = _key(view, top)
    return inset + key, max(inset_end, key_end)


# ---- The whole map


def _inset(view: View, window: Window, top: float, book: CircusBook) -> tuple[str, float]:
    size = map_size(book)
    hex_width = min((WIDEST - 2 * ROOM) / size.x, (HIGHEST - 2 * ROOM) / size.y)
    wide, high = size.x * hex_width + 2 * ROOM, size.y * hex_width + 2 * ROOM
    origin = Point(-ROOM / hex_width, -ROOM / hex_width)
    whole = Window(Point(MARGIN, top), wide, high, hex_width, origin)
    x, y = number(MARGIN + ROOM), number(top + ROOM)
    drawn = [
        f'<rect class="off" x="{MARGIN}" y="{number(top)}" width="{number(wide)}" '
        f'height="{number(high)}"/>',
        f'<rect class="hex" x="{x}" y="{y}" width="{number(wide - 2 * ROOM)}" '
        f'height="{number(high - 2 * ROOM)}"/>',
        *_clouds(view, whole, book),
        edge_lines(whole, view, book),
        _shown(window, whole),
        *_darts(view, whole, book),
    ]
    return "".join(drawn), top + high


def _clouds(view: View, whole: Window, book: CircusBook) -> Iterator[str]:
    radius = number(max(whole.hex_width * 0.5, 1.5))
    for hex_ in dict.fromkeys(hex_of(cloud.hex, book) for cloud in view.clouds):
        at = whole.centre(hex_)
        yield f'<circle class="cloud far" cx="{number(at.x)}" cy="{number(at.y)}" r="{radius}"/>'


def _shown(window: Window, whole: Window) -> str:
    """The frame of what the panel shows."""
    start = whole.kept(whole.place(window.origin), 1, 1)
    far = Point(
        window.origin.x + window.width / window.hex_width,
        window.origin.y + window.height / window.hex_width,
    )
    end = whole.kept(whole.place(far), 1, 1)
    return (
        f'<rect class="frame" x="{number(start.x)}" y="{number(start.y)}" '
        f'width="{number(end.x - start.x)}" height="{number(end.y - start.y)}"/>'
    )


def _darts(view: View, whole: Window, book: CircusBook) -> Iterator[str]:
    """A dart for each aircraft that flies, and a cross for each that was lost."""
    for craft in sorted(view.craft, key=lambda one: one.end is None):
        at = whole.kept(whole.centre(hex_of(craft.aircraft.hex, book)), 5, 5)
        where = f"translate({number(at.x)} {number(at.y)})"
        if craft.end is None:
            turn = TURNS[craft.aircraft.facing.value]
            yield f'<path class="{craft.side}" d="{DART}" transform="{where} rotate({turn})"/>'
        else:
            cross = f'<use href="#cir-cross" class="lost {craft.side}"'
            yield f'{cross} transform="{where} scale(.7)"/>'


# ---- The signs


def _key(view: View, top: float) -> tuple[str, float]:
    """What each sign means that this picture has, in two columns beside the map."""
    entries = list(_entries(view))
    width = (INNER_WIDTH + MARGIN - KEY_LEFT) / KEY_COLUMNS
    drawn = []
    for nth, (sign, words) in enumerate(entries):
        row, column = divmod(nth, KEY_COLUMNS)
        at = Point(KEY_LEFT + column * width, top + 8 + KEY_LINE * row)
        room = min(width, PICTURE_WIDTH - MARGIN - at.x) - 20
        drawn.append(f'<g transform="translate({number(at.x + 7)} {number(at.y)})">{sign}</g>')
        drawn.append(text(Point(at.x + 18, at.y + 4), cut(words, room, LEAST), "least"))
    return "".join(drawn), top + 8 + KEY_LINE * -(-len(entries) // KEY_COLUMNS)


def _entries(view: View) -> Iterator[tuple[str, str]]:
    flying = [craft for craft in view.craft if craft.end is None]
    for side in Side:
        yield aircraft_shape(side, Point(0, 0), HexDirection.EAST, 15), f"{side} side"
    poses = {step.pose for craft in flying for step in craft.path[1:]}
    for pose in Pose:
        if pose in poses:
            hollow = " open" if pose in (Pose.SHALLOW_DIVE, Pose.HANGING) else ""
            yield f'<use href="#cir-{pose}" class="step second{hollow}"/>', STEP_WORDS[pose.value]
    marks = {mark for craft in flying for mark in marks_of(craft)}
    for mark, words in MARK_WORDS.items():
        if mark in marks:
            yield f'<use href="#cir-{mark}-mark" class="mark key" transform="scale(.9)"/>', words
    yield from _shot_entries(view)
    yield PIPS, "resolution"
    if any(craft.end is not None for craft in view.craft):
        yield '<use href="#cir-cross" class="lost first"/>', "lost"
    if view.clouds:
        yield '<use href="#cir-cloud" class="cloud" transform="scale(.2)"/>', "cloud"
    if view.sun is not None:
        yield '<use href="#cir-star" class="sun" transform="scale(.7)"/>', "sun"


def _shot_entries(view: View) -> Iterator[tuple[str, str]]:
    if view.shots:
        yield '<circle class="hit" r="5.5"/>', "hits"
    if any(shot.critical for shot in view.shots):
        yield '<use href="#cir-star" class="critical" transform="scale(.7)"/>', "critical hit"
    if view.opportunities:
        yield '<path class="bears" d="M-7 0H8"/>', "may fire"
