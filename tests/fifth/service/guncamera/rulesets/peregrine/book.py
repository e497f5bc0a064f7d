"""The book of Peregrine: rules, tables, settings and birds, read and checked."""

from __future__ import annotations

from guncamera.rules import book as books
from guncamera.rules.book import Book
from guncamera.rulesets.peregrine.facts import Profile
from guncamera.rulesets.peregrine.settings import PeregrineSettings

PACKAGE = "guncamera.rulesets.peregrine"
RULES_VERSION = 1

PeregrineBook = Book[PeregrineSettings, Profile]


def load_book() -> PeregrineBook:
    """The book as shipped, under the default settings.

    Raises:
        Malformed: A file of the rule set is faulty; every fault is listed.
    """
    return books.load_book(
        PACKAGE,
        edition="First printing",
        rules_version=RULES_VERSION,
        settings=PeregrineSettings,
        aircraft=Profile,
        aircraft_file="birds.toml",
    )
