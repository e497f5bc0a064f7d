"""Damage to the aircraft: explosions, critical hits, what is left, repairs. Chapters 8 and 9."""

from __future__ import annotations

from functools import lru_cache

from guncamera.rules.dice import D6, Ask, Dice, LookUp
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.table import Cell, Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, profile_of
from guncamera.rulesets.kettering.events import Change, Cleared, DamageTaken
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aspect,
    Assessment,
    Condition,
    Critical,
    CriticalHit,
    DamageDone,
    DamageFacts,
    DamageOutcome,
    Explosion,
    Profile,
    Reckoning,
    Repair,
    Repaired,
)
from guncamera.rulesets.kettering.performance import PILOT_HITS, assess, has_lost_pilot, is_lost
from guncamera.rulesets.kettering.report import Report
from guncamera.rulesets.kettering.score import rule_on_reckoning
from guncamera.rulesets.kettering.spot import REACH_HEXES

DAMAGE_RULES = {"damage_points": "KET-8.1", "critical": "KET-8.3", "lost": "KET-8.5"}
_EXPLOSION_REPORT = Report("KET-8.1", DAMAGE_RULES)
_CRITICAL_REPORT = Report("KET-8.3", DAMAGE_RULES)
_PERFORMANCE_REPORT = Report(
    "KET-8.15",
    {
        "sharp_turns": "KET-8.11",
        "steers": "KET-8.12",
        "overdives": "KET-5.8",
        "climbs": "KET-5.5",
        "forced_loss_metres": "KET-5.13",
        "must_slow": "KET-8.13",
        "stalls": "KET-5.9",
    },
)
_REPAIR_REPORT = Report("KET-9.1")


