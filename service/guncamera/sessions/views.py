"""What one seat may see. Every board, action and event leaves the service through here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guncamera.sessions.session import Action, Session


def board_for(session: Session, seat: str | None) -> Any:
    """The rule set's view of the board for a seat; None is a spectator."""
    record = session.record
    return record.ruleset.view_for(session.state.board, seat, record.book)


def action_for(session: Session, action: Action, seat: str | None) -> Action:
    """An action with only the events that a seat may see."""
    events = session.record.ruleset.events_for(action.events, seat)
    return action if events == action.events else replace(action, events=events)


def revealed_seed(session: Session, seed: bytes) -> str:
    """A seed in hexadecimal once the session is over, else nothing."""
    return seed.hex() if session.finished else ""
