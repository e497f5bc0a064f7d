"""The dice of one ruling: given on the command line, typed in as they fall, or drawn."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Any

from guncamera.cli.console import Failure, error_console
from guncamera.rules.book import AnyBook
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask
from guncamera.rules.refusal import RollRequired
from guncamera.rules.ruleset import Procedure
from guncamera.sessions.entropy import SystemDice
from guncamera.sessions.resolution import Resolved, resolve
from guncamera.sessions.session import DiceSource


class Roll(StrEnum):
    """Who throws dice that are not on the command line."""

    ASK = "ask"
    DRAW = "draw"


def faces_of(text: str) -> tuple[int, ...]:
    """Faces as written: `3 5 2`, or with commas.

    Raises:
        Failure: One is not a number.
    """
    parts = text.replace(",", " ").split()
    wrong = [part for part in parts if not (part.isascii() and part.isdigit() and len(part) < 6)]
    if wrong:
        raise Failure(f"--dice: {wrong[0]!r} is not the face of a die; write 3 5 2.")
    return tuple(int(part) for part in parts)


def throw(
    procedure: Procedure, facts: Any, book: AnyBook, *, dice: str | None, roll: Roll | None
) -> Resolved:
    """Rule on facts.

    Args:
        dice: Faces that were thrown, in order; None where none were yet.
        roll: Who throws the rest. Left out: nobody if `dice` are given, a person at a terminal,
            and else the system.

    Raises:
        RollRequired: The faces run out, and nobody throws the rest.
    """
    if dice is not None and roll is Roll.DRAW:
        raise Failure("--dice and --roll draw exclude each other; leave one of them out.")
    faces = None if dice is None else faces_of(dice)
    if roll is None and dice is None:
        roll = Roll.ASK if sys.stdin.isatty() else Roll.DRAW
    if roll is Roll.ASK:
        faces = ask_for_faces(procedure, facts, book, faces or ())
    return resolve(procedure, facts, book, faces=faces, drawn=SystemDice, source=DiceSource.DRAWN)


def ask_for_faces(
    procedure: Procedure,
    facts: Any,
    book: AnyBook,
    faces: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """Run the rule again and again, each time with the dice it asked for and a person threw.

    Prompts go to standard error, so that standard output holds the ruling and nothing else.

    Raises:
        Failure: The input ends before the dice do.
    """
    out = error_console()
    told = -1
    known = len(faces)
    while True:
        dealt = DealtDice(faces)
        try:
            procedure.rule(facts, book, dealt)
        except RollRequired as needed:
            ask = needed.ask
        else:
            return faces
        used = sum(len(roll.faces) for roll in dealt.rolls)
        if told != used:
            out.print(
                f"Roll {ask.notation()} for {ask.purpose}, read as {ask.read.describe()} "
                f"({ask.rule_id})."
            )
            told = used
        faces = _one_more(ask, faces, used, known)


def _one_more(ask: Ask[Any], faces: tuple[int, ...], used: int, known: int) -> tuple[int, ...]:
    """The faces with one more die, or with the last one taken back."""
    out = error_console()
    at = len(faces) - used
    sides = ask.dice[at]
    out.print(f"  die {at + 1} of {len(ask.dice)}, d{sides}: ", end="")
    line = sys.stdin.readline()
    if not line:
        out.print()
        raise Failure(
            f"The input ended, and d{sides} for {ask.purpose} is still to be thrown.", exit_code=1
        )
    word = line.strip().lower()
    if word in ("back", "b") and len(faces) > known:
        return faces[:-1]
    if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= sides:
        return (*faces, int(word))
    out.print(f"    {line.strip()!r} is not on a d{sides}; give 1 to {sides}, or back.")
    return faces
