"""Kinetic energy: what a move gains or bleeds, and the speed it ends with. CIR-4.3, 4.4, 4.6."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from guncamera.rulesets.circus.aircraft import Aircraft
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.performance import Able
from guncamera.rulesets.circus.walk import Reading, Walk


class Kind(Enum):
    """What a whole move is, as far as energy goes."""

    ORDINARY = "ordinary"
    STEEP_DIVE = "steep_dive"
    POWER_DIVE = "power_dive"
    PULL_OUT = "pull_out"


@dataclass(frozen=True, slots=True)
class Energy:
    """What a move does to energy and speed at the end of the turn."""

    ke_change: int
    speed_mp: int


def energy_after(
    walk: Walk, aircraft: Aircraft, kind: Kind, speed_mp: int, points: int, ke_spent: int
) -> Energy:
    """What a move does to energy and speed.

    Args:
        speed_mp: The speed it was flown at, without kinetic energy.
        points: All movement points of the move.
        ke_spent: Spent on zooms.
    """
    left = aircraft.ke - ke_spent
    energy = Energy(_gain(walk, kind, points), speed_mp)
    if not energy.ke_change and left and _bleeds(walk, kind, ke_spent):
        energy = bled(walk.able, left, speed_mp, walk.book, walk.readings)
    return energy


def _bleeds(walk: Walk, kind: Kind, ke_spent: int) -> bool:
    """Whether a move bleeds off energy: once the dive is over, and instead of a zoom (CIR-4.4)."""
    settings, readings = walk.book.settings, walk.readings
    if kind == Kind.PULL_OUT:
        readings["CIR-4.4", "pull_out_energy"] = None
        return settings.pull_out_energy == "bled"
    if kind != Kind.ORDINARY:
        return False
    if ke_spent:
        readings["CIR-4.4", "zoom_energy"] = None
        return settings.zoom_energy == "bled"
    if walk.shallow and not walk.able.power_off:
        readings["CIR-4.4", "shallow_dive_energy"] = None
        return settings.shallow_dive_energy == "bled"
    return True


def within_allowance(energy: Energy, ke: int, over_speed_mp: int) -> Energy:
    """Energy and speed held to the over-speed allowance together (CIR-4.6).

    Args:
        ke: Kinetic energy that was not spent.
    """
    room = over_speed_mp - energy.speed_mp - ke
    return Energy(max(min(energy.ke_change, room), -ke), energy.speed_mp)


def _gain(walk: Walk, kind: Kind, points: int) -> int:
    """Energy gained by a dive at or above the top speed, with power (CIR-4.3)."""
    able, settings = walk.able, walk.book.settings
    if able.power_off or kind == Kind.PULL_OUT:
        return 0
    fast = points >= able.top_mp
    if kind == Kind.POWER_DIVE:
        if not fast:
            walk.readings["CIR-4.3", "power_dive_energy"] = None
        always = settings.power_dive_energy == "always"
        return walk.figures.power_dive_ke if fast or always else 0
    if not fast:
        return 0
    if kind == Kind.STEEP_DIVE:
        return walk.figures.steep_dive_ke
    if not walk.shallow:
        return 0
    walk.readings["CIR-4.3", "dive_energy"] = None
    return walk.figures.steep_dive_ke if settings.dive_energy == "any" else 0


def bled(
    able: Able, ke: int, speed_mp: int, book: CircusBook, readings: dict[Reading, None]
) -> Energy:
    """Energy bled off by a move that bleeds it (CIR-4.4).

    Args:
        readings: Takes the settings that mattered.
    """
    settings, drag = book.settings, able.aeroplane.drag
    readings["CIR-4.4", "ke_loss"] = None
    if settings.ke_loss == "all":
        return Energy(-ke, speed_mp)
    readings["CIR-4.4", "ke_loss_mp"] = None
    if drag:
        readings["CIR-4.4", "drag_mp"] = None
    lost = settings.ke_loss_mp
    if settings.ke_loss == "speed":
        speed_mp = max(speed_mp - settings.drag_mp * drag, 0)
    else:
        lost += settings.drag_mp * drag
    return Energy(-min(lost, ke), speed_mp)
