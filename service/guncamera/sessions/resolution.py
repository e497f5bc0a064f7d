"""One ruling: dice chosen, the rule run, the faces kept. Shared by sessions and stateless calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from guncamera.rules.book import AnyBook
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Dice, Roll
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Procedure
from guncamera.rules.ruling import Ruling
from guncamera.rules.straight_line import quick
from guncamera.sessions.books import ruled
from guncamera.sessions.session import DiceSource

MAX_SUPPLIED_FACES = 100


class RememberingDice(Dice, Protocol):
    """Dice that keep what they threw."""

    rolls: list[Roll]


@quick
@dataclass(frozen=True, slots=True)
class Resolved:
    """A ruling with the dice that fell for it; `dice_source` is None where none fell."""

    ruling: Ruling[Any]
    rolls: tuple[Roll, ...]
    dice_source: DiceSource | None


def resolve(
    procedure: Procedure,
    facts: Any,
    book: AnyBook,
    *,
    faces: tuple[int, ...] | None,
    drawn: Callable[[], RememberingDice],
    source: DiceSource,
) -> Resolved:
    """Rule on facts.

    Args:
        faces: What the players threw; None to draw.
        drawn: Makes the dice to draw from; only called when `faces` is None.
        source: What drawn dice are called in the ledger.

    Raises:
        RollRequired: More faces are needed.
        RollInvalid: A face is not on its die, or faces are left over.
        Illegal, Malformed: The rule refuses; no dice were drawn.
    """
    if faces is None:
        dice = drawn()
        ruling = ruled(procedure, facts, book, dice)
        rolls = dice.rolls
    else:
        check_faces(faces)
        dealt = DealtDice(faces)
        ruling = ruled(procedure, facts, book, dealt)
        dealt.close()
        rolls, source = dealt.rolls, DiceSource.SUPPLIED
    return Resolved(ruling, tuple(rolls), source if rolls else None)


def check_faces(faces: tuple[int, ...]) -> None:
    """Refuse more faces than any ruling could use.

    Raises:
        Malformed: There are too many.
    """
    if len(faces) > MAX_SUPPLIED_FACES:
        raise Malformed(
            f"{len(faces)} faces; at most {MAX_SUPPLIED_FACES} are taken.",
            field="dice.supplied.faces",
            faces=len(faces),
        )
