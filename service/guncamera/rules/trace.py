"""The trace of a ruling: the ordered lines that led to it, each with its rule id.

A trace is made by a `Trace` as the rule reads down the page, and can be checked without the
rules: rolls give their totals, modifiers add up to sums, sums find their cells, clamps clamp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from guncamera.rules.dice import Ask, Branching, Dice, LookUp
from guncamera.rules.straight_line import quick
from guncamera.rules.table import Cell, Table

V = TypeVar("V")
Value = int | bool | str


@quick
@dataclass(frozen=True, slots=True)
class RollLine:
    """Dice thrown: sides, faces, how they were read, and their plain total."""

    rule_id: str
    purpose: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    reading: str
    total: int


@quick
@dataclass(frozen=True, slots=True)
class ModifierLine:
    """A signed addition to the next sum."""

    rule_id: str
    name: str
    amount: int
    why: str = ""


@quick
@dataclass(frozen=True, slots=True)
class SumLine:
    """The base plus the modifiers since the last sum: `base + … = total`."""

    rule_id: str
    name: str
    base: int
    total: int


@quick
@dataclass(frozen=True, slots=True)
class LookUpLine:
    """A cell read from a printed table."""

    rule_id: str
    table: str
    row: str
    column: str
    cell: str


@quick
@dataclass(frozen=True, slots=True)
class ClampLine:
    """A value held to its limits."""

    rule_id: str
    name: str
    before: int
    low: int
    high: int
    after: int


@quick
@dataclass(frozen=True, slots=True)
class SettingLine:
    """A house reading that this ruling turned on."""

    rule_id: str
    name: str
    value: str


@quick
@dataclass(frozen=True, slots=True)
class FindingLine:
    """Something established: an input that mattered, or a part of the outcome."""

    rule_id: str
    name: str
    value: str
    why: str = ""


TraceLine = RollLine | ModifierLine | SumLine | LookUpLine | ClampLine | SettingLine | FindingLine


@dataclass(slots=True)
class Trace:
    """Collects the lines of one ruling, in order."""

    lines: list[TraceLine] = field(default_factory=list)

    @staticmethod
    def of(dice: Dice) -> Trace:
        """A trace for a ruling by these dice; a blank one where the odds throw them."""
        return _BLANK if isinstance(dice, Branching) else Trace()

    @property
    def is_read(self) -> bool:
        """Whether the ruling is told to anybody: not while odds are enumerated."""
        return True

    def part(self, dice: Dice, rule: Callable[[Trace, Dice], V]) -> V:
        """A part of a procedure, from whose result alone the rest goes on.

        It changes nothing that it is given, and its result is hashable. The odds work it out once
        and go on from each result it can have, however many ways lead there. A `partial` over
        the same objects is worked out only once for a question.

        Args:
            rule: `(trace, dice) -> result`.
        """
        if isinstance(dice, Branching):
            return dice.part(self, rule)
        return rule(self, dice)

    def apart(self, dice: Dice, rules: Sequence[Callable[[Trace, Dice], V]]) -> tuple[V, ...]:
        """Parts that have nothing to do with each other, and that end in the outcome as they are.

        The odds keep each by itself in its place and never multiply them out. So nothing looks
        at a result afterwards, what it is part of is a tuple or a dataclass, and each rule is a
        `partial` over things that do not change.

        Args:
            rules: `(trace, dice) -> result`, in the order of their dice.
        """
        if isinstance(dice, Branching):
            return dice.apart(self, rules)
        return tuple(rule(self, dice) for rule in rules)

    def roll(self, dice: Dice, ask: Ask[V]) -> V:
        """Throw an ask, record it, and return what was read.

        A look-up reading also records its modifier's sum and the cell found.
        """
        throw = dice.roll(ask)
        if throw.faces:
            total = sum(throw.faces)
            self.lines.append(
                RollLine(
                    ask.rule_id, ask.purpose, ask.dice, throw.faces, ask.read.describe(), total
                )
            )
            if isinstance(ask.read, LookUp):
                row = ask.read.row(throw.faces)
                self.sum(ask.rule_id, ask.purpose, total, row)
                self.look_up(ask.read.table, row, ask.read.column)
        return throw.value

    @property
    def thrown(self) -> int:
        """Total of the dice thrown just now; 0 while odds are enumerated and nothing falls."""
        last = self.lines[-1] if self.lines else None
        return last.total if isinstance(last, RollLine) else 0

    def modifier(self, rule_id: str, name: str, amount: int, why: str = "") -> int:
        """Record a modifier; returns its amount."""
        self.lines.append(ModifierLine(rule_id, name, amount, why))
        return amount

    def sum(self, rule_id: str, name: str, base: int, total: int) -> int:
        """Record base and the modifiers since the last sum; returns the total."""
        self.lines.append(SumLine(rule_id, name, base, total))
        return total

    def look_up(self, table: Table, row: int | str, column: str) -> Cell:
        """Read a cell and record it; returns the cell."""
        cell = table.cell(row, column)
        label = table.row_of(row).label if isinstance(row, int) else row
        self.lines.append(LookUpLine(table.rule_id, table.id, label, column, str(cell)))
        return cell

    def clamp(self, rule_id: str, name: str, value: int, low: int, high: int) -> int:
        """Hold a value to its limits; recorded only when it bites; returns the value held."""
        held = min(max(value, low), high)
        if held != value:
            self.lines.append(ClampLine(rule_id, name, value, low, high, held))
        return held

    def setting(self, rule_id: str, name: str, value: Value) -> None:
        """Name a setting that decided something."""
        self.lines.append(SettingLine(rule_id, name, text_of(value)))

    def finding(self, rule_id: str, name: str, value: Value, why: str = "") -> None:
        """Record what was established."""
        self.lines.append(FindingLine(rule_id, name, text_of(value), why))


class _BlankTrace(Trace):
    """Records nothing: the odds read no lines."""

    __slots__ = ()

    @property
    def is_read(self) -> bool:
        return False

    def roll(self, dice: Dice, ask: Ask[V]) -> V:
        return dice.roll(ask).value

    @property
    def thrown(self) -> int:
        return 0

    def modifier(self, rule_id: str, name: str, amount: int, why: str = "") -> int:  # noqa: ARG002
        return amount

    def sum(self, rule_id: str, name: str, base: int, total: int) -> int:  # noqa: ARG002
        return total

    def look_up(self, table: Table, row: int | str, column: str) -> Cell:
        return table.cell(row, column)

    def clamp(self, rule_id: str, name: str, value: int, low: int, high: int) -> int:  # noqa: ARG002
        return min(max(value, low), high)

    def setting(self, rule_id: str, name: str, value: Value) -> None:
        pass

    def finding(self, rule_id: str, name: str, value: Value, why: str = "") -> None:
        pass


_BLANK = _BlankTrace()


def text_of(value: Value) -> str:
    """A value as traces spell it: `yes`/`no` for truth, plain text otherwise."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def audit(lines: Iterable[TraceLine], tables: Mapping[str, Table]) -> list[str]:
    """Recompute a trace from itself; returns what does not add up (empty: all of it does)."""
    faults: list[str] = []
    pending = 0
    summed: int | None = None
    for line in lines:
        match line:
            case RollLine():
                if sum(line.faces) != line.total or len(line.faces) != len(line.sides):
                    faults.append(f"{line.purpose}: faces {line.faces} do not total {line.total}")
                summed = line.total
            case ModifierLine():
                pending += line.amount
            case SumLine():
                if line.base + pending != line.total:
                    faults.append(f"{line.name}: {line.base} {pending:+d} is not {line.total}")
                pending, summed = 0, line.total
            case LookUpLine():
                faults += _audit_look_up(line, tables, summed)
            case ClampLine():
                if min(max(line.before, line.low), line.high) != line.after:
                    faults.append(f"{line.name}: {line.before} clamped to {line.after}")
            case SettingLine() | FindingLine():
                pass
    if pending:
        faults.append(f"modifiers of {pending:+d} were never summed")
    return faults


def _audit_look_up(line: LookUpLine, tables: Mapping[str, Table], summed: int | None) -> list[str]:
    table = tables.get(line.table)
    if table is None:
        return [f"no table {line.table}"]
    if str(table.cell(line.row, line.column)) != line.cell:
        return [f"table {line.table} [{line.row}, {line.column}] is not {line.cell}"]
    if table.numbered and summed is not None:
        row = next(row for row in table.rows if row.label == line.row)
        if not row.covers(summed):
            return [f"table {line.table}: {summed} is not in row {line.row}"]
    return []
