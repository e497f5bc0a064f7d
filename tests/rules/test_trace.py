"""A trace can be checked without the rules: what does not add up is found."""

from dataclasses import replace

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, LookUp
from guncamera.rules.table import tables_from
from guncamera.rules.trace import LookUpLine, ModifierLine, RollLine, SumLine, Trace, audit

TABLES = tables_from(
    {
        "table": [
            {
                "id": "hits", "title": "Hits", "rule": "TST-1", "source": "s", "basis": "house",
                "unit": "hits", "row_axis": "total", "columns": ["A"],
                "rows": [["..6", 0], ["7..9", 1], ["10..", 2]],
            }
        ]
    }
)  # fmt: skip


def traced():
    trace = Trace()
    trace.modifier("TST-2", "range", -3)
    hits = trace.roll(
        DealtDice([6, 6]), Ask((6, 6), LookUp(TABLES["hits"], "A", -3), "to-hit", "TST-1")
    )
    assert hits == 1
    assert trace.clamp("TST-3", "speed", 7, 3, 5) == 5
    assert trace.clamp("TST-3", "speed", 4, 3, 5) == 4
    trace.finding("TST-1", "hit", True)
    return trace.lines


def test_a_right_trace_adds_up():
    lines = traced()
    assert audit(lines, TABLES) == []
    assert [type(line).__name__ for line in lines] == [
        "ModifierLine", "RollLine", "SumLine", "LookUpLine", "ClampLine", "FindingLine",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "changes", "fault"),
    [
        (RollLine, {"faces": (6, 5)}, "do not total"),
        (ModifierLine, {"amount": -2}, "is not 9"),
        (SumLine, {"total": 10}, "is not 10"),
        (LookUpLine, {"cell": "2"}, "is not 2"),
        (LookUpLine, {"row": "10..", "cell": "2"}, "9 is not in row"),
        (LookUpLine, {"table": "misses"}, "no table"),
    ],
)
def test_a_changed_line_is_found(kind, changes, fault):
    lines = [replace(x, **changes) if isinstance(x, kind) else x for x in traced()]
    assert any(fault in found for found in audit(lines, TABLES))


def test_a_modifier_that_was_never_summed_is_found():
    assert audit([ModifierLine("TST-2", "range", -3)], TABLES) == [
        "modifiers of -3 were never summed"
    ]
