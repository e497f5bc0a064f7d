"""The board as a picture: SVG that stands alone, readable on a phone, in light and dark.

From the top: which torpedo and turn, and the state of the aircraft; whose piece is which, and the
last wind; a close-up of the pieces; the whole board. Equal views give equal bytes.
"""

from __future__ import annotations

from guncamera.rules.hexes import HexDirection
from guncamera.rules.svg import Point, number, safe, text
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import UNDAMAGED, Winner
from guncamera.rulesets.kettering.orders import View
from guncamera.rulesets.kettering.picture_inset import (
    PANEL_HEIGHT,
    Actor,
    actors,
    close_up,
    shot,
)
from guncamera.rulesets.kettering.picture_map import (
    BOARD_PIECE,
    LEFT,
    PICTURE_WIDTH,
    RIGHT,
    Frame,
    definitions,
    edge_labels,
    piece,
)
from guncamera.rulesets.kettering.picture_words import (
    apart,
    counts,
    description,
    heading,
    hits,
    last_shot,
    now,
    reckoning,
    state,
    tally,
    title_of,
)

STRIP_HEIGHT, KEY_HEIGHT = 126, 52
TOP_EDGE, FOOT = 20, 42
DOT_STEP = 11
NAME_HALF_PER_LETTER = 4.1
CROSS = "M-4-2.5L-2.5-4L0-1.5L2.5-4L4-2.5L1.5 0L4 2.5L2.5 4L0 1.5L-2.5 4L-4 2.5L-1.5 0Z"
LEGEND = (
    ("allied", "Allied ground"),
    ("no-mans-land", "No Man's Land"),
    ("german", "German ground"),
)
STYLE = """
:root.ket{background:#fbfaf6}.page{fill:#fbfaf6}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-size:13px;fill:#1d1b16}
.head{font-size:17px;font-weight:700}.strong{font-weight:700}.soft{fill:#57534a}
.small{font-size:12px;fill:#57534a}
.edge{font-size:11px;fill:#57534a}.name{font-size:11px;fill:#5d584c}
.hex{stroke:#b3ab98}
.german{fill:#efdfb2}.no-mans-land{fill:#d9cfc3}.allied{fill:#d2e4dd}
.off{fill:#eceae2}.rim{fill:none;stroke:#8a8373;stroke-width:1}
.aircraft,.torpedo{stroke-width:7;stroke-linejoin:round;paint-order:stroke;stroke:#fffdf7}
.aircraft{fill:#b3261e}.torpedo{fill:#0c4a86}
.aircraft-words{fill:#8f1d17}.torpedo-words{fill:#0c4a86}
.tag{font-weight:700;paint-order:stroke;stroke:#fffdf7;stroke-width:3.5;stroke-linejoin:round}
.shot{fill:none;stroke:#c2410c}
.burst{fill:#f59e0b;stroke:#9a3412}
.dial{fill:none;stroke:#8a8373}.wind{fill:#1d1b16}
.stopped{fill:#2f7d32}.through{fill:#b3261e}.next{fill:#1d1b16}.coming{fill:none;stroke:#8a8373}
.bar{fill:#e0dccf}.hurt{fill:#b3261e}
@media (prefers-color-scheme:dark){
:root.ket{background:#16181b}.page{fill:#16181b}text{fill:#eceae4}.soft,.small,.edge{fill:#b5b1a6}.name{fill:#aaa698}
.hex{stroke:#5d5a52}.german{fill:#463c22}.no-mans-land{fill:#3a3531}.allied{fill:#1f3b38}
.off{fill:#0f1113}.rim,.dial,.coming{stroke:#8b8779}
.aircraft,.torpedo{stroke:#101214}.tag{stroke:#101214}
.aircraft,.aircraft-words{fill:#ff9d94}.torpedo,.torpedo-words{fill:#93cbff}
.shot{stroke:#ffa25c}.burst{fill:#ffc457;stroke:#5c2c00}.wind,.next{fill:#eceae4}
.stopped{fill:#7bcf80}.through,.hurt{fill:#ff9d94}.bar{fill:#3a3d41}}
"""


def picture(view: View, book: KetteringBook) -> str:
    """The board as SVG."""
    inset = STRIP_HEIGHT + KEY_HEIGHT
    frame = Frame(inset + PANEL_HEIGHT + TOP_EDGE, book.settings.map_width_hexes)
    foot = frame.top + frame.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} '
        f'{number(foot + FOOT)}" class="ket" role="img" aria-labelledby="ket-title ket-desc">',
        f'<title id="ket-title">{safe(f"Kettering Aerial Torpedo: {heading(view)}")}</title>',
        f'<desc id="ket-desc">{safe(description(view, book))}</desc>',
        f"<style>{STYLE}</style>",
        definitions(frame, book),
        f'<rect class="page" width="{PICTURE_WIDTH}" height="{number(foot + FOOT)}"/>',
        _strip(view, book),
        _key(view, STRIP_HEIGHT, book),
        close_up(view, frame, inset, book),
        _whole_board(view, frame, book),
        _legend(foot + FOOT - 9),
        "</svg>\n",
    ]
    return "".join(parts)


