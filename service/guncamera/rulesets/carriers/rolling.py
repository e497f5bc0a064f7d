"""Who acts first in a turn. Rule CAR-2.2.

Source: register section 2; the page says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, Dice
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Side
from guncamera.rulesets.carriers.facts import RollingOff
from guncamera.rulesets.carriers.outcomes import MoveOutcome, RolledOff

RULE = "CAR-2.2"
MOST_ROLLS = 3
"""Equal dice are rolled again so often; then who was first before stays so."""
_NAMES = {Side.US: "The US side", Side.JAPAN: "The Japanese side"}


@dataclass(frozen=True, slots=True)
class Higher:
    """Which of two dice is higher: the first is the US side's. None: they are equal."""

    by_total = False

    def __call__(self, faces: tuple[int, ...], /) -> Side | None:
        """The side of the higher die."""
        us, japan = faces
        if us == japan:
            return None
        return Side.US if us > japan else Side.JAPAN

    def describe(self) -> str:
        """How to read the dice, for players."""
        return "the first die for the US side, the second for the Japanese; the higher acts first"


def rule_on_rolling_off(facts: RollingOff, book: CarriersBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on who acts first; no dice where a setting says who."""
    trace = Trace()
    setting = book.settings.first_player
    trace.setting(RULE, "first_player", setting)
    first = _rolled(facts, book, dice, trace) if setting == "roll" else Side(setting)
    trace.finding(RULE, "first", first.value)
    outcome = MoveOutcome(RolledOff(first))
    return Ruling(outcome, tuple(trace.lines), (), f"{_NAMES[first]} acts first this turn.")


def _rolled(facts: RollingOff, book: CarriersBook, dice: Dice, trace: Trace) -> Side:
    again = book.settings.initiative_tie == "again"
    ask = Ask((D6, D6), Higher(), "initiative", RULE)
    for _ in range(MOST_ROLLS if again else 1):
        higher = trace.roll(dice, ask)
        if higher is not None:
            return higher
        trace.setting(RULE, "initiative_tie", book.settings.initiative_tie)
    first = facts.before or Side.US
    trace.finding(RULE, "before", first.value, "the dice are equal; who was first before stays so")
    return first
