"""The score of the day, and what the commander expected. Rules KET-10.4 to KET-10.8."""

from __future__ import annotations

from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure, profile_of
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Condition,
    Critical,
    DamageOutcome,
    Profile,
    Reckoning,
    Score,
)
from guncamera.rulesets.kettering.performance import (
    has_lost_pilot,
    is_lost,
    is_over_half,
    is_three_quarters,
)
from guncamera.rulesets.kettering.report import Report

_REPORT = Report(
    "KET-10.6",
    {
        "deleted_for_criticals": "KET-10.4",
        "deleted_for_damage": "KET-10.5",
        "expectation": "KET-10.8",
        "pleased": "KET-10.8",
    },
)


def rule_on_reckoning(facts: Reckoning, book: KetteringBook) -> Ruling[DamageOutcome]:
    """Rules on the score of the day. No dice.

    Raises:
        Malformed: More torpedoes were stopped than came.
        Illegal: KET-1.1, the type.

    Source: seed 000, trade-offs; readings HR-12c, register 12.4 and 12.5.
    """
    trace = Trace()
    profile = profile_of(facts.aircraft_type, book, "reckoning.aircraft_type")
    condition = facts.condition or UNDAMAGED
    stopped = facts.shot_down + facts.credited
    if stopped > facts.torpedoes:
        raise Malformed(
            f"{stopped} torpedoes were stopped and {facts.torpedoes} came; correct the counts.",
            rule_id="KET-10.1",
            field="reckoning.shot_down",
            stopped=stopped,
            torpedoes=facts.torpedoes,
        )
    lost = facts.lost or has_lost_pilot(condition) or is_lost(profile, condition.damage_points)
    nothing_left = lost and _loses_everything(condition, book, trace)
    hits = 0 if nothing_left else _permanent_hits(condition, book, trace)
    damage = 0 if nothing_left else _deduction(profile, condition, book, trace)
    losses = (
        ("KET-10.4", "permanent_hits", hits),
        ("KET-10.5", "accumulated_damage", damage),
        ("KET-10.7", "everything_lost", stopped if nothing_left else 0),
    )
    left = stopped
    for rule_id, name, torpedoes in losses:
        if torpedoes:
            left += trace.modifier(rule_id, name, -torpedoes)
    trace.sum("KET-10.6", "score", stopped, left)
    kept = 0 if nothing_left else _kept(facts, left, book, trace)
    if left < kept:
        trace.setting("KET-10.6", "score_floor", book.settings.score_floor)
        if book.settings.score_floor == "zero":
            left = trace.clamp("KET-10.6", "score", left, kept, facts.torpedoes)
    expected = _expected_tenths(profile, facts.torpedoes, book, trace)
    pleased = 10 * left >= expected and not lost
    score = Score(stopped, hits, damage, left, f"{expected // 10}.{expected % 10}", pleased=pleased)
    _REPORT(trace, DamageOutcome(score))
    return Ruling(DamageOutcome(score), tuple(trace.lines), (), score_summary(score))


def score_summary(score: Score) -> str:
    """One sentence on a score."""
    mood = "is pleased" if score.pleased else "is not pleased"
    torpedoes = "torpedo" if score.stopped == 1 else "torpedoes"
    return (
        f"{score.stopped} {torpedoes} stopped, score {score.score}; the commander expected "
        f"{score.expectation} and {mood}."
    )


def _loses_everything(condition: Condition, book: KetteringBook, trace: Trace) -> bool:
    """Whether a loss leaves nothing: always the pilot's, and the aircraft's by setting."""
    if has_lost_pilot(condition):
        return True
    trace.setting("KET-10.7", "aircraft_lost_score", book.settings.aircraft_lost_score)
    return book.settings.aircraft_lost_score == "nothing"


def _kept(facts: Reckoning, left: int, book: KetteringBook, trace: Trace) -> int:
    """The torpedoes that no deduction deletes: none, or by setting those that the wind stopped."""
    if facts.credited == 0 or left >= facts.credited:
        return 0
    trace.setting("KET-10.6", "traded_off", book.settings.traded_off)
    return facts.credited if book.settings.traded_off == "shot-down" else 0


def _permanent_hits(condition: Condition, book: KetteringBook, trace: Trace) -> int:
    """Critical hits of the day that cannot be repaired (KET-10.4)."""
    settings = book.settings
    struts = condition.criticals.count(Critical.STRUTS_SHATTERED)
    engine = condition.criticals.count(Critical.ENGINE_DAMAGED)
    if condition.overdive_struts:
        trace.setting("KET-10.4", "overdive_struts_score", settings.overdive_struts_score)
        if settings.overdive_struts_score == "ignored":
            struts = max(struts - condition.overdive_struts, 0)
    if max(struts, engine) > 1:
        trace.setting("KET-10.4", "repeated_critical_score", settings.repeated_critical_score)
        if settings.repeated_critical_score == "once":
            struts, engine = min(struts, 1), min(engine, 1)
    return struts + engine


def _deduction(profile: Profile, condition: Condition, book: KetteringBook, trace: Trace) -> int:
    """Torpedoes deleted for accumulated damage (KET-10.5)."""
    points = condition.damage_points
    row = "half or less"
    if is_three_quarters(profile, points):
        row = "three quarters or more"
        trace.setting(
            "KET-10.5", "three_quarters_deduction", book.settings.three_quarters_deduction
        )
    elif is_over_half(profile, points):
        row = "over half"
    column = book.settings.three_quarters_deduction
    return int(trace.look_up(book.tables["deductions"], row, column))


def _expected_tenths(profile: Profile, torpedoes: int, book: KetteringBook, trace: Trace) -> int:
    """What the commander expects, in tenths of a torpedo (KET-10.8)."""
    table = book.tables["expectations"]
    of_twelve = int(trace.look_up(table, profile.type, "torpedoes_tenths"))
    whole_day = figure(book, "torpedoes")
    expected = (2 * of_twelve * torpedoes + whole_day) // (2 * whole_day)
    trace.setting("KET-10.8", "expectation", book.settings.expectation)
    if book.settings.expectation == "round-numbers":
        expected -= expected % 10
    return expected
