"""Tables: every number has one row, and a faulty table is refused whole, with every fault."""

import pytest
from guncamera.rules.refusal import Malformed
from guncamera.rules.table import tables_from

GOOD = {
    "id": "wind-shift", "title": "Shift", "rule": "TST-2.1", "source": "seed", "basis": "stated",
    "unit": "hexes", "row_axis": "altitude in metres", "columns": ["aircraft", "torpedo"],
    "rows": [["..849", 0, 1], ["850..2000", 1, 2], ["2001..", 2, 3]],
}  # fmt: skip


def load(**changes):
    return tables_from({"table": [{**GOOD, **changes}]})["wind-shift"]


@pytest.mark.parametrize(
    ("metres", "hexes"), [(-1000, 1), (0, 1), (849, 1), (850, 2), (2000, 2), (2001, 3), (9999, 3)]
)
def test_band_edges(metres, hexes):
    assert load().number(metres, "torpedo") == hexes


def test_a_number_outside_closed_bands_is_a_fault_of_ours_not_a_dropped_result():
    table = load(rows=[["1..3", 0, 1]])
    with pytest.raises(AssertionError, match="not whole"):
        table.cell(4, "torpedo")
    with pytest.raises(AssertionError, match="no cell"):
        table.cell(1, "balloon")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rows": [["..849", 0, 1], ["851..", 1, 2]]}, "rows[1]"),
        ({"rows": [["..850", 0, 1], ["850..", 1, 2]]}, "rows[1]"),
        ({"rows": [["850..", 0, 1], ["..849", 1, 2]]}, "rows[1]"),
        ({"rows": [["..849", 0], ["850..", 1, 2]]}, "rows[0]"),
        ({"rows": [["..849", 0, 1.5], ["850..", 1, 2]]}, "rows[0]"),
        ({"rows": [["low", 0, 1], ["850..", 1, 2]]}, "rows[0]"),
        ({"rows": [["low", 0, 1], ["low", 1, 2]]}, "rows[1]"),
        ({"columns": ["torpedo", "torpedo"]}, "columns"),
        ({"basis": "certain"}, "basis"),
        ({"colums": []}, "colums"),
        ({"column_basis": {"balloon": "house"}}, "column_basis.balloon"),
    ],
)
def test_a_faulty_table_is_refused_by_the_place_of_its_fault(changes, field):
    with pytest.raises(Malformed) as refused:
        load(**changes)
    assert f"table[wind-shift].{field}" in [v.field for v in refused.value.violations]


def test_every_fault_is_listed_at_once():
    broken = {k: v for k, v in GOOD.items() if k not in ("source", "unit")}
    with pytest.raises(Malformed) as refused:
        tables_from({"table": [broken, {**GOOD, "basis": "sure"}]})
    assert len(refused.value.violations) == 3


def test_named_rows_are_found_by_name():
    table = load(rows=[["fokker-d7", 1, 2], ["albatros-d3", 3, 4]])
    assert not table.numbered
    assert table.number("albatros-d3", "torpedo") == 4
