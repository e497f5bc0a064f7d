"""The special manoeuvres, as they are flown. Chapter 5 of the rules; CIR-5.8 is in `flight`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from guncamera.rulesets.circus.aircraft import Manoeuvre, Pose
from guncamera.rulesets.circus.codes import Code, Token
from guncamera.rulesets.circus.performance import (
    Able,
    is_side_barred,
    largest_loop,
    loops,
    lost_side,
    why_barred,
)
from guncamera.rulesets.circus.walk import Walk, refuse

MANOEUVRES: Mapping[Code, Manoeuvre] = {
    Code.SLIP_LEFT: Manoeuvre.SIDE_SLIP,
    Code.SLIP_RIGHT: Manoeuvre.SIDE_SLIP,
    Code.HIGH_YO_YO: Manoeuvre.YO_YO,
    Code.LOW_YO_YO: Manoeuvre.YO_YO,
    Code.HAMMERHEAD: Manoeuvre.HAMMERHEAD,
    Code.ROLLING_REVERSAL: Manoeuvre.ROLLING_REVERSAL,
    Code.LOOP: Manoeuvre.LOOP,
    Code.DISPLACEMENT_ROLL: Manoeuvre.DISPLACEMENT_ROLL,
    Code.PROPELLER_HANG: Manoeuvre.PROPELLER_HANG,
    Code.POWER_DIVE: Manoeuvre.POWER_DIVE,
}
AFTER_A_HANG = frozenset((Code.PROPELLER_HANG, Code.HAMMERHEAD, Code.ROLLING_REVERSAL))
"""Manoeuvres that may follow a propeller hang directly."""
YO_YOS = frozenset((Code.HIGH_YO_YO, Code.LOW_YO_YO))


def fly_special(walk: Walk, token: Token, before: Token | None) -> None:
    """One special manoeuvre.

    Args:
        before: The code before it; None at the start of the plot.

    Raises:
        Illegal: CIR-5.1 to CIR-5.10: it is not its to do, or does not fit there.
    """
    check_special(walk, token)
    if walk.hanging:
        check_after_a_hang(walk, token)
    if token.code in YO_YOS and before is not None and before.code in YO_YOS:
        _check_second_yo_yo(walk, token)
    walk.plain = walk.shallow = walk.steep = walk.hanging = False
    manoeuvre = MANOEUVRES[token.code]
    start = len(walk.steps) - 1
    walk.manoeuvres.append((start, manoeuvre))
    _FLOWN[token.code](walk, token)
    if manoeuvre in walk.able.aeroplane.stressing and token.code not in _STRESSED_EARLIER:
        walk.stress(token, _name(manoeuvre), start, special=True)


def _check_second_yo_yo(walk: Walk, token: Token) -> None:
    """Whether a yo-yo may come right after a yo-yo (CIR-5.2)."""
    walk.readings["CIR-5.2", "yo_yo_after_yo_yo"] = None
    if walk.book.settings.yo_yo_after_yo_yo == "barred":
        raise refuse(
            "CIR-5.2",
            token,
            "a yo-yo right after a yo-yo would not go on alternating. Write both as one.",
            walk.where,
        )


def check_after_a_hang(walk: Walk, token: Token) -> None:
    """Whether a manoeuvre may directly follow a propeller hang (CIR-5.7)."""
    if token.code not in AFTER_A_HANG:
        raise refuse(
            "CIR-5.7",
            token,
            "out of a propeller hang follow another, a hammerhead, a rolling reversal, or "
            "ordinary flight. Fly a hex first.",
            walk.where,
        )


def check_special(walk: Walk, token: Token) -> None:
    """Whether an aircraft may do a manoeuvre at all (CIR-5.1, CIR-5.10)."""
    manoeuvre = MANOEUVRES[token.code]
    if walk.able.condition.shallow_only and manoeuvre == Manoeuvre.LOOP:
        walk.readings["CIR-5.10", "loop_dive"] = None
    barred = why_barred(walk.able, manoeuvre)
    if barred is not None:
        rule_id, why = barred
        raise refuse(
            rule_id,
            token,
            f"{why} Fly something else.",
            walk.where,
            manoeuvre=manoeuvre.value,
        )


def _cost(walk: Walk, row: str) -> tuple[int, int]:
    """Movement points and feet of a manoeuvre (CIR-5.1)."""
    table = walk.book.tables["manoeuvres"]
    return table.number(row, "mp"), table.number(row, "feet")


def _name(manoeuvre: Manoeuvre) -> str:
    return manoeuvre.replace("_", " ").replace("yo yo", "yo-yo")


def _check_side(walk: Walk, token: Token, sixths: int) -> None:
    """Whether a manoeuvre may go out to a side that the controls no longer turn to (CIR-5.10)."""
    side = lost_side(walk.able.condition, sixths)
    if not side:
        return
    walk.readings["CIR-5.10", "barred_side"] = None
    if is_side_barred(walk.able, sixths, walk.book):
        raise refuse(
            "CIR-5.10",
            token,
            f"the controls no longer turn it to the {side}, and this goes there. Go another way.",
            walk.where,
            side=side,
        )


def _side_slip(walk: Walk, token: Token) -> None:
    """Into the hex ahead on one side, facing as before (CIR-5.9)."""
    mp, feet = _cost(walk, "side_slip")
    sixths = 1 if token.code == Code.SLIP_LEFT else -1
    _check_side(walk, token, sixths)
    walk.enter(walk.hex.step(walk.facing.turned(sixths)))
    walk.stand(mp, feet, Pose.MANOEUVRING, "side_slip", token)


def _yo_yo(walk: Walk, token: Token) -> None:
    """Hexes climbed and dived by turns (CIR-5.2)."""
    rises = token.code == Code.HIGH_YO_YO
    for inner in token.inner:
        if inner.code != Code.HEXES:
            walk.turn(inner, left=inner.code == Code.LEFT, feet=0, pose=Pose.MANOEUVRING)
            continue
        for _ in range(inner.number):
            mp, feet = _cost(walk, "yo_yo_climb" if rises else "yo_yo_dive")
            walk.ahead(mp, feet, Pose.MANOEUVRING, "yo_yo", token)
            rises = not rises


def _hang(walk: Walk, mp: int, feet: int, pose: Pose, what: str, token: Token) -> None:
    """One hex ahead, and nose up there: seen in it at every point, at the height it climbs to."""
    walk.enter(walk.hex.step(walk.facing))
    for point in range(mp):
        walk.stand(1, 0 if point else feet, pose, what, token)
    walk.hang_mp += mp


def _hammerhead(walk: Walk, token: Token) -> None:
    """Up in the hex ahead, over, and out into any hex beside it (CIR-5.3)."""
    settings = walk.book.settings
    mp, feet = _cost(walk, "hammerhead")
    _check_side(walk, token, token.number)
    start = len(walk.steps) - 1
    _hang(walk, mp, 0, Pose.HAMMERHEAD, "hammerhead", token)
    if Manoeuvre.HAMMERHEAD in walk.able.aeroplane.stressing:
        walk.stress(token, "hammerhead", start, special=True)
    exit_ = walk.facing.turned(token.number)
    walk.enter(walk.hex.step(exit_))
    if token.number:
        walk.readings["CIR-5.3", "hammerhead_exit"] = None
        if settings.hammerhead_exit == "turned":
            walk.facing = exit_
    walk.readings["CIR-5.3", "hammerhead_exit_mp"] = None
    walk.readings["CIR-5.3", "hammerhead_loss_feet"] = None
    loss = feet - settings.hammerhead_loss_feet
    walk.stand(settings.hammerhead_exit_mp, loss, Pose.MANOEUVRING, "hammerhead", token)


def _rolling_reversal(walk: Walk, token: Token) -> None:
    """Half a loop and half a roll: back the way it came, and higher (CIR-5.4)."""
    settings = walk.book.settings
    walk.readings["CIR-5.4", "reversal_mp"] = None
    walk.readings["CIR-5.4", "reversal_feet"] = None
    walk.readings["CIR-5.4", "reversal_hexes"] = None
    feet = settings.reversal_feet
    for _ in range(settings.reversal_hexes):
        walk.enter(walk.hex.step(walk.facing))
    walk.facing = walk.facing.opposite()
    walk.stand(settings.reversal_mp, feet, Pose.MANOEUVRING, "rolling_reversal", token)


def loop_size(able: Able, chosen: int, walk: Walk) -> int:
    """The rate of climb whose row a loop uses (CIR-5.5); 0 is none.

    Args:
        chosen: As plotted; 0 for its own.
    """
    largest = largest_loop(able, walk.book)
    if not chosen or chosen == largest:
        return largest
    walk.readings["CIR-5.5", "loop_size"] = None
    fits = chosen in loops(walk.book) and chosen < largest
    return chosen if fits and walk.book.settings.loop_size == "chosen" else 0


def _loop(walk: Walk, token: Token) -> None:
    """A full loop, which ends behind its start (CIR-5.5)."""
    rate = loop_size(walk.able, token.number, walk)
    if not rate:
        largest = largest_loop(walk.able, walk.book)
        which = f"the loop of {largest}"
        if walk.book.settings.loop_size == "chosen":
            which = f"a loop of 50 to {largest}, in steps of 50"
        raise refuse(
            "CIR-5.5",
            token,
            f"with a rate of climb of {walk.able.climb_feet} feet it can fly {which}. "
            f"Write O or O{largest}.",
            walk.where,
            loop=token.number,
            largest=largest,
        )
    mp, behind = loops(walk.book)[rate]
    walk.readings["CIR-5.5", "loop_loss_feet"] = None
    if behind:
        walk.enter(walk.hex.step(walk.facing, -behind))
    loss = walk.book.settings.loop_loss_feet
    walk.stand(mp, -loss, Pose.MANOEUVRING, "loop", token)


def _displacement_roll(walk: Walk, token: Token) -> None:
    """Two hexes ahead for the points of four (CIR-5.6)."""
    mp, feet = _cost(walk, "displacement_roll")
    walk.readings["CIR-5.6", "displacement_loss_feet"] = None
    walk.enter(walk.hex.step(walk.facing))
    walk.enter(walk.hex.step(walk.facing))
    loss = feet - walk.book.settings.displacement_loss_feet
    walk.stand(mp, loss, Pose.MANOEUVRING, "displacement_roll", token)


def _propeller_hang(walk: Walk, token: Token) -> None:
    """Nose up in the hex ahead (CIR-5.7)."""
    mp, feet = _cost(walk, "propeller_hang")
    walk.readings["CIR-5.7", "hang_feet"] = None
    feet += walk.book.settings.hang_feet
    _hang(walk, mp, feet, Pose.HANGING, "propeller_hang", token)
    walk.hanging = True


_FLOWN: Mapping[Code, Callable[[Walk, Token], None]] = {
    Code.SLIP_LEFT: _side_slip,
    Code.SLIP_RIGHT: _side_slip,
    Code.HIGH_YO_YO: _yo_yo,
    Code.LOW_YO_YO: _yo_yo,
    Code.HAMMERHEAD: _hammerhead,
    Code.ROLLING_REVERSAL: _rolling_reversal,
    Code.LOOP: _loop,
    Code.DISPLACEMENT_ROLL: _displacement_roll,
    Code.PROPELLER_HANG: _propeller_hang,
}
_STRESSED_EARLIER = frozenset((Code.HAMMERHEAD,))
"""Manoeuvres that are checked before their last stand."""
