"""High stress: the check on combat table 3, the structure chart, and marks from gunfire.

Rules CIR-6.2 to CIR-6.4 and CIR-6.6. Which acts are checked is for the flight to say (CIR-6.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import D6, Ask, Dice, Total
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Build, Condition
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.events import AircraftLeft, Change
from guncamera.rulesets.circus.facts import Part, StressTest
from guncamera.rulesets.circus.harms import harmed, in_words, lasting, record
from guncamera.rulesets.circus.outcomes import DamageOutcome, Effect, End, Harm, Worked
from guncamera.rulesets.circus.performance import is_destroyed

BREAKS_UP = Effect(Harm.BROKEN_UP)
_COLUMN = {Build.FRAGILE: "fragile", Build.NORMAL: "normal", Build.ROBUST: "robust"}


# ---- Readings: they tell apart what matters to a check, and nothing else


@dataclass(frozen=True, slots=True)
class Strained:
    """What the first die of a check came to.

    Attributes:
        scored: It hit, so that a second die is thrown.
        passing: Second dice that pass the critical test, where another die is added up.
        structural: Dice that, added to the first, strike the structure.
    """

    scored: bool
    passing: tuple[int, ...]
    structural: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StressReading:
    """The first die of a check, in one column of combat table 3 (CIR-6.2).

    Attributes:
        equal_passes: A second die equal to the hits passes the critical test.
        two_dice: The test and the sum have a die each.
    """

    table: Table
    column: str
    chart: Table
    equal_passes: bool
    two_dice: bool
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> Strained:
        """Which dice would strike the structure after it."""
        die = sum(faces)
        hits = self.table.number(die, self.column)
        if not hits:
            return Strained(scored=False, passing=(), structural=())
        passing = tuple(range(1, hits + 1 if self.equal_passes else hits))
        tried = range(1, D6 + 1) if self.two_dice else passing
        structural = tuple(
            second for second in tried if self.chart.cell(die + second, "part") == Part.STRUCTURE
        )
        return Strained(True, passing if self.two_dice else (), structural)

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"the die on table {self.table.id}, range {self.column}"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Whether a die is one of some."""

    dice: tuple[int, ...]
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether it is."""
        return sum(faces) in self.dice

    def describe(self) -> str:
        """How to read the die, for players."""
        return " or ".join(str(die) for die in self.dice) or "nothing: no die of this throw matters"


@dataclass(frozen=True, slots=True)
class StructureReading:
    """A result of the structure chart, and the dice of its damage (CIR-6.3)."""

    table: Table
    modifier: int = 0
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> tuple[str, int]:
        """The result."""
        row = self.row(sum(faces))
        return str(self.table.cell(row, "result")), self.table.number(row, "dice")

    def row(self, thrown: int) -> int:
        """The row of the chart that is read."""
        return min(thrown + self.modifier, D6)

    def describe(self) -> str:
        """How to read the die, for players."""
        modifier = f" {self.modifier:+d}, 6 at most," if self.modifier else ""
        return f"the die{modifier} on table {self.table.id}"


# ---- The structure chart


def roll_structure(
    book: CircusBook, trace: Trace, dice: Dice, modifier: int = 0
) -> tuple[Effect, ...]:
    """A roll on the structure chart (CIR-6.3).

    Args:
        modifier: Added to the die, and named in the trace already.
    """
    read = StructureReading(book.tables["structure"], modifier)
    result, damage_dice = trace.roll(dice, Ask((D6,), read, "structure", "CIR-6.3"))
    thrown = trace.thrown
    if thrown:
        if modifier:
            trace.sum("CIR-6.3", "structure_die", thrown, thrown + modifier)
        row = trace.clamp("CIR-6.3", "structure_die", thrown + modifier, 1, D6)
        if row != thrown + modifier:
            trace.sum("CIR-6.3", "structure_row", row, row)
        trace.look_up(read.table, row, "result")
    if result == "none":
        return ()
    if result != Harm.DAMAGE:
        return (Effect(Harm(result)),)
    points = trace.roll(dice, Ask((D6,) * damage_dice, Total(), "damage", "CIR-6.3"))
    return (Effect(Harm.DAMAGE, points),)


def _marks(
    aeroplane: Aeroplane, condition: Condition, book: CircusBook, trace: Trace, dice: Dice
) -> tuple[Effect, ...]:
    """The marks of gunfire, one roll each; a break-up ends them (CIR-6.4)."""
    effects: list[Effect] = []
    for _ in range(condition.structure_marks):
        modifier = _fragile_modifier(aeroplane, book, trace)
        effects.append(Effect(Harm.STRUCTURE_MARK_SPENT))
        effects += trace.part(dice, partial(roll_structure, book, modifier=modifier))
        if end_of(aeroplane, condition, effects, book) is not None:
            break
    return tuple(effects)


def _fragile_modifier(aeroplane: Aeroplane, book: CircusBook, trace: Trace) -> int:
    """What the build adds to the die of a mark (CIR-6.3)."""
    if aeroplane.build != Build.FRAGILE:
        return 0
    trace.setting("CIR-6.3", "fragile_limit", book.settings.fragile_limit)
    if book.settings.fragile_limit == "stress-only":
        return 0
    return trace.modifier("CIR-6.3", "fragile", 1)


# ---- The check


def _check(aeroplane: Aeroplane, book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """The check of one high-stress act: as a shot, of which only the structure counts (CIR-6.2)."""
    settings = book.settings
    build = _COLUMN[aeroplane.build]
    if aeroplane.build != Build.NORMAL:
        trace.setting("CIR-6.2", "stress_column", settings.stress_column)
    column = str(trace.look_up(book.tables["stress-columns"], build, settings.stress_column))
    read = StressReading(
        table=book.tables["crt-3"],
        column=column,
        chart=book.tables["critical"],
        equal_passes=settings.critical_test == "equal-or-lower",
        two_dice=settings.critical_dice == "two",
    )
    strained = trace.roll(dice, Ask((D6,), read, "stress", "CIR-6.2"))
    first = trace.thrown
    hits = int(trace.look_up(read.table, first, column)) if first else 0
    if not strained.scored:
        trace.finding("CIR-6.2", "strained", value=False)
        return ()
    struck = _second_die(strained, first, hits, book, trace, dice)
    trace.finding("CIR-6.2", "structure_struck", struck)
    return trace.part(dice, partial(roll_structure, book)) if struck else ()


def _second_die(
    strained: Strained, first: int, hits: int, book: CircusBook, trace: Trace, dice: Dice
) -> bool:
    """Whether the critical test is passed and the sum strikes the structure."""
    settings, chart = book.settings, book.tables["critical"]
    two = settings.critical_dice == "two"
    wanted = strained.passing if two else strained.structural
    struck = trace.roll(dice, Ask((D6,), AnyOf(wanted), "stress-test", "CIR-10.1"))
    second = trace.thrown
    if second == hits and second:
        trace.setting("CIR-10.1", "critical_test", settings.critical_test)
    if two and struck:
        trace.setting("CIR-10.1", "critical_dice", settings.critical_dice)
        asked = Ask((D6,), AnyOf(strained.structural), "stress-chart", "CIR-10.2")
        struck = trace.roll(dice, asked)
        second = trace.thrown
        passed = True
    else:
        passed = not two and second <= hits - (settings.critical_test == "lower")
    if second and passed:
        trace.modifier("CIR-10.2", "first_die", first)
        total = trace.sum("CIR-10.2", "critical_sum", second, second + first)
        trace.look_up(chart, total, "part")
    return struck


def end_of(
    aeroplane: Aeroplane, condition: Condition, effects: Sequence[Effect], book: CircusBook
) -> End | None:
    """How some effects end an aircraft's flight; None if they do not (CIR-10.12)."""
    if BREAKS_UP in effects:
        return End.BROKEN_UP
    destroyed = is_destroyed(aeroplane, with_effects(condition, effects), book)
    return End.DESTROYED if destroyed else None


