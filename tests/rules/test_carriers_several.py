"""Cards that meet a flight together: lots without end are listed, and odds of many are counted."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import comb

import pytest
from guncamera.rulesets.carriers.cards import Card
from guncamera.rulesets.carriers.legal import _lots
from guncamera.rulesets.carriers.readings import AnyOrLess


def cards(count: int, kind: str) -> list[Card]:
    return [Card(id=f"{kind}-{n}", type=kind) for n in range(count)]


def test_lots_of_cards_are_listed_one_by_one_however_many_there_are() -> None:
    many = (cards(30, "zeke"), cards(30, "val"))
    assert comb(60, 20) > 10**15  # ways to take twenty of sixty, most of them alike
    found = list(islice(_lots(many, 20), 1000))
    assert len(found) == 21
    assert all(len({card.id for card in lot}) == 20 for lot in found)


def test_each_lot_is_listed_and_once_only() -> None:
    kinds = (cards(2, "zeke"), cards(1, "val"), cards(3, "kate"))
    for size in range(7):
        told = [tuple(sorted(card.type for card in lot)) for lot in _lots(kinds, size)]
        every = [
            tuple(sorted(["zeke"] * z + ["val"] * v + ["kate"] * k))
            for z, v, k in product(range(3), range(2), range(4))
            if z + v + k == size
        ]
        assert sorted(told) == sorted(every)


@pytest.mark.parametrize("numbers", [(2,), (1, 3), (0, 0), (6, 1), (2, 3, 4, 0)])
def test_odds_of_several_are_those_of_all_throws(numbers: tuple[int, ...]) -> None:
    reading = AnyOrLess(numbers)
    throws = [reading(faces) for faces in product(range(1, 7), repeat=len(numbers))]
    assert reading.weigh((6,) * len(numbers)) == {
        value: throws.count(value) for value in set(throws)
    }


def test_odds_of_sixty_are_counted_too() -> None:
    ways = AnyOrLess((3,) * 60).weigh((6,) * 60)
    assert Fraction(ways[False], 6**60) == Fraction(1, 2**60)
