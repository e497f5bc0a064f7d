"""What an aircraft can do in its present condition: speed, climb, turns, manoeuvres.

Rules CIR-3.2, CIR-3.4, CIR-3.5, CIR-3.8, CIR-3.9, CIR-5.1, CIR-5.10, CIR-10.11 and CIR-10.12.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from guncamera.rulesets.circus.aircraft import (
    Aeroplane,
    Aircraft,
    Condition,
    Manoeuvre,
    Pose,
    TurnCode,
)
from guncamera.rulesets.circus.book import CircusBook, figure

_CODES = tuple(TurnCode)
_WORST_BUT_E = _CODES.index(TurnCode.D)

CLIMBING = frozenset(
    (
        Manoeuvre.HAMMERHEAD,
        Manoeuvre.PROPELLER_HANG,
        Manoeuvre.ROLLING_REVERSAL,
        Manoeuvre.LOOP,
    )
)
"""Manoeuvres that need more than a gentle climb."""
DIVING = frozenset((Manoeuvre.POWER_DIVE, Manoeuvre.HAMMERHEAD))
"""Manoeuvres that need more than a shallow dive."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of the rules that a flight reads."""

    height_step_feet: int
    most_hexsides: int
    hexside_loss_feet: int
    climb_level_feet: int
    gentle_hex_feet: int
    shallow_dive_feet: int
    shallow_dive_mp: int
    steep_dive_feet: int
    steep_dive_mp: int
    steep_dive_ke: int
    power_dive_ke: int
    zoom_feet: int


@lru_cache(maxsize=64)
def figures_of(book: CircusBook) -> Figures:
    """The figures of a book that a flight reads."""
    return Figures(*(figure(book, name) for name in Figures.__slots__))


@dataclass(frozen=True, slots=True)
class Able:
    """What an aircraft can do now.

    Attributes:
        top_mp: Its fastest level flight; without power, the speed of its glide.
        power_off: Its engine stands still, or gives too little to fly level.
        side_mp: Movement points of a hexside.
        straight_hexes: Hexes without a turn that lie between two with one.
        sides_at_once: Hexsides that may be turned in a hex.
        climb_feet: What the engine lifts it in a turn.
        hex_feet: And in one hex.
        climbs_not: Nothing climbs, for the wing spars are cracked.
        climbs_gently: It climbs but gently, for its controls or its wing spars.
        loops_dive: A full loop needs more than a shallow dive.
    """

    aeroplane: Aeroplane
    condition: Condition
    top_mp: int
    power_off: bool
    turn_code: TurnCode
    side_mp: int
    straight_hexes: int
    sides_at_once: int
    climb_feet: int
    hex_feet: int
    climbs_not: bool
    climbs_gently: bool
    loops_dive: bool

    @property
    def stall_mp(self) -> int:
        """The least speed that carries it."""
        return self.aeroplane.stall_mp


