"""What duplicate dice are for: the difference of two pilots with the luck of the dice taken out.

Two bouts of a game have the sides swapped and the same faces. What one pilot makes of both
together hangs less on the dice than what it makes of either. The mean is the same; the standard
error, over pairs instead of over bouts, tells how much less.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from guncamera_tournament.record import GameRecord

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how sure it is.

    Attributes:
        count: Of what it is the mean.
        standard_error: None for fewer than two.
        low, high: The confidence interval, 95 per cent, by Student's t; None likewise.
    """

    count: int
    mean: float
    standard_error: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One pilot against another: its points less the other's, a bout, from -1 to 1.

    Attributes:
        paired: Over pairs of bouts with the same dice and the sides swapped.
        unpaired: Over the same bouts, as if their dice had nothing to do with each other.
    """

    pilot: str
    other: str
    paired: Estimate
    unpaired: Estimate

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def compare(records: Iterable[GameRecord]) -> list[Comparison]:
    """Every two pilots that met in whole pairs of bouts with the same dice, by name."""
    groups: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for record in records:
        one, other = sorted(record.pilots)
        difference = record.points[one] - record.points[other]
        groups[one, other, record.dice_group].append(difference)
    pairs: defaultdict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for (one, other, _), differences in groups.items():
        if len(differences) == 2:
            pairs[one, other].append(differences)
    return [
        Comparison(
            one,
            other,
            estimate([sum(both) / 2 for both in pairs[one, other]]),
            estimate([single for both in pairs[one, other] for single in both]),
        )
        for one, other in sorted(pairs)
    ]


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value or more, and its confidence interval."""
    count, mean = len(values), statistics.fmean(values)
    if count < 2:
        return Estimate(count, mean, None, None, None)
    error = statistics.stdev(values) / math.sqrt(count)
    reach = students_t(count - 1) * error
    return Estimate(count, mean, error, mean - reach, mean + reach)


def students_t(freedom: int, level: float = LEVEL) -> float:
    """How many standard errors an interval of a level reaches, for so many degrees of freedom.

    The quantile of the normal distribution, corrected to the fourth order (Abramowitz and Stegun
    26.7.5): within 1 per cent from 2 degrees of freedom on; exact for 1.
    """
    tail = (1 + level) / 2
    if freedom == 1:
        return math.tan(math.pi * (tail - 0.5))
    z = statistics.NormalDist().inv_cdf(tail)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