def _strip(view: View, book: KetteringBook) -> str:
    """Torpedo and turn, what is to be done, the tally, and the state of the aircraft."""
    lines = [
        text(Point(8, 21), heading(view), "head"),
        text(Point(8, 40), now(view), "strong"),
        _dots(view, 55),
        text(Point(PICTURE_WIDTH - 8, 59), counts(view), "small", "end"),
        text(Point(8, 78), state(view, book)),
        _damage_bar(view, book, 70),
    ]
    small = hits(view)
    if view.last_shot is not None:
        small.append(last_shot(view.last_shot))
    lines += [text(Point(8, 94 + 14 * at), line, "small") for at, line in enumerate(small)]
    return "".join(lines)


def _dots(view: View, y: float) -> str:
    """A mark for each torpedo: those met in their order, those let pass, and those to come."""
    counted = tally(view)
    kinds = [
        "stopped" if met.fate.winner == Winner.GERMAN else "through" for met in view.encounters
    ]
    kinds += ["through"] * view.passed + ["next"] * counted.flying + ["coming"] * counted.to_come
    return "".join(
        f'<path class="through" transform="translate({13 + DOT_STEP * at} {number(y)})" '
        f'd="{CROSS}"/>'
        if kind == "through"
        else f'<circle class="{kind}" cx="{13 + DOT_STEP * at}" cy="{number(y)}" r="4"/>'
        for at, kind in enumerate(kinds)
    )


def _damage_bar(view: View, book: KetteringBook, y: float) -> str:
    """How much of the aircraft's damage figure is taken."""
    profile = book.aircraft.get(view.aircraft.type)
    points = (view.aircraft.condition or UNDAMAGED).damage_points
    share = min(points / profile.damage_capacity, 1) if profile else 0
    x, width = PICTURE_WIDTH - 88, 80
    taken = f'<rect class="hurt" x="{x}" y="{y}" width="{number(width * share)}" height="8"/>'
    return f'<rect class="bar" x="{x}" y="{y}" width="{width}" height="8"/>{taken if share else ""}'


def _key(view: View, top: float, book: KetteringBook) -> str:
    """Which piece is which, and where it stands; the wind; in the end, how the score came about."""
    if view.score is not None:
        lines = reckoning(view.score)
        return "".join(text(Point(8, top + 14 + 17 * at), line) for at, line in enumerate(lines))
    drawn = []
    if view.aircraft.hex:
        facing = f"{view.aircraft.hex}, {view.aircraft.facing}"
        drawn.append(_entry(8, top + 14, "aircraft", title_of(view.aircraft, book), facing))
    if view.torpedo is not None:
        toward = f"{view.torpedo.hex}, {view.torpedo.heading}"
        drawn.append(_entry(168, top + 14, "torpedo", "Torpedo", toward))
    if view.torpedo is not None and view.aircraft.hex:
        drawn.append(text(Point(8, top + 46), apart(view.aircraft, view.torpedo, book), "soft"))
    if view.wind_toward is not None:
        drawn.append(_wind(view.wind_toward, Point(PICTURE_WIDTH - 24, top + 18)))
    return "".join(drawn)


def _entry(x: float, y: float, name: str, title: str, where: str) -> str:
    return (
        piece(name, Point(x + 9, y - 3), HexDirection.EAST, 16)
        + text(Point(x + 24, y), title, f"strong {name}-words")
        + text(Point(x + 24, y + 15), where, "soft")
    )


def _wind(toward: HexDirection, at: Point) -> str:
    """An arrow the way the pieces were pushed."""
    where = f"translate({number(at.x)} {number(at.y)})"
    return (
        f'<circle class="dial" cx="{number(at.x)}" cy="{number(at.y)}" r="15"/>'
        f'<path class="wind" transform="{where} rotate({-60 * toward.facing})" '
        'd="M-12-2.5H2V-7L13 0L2 7V2.5H-12Z"/>'
        + text(Point(at.x, at.y + 28), "wind", "soft", "middle")
    )


def _whole_board(view: View, frame: Frame, book: KetteringBook) -> str:
    """The whole board, its edges, the last shot and the pieces by name."""
    found = actors(view, book)
    names = {"aircraft": title_of(view.aircraft, book), "torpedo": "Torpedo"}
    drawn = ['<use href="#ket-board" stroke-width=".5"/>', edge_labels(frame, book)]
    drawn.append(shot(view, frame, book, 1))
    drawn += [piece(a.name, frame.centre(a.hex), a.facing, BOARD_PIECE) for a in found]
    for at, actor in enumerate(sorted(found, key=lambda a: (a.hex.r, a.name != "torpedo"))):
        above = at == 0 and len(found) > 1
        drawn.append(_board_name(actor, names[actor.name], frame, above=above))
    return "".join(drawn)


def _board_name(actor: Actor, name: str, frame: Frame, *, above: bool) -> str:
    at = frame.centre(actor.hex)
    half = NAME_HALF_PER_LETTER * len(name)
    x = min(max(at.x, LEFT + half), PICTURE_WIDTH - RIGHT - half)
    y = at.y - 16 if above else at.y + 25
    return text(Point(x, y), name, f"tag {actor.name}-words", "middle")


def _legend(y: float) -> str:
    drawn = []
    for at, (ground, words) in enumerate(LEGEND):
        x = 8 + 116 * at
        drawn.append(
            f'<rect class="hex {ground}" x="{x}" y="{number(y - 10)}" width="14" height="12"/>'
        )
        drawn.append(text(Point(x + 19, y), words, "small"))
    return "".join(drawn)
