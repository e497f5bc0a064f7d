"""`guncamera rules show`: a rule set's rules, tables, settings and aircraft, as on the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

from guncamera.cli.console import Failure, console, count, grid, print_json, words
from guncamera.cli.options import JsonOption, RulesetArgument
from guncamera.rules.index import Rule
from guncamera.rules.plain import flat, to_plain
from guncamera.rules.ruleset import Ruleset, ruleset
from guncamera.rules.settings import Setting
from guncamera.rules.spelling import meant
from guncamera.rules.table import Table
from guncamera.rules.trace import text_of

MAX_HEAD = 7
MAX_FIGURE = 20
TOPICS = ("tables", "settings", "rules", "aircraft")


def show_command(
    ruleset_slug: RulesetArgument,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[tables|settings|rules|aircraft|ID]",
            help="A list, or one rule, table, setting or type of aircraft by its id.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print what a rule set is made of, with its sources and how sure we are of each."""
    found = ruleset(ruleset_slug)
    topic = "tables" if what == "table" else what
    if topic is None or topic in TOPICS:
        plain = {name: _topic_to_plain(found, name) for name in ([topic] if topic else TOPICS)}
        if json:
            print_json({"ruleset": found.slug, **plain})
        elif topic is None:
            _show_overview(console(), found)
        else:
            _show_topic(console(), found, topic)
        return
    kind, item = _find(found, topic)
    if json:
        print_json({"ruleset": found.slug, "kind": kind, **_item_to_plain(topic, item)})
    else:
        _show_item(console(), found, topic, item)


def _find(found: Ruleset, name: str) -> tuple[str, Any]:
    book = found.book
    known: dict[str, tuple[str, Any]] = {}
    for kind, items in (
        ("aircraft", book.aircraft),
        ("setting", book.setting_specs),
        ("table", book.tables),
        ("rule", book.index.rules),
    ):
        known.update({id_: (kind, item) for id_, item in items.items()})
    by_name = known.get(name) or known.get(name.upper())
    if by_name is None:
        raise Failure(
            f"{found.title} has no {name!r}{meant(name, known)}; "
            f"guncamera rules show {found.slug} says what it has."
        )
    return by_name


# ---- lists


def _show_overview(out: Console, found: Ruleset) -> None:
    book = found.book
    out.print(found.title, style="bold")
    rows = [
        ("Edition", book.edition),
        ("Rules version", f"{book.rules_version}, {book.digest[:12]}"),
        ("Verbs", ", ".join(verb.value for verb in found.procedures)),
        ("Pilots", ", ".join(found.pilots) or "none"),
        ("Rules", count(len(book.index.rules), "rule")),
        ("Tables", ", ".join(book.tables)),
        ("Settings", count(len(book.setting_specs), "house reading")),
        ("Aircraft", ", ".join(book.aircraft) or "none"),
    ]
    out.print(grid(("", ""), rows))
    out.print()
    out.print(f"More: guncamera rules show {found.slug} {'|'.join(TOPICS)}|ID", soft_wrap=True)


def _show_topic(out: Console, found: Ruleset, topic: str) -> None:
    book = found.book
    if topic == "rules":
        rows = [(rule.id, rule.basis, rule.title) for rule in book.index]
        out.print(grid(("Rule", "Basis", "Title"), rows, wide="Title"))
        _point_to_register(out, found)
    elif topic == "tables":
        tables = [(t.id, t.rule_id, t.basis, t.title) for t in book.tables.values()]
        out.print(grid(("Table", "Rule", "Basis", "Title"), tables, wide="Title"))
    elif topic == "settings":
        settings = [
            (s.name, text_of(s.default), _others(s), s.rule_id) for s in book.setting_specs.values()
        ]
        columns = ("Setting", "Default", "Or", "Rule")
        out.print(grid(columns, settings, wide="Or"))
        _point_to_register(out, found)
    else:
        _show_aircraft(out, found)


def _others(setting: Setting) -> str:
    if not setting.choices:
        return setting.legal_values()
    others = (text_of(c.value) for c in setting.choices if c.value != setting.default)
    return ", ".join(others)


def _show_aircraft(out: Console, found: Ruleset) -> None:
    """A table of what is short, after the type; `rules show RULESET TYPE` has all."""
    profiles = [flat(profile) for profile in found.book.aircraft.values()]
    kind, *names = dict.fromkeys(name for profile in profiles for name in profile)
    short = [kind] + [
        name
        for name in names
        if all(len(profile.get(name, "")) <= MAX_FIGURE for profile in profiles)
        and name != "title"
        and not name.endswith("_fields")  # these say how sure we are of the others
    ]
    columns = {name: [profile.get(name, "") for profile in profiles] for name in short}
    for at, names_here in enumerate(_blocks(columns, out.width)):
        if at:
            out.print()
        rows = list(zip(*(columns[name] for name in names_here)))
        heads = [_head(name) for name in names_here]
        out.print(grid(heads, rows, wide=heads[-1], gap=1))


