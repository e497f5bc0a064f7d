"""What the stock pilot thinks of the turn after: who will get whom into his sights from here.

Each aircraft has a few moves in mind for it, one for each way it may face at the end; they are
looked at roughly, by a few moments of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from guncamera.rules.hexes import DIRECTIONS
from guncamera.rulesets.circus.aircraft import Aeroplane, Aircraft
from guncamera.rulesets.circus.arcs import Offsets
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.pilot_guns import LONGEST
from guncamera.rulesets.circus.pilot_options import Option, Sample, options_of, turned
from guncamera.rulesets.circus.ranges import Limits, charted, limits

EVERY = 2
HELD = (0.0, 0.06, 0.6, 1.0, 1.0)
"""The chance that a target is held long enough, by the moments at which it is in the arc."""
BEST_SHARE = 0.7
"""How far an aircraft may choose its move by what the other does, against all he may do alike."""

Move = tuple[Sample, ...]
Moves = tuple[tuple[Move, ...], ...]
"""Moves for each facing at their beginning."""


@dataclass(frozen=True, slots=True)
class Means:
    """What an aircraft can do in the turn after: its moves by speed, and its guns.

    Attributes:
        guns: What a shot is worth at each range, and the hexes in arc by facing.
    """

    moves: Mapping[int, Moves]
    guns: tuple[tuple[tuple[float, ...], tuple[Offsets, ...]], ...]

    def at(self, speed_mp: int) -> Moves:
        """The moves at a speed, or at that which is nearest."""
        return self.moves[min(self.moves, key=lambda known: (abs(known - speed_mp), known))]


def moves_of(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook) -> Mapping[int, Moves]:
    """The moves an aircraft has in mind at each speed it may choose now."""
    return _moves(options_of(aircraft, aeroplane, book))


@lru_cache(maxsize=128)
def _moves(options: tuple[Option, ...]) -> Mapping[int, Moves]:
    """For each speed and each facing at the end, the move that turns soonest and stays level."""
    best: dict[tuple[int, int], tuple[tuple[int, int], Option]] = {}
    for option in options:
        facing, feet = option.moments[-1][2:]
        early = sum(1 for sample in option.moments if sample[2] == facing)
        worth = early, -abs(feet)
        known = best.get((option.speed_mp, facing))
        if known is None or (not option.stress and worth > known[0]):
            best[option.speed_mp, facing] = worth, option
    found: dict[int, list[Move]] = {}
    for (speed, _), (_, option) in best.items():
        found.setdefault(speed, []).append(option.moments[EVERY - 1 :: EVERY])
    return {speed: _facings(moves) for speed, moves in found.items()}


def _facings(moves: Sequence[Move]) -> Moves:
    return tuple(
        tuple(
            tuple(
                (*turned(q, r, facing), (turn + facing) % len(DIRECTIONS), feet)
                for q, r, turn, feet in move
            )
            for move in moves
        )
        for facing in range(len(DIRECTIONS))
    )


@dataclass(frozen=True, slots=True)
class After:
    """Where an aircraft stands for the turn after, and how fast."""

    sample: Sample
    speed_mp: int


def prospect(one: After, means: Means, other: After, others: Means, book: CircusBook) -> float:
    """What the shots that one may get at the other in the turn after are worth."""
    q, r, facing, feet = one.sample
    to_q, to_r, to_facing, to_feet = other.sample
    ahead, down = to_q - q, to_r - r
    flat = max(abs(ahead), abs(down), abs(ahead + down))
    if flat > LONGEST + one.speed_mp + other.speed_mp:
        return 0.0
    mine, his = means.at(one.speed_mp)[facing], others.at(other.speed_mp)[to_facing]
    total = 0.0
    for worths, arcs in means.guns:
        total += _matched(mine, his, (ahead, down, to_feet - feet), arcs, worths, limits(book))
    return total


def _matched(
    mine: Sequence[Move],
    his: Sequence[Move],
    apart: tuple[int, int, int],
    arcs: Sequence[Offsets],
    worths: Sequence[float],
    ranges: Limits,
) -> float:
    """What the best of one's moves are worth: against all the other has, and against each."""
    away_q, away_r, height = apart
    rows: list[list[float]] = []
    for move in mine:
        row = []
        for his_move in his:
            held, worth = 0, 0.0
            for (q, r, facing, feet), (to_q, to_r, _, to_feet) in zip(move, his_move):
                ahead, down = away_q + to_q - q, away_r + to_r - r
                if (ahead, down) in arcs[facing]:
                    flat = max(abs(ahead), abs(down), abs(ahead + down))
                    found = charted(flat, abs(height + to_feet - feet), *ranges)
                    if found:
                        held, worth = held + 1, worths[found]
            row.append(HELD[held] * worth)
        rows.append(row)
    blind: float = max(map(sum, rows))
    seeing: float = sum(map(max, zip(*rows)))
    return (blind * (1 - BEST_SHARE) + seeing * BEST_SHARE) / len(his)
