"""Variants for tests, packed as a designer packs them: of kettering, where nothing else is said."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from guncamera.rules.packing import pack
from guncamera.rules.ruleset import Ruleset, ruleset
from guncamera.rules.variant import Imprint, Variant, Variants, read_variant

SAID = {"author": "A. Designer", "version": "1.0", "license": "CC0-1.0"}


def files_of(found: Ruleset) -> dict[str, Any]:
    """The tables and aircraft of a rule set's own files, as they are written."""
    folder = resources.files(f"guncamera.rulesets.{found.slug}")
    document: dict[str, Any] = {}
    for name in ("tables.toml", found.book.aircraft_file):
        document |= tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8"))
    return document


def renamed(found: Ruleset) -> dict[str, Any]:
    """Every aircraft of a rule set under a title of its own: other rules, alike in what they do."""
    kind = found.book.aircraft_kind
    entries = files_of(found)[kind]
    return {kind: [{**entry, "title": f"{entry['title']} II"} for entry in entries]}


def faster_by_two(cell: int) -> dict[str, Any]:
    """Kettering with another modifier for a shooter who is faster by two."""
    tables = files_of(ruleset("kettering"))["table"]
    (table,) = (one for one in tables if one["id"] == "penalties")
    rows = [["faster by two", cell] if row[0] == "faster by two" else row for row in table["rows"]]
    return {"table": [{**table, "rows": rows}]}


def kite() -> dict[str, Any]:
    """Kettering with one more type, and with what the commander expects of it."""
    files = files_of(ruleset("kettering"))
    (table,) = (one for one in files["table"] if one["id"] == "expectations")
    plane = {**files["aircraft"][0], "type": "kite", "title": "A kite"}
    return {
        "table": [{**table, "rows": [*table["rows"], ["kite", 67, 61, 125]]}],
        "aircraft": [plane],
    }


def heavier_with_a_kite() -> dict[str, Any]:
    return {**kite(), "table": [*faster_by_two(-2)["table"], *kite()["table"]]}


def text_of(document: dict[str, Any], slug: str = "kettering", name: str = "heavier") -> str:
    return pack(ruleset(slug), Imprint(name, **SAID), document)


def variant_of(document: dict[str, Any], slug: str = "kettering", name: str = "heavier") -> Variant:
    variant, faults = read_variant(text_of(document, slug, name))
    assert variant is not None, faults
    return variant


def only(document: dict[str, Any], slug: str = "kettering", name: str = "heavier") -> Variants:
    return Variants([variant_of(document, slug, name)])
