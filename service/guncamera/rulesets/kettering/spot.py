"""Whether the torpedo is in the sights. Chapter 6 of the rules."""

from __future__ import annotations

from guncamera.rules.dice import Dice
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Aspect, SpotFacts, SpotOutcome, Torpedo
from guncamera.rulesets.kettering.map import hex_at
from guncamera.rulesets.kettering.plot import check_step
from guncamera.rulesets.kettering.report import Report
from guncamera.rulesets.kettering.wind import check_torpedo

REACH_HEXES = {Aspect.TAIL: 2, Aspect.HEAD_ON: 1, Aspect.NONE: 0}
_REPORT = Report("KET-6.1", {"aspect": "KET-6.1", "range_hexes": "KET-6.3", "sighted": "KET-7.1"})


def aspect_of(shooter: Hex, facing: HexDirection, target: Hex, heading: HexDirection) -> Aspect:
    """From where the shooter looks: straight from behind, straight from ahead, or neither."""
    bearing = target.bearing(shooter)
    if bearing == heading.opposite() and facing == heading:
        return Aspect.TAIL
    if bearing == heading and facing == heading.opposite():
        return Aspect.HEAD_ON
    return Aspect.NONE


def rule_on_spot(facts: SpotFacts, book: KetteringBook, _dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on whether the torpedo is sighted. No dice.

    Raises:
        Malformed: A hex is no label, or an altitude no multiple of 50.
        Illegal: KET-2.1, KET-3.6, KET-4.1: the pieces cannot be where they are said to be.

    Source: seed 000, combat restrictions a to c; register section 5, sighting.
    """
    trace = Trace()
    shooter = hex_at(facts.aircraft_hex, book, "aircraft_hex")
    check_step(facts.aircraft_altitude_metres, "aircraft_altitude_metres")
    heading = facts.torpedo_heading
    torpedo = Torpedo(facts.torpedo_hex, heading, facts.torpedo_altitude_metres, speed_mp=4)
    target = check_torpedo(torpedo, book, "torpedo_")
    aspect = aspect_of(shooter, facts.aircraft_facing, target, heading)
    range_hexes = shooter.distance(target)
    wanted = book.settings.sighting_hexes
    level = facts.aircraft_altitude_metres - facts.torpedo_altitude_metres
    checks = (
        ("KET-6.1", "on_its_line", aspect != Aspect.NONE),
        ("KET-6.2", "equal_altitude", level == 0),
        ("KET-6.3", "in_range", 1 <= range_hexes <= REACH_HEXES[aspect]),
        ("KET-6.4", "lined_up", facts.straight_hexes >= wanted),
    )
    trace.finding("KET-6.2", "altitude_difference_metres", abs(level))
    for rule_id, name, holds in checks:
        trace.finding(rule_id, name, holds)
    trace.setting("KET-6.4", "sighting_hexes", wanted)
    outcome = SpotOutcome(all(holds for *_, holds in checks), aspect, range_hexes)
    _REPORT(trace, outcome)
    return Ruling(outcome, tuple(trace.lines), (), _summary(outcome, checks))


def _summary(outcome: SpotOutcome, checks: tuple[tuple[str, str, bool], ...]) -> str:
    if outcome.sighted:
        side = "from behind" if outcome.aspect == Aspect.TAIL else "head-on"
        return f"The torpedo is sighted {side} at {outcome.range_hexes} hexes."
    missing = ", ".join(name.replace("_", " ") for _, name, holds in checks if not holds)
    return f"The torpedo is not sighted; it wants: {missing}."
