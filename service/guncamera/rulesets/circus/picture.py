"""The board as a picture: SVG that stands alone, readable on a phone, in light and dark.

From the top: turn, phase, sky; the part of the map where the aircraft are; their heights; the range
of the last shot and of the nearest that may be fired, from the side; both sides' aircraft with all
that is known of them; the whole map, and what the signs mean. The first
side's aircraft are solid and its lines whole, the second's outlined and dashed, so that color is
never the only difference. Equal views give equal bytes.
"""

from __future__ import annotations

from guncamera.rules.svg import Point, number, safe, text
from guncamera.rules.words import HEAD, SMALL, USUAL, cut, width_of
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.orders import View
from guncamera.rulesets.circus.picture_action import panel
from guncamera.rulesets.circus.picture_heights import heights
from guncamera.rulesets.circus.picture_inset import foot
from guncamera.rulesets.circus.picture_map import CLOUD_SHAPE, INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.circus.picture_range import ranges
from guncamera.rulesets.circus.picture_rows import rows
from guncamera.rulesets.circus.picture_style import (
    AIRCRAFT_SHAPE,
    CROSS_SHAPE,
    MARKS,
    STAR_SHAPE,
    STEPS,
    STYLE,
)
from guncamera.rulesets.circus.picture_words import (
    description,
    heading,
    now,
    order_of_play,
    sky,
)

STRIP_HEIGHT = 66
GAP = 6.0


def picture(view: View, book: CircusBook) -> str:
    """The board as SVG."""
    action, window = panel(view, STRIP_HEIGHT, book)
    profile, end = heights(view, STRIP_HEIGHT + window.height + GAP)
    sides, end = ranges(view, end, book)
    listed, end = rows(view, end + GAP, book)
    below, end = foot(view, window, end + GAP, book)
    high = number(end + MARGIN)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {high}" '
            'class="cir" role="img" aria-labelledby="cir-title cir-desc">',
            f'<title id="cir-title">{safe(f"Flying Circus Plus: {heading(view)}")}</title>',
            f'<desc id="cir-desc">{safe(description(view, book))}</desc>',
            f"<style>{STYLE}</style>",
            _shapes(),
            f'<rect class="page" width="{PICTURE_WIDTH}" height="{high}"/>',
            _strip(view),
            action,
            profile,
            sides,
            listed,
            below,
            "</svg>\n",
        )
    )


def _shapes() -> str:
    """The shapes that are drawn more than once."""
    shapes = {
        "aircraft": AIRCRAFT_SHAPE,
        "cross": CROSS_SHAPE,
        "star": STAR_SHAPE,
        "cloud": CLOUD_SHAPE,
        **STEPS,
        **{f"{name}-mark": shape for name, shape in MARKS.items()},
    }
    paths = (f'<path id="cir-{name}" d="{shape}"/>' for name, shape in shapes.items())
    return f"<defs>{''.join(paths)}</defs>"


def _strip(view: View) -> str:
    """Turn and order of play; what may be done, or who has won; sun and clouds."""
    right = PICTURE_WIDTH - MARGIN
    head = heading(view)
    room = INNER_WIDTH - width_of(head, HEAD, bold=True) - 10
    return "".join(
        (
            text(Point(MARGIN, 21), head, "head"),
            text(Point(right, 21), cut(order_of_play(view), room, SMALL), "soft", "end"),
            text(Point(MARGIN, 40), cut(now(view), INNER_WIDTH, USUAL, bold=True), "strong"),
            text(Point(MARGIN, 57), cut(", ".join(sky(view)), INNER_WIDTH, SMALL), "soft"),
        )
    )
