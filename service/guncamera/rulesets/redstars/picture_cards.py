"""The cards of this turn: faces, backs, and places where none lies yet."""

from __future__ import annotations

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut
from guncamera.rulesets.redstars.orders import Card, Craft, Phase, View
from guncamera.rulesets.redstars.picture_measure import INNER_WIDTH, MARGIN
from guncamera.rulesets.redstars.picture_words import card_lines
from guncamera.rulesets.redstars.waves import chooses

IN_A_ROW, GAP = 4, 6.0
WIDTH = (INNER_WIDTH - (IN_A_ROW - 1) * GAP) / IN_A_ROW
HEIGHT, LINE = 78.0, 13.5
MOST_LINES = 4


def cards(view: View, top: float) -> tuple[str, float]:
    """A card for each aircraft that flies and chooses, and where they end."""
    shown = [one for one in view.craft if _lies(one, view)]
    if not shown or view.phase == Phase.FINISHED:
        return "", top
    drawn = [text(Point(MARGIN, top + 12), "Cards of this turn", "strong")]
    top += 19
    for nth, one in enumerate(shown):
        corner = Point(
            MARGIN + nth % IN_A_ROW * (WIDTH + GAP), top + nth // IN_A_ROW * (HEIGHT + GAP)
        )
        drawn.append(_card(one, view, corner))
    rows = (len(shown) + IN_A_ROW - 1) // IN_A_ROW
    return "".join(drawn), top + rows * (HEIGHT + GAP)


def _lies(one: Craft, view: View) -> bool:
    card = _card_of(one, view)
    return card is not None or (one.end is None and chooses(one.aircraft))


def _card_of(one: Craft, view: View) -> Card | None:
    return next((card for card in view.cards if card.aircraft == one.aircraft.id), None)


def _card(one: Craft, view: View, corner: Point) -> str:
    card = _card_of(one, view)
    if card is None:
        words = "chooses" if one.aircraft.id in view.choosing else "waits"
        return _box("slot", corner) + _words(one, [words], corner)
    lines = card_lines(card)
    if card.choice is None:
        return _box(f"back {one.side}", corner) + _back(one, lines, corner)
    return _box(f"face {one.side}", corner) + _words(one, lines, corner)


def _box(style: str, corner: Point) -> str:
    return (
        f'<rect class="{style}" x="{number(corner.x + 1)}" y="{number(corner.y + 1)}" '
        f'width="{number(WIDTH - 2)}" height="{number(HEIGHT - 2)}" rx="5"/>'
    )


def _back(one: Craft, told: list[str], corner: Point) -> str:
    """Hatching, and the id on a plate; with it what the pilot has told, where he has."""
    lines = "".join(
        f"M{number(corner.x + 6 + 9 * nth)} {number(corner.y + 5)}v{number(HEIGHT - 10)}"
        for nth in range(int((WIDTH - 6) / 9))
    )
    high = 16 + LINE * len(told[:MOST_LINES]) if told else 17
    top = corner.y + (HEIGHT - high) / 2
    plate = (
        f'<rect class="plate" x="{number(corner.x + 5)}" y="{number(top)}" '
        f'width="{number(WIDTH - 10)}" height="{number(high)}" rx="3"/>'
    )
    words = _words(one, told, Point(corner.x, top - 3), aside=7)
    return f'<path class="hatch" d="{lines}"/>{plate}{words}'


def _words(one: Craft, lines: list[str], corner: Point, aside: float = 5.5) -> str:
    """The id, and lines below it."""
    room = WIDTH - 2 * aside
    name = cut(one.aircraft.id, room, LEAST, bold=True)
    drawn = [text(Point(corner.x + aside, corner.y + 15), name, f"least strong {one.side}-words")]
    for nth, line in enumerate(lines[:MOST_LINES], start=1):
        at = Point(corner.x + aside, corner.y + 15 + LINE * nth)
        drawn.append(text(at, cut(line, room, LEAST), "least" if nth > 1 else "deed"))
    return "".join(drawn)
