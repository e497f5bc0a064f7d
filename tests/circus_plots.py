"""Every plot an aircraft may fly, found the hard way: all codes in all orders, tried by rule."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.refusal import Refusal
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.codes import EXITS
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import flight_of
from guncamera.rulesets.circus.performance import Able, assess, loops, speeds

Codes = tuple[str, ...]
MOST_SIDES = 3


def every_plot(
    aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook, *, one_spelling: bool
) -> set[tuple[int, Codes]]:
    """Speeds and codes of every legal plot.

    Args:
        one_spelling: Only in the spelling of the set that is counted. Else numbers stand side by
            side too, `=` stands anywhere, and each sign of a yo-yo with brackets is a code.
    """
    able = assess(aeroplane, aircraft.condition or UNHURT, book)
    found = set()
    for speed in speeds(aircraft, able, book):
        points = speed + aircraft.ke
        for codes in _candidates(points, aircraft.ke, able, book, one_spelling):
            if one_spelling and not is_in_our_spelling(codes):
                continue
            plot = Plot(aircraft.id, speed, " ".join(codes))
            try:
                flight_of(aircraft, aeroplane, plot, book)
            except Refusal:
                continue
            found.add((speed, codes))
    return found


def _candidates(
    points: int, ke: int, able: Able, book: CircusBook, one_spelling: bool
) -> Iterator[Codes]:
    """Codes that spend all points, and dives that fill a move."""
    side_mp, most_sides = able.side_mp, min(MOST_SIDES, able.sides_at_once)
    costs = {"L": side_mp, "R": side_mp, "SSL": 2, "SSR": 2, "DR": 4, "PH": 6}
    costs |= {"RR": book.settings.reversal_mp}
    costs |= {f"HT-{name}": 6 + book.settings.hammerhead_exit_mp for name in EXITS}
    costs |= {f"O{rate}": mp for rate, (mp, _) in loops(book).items()}
    costs |= {f"Z{spent}": spent for spent in range(1, ke + 1)}
    costs |= {str(hexes): hexes for hexes in range(1, points + 1)}
    costs |= {f"{yo}{hexes}": 2 * hexes for yo in ("HYY", "LYY") for hexes in range(1, points)}
    climbs = [f"^{feet}" for feet in range(50, able.climb_feet + 100, 50)]

    def more(codes: Codes, left: int) -> Iterator[Codes]:
        if not left:
            yield codes
        last = codes[-1] if codes else ""
        for code, mp in costs.items():
            if one_spelling and code.isdigit() and last.isdigit():
                continue
            if mp <= left and not (code in "LR" and _sides(codes) == most_sides):
                yield from more((*codes, code), left - mp)
        if _is_of_a_leg(last):
            for arrow in ("=", "v", *climbs):
                yield from more((*codes, arrow), left)
        if left >= 2:
            for yo_yo in ("HYY(", "LYY("):
                yield from inside((*codes, yo_yo), left)
            if book.settings.steep_dive_moves == "legs" and not last.isdigit():
                for hexes in range(1, left // 2 + 1):
                    for down in _level(hexes, 0):
                        yield from more((*codes, *down, "vv"), left - 2 * hexes)

    def inside(codes: Codes, left: int) -> Iterator[Codes]:
        if not codes[-1].endswith("("):
            yield from more((*codes, ")"), left)
            for side in "LR":
                if side_mp <= left and _sides(codes) < most_sides:
                    yield from inside((*codes, side), left - side_mp)
        for hexes in range(1, left // 2 + 1):
            yield from inside((*codes, str(hexes)), left - 2 * hexes)

    yield from more((), points)
    yield ("PD",)
    yield ("vv",)
    for hexes in range(1, points + 1):
        for down in _level(hexes, 0):
            yield (*down, "vv")
            for level in range(1, points):
                yield from ((*down, "vv", *rest) for rest in _level(level, side_mp))


def _level(points: int, side_mp: int) -> Iterator[Codes]:
    """Hexes and hexsides for so many points."""
    if not points:
        yield ()
    for hexes in range(1, points + 1):
        yield from ((str(hexes), *rest) for rest in _level(points - hexes, side_mp))
    if 0 < side_mp <= points:
        for side in "LR":
            yield from ((side, *rest) for rest in _level(points - side_mp, side_mp))


def _sides(codes: Codes) -> int:
    """Hexsides turned since the last hex."""
    sides = 0
    for code in reversed(codes):
        if code in ("L", "R"):
            sides += 1
        elif code[0] not in "=v^Z)":
            break
    return sides


def is_in_our_spelling(codes: Codes) -> bool:
    """Whether codes are spelled as in the set that is counted."""
    for at, code in enumerate(codes):
        after = codes[at + 1] if at + 1 < len(codes) else ""
        if code.isdigit() and after.isdigit():
            return False
        if code[0] == "Z" and after[:1] == "Z" and int(code[1:]) > int(after[1:]):
            return False
        if code.endswith("(") and not {"L", "R"} & set(codes[at : codes.index(")", at)]):
            return False
        if code == "=" and not _separates(codes, at):
            return False
        if code[1:3] == "YY" and _goes_on(codes, at):
            return False
    return True


def _goes_on(codes: Codes, at: int) -> bool:
    """Whether a yo-yo goes on alternating where one before it ends, so that both are one."""
    begun = at - 1
    if at and codes[begun] == ")":
        while not codes[begun].endswith("("):
            begun -= 1
    if begun < 0 or codes[begun][1:3] != "YY":
        return False
    hexes = [codes[begun][3:].strip("("), *codes[begun + 1 : at]]
    odd = sum(int(code) for code in hexes if code.isdigit()) % 2 == 1
    last_rose = (codes[begun][0] == "H") == odd
    return last_rose != (codes[at][0] == "H")


def _separates(codes: Codes, at: int) -> bool:
    """Whether `=` stands between two legs that would else be one."""
    before = _run(tuple(reversed(codes[:at])))
    leg = _run(codes[at + 1 :])
    if not leg:
        return False
    rest = codes[at + 1 + len(leg) :]
    slopes = bool(rest) and rest[0][0] in "v^"
    return slopes or any(code[0] == "Z" for code in before)


def _is_of_a_leg(code: str) -> bool:
    return code.isdigit() or code in ("L", "R") or code[:1] == "Z"


def _run(codes: Codes) -> Codes:
    """The codes of a leg at the beginning."""
    leg: Codes = ()
    for code in codes:
        if not _is_of_a_leg(code):
            break
        leg = (*leg, code)
    return leg
