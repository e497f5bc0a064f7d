"""Dice dealt from a list of faces: thrown by players at a table, or read back from a ledger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from guncamera.rules.dice import Ask, Roll, Throw
from guncamera.rules.refusal import RollInvalid, RollRequired

V = TypeVar("V")


class DealtDice:
    """Deals faces in order and remembers them by purpose in `rolls`."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._next = 0
        self.rolls: list[Roll] = []

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """Deal the ask's dice; see `Dice.roll`."""
        faces = self._faces[self._next : self._next + len(ask.dice)]
        for at, (face, sides) in enumerate(zip(faces, ask.dice), start=self._next):
            if not 1 <= face <= sides:
                raise RollInvalid(
                    f"Face {face} for {ask.purpose} is not on a d{sides}; give 1 to {sides}"
                    f"{', and 10 for the 0 that some show' if (face, sides) == (0, 10) else ''}.",
                    rule_id=ask.rule_id,
                    field=f"dice.supplied.faces[{at}]",
                    face=face,
                    sides=sides,
                    purpose=ask.purpose,
                )
        if len(faces) < len(ask.dice):
            raise RollRequired(ask)
        self._next += len(ask.dice)
        self.rolls.append(Roll(ask.purpose, ask.dice, faces))
        return Throw(ask.read(faces), faces)

    def close(self) -> None:
        """Refuse faces that no rule asked for.

        Raises:
            RollInvalid: Faces are left over.
        """
        left = len(self._faces) - self._next
        if left:
            surplus = "1 supplied face was" if left == 1 else f"{left} supplied faces were"
            way_out = (
                f"the ruling used {self._next}. Supply only the dice asked for, in order."
                if self._next
                else "no dice are thrown here. Leave `dice` out, or supply no faces."
            )
            raise RollInvalid(
                f"{surplus} not asked for; {way_out}",
                field=f"dice.supplied.faces[{self._next}]",
                left=left,
                used=self._next,
            )
