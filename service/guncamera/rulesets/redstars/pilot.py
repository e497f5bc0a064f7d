"""The stock pilots: one who fights, and one at random.

Both are pure functions of what they see and of the number of the order, so that equal games are
flown alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from guncamera.rules.ruleset import LegalOrder, Pilot, Verb
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import (
    condition_of,
    current_rating,
    has_observer,
    pilot_flies,
)
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.legal import legal_choices, legal_orders
from guncamera.rulesets.redstars.orders import (
    Choose,
    Collide,
    DamageOrder,
    DeclareRam,
    EndTurn,
    Fly,
    HandOver,
    MoveOrder,
    Phase,
    RollOrder,
    View,
)
from guncamera.rulesets.redstars.pilot_board import board_of
from guncamera.rulesets.redstars.pilot_flight import choose, tweak
from guncamera.rulesets.redstars.pilot_guns import fire
from guncamera.rulesets.redstars.survey import choosing_of

T = TypeVar("T")


def stock(view: View, seat: str, book: RedstarsBook, nth: int) -> LegalOrder:  # noqa: ARG001
    """Flies for a shot and against being shot at, fires what is fair, and rams nobody."""
    board = board_of(view)
    match view.phase:
        case Phase.CHOOSE:
            crafts = [board.craft_of(name) for name in choosing_of(board, seat)]
            return _chosen([choose(one, board, book) for one in crafts])
        case Phase.MOVE:
            one = board.craft_of(board.order[0])
            tweaks, trades = tweak(one, board, book)
            return _flown(Fly(one.aircraft.id, tweaks, trades))
        case Phase.FIRE:
            return fire(board, book)
        case Phase.END:
            return _handed_over(board, seat, book) or _ended()
    return _routine(board)


def _chosen(choices: Sequence[Choice]) -> LegalOrder:
    told = "; ".join(
        " ".join(
            card.replace("_", " ")
            for card in (one.aircraft, one.maneuver, one.altitude_card, one.speed_card)
            if card
        )
        for one in choices
    )
    return LegalOrder(Verb.MOVE, MoveOrder(Choose(tuple(choices))), f"Choose {told}.")


def _flown(order: Fly) -> LegalOrder:
    told = ", ".join(f"disc {one.disc} {one.side}" for one in order.tweaks) or "no tweak"
    more = f", {order.altitude_trades:+d} altitude" if order.altitude_trades else ""
    return LegalOrder(Verb.MOVE, MoveOrder(order), f"Move {order.aircraft}, {told}{more}.")


def _ended() -> LegalOrder:
    return LegalOrder(Verb.DAMAGE, DamageOrder(EndTurn()), "End the turn.")


def _handed_over(board: Board, seat: str, book: RedstarsBook) -> LegalOrder | None:
    """The controls of a pilot who is worse off than his observer."""
    for one in board.flying():
        aircraft, condition = one.aircraft, condition_of(one.aircraft)
        data_book = book_for(aircraft, board, book)
        able = (
            condition.pilot_wounds and pilot_flies(aircraft) and has_observer(aircraft, data_book)
        )
        if one.side != seat or not able:
            continue
        instead = replace(aircraft, condition=replace(condition, observer_flies=True))
        if current_rating(instead, book) > current_rating(aircraft, book):
            order = DamageOrder(HandOver(aircraft.id))
            return LegalOrder(Verb.DAMAGE, order, f"The observer of {aircraft.id} takes over.")
    return None


def _routine(board: Board) -> LegalOrder:
    """What a phase needs of whoever comes first."""
    match board.phase:
        case Phase.RAM:
            return LegalOrder(Verb.MOVE, MoveOrder(DeclareRam()), "Ram nobody.")
        case Phase.ORDER:
            return LegalOrder(Verb.MOVE, MoveOrder(RollOrder()), "Roll off the ties.")
        case Phase.COLLIDE:
            text = f"Work out how {board.meetings[0].first} and {board.meetings[0].second} meet."
            return LegalOrder(Verb.MOVE, MoveOrder(Collide()), text)
    raise AssertionError(f"nobody may act in phase {board.phase}")


# ---- At random


@dataclass(slots=True)
class Chance:
    """Numbers that follow from a text, one after another."""

    text: str
    drawn: int = 0

    def pick(self, options: Sequence[T]) -> T:
        """One of some options."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.drawn} {self.text}".encode()).digest()
        return options[int.from_bytes(digest[:8]) % len(options)]


def at_random(view: View, seat: str, book: RedstarsBook, nth: int) -> LegalOrder:
    """A legal order picked by hashing the seat, the turn and the number of the order."""
    board = board_of(view)
    chance = Chance(f"{nth} {seat} {view.turn} {view.phase}")
    if view.phase == Phase.CHOOSE:
        return _chosen([_any_cards(one, board, book, chance) for one in choosing_of(board, seat)])
    return chance.pick(list(legal_orders(board, seat, book)))


def _any_cards(name: str, board: Board, book: RedstarsBook, chance: Chance) -> Choice:
    one = board.craft_of(name).aircraft
    return chance.pick(list(legal_choices(one, book_for(one, board, book), book)))


PILOTS: Mapping[str, Pilot] = {"stock": stock, "random": at_random}
