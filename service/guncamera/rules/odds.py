"""Exact odds, by running the live rule once for every thing it can see.

A rule's dice follow a path of values instead of faces; where the path ends, the search branches
over the reading's distribution. A part of a rule (`Trace.part`) is searched by itself, and the rule
branches over its merged results, or leaves a place for them in the outcome (`Trace.apart`). Nothing
is sampled and nothing is cut off: a question that would take too many runs is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import lcm, prod
from types import FunctionType
from typing import Any, Generic, TypeVar

from guncamera.rules.apart import Apart, Together
from guncamera.rules.dice import Ask, Branching, Reading, Throw, Weighing
from guncamera.rules.refusal import TooLarge

V = TypeVar("V")
T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)

Counted = tuple[tuple[tuple[T, int], ...], int]
"""Each result with the ways to come to it, and all ways there are."""

RUN_LIMIT = 200_000
PART_RUNS = 4
FACES_LIMIT = 2_000_000


@dataclass(frozen=True, slots=True)
class Odds(Generic[T]):
    """An exact distribution: each outcome with its probability; the sum is one."""

    outcomes: Mapping[T, Fraction]
    runs: int

    def of(self, holds: Callable[[T], bool]) -> Fraction:
        """The probability that an outcome satisfies a predicate."""
        return sum((p for outcome, p in self.outcomes.items() if holds(outcome)), Fraction(0))

    def by(self, key: Callable[[T], S]) -> Odds[S]:
        """The distribution of a property of the outcome."""
        merged: defaultdict[S, Fraction] = defaultdict(Fraction)
        for outcome, p in self.outcomes.items():
            merged[key(outcome)] += p
        return Odds(dict(merged), self.runs)

    def by_field(self, flat: Callable[[Any], Mapping[str, Any]]) -> dict[str, dict[str, Fraction]]:
        """The distribution of every field of the outcome.

        Args:
            flat: An outcome's fields by name; one that an outcome lacks counts as empty. A place
                that is kept apart is a field of its own, as it is: its fields stand by themselves.
        """
        if not isinstance(self.outcomes, Together):
            return _by_field(self.outcomes.items(), flat)
        found = _by_field(self.outcomes.results, flat)
        return {name: texts for name, texts in found.items() if set(texts) != {""}}

    def likeliest(self, most: int) -> list[tuple[T, Fraction]]:
        """So many outcomes, the likeliest first; equal ones stand in the order of the dice."""
        if isinstance(self.outcomes, Together):
            return self.outcomes.likeliest(most)
        return sorted(self.outcomes.items(), key=lambda one: -one[1])[:most]

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The expected value of a number read off the outcome."""
        return sum((p * value(outcome) for outcome, p in self.outcomes.items()), Fraction(0))


def _by_field(
    chances: Iterable[tuple[Any, Fraction]], flat: Callable[[Any], Mapping[str, Any]]
) -> dict[str, dict[str, Fraction]]:
    values = [(_spread(flat(one), flat), p) for one, p in chances]
    names = dict.fromkeys(name for fields, _ in values for name in fields)
    found: dict[str, dict[str, Fraction]] = {name: defaultdict(Fraction) for name in names}
    for fields, p in values:
        for name, texts in found.items():
            text = fields.get(name, "")
            if isinstance(text, str):
                texts[text] += p
                continue
            for one, q in text.items():
                texts[one] += p * q
    return found


