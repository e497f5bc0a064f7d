"""The figures of Flying Circus Plus: all there, all met, and able to fail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from guncamera.rules.published import sheets_of
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.published import OURS, published

BOOK = load_book()
TITLES = {sheet.title: sheet.id for sheet in sheets_of("guncamera.rulesets.circus")}
COUNTS = {
    "hits": 24,
    "mean-hits": 32,
    "critical": 32,
    "sums": 4,
    "chart": 11,
    "example": 4,
    "stress": 3,
    "loop": 6,
    "range": 6,
    "range-formula": 1,
    "oil-leak": 6,
}
REGISTER_MEANS = {
    1: (22, 15, 9, 6, 5, 4, 3, 1),
    2: (19, 12, 7, 5, 4, 3, 2, 1),
    3: (12, 9, 6, 4, 3, 2, 2, 1),
    4: (8, 5, 4, 2, 2, 2, 1, 1),
}


@pytest.fixture(scope="module")
def figures():
    return list(published(BOOK))


def wrong(book):
    """The cells that disagree, by sheet."""
    found = {}
    for figure in published(book):
        if figure.agrees is False:
            found.setdefault(TITLES[figure.table], []).append(figure.cell)
    return found


def test_every_sheet_is_there_and_computed(figures):
    counted = {}
    for figure in figures:
        name = TITLES[figure.table]
        counted[name] = counted.get(name, 0) + 1
    assert counted == COUNTS
    assert set(OURS) == set(COUNTS)


def test_every_figure_is_judged_exactly_and_agrees(figures):
    assert [figure for figure in figures if figure.agrees is not True] == []
    assert {figure.method for figure in figures} == {"exact"}
    assert {figure.tolerance for figure in figures} == {"0"}
    assert {figure.difference for figure in figures} == {"", "0"}
    for figure in figures:
        assert figure.ours == figure.published


def test_the_means_and_the_critical_chances_are_those_of_the_register(figures):
    for sheet, below in (("mean-hits", 6), ("critical", 36)):
        ours = [figure.ours for figure in figures if TITLES[figure.table] == sheet]
        expected = [f"{hits}/{below}" for row in REGISTER_MEANS.values() for hits in row]
        assert ours == expected


def with_cell(table_id, row, column, value):
    """The book with one cell of a table changed."""
    table = BOOK.tables[table_id]
    at = table.columns.index(column)
    rows = tuple(
        replace(one, cells=(*one.cells[:at], value, *one.cells[at + 1 :]))
        if one.label == row
        else one
        for one in table.rows
    )
    assert rows != table.rows
    return replace(BOOK, tables={**BOOK.tables, table_id: replace(table, rows=rows)})


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (
            with_cell("crt-1", "5", "3", 3),
            {
                "hits": ["CRT 1, die 5"],
                "mean-hits": ["CRT 1, range 3"],
                "critical": ["CRT 1, range 3"],
                "example": ["hits", "resolution of the S.E.5a pilot"],
            },
        ),
        (
            with_cell("critical", "7", "part", "engine"),
            {"chart": ["sum 7"], "example": ["critical hit", "what it does"]},
        ),
        (
            with_cell("range", "400 feet", "4", 5),
            {"range": ["400 feet"], "range-formula": ["root of the sum of squares, rounded"]},
        ),
        (with_cell("stress-columns", "robust", "by-build", 2), {"stress": ["robust"]}),
        (with_cell("loop", "200 feet", "behind", 4), {"loop": ["200 feet"]}),
        (with_cell("control", "1", "result", "left_barred"), {"example": ["what it does"]}),
        (
            with_cell("oil-leak", "2", "seizes_on", 1),
            {"oil-leak": ["2 turns", "3 turns", "4 turns", "5 turns"]},
        ),
    ],
)
def test_a_changed_table_is_noticed_where_it_counts(book, expected):
    assert wrong(book) == expected


@pytest.mark.parametrize(
    ("setting", "value", "sheets_"),
    [
        ("critical_test", "lower", {"critical", "sums", "chart", "example", "stress"}),
        ("stress_column", "normal", {"stress"}),
        ("oil_leak", "one-die", {"oil-leak"}),
    ],
)
def test_another_reading_gives_other_figures(setting, value, sheets_):
    assert set(wrong(BOOK.with_settings({setting: value}))) == sheets_
