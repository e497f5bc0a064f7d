"""Plots to choose from: a bounded, useful selection of what one aircraft may legally fly.

The first is straight and level at the old speed wherever that can be flown. Each is tried before it
is given; an aircraft that can be steered always has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from guncamera.rules.refusal import Refusal
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft, Manoeuvre
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.codes import EXITS
from guncamera.rulesets.circus.dives import pulls_out_steeply
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import FlownPath, flight_of
from guncamera.rulesets.circus.map import is_edge_barred
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.performance import (
    Able,
    assess,
    figures_of,
    is_stalled,
    largest_loop,
    loops,
    speeds,
    why_barred,
)

MOST_PLOTS = 500
_LOST = (End.CRASHED, End.LANDED)


def flown_plots(
    aircraft: Aircraft, aeroplane: Aeroplane, own: Sequence[Aeroplane], book: CircusBook
) -> Iterator[tuple[Plot, FlownPath]]:
    """Legal plots of an aircraft that can be steered, each once and with where it leads.

    The order is fixed. Plots that end on the ground, and where the edge is barred those that lead
    over it, are left out as long as there is another.

    Args:
        aeroplane: The figures of its type.
        own: Types that are not in the book, of which it may be one.
    """
    if aeroplane.type != aircraft.aeroplane:
        aeroplane = aeroplane_of(aircraft.aeroplane, own, book, "aircraft.aeroplane")
    worse: list[tuple[Plot, FlownPath]] = []
    found = False
    for plot, flown in _tried(aircraft, aeroplane, book):
        if _is_last_resort(aircraft, flown, book):
            worse.append((plot, flown))
        else:
            found = True
            yield plot, flown
    if not found:
        yield from worse


def stays_possible(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook) -> bool:
    """Whether some plot keeps an aircraft in the air and on the map (CIR-3.10)."""
    return any(flown.end is None for _, flown in _tried(aircraft, aeroplane, book))


def _is_last_resort(aircraft: Aircraft, flown: FlownPath, book: CircusBook) -> bool:
    if flown.end == End.LEFT_MAP:
        return is_edge_barred(aircraft, book)
    return flown.end in _LOST


def _tried(
    aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook
) -> Iterator[tuple[Plot, FlownPath]]:
    """The plots that can be flown, wherever they lead."""
    seen: set[Plot] = set()
    legal = 0
    for speed_mp, codes in _candidates(aircraft, aeroplane, book):
        plot = Plot(aircraft.id, speed_mp, codes)
        if plot in seen:
            continue
        seen.add(plot)
        try:
            flown = flight_of(aircraft, aeroplane, plot, book)
        except Refusal:
            continue
        yield plot, flown
        legal += 1
        if legal == MOST_PLOTS:
            return


# ---- Candidates


def _candidates(
    aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook
) -> Iterator[tuple[int, str]]:
    """Speeds and codes worth trying, speed by speed in turn, the old one first."""
    able = assess(aeroplane, aircraft.condition or UNHURT, book)
    allowed = sorted(
        speeds(aircraft, able, book), key=lambda speed: (abs(speed - aircraft.speed_mp), -speed)
    )
    by_speed = zip_longest(*(_codes(aircraft, able, speed, book) for speed in allowed))
    for row in by_speed:
        for speed, codes in zip(allowed, row):
            if codes is not None:
                yield speed, codes


def _codes(aircraft: Aircraft, able: Able, speed: int, book: CircusBook) -> Iterator[str]:
    points = speed + aircraft.ke
    if is_stalled(aircraft, able):
        cost = figures_of(book).steep_dive_mp
        for hexes in (points // cost, speed // cost + aircraft.ke):
            yield f"{max(hexes, 1)} vv"
        yield f"{points} v"
        return
    if aircraft.power_diving:
        yield from _out_of_a_power_dive(able, points, book)
        return
    if able.power_off:
        yield f"{points} v"
    yield from _level(able, points)
    yield from _climbing(able, points)
    yield from (f"{shape} v" for shape in _gentle_shapes(able, points))
    yield from _steep(aircraft, speed, points)
    if book.settings.steep_dive_moves == "legs":
        yield from _steep_in_part(points)
    yield from _specials(able, points, book)
    yield from _zooms(aircraft, able, points)


def _out_of_a_power_dive(able: Able, points: int, book: CircusBook) -> Iterator[str]:
    """Pull-outs, by either reading of half, with a turn or without; or on and down."""
    steeply = pulls_out_steeply(book)
    for half in dict.fromkeys((points - points // 2, points // 2)):
        hexes, arrow = (half // 2, "vv") if steeply else (half if half > 1 else 0, "v")
        level = points - half if hexes else points
        for shape in chain((_straight(level),), _gentle_shapes(able, level)):
            yield f"{hexes} {arrow} {shape}" if hexes else shape
    yield "PD"


def _straight(hexes: int) -> str:
    return str(hexes) if hexes else ""


def _level(able: Able, points: int) -> Iterator[str]:
    """Straight, turns of one to three hexsides, early, midway and late, and double turns."""
    yield _straight(points)
    for side in "RL":
        for sides in (1, 2, 3):
            yield from _turns(able, points, side, sides)
        yield from _double_turns(able, points, side)


def _gentle_shapes(able: Able, points: int) -> Iterator[str]:
    """Straight, and turns without stress."""
    yield _straight(points)
    for side in "RL":
        yield from _turns(able, points, side, 1)
        yield from islice(_turns(able, points, side, 2), 3)


def _turns(able: Able, points: int, side: str, sides: int) -> Iterator[str]:
    """So many hexsides to one side: spread over hexes first, then all in one."""
    hexes = points - sides * able.side_mp
    gap = max(2, able.straight_hexes + 1)
    for between in dict.fromkeys((gap if sides > 1 else 0, 0)):
        room = hexes - between * (sides - 1)
        if room < 0:
            continue
        for before in dict.fromkeys((0, room // 2, room)):
            parts = [before, *[between] * (sides - 1), room - before]
            yield _joined(parts, side * sides)


def _double_turns(able: Able, points: int, side: str) -> Iterator[str]:
    """First to one side and then to the other."""
    other = "L" if side == "R" else "R"
    hexes = points - 2 * able.side_mp
    gap = max(2, able.straight_hexes + 1)
    for between in dict.fromkeys((gap, hexes // 2)):
        room = hexes - between
        if room >= 0:
            for before in dict.fromkeys((0, room)):
                yield _joined([before, between, room - before], side + other)


def _joined(hexes: Iterable[int], sides: str) -> str:
    """Numbers of hexes with hexsides between them."""
    parts: list[str] = []
    for at, number in enumerate(hexes):
        parts += [str(number)] if number else []
        parts += [sides[at]] if at < len(sides) else []
    return " ".join(parts)


def _climbing(able: Able, points: int) -> Iterator[str]:
    """The full climb and half of it."""
    full = able.climb_feet
    for feet in dict.fromkeys((full, full // 100 * 50)):
        if feet:
            hexes = points - able.side_mp
            yield from (f"{shape} ^{_within(feet, able, hexes)}" for shape in _gentle(able, points))


def _within(feet: int, able: Able, hexes: int) -> int:
    """A climb that so many hexes allow."""
    return max(min(feet, able.hex_feet * max(hexes, 1)), 50)


def _gentle(able: Able, points: int) -> Iterator[str]:
    yield _straight(points)
    for side in "RL":
        yield from _turns(able, points, side, 1)


def _steep(aircraft: Aircraft, speed: int, points: int) -> Iterator[str]:
    """Steep dives by either cost of a hex, and a dive begun late."""
    for hexes in dict.fromkeys((points // 2, speed // 2 + aircraft.ke)):
        yield f"{hexes} vv"
    yield "PD"
    if points > 3:
        yield f"{points // 2} = {points - points // 2} v"
        yield f"{points // 2} v {points - points // 2}"


def _steep_in_part(points: int) -> Iterator[str]:
    """Half of a move in a steep dive, before the other half and after it."""
    hexes = points // 4
    if hexes:
        yield f"{hexes} vv {points - 2 * hexes}"
        yield f"{points - 2 * hexes} = {hexes} vv"


def _specials(able: Able, points: int, book: CircusBook) -> Iterator[str]:
    """Every special manoeuvre it may do, at once and as late as can be."""
    table = book.tables["manoeuvres"]
    rest = points - table.number("side_slip", "mp")
    if why_barred(able, Manoeuvre.SIDE_SLIP) is None:
        for codes in ("SSL", "SSR"):
            yield from _placed(codes, rest, able)
        for codes in ("SSL SSL", "SSR SSR", "SSL SSR"):
            yield from _placed(codes, points - 2 * table.number("side_slip", "mp"), able)
    if why_barred(able, Manoeuvre.YO_YO) is None:
        yield from _yo_yos(able, points, table.number("yo_yo_dive", "mp"))
    if why_barred(able, Manoeuvre.HAMMERHEAD) is None:
        cost = table.number("hammerhead", "mp") + book.settings.hammerhead_exit_mp
        for exit_ in EXITS:
            yield from _placed(f"HT-{exit_}", points - cost, able)
    if why_barred(able, Manoeuvre.ROLLING_REVERSAL) is None:
        yield from _placed("RR", points - book.settings.reversal_mp, able)
    if why_barred(able, Manoeuvre.DISPLACEMENT_ROLL) is None:
        yield from _placed("DR", points - table.number("displacement_roll", "mp"), able)
    if why_barred(able, Manoeuvre.PROPELLER_HANG) is None:
        yield from _placed("PH", points - table.number("propeller_hang", "mp"), able)
        yield "PH RR"
        yield "PH HT"
    if why_barred(able, Manoeuvre.LOOP) is None:
        for rate, (cost, _) in loops(book).items():
            if rate <= largest_loop(able, book):
                yield from _placed(f"O{rate}", points - cost, able)


def _placed(codes: str, rest: int, able: Able) -> Iterator[str]:
    """A manoeuvre before and after the hexes that are left; without power those are a dive."""
    if rest < 0:
        return
    legs = f"{rest} v" if able.power_off else str(rest)
    yield f"{codes} {legs}" if rest else codes
    if rest:
        yield f"{legs} {codes}"


def _yo_yos(able: Able, points: int, cost: int) -> Iterator[str]:
    """Yo-yos of two hexes and of as many as can be, and with a turn."""
    most = points // cost
    for which in ("HYY", "LYY"):
        for hexes in dict.fromkeys((min(2, most), most)):
            if hexes:
                yield from _placed(f"{which}{hexes}", points - cost * hexes, able)
        for side in "RL":
            yield from _placed(f"{which}(1 {side} 1)", points - 2 * cost - able.side_mp, able)


def _zooms(aircraft: Aircraft, able: Able, points: int) -> Iterator[str]:
    """All of the kinetic energy, or one point of it, for height."""
    for spent in dict.fromkeys((aircraft.ke, 1)):
        if 0 < spent <= aircraft.ke:
            for shape in _gentle(able, points - spent):
                yield f"Z{spent} {shape}"
            if able.climb_feet:
                yield f"Z{spent} {points - spent} ^{_within(able.climb_feet, able, points - spent)}"
