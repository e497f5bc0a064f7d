"""The figures of the aviation cards: all there, all met, and able to fail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from guncamera.rules.published import sheets_of
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.published import OURS, published

BOOK = load_book()
TITLES = {sheet.title: sheet.id for sheet in sheets_of("guncamera.rulesets.carriers")}
COUNTS = {"cards": 32, "carrier-bomb": 5, "ship-bomb": 36, "torpedo": 8, "strikes": 5}


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


def with_card(type_, **figures):
    """The book with other figures on a card."""
    changed = replace(BOOK.aircraft[type_], **figures)
    return replace(BOOK, aircraft={**BOOK.aircraft, type_: changed})


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (with_cell("carrier-bomb", "5..6", "nothing", "bridge"), {"carrier-bomb": 2}),
        (with_cell("fuel", "5..6", "result", "fuel_burns"), {"carrier-bomb": 2, "strikes": 2}),
        (with_cell("ship-bomb", "1", "result", "rudder"), {"ship-bomb": 15}),
        (with_cell("nation", "3..4", "magazine", "us"), {"ship-bomb": 12}),
        (with_cell("class-change", "cruiser", "change", 0), {"ship-bomb": 4}),
        (with_cell("torpedo", "6", "first", "us"), {"torpedo": 5, "strikes": 2}),
        (with_cell("belt", "1..2", "first", "nothing"), {"torpedo": 4}),
        (with_card("zeke", combat=4), {"cards": 1, "strikes": 1}),
        (with_card("sbd", bomb=3), {"cards": 1, "strikes": 2}),
        (with_card("betty", recon=2), {"cards": 1}),
    ],
)
def test_a_changed_table_or_card_is_noticed_where_it_counts(book, expected):
    assert wrong(book) == expected


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("kate_swap", True, {"cards": 2, "strikes": 1}),
        ("fourth_number", "combat", {"cards": 16, "strikes": 1}),
        ("class_change", "row-three", {"ship-bomb": 8}),
        ("die_floor", False, {"ship-bomb": 8}),
        ("void_rows", "one-and-two", {"ship-bomb": 24}),
        ("torpedo_six", "second", {"torpedo": 6}),
        ("carrier_five_six", "fire-out", {"carrier-bomb": 2}),
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
