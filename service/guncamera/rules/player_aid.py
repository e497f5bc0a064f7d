"""A rule set as sheets to print: rules and tables in the order of play, aircraft and readings.

Nothing on the sheets is typed a second time: every cell is read from the book that rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from guncamera.rules.aid import Aid, aid_of
from guncamera.rules.book import AnyBook
from guncamera.rules.index import RULE_ID, Rule, parse
from guncamera.rules.plain import to_plain
from guncamera.rules.settings import Setting, SettingValue
from guncamera.rules.table import Row, Table
from guncamera.rules.trace import text_of

TYPES_BESIDE = 6
_UNTOLD = ("source",)
_FIGURES = "figures"
_SEED, _OURS = re.compile(r"\bseed \d+\b"), re.compile(r"\bregister\b")
_AS_SEED = re.compile(rf", {_SEED.pattern}")
LONG_ROWS = 24
"""A table of more rows may go over the end of a page; a shorter one is kept together."""
_STYLE = """
@page { margin: 12mm }
body { margin: 1rem; color: #000; background: #fff; font: 9.5pt/1.3 system-ui, sans-serif }
h1 { font-size: 16pt; margin: 0 } h2 { font-size: 12pt; margin: 5mm 0 2mm; break-after: avoid;
  border-bottom: 1pt solid #000 }
p { margin: 1mm 0 } small { color: #333; font-size: 7.5pt }
section { margin: 0 }
table { display: inline-table; vertical-align: top; margin: 0 5mm 4mm 0; max-width: 100%;
  border-collapse: collapse; break-inside: avoid }
table.long, table.rules { display: table; break-inside: auto }
table.wide { width: 100%; margin-right: 0 } table.rules { margin-right: 0 }
.rules td:nth-child(3) { width: 58% } .rules td:nth-child(4) { font-size: 7.5pt; color: #333 }
table.wide th, table.wide td { max-width: none } table.beside { table-layout: fixed }
.id { white-space: nowrap } thead { display: table-header-group }
tr { break-inside: avoid }
caption { text-align: left; font-weight: 600; padding-bottom: .5mm; max-width: 80mm }
caption small { display: block; font-weight: 400 }
th, td { border: .4pt solid #666; padding: .3mm 1.2mm; text-align: left; vertical-align: top;
  max-width: 75mm; overflow-wrap: break-word }
th { font-weight: 600; background: #eee } td.number { text-align: right }
"""


def player_aid(title: str, book: AnyBook, told: str) -> str:
    """The sheets of a rule set, as one page of HTML without scripts or outside resources.

    Args:
        title: Of the rule set.
        book: That rules: shipped or changed, with the readings that were agreed on.
        told: What the book is: shipped, or how it came to be another.
    """
    aid = aid_of(book.slug)
    body = "".join(
        (
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(_AS_SEED.sub('', book.edition))}. Rules version {book.rules_version}, "
            f"{escape(told)}, {escape(book.digest[:12])}.</p>",
            *_in_order_of_play(book, aid),
            _section("Aircraft", [_aircraft(book, aid)] if book.aircraft else []),
            _section("Readings", [_readings(book)]),
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: sheets</title><style>{_STYLE}</style>{body}</html>\n"
    )


def _section(head: str, parts: Iterable[str]) -> str:
    inner = "".join(parts)
    return f"<section><h2>{head}</h2>{inner}</section>" if inner else ""


def _in_order_of_play(book: AnyBook, aid: Aid) -> Iterator[str]:
    """Each section with its tables and the rules that read them, then what is in none."""
    tables = sorted(book.tables.values(), key=_place)
    left = {rule.id: rule for rule in book.index}
    for section in aid.sections:
        here = [left.pop(rule_id) for rule_id in section.picked(left)]
        ids = {rule.id for rule in here}
        beside = [one for one in tables if one.rule_id in ids and one.id != _FIGURES]
        tables = [one for one in tables if one not in beside]
        yield _section(section.title, [*(_table(one, aid) for one in beside), _rules(here)])
    tables_head, rules_head = ("More tables", "More rules") if aid.sections else ("Tables", "Rules")
    yield _section(tables_head, [_table(one, aid) for one in tables])
    yield _section(rules_head, [_rules(left.values())] if left else [])


def _place(table: Table) -> tuple[bool, Any]:
    """By the numbers of the rules; the single figures, which belong to many rules, come last."""
    return table.id == _FIGURES, parse(table.rule_id)


def _table(table: Table, aid: Aid) -> str:
    what = f"{table.rule_id} · {table.unit}"
    if table.basis != "stated":
        what += f" · {table.basis}"
    rows = [[_label(row, aid), *(str(cell) for cell in row.cells)] for row in table.rows]
    columns = (table.row_axis, *map(aid.called, table.columns))
    return _grid(table.title, what, columns, rows, id_=table.id)


def _label(row: Row, aid: Aid) -> str:
    """What a row is for; a band of numbers in words."""
    if ".." not in row.label:
        return aid.called(row.label)
    if row.low is None:
        return f"{row.high} or less"
    return f"{row.low} or more" if row.high is None else f"{row.low} to {row.high}"


def _aircraft(book: AnyBook, aid: Aid) -> str:
    """Figures down, types across, so many beside one another as a page has room for."""
    profiles = [to_plain(profile) for profile in book.aircraft.values()]
    names = dict.fromkeys(name for profile in profiles for name in profile)
    told = [name for name in names if name not in _UNTOLD and not name.endswith("_fields")]
    sheets = []
    for at in range(0, len(profiles), TYPES_BESIDE):
        beside = profiles[at : at + TYPES_BESIDE]
        (key, *types), *rows = (
            [aid.called(name), *(_said(one.get(name), aid) for one in beside)] for name in told
        )
        rows = [row for row in rows if any(row[1:])]
        sheets.append(_grid("", "", (key, *types), rows, kind="wide beside"))
    return "".join(sheets)


def _said(value: Any, aid: Aid) -> str:
    """A figure of an aircraft; of a gun or a schedule each field by name."""
    match value:
        case None:
            return ""
        case Mapping():
            told = ((aid.called(name), _said(one, aid)) for name, one in value.items())
            return ", ".join(f"{name} {one}" for name, one in told if one)
        case list() | tuple():
            parts = [_said(one, aid) for one in value]
            return ("; " if any(isinstance(one, Mapping) for one in value) else ", ").join(parts)
        case _:
            return text_of(value)


def _readings(book: AnyBook) -> str:
    rows = []
    for setting in sorted(book.setting_specs.values(), key=lambda one: parse(one.rule_id)):
        value = getattr(book.settings, setting.name)
        agreed = text_of(value) + ("" if value == setting.default else " (agreed)")
        rows.append([setting.rule_id, setting.title, agreed, _means(setting, value)])
    heads = ("rule", "what is open", "reading", "means")
    return _grid("", "", heads, rows, kind="wide") if rows else ""


def _means(setting: Setting, value: SettingValue) -> str:
    """What a value means; of a number, from where to where it may be."""
    found = (one.means for one in setting.choices if one.value == value)
    return next(found, "") if setting.choices else f"of {setting.legal_values()}"


def _rules(rules: Iterable[Rule]) -> str:
    rows = [[rule.id, rule.title, rule.summary, _told_source(rule.source)] for rule in rules]
    return _grid("", "", ("rule", "title", "summary", "source"), rows, kind="wide rules")


def _told_source(source: str) -> str:
    """Where a rule is from as a player calls it: what was published, or what we make of it."""
    return _OURS.sub("our reading", _SEED.sub("the published rules", source))


def _grid(
    title: str,
    what: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    id_: str = "",
    kind: str = "",
) -> str:
    kinds = f"{kind} long".strip() if len(rows) > LONG_ROWS else kind
    marks = "".join(
        f' {name}="{escape(one)}"' for name, one in (("id", id_), ("class", kinds)) if one
    )
    caption = f"<caption>{escape(title)}<small>{escape(what)}</small></caption>" if title else ""
    heads = "".join(f"<th>{escape(_words(column))}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in rows)
    return f"<table{marks}>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str]) -> Iterator[str]:
    label, *cells = row
    kind = ' class="id"' if RULE_ID.fullmatch(label) else ""
    yield f"<th{kind}>{escape(_words(label))}</th>"
    for cell in cells:
        kind = ' class="number"' if cell.lstrip("+-").isdigit() else ""
        yield f"<td{kind}>{escape(_words(cell))}</td>"


def _words(name: str) -> str:
    """A name of the tables as it is said, `steep_dive` as `steep dive`; sentences as they stand."""
    return name if "`" in name else name.replace("_", " ")
