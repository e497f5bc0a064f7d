"""Who aims at whom on the board: the facts of a shot, and of a look through the sights."""

from __future__ import annotations

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aim import CLOCK_READINGS
from guncamera.rulesets.circus.aircraft import Mount, Side
from guncamera.rulesets.circus.board import Board, condition_of
from guncamera.rulesets.circus.book import CircusBook, tells_of_the_board
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.clock import aimed
from guncamera.rulesets.circus.decisive import decisive
from guncamera.rulesets.circus.facts import Aim, Aiming, Firing, Target
from guncamera.rulesets.circus.orders import Check, Craft, Opportunity, Shoot
from guncamera.rulesets.circus.outcomes import Aimed
from guncamera.rulesets.circus.roster import enemy_craft, own_craft
from guncamera.rulesets.circus.volley import (
    figures_of,
    has_fired_at,
    has_spotted,
    is_barred,
    is_falling,
    is_sighted,
    track_of,
)

RULE = "CIR-12.6"


def check_facts(board: Board, side: Side, order: Check) -> Aiming:
    """What is needed to see whether a target may be fired at."""
    shooter = own_craft(board, side, order.shooter, "check.shooter", RULE)
    target = enemy_craft(board, side, order.target, "check.target", RULE)
    return _aiming(shooter, target, order.mount, board)


def shot_facts(board: Board, side: Side, order: Shoot, book: CircusBook) -> Firing:
    """What is needed to rule on a shot.

    The target is as the shots before have left it, though that takes effect later; the shooter
    is as he was when the phase began (CIR-12.6).

    Raises:
        Illegal: CIR-12.8, the shooter's pilot has broken; CIR-3.8, his aircraft has stalled;
            CIR-9.1 to CIR-9.17, the guns cannot fire.
    """
    shooter = own_craft(board, side, order.shooter, "shoot.shooter", RULE)
    target = enemy_craft(board, side, order.target, "shoot.target", RULE)
    _check_able(shooter, order.mount, book)
    found = _opportunity(shooter, target, order.mount, board, book)
    aircraft, told = shooter.aircraft, tells_of_the_board(book)
    pair = (aircraft.id, target.aircraft.id)
    return Firing(
        shooter=aircraft.id,
        aeroplane=aircraft.aeroplane,
        mount=order.mount,
        aim=Aim(
            own_mp=found.own_mp,
            own_mp_in_arc=found.own_mp_in_arc,
            target_mp=found.target_mp,
            target_mp_in_arc=found.target_mp_in_arc,
            hexes=found.hexes,
            height_difference_feet=found.height_difference_feet,
            own_hang_mp_in_arc=found.own_hang_mp_in_arc,
            vertical=found.vertical,
            readings=_readings(shooter, target, order.mount, found, board, book) if told else (),
        ),
        target=_target(target, board, book, hanging=found.target_hanging),
        long_burst=order.long_burst,
        loads=aircraft.loads,
        condition=condition_of(aircraft),
        spotted=is_sighted(*pair, board) if told else has_spotted(*pair, board, book),
        in_blind_spot=isinstance(found, Aimed) and found.target_in_blind_spot,
        simultaneous=board.simultaneous,
        fired_at_shooter=told and has_fired_at(target.aircraft.id, aircraft.id, board),
        stalled=shooter.stalled,
    )


def _readings(
    shooter: Craft,
    target: Craft,
    mount: Mount,
    found: Opportunity | Aimed,
    board: Board,
    book: CircusBook,
) -> tuple[str, ...]:
    """The settings that the firing clock turned on, and that only it knows of."""
    facts = _aiming(shooter, target, mount, board)
    return decisive(facts, _as_aimed(found), board.own_aeroplanes, book, CLOCK_READINGS)


def _as_aimed(found: Opportunity | Aimed) -> Aimed:
    """What the clock found; of a shot that it allows, the target is in no blind spot."""
    if isinstance(found, Aimed):
        return found
    return Aimed(
        may_fire=True,
        own_mp=found.own_mp,
        own_mp_in_arc=found.own_mp_in_arc,
        own_hang_mp_in_arc=found.own_hang_mp_in_arc,
        target_mp=found.target_mp,
        target_mp_in_arc=found.target_mp_in_arc,
        hexes=found.hexes,
        height_difference_feet=found.height_difference_feet,
        range_hexes=found.range_hexes,
        vertical=found.vertical,
        target_hanging=found.target_hanging,
    )


def _check_able(shooter: Craft, mount: Mount, book: CircusBook) -> None:
    id_ = shooter.aircraft.id
    if is_falling(shooter, book):
        raise Illegal(
            "CIR-3.8",
            f"{id_} has stalled in this turn and may not fire. Wait until it flies again.",
            field="shoot.shooter",
            aircraft=id_,
        )
    if is_barred(shooter, mount, book):
        raise Illegal(
            "CIR-12.8",
            f"The pilot of {id_} has had enough and fires no {mount} guns. Fly him home.",
            field="shoot.shooter",
            aircraft=id_,
            mount=mount.value,
        )


def _opportunity(
    shooter: Craft, target: Craft, mount: Mount, board: Board, book: CircusBook
) -> Opportunity | Aimed:
    """The shot as the clock found it; where it found none, what it counted, for the refusal."""
    wanted = (shooter.aircraft.id, target.aircraft.id, mount)
    for one in board.opportunities:
        if (one.shooter, one.target, one.mount) == wanted:
            return one
    aircraft = shooter.aircraft
    aeroplane = figures_of(aircraft, board, book)
    silent = guns.why_silent(aeroplane, aircraft.loads, mount, aircraft.condition, book)
    if silent is not None:
        raise silent
    return aimed(_aiming(shooter, target, mount, board), board.own_aeroplanes, book)


def _aiming(shooter: Craft, target: Craft, mount: Mount, board: Board) -> Aiming:
    return Aiming(
        aeroplane=shooter.aircraft.aeroplane,
        mount=mount,
        shooter=track_of(shooter, board),
        target=track_of(target, board),
        simultaneous=board.simultaneous,
        gunner_killed=condition_of(shooter.aircraft).gunner_killed,
        clouds=board.clouds,
    )


def _target(target: Craft, board: Board, book: CircusBook, *, hanging: bool) -> Target:
    struck = fold(board, board.pending, book).craft_of(target.aircraft.id).aircraft
    return Target(
        id=struck.id,
        aeroplane=struck.aeroplane,
        condition=condition_of(struck),
        resolution=struck.resolution,
        hanging=hanging,
    )
