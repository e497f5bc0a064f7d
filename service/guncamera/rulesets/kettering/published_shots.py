"""What shots come to: the chance of one, of several, and how many a chase gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from guncamera.rules.dice import Dice, LookUp
from guncamera.rules.odds import odds_of
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Aspect, FireFacts
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.published_turn import NotedDice


class Shot(NamedTuple):
    """A shot: what its modifiers add up to, and its chance to destroy the torpedo."""

    modifier: int
    chance: Fraction


def tail_shot(kind: str, track: int, speed: int, book: KetteringBook) -> Shot:
    """A shot from one hex behind a torpedo at some speed, at a speed of one's own."""
    facts = FireFacts(kind, Aspect.TAIL, 1, speed, track)

    def shoot(dice: Dice) -> tuple[int, bool]:
        noted = NotedDice(dice)
        outcome = rule_on_fire(facts, book, noted).outcome
        read = noted.asked["to-hit"].read
        if not isinstance(read, LookUp):
            raise AssertionError("a shot is not looked up")
        return read.modifier, outcome.torpedo_destroyed

    odds = odds_of(shoot)
    (modifier,) = {modifier for modifier, _ in odds.outcomes}
    return Shot(modifier, odds.of(lambda result: result[1]))


def mean_chance(shots: Sequence[Shot], percents: Mapping[int, int]) -> Fraction | None:
    """The mean chance of shots, some per cent of which have each modifier.

    None where no shot has one of the modifiers.
    """
    by_modifier = dict(shots)
    if not percents.keys() <= by_modifier.keys():
        return None
    parts = (Fraction(percent, 100) * by_modifier[m] for m, percent in percents.items())
    return sum(parts, Fraction(0))


def chance_of_any(chance: Fraction, shots: float) -> float:
    """The chance that one of several shots hits."""
    return float(1 - (1 - float(chance)) ** shots)


def shots_until(turns: float, first_turn: int, follow_up: float) -> float:
    """Shots in an encounter: the first, and each later turn's with the follow-up's chance."""
    return 1 + follow_up * (turns - first_turn)