def rule_on_damage(facts: DamageFacts, book: KetteringBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on damage of any kind; see the rule of each for what it refuses."""
    match facts.procedure:
        case Explosion() as explosion:
            return rule_on_explosion(explosion, book, dice)
        case CriticalHit() as hit:
            return rule_on_critical_hit(hit, book, dice)
        case Assessment() as assessment:
            return rule_on_assessment(assessment, book)
        case Repair() as repair:
            return rule_on_repair(repair, book)
        case Reckoning() as reckoning:
            return rule_on_reckoning(reckoning, book)


def target_damage(book: KetteringBook) -> Table:
    """The target damage table that the settings choose (KET-7.7)."""
    plain = book.settings.target_damage == "plain-nine"
    return book.tables["target-damage-plain" if plain else "target-damage"]


@lru_cache(maxsize=256)
def points_of(cell: Cell) -> tuple[int, bool]:
    """A cell of the target damage table: damage points, and whether it is starred."""
    text = str(cell)
    return int(text.removesuffix("*")), text.endswith("*")


def check_range(aspect: Aspect, range_hexes: int, field: str) -> None:
    """Hold an aspect and a range to what a shot may be.

    Raises:
        Illegal: KET-6.1, neither tail nor head-on; KET-6.3, too far or not apart.
    """
    if aspect == Aspect.NONE:
        raise Illegal(
            "KET-6.1",
            "The aircraft is neither straight behind the torpedo, facing as it does, nor straight "
            "ahead of it, facing it; no other shot is allowed. Get on its line first.",
            field=f"{field}aspect",
        )
    reach = REACH_HEXES[aspect]
    if not 1 <= range_hexes <= reach:
        name = "tail" if aspect == Aspect.TAIL else "head-on"
        raise Illegal(
            "KET-6.3",
            f"Range is {range_hexes} hexes; a {name} shot reaches 1 to {reach}. Close in.",
            field=f"{field}range_hexes",
            range_hexes=range_hexes,
            reach_hexes=reach,
        )


def explode(
    aspect: Aspect,
    range_hexes: int,
    profile: Profile,
    condition: Condition,
    book: KetteringBook,
    trace: Trace,
    dice: Dice,
) -> DamageDone:
    """The explosion of a destroyed torpedo (KET-8.1), for a shot that was allowed."""
    column = str(trace.look_up(book.tables["explosions"], aspect.value, str(range_hexes)))
    if column == "none":
        return DamageDone(0)
    cell = trace.roll(dice, Ask((D6, D6), LookUp(target_damage(book), column), "blast", "KET-8.1"))
    if column.startswith("A"):
        trace.setting("KET-7.7", "target_damage", book.settings.target_damage)
    points, starred = points_of(cell)
    before = condition.damage_points
    trace.modifier("KET-8.2", "blast_points", points)
    total = trace.sum("KET-8.2", "total_points", before, before + points)
    critical = roll_critical(book, trace, dice) if starred else None
    return DamageDone(points, critical, critical in PILOT_HITS or is_lost(profile, total))


def roll_critical(book: KetteringBook, trace: Trace, dice: Dice) -> Critical:
    """A roll on the critical hit table (KET-8.3)."""
    column = book.settings.critical_hits
    table = book.tables["critical-hits"]
    cell = trace.roll(dice, Ask((D6, D6), LookUp(table, column), "critical", "KET-8.3"))
    trace.setting("KET-8.3", "critical_hits", column)
    return Critical(str(cell))


def damage_events(done: DamageDone, condition: Condition) -> tuple[Change, ...]:
    """What an attack changes on the board."""
    if not done.damage_points and done.critical is None:
        return ()
    total = condition.damage_points + done.damage_points
    return (DamageTaken("KET-8.2", done.damage_points, total, done.critical),)


def damage_summary(done: DamageDone) -> str:
    """One clause on what an attack did."""
    if done.critical is not None:
        hit = f" and a critical hit: {done.critical.replace('_', ' ')}"
    else:
        hit = ""
    lost = "; the campaign is lost" if done.lost else ""
    return f"{done.damage_points} damage points{hit}{lost}"


def rule_on_explosion(facts: Explosion, book: KetteringBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on the explosion of a destroyed torpedo.

    Raises:
        Malformed, Illegal: KET-1.1, the type; KET-6.1, KET-6.3, no shot may be from there.

    Source: seed 000, critical hits c; the table HR-10.
    """
    trace = Trace()
    profile = profile_of(facts.aircraft_type, book, "explosion.aircraft_type")
    check_range(facts.aspect, facts.range_hexes, "explosion.")
    condition = facts.condition or UNDAMAGED
    done = explode(facts.aspect, facts.range_hexes, profile, condition, book, trace, dice)
    outcome = DamageOutcome(done)
    _EXPLOSION_REPORT(trace, outcome)
    summary = f"The explosion does {damage_summary(done)}."
    return Ruling(outcome, tuple(trace.lines), damage_events(done, condition), summary)


def rule_on_critical_hit(
    facts: CriticalHit, book: KetteringBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a roll on the critical hit table.

    Raises:
        Malformed, Illegal: KET-1.1, the type.

    Source: seed 000 for the results, HR-7 for their odds.
    """
    trace = Trace()
    profile = profile_of(facts.aircraft_type, book, "critical_hit.aircraft_type")
    condition = facts.condition or UNDAMAGED
    critical = roll_critical(book, trace, dice)
    lost = critical in PILOT_HITS or is_lost(profile, condition.damage_points)
    done = DamageDone(0, critical, lost)
    outcome = DamageOutcome(done)
    _CRITICAL_REPORT(trace, outcome)
    summary = f"The critical hit does {damage_summary(done)}."
    return Ruling(outcome, tuple(trace.lines), damage_events(done, condition), summary)


def rule_on_assessment(facts: Assessment, book: KetteringBook) -> Ruling[DamageOutcome]:
    """Rules on what an aircraft in some condition can still do. No dice.

    Raises:
        Malformed, Illegal: KET-1.1, the type.

    Source: HR-7 and HR-12 for the effects.
    """
    trace = Trace()
    profile = profile_of(facts.aircraft_type, book, "assessment.aircraft_type")
    able = assess(profile, facts.condition, book, trace)
    outcome = DamageOutcome(able)
    _PERFORMANCE_REPORT(trace, outcome)
    left = able.profile
    summary = (
        f"The {profile.title} flies {left.min_speed_mp} to {left.max_speed_mp}, climbs "
        f"{left.climb_limit_metres if able.climbs else 0} and dives {left.dive_limit_metres} "
        f"metres, on schedule {left.schedule}."
    )
    if able.stalls:
        summary = f"The {profile.title} stalls: it cannot reach its lowest speed."
    return Ruling(outcome, tuple(trace.lines), (), summary)


def rule_on_repair(facts: Repair, book: KetteringBook) -> Ruling[DamageOutcome]:
    """Rules on an emergency repair between encounters. No dice.

    Raises:
        Illegal: KET-9.1, there is no such hit, or too few torpedoes are left; KET-9.2, it stays
            for the day; KET-8.4, the pilot cannot be repaired.

    Source: seed 000, emergency repair.
    """
    trace = Trace()
    critical = facts.critical
    name = critical.replace("_", " ")
    if critical not in facts.condition.criticals:
        raise Illegal(
            "KET-9.1",
            f"The aircraft has no such hit: {name}. Repair one it has.",
            field="repair.critical",
            critical=critical.value,
        )
    cost = trace.look_up(book.tables["repairs"], critical.value, "cost")
    if not isinstance(cost, int):
        raise Illegal(
            "KET-9.2" if cost == "permanent" else "KET-8.4",
            f"{name.capitalize()} cannot be repaired; it stays for the day.",
            field="repair.critical",
            critical=critical.value,
        )
    if has_lost_pilot(facts.condition):
        raise Illegal(
            "KET-8.4",
            "The pilot was wounded or killed, which ends the campaign; repair nothing.",
            field="repair.condition.criticals",
        )
    also = _repaired_too(facts, cost, book, trace)
    if cost > facts.torpedoes_left:
        cost = _short_of_torpedoes(cost, facts.torpedoes_left, book, trace)
    outcome = DamageOutcome(Repaired(critical, cost, also))
    _REPAIR_REPORT(trace, outcome)
    passed = "1 torpedo passes" if cost == 1 else f"{cost} torpedoes pass"
    return Ruling(
        outcome,
        tuple(trace.lines),
        (Cleared("KET-9.1", critical, cost), *(Cleared("KET-9.1", hit, 0) for hit in also)),
        f"{', '.join([name, *(hit.replace('_', ' ') for hit in also)]).capitalize()}: repaired, "
        f"while {passed}.",
    )


def _repaired_too(
    facts: Repair, cost: int, book: KetteringBook, trace: Trace
) -> tuple[Critical, ...]:
    """What else is repaired meanwhile: by setting, every hit that costs one torpedo as well."""
    others = list(facts.condition.criticals)
    others.remove(facts.critical)
    alike = tuple(
        hit
        for hit in others
        if cost == 1 and book.tables["repairs"].cell(hit.value, "cost") == cost
    )
    if not alike:
        return ()
    trace.setting("KET-9.1", "repair_price", book.settings.repair_price)
    if book.settings.repair_price == "each":
        return ()
    for hit in alike:
        trace.finding("KET-9.1", "repaired_too", hit.value)
    return alike


def _short_of_torpedoes(cost: int, left: int, book: KetteringBook, trace: Trace) -> int:
    """What a repair costs that costs more torpedoes than are left."""
    if book.settings.repair_short == "refused":
        raise Illegal(
            "KET-9.1",
            f"The repair lets {cost} torpedoes pass; {left} are left. Fly on without it.",
            field="repair.torpedoes_left",
            cost=cost,
            torpedoes_left=left,
        )
    trace.setting("KET-9.1", "repair_short", book.settings.repair_short)
    return trace.clamp("KET-9.1", "torpedoes_passed", cost, 0, left)
