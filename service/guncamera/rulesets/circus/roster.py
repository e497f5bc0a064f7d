"""Which aircraft an order may name: one's own, or an enemy, that is still in the game."""

from __future__ import annotations

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board
from guncamera.rulesets.circus.orders import Craft


def own_craft(board: Board, side: Side, id_: str, field: str, rule_id: str) -> Craft:
    """A side's own aircraft.

    Raises:
        Malformed: There is no such aircraft.
        Illegal: It is the enemy's, or has left the game.
    """
    craft = _in_the_game(board, id_, field, rule_id)
    if craft.side != side:
        raise Illegal(
            rule_id,
            f"{id_} is the enemy's. The {side} side orders its own aircraft only: "
            f"{_names(board, side)}.",
            field=field,
            aircraft=id_,
            side=side.value,
        )
    return craft


def enemy_craft(board: Board, side: Side, id_: str, field: str, rule_id: str) -> Craft:
    """An aircraft of a side's enemy.

    Raises:
        Malformed: There is no such aircraft.
        Illegal: It is a friend, or has left the game.
    """
    craft = _in_the_game(board, id_, field, rule_id)
    if craft.side == side:
        raise Illegal(
            rule_id,
            f"{id_} is on the {side} side itself. Take an enemy as the target.",
            field=field,
            aircraft=id_,
            side=side.value,
        )
    return craft


def _in_the_game(board: Board, id_: str, field: str, rule_id: str) -> Craft:
    craft = board.find(id_)
    if craft is None:
        known = ", ".join(one.aircraft.id for one in board.craft)
        raise Malformed(
            f"There is no aircraft {id_!r} in this game; there are {known}.",
            rule_id=rule_id,
            field=field,
            aircraft=id_,
        )
    if craft.end is not None:
        raise Illegal(
            rule_id,
            f"{id_} has left the game: {craft.end.replace('_', ' ')}. Name one that flies.",
            field=field,
            aircraft=id_,
            end=craft.end.value,
        )
    return craft


def _names(board: Board, side: Side) -> str:
    return ", ".join(craft.aircraft.id for craft in board.flying if craft.side == side)
