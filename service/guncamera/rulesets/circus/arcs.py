"""Arcs of fire and other sectors around an aircraft. Rules CIR-8.1 and CIR-8.2.

Directions are judged from the middle of one hex to the middle of another, as seen with the nose to
the east: `q` counts hexes ahead and `r` rows to the right. Two whole numbers in plain geometry are
`ahead` (in half hexes) and `aside` (in rows of root three halves of a hex): an angle from the nose
has the tangent `aside * root 3 / ahead`, so that all tests are exact. No arc has the aircraft's
own hex in it; shots straight up and down are another matter (CIR-8.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.table import Table
from guncamera.rulesets.circus.aircraft import Aeroplane, Mount
from guncamera.rulesets.circus.book import CircusBook, figure

Offsets = frozenset[tuple[int, int]]
"""Hexes as `(q, r)` from the aircraft's own."""


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc of fire.

    Attributes:
        name: A column of the table of front arcs, or a sector.
        rule_id: The rule that gives it.
        setting: The setting that chose it.
    """

    name: str
    rule_id: str
    setting: str


def arc_of(aeroplane: Aeroplane, mount: Mount, book: CircusBook, *, simultaneous: bool) -> Arc:
    """The arc that the guns of a mount cover."""
    settings = book.settings
    match mount:
        case Mount.FRONT if simultaneous:
            return Arc(settings.front_arc, "CIR-8.1", "front_arc")
        case Mount.FRONT:
            return Arc(settings.front_arc_alternate, "CIR-8.1", "front_arc_alternate")
        case Mount.RING:
            return Arc(settings.ring_arc, "CIR-8.2", "ring_arc")
        case Mount.PIN if is_pin_in_front(aeroplane):
            return Arc(settings.front_pin_arc, "CIR-8.2", "front_pin_arc")
        case _:
            return Arc(settings.pin_arc, "CIR-8.2", "pin_arc")


def is_pin_in_front(aeroplane: Aeroplane) -> bool:
    """Whether the type's pin is before the gunner and a pillar behind him, as in the F.E.2b."""
    return any(weapon.mount == Mount.PILLAR for weapon in aeroplane.weapons)


def in_arc(arc: Arc, facing: HexDirection, shooter: Hex, target: Hex, book: CircusBook) -> bool:
    """Whether a target lies in an arc, however high; never in the shooter's own hex."""
    return (target.q - shooter.q, target.r - shooter.r) in offsets(arc, book)[facing.facing]


def offsets(arc: Arc, book: CircusBook) -> tuple[Offsets, ...]:
    """The hexes of an arc within range, for each facing in turn."""
    table = book.tables["front-arcs"]
    return _offsets(arc.name, table, figure(book, "longest_range_hexes"))


@lru_cache(maxsize=128)
def _offsets(arc: str, table: Table, longest: int) -> tuple[Offsets, ...]:
    ahead = [hex_ for hex_ in _within(longest) if _covers(arc, hex_, table)]
    turned = (frozenset(map(_pair, (h.rotated(d.facing) for h in ahead))) for d in DIRECTIONS)
    return tuple(turned)


def _within(longest: int) -> list[Hex]:
    """Every hex within range of the middle one, without that."""
    middle, span = Hex(0, 0), range(-longest, longest + 1)
    return [Hex(q, r) for q in span for r in span if 0 < middle.distance(Hex(q, r)) <= longest]


def _pair(hex_: Hex) -> tuple[int, int]:
    return hex_.q, hex_.r


def _covers(arc: str, hex_: Hex, table: Table) -> bool:
    sector = SECTORS.get(arc)
    if sector is not None:
        return sector(hex_)
    return sideways(hex_) <= table.number(Hex(0, 0).distance(hex_), arc)


def sideways(hex_: Hex) -> int:
    """How many hexes along its ring a hex lies from the one straight ahead, to either side."""
    q, r = (hex_.q, hex_.r) if hex_.r <= 0 else (hex_.q + hex_.r, -hex_.r)
    if q + r >= 0:
        return -r
    return -2 * r - q if q >= 0 else -2 * r - 3 * q


# ---- Sectors


def relative(looker: Hex, facing: HexDirection, other: Hex) -> Hex:
    """Where a hex lies as seen with the nose to the east."""
    return Hex(other.q - looker.q, other.r - looker.r).rotated(-facing.facing)


def ahead_and_aside(hex_: Hex) -> tuple[int, int]:
    """In half hexes ahead (behind is negative), and in rows to either side."""
    return 2 * hex_.q + hex_.r, abs(hex_.r)


def within_30_degrees(hex_: Hex) -> bool:
    """In the 60-degree sector ahead, its edges included."""
    ahead, aside = ahead_and_aside(hex_)
    return ahead > 0 and 3 * aside <= ahead


def within_30_degrees_of_the_tail(hex_: Hex) -> bool:
    """In the 60-degree sector behind, its edges included: at 150 degrees it begins."""
    ahead, aside = ahead_and_aside(hex_)
    return ahead < 0 and 3 * aside <= -ahead


def _touches_15_degrees(hex_: Hex) -> bool:
    """Whether any part of a hex is within 15 degrees of the nose: its middle, or a corner.

    Of the corners the one straight aside of the middle, toward the straight row, is the nearest.
    The tangent of 15 degrees is 2 less root 3.
    """
    ahead, aside = ahead_and_aside(hex_)
    if ahead <= 0 or not aside:
        return ahead > 0
    return (3 * (aside + ahead) - 2) ** 2 <= 12 * ahead * ahead


def _not_ahead(hex_: Hex) -> bool:
    """More than 45 degrees off the nose; no hex lies at 45 degrees exactly."""
    ahead, aside = ahead_and_aside(hex_)
    return ahead < 0 or ahead * ahead < 3 * aside * aside


def _all_round(_hex: Hex) -> bool:
    return True


def _front_half(hex_: Hex) -> bool:
    """Less than 90 degrees off the nose."""
    return ahead_and_aside(hex_)[0] > 0


def _front_sector(hex_: Hex) -> bool:
    """Within 60 degrees of the nose, the edges included."""
    ahead, aside = ahead_and_aside(hex_)
    return aside <= ahead


def _rear_half(hex_: Hex) -> bool:
    """More than 90 degrees off the nose."""
    return ahead_and_aside(hex_)[0] < 0


def _rear_sector(hex_: Hex) -> bool:
    """Within 60 degrees of the tail, the edges included."""
    ahead, aside = ahead_and_aside(hex_)
    return aside <= -ahead


SECTORS: Mapping[str, Callable[[Hex], bool]] = {
    "wedge-touched": _touches_15_degrees,
    "not-ahead": _not_ahead,
    "all-round": _all_round,
    "front-half": _front_half,
    "front-sector": _front_sector,
    "rear-half": _rear_half,
    "rear-sector": _rear_sector,
}
