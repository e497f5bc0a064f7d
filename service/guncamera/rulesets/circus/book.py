"""The book of Flying Circus Plus: rules, tables, settings and aeroplanes, read and checked."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules import book as books
from guncamera.rules.book import Book
from guncamera.rules.book import figure as figure
from guncamera.rules.refusal import Malformed
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
    return books.load_book(
        PACKAGE,
        edition="Flying Circus Plus amendments, seed 002, undated",
        rules_version=RULES_VERSION,
        settings=CircusSettings,
        aircraft=Aeroplane,
        aircraft_file="aeroplanes.toml",
    )


def tells_of_the_board(book: CircusBook) -> bool:
    """Whether rulings are told what of the board the settings turn on, for their traces.

    They have been since there is the setting `cloud_heights`; a game that began before it keeps
    the traces that it had, so that it is ruled on alike again.
    """
    return "cloud_heights" not in book.later


def reckons_energy_as_flown(book: CircusBook) -> bool:
    """Whether a move that a cracked spar broke off has the energy of what was flown of it.

    It has since there is the setting `cloud_heights`; in a game that began before it, the energy
    of the move as it was plotted.
    """
    return "cloud_heights" not in book.later


def names_all_that_decides(book: CircusBook) -> bool:
    """Whether looks and falls name every setting that decides on them, moves keep to each limit of
    energy, and a stall is over with its turn.

    So it is since there is the setting `glide_ends_mp`; a game that began before it is told what it
    always was.
    """
    return "glide_ends_mp" not in book.later


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
