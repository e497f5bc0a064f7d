"""The book of Rising Suns and Red Stars: rules, tables, settings and data books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from guncamera.rules.book import Book
from guncamera.rules.index import index_from
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Malformed
from guncamera.rules.settings import choose, settings_from
from guncamera.rules.table import read_toml, tables_from
from guncamera.rulesets.redstars.aircraft import DataBook
from guncamera.rulesets.redstars.settings import RedstarsSettings

PACKAGE = "guncamera.rulesets.redstars"
RULES_VERSION = 1

RedstarsBook = Book[RedstarsSettings, DataBook]


def load_book() -> RedstarsBook:
    """The book as shipped, under the default settings.

    Raises:
        Malformed: A file of the rule set is faulty; every fault is listed.
    """
    specs = settings_from(read_toml(PACKAGE, "settings.toml"))
    return Book(
        slug="redstars",
        edition="Rising Suns and Red Stars, alpha, seed 004, undated",
        rules_version=RULES_VERSION,
        index=index_from(read_toml(PACKAGE, "rules.toml")),
        tables=tables_from(read_toml(PACKAGE, "tables.toml")),
        setting_specs=specs,
        settings=choose(RedstarsSettings, specs),
        aircraft=_data_books(read_toml(PACKAGE, "aircraft.toml")),
    )


def _data_books(document: Mapping[str, Any]) -> dict[str, DataBook]:
    """The data books, by slug, in the order of the file."""
    found = (
        from_plain(DataBook, entry, f"aircraft[{at}]")
        for at, entry in enumerate(document["aircraft"])
    )
    return {data_book.type: data_book for data_book in found}


def figure(book: RedstarsBook, name: str) -> int:
    """One of the single figures of the rules."""
    return book.tables["figures"].number(name, "value")


def data_book_of(slug: str, own: Sequence[DataBook], book: RedstarsBook, field: str) -> DataBook:
    """The data book of a type: a session's own first, then the shipped ones.

    Raises:
        Malformed: RED-1.2, there is no such type.
    """
    for data_book in own:
        if data_book.type == slug:
            return data_book
    found = book.aircraft.get(slug)
    if found is None:
        raise Malformed(
            f"There is no type {slug!r}; take one of {', '.join(book.aircraft)}, or bring its "
            "data book as one of your own.",
            rule_id="RED-1.2",
            field=field,
            type=slug,
        )
    return found
