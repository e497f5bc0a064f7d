"""A variant: a rule set with some of its tables, aircraft or readings replaced, as one file.

The file is TOML: who made it and for which rules, then the entries that differ, laid out as in the
rule set's own files. It holds its own hash, so that whoever loads it rules as its author packed it.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from guncamera.rules.book import AnyBook, VariantPin
from guncamera.rules.overlay import faults_of_texts, fit, variant_of
from guncamera.rules.refusal import Malformed, VariantUnknown, Violation
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.rules.spelling import meant
from guncamera.rules.toml_places import line_of, line_of_key
from guncamera.rules.unseen import unseen

FORMAT = 1
MOST_BYTES = 2**20
MOST_CHARACTERS = 200
MOST_NUMBER = 1_000_000
"""No cell is further from nothing: sums of cells stay what the wire can carry."""
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_TYPE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_HASH = re.compile(r"[0-9a-f]{64}")
_TEXTS = ("name", "ruleset", "base_hash", "author", "version", "license", "hash")
_TABLE_TEXTS = ("id", "title", "rule", "source", "unit", "row_axis")
_NAMED_BY = {"table": "id"}


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a variant says of itself.

    Attributes:
        name: What it goes by: lower-case letters, digits and hyphens, 40 at most.
        author, version, license: Free texts of one line each.
    """

    name: str
    author: str
    version: str
    license: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as it is played: its rule set, and the book in place of the shipped one."""

    imprint: Imprint
    ruleset: Ruleset
    book: AnyBook

    @property
    def pin(self) -> VariantPin:
        """Its name and content hash."""
        assert self.book.variant is not None, "the book of a variant names it"
        return self.book.variant


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a variant's file: line (0: the whole file), the place in it, what."""

    line: int
    place: str
    text: str


