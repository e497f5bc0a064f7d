"""Whether a film may say of a seat that it was late to seal, as far as the film itself can tell.

Its order has to be the one that the rule set states, on the board that the seats sealed on, and to
have come when their time was over. A seat that sealed that very order in time leaves the same film
but for the mark: between these two only a receipt can tell.
"""

from __future__ import annotations

from guncamera.sessions.session import Action, Record, State


class Lateness:
    """The reveals of a film, gone through from its first action on."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._begun: State | None = None
        self._left = 0

    def fault(self, before: State, action: Action) -> tuple[str, str] | None:
        """What is wrong with the mark of the next action: what it says, and what it may.

        Args:
            before: The state that the action was ruled on in.
        """
        self._go_on(before, action)
        if not action.by_default:
            return None
        said = f"true of {action.seat}"
        begun, found = self._begun, self._record.ruleset
        if begun is None or found.default_order is None:
            return said, "false, for nothing was sealed there"
        due = begun.changed_micros + self._record.seal_seconds * 1_000_000
        if action.create_micros < due:
            seconds = (due - action.create_micros) / 1_000_000
            return said, f"false, for there were {seconds:g} seconds left to seal"
        if action.order != found.default_order(begun.board, action.seat, self._record.book):
            return said, "false, for the rule set states another order"
        return None

    def _go_on(self, before: State, action: Action) -> None:
        """Know the reveal that an action belongs to: one of each seat that was active."""
        if not self._left:
            verb = self._record.ruleset.sealed_verb(before.board)
            is_reveal = before.result is None and verb is action.verb
            self._begun = before if is_reveal else None
            self._left = len(before.active_seats) if is_reveal else 1
        self._left -= 1
