"""The plots of the page: matplotlib's SVG, the same to the byte, in the colors of the page.

Every color drawn is a stand-in, which is then replaced by a variable of the page's style sheet: so
one drawing is right on light and on dark ground.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from guncamera_tournament.faults import TournamentError
from guncamera_tournament.luck import Luck
from guncamera_tournament.report import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

INK, FAINT, LINE = "#010101", "#020202", "#030303"
SERIES = tuple(f"#0401{at:02x}" for at in range(8))
"""Pilots' colors, the first in the table first; later ones are drawn faint."""
ELO = "Elo, with 95 per cent intervals"
RATES = "Points a bout, with 95 per cent intervals"
RACE = "Points above an even score, bout by bout"
LENGTHS = "How long games lasted, in turns"
LUCK = "What the dice gave beyond what they promised"
_VARIABLES = {INK: "--ink", FAINT: "--faint", LINE: "--line"} | {
    color: f"--pilot-{at}" for at, color in enumerate(SERIES)
}
WIDE, ROW, HEAD, HIGH = 5.4, 0.36, 0.8, 3.0
"""In inches of the drawing; the page stretches it."""
LABEL_GAP = 1.1
"""Of a label's height, from one to the next."""
_STYLE: dict[str, Any] = {
    "svg.hashsalt": "guncamera",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 12.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": FAINT,
    "ytick.labelcolor": INK,
    "ytick.major.size": 0,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def plots(report: Report) -> dict[str, str]:
    """The SVG of each plot there is something for, by its title.

    Raises:
        TournamentError: The package `matplotlib` is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise TournamentError(
            "plots take the package matplotlib: pip install 'guncamera[tournament]'."
        ) from None
    # Not the user's own style, which would change the bytes.
    with mpl.rc_context():
        mpl.rcdefaults()
        for name, value in _STYLE.items():
            mpl.rcParams[name] = value  # type: ignore[index]  # its stubs list every name
        found = {
            ELO: _elo(report),
            RATES: _rates(report),
            RACE: _race(report),
            LENGTHS: _lengths(report),
        }
        if report.luck is not None:
            found[LUCK] = _luck(report, report.luck)
        return {title: _svg(figure) for title, figure in found.items()}


def color_of(rank: int) -> str:
    """The color of who stands there in the table, from 1."""
    return SERIES[rank - 1] if rank <= len(SERIES) else FAINT


def _figure(high: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE, high), layout="constrained")
    return figure, figure.add_subplot()


def _whiskers(
    names: Sequence[str], values: Sequence[tuple[float, float, float]]
) -> tuple[Figure, Axes]:
    """A row for each pilot: a point, and the line of its interval."""
    figure, axes = _figure(HEAD + ROW * len(names))
    for row, (value, low, high) in enumerate(values):
        color = color_of(row + 1)
        axes.plot([low, high], [row, row], color=color, linewidth=3.2, alpha=0.4,
                  solid_capstyle="round")  # fmt: skip
        axes.plot([value], [row], "o", color=color, markersize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    return figure, axes


def _elo(report: Report) -> Figure:
    rows = report.rows
    figure, axes = _whiskers(
        [row.pilot for row in rows], [(row.elo, row.elo_low, row.elo_high) for row in rows]
    )
    for at, row in enumerate(rows):
        axes.annotate(
            str(row.elo), (row.elo, at), xytext=(0, 7), textcoords="offset points", ha="center",
            fontsize=11, color=INK,
        )  # fmt: skip
    axes.axvline(1500, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
    return figure


def _rates(report: Report) -> Figure:
    rows = report.rows
    figure, axes = _whiskers(
        [row.pilot for row in rows],
        [(100 * row.rate, 100 * row.rate_low, 100 * row.rate_high) for row in rows],
    )
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
    axes.axvline(50, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
    return figure


def _race(report: Report) -> Figure:
    """Each pilot's points less half a point a bout, over its bouts in the order of their ids."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = _figure(HIGH)
    axes.grid(visible=True, axis="both")
    axes.tick_params(labelcolor=FAINT)
    labels = []
    for row in report.rows:
        color, at = color_of(row.rank), [0.0]
        for record in report.records:
            if row.pilot in record.pilots:
                at.append(at[-1] + record.points[row.pilot] - 0.5)
        axes.plot(range(len(at)), at, color=color, linewidth=2, drawstyle="steps-post")
        if row.rank <= len(SERIES):
            labels.append(
                axes.annotate(
                    row.pilot, (len(at) - 1, at[-1]), xytext=(5, 0), textcoords="offset points",
                    va="center", color=color, fontsize=12, annotation_clip=False,
                )
            )  # fmt: skip
    axes.axhline(0, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("bouts of a pilot")
    axes.margins(x=0.01)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -1), max(high, 1))
    _part(figure, labels)
    return figure


