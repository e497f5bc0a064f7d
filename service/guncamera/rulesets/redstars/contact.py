"""When two aircraft touch, and when they fly at each other: geometry only. RED-9.1, 9.3, 9.4."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rulesets.redstars.aircraft import Position
from guncamera.rulesets.redstars.geometry import within, within_bearing
from guncamera.rulesets.redstars.settings import RedstarsSettings


def covers(a: Position, b: Position, settings: RedstarsSettings) -> bool:
    """Whether a disc covers the center of another (RED-9.1); altitude is the caller's matter."""
    half = settings.collision_distance == "half-disc"
    return within(a, b, settings.disc_mils // 2 if half else settings.disc_mils)


def overlap(a: Position, b: Position, settings: RedstarsSettings) -> bool:
    """Whether two aircraft may collide: disc over center, at one altitude (RED-9.1)."""
    return a.altitude == b.altitude and covers(a, b, settings)


def is_head_on(a: Position, b: Position, settings: RedstarsSettings) -> bool:
    """Whether two aircraft fly at each other (RED-9.3)."""
    arc = settings.gun_half_arc
    if not within_bearing(a, b, arc) or not within_bearing(b, a, arc):
        return False
    if settings.head_on == "forward-arcs":
        return True
    off = (a.heading_degrees - b.heading_degrees) % 360
    return abs(off - 180) <= settings.nose_to_nose_degrees


def paths_meet(
    mine: Sequence[Position], theirs: Sequence[Position], settings: RedstarsSettings
) -> bool:
    """Whether two paths cross at one moment, and by setting at one altitude there (RED-9.4).

    Each disc of a move takes an equal part of the turn.

    Args:
        mine, theirs: Discs in order, at least one each.
    """
    by_disc = settings.ram_altitude == "where-they-cross"
    return any(
        covers(disc, other, settings)
        and (not by_disc or disc.altitude == other.altitude)
        and _same_moment(i, len(mine), j, len(theirs), touching=settings.ram_slots == "touching")
        for i, disc in enumerate(mine)
        for j, other in enumerate(theirs)
    )


def _same_moment(i: int, mine: int, j: int, theirs: int, *, touching: bool) -> bool:
    """Whether two discs, counted from 0, are flown at one time."""
    begins, ends = i * theirs, (i + 1) * theirs
    other_begins, other_ends = j * mine, (j + 1) * mine
    if touching:
        return begins <= other_ends and other_begins <= ends
    return begins < other_ends and other_begins < ends
