"""Undos of a film, judged again: each must have been allowed, and agreed to by who had to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from guncamera.sessions.session import Entry, Record, State, Undone
from guncamera.sessions.undoing import (
    Note,
    amid_reveal,
    check_target,
    needed_seats,
    note_on,
    state_after,
    summary_of,
)


class Retaken:
    """What undos ask about the entries before them.

    Args:
        first: The opening state.
        entries: Of the whole film: states are kept for its undos, and none where it has none.
    """

    def __init__(self, record: Record, first: State, entries: Iterable[Entry]) -> None:
        self._record = record
        self._wanted = {one.to_revision for one in entries if isinstance(one, Undone)}
        self._states = {0: first}
        self._notes: list[Note] = []

    def keep(self, entry: Entry, before: State, after: State) -> None:
        """Go past an entry, which led from one state to another."""
        if not self._wanted:
            return
        self._notes.append(note_on(self._record, before, entry, after))
        if entry.revision in self._wanted:
            self._states[entry.revision] = after

    def undo(self, undone: Undone, number: int, before: State) -> tuple[Undone, State]:
        """An undo judged again, and the state it leads to.

        Raises:
            Refusal: It was not allowed there.
        """
        back = check_target(before.undos, number - 1, undone.to_revision)
        if back and not self._notes[back - 1].is_whole:
            raise amid_reveal(back)
        agreed = needed_seats(self._record, undone.seat, self._notes[back:])
        again = replace(
            undone,
            revision=number,
            agreed_seats=agreed,
            summary=summary_of(number, back, agreed),
            rules_version=self._record.book.rules_version,
        )
        return again, state_after(self._record, before, again, self._states)
