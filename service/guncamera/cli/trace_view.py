"""A ruling for the eyes: its trace line by line, its events, its dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from guncamera.cli.console import grid, words
from guncamera.cli.facts import procedures_of
from guncamera.rules.plain import flat, member_name, union_to_plain
from guncamera.rules.trace import (
    ClampLine,
    FindingLine,
    LookUpLine,
    ModifierLine,
    RollLine,
    SettingLine,
    SumLine,
    TraceLine,
)

Row = tuple[str, str, str]


def trace_table(lines: Iterable[TraceLine], outcome: type) -> RenderableType:
    """A trace as rows of rule, what happened, and the number or value it came to."""
    rows = rows_of(lines, outcome)
    return grid(("Rule", "What", "Value"), rows, right=("Value",), wide="What", title="Trace")


def rows_of(lines: Iterable[TraceLine], outcome: type) -> list[Row]:
    """The rows of `trace_table`."""
    rows: list[Row] = []
    added: list[int] = []
    for line in lines:
        rows.append((line.rule_id, *_what(line, added, outcome)))
        if isinstance(line, ModifierLine):
            added.append(line.amount)
        elif isinstance(line, SumLine):
            added = []
    return rows


def _what(line: TraceLine, added: Sequence[int], outcome: type) -> tuple[str, str]:
    match line:
        case RollLine():
            faces = " ".join(str(face) for face in line.faces)
            return f"roll {_dice(line.sides)} for {line.purpose}: {faces} ({line.reading})", str(
                line.total
            )
        case ModifierLine():
            return _with(f"modifier: {words(line.name)}", line.why), f"{line.amount:+d}"
        case SumLine():
            terms = "".join(f" {'-' if n < 0 else '+'} {abs(n)}" for n in added)
            return f"sum: {words(line.name)}, {line.base}{terms}", str(line.total)
        case LookUpLine():
            return f"table {line.table}, row {line.row}, column {line.column}", line.cell
        case ClampLine():
            limits = f"{line.before} held to {line.low} to {line.high}"
            return f"limit: {words(line.name)}, {limits}", str(line.after)
        case SettingLine():
            return f"setting: {line.name}", line.value
        case FindingLine():
            return _with(field_name(line.name, outcome), line.why), line.value or "–"


def field_name(name: str, cls: type) -> str:
    """A dotted field of a dataclass in words, without the one procedure that a ruling is of."""
    if procedures_of(cls):
        name = name.split(".", 2)[-1]
    return words(name)


def _with(text: str, why: str) -> str:
    return f"{text} ({why})" if why else text


def _dice(sides: Sequence[int]) -> str:
    return "+".join(f"{sides.count(one)}d{one}" for one in dict.fromkeys(sides))


def events_table(events: Iterable[Any]) -> RenderableType:
    """Events as rows of rule, kind and fields."""
    return grid(
        ("Rule", "Event", "What changed"),
        [
            (
                getattr(event, "rule_id", ""),
                words(member_name(type(event))),
                fields_of(event),
            )
            for event in events
        ],
        wide="What changed",
        title="Events",
    )


def fields_of(value: Any, leave_out: Sequence[str] = ("rule_id",)) -> str:
    """A dataclass on one line: `damage points 3, overdive no`."""
    shown = {name: text for name, text in flat(value).items() if name not in leave_out}
    return ", ".join(f"{words(name)} {text or '–'}" for name, text in shown.items())


def trace_to_plain(lines: Iterable[TraceLine]) -> list[dict[str, Any]]:
    """A trace for machines."""
    return [union_to_plain(line) for line in lines]