def strain(
    aeroplane: Aeroplane,
    condition: Condition,
    book: CircusBook,
    trace: Trace,
    dice: Dice,
    *,
    checked: bool,
) -> tuple[Effect, ...]:
    """One high-stress act: marks of gunfire first, then its own check (CIR-6.4).

    Args:
        checked: The act has a check of its own; some only spend marks.

    Returns:
        What it does; nothing follows on a break-up.
    """
    effects = trace.part(dice, partial(_marks, aeroplane, condition, book))
    if checked and end_of(aeroplane, condition, effects, book) is None:
        effects += trace.part(dice, partial(_check, aeroplane, book))
    return lasting(condition, effects)


# ---- One act by itself


def rule_on_stress_test(
    facts: StressTest, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on one high-stress manoeuvre.

    Raises:
        Malformed: CIR-1.2, the type.
        Illegal: CIR-6.6, a cracked spar bars it.

    Source: seed 002, damage from high stress manoeuvres and structural damage; register 5.7.
    """
    trace = Trace.of(dice)
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "stress_test.aeroplane")
    condition = facts.condition or UNHURT
    if condition.spar_cracked:
        raise Illegal(
            "CIR-6.6",
            f"A wing spar of {facts.aircraft} is cracked, which bars every high-stress manoeuvre. "
            "Fly none.",
            field="stress_test.condition.spar_cracked",
            aircraft=facts.aircraft,
        )
    trace.finding("CIR-6.2", "build", aeroplane.build.value)
    trace.finding("CIR-6.4", "structure_marks", condition.structure_marks)
    effects = strain(aeroplane, condition, book, trace, dice, checked=True)
    record(trace, effects)
    end = end_of(aeroplane, condition, effects, book)
    trace.finding("CIR-10.12", "destroyed", end is not None)
    worked = Worked(facts.aircraft, effects, destroyed=end is not None)
    words = " and ".join(in_words(effect) for effect in effects) or "it holds"
    lost = ", and it is destroyed" if end == End.DESTROYED else ""
    return Ruling(
        DamageOutcome(worked),
        tuple(trace.lines),
        (*harmed(facts.aircraft, effects), *left(facts.aircraft, end)),
        f"High stress on {facts.aircraft}: {words}{lost}.",
    )


def left(aircraft: str, end: End | None, rule_id: str = "CIR-10.12") -> tuple[Change, ...]:
    """The event of an aircraft that left the game; nothing if it did not."""
    return () if end is None else (AircraftLeft(rule_id, aircraft, end),)
