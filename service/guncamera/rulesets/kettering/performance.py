"""What a damaged aircraft can still do. Rules KET-8.6 to KET-8.15, KET-5.9."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.refusal import Illegal
from guncamera.rules.straight_line import changed
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure, flies_by_own_lowest
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Condition,
    Critical,
    Performance,
    Profile,
)

SCHEDULES = "ABCDE"
CLUMSIEST = "F"
PILOT_HITS = (Critical.PILOT_WOUNDED, Critical.PILOT_KILLED)
STEP_METRES = 50
_NO_CRITICALS = dict.fromkeys(Critical, 0)
HIGHEST_LOWEST_MP = 5  # the setting's other value; below it the choice decides who stalls


@dataclass(frozen=True, slots=True)
class Damage:
    """How an aircraft's damage stands: counts of each hit that has an effect, and the thresholds.

    Attributes:
        over_half: More than half the figure, and the settings let it tell in flight.
        three_quarters: Three quarters of it or more, likewise.
    """

    struts: int
    engine: int
    elevator: int
    ailerons: int
    fuel_line: int
    over_half: bool
    three_quarters: bool

    @property
    def impaired(self) -> bool:
        """Accumulated damage tells in flight."""
        return self.over_half or self.three_quarters


def is_over_half(profile: Profile, points: int) -> bool:
    """More than half of the damage figure; exactly half is not (register 11.5)."""
    return 2 * points > profile.damage_capacity


def is_three_quarters(profile: Profile, points: int) -> bool:
    """Three quarters of the damage figure or more (register 11.5)."""
    return 4 * points >= 3 * profile.damage_capacity


def is_lost(profile: Profile, points: int) -> bool:
    """The whole damage figure (KET-8.5)."""
    return points >= profile.damage_capacity


def has_lost_pilot(condition: Condition) -> bool:
    """Whether the pilot has been wounded or killed (KET-8.4)."""
    return any(hit in condition.criticals for hit in PILOT_HITS)


def check_not_lost(profile: Profile, condition: Condition | None, field: str) -> None:
    """Hold an aircraft to one that still flies.

    Args:
        field: Where its condition stands among the facts.

    Raises:
        Illegal: KET-8.4, its pilot was hit; KET-8.5, it has its full figure of damage.
    """
    state = condition or UNDAMAGED
    if has_lost_pilot(state):
        raise Illegal(
            "KET-8.4",
            "The pilot was wounded or killed, which ends the campaign. Reckon the score.",
            field=f"{field}.criticals",
        )
    if is_lost(profile, state.damage_points):
        raise Illegal(
            "KET-8.5",
            f"At {state.damage_points} damage points the {profile.title} is lost, which ends the "
            "campaign. Reckon the score.",
            field=f"{field}.damage_points",
            damage_points=state.damage_points,
            damage_capacity=profile.damage_capacity,
        )


def damage_of(profile: Profile, condition: Condition, book: KetteringBook, trace: Trace) -> Damage:
    """Read a condition under the settings."""
    settings = book.settings
    criticals = condition.criticals
    counts = _NO_CRITICALS.copy()
    for critical in criticals:
        counts[critical] += 1
    if len(set(criticals)) < len(criticals):
        trace.setting("KET-8.15", "repeated_critical", settings.repeated_critical)
        if settings.repeated_critical == "once":
            counts = {critical: min(n, 1) for critical, n in counts.items()}
    half = is_over_half(profile, condition.damage_points)
    if half:
        trace.setting("KET-8.6", "damage_over_half", settings.damage_over_half)
    worse = is_three_quarters(profile, condition.damage_points)
    if worse:
        trace.setting("KET-8.7", "damage_three_quarters", settings.damage_three_quarters)
    return Damage(
        struts=counts[Critical.STRUTS_SHATTERED],
        engine=counts[Critical.ENGINE_DAMAGED],
        elevator=counts[Critical.ELEVATOR_CABLES_SEVERED],
        ailerons=counts[Critical.AILERON_CABLES_FOULED],
        fuel_line=counts[Critical.FUEL_LINE_SEVERED],
        over_half=half and settings.damage_over_half == "impairs",
        three_quarters=worse and settings.damage_three_quarters == "impairs-more",
    )


def assess(
    profile: Profile, condition: Condition | None, book: KetteringBook, trace: Trace
) -> Performance:
    """What an aircraft in some condition can still do; records what lowers its figures."""
    state = condition or UNDAMAGED
    damage = damage_of(profile, state, book, trace)
    own = profile.min_speed_mp if flies_by_own_lowest(book) else 0
    lowest = max(book.settings.lowest_speed_mp, own)
    highest = _highest_speed(profile, damage, book, trace)
    stalls = highest < lowest
    if highest < HIGHEST_LOWEST_MP and own < HIGHEST_LOWEST_MP:
        trace.setting("KET-5.1", "lowest_speed_mp", book.settings.lowest_speed_mp)
    elif stalls:
        trace.finding("KET-5.1", "lowest_speed_of_its_type", own)
    limit, bonus = _dive(profile, damage, book, trace)
    if Critical.GAS_TANK_PUNCTURED in state.criticals:
        trace.setting("KET-8.14", "fuel_turns", book.settings.fuel_turns)
    grounded = bool(damage.elevator or damage.fuel_line)
    tired = state.climbed_last_turn and bool(damage.engine or damage.impaired)
    left = changed(
        profile,
        max_speed_mp=highest,
        min_speed_mp=lowest,
        dive_speed_hexes=bonus,
        dive_limit_metres=limit,
        climb_limit_metres=0 if grounded else profile.climb_limit_metres,
        schedule=_schedule(profile, damage, book, trace),
        source="",
        stated_fields=(),
        derived_fields=(),
    )
    return Performance(
        profile=left,
        sharp_turns=not damage.ailerons,
        steers=not state.jammed,
        overdives=not (damage.impaired or damage.elevator or state.jammed)
        and book.settings.overdive_percent > 0,
        climbs=not (grounded or tired or stalls or state.jammed),
        forced_loss_metres=_forced_loss(damage, book, trace, stalls=stalls),
        must_slow=bool(damage.fuel_line),
        stalls=stalls,
    )


def _highest_speed(profile: Profile, damage: Damage, book: KetteringBook, trace: Trace) -> int:
    """The highest speed after all that lowers it (KET-8.15)."""
    tired = "three_quarters_speed_mp" if damage.three_quarters else "half_damage_speed_mp"
    causes = [
        ("KET-8.8", "struts_shattered", damage.struts * figure(book, "struts_speed_mp")),
        ("KET-8.9", "engine_damaged", damage.engine * figure(book, "engine_speed_mp")),
        (
            "KET-8.7" if damage.three_quarters else "KET-8.6",
            "accumulated_damage",
            figure(book, tired) if damage.impaired else 0,
        ),
    ]
    causes = [cause for cause in causes if cause[2]]
    if not causes:
        return profile.max_speed_mp
    if len(causes) > 1:
        trace.setting("KET-8.15", "damage_causes", book.settings.damage_causes)
        if book.settings.damage_causes == "worst":
            causes = [max(causes, key=lambda cause: cause[2])]
    loss = sum(trace.modifier(rule, name, -amount) for rule, name, amount in causes)
    highest = trace.sum(
        "KET-8.15", "max_speed_mp", profile.max_speed_mp, profile.max_speed_mp + loss
    )
    return trace.clamp("KET-8.15", "max_speed_mp", highest, 1, profile.max_speed_mp)


def _schedule(profile: Profile, damage: Damage, book: KetteringBook, trace: Trace) -> str:
    """The maneuver schedule, a letter worse for each cause (KET-8.15)."""
    causes = [damage.struts, damage.ailerons, int(damage.three_quarters)]
    steps = sum(causes)
    if steps > max(causes):
        trace.setting("KET-8.15", "damage_causes", book.settings.damage_causes)
        if book.settings.damage_causes == "worst":
            steps = max(causes)
    if not steps:
        return profile.schedule
    at = SCHEDULES.index(profile.schedule) - steps
    letter = SCHEDULES[max(at, 0)]
    if at < 0:
        trace.setting("KET-8.15", "worse_than_a", book.settings.worse_than_a)
        if book.settings.worse_than_a == "becomes-f":
            letter = CLUMSIEST
    return letter


def _dive(profile: Profile, damage: Damage, book: KetteringBook, trace: Trace) -> tuple[int, int]:
    """The dive limit in metres and the most bonus hexes (KET-8.8, KET-8.10)."""
    limit, bonus = profile.dive_limit_metres, profile.dive_speed_hexes
    for _ in range(damage.struts):
        limit, bonus = halved_metres(limit, book), _halved(bonus, book)
    if damage.struts:
        trace.setting("KET-8.8", "half_rounding", book.settings.half_rounding)
        trace.finding("KET-8.8", "dive_limit_metres", limit, "halved by shattered struts")
        trace.finding("KET-8.8", "dive_speed_hexes", bonus, "halved by shattered struts")
    if damage.elevator:
        most = figure(book, "elevator_dive_metres")
        limit = trace.clamp("KET-8.10", "dive_limit_metres", limit, 0, most)
    return limit, bonus


def _halved(number: int, book: KetteringBook) -> int:
    return (number + (book.settings.half_rounding == "up")) // 2


def halved_metres(metres: int, book: KetteringBook) -> int:
    """Half of a height, rounded to whole steps as the settings say."""
    return STEP_METRES * _halved(metres // STEP_METRES, book)


def _forced_loss(damage: Damage, book: KetteringBook, trace: Trace, *, stalls: bool) -> int:
    """Meters that must be lost this turn (KET-5.9, KET-8.13)."""
    loss = 0
    if stalls:
        trace.setting("KET-5.9", "stall_loss_metres", book.settings.stall_loss_metres)
        loss += trace.modifier("KET-5.9", "stall", book.settings.stall_loss_metres)
    if damage.fuel_line:
        loss += trace.modifier("KET-8.13", "fuel_line_severed", figure(book, "fuel_line_metres"))
    return trace.sum("KET-5.13", "forced_loss_metres", 0, loss) if loss else 0
