"""Below the table: each side's cards with their numbers, and the damage that was announced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, SMALL, USUAL, cut, width_of, wrapped
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard, Key, Side
from guncamera.rulesets.carriers.orders import CardSeen, FleetSeen, Report, View
from guncamera.rulesets.carriers.picture_measure import INNER_WIDTH, MARGIN, PICTURE_WIDTH
from guncamera.rulesets.carriers.picture_style import AIRCRAFT_SHAPE, SHIPS
from guncamera.rulesets.carriers.picture_table import cross, sign
from guncamera.rulesets.carriers.picture_words import (
    KEY_WORDS,
    LETTERS,
    cards_by_type,
    harm_words,
    is_lost,
    is_seen,
    number_told,
    points,
    side_word,
    type_name,
)

IN_A_ROW, GAP = 4, 5.0
CARD_WIDTH = (INNER_WIDTH - (IN_A_ROW - 1) * GAP) / IN_A_ROW
CARD_HEIGHT, LINE = 105.0, 13.0
REPORT, INDENT = 15.0, 46.0


@dataclass(slots=True)
class Held:
    """How many cards of a type there are, and where."""

    hand: int = 0
    placed: int = 0
    spent: int = 0


def sides(view: View, top: float, book: CarriersBook) -> tuple[str, float]:
    """Both sides; where they end."""
    drawn, y = [], top
    for fleet in view.fleets:
        part, y = _side(fleet, view, y, book)
        drawn.append(part)
    return "".join(drawn), y


def _side(fleet: FleetSeen, view: View, top: float, book: CarriersBook) -> tuple[str, float]:
    rule = f'<path class="grid" d="M{MARGIN} {number(top)}H{MARGIN + INNER_WIDTH}"/>'
    y = top + 18
    title = text(Point(MARGIN, y), f"{side_word(fleet.side)} side", f"strong {fleet.side}-words")
    right = text(Point(PICTURE_WIDTH - MARGIN, y), _summary(fleet, view), "soft", "end")
    cards, y = _cards(fleet, view, y + 7, book)
    reports, y = _reports(fleet, y)
    return rule + title + right + cards + reports, y + 6


def _summary(fleet: FleetSeen, view: View) -> str:
    afloat = sum(len(line.slots) for line in fleet.lines)
    ships = f"{afloat} ship{'' if afloat == 1 else 's'} afloat · "
    return (ships if is_seen(fleet, view) else "") + points(fleet.points)


# ---- Cards


def _cards(fleet: FleetSeen, view: View, top: float, book: CarriersBook) -> tuple[str, float]:
    """A card of each type that may be seen; where they end."""
    types = cards_by_type(view, book)
    held = dict(_held(fleet, view))
    shown = [type_ for type_ in types if type_ in held]
    if not shown:
        words = "Its hand is hidden." if not fleet.whole else "No cards are left."
        return text(Point(MARGIN, top + 10), words, "soft"), top + 16
    told = {type_: _told(held[type_], whole=fleet.whole) for type_ in shown}
    high = CARD_HEIGHT + LINE * (max(map(len, told.values())) - 1)
    drawn = []
    for nth, type_ in enumerate(shown):
        column, row = nth % IN_A_ROW, nth // IN_A_ROW
        corner = Point(MARGIN + column * (CARD_WIDTH + GAP), top + row * (high + GAP))
        drawn.append(_card(types[type_], told[type_], fleet.side, corner, high))
    rows = (len(shown) + IN_A_ROW - 1) // IN_A_ROW
    return "".join(drawn), top + rows * (high + GAP)


def _held(fleet: FleetSeen, view: View) -> Iterator[tuple[str, Held]]:
    """The types of a side that may be seen, with how many there are."""
    found: dict[str, Held] = {}
    for card in fleet.hand:
        _count(found, card).hand += 1
    for slot in (slot for line in fleet.lines for slot in line.slots):
        for card in (*slot.front, *slot.adjacent):
            if card.type:
                _count(found, card).placed += 1
    if not fleet.whole:
        for flight in view.flights:
            flown = flight.type if flight.side == fleet.side else flight.interceptor
            if flown:
                found.setdefault(flown, Held())
    yield from found.items()


def _count(found: dict[str, Held], card: CardSeen) -> Held:
    held = found.setdefault(card.type, Held())
    held.spent += card.spent
    return held


def _told(held: Held, *, whole: bool) -> list[str]:
    """How many there are, in lines; of an enemy only that it was seen."""
    if not whole:
        return ["seen"]
    told = [f"{held.hand} in hand"] if held.hand else []
    if held.placed:
        told = [f"{held.hand} hand, {held.placed} out" if held.hand else f"{held.placed} placed"]
    return [*told, f"{held.spent} used"] if held.spent else told


def _card(card: AircraftCard, told: list[str], side: Side, corner: Point, high: float) -> str:
    """A card's face: type, numbers, and below how many there are."""
    x, y = corner.x, corner.y
    wing = f"translate({number(x + CARD_WIDTH - 15)} {number(y + 14)}) scale(.95)"
    drawn = [
        f'<rect class="face {side}" x="{number(x + 1)}" y="{number(y + 1)}" '
        f'width="{number(CARD_WIDTH - 2)}" height="{number(high - 2)}" rx="5"/>',
        f'<path class="wing {side}" transform="{wing}" d="{AIRCRAFT_SHAPE}"/>',
        text(
            Point(x + 6, y + 17),
            cut(type_name(card.type), CARD_WIDTH - 36, USUAL, bold=True),
            f"strong {side}-words",
        ),
    ]
    for nth, (name, value) in enumerate(_numbers(card), start=1):
        line = y + 20 + LINE * nth
        drawn.append(text(Point(x + 6, line), name, "least"))
        drawn.append(text(Point(x + CARD_WIDTH - 6, line), value, "least strong", "end"))
    for nth, words in enumerate(told):
        at = Point(x + 6, y + CARD_HEIGHT - 6 + LINE * nth)
        drawn.append(text(at, cut(words, CARD_WIDTH - 8, LEAST), "faint"))
    return "".join(drawn)


