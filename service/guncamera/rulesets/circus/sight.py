"""Who can see whom: clouds, blind spots, the sun, close formation. Rules CIR-7.2 to CIR-7.5.

Height differences are the target's height less the looker's. Whole numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rulesets.circus.arcs import (
    relative,
    within_30_degrees,
    within_30_degrees_of_the_tail,
)
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.map import hex_at

Placed = tuple[tuple[int, int, int, int, int], ...]
"""Clouds as `(q, r, base, top, clear)`; a line along a side that is `clear` off is not in it."""

Window = tuple[int, int, int, int]
"""A part of a line: from one fraction of it to another, `(from, over, to, over)`."""

_ALL_HEIGHTS = (-1, 1_000_000)
"""Feet that reach below and above whatever flies."""


# ---- Clouds


def line_blocked(
    looker: Hex,
    looker_feet: int,
    target: Hex,
    target_feet: int,
    clouds: Sequence[Cloud],
    book: CircusBook,
) -> bool:
    """Whether a cloud lies between two aircraft (CIR-7.2).

    The line runs between the middles of their hexes, from height to height. A cloud fills its hex
    from base to top, by setting at every height; a line along a side of its hex is in it, but by
    setting; one that only touches a corner, its base or its top is not.
    """
    between = (looker.q, looker.r, looker_feet, target.q, target.r, target_feet)
    return crosses(placed(clouds, book), *between)


def placed(clouds: Sequence[Cloud], book: CircusBook) -> Placed:
    """Clouds where they lie; they may lie off the map."""
    places = ((hex_at(cloud.hex, book, "clouds", anywhere=True), cloud) for cloud in clouds)
    clear = 2 if book.settings.cloud_sides == "hide" else 1
    if book.settings.cloud_heights == "all":
        return tuple((hex_.q, hex_.r, *_ALL_HEIGHTS, clear) for hex_, _ in places)
    return tuple((hex_.q, hex_.r, cloud.base_feet, cloud.top_feet, clear) for hex_, cloud in places)


def crosses(clouds: Placed, q: int, r: int, feet: int, to_q: int, to_r: int, to_feet: int) -> bool:
    """Whether the line from one place to another runs through one of the clouds."""
    ahead, down, rise = to_q - q, to_r - r, to_feet - feet
    for cloud_q, cloud_r, base, top, clear in clouds:
        window = _between((0, 1, 1, 1), feet, rise, base, top)
        if window is not None and _is_over(q - cloud_q, r - cloud_r, ahead, down, window, clear):
            return True
    return False


def _is_over(q: int, r: int, ahead: int, down: int, window: Window, clear: int) -> bool:
    """Whether a part of a line is over the hex (0, 0).

    The hex is what is no nearer to another middle: within 1 by each of its three pairs of sides.

    Args:
        clear: How far off a line that is parallel to a side is clear of the hex.
    """
    slabs = (
        (2 * q + r, 2 * ahead + down),
        (q + 2 * r, ahead + 2 * down),
        (q - r, ahead - down),
    )
    for at, step in slabs:
        if step == 0:
            if abs(at) >= clear:
                return False
            continue
        narrowed = _between(window, at, step, -1, 1)
        if narrowed is None:
            return False
        window = narrowed
    return True


def _between(window: Window, at: int, step: int, low: int, high: int) -> Window | None:
    """The part of a window in which `at + fraction * step` is between two values; None if none."""
    if step == 0:
        return window if low < at < high else None
    enters, leaves = (low - at, high - at) if step > 0 else (at - high, at - low)
    over = abs(step)
    from_, from_over, to, to_over = window
    if enters * from_over > from_ * over:
        from_, from_over = enters, over
    if leaves * to_over < to * over:
        to, to_over = leaves, over
    return (from_, from_over, to, to_over) if from_ * to_over < to * from_over else None


# ---- Blind spots, sun, formation


def in_blind_spot(
    looker: Hex,
    facing: HexDirection,
    target: Hex,
    height_difference_feet: int,
    book: CircusBook,
    *,
    gunner: bool,
) -> bool:
    """Whether a target is in a blind spot (CIR-7.3).

    Args:
        gunner: The looker has a living gunner.
    """
    if book.settings.blind_spots == "none" or height_difference_feet >= 0:
        return False
    if looker == target:
        return True
    found = relative(looker, facing, target)
    if gunner:
        return found.r == 0 and -figure(book, "blind_row_hexes") <= found.q < 0
    return within_30_degrees_of_the_tail(found)


def is_up_sun(
    looker: Hex,
    target: Hex,
    height_difference_feet: int,
    sun: HexDirection | None,
    book: CircusBook,
) -> bool:
    """Whether a target is up-sun (CIR-7.4): toward the sun, within 30 degrees, and not below.

    Args:
        sun: The direction in which it stands; None while it is hidden.
    """
    if sun is None or looker == target:
        return False
    lowest = 0 if book.settings.up_sun == "sector" else 1
    return height_difference_feet >= lowest and within_30_degrees(relative(looker, sun, target))


def in_formation(one: Hex, other: Hex, height_difference_feet: int, book: CircusBook) -> bool:
    """Whether two aircraft of a side fly in close formation (CIR-7.5)."""
    hexes = figure(book, "formation_hexes") if book.settings.formation == "adjacent" else 0
    near = abs(height_difference_feet) <= figure(book, "formation_feet")
    return near and one.distance(other) <= hexes
