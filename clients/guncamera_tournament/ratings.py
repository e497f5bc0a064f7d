"""How strong pilots are, by their games: Elo by maximum likelihood, and a rating with uncertainty.

Elo as it is kept at chessboards depends on the order of the games, and games of an event that is
played on many workers have none. So it is fitted to all of them at once: the ratings under which
what happened is likeliest (Bradley and Terry), a draw counting as half a win and half a loss. The
likelihood alone sends who has won everything to infinity; so each pilot has one drawn game besides,
against somebody in the middle. The mean of all is 1500, and the interval of each is against it.

The rating with uncertainty is that of `openskill`, which takes games one after another: in the
order of their ids.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from guncamera_tournament.faults import TournamentError
from guncamera_tournament.record import GameRecord

MIDDLE = 1500.0
SCALE = 400 / math.log(10)
"""Points of Elo for a factor of e in the odds to win."""
PRIOR_GAMES = 1.0
MOST_STEPS = 100
SETTLED = 1e-10
CONFIDENT = 1.959963984540054
"""Standard errors to either side of a mean that hold it in 95 of 100 cases."""

Pairs = Mapping[tuple[str, str], tuple[float, int]]
"""By two names in alphabetical order: the points of the first, and the games."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating and its 95 per cent interval."""

    value: float
    low: float
    high: float


def elo(names: Sequence[str], records: Iterable[GameRecord]) -> dict[str, Rating]:
    """Everybody's Elo; the order of the games does not count.

    The interval is from the curvature of the likelihood at its top.
    """
    pairs = _pairs(records)
    strengths = dict.fromkeys(sorted(names), 0.0)
    for _ in range(MOST_STEPS):
        slope, curvature = _derivatives(strengths, pairs)
        steps = _solved(curvature, [slope])[0]
        # A step of Newton's may go too far where somebody has won everything.
        longest = max(map(abs, steps), default=0.0)
        shorter = min(1.0, 1 / longest) if longest else 0.0
        for name, step in zip(strengths, steps):
            strengths[name] += shorter * step
        if longest < SETTLED:
            break
    return _with_errors(strengths, pairs)


def _pairs(records: Iterable[GameRecord]) -> Pairs:
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for record in records:
        one, other = sorted(record.pilots)
        found[one, other].append(_share(record, one, other))
    return {pair: (math.fsum(found[pair]), len(found[pair])) for pair in sorted(found)}


def _share(record: GameRecord, one: str, other: str) -> float:
    """What a game counts for one of its pilots; if both forfeit it is nobody's, and even."""
    own, theirs = record.points[one], record.points[other]
    return 0.5 if own == theirs else float(own > theirs)


def _derivatives(
    strengths: Mapping[str, float], pairs: Pairs
) -> tuple[list[float], list[list[float]]]:
    """The slope of the log likelihood, and its curvature with the sign turned."""
    at = {name: number for number, name in enumerate(strengths)}
    slope = [0.0] * len(at)
    curvature = [[0.0] * len(at) for _ in at]
    for name, number in at.items():
        even = _wins(strengths[name])
        slope[number] += PRIOR_GAMES * (0.5 - even)
        curvature[number][number] += PRIOR_GAMES * even * (1 - even)
    for (one, other), (points, games) in pairs.items():
        i, j = at[one], at[other]
        chance = _wins(strengths[one] - strengths[other])
        slope[i] += points - games * chance
        slope[j] -= points - games * chance
        spread = games * chance * (1 - chance)
        curvature[i][i] += spread
        curvature[j][j] += spread
        curvature[i][j] -= spread
        curvature[j][i] -= spread
    return slope, curvature


def _wins(apart: float) -> float:
    return 1 / (1 + math.exp(-apart))


def _with_errors(strengths: Mapping[str, float], pairs: Pairs) -> dict[str, Rating]:
    """Ratings about the middle of the field, with what is unsure about each against all."""
    _, curvature = _derivatives(strengths, pairs)
    size = len(strengths)
    units = [[float(row == column) for row in range(size)] for column in range(size)]
    inverse = _solved(curvature, units)
    shared = [math.fsum(row) / size for row in inverse]
    everybody = math.fsum(shared) / size
    mean = math.fsum(strengths.values()) / size
    found = {}
    for number, (name, strength) in enumerate(strengths.items()):
        variance = inverse[number][number] - 2 * shared[number] + everybody
        value = MIDDLE + SCALE * (strength - mean)
        reach = CONFIDENT * SCALE * math.sqrt(max(variance, 0.0))
        found[name] = Rating(value, value - reach, value + reach)
    return found


def _solved(
    matrix: Sequence[Sequence[float]], rights: Sequence[Sequence[float]]
) -> list[list[float]]:
    """Linear equations with a positive definite matrix, by elimination: an answer a right side."""
    size = len(matrix)
    rows = [[*matrix[at], *(right[at] for right in rights)] for at in range(size)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at])]
    return [[rows[at][size + nth] for at in range(size)] for nth in range(len(rights))]


# ---- A rating with uncertainty


@dataclass(frozen=True, slots=True)
class Skill:
    """Mean and standard deviation of a skill, and what it is surely above: three of them below."""

    mu: float
    sigma: float

    @property
    def surely(self) -> float:
        """What leader boards go by."""
        return self.mu - 3 * self.sigma


def skills(names: Sequence[str], records: Iterable[GameRecord]) -> dict[str, Skill]:
    """Everybody's skill by the model of Plackett and Luce, game by game in the order of their ids.

    Raises:
        TournamentError: The package `openskill` is not installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise TournamentError(
            "ratings take the package openskill: pip install 'guncamera[tournament]'."
        ) from None
    model = PlackettLuce()
    rated = {name: model.rating() for name in names}
    for record in sorted(records, key=lambda one: one.bout):
        one, other = record.pilots
        share = _share(record, one, other)
        ranks = [1.0 + (share < 0.5), 1.0 + (share > 0.5)]
        (rated[one],), (rated[other],) = model.rate([[rated[one]], [rated[other]]], ranks=ranks)
    return {name: Skill(rating.mu, rating.sigma) for name, rating in rated.items()}


# ---- Win rates


def wilson(points: float, games: int) -> tuple[float, float]:
    """The 95 per cent interval of a win rate (Wilson's), draws counting half; no games: 0 to 1."""
    if not games:
        return 0.0, 1.0
    rate, z = points / games, CONFIDENT
    middle = rate + z * z / (2 * games)
    reach = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max((middle - reach) / whole, 0.0), min((middle + reach) / whole, 1.0)
