"""The rows of the picture: each side and its aircraft, with everything that is known of them."""

from __future__ import annotations

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import SMALL, USUAL, cut, width_of, wrapped
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.orders import Craft, Side, View
from guncamera.rulesets.redstars.picture_map import mark_at, piece
from guncamera.rulesets.redstars.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.redstars.picture_style import CROSS_SHAPE
from guncamera.rulesets.redstars.picture_words import (
    MARK_WORDS,
    book_in,
    facts_of,
    loss,
    marks_on,
    shot_sentence,
    side_name,
    title_of,
    troubles,
)

INDENT, LINE, ROW_GAP = 26, 15.0, 5.0
BAR = 72.0
BETWEEN = " · "
HARMLESS = ("left_table", "landed")


def rows(view: View, top: float, book: RedstarsBook) -> tuple[str, float]:
    """Both sides, and where the rows end."""
    drawn = []
    for side in Side:
        drawn.append(_side(side, view, top))
        top += 23
        for one in view.craft:
            if one.side == side:
                words, top = _row(one, view, top, book)
                drawn.append(words)
        top += ROW_GAP
    return "".join(drawn), top


def _side(side: Side, view: View, top: float) -> str:
    downed = sum(
        one.side != side and one.end is not None and one.end.value not in HARMLESS
        for one in view.craft
    )
    flying = sum(one.side == side and one.end is None for one in view.craft)
    rule = f'<path class="grid" d="M{MARGIN} {number(top)}H{MARGIN + INNER_WIDTH}"/>'
    drawn = text(Point(MARGIN, top + 17), f"{side_name(side)} side", f"strong {side}-words")
    words = f"{flying} flying · {downed} {'enemy' if downed == 1 else 'enemies'} downed"
    return rule + drawn + text(Point(PICTURE_WIDTH - MARGIN, top + 17), words, "soft", "end")


def _row(one: Craft, view: View, top: float, book: RedstarsBook) -> tuple[str, float]:
    """One aircraft: pilot, flight, guns, and what is wrong; for a lost one, how it was lost."""
    y = top + 12
    if one.end is not None:
        return _lost(one, view, y, book), y + ROW_GAP + 3
    drawn = [
        piece(one.side.value, Point(MARGIN + 10, y + 2), 0, 19),
        _title(one, view, y, book),
        _damage(one, view, y, book),
    ]
    room = INNER_WIDTH - INDENT
    for line in wrapped(facts_of(one, view, book), room, SMALL):
        y += LINE
        drawn.append(text(Point(MARGIN + INDENT, y), line, "soft"))
    for line in wrapped(troubles(one, view, book), room / 1.07, SMALL):
        y += LINE
        drawn.append(text(Point(MARGIN + INDENT, y), line, "hurt"))
    return "".join(drawn), y + ROW_GAP + 3


def _title(one: Craft, view: View, y: float, book: RedstarsBook) -> str:
    """Id and type, as far as the damage leaves room."""
    room = INNER_WIDTH - INDENT - BAR - 46
    name = cut(one.aircraft.id, room, USUAL, bold=True)
    used = width_of(name, USUAL, bold=True) + 6
    drawn = text(Point(MARGIN + INDENT, y), name, f"strong {one.side}-words")
    if room - used < 30:
        return drawn
    kind = cut(title_of(view, one.aircraft, book), room - used, SMALL)
    return drawn + text(Point(MARGIN + INDENT + used, y), kind, "small")


def _damage(one: Craft, view: View, y: float, book: RedstarsBook) -> str:
    """Damage of damage points, as a figure and a bar of what is left."""
    data_book = book_in(view, one.aircraft, book)
    taken, right = condition_of(one.aircraft).damage, PICTURE_WIDTH - MARGIN
    whole = data_book.damage_points if data_book else max(taken, 1)
    left = BAR * max(whole - taken, 0) / whole
    start = right - 42 - BAR
    sides = f'y="{number(y - 8)}" height="8"'
    return (
        text(Point(right, y), f"{taken}/{whole}", "small strong", "end")
        + f'<rect class="pip gone" x="{number(start)}" width="{number(BAR)}" {sides}/>'
        + f'<rect class="pip" x="{number(start)}" width="{number(left)}" {sides}/>'
    )


def _lost(one: Craft, view: View, y: float, book: RedstarsBook) -> str:
    cross = (
        f'<path class="lost {one.side}" transform="translate({MARGIN + 10} {number(y - 4)}) '
        f'scale(1.6)" d="{CROSS_SHAPE}"/>'
    )
    room = INNER_WIDTH - INDENT
    name = cut(one.aircraft.id, room / 2, USUAL, bold=True)
    used = width_of(name, USUAL, bold=True) + 6
    words = f"{loss(one, view)}{BETWEEN}{title_of(view, one.aircraft, book)}"
    drawn = text(Point(MARGIN + INDENT, y), name, f"strong {one.side}-words")
    kept = cut(words, room - used, SMALL)
    return cross + drawn + text(Point(MARGIN + INDENT + used, y), kept, "soft")


# ---- What the signs mean


def legend(view: View, top: float, book: RedstarsBook) -> tuple[str, float]:
    """The signs of this picture and its shots in words, and where they end."""
    flying = [one for one in view.craft if one.end is None]
    marks = dict.fromkeys(mark for one in flying for mark in marks_on(one, book))
    words = ["square 10 in", "wedge: forward arc, gun range"]
    if any(one.discs for one in flying):
        words.append("circles: discs of the last move, orange: tweaked")
    if any(one.tails for one in flying):
        words.append("dots: tails")
    if view.shots:
        words.append("arrow: shot and damage, star: special hit")
    drawn, y, x = [], top + 12, float(MARGIN)
    for mark in marks:
        drawn.append(mark_at(mark, Point(x + 7, y - 4), "key mark"))
        drawn.append(text(Point(x + 17, y), MARK_WORDS[mark], "least"))
        x += 30 + width_of(MARK_WORDS[mark], 11)
    if marks:
        y += LINE
    for line in wrapped(words, INNER_WIDTH, 11):
        drawn.append(text(Point(MARGIN, y), line, "least"))
        y += LINE
    for shot in view.shots:
        line = cut(shot_sentence(shot), INNER_WIDTH, SMALL)
        drawn.append(text(Point(MARGIN, y + 3), line, "small"))
        y += LINE
    return "".join(drawn), y - LINE + 6
