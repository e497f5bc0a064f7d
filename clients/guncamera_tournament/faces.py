"""Dice of a game: the session's own, or duplicate ones, which the runner deals by purpose.

The faces of the nth throw of a seat for a purpose are bytes of

    SHA-256("guncamera/tournament/faces/v1" 0 group 0 seat 0 purpose 0 nth 0 block)

read in order. A byte below the largest multiple of the sides gives `byte % sides + 1`; the others
are passed over, so every face is exactly as likely. Whoever sits on a seat, in whatever bout of
the group, meets the same faces for the same purpose.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from guncamera.v1.dice_pb2 import DICE_SOURCE_SEEDED
from guncamera.v1.session_service_pb2 import Action
from guncamera_client import RollRequired

LABEL = "guncamera/tournament/faces/v1"
Give = Callable[[Sequence[int] | None], Action]
"""Gives an order with some faces; None leaves the dice to the service."""


class Dice(Protocol):
    """Where the dice of orders come from."""

    def give(self, seat: str, give: Give) -> Action:
        """Give an order of a seat, with all the faces that it needs."""

    def fault(self, action: Action) -> str:
        """What is wrong with the dice of an action that is in the ledger; empty if nothing is."""


class ServiceDice:
    """The service draws from the session's seed."""

    def give(self, seat: str, give: Give) -> Action:
        """One call."""
        del seat
        return give(None)

    def fault(self, action: Action) -> str:
        """Whoever holds a seat's token could bring faces, or a nonce that changes the draws."""
        if action.rolls and action.dice_source != DICE_SOURCE_SEEDED:
            return "it brought dice of its own"
        return "it sent a nonce, which changes the dice" if action.HasField("client_nonce") else ""


class DuplicateDice:
    """Faces dealt by purpose. One for each session.

    Args:
        group: What they follow from: bouts with the same one meet the same faces.
    """

    def __init__(self, group: str) -> None:
        self._group = group
        self._thrown: Counter[tuple[str, str]] = Counter()

    def give(self, seat: str, give: Give) -> Action:
        """A call for each throw that is asked for, and one more."""
        faces: list[int] = []
        thrown = self._thrown.copy()
        while True:
            try:
                action = give(faces)
            except RollRequired as wanted:
                nth = thrown[seat, wanted.purpose]
                thrown[seat, wanted.purpose] += 1
                faces += faces_for(self._group, seat, wanted.purpose, nth, wanted.dice)
            else:
                # Only now: a refused order throws nothing.
                self._thrown = thrown
                return action

    def fault(self, action: Action) -> str:
        """None: every order goes through the runner."""
        del action
        return ""


def faces_for(
    group: str, seat: str, purpose: str, nth: int, sides: Sequence[int]
) -> tuple[int, ...]:
    """The faces of one throw.

    Args:
        nth: How many throws of this seat for this purpose came before in the game.
        sides: Of each die, 2 to 256.
    """
    stream = _bytes("\0".join((LABEL, group, seat, purpose, str(nth))))
    return tuple(_face(stream, one) for one in sides)


def _bytes(label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hashlib.sha256(f"{label}\0{block}".encode()).digest()
        block += 1


def _face(stream: Iterator[int], sides: int) -> int:
    fair = 256 - 256 % sides
    return next(byte for byte in stream if byte < fair) % sides + 1
