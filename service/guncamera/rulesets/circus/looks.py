"""Who looks for whom on the board, and what hides or shows them: the facts of rule CIR-7.1."""

from __future__ import annotations

from dataclasses import replace

from guncamera.rulesets.circus.aircraft import Aircraft
from guncamera.rulesets.circus.board import Board, condition_of
from guncamera.rulesets.circus.book import CircusBook, names_all_that_decides
from guncamera.rulesets.circus.clock import has_gunner
from guncamera.rulesets.circus.decisive import others
from guncamera.rulesets.circus.facts import Look
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import Craft
from guncamera.rulesets.circus.phases import pairs
from guncamera.rulesets.circus.sight import in_blind_spot, in_formation, is_up_sun, line_blocked
from guncamera.rulesets.circus.spot import LOOK_READINGS
from guncamera.rulesets.circus.volley import figures_of


def looks(board: Board, book: CircusBook) -> tuple[Look, ...]:
    """All looks of a phase, by the ids of spotter and target: so their dice fall."""
    named = names_all_that_decides(book)
    return tuple(
        _with_readings(look, spotter, target, board, book) if named else look
        for spotter, target in pairs(board, book)
        for look in (_look(spotter, target, board, book),)
    )


def _with_readings(
    look: Look, spotter: Craft, target: Craft, board: Board, book: CircusBook
) -> Look:
    """A look, with the settings under whose other choices its facts would be others."""
    readings = tuple(
        name
        for name in LOOK_READINGS
        if _may_decide(name, look, board)
        and any(_look(spotter, target, board, other) != look for other in others(name, book))
    )
    return replace(look, readings=readings)


def _may_decide(name: str, look: Look, board: Board) -> bool:
    """Whether a setting has anything to decide on; this is quicker than to look anew."""
    match name:
        case "cloud_heights" | "cloud_sides":
            return bool(board.clouds)
        case "blind_spots":
            return look.height_difference_feet < 0
        case "up_sun":
            return board.sun is not None and look.height_difference_feet == 0
    return True


def _look(spotter: Craft, target: Craft, board: Board, book: CircusBook) -> Look:
    one, other = spotter.aircraft, target.aircraft
    here, there = (hex_at(aircraft.hex, book, "hex") for aircraft in (one, other))
    feet, other_feet = one.altitude_feet, other.altitude_feet
    higher = other_feet - feet
    killed = condition_of(one).gunner_killed
    gunner = has_gunner(figures_of(one, board, book), killed=killed)
    shots = [shot for shot in board.shots if shot.shooter == other.id]
    return Look(
        spotter=one.id,
        target=other.id,
        hexes=here.distance(there),
        height_difference_feet=higher,
        line_of_sight=not line_blocked(here, feet, there, other_feet, board.clouds, book),
        in_blind_spot=in_blind_spot(here, one.facing, there, higher, book, gunner=gunner),
        up_sun=is_up_sun(here, there, higher, board.sun, book),
        target_fired=bool(shots),
        fired_at_spotter=any(shot.target == one.id for shot in shots),
        formation=_formation(target, board, book),
    )


def _formation(target: Craft, board: Board, book: CircusBook) -> tuple[str, ...]:
    """Who flies in close formation with a target."""
    return tuple(
        craft.aircraft.id
        for craft in board.flying
        if craft.side == target.side
        and craft is not target
        and _fly_together(craft.aircraft, target.aircraft, book)
    )


def _fly_together(one: Aircraft, other: Aircraft, book: CircusBook) -> bool:
    here, there = (hex_at(aircraft.hex, book, "hex") for aircraft in (one, other))
    return in_formation(here, there, other.altitude_feet - one.altitude_feet, book)