def _spread(
    fields: Mapping[str, Any], flat: Callable[[Any], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """The fields of a result, those of a place that is kept apart each with its distribution."""
    if not any(isinstance(one, Apart) for one in fields.values()):
        return fields
    found: dict[str, Any] = {}
    for name, one in fields.items():
        if isinstance(one, Apart):
            inner = _by_field(one.chances, flat)
            found |= {f"{name}.{field}": texts for field, texts in inner.items()}
        else:
            found[name] = one
    return found


@lru_cache(maxsize=4096)
def ways(dice: tuple[int, ...], read: Reading[V]) -> tuple[tuple[V, int], ...]:
    """How many face combinations give each value of a reading: `((value, ways), …)`."""
    counted: defaultdict[Any, int] = defaultdict(int)
    if read.by_total:
        for total, n in _totals(dice).items():
            counted[read((total,))] += n
    elif isinstance(read, Weighing):
        counted.update(read.weigh(dice))
    else:
        if prod(dice) > FACES_LIMIT:
            raise TooLarge(f"{len(dice)} dice have {prod(dice)} faces to list.", dice=len(dice))
        for faces in product(*(range(1, sides + 1) for sides in dice)):
            counted[read(faces)] += 1
    return tuple(counted.items())


def _totals(dice: tuple[int, ...]) -> dict[int, int]:
    totals = {0: 1}
    for sides in dice:
        after: defaultdict[int, int] = defaultdict(int)
        for total, n in totals.items():
            for face in range(1, sides + 1):
                after[total + face] += n
        totals = dict(after)
    return totals


class _Fork:
    """One ask of a path.

    Attributes:
        value: The answer on this path.
        weight, whole: The ways to come as far as this answer, out of how many.
    """

    __slots__ = ("_before", "_left", "value", "weight", "whole")

    def __init__(
        self, answers: Iterable[tuple[Any, int]], whole: int, before: _Fork | None
    ) -> None:
        self._left = iter(answers)
        self._before: int = before.weight if before else 1
        self.whole: int = whole * before.whole if before else whole
        self.value: Any = None
        self.weight: int = 0
        self.turn()

    def turn(self) -> bool:
        """Take the next answer; False if none is left."""
        for value, n in self._left:
            self.value = value
            self.weight = self._before * n
            return True
        return False


class _Path(Branching):
    """The runs of a rule, one after another, each down a path of answers of its own.

    What a run asks for again on the way to its own answer stands there from the run before. So the
    same path must ask for the same dice: a rule that keeps something to itself from one run to the
    next is a fault of ours.
    """

    __slots__ = ("_allowed", "_at", "_forks", "_search")

    def __init__(self, search: _Search, allowed: _Allowed) -> None:
        self._search = search
        self._allowed = allowed
        self._forks: list[_Fork] = []
        self._at = 0

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """The value of this path, without faces."""
        at = self._at
        self._at = at + 1
        if at == len(self._forks):
            found = ways(ask.dice, ask.read)
            self._fork(((Throw(value), n) for value, n in found), prod(ask.dice))
        throw: Throw[V] = self._forks[at].value
        return throw

    def part(self, trace: Any, rule: Callable[[Any, Any], T], /) -> T:
        """The result of a part on this path; its distribution is found once."""
        at = self._at
        self._at = at + 1
        if at == len(self._forks):
            found, whole = self._search.part(trace, rule)
            self._fork(found, whole)
        result: T = self._forks[at].value
        return result

    def apart(self, trace: Any, rules: Sequence[Callable[[Any, Any], T]], /) -> tuple[T, ...]:
        """Places, with what each part can come to; the path does not branch."""
        return tuple(self._search.apart(trace, rule) for rule in rules)

    def runs(self, rule: Callable[[Any], T]) -> Iterator[tuple[T, int, int]]:
        """Every run: its result, and its ways out of how many."""
        forks = self._forks
        while True:
            self._allowed.take_one()
            self._at = 0
            result = rule(self)
            if self._at != len(forks):
                raise AssertionError("a rule asked for other dice on the same path")
            if not forks:
                yield result, 1, 1
                return
            yield result, forks[-1].weight, forks[-1].whole
            while not forks[-1].turn():
                forks.pop()
                if not forks:
                    return

    def _fork(self, answers: Iterable[tuple[Any, int]], whole: int) -> None:
        forks = self._forks
        forks.append(_Fork(answers, whole, forks[-1] if forks else None))


class _Allowed:
    """Runs that are allowed, and those made so far."""

    __slots__ = ("_limit", "_of", "made")

    def __init__(self, limit: int, of: str) -> None:
        self._limit = limit
        self._of = of
        self.made = 0

    def take_one(self) -> None:
        """Make another run.

        Raises:
            TooLarge: There have been as many as are allowed.
        """
        if self.made == self._limit:
            raise TooLarge(
                f"Exact odds need more than {self._limit} runs of {self._of}. Ask about fewer "
                "dice at once.",
                runs_allowed=self._limit,
            )
        self.made += 1


class _Search:
    """What all runs for one question share: those of parts, and what the parts came to."""

    def __init__(self, limit: int) -> None:
        self._allowed = _Allowed(limit, "parts of the rule")
        self._parts: dict[Any, tuple[partial[Any], Counted[Any]]] = {}
        self.places: dict[int, tuple[Counted[Any], Apart[Any]]] = {}

    def part(self, trace: Any, rule: Callable[[Any, Any], T]) -> Counted[T]:
        """The distribution of a part; of one that is given the very same things, it is known.

        Things are the same if they are one object, which is quicker to see than that they are
        equal. What can change may differ the next time: then the part is worked out again.
        """
        if not isinstance(rule, partial) or not isinstance(rule.func, FunctionType):
            return self.counted(partial(rule, trace), self._allowed)
        given = (*rule.args, *rule.keywords.values())
        if not all(type(one).__hash__ for one in given):
            return self.counted(partial(rule, trace), self._allowed)
        key = (rule.func, *rule.keywords, *map(id, given))
        known = self._parts.get(key)
        if known is None:
            # The part is kept with what it found, so that no other object gets one of these ids.
            known = self._parts[key] = rule, self.counted(partial(rule, trace), self._allowed)
        return known[1]

    def apart(self, trace: Any, rule: Callable[[Any, Any], T]) -> Any:
        """The place of a part that is kept apart: one for equal parts."""
        counted = self.part(trace, rule)
        known = self.places.get(id(counted))
        if known is None:
            found, whole = counted
            place = Apart((value, Fraction(n, whole)) for value, n in found)
            known = self.places[id(counted)] = counted, place
        return known[1]

    def counted(self, rule: Callable[[Any], T], allowed: _Allowed) -> Counted[T]:
        """Run a rule for every thing it can see, and merge equal results."""
        found: dict[T, dict[int, int]] = {}
        for result, n, whole in _Path(self, allowed).runs(rule):
            by_whole = found.setdefault(result, {})
            by_whole[whole] = by_whole.get(whole, 0) + n
        common = lcm(*{whole for by_whole in found.values() for whole in by_whole})
        return tuple(
            (result, sum(n * (common // whole) for whole, n in by_whole.items()))
            for result, by_whole in found.items()
        ), common


def odds_of(rule: Callable[[Any], T], *, limit: int = RUN_LIMIT) -> Odds[T]:
    """The exact distribution of what `rule(dice)` returns.

    Args:
        limit: Runs of the rule allowed. Its parts are shorter: of them it is `PART_RUNS` times
            as many.

    Raises:
        TooLarge: More than `limit` runs would be needed.
    """
    allowed = _Allowed(limit, "the rule")
    search = _Search(PART_RUNS * limit)
    found, whole = search.counted(rule, allowed)
    chances = {n: Fraction(n, whole) for n in {n for _, n in found}}
    outcomes = {result: chances[n] for result, n in found}
    if search.places:
        return Odds(Together(outcomes.items()), allowed.made)
    return Odds(outcomes, allowed.made)
