"""The stock pilots: one that reckons with the worst, and one at random. Both are pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from guncamera.rules.book import figure
from guncamera.rules.ruleset import LegalOrder, Pilot, Verb
from guncamera.rulesets.peregrine.board import board_of
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.facts import Band, Bird, bands_above
from guncamera.rulesets.peregrine.fire import COLUMNS
from guncamera.rulesets.peregrine.orders import MoveOrder, View
from guncamera.rulesets.peregrine.survey import legal_orders

FACES = range(1, 7)


def stock(view: View, seat: str, book: PeregrineBook, _nth: int) -> LegalOrder:
    """The pigeon flies where it loses least for a league; the falcon where it hopes for most."""
    orders = list(legal_orders(board_of(view), seat, book))
    if orders[0].verb is Verb.FIRE:
        waits = view.falcon is view.pigeon and view.breath < figure(book, "breath")
        return orders[-1 if waits else 0]
    theirs = _reach(view, Bird.FALCON if seat == Bird.PIGEON else Bird.PIGEON, book)
    if seat == Bird.FALCON:
        return max(orders, key=lambda one: sum(_hope(_band(one), low, book) for low in theirs))
    if view.breath == 0:
        return orders[0]
    return min(orders, key=lambda one: _cost(_band(one), theirs, book))


def _reach(view: View, bird: Bird, book: PeregrineBook) -> list[Band]:
    return [_band(one) for one in legal_orders(board_of(view), bird.value, book)]


def _band(chosen: LegalOrder) -> Band:
    order = chosen.order
    if not isinstance(order, MoveOrder):
        raise AssertionError(f"{order!r} chooses no band")
    return order.band


def _cost(band: Band, falcons: list[Band], book: PeregrineBook) -> float:
    leagues = book.tables["flight"].number(band, "leagues")
    return max(_hope(falcon, band, book) for falcon in falcons) / leagues


def _hope(falcon: Band, pigeon: Band, book: PeregrineBook) -> int:
    """Six times the feathers that a stoop costs on average."""
    above = bands_above(falcon, pigeon)
    if above < 0:
        return 0
    return sum(book.tables["stoop"].number(face, COLUMNS[above]) for face in FACES)


def at_random(view: View, seat: str, book: PeregrineBook, nth: int) -> LegalOrder:
    """A legal order picked by hashing what is seen and the number of the order."""
    orders = list(legal_orders(board_of(view), seat, book))
    digest = hashlib.sha256(f"{nth} {seat} {view!r}".encode()).digest()
    return orders[int.from_bytes(digest[:8]) % len(orders)]


PILOTS: Mapping[str, Pilot] = {"stock": stock, "random": at_random}
