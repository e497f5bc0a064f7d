"""The book of Rising Suns and Red Stars: rules, tables, settings and data books."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules import book as books
from guncamera.rules.book import Book
from guncamera.rules.book import figure as figure
from guncamera.rules.refusal import Malformed
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
    return books.load_book(
        PACKAGE,
        edition="Rising Suns and Red Stars, alpha, seed 004, undated",
        rules_version=RULES_VERSION,
        settings=RedstarsSettings,
        aircraft=DataBook,
    )


def names_each_lost_gun(book: RedstarsBook) -> bool:
    """Whether the trace names how a gun is picked also where all are of one weapon.

    It has since there is the setting `ram_altitude`; a game that began before it keeps the traces
    that it had, so that it is ruled on alike again.
    """
    return "ram_altitude" not in book.later


def names_what_decided(book: RedstarsBook) -> bool:
    """Whether the trace names some readings where they decide that it had not named there.

    It has since there is the setting `glide_test`: `forward_fire` where forward weapons are left
    out of a shot, those of the arcs that a shot or a ram turns on, `above_ceiling` as a climb is
    chosen, the ceiling where tweaks reach for it, `top_speed_dives` in a dive that tweaks have
    made, and the engine that a test marks.
    """
    return "glide_test" not in book.later


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
