"""A designer's tables and aircraft in place of the shipped ones: read, held to them, compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from guncamera.rules.book import AnyBook
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.spelling import meant
from guncamera.rules.table import Cell, Table, tables_from
from guncamera.rules.unseen import unseen, unseen_in

_NOT_SEEN = ", of which nothing is seen; take it out"
MISSHAPEN = (TypeError, KeyError, AttributeError, ValueError, IndexError)


@dataclass(frozen=True, slots=True)
class Change:
    """One cell or figure that differs from the shipped one; an empty side is not there."""

    where: str
    shipped: str
    changed: str


def faults_of_texts(entry: Any) -> Iterator[Violation]:
    """The fields of an entry, or their names, that hold a character of which nothing is seen."""
    for name, value in entry.items() if isinstance(entry, Mapping) else ():
        if found := unseen(name):
            yield Violation("", f"a key, {fit(name)}, holds {found}{_NOT_SEEN}")
            continue
        is_laid_out = isinstance(value, list) and all(isinstance(one, list) for one in value)
        places = enumerate(value) if is_laid_out else [(None, value)]
        for at, part in places:
            for _, found in islice(unseen_in(part), 1):
                where = name if at is None else f"{name}[{at}]"
                yield Violation(where, f"holds {found}{_NOT_SEEN}")


def fit(name: str) -> str:
    """A name as it can be shown, whatever is in it."""
    return ascii(name)[1:-1] if unseen(name) else name


def read_table(entry: Any) -> tuple[Table | None, list[Violation]]:
    """One `[[table]]`, and what is wrong with it."""
    try:
        (table,) = tables_from({"table": [entry]}).values()
    except Malformed as refusal:
        return None, [_inside(violation) for violation in refusal.violations]
    except MISSHAPEN as fault:
        return None, [Violation("", f"not shaped as a table: {fault}")]
    return table, []


def _inside(violation: Violation) -> Violation:
    """A violation of the only table of a document, by its place in that table."""
    field = violation.field.partition("].")[2]
    return Violation(field, violation.description, violation.rule_id)


def misfits(table: Table, book: AnyBook, added: Sequence[str] = ()) -> list[Violation]:
    """Why the rules could not read a table in place of the shipped one of its name.

    Args:
        added: Types of aircraft beside the shipped ones.
    """
    shipped = book.tables.get(table.id)
    if shipped is None:
        text = f"no rule reads a table of this name{meant(table.id, book.tables)}"
        return [Violation("id", text)]
    faults = []
    absent = [column for column in shipped.columns if column not in table.columns]
    if absent:
        faults.append(Violation("columns", f"the rules read {', '.join(absent)} as well"))
    extra = [column for column in table.columns if column not in shipped.columns]
    if extra:
        faults.append(Violation("columns", f"no rule reads {', '.join(extra)}"))
    return (
        faults
        + _axis_faults(table, shipped, _types_in(shipped, book, added))
        + _cell_faults(table, shipped)
    )


def _types_in(shipped: Table, book: AnyBook, added: Sequence[str]) -> Sequence[str]:
    """The added types that a table needs a row for: all, where each of the shipped has one."""
    return added if {row.label for row in shipped.rows} == set(book.aircraft) else ()


def _axis_faults(table: Table, shipped: Table, added: Sequence[str]) -> list[Violation]:
    if table.numbered != shipped.numbered:
        kind = "numbers" if shipped.numbered else "names"
        return [Violation("rows", f"the shipped table has {kind} for its rows")]
    if table.numbered:
        ends = (table.rows[0].low, table.rows[-1].high)
        wanted = (shipped.rows[0].low, shipped.rows[-1].high)
        if ends != wanted:
            text = f"the rows go from {_band(ends)}; the rules ask for {_band(wanted)}"
            return [Violation("rows", text)]
        return []
    labels = [row.label for row in table.rows]
    known = [*(row.label for row in shipped.rows), *added]
    faults = [
        Violation(f"rows[{at}]", f"no rule reads a row {label!r}{meant(label, known)}")
        for at, label in enumerate(labels)
        if label not in known
    ]
    absent = [label for label in known if label not in labels]
    if absent:
        faults.append(Violation("rows", f"the rules read {', '.join(absent)} as well"))
    return faults


def _band(ends: tuple[int | None, int | None]) -> str:
    low, high = ("" if end is None else str(end) for end in ends)
    return f"{low}..{high}"


def _cell_faults(table: Table, shipped: Table) -> list[Violation]:
    """Cells of a form that the shipped table does not have, such as a text for a number."""
    faults = []
    for at, column in enumerate(table.columns):
        if column not in shipped.columns:
            continue
        by_column = [row.cells[shipped.columns.index(column)] for row in shipped.rows]
        known = {_form(cell) for cell in by_column}
        for number, row in enumerate(table.rows):
            if _form(row.cells[at]) not in known:
                shown = ", ".join(str(cell) for cell in dict.fromkeys(by_column))
                text = f"column {column}: {row.cells[at]!r} is no such cell as {shown}"
                faults.append(Violation(f"rows[{number}]", text))
    return faults


def _form(cell: Cell) -> str:
    """The form of a cell: any whole number is alike, and so are `4*` and `12*`."""
    return "#" if isinstance(cell, int) else "text " + re.sub(r"\d+", "#", cell)


def variant_of(
    document: Mapping[str, Any], book: AnyBook
) -> tuple[AnyBook, list[tuple[str, int, Violation]]]:
    """The book with a document's tables and aircraft in place of the shipped ones.

    Returns:
        The book, as changed as far as the document is right; and what is wrong with it, each by
        the kind and the number of its entry.
    """
    unread = [
        (kind, at, violation)
        for kind in ("table", book.aircraft_kind)
        for at, entry in enumerate(_entries(document, kind))
        for violation in faults_of_texts(entry)
    ]
    aircraft, faults = _aircraft_in(document, book)
    faults = unread + faults
    added = {name: at for name, (at, _) in aircraft.items() if name not in book.aircraft}
    tables: dict[str, Table] = {}
    for at, entry in enumerate(_entries(document, "table")):
        table, found = read_table(entry)
        if table is not None:
            found = misfits(table, book, tuple(added))
            if table.id in tables:
                found = [*found, Violation("id", "this id is used twice")]
            tables[table.id] = table
        faults += [("table", at, violation) for violation in found]
    for shipped in book.tables.values():
        for name in () if shipped.id in tables else _types_in(shipped, book, tuple(added)):
            text = f"the table {shipped.id} has a row for each type; change it too, and add one"
            faults.append((book.aircraft_kind, added[name], Violation("type", text)))
    changed = book.with_tables(tables) if tables else book
    if aircraft:
        profiles = {name: profile for name, (_, profile) in aircraft.items()}
        changed = replace(changed, aircraft={**book.aircraft, **profiles})
    return changed, faults


def _aircraft_in(
    document: Mapping[str, Any], book: AnyBook
) -> tuple[dict[str, tuple[int, Any]], list[tuple[str, int, Violation]]]:
    """The aircraft of a document, each with the number of its entry; and what is wrong with it."""
    faults: list[tuple[str, int, Violation]] = []
    aircraft: dict[str, tuple[int, Any]] = {}
    kind = book.aircraft_kind
    cls: type = type(next(iter(book.aircraft.values()), None))
    for at, entry in enumerate(_entries(document, kind)):
        try:
            profile: Any = from_plain(cls, entry)
        except Malformed as refusal:
            faults += [(kind, at, violation) for violation in refusal.violations]
        except MISSHAPEN as fault:
            faults.append((kind, at, Violation("", f"not shaped as an aircraft: {fault}")))
        else:
            aircraft[_key_of(profile)] = at, profile
    return aircraft, faults


def _entries(document: Mapping[str, Any], kind: str) -> Sequence[Any]:
    found = document.get(kind, ())
    return found if isinstance(found, list) else [found] if found else []


def _key_of(profile: Any) -> str:
    """What an aircraft goes by: its first field."""
    return str(next(iter(to_plain(profile).values())))


def changes(shipped: AnyBook, changed: AnyBook) -> Iterator[Change]:
    """Every cell and figure in which two books differ."""
    for id_, table in changed.tables.items():
        before = _cells(shipped.tables.get(id_))
        after = _cells(table)
        for place in dict.fromkeys((*before, *after)):
            if before.get(place) != after.get(place):
                where = f"{id_}, row {place[0]}, column {place[1]}"
                yield Change(where, before.get(place, ""), after.get(place, ""))
    for slug, profile in changed.aircraft.items():
        old = shipped.aircraft.get(slug)
        before = {} if old is None else _figures(old)
        for name, figure in _figures(profile).items():
            if before.get(name, "") != figure:
                yield Change(f"{slug}, {name}", before.get(name, ""), figure)


def _cells(table: Table | None) -> dict[Any, str]:
    if table is None:
        return {}
    return {
        (row.label, column): str(cell)
        for row in table.rows
        for column, cell in zip(table.columns, row.cells)
    }


def _figures(profile: Any) -> dict[Any, str]:
    return {name: str(value) for name, value in to_plain(profile).items()}
