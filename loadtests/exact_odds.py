"""What exact odds cost: shots of Flying Circus with all that their critical hits may lead to.

And a collision, see `exact_collision.py`.
Without a server, on the one core of this process, in processor time: other processes on a shared
machine take no part in it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from exact_collision import collision
from guncamera.rules.odds import Odds, odds_of
from guncamera.rules.ruleset import ruleset
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.facts import Aim, FireFacts, Firing, Target

WARM_UP = 5
SHOTS = {
    # As many outcomes as half of all shots have, and a few more.
    "circus_shot": (3, "se5a", False),
    # More outcomes than any other shot by the settings as shipped: every number of hits, a target
    # with a gunner, and guns that may jam.
    "circus_shot_worst": (1, "bristol_f2b", True),
}
COLLISION_SHARE = 10
"""A collision is asked for once in so many repetitions: it costs as much as many shots."""

Question = Callable[[], Odds[Any]]


def odds_figures(repetitions: int) -> dict[str, dict[str, float]]:
    """For each question the median cost in microseconds, and the outcomes that were told apart."""
    questions = {name: _shot(*shot) for name, shot in SHOTS.items()}
    costs: dict[str, list[float]] = {name: [] for name in questions}
    for repetition in range(repetitions + WARM_UP):
        for name, question in questions.items():
            cost = _cost(question)
            if repetition >= WARM_UP:
                costs[name].append(cost)
    questions["collision"] = collision
    _cost(collision)  # warm
    costs["collision"] = [_cost(collision) for _ in range(max(1, repetitions // COLLISION_SHARE))]
    return {
        name: {
            "outcomes": len(question().outcomes),
            "cpu_us": round(statistics.median(costs[name]), 1),
        }
        for name, question in questions.items()
    }


def _cost(question: Question) -> float:
    """What one answer costs, in microseconds of the processor."""
    start = time.process_time_ns()
    question()
    return (time.process_time_ns() - start) / 1e3


def _shot(range_hexes: int, target: str, long_burst: bool) -> Question:
    """The odds of a shot of two belt-fed barrels at a target that is held in the arc."""
    aim = Aim(own_mp=10, own_mp_in_arc=5, target_mp=10, target_mp_in_arc=0, hexes=range_hexes,
              height_difference_feet=0)  # fmt: skip
    firing = Firing(
        "shooter", "fokker_d_vii", Mount.FRONT, aim, Target("target", target), long_burst
    )
    circus = ruleset("circus")
    rule, facts = circus.procedures["fire"].rule, FireFacts(firing)
    return lambda: odds_of(lambda dice: rule(facts, circus.book, dice).outcome)
