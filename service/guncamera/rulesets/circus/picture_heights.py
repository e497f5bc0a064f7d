"""The heights of the picture: how each aircraft rose and fell in its last move, side by side."""

from __future__ import annotations

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut, width_of
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.orders import Craft, View
from guncamera.rulesets.circus.picture_map import INNER_WIDTH, MARGIN

CHART_HEIGHT, ABOVE, LINE = 66, 6, 13
SCALE_WIDTH = 46
STEPS_FEET = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
MOST_LINES = 4
LEAST_SPAN_FEET = 400
SHARE = 0.62
"""How much of an aircraft's column its move takes up."""


def heights(view: View, top: float) -> tuple[str, float]:
    """The chart, and where it ends; nothing where no aircraft flies."""
    flying = sorted(
        (craft for craft in view.craft if craft.end is None),
        key=lambda craft: craft.side != Side.FIRST,
    )
    if not flying:
        return "", top
    low, high = _span(flying)
    scale = _Scale(low, high, top + ABOVE)
    width = (INNER_WIDTH - SCALE_WIDTH) / len(flying)
    rows = 1 if all(_fits(craft, width) for craft in flying) else 2
    foot = top + ABOVE + CHART_HEIGHT + 3
    drawn = [_paper(top), *_lines(scale)]
    for nth, craft in enumerate(flying):
        left = MARGIN + SCALE_WIDTH + nth * width
        drawn.append(_column(craft, left, width, scale))
        row = nth % rows
        at = Point(left + width / 2, foot + LINE * row + 11)
        drawn.append(_name(craft, at, width * rows))
    end = foot + LINE * rows + 6
    return "".join(drawn), end


class _Scale:
    """Feet to places in the chart."""

    def __init__(self, low: int, high: int, top: float) -> None:
        self.low, self.high, self.top = low, high, top

    def y(self, feet: int) -> float:
        """Where a height is; below the lowest and above the highest there is no room."""
        feet = min(max(feet, self.low), self.high)
        return self.top + CHART_HEIGHT * (self.high - feet) / (self.high - self.low)


def _span(flying: list[Craft]) -> tuple[int, int]:
    """The lowest and the highest of the chart, with a little room."""
    feet = [craft.aircraft.altitude_feet for craft in flying]
    feet += [step.altitude_feet for craft in flying for step in craft.path]
    low, high = min(feet), max(feet)
    room = max(LEAST_SPAN_FEET - (high - low), (high - low) // 5, 100) // 2
    return max(low - room, 0), high + room


def _lines(scale: _Scale) -> list[str]:
    """Heights with their figures, at round steps."""
    span = scale.high - scale.low
    step = next((one for one in STEPS_FEET if span / one <= MOST_LINES), STEPS_FEET[-1])
    drawn = []
    for feet in range(-(-scale.low // step) * step, scale.high + 1, step):
        y = scale.y(feet)
        drawn.append(
            f'<path class="grid" d="M{MARGIN + SCALE_WIDTH} {number(y)}H{MARGIN + INNER_WIDTH}"/>'
        )
        drawn.append(text(Point(MARGIN + SCALE_WIDTH - 4, y + 4), f"{feet:,}", "least", "end"))
    return drawn


def _paper(top: float) -> str:
    return (
        f'<rect class="paper" x="{MARGIN + SCALE_WIDTH}" y="{number(top + ABOVE)}" '
        f'width="{INNER_WIDTH - SCALE_WIDTH}" height="{CHART_HEIGHT}"/>'
    )


def _column(craft: Craft, left: float, width: float, scale: _Scale) -> str:
    """The heights of the last move from left to right, and a mark at its end."""
    begin, along = left + width * (1 - SHARE) / 2, width * SHARE
    now = craft.aircraft.altitude_feet
    spent = craft.path[-1].mp if craft.path else 0
    points = [
        Point(begin + along * step.mp / max(spent, 1), scale.y(step.altitude_feet))
        for step in craft.path
    ]
    end = Point(begin + along, scale.y(now)) if points else Point(left + width / 2, scale.y(now))
    line = "L".join(f"{number(at.x)} {number(at.y)}" for at in [*points, end])
    side = craft.side.value
    where = f'cx="{number(end.x)}" cy="{number(end.y)}"'
    mark = f'<circle class="{side}" stroke-width="2" {where} r="4.5"/>'
    return (f'<path class="rise {side}" d="M{line}"/>' if points else "") + mark


def _fits(craft: Craft, width: float) -> bool:
    return width_of(craft.aircraft.id, LEAST, bold=True) <= width - 4


def _name(craft: Craft, at: Point, room: float) -> str:
    words = cut(craft.aircraft.id, room - 4, LEAST, bold=True)
    half = width_of(words, LEAST, bold=True) / 2
    x = min(max(at.x, MARGIN + half), MARGIN + INNER_WIDTH - half)
    return text(Point(x, at.y), words, f"least strong {craft.side}-words", "middle")
