"""Whole games played through the rule-set contract alone: no store, no transport."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any

from guncamera.rules.ruleset import LegalOrder, Ruleset
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from


@dataclass(frozen=True)
class Played:
    """A game: how it ended (None: it did not), its orders, and the board after each."""

    result: str | None
    orders: tuple[LegalOrder, ...]
    boards: tuple[Any, ...]

    @property
    def actions(self) -> int:
        return len(self.orders)

    @staticmethod
    def first_orders(found: Ruleset, board: Any, seat: str, most: int) -> list[LegalOrder]:
        return list(islice(found.legal_orders(board, seat, found.book), most))


def play_out(found: Ruleset, pilot: str, seed: str, *, most: int, setup: Any = None) -> Played:
    """Play a game to its end, or to `most` actions, with dice from a seed."""
    orders, boards = zip(*steps_of(found, pilot, seed, most=most, setup=setup))
    return Played(found.result(boards[-1]), orders[1:], boards)


def steps_of(
    found: Ruleset, pilot: str, seed: str, *, most: int, setup: Any = None
) -> Iterator[tuple[LegalOrder | None, Any]]:
    """The same game as it is asked for: each order and the board after it; first no order."""
    book = found.book
    secret = seed_from(seed)
    commitment = commitment_of(secret)
    board = found.open_board(setup or example_setup(found), book)
    yield None, board
    number = 0
    while number < most and found.result(board) is None:
        seat = found.active_seats(board)[0]
        view = found.view_for(board, seat, book)
        order = found.pilots[pilot](view, seat, book, number)
        facts = found.survey(board, seat, order.verb, order.order, book)
        number += 1
        dice = SeededDice(secret, commitment, number)
        ruling = found.procedure(order.verb).rule(facts, book, dice)
        board = found.apply(board, order.verb, order.order, ruling, book).board
        yield order, board


def example_setup(found: Ruleset) -> Any:
    """A setup with the first aircraft of the book, and defaults."""
    from guncamera.rules.shape import shape_of

    given = {}
    for field in shape_of(found.setup):
        if not field.default:
            given[field.name] = next(iter(found.book.aircraft))
    return found.setup(**given)


REFEREE = "referee"


def refereed_setup(found: Ruleset) -> Any:
    """The example setup, with a seat that sees everything where the rule set offers one."""
    setup = example_setup(found)
    offered = any(field.name == REFEREE for field in fields(setup))
    return replace(setup, **{REFEREE: True}) if offered else setup


def seat_that_sees_all(session: Any) -> str:
    """The seat by which a session's whole film is to be had at any time; empty: by none needed."""
    return REFEREE if any(seat.id == REFEREE for seat in session.seats) else ""
