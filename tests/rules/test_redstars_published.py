"""The figures of Rising Suns and Red Stars: all there, all met, and able to fail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from guncamera.rules.published import sheets_of
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.published import OURS, published

BOOK = load_book()
TITLES = {sheet.title: sheet.id for sheet in sheets_of("guncamera.rulesets.redstars")}
COUNTS = {
    "two-dice": 10,
    "tests": 6,
    "rugged": 2,
    "special": 2,
    "spin": 1,
    "ram-number": 3,
    "ram": 3,
    "example": 19,
}


def wrong(book):
    """How many cells disagree, by sheet."""
    found = {}
    for figure in published(book):
        if figure.agrees is False:
            name = TITLES[figure.table]
            found[name] = found.get(name, 0) + 1
    return found


def test_every_sheet_is_there_and_computed():
    counted = {}
    for figure in published(BOOK):
        name = TITLES[figure.table]
        counted[name] = counted.get(name, 0) + 1
    assert counted == COUNTS
    assert set(OURS) == set(COUNTS)


def test_every_figure_is_judged_exactly_and_agrees():
    for figure in published(BOOK):
        assert figure.agrees is True, figure
        assert figure.ours == figure.published
        assert figure.difference in ("", "0")
        assert (figure.method, figure.tolerance) == ("exact", "0")


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


def with_traits(type_, traits):
    """The book with other traits of a type."""
    changed = replace(BOOK.aircraft[type_], traits=traits)
    return replace(BOOK, aircraft={**BOOK.aircraft, type_: changed})


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (with_cell("tests", "skill", "number", 7), {"tests": 1}),
        (with_cell("tests", "spotting", "number", 6), {"tests": 1}),
        (with_cell("tests", "blow-out dive 4", "number", 9), {"tests": 1}),
        (with_cell("tests", "ram", "number", 7), {"ram-number": 3, "ram": 3}),
        (
            with_cell("test-modifiers", "rammer burning", "modifier", -1),
            {"ram-number": 1, "ram": 1},
        ),
        (with_cell("test-modifiers", "rammer tailing", "modifier", 2), {"ram-number": 1, "ram": 1}),
        (with_cell("weapons", "lmg", "sides", 6), {"special": 2}),
        (with_traits("i16t5", ()), {"special": 1}),
    ],
)
def test_a_changed_table_is_noticed_where_it_counts(book, expected):
    assert wrong(book) == expected


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("special_count", "own-dice", {"special": 1}),
        ("tweak_degrees", 10, {"example": 11}),
        ("gun_half_arc", 45, {"example": 1}),
    ],
)
def test_another_reading_gives_other_figures(setting, value, expected):
    assert wrong(BOOK.with_settings({setting: value})) == expected


@pytest.mark.parametrize("at", [0, -1])
def test_figures_are_there_under_all_other_readings(at):
    changed = {}
    for name, spec in BOOK.setting_specs.items():
        others = [one.value for one in spec.choices if one.value != spec.default]
        if others:
            changed[name] = others[at]
    assert len(list(published(BOOK.with_settings(changed)))) == sum(COUNTS.values())