def assess(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> Able:
    """What an aircraft in some condition can do."""
    settings, figures = book.settings, figures_of(book)
    code = turn_code(aeroplane, condition, book)
    if settings.turn_cost == "points":
        side_mp, spacing = book.tables["turn-codes"].number(code, "mp"), 0
        at_once = figures.most_hexsides
    else:
        table = book.tables["turn-spacing"]
        side_mp, spacing = 0, table.number(code, "hexes")
        at_once = table.number(code, "hexsides")
    gently = climbs_gently(condition, book)
    hex_feet = figures.gentle_hex_feet if gently else settings.climb_per_hex_feet
    return Able(
        aeroplane=aeroplane,
        condition=condition,
        top_mp=current_top(aeroplane, condition, book),
        power_off=is_power_off(aeroplane, condition, book),
        turn_code=code,
        side_mp=side_mp,
        straight_hexes=spacing,
        sides_at_once=at_once,
        climb_feet=climb_rate(aeroplane, condition, book),
        hex_feet=hex_feet - hex_feet % figures.height_step_feet,
        climbs_not=climbs_not(condition, book),
        climbs_gently=gently,
        loops_dive=settings.loop_dive == "steep",
    )


# ---- Speed


def is_destroyed(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> bool:
    """Whether damage is more than an aircraft can bear (CIR-10.12)."""
    damage, stall = condition.damage_points, aeroplane.stall_mp
    if book.settings.damage_limit == "plain":
        return damage > 0 and (
            damage >= aeroplane.damage_limit or aeroplane.top_mp - damage < stall
        )
    return damage > aeroplane.damage_limit - stall


def _airframe_top(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> int:
    """The top speed that damage has left (CIR-10.12); what the limit has above it goes first."""
    spare = 0
    if book.settings.damage_limit == "offset":
        spare = max(0, aeroplane.damage_limit - aeroplane.top_mp)
    return aeroplane.top_mp - max(0, condition.damage_points - spare)


def is_power_off(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> bool:
    """Whether the engine gives too little to fly level (CIR-3.9)."""
    if condition.engine_seized:
        return True
    top = _airframe_top(aeroplane, condition, book) - condition.top_lost_mp
    return top < aeroplane.stall_mp


def current_top(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> int:
    """The fastest level flight; without power, the speed of the glide (CIR-3.9)."""
    top = _airframe_top(aeroplane, condition, book)
    if is_power_off(aeroplane, condition, book):
        glide = aeroplane.stall_mp + book.settings.glide_ends_mp
        return max(min(glide, top), aeroplane.stall_mp)
    return top - condition.top_lost_mp


def is_stalled(aircraft: Aircraft, able: Able) -> bool:
    """Whether it has fewer movement points than its stalling speed (CIR-3.8)."""
    return not able.power_off and aircraft.speed_mp + aircraft.ke < able.stall_mp


def speeds(aircraft: Aircraft, able: Able, book: CircusBook) -> range:
    """The speeds that it may choose this turn (CIR-3.4, CIR-3.8, CIR-3.9)."""
    settings, speed = book.settings, aircraft.speed_mp
    if able.power_off:
        falls = speed - 1 if settings.power_off == "falls-one" else 0
        airframe = _airframe_top(able.aeroplane, able.condition, book)
        glide = max(able.top_mp, min(falls, airframe))
        return range(glide, glide + 1)
    if is_stalled(aircraft, able):
        return range(speed, speed + 1)
    allowance = able.aeroplane.over_speed_mp - aircraft.ke
    high = min(speed + settings.acceleration_mp, able.top_mp, allowance)
    low = min(max(able.stall_mp, speed - settings.braking_mp), high)
    return range(low, high + 1)


def steep_hexes(speed_mp: int, ke: int, book: CircusBook) -> list[int]:
    """Movement points of each hex of a steep dive (CIR-4.2); an odd point is lost."""
    cost = figures_of(book).steep_dive_mp
    if ke and book.settings.steep_dive_cost == "two-and-energy-one":
        return [cost] * (speed_mp // cost) + [1] * ke
    return [cost] * ((speed_mp + ke) // cost)


def lands(pose: Pose, able: Able, book: CircusBook) -> bool:
    """Whether an aircraft that comes to the ground lands there (CIR-3.11)."""
    reading = book.settings.landing
    if pose != Pose.SHALLOW_DIVE or reading == "never":
        return False
    return able.power_off or reading == "any-shallow-dive"


# ---- Turning and climbing


def turn_code(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> TurnCode:
    """The turn code that damage has left (CIR-10.11)."""
    printed = _CODES.index(aeroplane.turn_code)
    worst = len(_CODES) - 1 if book.settings.worse_than_d == "e" else _WORST_BUT_E
    return _CODES[min(printed + condition.turn_code_steps, max(worst, printed))]


def climbs_not(condition: Condition, book: CircusBook) -> bool:
    """Whether cracked wing spars bar every climb (CIR-6.7)."""
    return condition.wings_cracked and book.settings.cracked_wings == "all-climbs"


def climbs_gently(condition: Condition, book: CircusBook) -> bool:
    """Whether controls, or by setting cracked wing spars, allow but gentle climbs (CIR-3.5)."""
    spars = condition.wings_cracked and book.settings.cracked_wings == "steep-climbs"
    return condition.gentle_only or spars


def climb_rate(aeroplane: Aeroplane, condition: Condition, book: CircusBook) -> int:
    """Feet of climb by engine in a turn (CIR-3.5)."""
    if climbs_not(condition, book) or is_power_off(aeroplane, condition, book):
        return 0
    settings, step = book.settings, figures_of(book).height_step_feet
    rate = aeroplane.climb_feet
    if condition.climb_steps and rate:
        rate = _slower_climb(rate, condition.climb_steps, book)
    if settings.engine_loss == "top-and-climb":
        rate -= step * condition.top_lost_mp
    if climbs_gently(condition, book) and settings.gentle_climb == "half":
        rate //= 2
    return max(rate - rate % step, 0)


def _slower_climb(rate: int, steps: int, book: CircusBook) -> int:
    """A rate of climb that costs some steps more (CIR-3.5)."""
    if book.settings.climb_steps == "tenths":
        return max(rate * (10 - steps) // 10, 0)
    level = figures_of(book).climb_level_feet
    turns = -(-level // rate)
    left = level // (turns + steps)
    return left - left % figures_of(book).height_step_feet


def largest_loop(able: Able, book: CircusBook) -> int:
    """The largest row of the loop table that it can fly; 0 without one (CIR-5.5)."""
    rates = [rate for rate in loops(book) if rate <= able.climb_feet]
    return max(rates, default=0)


@lru_cache(maxsize=64)
def loops(book: CircusBook) -> dict[int, tuple[int, int]]:
    """Movement points and hexes behind, by rate of climb."""
    table = book.tables["loop"]
    return {
        int(row.label.removesuffix(" feet")): (
            table.number(row.label, "mp"),
            table.number(row.label, "behind"),
        )
        for row in table.rows
    }


# ---- Manoeuvres


def why_barred(able: Able, manoeuvre: Manoeuvre) -> tuple[str, str] | None:
    """Why a special manoeuvre cannot be done, with the rule; None if it can."""
    aeroplane, condition = able.aeroplane, able.condition
    if manoeuvre not in aeroplane.manoeuvres:
        known = ", ".join(_name(one) for one in aeroplane.manoeuvres) or "none"
        return "CIR-5.1", f"the {aeroplane.title} has no {_name(manoeuvre)}; it has {known}."
    if condition.spar_cracked and manoeuvre in aeroplane.stressing:
        return "CIR-6.6", "a wing spar is cracked, which bars every high-stress manoeuvre."
    climbs = manoeuvre in CLIMBING or manoeuvre == Manoeuvre.YO_YO
    if condition.wings_cracked and (manoeuvre in DIVING or (climbs and able.climbs_not)):
        return "CIR-6.7", "the wing spars are cracked, which bars steep dives and climbs."
    dives = manoeuvre in DIVING or (able.loops_dive and manoeuvre == Manoeuvre.LOOP)
    if condition.shallow_only and dives:
        return "CIR-5.10", "the controls allow shallow dives only, and this needs a steep one."
    if condition.gentle_only and manoeuvre in CLIMBING:
        return "CIR-5.10", "the controls allow gentle climbs only, and this needs a steep one."
    if able.climbs_gently and manoeuvre in CLIMBING:
        return "CIR-6.7", "the wing spars are cracked, which bars steep climbs."
    if able.power_off and climbs:
        return "CIR-3.9", "without power nothing climbs."
    if manoeuvre == Manoeuvre.LOOP and not able.climb_feet:
        return "CIR-5.5", "it climbs too slowly for the smallest loop."
    return None


def lost_side(condition: Condition, sixths: int) -> str:
    """The side that controls no longer turn to, if a direction is on it; empty where it is not.

    Args:
        sixths: To the left of the facing, any number of full circles more or less.
    """
    if sixths % 6 in (1, 2) and condition.left_barred:
        return "left"
    return "right" if sixths % 6 in (4, 5) and condition.right_barred else ""


def is_side_barred(able: Able, sixths: int, book: CircusBook) -> bool:
    """Whether a manoeuvre cannot go out to a side, by setting (CIR-5.10)."""
    return book.settings.barred_side != "hexsides" and bool(lost_side(able.condition, sixths))


def _name(manoeuvre: Manoeuvre) -> str:
    return manoeuvre.replace("_", " ").replace("yo yo", "yo-yo")
