"""Results of which places are filled by parts that have nothing to do with each other.

What two aircraft suffer in one collision is as many outcomes as the one has times those of the
other. Each is kept once, in its place, and the outcomes are counted and weighed without a list.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import product
from math import prod
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Fill = Callable[[Sequence[Any]], Any]


class Apart(Generic[T]):
    """A place in a result: the values that it can have, each with its chance, likeliest first."""

    __slots__ = ("chances",)

    def __init__(self, chances: Iterable[tuple[T, Fraction]]) -> None:
        self.chances = tuple(sorted(chances, key=lambda one: -one[1]))


class _Open(Generic[T]):
    """A result with places, how likely it is, and what fills it."""

    def __init__(self, template: T, chance: Fraction) -> None:
        self.template, self.chance = template, chance
        self.places: list[Apart[Any]] = []
        self.fill = _filler(template, self.places)
        self._known = [dict(place.chances) for place in self.places]

    def __len__(self) -> int:
        return prod(len(place.chances) for place in self.places)

    def items(self) -> Iterator[tuple[T, Fraction]]:
        for values in product(*(place.chances for place in self.places)):
            chance = prod((p for _, p in values), start=self.chance)
            yield self.fill([value for value, _ in values]), chance

    def of(self, outcome: object) -> Fraction | None:
        """The chance of an outcome; None if no values make it."""
        values: list[Any] = []
        if not _matches(self.template, outcome, values):
            return None
        found = [known.get(value) for known, value in zip(self._known, values)]
        return prod((p or Fraction(0) for p in found), start=self.chance) or None


class Together(Mapping[T, Fraction]):
    """Every outcome with its chance, where some have places; they are made as they are asked for.

    Args:
        results: With their chances; no two come to the same outcome.
    """

    def __init__(self, results: Iterable[tuple[T, Fraction]]) -> None:
        self.results = tuple(results)
        found = [_Open(result, chance) for result, chance in self.results]
        self._open = [one for one in found if one.places]
        self._plain = {one.template: one.chance for one in found if not one.places}
        blank = [one.fill([None] * len(one.places)) for one in self._open]
        if len(set(blank)) < len(blank) or any(
            one.of(plain) for one in self._open for plain in self._plain
        ):
            raise AssertionError("a rule comes to one outcome by parts that differ")

    def __len__(self) -> int:
        return len(self._plain) + sum(len(one) for one in self._open)

    def __iter__(self) -> Iterator[T]:
        return (outcome for outcome, _ in self.items())

    def __getitem__(self, outcome: T) -> Fraction:
        if outcome in self._plain:
            return self._plain[outcome]
        for one in self._open:
            chance = one.of(outcome)
            if chance is not None:
                return chance
        raise KeyError(outcome)

    def items(self) -> ItemsView[T, Fraction]:
        """Every outcome with its chance."""
        return _Items(self)

    def pairs(self) -> Iterator[tuple[T, Fraction]]:
        """Every outcome with its chance, made one after the other."""
        yield from self._plain.items()
        for one in self._open:
            yield from one.items()

    def likeliest(self, most: int) -> list[tuple[T, Fraction]]:
        """So many outcomes, the likeliest first; the others are never made."""
        found = [_Open(result, chance) for result, chance in self.results]
        heap = [_entry(one, nth, (0,) * len(one.places)) for nth, one in enumerate(found)]
        heapify(heap)
        chosen: list[tuple[T, Fraction]] = []
        while heap and len(chosen) < most:
            less, nth, at = heappop(heap)
            one = found[nth]
            values = [place.chances[i][0] for place, i in zip(one.places, at)]
            chosen.append((one.fill(values), -less))
            for place in range(len(at)):
                if at[place] + 1 < len(one.places[place].chances):
                    after = (*at[:place], at[place] + 1, *at[place + 1 :])
                    heappush(heap, _entry(one, nth, after))
                if at[place]:
                    break  # what follows is reached from where this place stood before
        return chosen


class _Items(ItemsView[T, Fraction]):
    _mapping: Together[T]

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        return self._mapping.pairs()


def _entry(one: _Open[Any], nth: int, at: tuple[int, ...]) -> tuple[Fraction, int, tuple[int, ...]]:
    chances = (place.chances[i][1] for place, i in zip(one.places, at))
    return -prod(chances, start=one.chance), nth, at


def _filler(one: Any, places: list[Apart[Any]]) -> Fill:
    """What makes a result of the values of its places.

    Args:
        places: Those found are added, in their order.
    """
    if isinstance(one, Apart):
        at = len(places)
        places.append(one)
        return lambda values: values[at]
    before = len(places)
    inner = [_filler(child, places) for child in _children(one)]
    if len(places) == before:
        return lambda _values: one
    if isinstance(one, tuple):
        return lambda values: tuple(fill(values) for fill in inner)
    cls = type(one)
    return lambda values: cls(*(fill(values) for fill in inner))


def _children(one: Any) -> Iterable[Any]:
    if isinstance(one, tuple):
        return one
    if is_dataclass(one):
        return [getattr(one, field.name) for field in fields(one)]
    return ()


def _matches(template: Any, outcome: Any, values: list[Any]) -> bool:
    """Whether an outcome is a template filled; what fills it is added to the values."""
    if isinstance(template, Apart):
        values.append(outcome)
        return True
    if type(template) is not type(outcome):
        return False
    inner, other = list(_children(template)), list(_children(outcome))
    if not inner:
        return bool(template == outcome)
    return len(inner) == len(other) and all(map(lambda a, b: _matches(a, b, values), inner, other))
