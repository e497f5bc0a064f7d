"""A rule set's TOML files held to what the rules read: every problem, with place and hint."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from guncamera.cli.entry_faults import add_rule, add_setting
from guncamera.rules.book import AnyBook
from guncamera.rules.index import Rule
from guncamera.rules.overlay import Change, changes, faults_of_texts, fit, variant_of
from guncamera.rules.refusal import Violation
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.rules.settings import Setting
from guncamera.rules.spelling import meant
from guncamera.rules.toml_places import line_of
from guncamera.rules.trace import text_of
from guncamera.rules.variant import Variant, faults_of_types, read_variant

NAMED_BY = {"table": "id", "setting": "name", "rule": "id"}
"""What an entry of each kind goes by; one of the aircraft by its type."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong: file and line (0: the whole file), the place in it, what, and a hint."""

    file: str
    line: int
    place: str
    text: str
    hint: str = ""


@dataclass(slots=True)
class Checked:
    """Files as far as they could be read.

    Attributes:
        base: The rule set that they are for; None if none has their rule ids.
        counts: How many entries of each kind there are.
        changes: Where they differ from what is shipped.
        variant: What they are packed as; None for a folder, and for what is no variant.
    """

    base: Ruleset | None
    problems: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    variant: Variant | None = None


def kinds_of(base: Ruleset | None) -> dict[str, str]:
    """The files of a rule set that a designer may change, and what stands in each."""
    book = base.book if base else None
    aircraft = (book.aircraft_file, book.aircraft_kind) if book else ("aircraft.toml", "aircraft")
    files = {"tables.toml": "table", "settings.toml": "setting", "rules.toml": "rule"}
    return {**files, aircraft[0]: aircraft[1]}


def check_files(texts: Mapping[str, str], base: Ruleset | None) -> Checked:
    """Check files by name.

    Args:
        base: The rule set they are for; None finds it by their rule ids.
    """
    checked = Checked(base or _base_of(texts))
    kinds = kinds_of(checked.base)
    documents = {
        name: _document(name, text, kinds, checked.problems) for name, text in texts.items()
    }
    _rules(documents, texts, checked)
    _settings(documents, texts, checked)
    if checked.base is not None:
        _tables(documents, texts, checked.base, checked)
        _missing(documents, checked.base.book, checked)
    _citations(documents, texts, checked)
    checked.problems.sort(key=lambda one: (one.file, one.line))
    return checked


def check_packed(name: str, text: str) -> Checked:
    """Check the file of a variant."""
    variant, faults = read_variant(text)
    if variant is None:
        problems = [Problem(name, one.line, one.place, one.text) for one in faults]
        problems.sort(key=lambda one: one.line)
        return Checked(None, problems)
    base, document = variant.ruleset, tomllib.loads(text)
    kinds = {kind: len(document.get(kind, ())) for kind in ("table", base.book.aircraft_kind)}
    checked = Checked(base, counts={**kinds, "setting": len(document.get("settings", ()))})
    checked.variant = variant
    _note_defaults(checked, base.book.setting_specs, variant.book.setting_specs)
    checked.changes += changes(base.book, variant.book)
    return checked


def _note_defaults(
    checked: Checked, shipped: Mapping[str, Setting], theirs: Mapping[str, Setting]
) -> None:
    for name, setting in theirs.items():
        before = shipped.get(name)
        if before is not None and before.default != setting.default:
            where = f"setting {name}, default"
            checked.changes.append(Change(where, text_of(before.default), text_of(setting.default)))


def _document(
    name: str, text: str, kinds: Mapping[str, str], problems: list[Problem]
) -> Mapping[str, Any]:
    kind = kinds.get(name)
    if kind is None:
        hint = f"the files are {', '.join(kinds)}"
        problems.append(
            Problem(name, 0, "file", f"nothing reads this file{meant(name, kinds)}", hint)
        )
        return {}
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # a number of 5,000 digits is no TOML error
        line = re.search(r"at line (\d+)", str(fault))
        problems.append(Problem(name, int(line[1]) if line else 0, "file", f"not TOML: {fault}"))
        return {}
    for key in document:
        if key != kind:
            line_number = line_of(text, key, 0)
            text_ = f"unknown: this file holds [[{kind}]] entries"
            problems.append(
                Problem(name, line_number, fit(key), text_, f"write [[{kind}]], or take it out")
            )
    if not isinstance(document.get(kind, []), list):
        problems.append(Problem(name, 0, kind, "not a list", f"write [[{kind}]], not [{kind}]"))
        return {}
    return document


def _base_of(texts: Mapping[str, str]) -> Ruleset | None:
    """The rule set whose rule ids the files cite most."""
    text = "\n".join(texts.values())
    cited = [(text.count(f"{found.prefix}-"), found.slug) for found in rulesets().values()]
    most, slug = max(cited, default=(0, ""))
    return rulesets()[slug] if most else None


