"""The board as a picture: SVG that stands alone, readable on a phone, in light and dark.

From the top: turn, phase and points; the table with both sides' lines, ships or what hides them,
and the cards at them; the flights of this turn; and for each side its cards with their numbers and
the damage that was announced. US ships are solid, Japanese ones outlined, so that color is never
the only difference. It is drawn from the view alone, and equal views give equal bytes.
"""

from __future__ import annotations

from guncamera.rules.svg import Point, number, safe, text
from guncamera.rules.words import HEAD, SMALL, USUAL, cut, width_of
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.orders import View
from guncamera.rulesets.carriers.picture_flights import arrows, listed
from guncamera.rulesets.carriers.picture_layout import laid_out
from guncamera.rulesets.carriers.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.carriers.picture_rows import legend, sides
from guncamera.rulesets.carriers.picture_style import STYLE
from guncamera.rulesets.carriers.picture_table import table
from guncamera.rulesets.carriers.picture_words import (
    NAMES,
    PHASES,
    TITLE,
    description,
    first_told,
    heading,
    now,
)

STRIP = 68.0
GAP = 8.0


def picture(view: View, book: CarriersBook) -> str:
    """The board as SVG."""
    layout = laid_out(view, STRIP)
    signs, end = legend(view, layout.bottom + 3)
    flights, end = listed(view, end + GAP)
    below, end = sides(view, end + GAP, book)
    high = number(end + MARGIN)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {high}" '
            'class="car" role="img" aria-labelledby="car-title car-desc">',
            f'<title id="car-title">{safe(f"{TITLE}: {heading(view)}")}</title>',
            f'<desc id="car-desc">{safe(description(view))}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{PICTURE_WIDTH}" height="{high}"/>',
            _strip(view),
            table(view, layout, book),
            arrows(view, layout),
            signs,
            flights,
            below,
            "</svg>\n",
        )
    )


def _strip(view: View) -> str:
    """Turn, phase, who acts, and the points."""
    right = float(PICTURE_WIDTH - MARGIN)
    drawn = [text(Point(MARGIN, 21), heading(view), "head")]
    for fleet in reversed(view.fleets):
        score = f"{NAMES[fleet.side]} {fleet.points}"
        drawn.append(text(Point(right, 21), score, f"score {fleet.side}-words", "end"))
        right -= width_of(score, HEAD, bold=True) + 10
    act = cut(now(view), INNER_WIDTH, USUAL, bold=True)
    drawn.append(text(Point(MARGIN, 41), act, "strong"))
    about = " · ".join(part for part in (PHASES[view.phase], first_told(view)) if part)
    drawn.append(text(Point(MARGIN, 59), cut(about, INNER_WIDTH, SMALL), "soft"))
    return "".join(drawn)
