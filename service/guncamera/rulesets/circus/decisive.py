"""Which settings decide on what the firing clock finds, for the trace of a look or a shot.

A setting decides if the clock would find something else under another of its choices. It is tried
only where a glance at both paths does not show already that it has nothing to decide on.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache

from guncamera.rules.settings import SettingValue
from guncamera.rulesets.circus.aircraft import Aeroplane
from guncamera.rulesets.circus.arcs import Arc, arc_of, offsets
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of, names_all_that_decides
from guncamera.rulesets.circus.clock import (
    HANGS,
    NOSE_UPRIGHT,
    Route,
    aimed_along,
    moments,
    routes_of,
)
from guncamera.rulesets.circus.facts import Aiming, Cloud
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.outcomes import Aimed

_READINGS = (
    "firing_clock",
    "cloud_heights",
    "cloud_sides",
    "blind_spots",
    "flexible_gun_vertical",
    "vertical_nose",
    "between_rows",
    "shot_moment",
    "hanging_target",
)
"""The settings, beside that of the arc, that what the clock finds may turn on."""

_NEW_ARC = "wedge-touched"


@lru_cache(maxsize=128)
def decisive(
    facts: Aiming,
    found: Aimed,
    own: tuple[Aeroplane, ...],
    book: CircusBook,
    among: tuple[str, ...] | None = None,
) -> tuple[str, ...]:
    """The settings under whose other choices the clock would have found something else.

    Kept for a while: of one shot the odds are asked, and asked again, before it is fired.

    Args:
        found: What it has found.
        among: Those that are asked about; None for all.
    """
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "aiming.aeroplane")
    arc = arc_of(aeroplane, facts.mount, book, simultaneous=facts.simultaneous)
    shooter, target = routes_of(facts, book)
    return tuple(
        name
        for name in (arc.setting, *_READINGS)
        if (among is None or name in among)
        and _may_decide(name, arc, shooter, target, facts, found, book)
        and any(
            aimed_along(shooter, target, facts, own, other) != found for other in others(name, book)
        )
    )


@lru_cache(maxsize=64)
def others(name: str, book: CircusBook) -> tuple[CircusBook, ...]:
    """The same book under the other choices of a setting."""
    chosen = {each.name: getattr(book.settings, each.name) for each in fields(book.settings)}
    return tuple(
        book.with_settings({**chosen, name: value})
        for value in _choices(name, book)
        if value != chosen[name]
    )


def _choices(name: str, book: CircusBook) -> tuple[SettingValue, ...]:
    """The values of a setting; a game of before is told of those that it might have had."""
    values = (choice.value for choice in book.setting_specs[name].choices)
    return tuple(one for one in values if one != _NEW_ARC or names_all_that_decides(book))


# ---- At a glance


def _may_decide(
    name: str,
    arc: Arc,
    shooter: Route,
    target: Route,
    facts: Aiming,
    found: Aimed,
    book: CircusBook,
) -> bool:
    """Whether a setting has anything to decide on; this is quicker than to try it."""
    match name:
        case arc.setting:
            return _bears_otherwise(arc, shooter, target, book)
        case "cloud_heights" | "cloud_sides":
            return any(_is_near(cloud, shooter, target, book) for cloud in facts.clouds)
        case "shot_moment":
            return found.own_mp_in_arc + found.target_mp_in_arc > 1
        case "vertical_nose":
            return any(stand.pose in NOSE_UPRIGHT for stand in shooter.stands)
        case "hanging_target":
            return any(stand.pose in HANGS for stand in target.stands)
    return True


def _bears_otherwise(arc: Arc, shooter: Route, target: Route, book: CircusBook) -> bool:
    """Whether the target is ever in one of the arcs to choose from and out of another."""
    names = map(str, _choices(arc.setting, book))
    arcs = [offsets(replace(arc, name=name), book) for name in names]
    both_paths = book.settings.firing_clock == "both-paths"
    for pairs in moments(shooter, target, both_paths=both_paths):
        for i, j in pairs:
            one, other = shooter.stands[i], target.stands[j]
            place = (other.q - one.q, other.r - one.r)
            if len({place in hexes[one.facing] for hexes in arcs}) > 1:
                return True
    return False


def _is_near(cloud: Cloud, shooter: Route, target: Route, book: CircusBook) -> bool:
    """Whether a cloud's hex is so near that a line from the one path to the other may meet it."""
    hex_ = hex_at(cloud.hex, book, "clouds", anywhere=True)
    stands = (*shooter.stands, *target.stands)
    columns, rows = [stand.q for stand in stands], [stand.r for stand in stands]
    across = min(columns) - 1 <= hex_.q <= max(columns) + 1
    return across and min(rows) - 1 <= hex_.r <= max(rows) + 1
