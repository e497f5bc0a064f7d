"""A rule set's book: its rules, tables, settings and aircraft, as one value with one digest.

Rules take the book as an argument, so that a session's settings, or a designer's altered table,
go through the very same rule code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from guncamera.rules.index import RuleIndex, index_from
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.settings import Setting, SettingValue, choose, settings_from
from guncamera.rules.table import Table, read_toml, tables_from

SettingsT = TypeVar("SettingsT")
AircraftT = TypeVar("AircraftT")


@dataclass(frozen=True, slots=True)
class VariantPin:
    """What a session keeps of the variant that it is played by: its name, and its content hash."""

    name: str
    hash: str


@dataclass(frozen=True, eq=False)
class Book(Generic[SettingsT, AircraftT]):
    """Everything a rule reads besides facts and dice. Compared by identity.

    Attributes:
        aircraft_file: Where the types of aircraft stand, and as what: `[[aircraft]]`, `[[card]]`.
        variant: Whose tables, aircraft and readings these are; None for those shipped.
        later: Settings that there were not yet when the game began that is ruled on by it. Each is
            at what was ruled before it, its default or its `was`, so the digest goes without them.
    """

    slug: str
    edition: str
    rules_version: int
    index: RuleIndex
    tables: Mapping[str, Table]
    setting_specs: Mapping[str, Setting]
    settings: SettingsT
    aircraft: Mapping[str, AircraftT]
    aircraft_file: str = "aircraft.toml"
    aircraft_kind: str = "aircraft"
    variant: VariantPin | None = None
    later: frozenset[str] = frozenset()

    @property
    def known_settings(self) -> dict[str, Any]:
        """The settings in plain form, without those that came later."""
        every = to_plain(self.settings)
        return {name: value for name, value in every.items() if name not in self.later}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the rules version, the tables' cells, the settings and the aircraft."""
        content = {
            "slug": self.slug,
            "rules_version": self.rules_version,
            "tables": {
                t.id: [list(t.columns), [[row.label, *row.cells] for row in t.rows]]
                for t in self.tables.values()
            },
            "settings": self.known_settings,
            "aircraft": {slug: to_plain(a) for slug, a in self.aircraft.items()},
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def with_settings(self, overrides: Mapping[str, SettingValue]) -> Book[SettingsT, AircraftT]:
        """The same book with some settings changed; the rest stay as they are in it.

        Raises:
            Malformed: An unknown name or an illegal value.
        """
        if not overrides:
            return self
        decided = {**to_plain(self.settings), **overrides}
        chosen = choose(type(self.settings), self.setting_specs, decided)
        return replace(self, settings=chosen)

    def with_tables(self, tables: Mapping[str, Table]) -> Book[SettingsT, AircraftT]:
        """The same book with some tables replaced by a designer's."""
        return replace(self, tables={**self.tables, **tables})


AnyBook = Book[Any, Any]


def load_book(
    package: str,
    *,
    edition: str,
    rules_version: int,
    settings: type[SettingsT],
    aircraft: type[AircraftT],
    aircraft_file: str = "aircraft.toml",
) -> Book[SettingsT, AircraftT]:
    """Read a rule set's book as shipped, under its default settings.

    Args:
        package: The rule set's folder, `guncamera.rulesets.<slug>`, with `rules.toml`,
            `tables.toml`, `settings.toml` and the file of its types of aircraft.
        aircraft: The figures of one type; its field `type` is the slug.
        aircraft_file: One array of tables, an entry for each type.

    Raises:
        Malformed: A file is faulty; every fault is listed.
    """
    specs = settings_from(read_toml(package, "settings.toml"))
    ((kind, types),) = read_toml(package, aircraft_file).items()
    return Book(
        slug=package.rpartition(".")[2],
        edition=edition,
        rules_version=rules_version,
        index=index_from(read_toml(package, "rules.toml")),
        tables=tables_from(read_toml(package, "tables.toml")),
        setting_specs=specs,
        settings=choose(settings, specs),
        aircraft=_types(aircraft, kind, types),
        aircraft_file=aircraft_file,
        aircraft_kind=kind,
    )


def _types(cls: type[AircraftT], kind: str, entries: Sequence[Any]) -> dict[str, AircraftT]:
    types: list[Any] = [from_plain(cls, entry, f"{kind}[{at}]") for at, entry in enumerate(entries)]
    return {one.type: one for one in types}


def figure(book: AnyBook, name: str) -> int:
    """One of the single figures of the rules: a row of the table `figures`."""
    return book.tables["figures"].number(name, "value")
