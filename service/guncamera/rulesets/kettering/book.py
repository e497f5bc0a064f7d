"""The book of Kettering Aerial Torpedo: rules, tables, settings and aircraft, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guncamera.rules.book import Book
from guncamera.rules.index import index_from
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.settings import choose, settings_from
from guncamera.rules.table import read_toml, tables_from
from guncamera.rulesets.kettering.facts import Profile
from guncamera.rulesets.kettering.settings import KetteringSettings

PACKAGE = "guncamera.rulesets.kettering"
RULES_VERSION = 1

KetteringBook = Book[KetteringSettings, Profile]


def load_book() -> KetteringBook:
    """The book as shipped, under the default settings.

    Raises:
        Malformed: A file of the rule set is faulty; every fault is listed.
    """
    specs = settings_from(read_toml(PACKAGE, "settings.toml"))
    return Book(
        slug="kettering",
        edition="The General, Volume 11, Number 6 (March-April 1975)",
        rules_version=RULES_VERSION,
        index=index_from(read_toml(PACKAGE, "rules.toml")),
        tables=tables_from(read_toml(PACKAGE, "tables.toml")),
        setting_specs=specs,
        settings=choose(KetteringSettings, specs),
        aircraft=_aircraft(read_toml(PACKAGE, "aircraft.toml")),
    )


def _aircraft(document: Mapping[str, Any]) -> dict[str, Profile]:
    """The types of aircraft, by slug, in the order of the file."""
    profiles = (
        from_plain(Profile, entry, f"aircraft[{at}]")
        for at, entry in enumerate(document["aircraft"])
    )
    return {profile.type: profile for profile in profiles}


def figure(book: KetteringBook, name: str) -> int:
    """One of the single figures of the rules."""
    return book.tables["figures"].number(name, "value")


def profile_of(slug: str, book: KetteringBook, field: str) -> Profile:
    """The figures of a type as printed.

    Raises:
        Malformed: There is no such type.
        Illegal: KET-1.1, the type has no published figures and the settings want them.
    """
    profile = book.aircraft.get(slug)
    if profile is None:
        raise Malformed(
            f"There is no aircraft {slug!r}; take one of {', '.join(book.aircraft)}.",
            rule_id="KET-1.1",
            field=field,
            aircraft_type=slug,
        )
    if not profile.stated_fields and book.settings.unpublished_aircraft == "refused":
        published = ", ".join(p.type for p in book.aircraft.values() if p.stated_fields)
        raise Illegal(
            "KET-1.1",
            f"The figures of {profile.title} are estimates, and this game flies published ones "
            f"only; take one of {published}.",
            field=field,
            aircraft_type=slug,
        )
    return profile
