"""A fire phase: which shots are open, and what takes effect when it ends. Rule CIR-12.6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from guncamera.rulesets.circus import clock, guns
from guncamera.rulesets.circus.aircraft import Aeroplane, Aircraft, Mount, PathStep, Pose, Side
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.events import GunChanged
from guncamera.rulesets.circus.facts import Track
from guncamera.rulesets.circus.orders import Craft, Opportunity

if TYPE_CHECKING:
    from guncamera.rulesets.circus.board import Board


def track_of(craft: Craft, board: Board) -> Track:
    """What an aircraft flew before this fire phase.

    In alternate turns only the side whose half it is has moved; the others stand where they are.
    """
    moved = board.acting_side in (None, craft.side)
    if moved and craft.path:
        return Track(craft.path)
    return Track((_stand(craft),))


def _stand(craft: Craft) -> PathStep:
    aircraft = craft.aircraft
    pose = craft.path[-1].pose if craft.path else Pose.LEVEL
    return PathStep(0, aircraft.hex, aircraft.facing, aircraft.altitude_feet, pose)


def figures_of(aircraft: Aircraft, board: Board, book: CircusBook) -> Aeroplane:
    """The figures of an aircraft's type."""
    return aeroplane_of(aircraft.aeroplane, board.own_aeroplanes, book, "aeroplane")


def opportunities_of(board: Board, book: CircusBook) -> tuple[Opportunity, ...]:
    """Every shot that the firing clock allows now, whoever has ammunition for it."""
    return clock.opportunities(
        board.craft,
        board.clouds,
        book,
        own=board.own_aeroplanes,
        acting_side=board.acting_side,
    )


# ---- What may still be done


def may_use_guns(board: Board, side: Side, book: CircusBook) -> bool:
    """Whether a side has a shot left in this phase, or a drum to change."""
    if side in board.holding:
        return False
    if any(True for _ in open_shots(board, side, book)):
        return True
    return any(True for _ in open_drums(board, side, book))


def open_shots(board: Board, side: Side | None, book: CircusBook) -> Iterator[Opportunity]:
    """The shots that a side, or either, may still fire in this phase."""
    for opportunity in board.opportunities:
        shooter = board.craft_of(opportunity.shooter)
        if shooter.side in board.holding or side not in (None, shooter.side):
            continue
        if is_open(opportunity, shooter, board, book):
            yield opportunity


def is_open(opportunity: Opportunity, shooter: Craft, board: Board, book: CircusBook) -> bool:
    """Whether a shot that the clock allows may be fired: its gun is free, its target is seen."""
    aircraft, mount = shooter.aircraft, opportunity.mount
    if is_falling(shooter, book) or is_barred(shooter, mount, book):
        return False
    aeroplane = figures_of(aircraft, board, book)
    if not guns.can_fire(aeroplane, aircraft.loads, mount, aircraft.condition, book):
        return False
    if book.settings.spotted_to_fire == "free":
        return True
    return has_spotted(opportunity.shooter, opportunity.target, board, book)


def is_falling(craft: Craft, book: CircusBook) -> bool:
    """Whether an aircraft has stalled, so that it fires nothing (CIR-3.8)."""
    return craft.stalled and book.settings.stall_fire == "barred"


def is_barred(craft: Craft, mount: Mount, book: CircusBook) -> bool:
    """Whether a pilot has broken, so that he fires no gun of his own (CIR-12.8)."""
    return craft.broken and mount == Mount.FRONT and book.settings.broken_pilot == "flies-home"


def has_spotted(spotter: str, target: str, board: Board, book: CircusBook) -> bool:
    """Whether one has spotted the other: when it looked, or because it has just been shot at."""
    at_once = book.settings.shooter_seen == "at-once"
    return (at_once and has_fired_at(target, spotter, board)) or is_sighted(spotter, target, board)


def has_fired_at(shooter: str, target: str, board: Board) -> bool:
    """Whether one has fired at the other in this phase."""
    return any(shot.shooter == shooter and shot.target == target for shot in board.shots)


def is_sighted(spotter: str, target: str, board: Board) -> bool:
    """Whether one spotted the other when it looked."""
    return any(
        one.spotted and (one.spotter, one.target) == (spotter, target) for one in board.sightings
    )


def open_drums(board: Board, side: Side, book: CircusBook) -> Iterator[tuple[Craft, int]]:
    """The drums and boxes that a side may change instead of firing their guns."""
    for craft in board.flying:
        if craft.side != side:
            continue
        aircraft = craft.aircraft
        aeroplane = figures_of(aircraft, board, book)
        for weapon in range(len(aeroplane.weapons)):
            if guns.can_change(aeroplane, aircraft.loads, weapon, aircraft.condition, book):
                yield craft, weapon


# ---- The end of the phase


def guns_after(board: Board, book: CircusBook) -> Iterator[GunChanged]:
    """The guns once a fire phase of alternate turns is over; else the turn's end sees to them."""
    if board.simultaneous:
        return
    for craft in board.flying:
        aircraft = craft.aircraft
        after = guns.reloaded(figures_of(aircraft, board, book), aircraft.loads)
        for weapon, (old, new) in enumerate(zip(aircraft.loads, after)):
            if new != old:
                yield GunChanged("CIR-9.6", aircraft.id, weapon, new)
