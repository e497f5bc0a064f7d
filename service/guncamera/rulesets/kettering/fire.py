"""One shot at the torpedo, and what its explosion does to the shooter. Chapter 7 of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from guncamera.rules.dice import D6, Ask, Dice, LookUp
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, profile_of
from guncamera.rulesets.kettering.damage import (
    DAMAGE_RULES,
    check_range,
    damage_events,
    damage_summary,
    explode,
    points_of,
    target_damage,
)
from guncamera.rulesets.kettering.events import ShotFired
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aspect,
    FireFacts,
    FireOutcome,
    Profile,
)
from guncamera.rulesets.kettering.performance import check_not_lost
from guncamera.rulesets.kettering.plot import check_step
from guncamera.rulesets.kettering.report import Report

_Penalty = tuple[str, str, int, str]  # rule id, name, amount, why
JAMS_ON = 2
DESTROYED, MISSED, JAMMED = "destroyed", "missed", "jammed"
_REPORT = Report(
    "KET-7.8", {**DAMAGE_RULES, "torpedo_destroyed": "KET-7.8", "guns_jammed": "KET-7.10"}
)


@dataclass(frozen=True, slots=True)
class ShotReading(LookUp):
    """What a shot looks for on the target damage table: a critical hit, and nothing else.

    A look-up that tells two or three results apart, so that odds branch on those only.
    `jams_on` is the plain total that jams the guns; 0 is none.
    """

    jams_on: int = 0

    def __call__(self, faces: tuple[int, ...], /) -> str:
        """Destroyed, missed or jammed."""
        if sum(faces) == self.jams_on:
            return JAMMED
        _, starred = points_of(self.table.cell(self.row(faces), self.column))
        return DESTROYED if starred else MISSED


_reading = lru_cache(maxsize=256)(ShotReading)


def rule_on_fire(facts: FireFacts, book: KetteringBook, dice: Dice) -> Ruling[FireOutcome]:
    """Rules on one shot.

    Raises:
        Malformed, Illegal: KET-1.1, the type.
        Illegal: KET-6.1 to KET-6.4, no shot from there; KET-7.9, no ammunition; KET-7.10, the
            guns are jammed; KET-8.4, KET-8.5, the aircraft is lost.

    Source: seed 000, combat; the target damage table HR-10.
    """
    trace = Trace()
    profile = profile_of(facts.aircraft_type, book, "aircraft_type")
    check_not_lost(profile, facts.condition, "condition")
    _check_guns(facts, profile, book)
    _check_sights(facts)
    column = f"{profile.gun}-{facts.range_hexes}"
    trace.finding("KET-7.1", "column", column)
    loaded = "KET-9.3" if facts.ammunition is None else "KET-7.9"
    trace.finding(loaded, "shots_before", _shots_left(facts, profile))
    modifier = _penalties(facts, book, trace)
    read = _reading(target_damage(book), column, modifier, _jams_on(book))
    result = trace.roll(dice, Ask((D6, D6), read, "to-hit", "KET-7.7"))
    _record_readings(profile, book, trace)
    condition = facts.condition or UNDAMAGED
    blast = None
    if result == DESTROYED:
        aspect, range_hexes = facts.aspect, facts.range_hexes
        blast = explode(aspect, range_hexes, profile, condition, book, trace, dice)
    outcome = FireOutcome(result == DESTROYED, blast, guns_jammed=result == JAMMED)
    _REPORT(trace, outcome)
    left = _shots_left(facts, profile) - (1 if book.settings.ammunition_counted else 0)
    fired = ShotFired("KET-7.9", left, facts.aspect, outcome.torpedo_destroyed, outcome.guns_jammed)
    events = damage_events(blast, condition) if blast else ()
    return Ruling(outcome, tuple(trace.lines), (fired, *events), _summary(outcome))


def _shots_left(facts: FireFacts, profile: Profile) -> int:
    return profile.ammunition if facts.ammunition is None else facts.ammunition


def _jams_on(book: KetteringBook) -> int:
    return JAMS_ON if book.settings.gun_jams == "on-two" else 0


def _check_guns(facts: FireFacts, profile: Profile, book: KetteringBook) -> None:
    if facts.guns_jammed:
        raise Illegal(
            "KET-7.10",
            "The guns are jammed for this encounter; do not fire.",
            field="guns_jammed",
        )
    if book.settings.ammunition_counted and _shots_left(facts, profile) == 0:
        raise Illegal(
            "KET-7.9",
            "No shot is left; the guns are loaded again after the encounter.",
            field="ammunition",
            ammunition=0,
        )


def _check_sights(facts: FireFacts) -> None:
    """Aspect, range, altitude and lining up (KET-6.1 to KET-6.4)."""
    check_step(facts.altitude_difference_metres, "altitude_difference_metres")
    check_range(facts.aspect, facts.range_hexes, "")
    if facts.altitude_difference_metres:
        raise Illegal(
            "KET-6.2",
            f"The torpedo is {facts.altitude_difference_metres} metres higher or lower; only an "
            "aircraft at its very altitude may fire.",
            field="altitude_difference_metres",
            altitude_difference_metres=facts.altitude_difference_metres,
        )
    if not facts.sighted:
        raise Illegal(
            "KET-6.4",
            "The torpedo is not sighted: the last movement point must enter the firing hex "
            "straight ahead. Line up next turn.",
            field="sighted",
        )


def _penalties(facts: FireFacts, book: KetteringBook, trace: Trace) -> int:
    """The sum of range and speed penalties, each recorded (KET-7.3, KET-7.4)."""
    table = book.tables["penalties"]
    found: list[_Penalty] = []
    if facts.aspect == Aspect.TAIL and facts.range_hexes > 1:
        amount = table.number("tail at two hexes", "modifier")
        found.append(("KET-7.3", "range", amount, "a tail shot at two hexes"))
    speed = _speed_penalties(facts, book, trace)
    if found and speed:
        trace.setting("KET-7.3", "penalties", book.settings.penalties)
        if book.settings.penalties == "worst":
            by_speed = sum(penalty[2] for penalty in speed)
            found, speed = (found, []) if found[0][2] <= by_speed else ([], speed)
    return sum(trace.modifier(*penalty) for penalty in found + speed)


def _compared_speed(facts: FireFacts, trace: Trace) -> int:
    """The speed held against the torpedo's track (KET-7.2, KET-7.5)."""
    compared = facts.speed_mp
    if facts.bonus_hexes:
        compared += trace.modifier("KET-7.2", "dive_bonus", facts.bonus_hexes)
    if facts.aspect == Aspect.HEAD_ON:
        compared += trace.modifier("KET-7.5", "closing_speed", facts.torpedo_speed_mp)
    return trace.sum("KET-7.2", "compared_speed_mp", facts.speed_mp, compared)


