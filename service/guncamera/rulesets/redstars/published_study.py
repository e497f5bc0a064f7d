"""Our side of the published figures: the rules of play, asked with dealt dice or for odds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import atan2, degrees, hypot

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import D6, Dice
from guncamera.rules.odds import odds_of
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    Condition,
    Flight,
    Maneuver,
    Mounting,
    Pilot,
    Position,
    TweakSide,
)
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.facts import (
    Aim,
    Choice,
    DamageFacts,
    FireFacts,
    Firing,
    Looking,
    MoveFacts,
    Moving,
    Pair,
    Ramming,
    SpotFacts,
    Test,
    Testing,
    Tweak,
)
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.geometry import MILS
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.outcomes import Fired, Met, Moved, Seen, Worked
from guncamera.rulesets.redstars.spot import rule_on_spot

SHOOTER, RUGGED, PLAIN = "a5m2", "i16t5", "ki10"
NO_DICE = DealtDice(())
HIT = 10
NOTHING_MORE = (10, 10, 10)
"""For whatever a hit may bring with it, by setting; none of it is a figure."""
AT = Position(0, 0, 0, 6)


# ---- Tests on two dice


def _passed(testing: Testing, book: RedstarsBook, dice: Dice) -> bool:
    worked = rule_on_damage(DamageFacts(testing), book, dice).outcome.procedure
    if not isinstance(worked, Worked):
        raise AssertionError(f"a test came to {worked!r}")
    return worked.passed


def _seen(book: RedstarsBook, dice: Dice) -> bool:
    seen = rule_on_spot(SpotFacts(Looking(Pilot())), book, dice).outcome.procedure
    return isinstance(seen, Seen) and seen.spotted


def _chance(asked: Callable[[Dice], bool]) -> Fraction:
    return odds_of(asked).of(bool)


def spin_chance(number: int, rating: int, *, book: RedstarsBook) -> Fraction:
    """The chance to recover from a spin, by the type's number and the pilot's rating."""
    own = replace(book.aircraft[PLAIN], type="own", spin_number=number)
    spinning = Aircraft("one", "own", AT, 3, Pilot(rating), flight=Flight.SPINNING)
    testing = Testing(spinning, Test.SPIN_RECOVERY)

    def asked(dice: Dice) -> bool:
        worked = rule_on_damage(DamageFacts(testing, (own,)), book, dice).outcome.procedure
        return isinstance(worked, Worked) and worked.passed

    return _chance(asked)


def reaches(number: int, *, book: RedstarsBook) -> Fraction:
    """The chance of a number or more on two dice, as a test asks for it."""
    return spin_chance(number, 0, book=book)


def test_chance(name: str, *, book: RedstarsBook) -> Fraction:
    """The chance to pass a test with nothing added."""
    if name == "spotting":
        return _chance(lambda dice: _seen(book, dice))
    test, _, dive = name.partition(" ")
    condition = Condition(fires_d6=1) if dive else None
    aircraft = Aircraft("one", PLAIN, AT, 3, condition=condition)
    card = AltitudeCard(dive) if dive else None
    testing = Testing(aircraft, Test(test), card)
    return _chance(lambda dice: _passed(testing, book, dice))


# ---- The pool of damage


def _shot(target: str, book: RedstarsBook, dice: Dice) -> Fired:
    """Two machine guns from behind."""
    shooter = Aircraft("one", SHOOTER, AT, 3)
    other = Aircraft("two", target, Position(0, 6 * MILS, 0, 6), 3)
    firing = Firing(shooter, other, (0,), Aim(6 * MILS, 0, behind=True))
    fired = rule_on_fire(FireFacts(firing), book, dice).outcome.procedure
    if not isinstance(fired, Fired):
        raise AssertionError(f"a shot came to {fired!r}")
    return fired


def pool(faces: tuple[int, ...], *, book: RedstarsBook) -> dict[str, str]:
    """What the dice of two machine guns do to a rugged type."""
    harmless = (HIT, *faces, *NOTHING_MORE)
    fired = _shot(RUGGED, book, DealtDice(harmless))
    return {"damage": str(fired.damage), "special": "yes" if fired.special_hit else "no"}


def special_percent(rugged: int, *, book: RedstarsBook) -> str:
    """The chance that two machine guns that hit make a special hit, in percent."""
    target = RUGGED if rugged else PLAIN
    quiet = replace(book, settings=replace(book.settings, risk_trigger="never"))

    def asked(dice: Dice) -> tuple[bool, bool]:
        fired = _shot(target, quiet, dice)
        return bool(fired.weapons_hit), fired.special_hit

    odds = odds_of(asked)
    hits = odds.of(lambda shot: shot[0])
    return _rounded(100 * odds.of(lambda shot: shot[1]) / hits) + " %"


def _rounded(value: Fraction) -> str:
    """To a tenth, halves up; never less than nothing."""
    tenths = int(value * 10 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"


# ---- Ramming


def _rammed(
    rating: int, other: int, tailing: int, burning: int, book: RedstarsBook, dice: Dice
) -> bool:
    condition = Condition(fires_d6=1) if burning else None
    there = Position(0, 0, 0 if tailing else 180, 6)
    rammer = Aircraft("one", PLAIN, AT, 1, Pilot(rating), condition)
    target = Aircraft("two", PLAIN, there, 1, Pilot(other))
    pairs = Pair(rammer, tailing=bool(tailing), discs=(AT,)), Pair(target, discs=(there,))
    met = rule_on_move(MoveFacts(Ramming(*pairs)), book, dice).outcome.procedure
    return isinstance(met, Met) and met.struck


def ram_chance(
    rating: int, other: int, tailing: int, burning: int, *, book: RedstarsBook
) -> Fraction:
    """The chance that a ram strikes."""
    lost = replace(book, settings=replace(book.settings, crash_outcome="both-lost"))
    return _chance(lambda dice: _rammed(rating, other, tailing, burning, lost, dice))


def ram_number(rating: int, other: int, tailing: int, burning: int, *, book: RedstarsBook) -> str:
    """The number that a ram needs on two dice."""
    lost = replace(book, settings=replace(book.settings, crash_outcome="both-lost"))
    for number in range(2, 2 * D6 + 1):
        low = max(number - D6, 1)
        dice = DealtDice((low, number - low))
        if _rammed(rating, other, tailing, burning, lost, dice):
            return f"{number}+"
    return "never"


# ---- The worked example


def _flown(aircraft: Aircraft, maneuver: Maneuver, tweaks: range, book: RedstarsBook) -> Moved:
    left = tuple(Tweak(disc, TweakSide.LEFT) for disc in tweaks)
    moving = Moving(aircraft, Choice(aircraft.id, maneuver), bool(left), left)
    moved = rule_on_move(MoveFacts(moving), book, NO_DICE).outcome.procedure
    if not isinstance(moved, Moved):
        raise AssertionError(f"a move came to {moved!r}")
    return moved


def example(tweaks: int, *, book: RedstarsBook) -> dict[str, str]:
    """The worked example of tailing, with so many of the three tweaks."""
    target = Aircraft("target", SHOOTER, AT, 3)
    chaser = Aircraft("chaser", SHOOTER, Position(0, -10 * MILS, 0, 6), 4, Pilot(2))
    there = _flown(target, Maneuver.LEFT, range(0), book).position
    here = _flown(chaser, Maneuver.SHIFT_LEFT, range(2, 2 + tweaks), book).position
    aim = aim_of(here, there, Mounting.FORWARD, book)
    return {
        "chaser": _place(here),
        "target": _place(there),
        "bearing": _bearing(here, there),
        "range": f"{hypot(here.x_mils - there.x_mils, here.y_mils - there.y_mils) / MILS:.2f}",
        "in arc": "yes" if aim.in_arc else "no",
        "from the target": _bearing(there, here),
        "behind": "yes" if aim.behind else "no",
    }


def _place(at: Position) -> str:
    return f"{at.x_mils / MILS:.3f}, {at.y_mils / MILS:.3f}, {at.heading_degrees:03d}"


def _bearing(of: Position, other: Position) -> str:
    """Off the nose, to a tenth of a degree; for people to read, so that a float may do."""
    true = degrees(atan2(other.x_mils - of.x_mils, other.y_mils - of.y_mils))
    off = (true - of.heading_degrees + 180) % 360 - 180
    return f"{off:.1f}"
