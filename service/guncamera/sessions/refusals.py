"""What the shell refuses beside the rules: absent, stale, taken, not yours, not now."""

from __future__ import annotations

from guncamera.rules.refusal import Malformed, Refusal


class SessionNotFound(Refusal):
    """No session has this id, or it has expired."""

    reason = "SESSION_NOT_FOUND"


class ActionNotFound(Refusal):
    """The ledger has no such action."""

    reason = "ACTION_NOT_FOUND"


class NotOnOffer(Refusal):
    """A rule set has no such table."""

    reason = "TABLE_NOT_FOUND"


class SessionExists(Refusal):
    """The session id is taken."""

    reason = "SESSION_EXISTS"


class SeatTaken(Refusal):
    """The seat has been claimed."""

    reason = "SEAT_TAKEN"


class SeatUnknown(Refusal):
    """The token is no seat's token."""

    reason = "SEAT_UNKNOWN"


class SeatForbidden(Refusal):
    """The seat is claimed, and this caller does not hold its token."""

    reason = "SEAT_FORBIDDEN"


class SeatNotActive(Refusal):
    """The seat may not act now."""

    reason = "SEAT_NOT_ACTIVE"


class SealRequired(Refusal):
    """An order that is to be sealed was given openly."""

    reason = "SEAL_REQUIRED"


class NothingToSeal(Refusal):
    """Orders are given openly now, or those of another verb are sealed."""

    reason = "NOTHING_TO_SEAL"


class SecretsKept(Refusal):
    """A film would show what is still hidden."""

    reason = "SECRETS_KEPT"


class RevealNotDue(Refusal):
    """The time to seal is not over yet. `retry_after_seconds` says when it is."""

    reason = "REVEAL_NOT_DUE"
    retry_after_seconds = 1


class NoSealDeadline(Refusal):
    """Orders are revealed only once every active seat has sealed one."""

    reason = "NO_SEAL_DEADLINE"


class UndoNeedsAgreement(Refusal):
    """Not to be taken back by one seat alone. `facts["cause"]` says why."""

    reason = "UNDO_NEEDS_AGREEMENT"


class UndoImpossible(Refusal):
    """Not to be taken back at all. `facts["cause"]` says why."""

    reason = "UNDO_IMPOSSIBLE"


class SessionFinished(Refusal):
    """The game is over."""

    reason = "SESSION_FINISHED"


class RulesVersionChanged(Refusal):
    """The rules in force are not those the caller, or the session, is pinned to."""

    reason = "RULES_VERSION_CHANGED"


class VariantChanged(RulesVersionChanged):
    """The variant that a game is played by is not here, or is another one of its name."""

    reason = "VARIANT_CHANGED"


class EtagMismatch(Refusal):
    """The session has moved on. `facts["etag"]` is its etag now."""

    reason = "ETAG_MISMATCH"


class RequestIdReused(Refusal):
    """The request id was used before, with another body."""

    reason = "REQUEST_ID_REUSED"


class LedgerFull(Refusal):
    """The ledger holds as many actions as a session may have."""

    reason = "LEDGER_FULL"


class FilmInvalid(Malformed):
    """A film whose rulings do not come out as recorded."""

    reason = "FILM_INVALID"


class StreamsFull(Refusal):
    """Every stream the service allows is open. `retry_after_seconds` says when to come back."""

    reason = "STREAMS_FULL"
    retry_after_seconds = 5


class Unavailable(Refusal):
    """The store cannot be reached. `retry_after_seconds` says when to come back."""

    reason = "STORE_UNAVAILABLE"
    retry_after_seconds = 1
