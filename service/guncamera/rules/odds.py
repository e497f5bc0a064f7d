"""Exact odds, by running the live rule once for every thing it can see.

A rule's dice are scripted with values instead of faces; where the script ends, the search
branches over the reading's distribution. Nothing is sampled and nothing is cut off: a question
that would take too many runs is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import prod
from typing import Any, Generic, TypeVar

from guncamera.rules.dice import Ask, Reading, Throw, Weighing
from guncamera.rules.refusal import TooLarge

V = TypeVar("V")
T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)

RUN_LIMIT = 200_000
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

    def by_field(self, flat: Callable[[T], Mapping[str, str]]) -> dict[str, dict[str, Fraction]]:
        """The distribution of every field of the outcome.

        Args:
            flat: An outcome's fields by name; one that an outcome lacks counts as empty.
        """
        values = [(flat(outcome), p) for outcome, p in self.outcomes.items()]
        names = dict.fromkeys(name for fields, _ in values for name in fields)
        found: dict[str, dict[str, Fraction]] = {name: defaultdict(Fraction) for name in names}
        for fields, p in values:
            for name in names:
                found[name][fields.get(name, "")] += p
        return found

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The expected value of a number read off the outcome."""
        return sum((p * value(outcome) for outcome, p in self.outcomes.items()), Fraction(0))


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


class _Script:
    """Dice that follow a script of branch numbers, and grow it by first branches."""

    def __init__(self, branches: list[int]) -> None:
        self.branches = branches
        self.widths: list[int] = []
        self.weight = 1
        self.whole = 1

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        options = ways(ask.dice, ask.read)
        at = len(self.widths)
        if at == len(self.branches):
            self.branches.append(0)
        self.widths.append(len(options))
        value, n = options[self.branches[at]]
        self.weight *= n
        self.whole *= prod(ask.dice)
        return Throw(value)


def _runs(rule: Callable[[_Script], T], limit: int) -> Iterator[tuple[T, int, int]]:
    """Every run of the rule: its result, and its weight as numerator and denominator."""
    branches: list[int] = []
    for _ in range(limit):
        script = _Script(branches)
        result = rule(script)
        yield result, script.weight, script.whole
        widths = script.widths
        branches = branches[: len(widths)]
        while branches and branches[-1] + 1 == widths[len(branches) - 1]:
            branches.pop()
        if not branches:
            return
        branches[-1] += 1
    raise TooLarge(
        f"Exact odds need more than {limit} runs of the rule. Ask about fewer dice at once.",
        runs_allowed=limit,
    )


def odds_of(rule: Callable[[Any], T], *, limit: int = RUN_LIMIT) -> Odds[T]:
    """The exact distribution of what `rule(dice)` returns.

    Raises:
        TooLarge: More than `limit` runs would be needed.
    """
    counted: defaultdict[tuple[T, int], int] = defaultdict(int)
    runs = 0
    for result, weight, whole in _runs(rule, limit):
        counted[result, whole] += weight
        runs += 1
    outcomes: defaultdict[T, Fraction] = defaultdict(Fraction)
    for (result, whole), weight in counted.items():
        outcomes[result] += Fraction(weight, whole)
    return Odds(dict(outcomes), runs)


def odds_of_steps(
    start: S,
    step: Callable[[S, Any], S],
    finished: Callable[[S], bool],
    *,
    limit: int = RUN_LIMIT,
) -> Odds[S]:
    """The exact distribution of a chain of steps, equal states merged after each.

    Args:
        start: The first state; states are small and hashable.
        step: `(state, dice) -> state`, one or two asks.
        finished: Whether a state is the end of its chain.
        limit: Runs of `step` allowed in all.

    Raises:
        TooLarge: More than `limit` runs would be needed.
    """
    open_states: dict[S, Fraction] = {start: Fraction(1)}
    ended: defaultdict[S, Fraction] = defaultdict(Fraction)
    runs = 0
    while open_states:
        after: defaultdict[S, Fraction] = defaultdict(Fraction)
        for state, p in open_states.items():
            if finished(state):
                ended[state] += p
                continue
            one = odds_of(partial(step, state), limit=limit - runs)
            runs += one.runs
            for result, q in one.outcomes.items():
                after[result] += p * q
        open_states = dict(after)
    return Odds(dict(ended), runs)


def play_steps(
    start: S, step: Callable[[S, Any], S], finished: Callable[[S], bool], dice: Any
) -> S:
    """Play once, over dealt or drawn dice, the chain that `odds_of_steps` enumerates."""
    state = start
    while not finished(state):
        state = step(state, dice)
    return state
