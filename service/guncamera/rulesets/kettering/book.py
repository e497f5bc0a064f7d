"""The book of Kettering Aerial Torpedo: rules, tables, settings and aircraft, read and checked."""

from __future__ import annotations

from guncamera.rules import book as books
from guncamera.rules.book import Book
from guncamera.rules.book import figure as figure
from guncamera.rules.refusal import Illegal, Malformed
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
    return books.load_book(
        PACKAGE,
        edition="The General, Volume 11, Number 6 (March-April 1975)",
        rules_version=RULES_VERSION,
        settings=KetteringSettings,
        aircraft=Profile,
    )


def flies_by_own_lowest(book: KetteringBook) -> bool:
    """Whether the lowest speed of a type itself counts, above that of the setting (KET-5.1).

    It has since there is the setting `compared_bonus`; before, it counted for nothing.
    """
    return "compared_bonus" not in book.later


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
