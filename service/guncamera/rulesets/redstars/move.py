"""Movement: which rule answers for which. Chapters 3, 4 and 9 of the rules."""

from __future__ import annotations

from guncamera.rules.dice import Dice
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.books import check_own
from guncamera.rulesets.redstars.choosing import rule_on_choosing, rule_on_choosing_all
from guncamera.rulesets.redstars.facts import (
    Choosing,
    ChoosingAll,
    Colliding,
    Declaring,
    MoveFacts,
    Moving,
    Ordering,
    Ramming,
)
from guncamera.rulesets.redstars.meeting import (
    rule_on_colliding,
    rule_on_declaring,
    rule_on_ramming,
)
from guncamera.rulesets.redstars.moving import rule_on_moving
from guncamera.rulesets.redstars.ordering import rule_on_ordering
from guncamera.rulesets.redstars.outcomes import MoveOutcome


def rule_on_move(facts: MoveFacts, book: RedstarsBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a movement of any kind; see the rule of each for what it refuses."""
    own = facts.own_books
    if own:
        check_own(own, book, "own_books")
    match facts.procedure:
        case Choosing() as choosing:
            return rule_on_choosing(choosing, own, book)
        case ChoosingAll() as choosing_all:
            return rule_on_choosing_all(choosing_all, own, book)
        case Declaring() as declaring:
            return rule_on_declaring(declaring, own, book)
        case Ordering() as ordering:
            return rule_on_ordering(ordering, book, dice)
        case Moving() as moving:
            return rule_on_moving(moving, own, book, dice)
        case Colliding() as colliding:
            return rule_on_colliding(colliding, own, book, dice)
        case Ramming() as ramming:
            return rule_on_ramming(ramming, own, book, dice)