def _speed_penalties(facts: FireFacts, book: KetteringBook, trace: Trace) -> list[_Penalty]:
    """The speed penalties that apply (KET-7.4)."""
    settings, table = book.settings, book.tables["penalties"]
    own, track = _compared_speed(facts, trace), facts.torpedo_speed_mp
    counted = own if settings.speed_multiples == "ratio" else own - track
    steps = (
        ("faster_by_two", "faster by two", _is_two_faster(own - track, book)),
        ("twice_as_fast", "twice as fast", counted >= 2 * track),
        ("three_times_as_fast", "three times as fast", counted >= 3 * track),
    )
    why = f"speed {own} against the torpedo's {track}"
    reached = [
        ("KET-7.4", name, table.number(row, "modifier"), why) for name, row, holds in steps if holds
    ]
    if own - track == 2:
        trace.setting("KET-7.4", "two_faster", settings.two_faster)
    if own >= 2 * track:
        trace.setting("KET-7.4", "speed_multiples", settings.speed_multiples)
    if len(reached) > 1:
        trace.setting("KET-7.4", "speed_steps", settings.speed_steps)
        if settings.speed_steps == "worst":
            reached = [min(reached, key=lambda step: step[2])]
    return reached


def _is_two_faster(excess: int, book: KetteringBook) -> bool:
    return excess >= 2 if book.settings.two_faster == "two-or-more" else excess > 2


def _record_readings(profile: Profile, book: KetteringBook, trace: Trace) -> None:
    """The settings that every shot of these guns turns on."""
    if profile.gun == "A":
        trace.setting("KET-7.7", "target_damage", book.settings.target_damage)
    if book.settings.ammunition_counted is False:
        trace.setting("KET-7.9", "ammunition_counted", value=False)
    if book.settings.gun_jams != "none":
        trace.setting("KET-7.10", "gun_jams", book.settings.gun_jams)


def _summary(outcome: FireOutcome) -> str:
    if outcome.guns_jammed:
        return "The guns jam; the torpedo flies on."
    if not outcome.torpedo_destroyed:
        return "The shot misses."
    if outcome.blast is None or not (outcome.blast.damage_points or outcome.blast.critical):
        return "The torpedo is destroyed."
    return f"The torpedo is destroyed; its explosion does {damage_summary(outcome.blast)}."