def read_variant(text: str) -> tuple[Variant | None, list[Fault]]:
    """The variant that a file holds; None if anything is wrong with it, and everything that is."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # a number of 5,000 digits is no TOML error
        line = re.search(r"at line (\d+)", str(fault))
        return None, [Fault(int(line[1]) if line else 0, "file", f"not TOML: {fault}")]
    head = document.get("variant")
    if not isinstance(head, dict):
        said = "missing; `guncamera rules pack` writes a file that has it"
        return None, [Fault(0, "[variant]", said)]
    faults = [_in_head(text, violation) for violation in _head_faults(head)]
    base = rulesets().get(str(head.get("ruleset")))
    if base is None:
        return None, faults
    try:
        book, found = _overlaid(document, base)
        faults += [_in_entries(document, text, *one) for one in found]
        faults += [_in_head(text, violation) for violation in _hash_faults(document, base, faults)]
    except RecursionError:  # dotted keys nest as deep as they are long
        return None, [Fault(0, "file", "nested too deeply")]
    if faults:
        return None, faults
    pin = VariantPin(head["name"], head["hash"])
    imprint = Imprint(head["name"], head["author"], head["version"], head["license"])
    return Variant(imprint, base, replace(book, variant=pin)), []


def content_hash(document: Mapping[str, Any]) -> str:
    """SHA-256, in hexadecimal, over all that a file says but this hash; layout does not count."""
    head = {name: value for name, value in document["variant"].items() if name != "hash"}
    content = {**document, "variant": head}
    # What is no text, number or truth is a fault, and told as one; here it only has to have a form.
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(plain.encode()).hexdigest()


def imprint_faults(imprint: Mapping[str, Any]) -> Iterator[Violation]:
    """What is wrong with name, author, version and license."""
    name = imprint["name"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        said = "a name is 1 to 40 lower-case letters, digits and hyphens, with none at either end"
        yield Violation("name", said)
    for field in ("author", "version", "license"):
        value = imprint[field]
        is_line = isinstance(value, str) and not unseen(value) and value.strip() == value
        if not is_line or not 1 <= len(value) <= MOST_CHARACTERS:
            yield Violation(field, f"a line of 1 to {MOST_CHARACTERS} characters is wanted")


def _head_faults(head: Mapping[str, Any]) -> Iterator[Violation]:
    known = ("format", *_TEXTS)
    for key in head:
        if key not in known:
            yield Violation(fit(key), f"unknown key{meant(key, known)}")
    absent = [key for key in known if key not in head]
    for key in absent:
        yield Violation(key, "missing")
    if absent:
        return
    if type(head["format"]) is not int or head["format"] != FORMAT:
        yield Violation("format", f"{head['format']!r}; this version reads {FORMAT}")
    yield from imprint_faults(head)
    if head["ruleset"] not in tuple(rulesets()):
        said = f"there is no rule set {head['ruleset']!r}; there are {', '.join(rulesets())}"
        yield Violation("ruleset", said)
    for key in ("base_hash", "hash"):
        if not isinstance(head[key], str) or not _HASH.fullmatch(head[key]):
            yield Violation(key, "a SHA-256 in hexadecimal is wanted")


def _hash_faults(
    document: Mapping[str, Any], base: Ruleset, others: Sequence[Fault]
) -> Iterator[Violation]:
    """What the two hashes are not; the second is told where nothing else is wrong.

    Args:
        others: What is wrong beside them.
    """
    head = document["variant"]
    made_for = str(head.get("base_hash"))
    if _HASH.fullmatch(made_for) and made_for != base.book.digest:
        yield Violation(
            "base_hash",
            f"made for other rules: {base.slug} {made_for[:12]}, and here is "
            f"{base.book.digest[:12]}; `guncamera rules pack` makes it one for these",
        )
    found = "" if others else content_hash(document)
    if found and head["hash"] != found:
        yield Violation(
            "hash",
            f"{head['hash'][:12]}, and the file's content is {found[:12]}: it was changed since "
            "it was packed; `guncamera rules pack` packs it anew",
        )


Found = tuple[str, int, Violation]
"""The kind of an entry, its number from 0, and what is wrong with it."""


def _overlaid(document: Mapping[str, Any], base: Ruleset) -> tuple[AnyBook, list[Found]]:
    """The shipped book with what a file has in its place, as far as that is right."""
    shipped = base.book
    kinds = ("table", shipped.aircraft_kind)
    known = ("variant", "settings", *kinds)
    wrong = [name for name in document if name not in known]
    faults = [(fit(name), 0, Violation("", f"unknown{meant(name, known)}")) for name in wrong]
    entries = {kind: document[kind] for kind in kinds if kind in document}
    misshapen = [kind for kind, found in entries.items() if not _are_tables(found)]
    faults += [(kind, 0, Violation("", f"write [[{kind}]] entries")) for kind in misshapen]
    readings = document.get("settings", {})
    if not isinstance(readings, dict):
        faults.append(("settings", 0, Violation("", "write a table [settings]")))
    else:
        faults += [("settings", 0, violation) for violation in faults_of_texts(readings)]
    if faults:
        return shipped, faults
    tables = [
        ("table", at, violation)
        for at, entry in enumerate(entries.get("table", ()))
        for violation in list(faults_of_texts(entry)) or _form_faults(entry, shipped)
    ]
    if tables:
        return shipped, tables
    book, faults = variant_of(entries, shipped)
    types = entries.get(shipped.aircraft_kind, ())
    faults += _type_faults(types, shipped.aircraft_kind)
    faults += () if faults else faults_of_types(types, book, base)
    try:
        return with_defaults(book, readings), faults
    except Malformed as refusal:
        found = [Violation(v.field.removeprefix("settings."), v.description, v.rule_id)
                 for v in refusal.violations]  # fmt: skip
        return book, faults + [("settings", 0, violation) for violation in found]


def entry_faults(document: Mapping[str, Any], base: Ruleset) -> list[Found]:
    """What is wrong with the entries of a document that has them in place of the shipped ones."""
    return _overlaid(document, base)[1]


def faults_of_types(
    entries: Sequence[Mapping[str, Any]], book: AnyBook, base: Ruleset
) -> Iterator[Found]:
    """What of the types of a document does not hold together under its book."""
    for at, entry in enumerate(entries):
        profile = book.aircraft.get(str(entry.get("type")))
        if profile is not None and profile is not base.book.aircraft.get(profile.type):
            for violation in base.type_faults(profile, book, "type"):
                field = violation.field.removeprefix("type.")
                fault = Violation(field, violation.description, violation.rule_id)
                yield book.aircraft_kind, at, fault


def with_defaults(book: AnyBook, readings: Mapping[str, Any]) -> AnyBook:
    """The book with other defaults for some of its settings, which are in force in it.

    Raises:
        Malformed: An unknown name or an illegal value.
    """
    if not readings:
        return book
    chosen = book.with_settings(readings)
    specs = {
        name: replace(spec, default=readings[name]) if name in readings else spec
        for name, spec in book.setting_specs.items()
    }
    return replace(chosen, setting_specs=specs)


def _are_tables(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(entry, dict) for entry in found)


def _form_faults(entry: Mapping[str, Any], shipped: AnyBook) -> Iterator[Violation]:
    """What the readers of shipped files need not look for: text that is none, far too much."""
    for key in (*_TABLE_TEXTS, *(("setting",) if "setting" in entry else ())):
        if not isinstance(entry.get(key, ""), str) or len(entry.get(key, "")) > 1000:
            yield Violation(key, "a text of at most 1000 characters is wanted")
    for key, cells in (("columns", [entry.get("columns", [])]), ("rows", entry.get("rows", []))):
        if not isinstance(cells, list) or not cells or not all(isinstance(c, list) for c in cells):
            yield Violation(key, "a list is wanted, and one for each row")
            continue
        for at, row in enumerate(cells):
            if not row or not all(_is_cell(cell, only_text=key == "columns") for cell in row):
                where = key if key == "columns" else f"{key}[{at}]"
                what = "texts" if key == "columns" else f"texts, and numbers up to {MOST_NUMBER}"
                yield Violation(where, f"not a list of {what}, {MOST_CHARACTERS} characters each")
    if "rule" in entry and entry["rule"] not in tuple(shipped.index.rules):
        yield Violation("rule", f"there is no rule {entry['rule']}")
    if entry.get("setting") and entry["setting"] not in tuple(shipped.setting_specs):
        yield Violation("setting", f"there is no setting {entry['setting']}")


def _is_cell(cell: Any, *, only_text: bool) -> bool:
    if isinstance(cell, str):
        return len(cell) <= MOST_CHARACTERS and not any(
            len(digits) > len(str(MOST_NUMBER)) for digits in re.findall(r"\d+", cell)
        )
    return not only_text and type(cell) is int and abs(cell) <= MOST_NUMBER


def _type_faults(entries: Sequence[Mapping[str, Any]], kind: str) -> Iterator[Found]:
    names = [entry.get("type") for entry in entries]
    for at, name in enumerate(names):
        if name in names[:at]:
            yield kind, at, Violation("type", "this type is there twice")
        if not isinstance(name, str) or not _TYPE.fullmatch(name):
            said = "a type is 1 to 40 lower-case letters, digits, hyphens and underscores"
            yield kind, at, Violation("type", said)
        for field, value in entries[at].items():
            if any(abs(figure) > MOST_NUMBER for figure in _figures_in(value)):
                yield kind, at, Violation(field, f"numbers go up to {MOST_NUMBER}")


def _figures_in(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _figures_in(one)


def _in_head(text: str, violation: Violation) -> Fault:
    line = line_of_key(text, "variant", violation.field)
    return Fault(line, f"[variant] {violation.field}", violation.description)


def _in_entries(
    document: Mapping[str, Any], text: str, kind: str, at: int, violation: Violation
) -> Fault:
    entries = document.get(kind)
    if not isinstance(entries, list) or at >= len(entries) or not isinstance(entries[at], dict):
        line = line_of_key(text, kind, violation.field)
        return Fault(line, f"[{kind}] {violation.field}".strip(), violation.description)
    named = fit(str(entries[at].get(_NAMED_BY.get(kind, "type"), at + 1)))
    place = f"{kind} {named} {violation.field}".strip()
    return Fault(line_of(text, kind, at, violation.field), place, violation.description)


class Variants:
    """The variants that somebody allows, by name. Compared by identity."""

    def __init__(self, found: Iterable[Variant] = ()) -> None:
        self._by_name = {one.imprint.name: one for one in found}

    def __iter__(self) -> Iterator[Variant]:
        return iter(self._by_name.values())

    def get(self, name: str) -> Variant | None:
        """The variant of a name, whatever it is of; None if there is none."""
        return self._by_name.get(name)

    def of(self, base: Ruleset) -> tuple[Variant, ...]:
        """Those of a rule set, by name."""
        return tuple(one for one in self if one.ruleset.slug == base.slug)

    def only_of(self, base: Ruleset) -> AnyBook:
        """The book of the one variant there is, or that of the rule set where there is none.

        Raises:
            VariantUnknown: It is a variant of other rules.
        """
        return self.book_of(base, next(iter(self._by_name), ""))

    def book_of(self, base: Ruleset, name: str) -> AnyBook:
        """The book of a variant of a rule set; the shipped one for no name.

        Raises:
            VariantUnknown: There is no such variant.
        """
        if not name:
            return base.book
        found = self.get(name)
        if found is None or found.ruleset.slug != base.slug:
            known = [one.imprint.name for one in self.of(base)]
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise VariantUnknown(
                f"This service has no variant {name[:40]!r} of {base.slug}; {there}. Leave it out "
                "for the rules as printed.",
                field="variant",
                variant=name[:40],
                ruleset=base.slug,
            )
        return found.book


NO_VARIANTS = Variants()
