"""The book of Flying Circus Plus: rules, tables, settings and aeroplanes, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from guncamera.rules.book import Book
from guncamera.rules.index import index_from
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Malformed
from guncamera.rules.settings import choose, settings_from
from guncamera.rules.table import read_toml, tables_from
from guncamera.rulesets.circus.aircraft import Aeroplane
from guncamera.rulesets.circus.settings import CircusSettings

PACKAGE = "guncamera.rulesets.circus"
RULES_VERSION = 1

CircusBook = Book[CircusSettings, Aeroplane]


def load_book() -> CircusBook:
    """The book as shipped, under the default settings.

    Raises:
        Malformed: A file of the rule set is faulty; every fault is listed.
    """
    specs = settings_from(read_toml(PACKAGE, "settings.toml"))
    return Book(
        slug="circus",
        edition="Flying Circus Plus amendments, seed 002, undated",
        rules_version=RULES_VERSION,
        index=index_from(read_toml(PACKAGE, "rules.toml")),
        tables=tables_from(read_toml(PACKAGE, "tables.toml")),
        setting_specs=specs,
        settings=choose(CircusSettings, specs),
        aircraft=_aeroplanes(read_toml(PACKAGE, "aeroplanes.toml")),
    )


def _aeroplanes(document: Mapping[str, Any]) -> dict[str, Aeroplane]:
    """The types of aeroplane, by slug, in the order of the file."""
    found = (
        from_plain(Aeroplane, entry, f"aeroplane[{at}]")
        for at, entry in enumerate(document["aeroplane"])
    )
    return {aeroplane.type: aeroplane for aeroplane in found}


def figure(book: CircusBook, name: str) -> int:
    """One of the single figures of the rules."""
    return book.tables["figures"].number(name, "value")


def aeroplane_of(slug: str, own: Sequence[Aeroplane], book: CircusBook, field: str) -> Aeroplane:
    """The figures of a type: a session's own first, then the book's.

    Raises:
        Malformed: CIR-1.2, there is no such type.
    """
    for aeroplane in own:
        if aeroplane.type == slug:
            return aeroplane
    found = book.aircraft.get(slug)
    if found is None:
        raise Malformed(
            f"There is no aeroplane {slug!r}; take one of {', '.join(book.aircraft)}, or bring "
            "its figures as one of your own aeroplanes.",
            rule_id="CIR-1.2",
            field=field,
            aeroplane=slug,
        )
    return found