def _numbers(card: AircraftCard) -> tuple[tuple[str, str], ...]:
    return (
        ("combat", number_told(card.combat)),
        ("bomb", number_told(card.bomb)),
        ("torpedo", number_told(card.torpedo)),
        ("recon", number_told(card.recon)),
        (f"to {card.range}", ""),
    )


# ---- Damage


def _reports(fleet: FleetSeen, top: float) -> tuple[str, float]:
    """Damaged ships by name, those that are gone first; where they end."""
    y, drawn = top + 4, []
    for report in sorted(fleet.reports, key=lambda one: not is_lost(one)):
        part, y = _report(report, fleet.side, y)
        drawn.append(part)
    return "".join(drawn), y


def _report(report: Report, side: Side, top: float) -> tuple[str, float]:
    y = top + 12
    place = f"translate({MARGIN + 20} {number(y + 1)}) scale(.6)"
    drawn = [
        f'<path class="ship {side}" transform="{place}" d="{SHIPS[report.ship_class]}"/>',
        cross(Point(MARGIN + 20, y - 4), 8) if is_lost(report) else "",
    ]
    name = cut(report.name, INNER_WIDTH / 2, SMALL, bold=True)
    drawn.append(text(Point(MARGIN + INDENT, y), name, f"small strong {side}-words"))
    used = width_of(name, SMALL, bold=True) + 6
    words = harm_words(report.keys, report.belts)
    lines = wrapped(words, INNER_WIDTH - INDENT, SMALL, less=used, bold=True)
    for nth, line in enumerate(lines):
        left = MARGIN + INDENT + (0 if nth else used)
        drawn.append(text(Point(left, y + REPORT * nth), line, "small hurt"))
    return "".join(drawn), y + REPORT * (len(lines) - 1) + 5


# ---- What the signs mean


def legend(view: View, top: float) -> tuple[str, float]:
    """The signs of this picture in words; where they end."""
    drawn, x, y = [], float(MARGIN), top + 12
    for letter, word in _signs(view):
        wide = 20 + width_of(word, LEAST) + 8
        if x + wide > PICTURE_WIDTH - MARGIN:
            x, y = float(MARGIN), y + 16
        drawn.append(sign(Point(x + 7, y - 4), letter))
        drawn.append(text(Point(x + 18, y), word, "least"))
        x += wide
    if drawn:
        y += 16
    for line in wrapped(_words(view), INNER_WIDTH, LEAST):
        drawn.append(text(Point(MARGIN, y), line, "faint"))
        y += 14
    return "".join(drawn), y - 6


def _signs(view: View) -> Iterator[tuple[str, str]]:
    """Signs of damage that are on the table."""
    ships = [
        slot.ship
        for fleet in view.fleets
        for line in fleet.lines
        for slot in line.slots
        if slot.ship is not None
    ]
    present = Counter(key for ship in ships for key in ship.keys)
    yield from ((LETTERS[key], KEY_WORDS[key]) for key in Key if present[key])
    if any(ship.belts for ship in ships):
        yield "P", "belt pierced"


def _words(view: View) -> Iterable[str]:
    yield "slots count from their owner's left"
    yield "toward the middle: cards in front, with combat number"
    yield "toward the edge: adjacent"
    if any(slot.revealed for f in view.fleets for line in f.lines for slot in line.slots):
        yield "eye: lies open to all"
    if view.flights:
        yield "star: hit, ring: no effect, bar: turned back, dashes: scouting"
