"""What one seat may see. Every board, action and event leaves the service through here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guncamera.rules.ruleset import Deed
from guncamera.sessions.history import hides_deeds, state_at, taken_back_at
from guncamera.sessions.refusals import SecretsKept
from guncamera.sessions.session import Action, Entry, Session, Undone
from guncamera.sessions.shelf import Shelf


def board_for(session: Session, seat: str | None) -> Any:
    """The rule set's view of the board for a seat; None is a spectator."""
    record = session.record
    return record.ruleset.view_for(session.state.board, seat, record.book)


def entry_for(shelf: Shelf, session: Session, entry: Entry, seat: str | None) -> Entry:
    """What a seat may see of an entry of the ledger now; None is a spectator.

    What was taken back stays as hidden as it was then, for the board of now knows nothing of it.

    Raises:
        RulesVersionChanged: The board of then cannot be made any more.
    """
    if isinstance(entry, Undone) or session.finished or not hides_deeds(session.record.ruleset):
        return entry
    undo = taken_back_at(session.state.undos, entry.revision)
    if undo is not None:
        session = replace(session, state=state_at(shelf, session, undo - 1))
    return _shown(entry, session, seat)


def action_for(session: Session, action: Action, seat: str | None) -> Action:
    """What a seat may see of an action that was just ruled on in a session, or previewed."""
    if session.finished:
        return action
    if taken_back_at(session.state.undos, action.revision) is not None:
        raise AssertionError("what was taken back is shown by `entry_for`")
    return _shown(action, session, seat)


def _shown(action: Action, session: Session, seat: str | None) -> Action:
    deed = Deed(
        action.seat,
        action.verb,
        action.order,
        action.outcome,
        action.trace,
        action.events,
        action.summary,
        action.rolls,
    )
    seen = session.record.ruleset.deed_for(deed, session.state.board, seat)
    if seen is deed:
        return action
    return replace(
        action,
        order=seen.order,
        outcome=seen.outcome,
        trace=seen.trace,
        events=seen.events,
        summary=seen.summary,
        rolls=seen.rolls,
        dice_source=action.dice_source if seen.rolls else None,
        # These came with the order, and are as public as that: the late seat's can be guessed.
        client_nonce=action.client_nonce if seen.order is not None else "",
        by_default=action.by_default and seen.order is not None,
    )


def setup_for(session: Session, seat: str | None) -> Any:
    """What of the set-up a seat may see now; None is a spectator. In a finished game, all of it."""
    record = session.record
    if session.finished:
        return record.setup
    return record.ruleset.setup_for(record.setup, session.state.board, seat)


def check_may_be_filmed(session: Session, seat: str | None) -> None:
    """Refuse a seat a film that would show it what is hidden from it.

    Raises:
        SecretsKept: It would.
    """
    if keeps_secrets(session, seat):
        raise SecretsKept(
            "A film shows everything, and something is still hidden in this game. Export it when "
            "nothing is, at the latest when the game is over.",
        )


def keeps_secrets(session: Session, seat: str | None) -> bool:
    """Whether anything in the ledger is hidden from a seat now; None is a spectator."""
    if session.finished:
        return False
    found, state = session.record.ruleset, session.state
    return (seat or "") in state.kept_from or found.keeps_secrets(state.board, seat)


def revealed_seed(session: Session, seed: bytes) -> str:
    """A seed in hexadecimal once the session is over, else nothing."""
    return seed.hex() if session.finished else ""
