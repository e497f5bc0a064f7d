"""Where a game that was played would be ruled otherwise: by other tables or by a new version.

The orders and the faces are those of the film, so the first step that comes out otherwise is due to
the rules. What comes after it happened on another board, and says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from guncamera.rules.book import AnyBook
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Refusal, RollInvalid, RollRequired
from guncamera.rules.ruling import Ruling
from guncamera.sessions.books import ruled
from guncamera.sessions.film import Film, Step, steps_of
from guncamera.sessions.session import Action, Entry, Record

_RULED = ("outcome", "events", "rolls")
_RULED_UNDONE = ("to_revision", "agreed_seats")
_TOLD = ("trace", "summary")
_TOLD_UNDONE = ("summary",)


class Verdict(StrEnum):
    """How far apart a film and its new rulings are."""

    ALIKE = "alike"
    TOLD = "told"  # the trace or the sentence differs, and nothing that happened
    RULED = "ruled"


@dataclass(frozen=True, slots=True)
class Parting:
    """A step that comes out otherwise.

    Attributes:
        revision: Of the action; that of the last where only the game's result differs.
        what: The first part that differs: `outcome`, `events`, `rolls`, `trace`, `summary`; or
            `dice` where other dice are asked for than fell, `ruling` where the order is refused,
            or `result`.
        again: The new ruling; a refusal where there is none, as when more dice are wanted.
    """

    revision: int
    what: str
    filmed: Entry
    again: Entry | Ruling[Any] | Refusal


@dataclass(frozen=True, slots=True)
class Divergence:
    """A film under other rules: the first step told otherwise, and the first ruled otherwise."""

    told: Parting | None = None
    ruled: Parting | None = None

    @property
    def worst(self) -> Parting | None:
        """What a person wants to know first; None where all is alike."""
        return self.ruled or self.told

    @property
    def verdict(self) -> Verdict:
        """How far apart they are in all."""
        if self.ruled:
            return Verdict.RULED
        return Verdict.TOLD if self.told else Verdict.ALIKE


def diverge(film: Film, book: AnyBook) -> Divergence:
    """Rule on a film's orders under another book, up to the first that is ruled otherwise.

    Args:
        book: With the settings that the game is to be ruled under.

    Raises:
        Refusal: The game cannot even be set up under that book.
    """
    told: Parting | None = None
    step: Step | None = None
    record = replace(film.record, book=book)
    for step in steps_of(replace(film, record=record)):
        if isinstance(step.again, Refusal):
            return Divergence(told, _refused(record, step, step.again))
        acted = isinstance(step.entry, Action)
        ruled = _first(step.entry, step.again, _RULED if acted else _RULED_UNDONE)
        if ruled:
            return Divergence(told, Parting(step.number, ruled, step.entry, step.again))
        what = _first(step.entry, step.again, _TOLD if acted else _TOLD_UNDONE)
        if what and told is None:
            told = Parting(step.number, what, step.entry, step.again)
    if step is not None and step.state.result != film.result:
        assert not isinstance(step.again, Refusal)
        return Divergence(told, Parting(step.number, "result", step.entry, step.again))
    return Divergence(told)


def _refused(record: Record, step: Step, refusal: Refusal) -> Parting:
    entry = step.entry
    if not isinstance(refusal, RollInvalid | RollRequired) or not isinstance(entry, Action):
        return Parting(step.number, "ruling", entry, refusal)
    again: Ruling[Any] | Refusal = refusal
    if "left" in refusal.facts:  # there is a ruling, and it needs fewer dice than fell
        found, board = record.ruleset, step.state.board
        facts = found.survey(board, entry.seat, entry.verb, entry.order, record.book)
        dice = DealtDice(face for roll in entry.rolls for face in roll.faces)
        again = ruled(found.procedure(entry.verb), facts, record.book, dice)
    return Parting(step.number, "dice", entry, again)


def _first(filmed: Entry, again: Entry, names: Sequence[str]) -> str:
    return next((one for one in names if getattr(filmed, one) != getattr(again, one)), "")