def _blocks(columns: Mapping[str, Sequence[str]], width: int) -> Iterator[list[str]]:
    """Names of columns, the first one with each lot that fits side by side."""
    key, *names = columns
    widths = {
        name: max(map(len, (*_head(name).split("\n"), *cells))) + 1
        for name, cells in columns.items()
    }
    block = [key]
    for name in names:
        if sum(widths[one] for one in (*block, name)) > width + 1 and len(block) > 1:
            yield block
            block = [key]
        block.append(name)
    yield block


def _head(name: str) -> str:
    return "\n".join(_hyphened(word) for word in words(name).split())


def _hyphened(word: str) -> str:
    """A head's word, on two lines if it is long."""
    return word if len(word) <= MAX_HEAD else f"{word[: MAX_HEAD - 1]}-\n{word[MAX_HEAD - 1 :]}"


# ---- one thing


def _show_item(out: Console, found: Ruleset, name: str, item: Any) -> None:
    if isinstance(item, Table):
        _show_table(out, item)
        return
    if isinstance(item, Setting):
        _show_setting(out, item)
        _point_to_register(out, found)
        return
    rows = [(words(field), text or "–") for field, text in _fields(item).items()]
    out.print(grid(("", ""), rows))
    if name.upper() in found.book.index:
        book, rule_id = found.book, name.upper()
        tables = [table.id for table in book.tables.values() if table.rule_id == rule_id]
        settings = [s.name for s in book.setting_specs.values() if s.rule_id == rule_id]
        for what, names in (("Tables", tables), ("Settings", settings)):
            if names:
                out.print(f"{what}: {', '.join(names)}")
        _point_to_register(out, found)


def _point_to_register(out: Console, found: Ruleset) -> None:
    """Where the register's numbers are explained, which sources and notes name."""
    if any("register" in rule.source for rule in found.book.index):
        out.print(f"Register: docs/readings/{found.slug}.md", soft_wrap=True)


def _fields(item: Any) -> dict[str, str]:
    if isinstance(item, Rule):
        return {name: str(text) for name, text in asdict(item).items()}
    return flat(item)


def _show_table(out: Console, table: Table) -> None:
    out.print(table.title, style="bold")
    rows = [[row.label, *(str(cell) for cell in row.cells)] for row in table.rows]
    out.print(grid((table.row_axis, *table.columns), rows))
    out.print()
    by_column = {c: b for c, b in table.column_basis.items() if b != table.basis}
    basis = ", ".join([table.basis, *(f"column {c}: {b}" for c, b in by_column.items())])
    facts = [
        ("Table", table.id),
        ("Rule", table.rule_id),
        ("Cells", table.unit),
        ("Basis", basis),
        ("Source", table.source),
    ]
    if table.setting:
        facts.append(("Setting", table.setting))
    out.print(grid(("", ""), facts))


def _show_setting(out: Console, setting: Setting) -> None:
    out.print(setting.title, style="bold")
    rows = [
        (f"{text_of(c.value)}{' (default)' if c.value == setting.default else ''}", c.means)
        for c in setting.choices
    ]
    if not rows:
        rows = [(setting.legal_values(), f"default {setting.default}")]
    out.print(grid(("", ""), rows))
    out.print()
    facts = [("Rule", setting.rule_id), ("Note", setting.note), ("Why", setting.reason)]
    out.print(grid(("", ""), facts))


# ---- for machines


def _topic_to_plain(found: Ruleset, topic: str) -> list[dict[str, Any]]:
    book = found.book
    if topic == "rules":
        return [_item_to_plain(rule.id, rule) for rule in book.index]
    items: dict[str, Any] = {
        "tables": book.tables,
        "settings": book.setting_specs,
        "aircraft": book.aircraft,
    }[topic]  # type: ignore[assignment]  # mappings of different things
    return [_item_to_plain(name, item) for name, item in items.items()]


def _item_to_plain(name: str, item: Any) -> dict[str, Any]:
    if isinstance(item, Table):
        return {
            "id": item.id,
            "title": item.title,
            "rule_id": item.rule_id,
            "source": item.source,
            "basis": item.basis,
            "unit": item.unit,
            "row_axis": item.row_axis,
            "columns": list(item.columns),
            "column_basis": dict(item.column_basis),
            "rows": [[row.label, *row.cells] for row in item.rows],
            "setting": item.setting,
        }
    if isinstance(item, Setting):
        return {
            "name": item.name,
            "rule_id": item.rule_id,
            "note": item.note,
            "title": item.title,
            "default": item.default,
            "choices": [{"value": c.value, "means": c.means} for c in item.choices],
            **({} if item.choices else {"low": item.low, "high": item.high, "step": item.step}),
            "reason": item.reason,
        }
    return {"id": name, **(asdict(item) if isinstance(item, Rule) else to_plain(item))}
