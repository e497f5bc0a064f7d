"""Kinetic energy: what a move gains or bleeds, and the speed it ends with. CIR-4.3, 4.4, 4.6."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from guncamera.rulesets.circus.aircraft import Aeroplane
from guncamera.rulesets.circus.book import CircusBook, names_all_that_decides
from guncamera.rulesets.circus.performance import Able, figures_of
from guncamera.rulesets.circus.walk import Reading


class Kind(Enum):
    """What a whole move is, as far as energy goes."""

    ORDINARY = "ordinary"
    STEEP_DIVE = "steep_dive"
    POWER_DIVE = "power_dive"
    PULL_OUT = "pull_out"


@dataclass(frozen=True, slots=True)
class Move:
    """A whole move, as far as energy goes.

    Attributes:
        shallow: It is nothing but a shallow dive.
        points: All its movement points.
        ke_spent: Spent on zooms.
    """

    kind: Kind
    shallow: bool
    speed_mp: int
    points: int
    ke_spent: int


@dataclass(frozen=True, slots=True)
class Energy:
    """What a move does to energy and speed at the end of the turn."""

    ke_change: int
    speed_mp: int


def energy_after(
    move: Move, ke: int, able: Able, book: CircusBook, readings: dict[Reading, None]
) -> Energy:
    """What a move does to energy and speed, within the over-speed allowance.

    Args:
        ke: Kinetic energy before the move.
        readings: Takes the settings that mattered.
    """
    left = ke - move.ke_spent
    energy = Energy(_gain(move, able, book, readings), move.speed_mp)
    if not energy.ke_change and left and _bleeds(move, able, book, readings):
        energy = _bled(able, left, move.speed_mp, book, readings)
    return within_allowance(energy, left, able.aeroplane, book, readings)


def _bleeds(move: Move, able: Able, book: CircusBook, readings: dict[Reading, None]) -> bool:
    """Whether a move bleeds off energy: once the dive is over, and instead of a zoom (CIR-4.4)."""
    settings = book.settings
    if move.kind == Kind.PULL_OUT:
        readings["CIR-4.4", "pull_out_energy"] = None
        return settings.pull_out_energy == "bled"
    if move.kind != Kind.ORDINARY:
        return False
    if move.ke_spent:
        readings["CIR-4.4", "zoom_energy"] = None
        return settings.zoom_energy == "bled"
    if move.shallow and not able.power_off:
        readings["CIR-4.4", "shallow_dive_energy"] = None
        return settings.shallow_dive_energy == "bled"
    return True


def within_allowance(
    energy: Energy, ke: int, aeroplane: Aeroplane, book: CircusBook, readings: dict[Reading, None]
) -> Energy:
    """Energy and speed held to the over-speed allowance, and energy by itself (CIR-4.6).

    Args:
        ke: Kinetic energy that was not spent.
        readings: Takes the settings that mattered.
    """
    change = max(min(energy.ke_change, aeroplane.over_speed_mp - energy.speed_mp - ke), -ke)
    most = max(aeroplane.over_speed_mp - aeroplane.top_mp - ke, 0)
    if change > most and names_all_that_decides(book):
        readings["CIR-4.6", "energy_limit"] = None
        if book.settings.energy_limit == "energy-too":
            change = most
    return Energy(change, energy.speed_mp)


def most_energy(aeroplane: Aeroplane, speed_mp: int, book: CircusBook) -> int:
    """The most kinetic energy that an aircraft holds at the end of a turn (CIR-4.6)."""
    energy_too = book.settings.energy_limit == "energy-too"
    return max(aeroplane.over_speed_mp - (aeroplane.top_mp if energy_too else speed_mp), 0)


def _gain(move: Move, able: Able, book: CircusBook, readings: dict[Reading, None]) -> int:
    """Energy gained by a dive at or above the top speed, with power (CIR-4.3)."""
    settings, figures = book.settings, figures_of(book)
    if able.power_off or move.kind == Kind.PULL_OUT:
        return 0
    fast = move.points >= able.top_mp
    if move.kind == Kind.POWER_DIVE:
        if not fast:
            readings["CIR-4.3", "power_dive_energy"] = None
        always = settings.power_dive_energy == "always"
        return figures.power_dive_ke if fast or always else 0
    if not fast:
        return 0
    if move.kind == Kind.STEEP_DIVE:
        return figures.steep_dive_ke
    if not move.shallow:
        return 0
    readings["CIR-4.3", "dive_energy"] = None
    return figures.steep_dive_ke if settings.dive_energy == "any" else 0


def _bled(
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
