"""What exact odds cost: shots of Flying Circus with all that their critical hits may lead to.

Without a server, on the one core of this process, in processor time: other processes on a shared
machine take no part in it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from guncamera.rules.odds import Odds, odds_of
from guncamera.rules.ruleset import ruleset
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.facts import Aim, FireFacts, Firing, Target
from guncamera.rulesets.circus.outcomes import FireOutcome

WARM_UP = 5
SHOTS = {
    # As many outcomes as half of all shots have, and a few more.
    "circus_shot": (3, "se5a", False),
    # More outcomes than any other shot by the settings as shipped: every number of hits, a target
    # with a gunner, and guns that may jam.
    "circus_shot_worst": (1, "bristol_f2b", True),
}


def odds_figures(repetitions: int) -> dict[str, dict[str, float]]:
    """For each shot the median cost in microseconds, and the outcomes that were told apart."""
    questions = {name: _question(*shot) for name, shot in SHOTS.items()}
    costs: dict[str, list[float]] = {name: [] for name in questions}
    for repetition in range(repetitions + WARM_UP):
        for name, question in questions.items():
            start = time.process_time_ns()
            question()
            if repetition >= WARM_UP:
                costs[name].append((time.process_time_ns() - start) / 1e3)
    return {
        name: {
            "outcomes": len(question().outcomes),
            "cpu_us": round(statistics.median(costs[name]), 1),
        }
        for name, question in questions.items()
    }


def _question(range_hexes: int, target: str, long_burst: bool) -> Callable[[], Odds[FireOutcome]]:
    """The odds of a shot of two belt-fed barrels at a target that is held in the arc."""
    aim = Aim(own_mp=10, own_mp_in_arc=5, target_mp=10, target_mp_in_arc=0, hexes=range_hexes,
              height_difference_feet=0)  # fmt: skip
    firing = Firing(
        "shooter", "fokker_d_vii", Mount.FRONT, aim, Target("target", target), long_burst
    )
    circus = ruleset("circus")
    rule, facts = circus.procedures["fire"].rule, FireFacts(firing)
    return lambda: odds_of(lambda dice: rule(facts, circus.book, dice).outcome)
