"""Every row of every printed table is read in a case, so that none is there for nothing."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from guncamera.conformance.targets import read_case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import rulesets
from guncamera.rules.table import Cell, Table
from guncamera.rules.trace import LookUpLine
from shipped import shipped_cases
from statements import statement_of

SLUGS = list(rulesets())
Place = tuple[str, str]


class NotedTable(Table):
    """A table that notes which of its rows are read."""

    noted: set[Place]

    @classmethod
    def of(cls, table: Table, noted: set[Place]) -> NotedTable:
        given = {field.name: getattr(table, field.name) for field in fields(table) if field.init}
        found = cls(**given)
        object.__setattr__(found, "noted", noted)
        return found

    def cell(self, row: int | str, column: str) -> Cell:
        self.noted.add((self.id, self.row_of(row).label if isinstance(row, int) else row))
        return super().cell(row, column)


@cache
def rows_read(slug: str) -> frozenset[Place]:
    """Table and row: those that lines of traces show, and those that decide a refusal.

    Of a table that no line shows, such as one of modifiers, those that a ruling reads.
    """
    found, noted = rulesets()[slug], set[Place]()
    # Tables of its own, so that nothing is remembered of them that was read before.
    tables = {name: NotedTable.of(table, noted) for name, table in found.book.tables.items()}
    book = replace(found.book, tables=tables)
    shown: set[Place] = set()
    refused: set[Place] = set()
    read: set[Place] = set()
    for case in shipped_cases():
        if case.ruleset != slug:
            continue
        noted.clear()
        try:
            trace = _ruled(case, book)
        except Refusal:
            refused |= noted
        else:
            shown |= {(one.table, one.row) for one in trace if isinstance(one, LookUpLine)}
        read |= noted
    with_lines = {table for table, _ in shown}
    return frozenset(shown | refused | {place for place in read if place[0] not in with_lines})


def _ruled(case: Any, book: Any) -> tuple[Any, ...]:
    _, procedure, facts = read_case(case)
    dice = DealtDice(case.faces)
    trace: tuple[Any, ...] = procedure.rule(facts, book.with_settings(case.settings), dice).trace
    return trace


@pytest.mark.parametrize("slug", SLUGS)
def test_every_row_of_every_table_is_read_in_a_case(slug: str) -> None:
    found = rulesets()[slug]
    rows = {(table.id, row.label) for table in found.book.tables.values() for row in table.rows}
    unread = rows - rows_read(slug)
    bare = {table for table, _ in rows} - {table for table, _ in rows - unread}
    told = {f"{table} {'*' if table in bare else row}" for table, row in unread}
    assert sorted(told) == sorted(statement_of(slug).rows_no_ruling_reads), (
        "give each row a case, or say in conformance.toml why no ruling reads it"
    )
