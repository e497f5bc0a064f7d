"""The book of the carriers: rules, tables, settings and aircraft cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guncamera.rules import book as books
from guncamera.rules.book import Book
from guncamera.rules.book import figure as figure
from guncamera.rules.refusal import Malformed
from guncamera.rulesets.carriers.cards import AircraftCard
from guncamera.rulesets.carriers.settings import CarriersSettings

PACKAGE = "guncamera.rulesets.carriers"
RULES_VERSION = 1
KATE = "kate"
US_TORPEDO_PLANE = "tbm"
DEVASTATOR = "Douglas TBD Devastator"

CarriersBook = Book[CarriersSettings, AircraftCard]


def load_book() -> CarriersBook:
    """The book as shipped, under the default settings.

    Raises:
        Malformed: A file of the rule set is faulty; every fault is listed.
    """
    return books.load_book(
        PACKAGE,
        edition="Aviation Cards for WWII naval table top games, seed 003, undated",
        rules_version=RULES_VERSION,
        settings=CarriersSettings,
        aircraft=AircraftCard,
        aircraft_file="cards.toml",
    )


def tells_what_decided(book: CarriersBook) -> bool:
    """Whether rulings name the readings that decide the course of a segment, and void results are
    told in today's words.

    So it is since there is the setting `damage_reports`: `placing_first` as cards are placed,
    `alternation` and `passing` at a pass, `flown_cards` and `ships_hidden` as a card sets out, and
    from which line it does (CAR-5.2). A game that began before it keeps the traces and summaries
    that it had.
    """
    return "damage_reports" not in book.later


def card_of(slug: str, own: Sequence[AircraftCard], book: CarriersBook, field: str) -> AircraftCard:
    """The figures of a type: a caller's own first, then the shipped ones under the settings.

    Raises:
        Malformed: CAR-1.2, there is no such type.

    Source: seed 003, card markings; register C4 and C21.
    """
    for card in own:
        if card.type == slug:
            return card
    found = book.aircraft.get(slug)
    if found is None:
        raise Malformed(
            f"There is no type {slug!r}; take one of {', '.join(book.aircraft)}, or bring its "
            "card as one of your own.",
            rule_id="CAR-1.2",
            field=field,
            type=slug,
        )
    return _as_read(found, book)


def _as_read(card: AircraftCard, book: CarriersBook) -> AircraftCard:
    settings = book.settings
    if card.type == KATE and settings.kate_swap:
        return replace(card, bomb=card.torpedo, torpedo=card.bomb)
    if card.type == US_TORPEDO_PLANE and settings.us_torpedo_plane == "tbd":
        return replace(card, title=DEVASTATOR)
    return card
