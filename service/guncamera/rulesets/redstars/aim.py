"""How a target lies to a shooter: range, arcs and altitude, measured without dice. Chapter 6."""

from __future__ import annotations

from functools import lru_cache

from guncamera.rules.settings import SettingValue
from guncamera.rulesets.redstars.aircraft import Mounting, Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Aim
from guncamera.rulesets.redstars.geometry import (
    MILS,
    arc_of,
    in_rear,
    range_mils,
    within_bearing,
)
from guncamera.rulesets.redstars.outcomes import Arc

_READINGS = (
    "gun_half_arc",
    "rear_half_arc",
    "flexible_half_arc",
    "flexible_arc_rule",
    "crossing",
    "beam_degrees",
)
"""The settings that what an aim finds may turn on."""


def in_arc(shooter: Position, target: Position, mounting: Mounting, book: RedstarsBook) -> bool:
    """Whether the target lies in the arc of a mounting (RED-6.1, RED-6.6)."""
    settings = book.settings
    flexible = mounting == Mounting.FLEXIBLE_REAR and settings.flexible_arc_rule == "mount"
    if flexible:
        return in_rear(shooter, target, settings.flexible_half_arc)
    return within_bearing(shooter, target, settings.gun_half_arc)


def is_crossing(shooter: Position, target: Position, book: RedstarsBook) -> bool:
    """Whether the shot is a crossing shot: the shooter is in the target's side (RED-6.8)."""
    if book.settings.crossing == "beam":
        return is_abeam(shooter, target, book.settings.beam_degrees)
    return arc_of(target, shooter, book.settings) == Arc.SIDE


def is_abeam(shooter: Position, target: Position, degrees: int) -> bool:
    """Whether the shooter is off the target's wings, further than that from nose and tail."""
    return not (within_bearing(target, shooter, degrees) or in_rear(target, shooter, degrees))


def aim_of(shooter: Position, target: Position, mounting: Mounting, book: RedstarsBook) -> Aim:
    """Everything that a shot needs to know of where the two are."""
    return Aim(
        range_mils=range_mils(shooter, target),
        altitude_difference=target.altitude - shooter.altitude,
        in_arc=in_arc(shooter, target, mounting, book),
        behind=arc_of(target, shooter, book.settings) == Arc.REAR,
        crossing=is_crossing(shooter, target, book),
    )


@lru_cache(maxsize=256)
def decisive(
    shooter: Position, target: Position, mounting: Mounting, book: RedstarsBook
) -> tuple[str, ...]:
    """The settings under another value of which the aim would be another.

    Kept for a while: of one shot the odds are asked before it is fired.
    """
    found = aim_of(shooter, target, mounting, book)
    return tuple(
        name
        for name in _READINGS
        if _may_decide(name, mounting, book)
        and any(aim_of(shooter, target, mounting, other) != found for other in others(name, book))
    )


def _may_decide(name: str, mounting: Mounting, book: RedstarsBook) -> bool:
    """Whether a setting has anything to decide on; this is quicker than to try it."""
    if name == "beam_degrees":
        return book.settings.crossing == "beam"
    return mounting == Mounting.FLEXIBLE_REAR or not name.startswith("flexible")


@lru_cache(maxsize=64)
def others(name: str, book: RedstarsBook) -> tuple[RedstarsBook, ...]:
    """The same book under the other values of a setting."""
    spec = book.setting_specs[name]
    values: list[SettingValue] = [choice.value for choice in spec.choices]
    values = values or list(range(spec.low, spec.high + 1, spec.step))
    return tuple(
        book.with_settings({name: value})
        for value in values
        if value != getattr(book.settings, name)
    )


def inches(mils: int) -> str:
    """A length on the table, for people to read."""
    return f"{mils // MILS}.{mils % MILS:03d}"
