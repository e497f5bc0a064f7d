"""Setting a game up: the seats, the ships, the cards. Rules CAR-1.3, CAR-1.5, CAR-1.6, CAR-10.7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from unicodedata import normalize

from guncamera.rules.refusal import Violation, refuse_faults
from guncamera.rules.ruleset import Seat
from guncamera.rulesets.carriers.board import Board, Navy
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import (
    MAX_SHIPS,
    AircraftCard,
    Card,
    Line,
    Ship,
    ShipClass,
    Side,
)
from guncamera.rulesets.carriers.forces import default_force
from guncamera.rulesets.carriers.orders import Force, Phase, Setup
from guncamera.rulesets.carriers.own import check_own
from guncamera.rulesets.carriers.told import NATIONS

REFEREE = "referee"
CARRIERS = 2
OTHERS = 10
TITLES = {side: f"The {nation} side" for side, nation in NATIONS.items()}


def seats(setup: Setup, _book: CarriersBook) -> tuple[Seat, ...]:
    """One seat a side, and the referee's where the game has one."""
    sides = tuple(Seat(side.value, side.value, TITLES[side]) for side in Side)
    return (*sides, Seat(REFEREE, "", "The referee")) if setup.referee else sides


def set_up(setup: Setup, book: CarriersBook) -> Board:
    """The board before ships deploy.

    Raises:
        Malformed: Everything about the set-up that cannot be, by path.
    """
    if setup.own_cards:
        check_own(setup.own_cards, book, "setup.own_cards")
    known = {**book.aircraft, **{card.type: card for card in setup.own_cards}}
    forces = {
        Side.US: setup.us or default_force(Side.US, book),
        Side.JAPAN: setup.japan or default_force(Side.JAPAN, book),
    }
    refuse_faults(fault for side in Side for fault in _faults(side, forces[side], known, book))
    return Board(
        phase=Phase.DEPLOY,
        turn=0,
        turns=book.settings.max_turns,
        acting=tuple(Side),
        first=None,
        before=None,
        us=_navy(Side.US, forces[Side.US]),
        japan=_navy(Side.JAPAN, forces[Side.JAPAN]),
        passes=0,
        inbound=None,
        flights=(),
        own_cards=setup.own_cards,
        referee=setup.referee,
        ending=None,
        winner=None,
    )


def _navy(side: Side, force: Force) -> Navy:
    """A side's ships, line by line, and its cards, all in hand."""
    ships = tuple(
        Ship(side, one.ship_class, one.line, f"{side}-ship-{at}", one.name)
        for at, one in enumerate(force.ships, start=1)
    )
    cards = tuple(Card(f"{side}-card-{at}", kind) for at, kind in enumerate(force.cards, start=1))
    return Navy(side, ships, cards)


# ---- Faults


def _faults(
    side: Side, force: Force, known: dict[str, AircraftCard], book: CarriersBook
) -> Iterator[Violation]:
    path = f"setup.{side}"
    yield from _fleet_faults(force, f"{path}.ships", book)
    yield from _line_faults(force, f"{path}.ships", book)
    for at, kind in enumerate(force.cards):
        here = f"{path}.cards[{at}]"
        if kind not in known:
            text = f"there is no type {kind!r}; take one of {', '.join(known)}"
            yield Violation(here, text, "CAR-1.2")
        elif known[kind].nation != side:
            text = f"{known[kind].title} flies for {known[kind].nation}; this is the {side} side"
            yield Violation(here, text, "CAR-1.6")


def _fleet_faults(force: Force, path: str, book: CarriersBook) -> Iterator[Violation]:
    carriers = sum(one.ship_class == ShipClass.CARRIER for one in force.ships)
    others = len(force.ships) - carriers
    free = book.settings.fleet_rule == "free"
    if not free and (carriers, others) != (CARRIERS, OTHERS):
        text = (
            f"{carriers} carriers and {others} other ships; give {CARRIERS} and {OTHERS}, or set "
            "fleet_rule to free"
        )
        yield Violation(path, text, "CAR-1.5")
    elif not 1 <= len(force.ships) <= MAX_SHIPS:
        yield Violation(path, f"{len(force.ships)} ships; give 1 to {MAX_SHIPS}", "CAR-1.5")
    names = Counter(_as_read(one.name) for one in force.ships)
    for at, one in enumerate(force.ships):
        if not one.name.strip():
            yield Violation(f"{path}[{at}].name", "give the ship a name", "CAR-1.5")
        elif (ships := names[_as_read(one.name)]) > 1:
            text = f"{one.name!r} is given to {ships} ships; give each its own"
            yield Violation(f"{path}[{at}].name", text, "CAR-1.5")


def _as_read(name: str) -> str:
    """A name as players tell it from others: not by how its letters are put together."""
    return normalize("NFC", name).strip()


def _line_faults(force: Force, path: str, book: CarriersBook) -> Iterator[Violation]:
    most = book.settings.line_capacity
    for line in Line:
        count = sum(one.line == line for one in force.ships)
        if most and count > most:
            text = f"{count} ships on the {line} line; it holds {most}"
            yield Violation(path, text, "CAR-3.8")
