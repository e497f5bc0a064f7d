"""What can be wrong with an event: one line that names the field, and the way out."""

from __future__ import annotations


class TournamentError(Exception):
    """The event cannot be played as it is asked.

    Attributes:
        field: What is wrong: `pilots[1].spec`; empty where it is no one field.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class EventBroken(TournamentError):
    """A game could not be played, through no pilot's fault. What was played is kept."""