def _entries(
    documents: Mapping[str, Mapping[str, Any]], kind: str
) -> Iterator[tuple[str, int, Any]]:
    for name, document in documents.items():
        for at, entry in enumerate(document.get(kind, ())):
            yield name, at, entry


def _note(
    checked: Checked, texts: Mapping[str, str], kind: str, file: str, at: int, entry: Any,
    violation: Violation,
) -> None:  # fmt: skip
    named = entry.get(NAMED_BY.get(kind, "type"), "") if isinstance(entry, dict) else ""
    named = fit(str(named))
    place = " ".join(str(part) for part in (kind, named or at + 1, violation.field) if part != "")
    line = line_of(texts[file], kind, at, violation.field)
    hint = _hint(violation)
    checked.problems.append(Problem(file, line, place, violation.description, hint))


def _hint(violation: Violation) -> str:
    text = violation.description
    if text.partition(";")[0] == "missing":
        return f"add a line {violation.field} = …"
    if text.startswith("unknown"):
        return "correct its spelling, or take it out"
    if "do not meet" in text:
        return "each row begins one above where the row before it ends"
    if "cells; the table has" in text:
        return "a row is its label and then one cell for each column"
    if "twice" in text:
        return "rename one of the two"
    return ""


def _rules(
    documents: Mapping[str, Mapping[str, Any]], texts: Mapping[str, str], checked: Checked
) -> None:
    rules: dict[str, Rule] = {}
    for file, at, entry in _entries(documents, "rule"):
        for violation in (*faults_of_texts(entry), *add_rule(entry, rules)):
            _note(checked, texts, "rule", file, at, entry, violation)
    checked.counts["rule"] = len(rules)


def _settings(
    documents: Mapping[str, Mapping[str, Any]], texts: Mapping[str, str], checked: Checked
) -> None:
    settings: dict[str, Setting] = {}
    shipped = checked.base.book.setting_specs if checked.base else None
    for file, at, entry in _entries(documents, "setting"):
        for violation in (*faults_of_texts(entry), *add_setting(entry, settings, shipped)):
            _note(checked, texts, "setting", file, at, entry, violation)
    checked.counts["setting"] = len(settings)
    _note_defaults(checked, shipped or {}, settings)


def _tables(
    documents: Mapping[str, Mapping[str, Any]],
    texts: Mapping[str, str],
    base: Ruleset,
    checked: Checked,
) -> None:
    book = base.book
    found = {
        kind: (file, document[kind])
        for kind in ("table", book.aircraft_kind)
        for file, document in documents.items()
        if document.get(kind)
    }
    variant, faults = variant_of({kind: entries for kind, (_, entries) in found.items()}, book)
    checked.counts |= {kind: len(entries) for kind, (_, entries) in found.items()}
    checked.changes += changes(book, variant)
    _, types = found.get(book.aircraft_kind, ("", ()))
    if not faults:
        faults += faults_of_types(types, variant, base)
    for kind, at, violation in faults:
        file, entries = found[kind]
        _note(checked, texts, kind, file, at, entries[at], violation)


def _missing(documents: Mapping[str, Mapping[str, Any]], book: AnyBook, checked: Checked) -> None:
    """What the rules cite, and a file that lists its like does not have."""
    for file, kind, theirs in (
        ("rules.toml", "rule", book.index.rules),
        ("settings.toml", "setting", book.setting_specs),
    ):
        mine = _names(documents, kind)
        absent = [name for name in theirs if name not in mine] if mine else []
        checked.problems += [
            Problem(file, 0, name, "missing; the rules cite it", "put it back, even if reworded")
            for name in absent
        ]


def _names(documents: Mapping[str, Mapping[str, Any]], kind: str) -> set[str]:
    """What the entries of a kind are called, be they faulty or not."""
    return {
        str(entry.get(NAMED_BY.get(kind, "type")))
        for _, _, entry in _entries(documents, kind)
        if isinstance(entry, dict)
    }


def _citations(
    documents: Mapping[str, Mapping[str, Any]], texts: Mapping[str, str], checked: Checked
) -> None:
    """Rules and settings that an entry names and that do not exist."""
    book = checked.base.book if checked.base else None
    rules = _names(documents, "rule") or set(book.index.rules if book else ())
    settings = _names(documents, "setting") or set(book.setting_specs if book else ())
    cited = (("table", "rule", rules), ("setting", "rule", rules), ("table", "setting", settings))
    for kind, key, known in cited:
        for file, at, entry in _entries(documents, kind):
            name = entry.get(key) if isinstance(entry, dict) else None
            if name and str(name) not in known:
                text = f"there is no {key} {name}{meant(str(name), sorted(known))}"
                _note(checked, texts, kind, file, at, entry, Violation(key, text))
