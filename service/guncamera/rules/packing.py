"""Packing a variant: what differs from the shipped rules, written as one file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from guncamera.rules.book import AnyBook
from guncamera.rules.overlay import variant_of
from guncamera.rules.refusal import refuse_faults
from guncamera.rules.ruleset import Ruleset
from guncamera.rules.table import Table, tables_from
from guncamera.rules.variant import FORMAT, Imprint, content_hash, imprint_faults

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def pack(base: Ruleset, imprint: Imprint, document: Mapping[str, Any]) -> str:
    """The text of a variant's file.

    Args:
        document: Entries as in the rule set's files, those that do not differ too, and under
            `settings` the defaults that differ.

    Raises:
        Malformed: Name, author, version or license is none.
    """
    said = asdict(imprint)
    refuse_faults(imprint_faults(said))
    head = {
        "format": FORMAT,
        "name": imprint.name,
        "ruleset": base.slug,
        "base_hash": base.book.digest,
        "author": imprint.author,
        "version": imprint.version,
        "license": imprint.license,
    }
    packed = {"variant": head, **differing(document, base.book)}
    head["hash"] = content_hash(packed)
    first = f"# A variant of {base.title}. To change it, pack it anew: `guncamera rules pack`."
    return "\n".join((first, "", *_written(packed)))


def differing(document: Mapping[str, Any], shipped: AnyBook) -> dict[str, Any]:
    """What of a document differs from the shipped book, as it is written there."""
    kind = shipped.aircraft_kind
    found = {
        "settings": {
            name: value
            for name, value in document.get("settings", {}).items()
            if name not in shipped.setting_specs or value != shipped.setting_specs[name].default
        },
        "table": [entry for entry in document.get("table", ()) if _differs(entry, shipped)],
        kind: [entry for entry in document.get(kind, ()) if _is_another({kind: [entry]}, shipped)],
    }
    return {name: entries for name, entries in found.items() if entries}


def _differs(entry: Mapping[str, Any], shipped: AnyBook) -> bool:
    (table,) = tables_from({"table": [entry]}).values()
    before = shipped.tables.get(table.id)
    return before is None or _content(table) != _content(before)


def _content(table: Table) -> list[Any]:
    return [getattr(table, one.name) for one in fields(table) if one.init]


def _is_another(document: Mapping[str, Any], shipped: AnyBook) -> bool:
    changed, _ = variant_of(document, shipped)
    return any(shipped.aircraft.get(name) != one for name, one in changed.aircraft.items())


# ---- TOML


def _written(document: Mapping[str, Any]) -> Iterator[str]:
    for name, found in document.items():
        for entry in found if isinstance(found, list) else [found]:
            yield f"[[{name}]]" if isinstance(found, list) else f"[{name}]"
            for key, value in entry.items():
                yield f"{_key(key)} = {_value(value, in_lines=True)}"
            yield ""


def _value(value: Any, *, in_lines: bool = False) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, Sequence):
        items = [_value(one) for one in value]
        if in_lines and any(isinstance(one, list | dict) for one in value):
            return "[\n" + "".join(f"  {item},\n" for item in items) + "]"
        return f"[{', '.join(items)}]"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    # A text of JSON is one of TOML, but for one character that JSON need not escape.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
