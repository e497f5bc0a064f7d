"""Movement: which rule answers for which. Chapters 3 and 4, and who acts first."""

from __future__ import annotations

from guncamera.rules.dice import Dice
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.deploying import rule_on_deploying
from guncamera.rulesets.carriers.facts import Deploying, MoveFacts, Placing, RollingOff, Sailing
from guncamera.rulesets.carriers.outcomes import MoveOutcome
from guncamera.rulesets.carriers.own import check_own
from guncamera.rulesets.carriers.placing import rule_on_placing
from guncamera.rulesets.carriers.rolling import rule_on_rolling_off
from guncamera.rulesets.carriers.sailing import rule_on_sailing


def rule_on_move(facts: MoveFacts, book: CarriersBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a movement of any kind; see the rule of each for what it refuses."""
    own = facts.own_cards
    if own:
        check_own(own, book, "own_cards")
    match facts.procedure:
        case Deploying() as deploying:
            return rule_on_deploying(deploying, book)
        case RollingOff() as rolling_off:
            return rule_on_rolling_off(rolling_off, book, dice)
        case Sailing() as sailing:
            return rule_on_sailing(sailing, book)
        case Placing() as placing:
            return rule_on_placing(placing, own, book)
