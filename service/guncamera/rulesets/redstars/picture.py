"""The board as a picture: SVG that stands alone, readable on a phone, in light and dark.

From the top: turn and phase; the part of the table where the aircraft are; the cards of this turn
as far as they may be seen; both sides' aircraft with all that is known of them; and what the signs
mean. Soviet aircraft are solid and their lines whole, Japanese ones outlined and dashed, so that
color is never the only difference. Equal views give equal bytes.
"""

from __future__ import annotations

from guncamera.rules.svg import Point, number, safe, text
from guncamera.rules.words import HEAD, SMALL, USUAL, cut, width_of
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.orders import View
from guncamera.rulesets.redstars.picture_cards import cards
from guncamera.rulesets.redstars.picture_map import panel, window_on
from guncamera.rulesets.redstars.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.redstars.picture_rows import legend, rows
from guncamera.rulesets.redstars.picture_style import AIRCRAFT_SHAPE, STYLE
from guncamera.rulesets.redstars.picture_words import TITLE, description, heading, now

STRIP_HEIGHT, GAP = 50.0, 7.0


def picture(view: View, book: RedstarsBook) -> str:
    """The board as SVG."""
    window = window_on(view, STRIP_HEIGHT)
    key, end = legend(view, STRIP_HEIGHT + window.height + 3, book)
    laid, end = cards(view, end + GAP)
    listed, end = rows(view, end + GAP, book)
    high = number(end + MARGIN)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {high}" '
            'class="red" role="img" aria-labelledby="red-title red-desc">',
            f'<title id="red-title">{safe(f"{TITLE}: {heading(view)}")}</title>',
            f'<desc id="red-desc">{safe(description(view, book))}</desc>',
            f"<style>{STYLE}</style>",
            f'<defs><path id="red-aircraft" d="{AIRCRAFT_SHAPE}"/></defs>',
            f'<rect class="page" width="{PICTURE_WIDTH}" height="{high}"/>',
            _strip(view),
            panel(view, window, book),
            key,
            laid,
            listed,
            "</svg>\n",
        )
    )


def _strip(view: View) -> str:
    """Turn, phase, and what is to be done."""
    head = heading(view)
    room = INNER_WIDTH - width_of(head, HEAD, bold=True) - 10
    phase = f"phase: {view.phase.value}"
    return (
        text(Point(MARGIN, 21), head, "head")
        + text(Point(PICTURE_WIDTH - MARGIN, 21), cut(phase, room, SMALL), "soft", "end")
        + text(Point(MARGIN, 40), cut(now(view), INNER_WIDTH, USUAL, bold=True), "strong")
    )
