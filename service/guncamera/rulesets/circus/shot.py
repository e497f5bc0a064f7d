"""How the dice of a shot are read: hits first, then whether and what a critical hit strikes.

A shot's odds branch on what these readings tell apart and on nothing else: the first die is
forgotten where nothing was hit, and the second where it is no critical hit.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, Dice
from guncamera.rules.straight_line import quick
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Part


@quick
@dataclass(frozen=True, slots=True)
class Scored:
    """What the first die came to.

    Attributes:
        hits: On the combat table.
        die: What of it enters the sum of the critical hit chart; 0 without hits, where none is.
    """

    hits: int
    die: int


@dataclass(frozen=True, slots=True)
class ShotReading:
    """The hits of a die and its modifier in one column of a combat table (CIR-9.9, CIR-9.13).

    Attributes:
        misses_below: A modified die below the first row does not hit at all.
        modified_sum: The die enters the critical sum as modified, not as thrown.
    """

    table: Table
    column: str
    modifier: int = 0
    misses_below: bool = False
    modified_sum: bool = False
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> Scored:
        """The hits, and the die for the sum."""
        thrown = sum(faces)
        row = self.row(thrown)
        hits = self.table.number(row, self.column) if row else 0
        if not hits:
            return Scored(0, 0)
        return Scored(hits, row if self.modified_sum else thrown)

    def row(self, thrown: int) -> int:
        """The row of the table that is read; 0 is none."""
        die = thrown + self.modifier
        if die < 1 and self.misses_below:
            return 0
        return min(max(die, 1), D6)

    def describe(self) -> str:
        """How to read the die, for players."""
        modifier = f" {self.modifier:+d}" if self.modifier else ""
        return f"the die{modifier}, 1 to 6, on table {self.table.id}, range {self.column}"


@dataclass(frozen=True, slots=True)
class LowEnough:
    """Whether the second die makes a critical hit (CIR-10.1)."""

    most: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether it does."""
        return sum(faces) <= self.most

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"{self.most} or less"


@dataclass(frozen=True, slots=True)
class ChartReading:
    """What is struck, if the die is low enough: it is added to the first one (CIR-10.2).

    Attributes:
        first: The first die.
        most: The highest die that makes a critical hit; 6 where that has been tested already.
    """

    table: Table
    first: int
    most: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> Part | None:
        """What is struck; None if nothing is."""
        thrown = sum(faces)
        if thrown > self.most:
            return None
        return Part(str(self.table.cell(thrown + self.first, "part")))

    def describe(self) -> str:
        """How to read the die, for players."""
        added = f"the die +{self.first} on table {self.table.id}"
        return added if self.most >= D6 else f"{self.most} or less is critical; then {added}"


def roll_hits(
    read: ShotReading, rule_id: str, trace: Trace, dice: Dice, book: CircusBook
) -> Scored:
    """The first die of a shot; its modifiers stand in the trace already."""
    scored = trace.roll(dice, Ask((D6,), read, "to-hit", rule_id))
    thrown = trace.thrown
    if not thrown:
        return scored
    die = trace.sum(rule_id, "die", thrown, thrown + read.modifier)
    row = read.row(thrown)
    if die < 1:
        trace.setting("CIR-9.13", "die_limits", book.settings.die_limits)
    if not row:
        trace.finding("CIR-9.13", "row", 0, "a die below 1 does not hit")
        return scored
    if row != die:
        trace.clamp("CIR-9.13", "row", die, 1, D6)
        trace.sum("CIR-9.13", "row", row, row)
    trace.look_up(read.table, row, read.column)
    return scored


def roll_part(scored: Scored, trace: Trace, dice: Dice, book: CircusBook) -> Part | None:
    """The critical test and chart after a shot that scored; None without a critical hit."""
    settings = book.settings
    most = scored.hits if settings.critical_test == "equal-or-lower" else scored.hits - 1
    chart = book.tables["critical"]
    if settings.critical_dice == "two":
        return _roll_twice(scored, most, trace, dice, book)
    read = ChartReading(chart, scored.die, most)
    part = trace.roll(dice, Ask((D6,), read, "critical-test", "CIR-10.1"))
    thrown = trace.thrown
    _tested(scored, most, thrown, trace, book)
    if thrown and part is not None:
        trace.setting("CIR-10.1", "critical_dice", settings.critical_dice)
        _summed(scored.die, thrown, chart, trace)
    return part


def _roll_twice(
    scored: Scored, most: int, trace: Trace, dice: Dice, book: CircusBook
) -> Part | None:
    """One die for the test and another for the sum."""
    critical = trace.roll(dice, Ask((D6,), LowEnough(most), "critical-test", "CIR-10.1"))
    _tested(scored, most, trace.thrown, trace, book)
    if not critical:
        return None
    trace.setting("CIR-10.1", "critical_dice", book.settings.critical_dice)
    chart = book.tables["critical"]
    read = ChartReading(chart, scored.die, D6)
    part = trace.roll(dice, Ask((D6,), read, "critical-chart", "CIR-10.2"))
    thrown = trace.thrown
    if thrown:
        _summed(scored.die, thrown, chart, trace)
    return part


def _tested(scored: Scored, most: int, thrown: int, trace: Trace, book: CircusBook) -> None:
    """Record the test, and the reading that an equal die turns on."""
    if not thrown:
        return
    if thrown == scored.hits:
        trace.setting("CIR-10.1", "critical_test", book.settings.critical_test)
    relation = "no more than" if thrown <= most else "more than"
    why = f"{thrown} is {relation} {most}, by {scored.hits} hits"
    trace.finding("CIR-10.1", "critical_hit", thrown <= most, why)


def _summed(first: int, thrown: int, chart: Table, trace: Trace) -> None:
    trace.modifier("CIR-10.2", "first_die", first)
    total = trace.sum("CIR-10.2", "critical_sum", thrown, thrown + first)
    trace.look_up(chart, total, "part")
