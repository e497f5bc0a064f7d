"""The legal orders nearest to one that was refused, for orders of any rule set.

How near an order is, is read off its shape: the same verb before another, then the same kinds of
order, then the fewest fields that differ, then how far apart those are. Nothing here knows what a
field means, so a distance is never more than a way to put what is legal in order.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from guncamera.rules.hexes import HexDirection
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rules.shape import shape_of

_TOKEN = re.compile(r"\d+|\S")


@dataclass(frozen=True, slots=True)
class Nearest:
    """What may be ordered in place of an order that was refused.

    Attributes:
        slug: The rule set whose orders they are.
        orders: The nearest first; none where nothing may be ordered.
        compared: How many legal orders were looked at.
    """

    slug: str
    orders: tuple[LegalOrder, ...]
    compared: int


class Nearness(NamedTuple):
    """How far one order is from another; the smaller, the nearer.

    Attributes:
        verbs: 1 for another verb; the rest is 0 then.
        kinds: Choices of a kind that were made otherwise.
        fields: Fields that differ.
        apart: Their distances: of whole numbers the difference, of facings sixths of a circle, of
            other choices places in their list, of texts and lists what was written otherwise.
        figures: Of numbers within texts, the differences.
    """

    verbs: int
    kinds: int = 0
    fields: int = 0
    apart: int = 0
    figures: int = 0


def nearest(slug: str, verb: Verb, order: Any, listed: Iterable[LegalOrder], count: int) -> Nearest:
    """The nearest of some legal orders.

    Args:
        order: The one that was refused; if it is listed all the same, it is passed over.
        listed: In a fixed order, which decides between equals.
        count: How many are wanted at most.
    """
    rated = []
    for at, one in enumerate(listed):
        if one.verb is not verb or one.order != order:
            rated.append((nearness(verb, order, one), at, one))
    first = heapq.nsmallest(count, rated, key=lambda each: each[:2])
    return Nearest(slug, tuple(one for _, _, one in first), len(rated))


def nearness(verb: Verb, order: Any, other: LegalOrder) -> Nearness:
    """How far a legal order is from one that was asked for."""
    if other.verb is not verb:
        return Nearness(1)
    gap = _Gap()
    gap.values(order, other.order)
    return Nearness(0, gap.kinds, gap.fields, gap.apart, gap.figures)


class _Gap:
    """Adds up what is different; see `Nearness`."""

    __slots__ = ("apart", "fields", "figures", "kinds")

    def __init__(self) -> None:
        self.kinds = self.fields = self.apart = self.figures = 0

    def values(self, one: Any, other: Any) -> None:
        """Two values of a field that may be of two kinds."""
        if one == other:
            return
        if type(one) is not type(other):
            self.kinds += one is not None and other is not None
            self.fields += 1
            self.apart += 1
        elif is_dataclass(one):
            for shape in shape_of(type(one)):
                self.values(getattr(one, shape.name), getattr(other, shape.name))
        elif isinstance(one, tuple):
            self._lists(one, other)
        else:
            self.fields += 1
            self._plain(one, other)

    def _lists(self, one: Sequence[Any], other: Sequence[Any]) -> None:
        if not all(map(is_dataclass, (*one, *other))):
            self.fields += 1
            self._written(one, other)
            return
        left, unmatched = list(other), []
        for item in one:
            # What is about the same aircraft, ship or card is compared, wherever it stands.
            at = next((at for at, each in enumerate(left) if _head(each) == _head(item)), None)
            if at is None:
                unmatched.append(item)
            else:
                self.values(item, left.pop(at))
        for item, each in zip(unmatched, left):
            self.values(item, each)
        more = unmatched[len(left) :] + left[len(unmatched) :]
        self.fields += sum(max(1, len(shape_of(type(item)))) for item in more)
        self.apart += len(more)

    def _plain(self, one: Any, other: Any) -> None:
        if isinstance(one, HexDirection):
            turn = abs(one.facing - other.facing)
            self.apart += min(turn, 6 - turn)
        elif isinstance(one, StrEnum):
            places = list(type(one))
            self.apart += abs(places.index(one) - places.index(other))
        elif isinstance(one, str):
            self._written(_TOKEN.findall(one), _TOKEN.findall(other))
        else:
            self.apart += abs(one - other)

    def _written(self, one: Sequence[Any], other: Sequence[Any]) -> None:
        """Two sequences: what lies between the first place and the last where they differ."""
        start, most = 0, min(len(one), len(other))
        while start < most and one[start] == other[start]:
            start += 1
        end = 0
        while end < most - start and one[-1 - end] == other[-1 - end]:
            end += 1
        mine, theirs = one[start : len(one) - end], other[start : len(other) - end]
        if len(mine) != len(theirs):
            self.apart += max(len(mine), len(theirs))
            return
        for this, that in zip(mine, theirs):
            if this != that:
                self.apart += 1
                self.figures += abs(_figure(this) - _figure(that))


def _head(item: Any) -> Any:
    """What a record is about: its kind and its first field."""
    shapes = shape_of(type(item))
    return type(item), getattr(item, shapes[0].name) if shapes else None


def _figure(token: Any) -> int:
    if isinstance(token, int):
        return token
    return int(token) if isinstance(token, str) and token.isdecimal() else 0
