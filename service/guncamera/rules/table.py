"""A printed table: rows, columns, cells, and where they come from. Loaded and checked once.

Tables are TOML, laid out like the page: a row is a list, its label first. A label is a name,
a number (`7`), a band (`50..800`) or an open band (`..4`, `12..`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from typing import Any, Literal

from guncamera.rules.refusal import Malformed, Violation

Cell = str | int
Basis = Literal["stated", "derived", "house"]
BASES: tuple[Basis, ...] = ("stated", "derived", "house")


@dataclass(frozen=True, slots=True)
class Row:
    """One printed row: its label, the numbers it covers (open ends are None), its cells."""

    label: str
    low: int | None
    high: int | None
    cells: tuple[Cell, ...]

    def covers(self, number: int) -> bool:
        """Whether the row answers for a number."""
        return (self.low is None or self.low <= number) and (
            self.high is None or number <= self.high
        )


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A printed table. Compared by identity, so that odds can be cached by table.

    Attributes:
        id: Its name in asks, traces and the API: `target-damage`.
        rule_id: The rule that reads it.
        basis: How sure we are of the cells; `column_basis` overrides it by column.
        unit: What a cell means.
        setting: The named setting that stands behind a house table, or empty.
    """

    id: str
    title: str
    rule_id: str
    source: str
    basis: Basis
    unit: str
    row_axis: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    numbered: bool
    setting: str = ""
    column_basis: Mapping[str, Basis] = field(default_factory=dict)
    _cells: dict[tuple[str, str], Cell] = field(init=False, repr=False, default_factory=dict)
    _by_number: dict[int, Row] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            for column, cell in zip(self.columns, row.cells):
                self._cells[row.label, column] = cell

    def cell(self, row: int | str, column: str) -> Cell:
        """The cell at a number (through its band) or a row name.

        Raises:
            AssertionError: The table has no such row or column: a fault of ours, since callers
                check their input first.
        """
        label = self.row_of(row).label if isinstance(row, int) else row
        try:
            return self._cells[label, column]
        except KeyError:
            raise AssertionError(f"table {self.id} has no cell [{row}, {column}]") from None

    def number(self, row: int | str, column: str) -> int:
        """As `cell`, for a table whose cells are numbers."""
        cell = self.cell(row, column)
        if not isinstance(cell, int):
            raise AssertionError(f"table {self.id} [{row}, {column}] is not a number: {cell!r}")
        return cell

    def row_of(self, number: int) -> Row:
        """The one row that covers a number."""
        found = self._by_number.get(number)
        if found is None:
            for row in self.rows:
                if row.covers(number):
                    self._by_number[number] = found = row
                    break
            else:
                raise AssertionError(f"no row for {number}: table {self.id} is not whole")
        return found


def read_toml(package: str, name: str) -> dict[str, Any]:
    """One of a rule set's own TOML files, as shipped."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def tables_from(document: Mapping[str, Any]) -> dict[str, Table]:
    """Every `[[table]]` of a document, checked.

    Raises:
        Malformed: With every fault found, not only the first.
    """
    faults: list[Violation] = []
    tables: dict[str, Table] = {}
    for at, entry in enumerate(document.get("table", ())):
        where = f"table[{entry.get('id', at)}]"
        found = _faults_of(entry)
        faults += [Violation(f"{where}.{path}", text) for path, text in found]
        if not found:
            if entry["id"] in tables:
                faults.append(Violation(f"{where}.id", "this id is used twice"))
            tables[entry["id"]] = _table(entry)
    if faults:
        raise Malformed(f"{len(faults)} faults in the tables.", violations=faults)
    return tables


_REQUIRED = ("id", "title", "rule", "source", "basis", "unit", "row_axis", "columns", "rows")
_OPTIONAL = ("setting", "column_basis")


def _faults_of(entry: Mapping[str, Any]) -> list[tuple[str, str]]:
    faults = [(key, "missing") for key in _REQUIRED if key not in entry]
    faults += [(key, "unknown key") for key in entry if key not in _REQUIRED + _OPTIONAL]
    if faults:
        return faults
    if entry["basis"] not in BASES:
        faults.append(("basis", f"{entry['basis']!r} is not one of {', '.join(BASES)}"))
    width = len(entry["columns"])
    if len(set(entry["columns"])) != width:
        faults.append(("columns", "a column is named twice"))
    for column, basis in entry.get("column_basis", {}).items():
        if column not in entry["columns"] or basis not in BASES:
            faults.append((f"column_basis.{column}", "no such column, or no such basis"))
    for at, row in enumerate(entry["rows"]):
        if len(row) != width + 1:
            faults.append((f"rows[{at}]", f"{len(row) - 1} cells; the table has {width} columns"))
        elif not all(type(cell) in (int, str) for cell in row[1:]):
            faults.append((f"rows[{at}]", "a cell is a whole number or a text"))
    return faults or [(f"rows[{at}]", text) for at, text in _gaps(entry["rows"])]


def _gaps(rows: Sequence[Sequence[Any]]) -> list[tuple[int, str]]:
    """Faults of a numbered axis: rows that overlap, leave a gap or run backwards."""
    bands = [_band(str(row[0])) for row in rows]
    if not any(bands):
        labels = [str(row[0]) for row in rows]
        return [(i, "a row is named twice") for i, x in enumerate(labels) if x in labels[:i]]
    if not all(bands):
        return [
            (i, f"{rows[i][0]!r} is not a number or band") for i, b in enumerate(bands) if not b
        ]
    faults: list[tuple[int, str]] = []
    known = [band for band in bands if band]
    for at, (before, here) in enumerate(pairwise(known), start=1):
        if before[1] is None or here[0] is None or here[0] != before[1] + 1:
            faults.append((at, f"rows {rows[at - 1][0]!r} and {rows[at][0]!r} do not meet"))
    return faults


def _band(label: str) -> tuple[int | None, int | None] | None:
    low, dots, high = label.partition("..")
    try:
        if not dots:
            return int(low), int(low)
        return int(low) if low else None, int(high) if high else None
    except ValueError:
        return None


def _table(entry: Mapping[str, Any]) -> Table:
    rows = []
    for label, *cells in entry["rows"]:
        low, high = _band(str(label)) or (None, None)
        rows.append(Row(str(label), low, high, tuple(cells)))
    return Table(
        id=entry["id"],
        title=entry["title"],
        rule_id=entry["rule"],
        source=entry["source"],
        basis=entry["basis"],
        unit=entry["unit"],
        row_axis=entry["row_axis"],
        columns=tuple(entry["columns"]),
        rows=tuple(rows),
        numbered=_band(str(entry["rows"][0][0])) is not None,
        setting=entry.get("setting", ""),
        column_basis=dict(entry.get("column_basis", {})),
    )
