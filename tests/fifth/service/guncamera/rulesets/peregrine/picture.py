"""The race as a picture: SVG that stands alone, readable on a phone, in light and dark."""

from __future__ import annotations

from guncamera.rules.book import figure
from guncamera.rules.svg import Point, number, text
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.facts import BANDS, Band
from guncamera.rulesets.peregrine.orders import Phase, View

WIDTH, HEIGHT = 360, 236
LEFT, RIGHT, TOP, BAND = 64, 24, 44, 50
BIRD = "M-12 -6Q-4 -8 0 0Q4 -8 12 -6Q5 -3 0 6Q-5 -3 -12 -6Z"
STYLE = """
text{font-family:system-ui,sans-serif;font-size:13px;fill:#1d1b16}.page{fill:#fbfaf6}
.head{font-size:16px;font-weight:700}.air{fill:#d9e8f2;stroke:#fbfaf6}
.pigeon{fill:#4a5a68}.falcon{fill:#8a3b12}.way{stroke:#57534a;stroke-dasharray:3 3}
@media (prefers-color-scheme:dark){.page{fill:#16181b}text{fill:#ece7db}
.air{fill:#26323d;stroke:#16181b}.pigeon{fill:#b8c6d2}.falcon{fill:#f0a070}.way{stroke:#a8a294}}
"""


def picture(view: View, book: PeregrineBook) -> str:
    """The three bands with both birds, the pigeon's way, and the state of the race in words."""
    title = f"Turn {view.turn}: {_now(view)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{title}</title><style>{STYLE}</style>"
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>'
        + text(Point(8, 24), title, "head")
        + "".join(_air(band) for band in BANDS)
        + _way(view)
        + _bird("pigeon", view, view.pigeon, 0)
        + _bird("falcon", view, view.falcon, -18)
        + text(Point(8, HEIGHT - 12), _state(view, book))
        + "</svg>"
    )


def _now(view: View) -> str:
    return {
        Phase.CHOOSE: "both choose a band",
        Phase.STOOP: "the falcon may stoop",
        Phase.FINISHED: "the pigeon is caught" if view.leagues_to_go else "the pigeon is home",
    }[view.phase]


def _state(view: View, book: PeregrineBook) -> str:
    feathers = f"{view.feathers} of {figure(book, 'feathers')} feathers lost"
    return f"{view.leagues_to_go} leagues to go; {feathers}; {view.breath} breaths left"


def _top(band: Band) -> int:
    return TOP + BAND * (len(BANDS) - 1 - BANDS.index(band))


def _air(band: Band) -> str:
    y = _top(band)
    return f'<rect class="air" x="0" y="{y}" width="{WIDTH}" height="{BAND}"/>' + text(
        Point(8, y + 29), band.value
    )


def _x(view: View) -> float:
    """How far the pigeon has come, from left to right."""
    return LEFT + (WIDTH - LEFT - RIGHT) * (1 - view.leagues_to_go / view.leagues)


def _way(view: View) -> str:
    y, x = _top(view.pigeon) + BAND // 2, number(_x(view))
    return f'<path class="way" d="M{x} {y}H{WIDTH - RIGHT}"/>'


def _bird(name: str, view: View, band: Band, beside: int) -> str:
    at = f"translate({number(_x(view) + beside)} {_top(band) + BAND // 2})"
    return f'<path class="{name}" transform="{at}" d="{BIRD}"><title>{name}</title></path>'
