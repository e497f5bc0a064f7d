"""What `exact_odds.py` asks about a collision of Red Stars: its two aircraft are apart."""

from __future__ import annotations

from typing import Any

from guncamera.rules.odds import Odds, odds_of
from guncamera.rules.ruleset import ruleset
from guncamera.rulesets.redstars.aircraft import Aircraft, Pilot, Position
from guncamera.rulesets.redstars.facts import Colliding, MoveFacts, Pair

LIKELIEST = 100
"""Outcomes that a call lists where it asks for no number."""
REDSTARS = ruleset("redstars")
# Two fighters over each other, high enough that a spin need not be the end.
FACTS = MoveFacts(
    Colliding(
        Pair(Aircraft("first", "i16t10", Position(70_000, 70_000, 0, 6), 3, Pilot(1))),
        Pair(Aircraft("second", "ki27", Position(70_000, 71_000, 180, 6), 3, Pilot(2))),
    )
)


def collision() -> Odds[Any]:
    """The odds of the collision, and the outcomes of it that a call would list."""
    rule = REDSTARS.procedures["move"].rule
    odds = odds_of(lambda dice: rule(FACTS, REDSTARS.book, dice).outcome)
    odds.likeliest(LIKELIEST)
    return odds
