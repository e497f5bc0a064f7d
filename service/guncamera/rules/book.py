"""A rule set's book: its rules, tables, settings and aircraft, as one value with one digest.

Rules take the book as an argument, so that a session's settings, or a designer's altered table,
go through the very same rule code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from guncamera.rules.index import RuleIndex
from guncamera.rules.plain import to_plain
from guncamera.rules.settings import Setting, SettingValue, choose
from guncamera.rules.table import Table

SettingsT = TypeVar("SettingsT")
AircraftT = TypeVar("AircraftT")


@dataclass(frozen=True, eq=False)
class Book(Generic[SettingsT, AircraftT]):
    """Everything a rule reads besides facts and dice. Compared by identity."""

    slug: str
    edition: str
    rules_version: int
    index: RuleIndex
    tables: Mapping[str, Table]
    setting_specs: Mapping[str, Setting]
    settings: SettingsT
    aircraft: Mapping[str, AircraftT]

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
            "settings": to_plain(self.settings),
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
