"""Where the dice of a call come from: the service draws them, or players threw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from guncamera.v1.dice_pb2 import DicePolicy, ServerDice, SuppliedDice

Dice: TypeAlias = DicePolicy | Sequence[int] | None
"""What every `dice=` takes: None (the service draws), faces in the order asked, or a policy."""


def server() -> DicePolicy:
    """The service draws. The same as leaving `dice` out."""
    return DicePolicy(server=ServerDice())


def supplied(*faces: int) -> DicePolicy:
    """Players threw the dice.

    Args:
        faces: What each die shows, from 1 to its sides, in the order asked for; at most 100.

    Example:
        `client.fire(session, dice=supplied(4, 6))`, or shorter `dice=[4, 6]`.
    """
    return DicePolicy(supplied=SuppliedDice(faces=faces))


def policy_of(dice: Dice) -> DicePolicy | None:
    """What `dice=` says, as it goes over the wire."""
    if dice is None or isinstance(dice, DicePolicy):
        return dice
    if isinstance(dice, str | bytes):
        raise TypeError(f"dice is {dice!r}; give a list of faces such as [4, 6].")
    return supplied(*dice)
