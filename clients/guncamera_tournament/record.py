"""One finished game. It tells nothing of clocks or machines."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any, Self

FINISHED = "finished"
LENGTH = "length"
_FORFEIT = "forfeit: "


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One session that was played out.

    Attributes:
        seats: The pilot of each seat, by name.
        turns: The last turn, as the rule set counts; 0 where it counts none.
        actions: How many the ledger holds.
        rolls: How many throws there were.
        result: The session's own sentence; empty if it did not end.
        film: The film's file, within the event's folder; empty if films are not kept.
        film_sha256: Of the film's bytes, in hexadecimal.
    """

    seats: dict[str, str]
    turns: int
    actions: int
    rolls: int
    result: str
    film: str
    film_sha256: str


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game of two pilots.

    Where a rule set seats one pilot only, each plays the same setup with the same dice on a board
    of its own, and the higher score wins.

    Attributes:
        bout: Its id: `r001-p0002-g003-a`. Ids in alphabetical order are in order of play.
        round, pairing, game: From 1. The two bouts of one game have the sides swapped.
        setup: The setup's name.
        settings: House readings that differ from the defaults.
        dice: `seeded` or `duplicate`.
        dice_group: Bouts of the same group meet the same dice.
        pilots: Names, who has the first side first.
        points: 1, 0.5 or 0 of each pilot, by name.
        scores: Of each pilot, as the rule set counts, by name; empty where it counts none.
        winner: A name; empty in a draw.
        reason: `finished`, `length`, or `forfeit: timeout` and its like.
        losers: Whose fault a forfeit was; with a board each, it may be both.
        detail: What a forfeit was about, in one line.
        boards: One, or with one seat only one for each pilot.
    """

    bout: str
    round: int
    pairing: int
    game: int
    ruleset: str
    rules_version: int
    setup: str
    settings: dict[str, Any]
    dice: str
    dice_group: str
    pilots: tuple[str, str]
    points: dict[str, float]
    scores: dict[str, int]
    winner: str
    reason: str
    losers: tuple[str, ...]
    detail: str
    boards: tuple[BoardRecord, ...]

    @property
    def is_forfeit(self) -> bool:
        """Whether somebody lost it by misconduct."""
        return self.reason.startswith(_FORFEIT)

    @property
    def turns(self) -> int:
        """Turns of all boards."""
        return sum(board.turns for board in self.boards)

    @property
    def actions(self) -> int:
        """Actions of all boards."""
        return sum(board.actions for board in self.boards)

    @property
    def rolls(self) -> int:
        """Throws on all boards."""
        return sum(board.rolls for board in self.boards)

    def to_plain(self) -> dict[str, Any]:
        """For JSON. Not a copy: nobody is to change what is in it."""
        plain = _shallow(self)
        plain["boards"] = [_shallow(board) for board in self.boards]
        return plain

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """From `to_plain`."""
        boards = tuple(BoardRecord(**board) for board in plain["boards"])
        lists = {name: tuple(plain[name]) for name in ("pilots", "losers")}
        return cls(**{**plain, **lists, "boards": boards})


def _shallow(value: GameRecord | BoardRecord) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def forfeit(cause: str) -> str:
    """The reason of a game that was lost by misconduct: `forfeit: timeout`."""
    return _FORFEIT + cause


def digest_of(*parts: str | int) -> str:
    """SHA-256 of some labels, in hexadecimal: what all chance of an event comes from."""
    text = "\0".join(str(part) for part in ("guncamera/tournament/v1", *parts))
    return hashlib.sha256(text.encode()).hexdigest()
