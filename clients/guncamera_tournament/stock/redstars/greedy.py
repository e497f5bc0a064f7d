"""Red Stars, greedy: the cards after which the shots of this very turn promise most.

What it hopes to do to its nearest enemies, less what they could do to it, if they go straight on;
by the numbers that the rule on fire needs. Where there is no shot it goes as near as it can.
Tweaks, fire and all else are those of the rule set's own pilot.
"""

from __future__ import annotations

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.orders import Choose, Craft, MoveOrder, Phase, View
from guncamera.rulesets.redstars.pilot import stock
from guncamera.rulesets.redstars.pilot_board import board_of
from guncamera.rulesets.redstars.survey import choosing_of

from guncamera_tournament.stock.redstars.ends import Fight, enemies_of, goes_on

ENEMIES = 2


def choose(view: View, seat: str, book: RedstarsBook, nth: int) -> LegalOrder:
    """The order of a seat that sees so much."""
    if view.phase != Phase.CHOOSE:
        return stock(view, seat, book, nth)
    board = board_of(view)
    fight = Fight(board, book)
    choices = tuple(_cards(board.craft_of(name), fight) for name in choosing_of(board, seat))
    told = "; ".join(f"{one.aircraft} {one.maneuver}" for one in choices)
    return LegalOrder(Verb.MOVE, MoveOrder(Choose(choices)), f"Choose {told}.")


def _cards(one: Craft, fight: Fight) -> Choice:
    enemies = enemies_of(one, fight.board, ENEMIES)
    places = {enemy.aircraft.id: goes_on(enemy, fight.book) for enemy in enemies}
    return fight.best(one, places, 1)[0].choice