def _part(figure: Figure, labels: Sequence[Annotation]) -> None:
    """Move labels that lie over each other up and down, the better pilot's up."""
    for _ in range(2):  # what is moved changes the layout, and so a little where the points are
        figure.draw_without_rendering()
        boxes = [label.get_window_extent() for label in labels]
        for column in columns([(box.x0, box.x1) for box in boxes]):
            points = {at: _height(labels[at]) for at in column}
            least = LABEL_GAP * max(boxes[at].height for at in column)
            column.sort(key=lambda at: (points[at], -at))
            for at, high in zip(column, spread([points[at] for at in column], least)):
                labels[at].set_position((5, (high - points[at]) * 72 / figure.dpi))


def _height(label: Annotation) -> float:
    """Where on the drawing the end of a label's line is."""
    return float(label.axes.transData.transform(label.xy)[1])  # type: ignore[union-attr]


def columns(widths: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Labels that could lie over each other, for they share some width; by their places."""
    found: list[list[int]] = []
    reach = 0.0
    for at in sorted(range(len(widths)), key=lambda at: widths[at]):
        if not found or widths[at][0] > reach:
            found.append([])
        reach = max(reach, widths[at][1])
        found[-1].append(at)
    return found


def spread(heights: Sequence[float], least: float) -> list[float]:
    """Heights at least so far apart, and all together as near to the given ones as can be.

    Args:
        heights: In ascending order.
    """
    # Heaps of neighbours that touch: how many, and where the lowest of them stands.
    heaps: list[tuple[int, float]] = []
    for height in heights:
        count, low = 1, height
        while heaps and heaps[-1][1] + heaps[-1][0] * least > low:
            below, lowest = heaps.pop()
            low = (below * lowest + count * (low - below * least)) / (below + count)
            count += below
        heaps.append((count, low))
    return [low + at * least for count, low in heaps for at in range(count)]


def _luck(report: Report, luck: Luck) -> Figure:
    by_name = {one.pilot: one for one in luck.pilots}
    figure, axes = _figure(HEAD + ROW * len(report.rows))
    for at, row in enumerate(report.rows):
        one = by_name[row.pilot]
        reach = 1.96 * one.deviation
        axes.plot([-reach, reach], [at, at], color=LINE, linewidth=9, solid_capstyle="round")
        axes.plot([one.difference], [at], "o", color=color_of(row.rank), markersize=8)
    axes.axvline(0, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_yticks(range(len(report.rows)), [row.pilot for row in report.rows])
    axes.set_ylim(len(report.rows) - 0.4, -0.6)
    axes.set_xlabel(f"{luck.unit}, rolled less expected")
    return figure


def _lengths(report: Report) -> Figure:
    from matplotlib.ticker import MaxNLocator

    figure, axes = _figure(HIGH)
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    axes.tick_params(labelcolor=FAINT)
    turns = [board.turns for record in report.records for board in record.boards]
    longest = max(turns, default=0)
    width = max(-(-longest // 40), 1)
    counted = Counter(one // width for one in turns)
    axes.bar(
        [at * width + (width - 1) / 2 for at in sorted(counted)],
        [counted[at] for at in sorted(counted)],
        width=0.86 * width,
        color=SERIES[0],
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.set_xlabel("turns")
    axes.set_ylabel("games")
    return figure


def _svg(figure: Figure) -> str:
    """A figure as SVG to stand in a page: no preamble, no ids but those it needs, our colors."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Several drawings on one page would have the same ids; only those of shared shapes are used.
    svg = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", svg)
    svg = re.sub(r' width="[\d.]+pt" height="[\d.]+pt"', ' role="img"', svg, count=1)
    svg = re.sub(r"font: ([\d.]+)px 'DejaVu Sans'[^;\"]*", r"font-size: \1px", svg)
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, f"var({variable})")
    return svg
