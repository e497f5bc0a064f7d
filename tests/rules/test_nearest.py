"""How near one order is to another, and what rule sets offer in place of one that is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

import pytest
from bending import refused, tried
from games import refereed_setup, steps_of
from guncamera.rules.hexes import HexDirection
from guncamera.rules.nearest import nearest, nearness
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Illegal, PhaseClosed, Refusal
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb, rulesets
from guncamera.sessions.listing import MOST_COMPARED, MOST_NEAREST


class Card(StrEnum):
    CLIMB = "climb"
    LEVEL = "level"
    DIVE = "dive"


@dataclass(frozen=True)
class Choice:
    aircraft: str
    card: Card = Card.LEVEL
    speed: int = 5


@dataclass(frozen=True)
class Fly:
    codes: str = "F F F"
    speed: int = 5
    facing: HexDirection = HexDirection.EAST
    climb: int | None = None
    guns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Choose:
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Order:
    procedure: Fly | Choose


def listed(procedure: Fly | Choose, verb: Verb = Verb.MOVE) -> LegalOrder:
    return LegalOrder(verb, Order(procedure), repr(procedure))


ASKED = Fly()
A, B = Choice("a"), Choice("b")


@pytest.mark.parametrize(
    ("asked", "nearer", "farther"),
    [
        (ASKED, listed(Choose(())), listed(Fly(speed=6), Verb.FIRE)),
        (ASKED, listed(Fly("R", 9, HexDirection.WEST, 100, (1,))), listed(Choose(()))),
        (ASKED, listed(Fly(speed=30)), listed(Fly(speed=6, climb=1))),
        (ASKED, listed(Fly(speed=6)), listed(Fly(speed=3))),
        (ASKED, listed(Fly(facing=HexDirection.SOUTHEAST)), listed(Fly(facing=HexDirection.WEST))),
        (ASKED, listed(Fly("F F R")), listed(Fly("R R R"))),
        (ASKED, listed(Fly("F F")), listed(Fly("F F F R R"))),
        (Fly("3 R ^150"), listed(Fly("3 R ^100")), listed(Fly("3 R ^50"))),
        (Fly("3 R ^150"), listed(Fly("3 R ^100")), listed(Fly("3 R"))),
        (Fly("A-21"), listed(Fly("A-22")), listed(Fly("A-30"))),
        (Fly(guns=(0, 1, 2)), listed(Fly(guns=(0, 1))), listed(Fly(guns=()))),
        (Fly(climb=50), listed(Fly(climb=100)), listed(Fly(climb=150))),
        (Choose((A, B)), listed(Choose((replace(B, speed=6), A))), listed(Choose((A,)))),
        (
            Choose((replace(A, card=Card.DIVE),)),
            listed(Choose((A,))),
            listed(Choose((replace(A, card=Card.CLIMB),))),
        ),
        (
            Choose((A, B)),
            listed(Choose((A, replace(B, speed=9)))),
            listed(Choose((replace(A, speed=6), replace(B, speed=6)))),
        ),
    ],
)
def test_what_is_more_like_an_order_is_nearer(
    asked: Any, nearer: LegalOrder, farther: LegalOrder
) -> None:
    order = Order(asked)
    assert nearness(Verb.MOVE, order, nearer) < nearness(Verb.MOVE, order, farther)
    for orders in ([nearer, farther], [farther, nearer]):
        found = nearest("peregrine", Verb.MOVE, order, orders, 2)
        assert found.orders == (nearer, farther)
        assert (found.slug, found.compared) == ("peregrine", 2)


def test_an_order_is_not_apart_from_itself() -> None:
    order = Order(Choose((A, B)))
    assert nearness(Verb.MOVE, order, listed(Choose((B, A)))) == (0, 0, 0, 0, 0)


def test_equals_come_as_they_are_listed_and_no_more_than_are_wanted() -> None:
    one, other = listed(Fly(speed=4)), listed(Fly(speed=6))
    for orders in ([one, other, one], [other, one, other]):
        assert nearest("x", Verb.MOVE, Order(ASKED), orders, 1).orders == (orders[0],)


def test_what_was_refused_is_not_offered() -> None:
    found = nearest("x", Verb.MOVE, Order(ASKED), [listed(ASKED), listed(Fly(speed=9))], 3)
    assert found.orders == (listed(Fly(speed=9)),)
    assert found.compared == 1
    assert nearest("x", Verb.MOVE, Order(ASKED), [], 3).orders == ()


# ---- Every rule set

SEEDS = ("nearest", "nearest again")
STEPS = 120


def offered(found: Ruleset, board: Any, seat: str, order: LegalOrder) -> tuple[LegalOrder, ...]:
    near = found.orders_near
    orders = (
        found.legal_orders(board, seat, found.book)
        if near is None
        else near(board, seat, order.order, found.book)
    )
    some = islice(orders, MOST_COMPARED)
    return nearest(found.slug, order.verb, order.order, some, MOST_NEAREST).orders


@pytest.mark.parametrize("slug", rulesets())
def test_what_is_offered_in_place_of_a_refused_order_is_legal(slug: str) -> None:
    found = rulesets()[slug]
    opening = found.open_board(refereed_setup(found), found.book)
    first = next(found.legal_orders(opening, found.active_seats(opening)[0], found.book))
    kinds: dict[type[Refusal], int] = {}
    for seed in SEEDS:
        for _, board in steps_of(found, "stock", seed, most=STEPS, setup=refereed_setup(found)):
            for seat in found.active_seats(board):
                for asked in tried(found, board, seat, first):
                    refusal = refused(found, board, seat, asked)
                    if not isinstance(refusal, Illegal) or kinds.get(type(refusal), 0) > 60:
                        continue
                    kinds[type(refusal)] = kinds.get(type(refusal), 0) + 1
                    orders = offered(found, board, seat, asked)
                    assert orders, asked
                    assert orders == offered(found, board, seat, asked), "it never changes"
                    for order in orders:
                        assert refused(found, board, seat, order) is None, (asked, order)
    assert kinds[PhaseClosed] > 10
    assert kinds[Illegal] > 10


@pytest.mark.parametrize(("asked", "offered"), [(190, 200), (160, 150), (1, 50)])
def test_a_deployment_is_offered_at_the_nearest_altitude(asked: int, offered: int) -> None:
    found = rulesets()["kettering"]
    board = found.open_board(from_plain(found.setup, {"aircraft_type": "fokker-d7"}), found.book)
    deploy = {"hex": "A-35", "facing": "northwest", "altitude_metres": asked, "speed_mp": 8}
    order = from_plain(found.procedure(Verb.MOVE).order, {"procedure": {"deploy": deploy}})
    assert found.orders_near is not None
    first = next(iter(found.orders_near(board, "pilot", order, found.book)))
    assert first.order.procedure.altitude_metres == offered
