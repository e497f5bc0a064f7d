"""Red Stars, looking ahead: its best cards against the enemy's likely answers, and the turn after.

It expects of its nearest enemy what the greedy pilot would choose, what answers its own first
choice best, and that he goes straight on. Its best ends against each of these are weighed against
all of them: by the shots of this turn, with the numbers that the rule on fire needs, and by the
best shot that either may come to in the turn after. Tweaks, fire and all else are those of the
rule set's own pilot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.redstars.aircraft import Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.orders import Choose, Craft, MoveOrder, Phase, View
from guncamera.rulesets.redstars.pilot import stock
from guncamera.rulesets.redstars.pilot_board import board_of
from guncamera.rulesets.redstars.survey import choosing_of

from guncamera_tournament.stock.redstars.ends import (
    NEARER,
    End,
    Fight,
    apart,
    ends_of,
    enemies_of,
    goes_on,
)

OWN, FINALISTS = 6, 5
"""Ends against each answer that are weighed, and of all of them those that are looked beyond."""
GREEDY, WARY, STRAIGHT = 0.5, 0.3, 0.2
"""How surely the enemy is expected to choose so."""
NEXT = 0.5
"""What a shot of the turn after counts, against one of this turn."""

Answer = tuple[float, End]


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
    enemies = enemies_of(one, fight.board, 1)
    if not enemies:
        return fight.best(one, {}, 1)[0].choice
    (enemy,) = enemies
    answers = _answers(one, enemy, fight)
    own = dict.fromkeys(
        end
        for _, answer in answers
        for end in fight.best(one, {enemy.aircraft.id: answer.position}, OWN)
    )

    def now(end: End) -> float:
        return sum(
            share
            * (
                fight.gain(one, end.position, enemy, answer.position)
                - NEARER * apart(end.position, answer.position)
            )
            for share, answer in answers
        )

    final = sorted(own, key=now, reverse=True)[:FINALISTS]
    likely = answers[:2]
    return max(final, key=lambda end: now(end) + _later(one, end, enemy, likely, fight)).choice


def _answers(one: Craft, enemy: Craft, fight: Fight) -> list[Answer]:
    """What the enemy may come to, and how surely."""
    name = one.aircraft.id
    straight = goes_on(enemy, fight.book)
    (first,) = fight.best(one, {enemy.aircraft.id: straight}, 1)
    (greedy,) = fight.best(enemy, {name: goes_on(one, fight.book)}, 1)
    (wary,) = fight.best(enemy, {name: first.position}, 1)
    on = replace(greedy, position=straight, speed=enemy.aircraft.speed)
    return [(GREEDY, greedy), (WARY, wary), (STRAIGHT, on)]


def _later(one: Craft, end: End, enemy: Craft, answers: Sequence[Answer], fight: Fight) -> float:
    """What the turn after promises one, less what it promises the enemy."""
    total = 0.0
    for share, answer in answers:
        mine, his = _flown(one, end), _flown(enemy, answer)
        total += share * (_best_shot(mine, his, fight) - _best_shot(his, mine, fight))
    return NEXT * total


def _flown(one: Craft, end: End) -> Craft:
    """An aircraft as it may stand in the turn after."""
    aircraft = replace(
        one.aircraft,
        position=end.position,
        speed=max(end.speed, 1),
        last_maneuver=end.choice.maneuver,
    )
    return replace(one, aircraft=aircraft)


def _best_shot(one: Craft, other: Craft, fight: Fight) -> float:
    """The best shot that one may come to, at another who goes straight on."""
    there: Position = goes_on(other, fight.book)
    return max(
        (
            fight.harm(one, end.position, other, there)
            for end in ends_of(one, fight.board, fight.book)
        ),
        default=0.0,
    )
