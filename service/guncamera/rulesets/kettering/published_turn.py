"""The turn of a torpedo in exact odds, read off the rules of play. For the published figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from guncamera.rules.dice import Ask, Dice, Throw
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.odds import Odds, odds_of
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import (
    Advance,
    Advanced,
    Drifter,
    Entered,
    Entry,
    MoveFacts,
    Torpedo,
    WindFacts,
    WindOutcome,
)
from guncamera.rulesets.kettering.map import ROWS, east_edge, row_of
from guncamera.rulesets.kettering.move import rule_on_move
from guncamera.rulesets.kettering.wind import rule_on_wind

V = TypeVar("V")
HIGH_FROM_METRES = 1_500
"""The chart's altitudes fall into two groups, three around 950 metres and three around 2,050."""


class NotedDice:
    """Passes asks on, and keeps each ask and what was read, by purpose."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.asked: dict[str, Ask[Any]] = {}
        self.read: dict[str, Any] = {}

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """See `Dice.roll`."""
        throw = self._dice.roll(ask)
        self.asked[ask.purpose], self.read[ask.purpose] = ask, throw.value
        return throw


class Start(NamedTuple):
    """A torpedo that has entered, and the notation of its hex on the chart."""

    notation: str
    torpedo: Torpedo

    @property
    def altitudes(self) -> str:
        """The group of its altitude: low or high."""
        return "high" if self.torpedo.altitude_metres >= HIGH_FROM_METRES else "low"


def entry_odds(book: KetteringBook) -> Odds[Start]:
    """Where, at what altitude and how fast a torpedo enters."""

    def enter(dice: Dice) -> Start:
        noted = NotedDice(dice)
        entered = rule_on_move(MoveFacts(Entry()), book, noted).outcome.procedure
        if not isinstance(entered, Entered):
            raise AssertionError("an entry did not enter")
        return Start(str(noted.read["start-hex"]), entered.torpedo)

    return odds_of(enter)


def given(odds: Mapping[Start, Fraction], **wanted: str) -> dict[Torpedo, Fraction]:
    """The torpedoes of some starts (by `notation`, `heading`, `altitudes`), weighted to one."""
    found: defaultdict[Torpedo, Fraction] = defaultdict(Fraction)
    for start, p in odds.items():
        about = {
            "notation": start.notation,
            "heading": start.torpedo.heading.value,
            "altitudes": start.altitudes,
        }
        if wanted.items() <= about.items():
            found[start.torpedo] += p
    whole = sum(found.values(), Fraction(0))
    return {torpedo: p / whole for torpedo, p in found.items()}


def middle(book: KetteringBook) -> Hex:
    """A hex from which no turn reaches an edge."""
    width = book.settings.map_width_hexes
    return east_edge(ROWS // 2, book).step(HexDirection.WEST, width // 2)


def rows_south(before: Hex, after: Hex) -> int:
    """Rows between two hexes, counted toward the south edge."""
    return row_of(before) - row_of(after)


def wind_odds(
    torpedo: Torpedo, book: KetteringBook, aircraft: Drifter | None = None
) -> Odds[WindOutcome]:
    """What the wind may do in a turn."""
    facts = WindFacts(torpedo, aircraft)
    return odds_of(lambda dice: rule_on_wind(facts, book, dice).outcome)


def advance_odds(
    torpedo: Torpedo, book: KetteringBook, *, wind_mp: int = 0, first_turn: bool = False
) -> Odds[Advanced]:
    """How the torpedo may move in a turn."""
    facts = MoveFacts(Advance(torpedo, wind_mp, first_turn))

    def advance(dice: Dice) -> Advanced:
        advanced = rule_on_move(facts, book, dice).outcome.procedure
        if not isinstance(advanced, Advanced):
            raise AssertionError("an advance did not advance")
        return advanced

    return odds_of(advance)
