"""Every refusal as an exception of its own: catch the class, read its fields.

All of them are `GuncameraError`. A reason that this version of the client does not know is a
plain `GuncameraError` that keeps the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from guncamera.v1.dice_pb2 import RollRequired as RollRequiredMessage
from guncamera.v1.problem_pb2 import Problem
from guncamera.v1.session_service_pb2 import LegalOrder, Session


@dataclass(frozen=True, slots=True)
class Violation:
    """One field of a request that is wrong.

    Attributes:
        field: Its path in the request: `facts.kettering.range_hexes`.
        description: What is wrong with it.
        rule_id: The rule that says so; empty where none does.
    """

    field: str
    description: str
    rule_id: str = ""


class GuncameraError(Exception):
    """The service refused a call, or could not be asked.

    Attributes:
        reason: What programs branch on: `ACTION_ILLEGAL`.
        message: What is wrong, what the rule says, what to do.
        rule_id: The rule that speaks: `KET-7.1`; empty where none does.
        facts: Every value that the message mentions, by name.
        violations: The fields that are wrong.
        request_id: What to quote to whoever runs the service; empty if it said none. It is not
            the `request_id` that makes a call safe to repeat.
        retry_after_seconds: When the service wants to be asked again; None if it did not say.
    """

    reasons: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        rule_id: str = "",
        facts: Mapping[str, str] | None = None,
        violations: Sequence[Violation] = (),
        request_id: str = "",
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or (self.reasons[0] if self.reasons else "")
        self.rule_id = rule_id
        self.facts = dict(facts or {})
        self.violations = tuple(violations)
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    def _read(self, problem: Problem) -> None:
        """Take what only this class carries."""


class InputInvalid(GuncameraError):
    """Nonsense in any state: a missing, unknown or out-of-range value. See `violations`."""

    reasons = ("INPUT_INVALID",)


class RollInvalid(InputInvalid):
    """Supplied faces that the dice cannot show, or more faces than were asked for."""

    reasons = ("ROLL_INVALID",)


class FilmInvalid(InputInvalid):
    """A film whose rulings do not come out as recorded."""

    reasons = ("FILM_INVALID",)


class IllegalOrder(GuncameraError):
    """Against a rule, here and now. `rule_id` says which.

    Attributes:
        nearest: What may be ordered instead, the nearest first, if the call had a
            `nearest_count`; each can be given to `give_order` or `seal_order` as it is.
    """

    reasons = ("ACTION_ILLEGAL",)
    nearest: tuple[LegalOrder, ...] = ()

    def _read(self, problem: Problem) -> None:
        # The two messages have the same fields.
        orders = (one.SerializeToString() for one in problem.nearest.orders)
        self.nearest = tuple(map(LegalOrder.FromString, orders))


class PhaseClosed(IllegalOrder):
    """The order belongs to another phase of the turn."""

    reasons = ("PHASE_CLOSED",)


class RollRequired(GuncameraError):
    """The supplied faces ran out: throw `dice`, add the faces, repeat the call.

    Attributes:
        dice: Sides of each die to throw: (6, 6) is 2d6.
        purpose: What to roll for: `to-hit`.
        reading: How the rule reads the faces, in words.
    """

    reasons = ("ROLL_REQUIRED",)
    dice: tuple[int, ...] = ()
    purpose: str = ""
    reading: str = ""

    def _read(self, problem: Problem) -> None:
        wanted: RollRequiredMessage = problem.roll_required
        self.dice = tuple(wanted.sides)
        self.purpose = wanted.purpose or self.facts.get("purpose", "")
        self.reading = wanted.reading
        self.rule_id = self.rule_id or wanted.rule_id


class StaleState(GuncameraError):
    """The session has moved on since the etag was read: read it again, then decide again.

    Attributes:
        etag: The session's etag now.
    """

    reasons = ("ETAG_MISMATCH",)

    @property
    def etag(self) -> str:
        """The session's etag now; empty if the service did not say."""
        return self.facts.get("etag", "")


class RulesVersionChanged(GuncameraError):
    """The rules in force are not those the caller, or the session, is pinned to."""

    reasons = ("RULES_VERSION_CHANGED",)


class VariantChanged(RulesVersionChanged):
    """The variant that a session is played by is not there, or is another one of its name."""

    reasons = ("VARIANT_CHANGED",)


class VariantUnknown(GuncameraError):
    """The service offers no variant of this name for the rule set."""

    reasons = ("VARIANT_UNKNOWN",)


class VerbNotInRuleset(GuncameraError):
    """The rule set has no such verb."""

    reasons = ("VERB_NOT_IN_RULESET",)


class OddsTooLarge(GuncameraError):
    """Exact odds would take more runs of the rule than are allowed. Waiting does not help."""

    reasons = ("ODDS_TOO_LARGE",)


class RulesetUnknown(GuncameraError):
    """There is no such rule set."""

    reasons = ("RULESET_UNKNOWN",)


class TableNotFound(GuncameraError):
    """The rule set has no such table."""

    reasons = ("TABLE_NOT_FOUND",)


class SessionNotFound(GuncameraError):
    """No session has this id, or it has expired."""

    reasons = ("SESSION_NOT_FOUND",)


class ActionNotFound(GuncameraError):
    """The ledger has no such action."""

    reasons = ("ACTION_NOT_FOUND",)


class SessionExists(GuncameraError):
    """The session id is taken."""

    reasons = ("SESSION_EXISTS",)


class SessionFinished(GuncameraError):
    """The game is over."""

    reasons = ("SESSION_FINISHED",)


class SeatTaken(GuncameraError):
    """The seat has been claimed."""

    reasons = ("SEAT_TAKEN",)


class SeatUnknown(GuncameraError):
    """The token is no seat's token."""

    reasons = ("SEAT_UNKNOWN",)


class CallerUnknown(GuncameraError):
    """The service asks for a key or a seat's token, and this client's is none, or no more."""

    reasons = ("CALLER_UNKNOWN",)


class ScopeMissing(GuncameraError):
    """This client's key does not go far enough for the call.

    Attributes:
        scope: The scope that does.
    """

    reasons = ("SCOPE_MISSING",)

    @property
    def scope(self) -> str:
        """The scope that does; empty if the service did not say."""
        return self.facts.get("scope", "")


class SeatForbidden(GuncameraError):
    """The seat is claimed, and this client does not hold its token."""

    reasons = ("SEAT_FORBIDDEN",)


class SeatNotActive(GuncameraError):
    """The seat may not act now."""

    reasons = ("SEAT_NOT_ACTIVE",)


class SealRequired(GuncameraError):
    """The order is to be sealed in this phase: give it to `seal_order`."""

    reasons = ("SEAL_REQUIRED",)


class NothingToSeal(GuncameraError):
    """Orders are given openly now, or those of another verb are sealed."""

    reasons = ("NOTHING_TO_SEAL",)


class UndoNeedsAgreement(GuncameraError):
    """Not to be taken back by one seat alone; `facts["cause"]` says why. Ask `by_agreement`."""

    reasons = ("UNDO_NEEDS_AGREEMENT",)


class UndoImpossible(GuncameraError):
    """Not to be taken back, whoever agrees; `facts["cause"]` says why."""

    reasons = ("UNDO_IMPOSSIBLE",)


class SecretsKept(GuncameraError):
    """A film would show what is still hidden. Export it later, at the latest when it is over."""

    reasons = ("SECRETS_KEPT",)


class RevealNotDue(GuncameraError):
    """The seats have time left to seal. Come back after `retry_after_seconds`."""

    reasons = ("REVEAL_NOT_DUE",)


class NoSealDeadline(GuncameraError):
    """Orders are revealed only once every active seat has sealed one."""

    reasons = ("NO_SEAL_DEADLINE",)


class RequestIdReused(GuncameraError):
    """The request id was used before, with another body."""

    reasons = ("REQUEST_ID_REUSED",)


class LedgerFull(GuncameraError):
    """The ledger holds as many actions as a session may have."""

    reasons = ("LEDGER_FULL",)


class StreamsFull(GuncameraError):
    """Every stream the service allows is open. Come back after `retry_after_seconds`, or poll."""

    reasons = ("STREAMS_FULL",)


class BodiesFull(GuncameraError):
    """The service holds as much of large bodies as it may. Come back after `retry_after_seconds`,
    or send less at once."""

    reasons = ("BODIES_FULL",)


class WatchLost(GuncameraError):
    """A watch cannot go on: what it followed is not there any more. Raised by watches alone.

    Attributes:
        session: The session as it is now: `revision`, board and all.
        cause: `replaced`, it is another one of the same name; `ahead`, it is not that far;
            `behind`, the cursor is too many actions back to be told one by one.
    """

    reasons = ("WATCH_LOST",)
    session: Session = Session()
    cause: str = ""


class RateLimited(GuncameraError):
    """Too many calls; this one was not made. Come back after `retry_after_seconds`.

    Attributes:
        policy: The limit: `key`, `session`, `creates`; empty if a proxy refused.
        limit: So many in a window of time; 0 if nobody said.
        remaining: What is left: fewer than the call would have used.
    """

    reasons = ("RATE_LIMITED",)

    @property
    def policy(self) -> str:
        """The limit; empty if a proxy refused."""
        return self.facts.get("policy", "")

    @property
    def limit(self) -> int:
        """So many in a window of time; 0 if nobody said."""
        return int(self.facts.get("limit", 0))

    @property
    def remaining(self) -> int:
        """What is left; 0 if nobody said."""
        return int(self.facts.get("remaining", 0))


class Unavailable(GuncameraError):
    """The service cannot be reached, or its store cannot. Nothing is wrong with the call.

    A write that ends so may or may not have been made: repeat it with the same `request_id`.
    """

    reasons = ("UNAVAILABLE", "STORE_UNAVAILABLE", "RECEIPT_NOT_READY", "NOT_READY")


class DeadlineExceeded(GuncameraError):
    """No answer came in time. A write that ends so may or may not have been made."""

    reasons = ("DEADLINE_EXCEEDED",)


class ServiceFault(GuncameraError):
    """Something broke in the service. Quote `request_id` to whoever runs it."""

    reasons = ("INTERNAL",)


def _classes(root: type[GuncameraError]) -> list[type[GuncameraError]]:
    return [root, *(found for child in root.__subclasses__() for found in _classes(child))]


_CLASS_OF_REASON: dict[str, type[GuncameraError]] = {
    reason: found for found in _classes(GuncameraError) for reason in found.reasons
}


def class_of_reason(reason: str) -> type[GuncameraError]:
    """The exception that stands for a reason; `GuncameraError` for one that is unknown."""
    return _CLASS_OF_REASON.get(reason, GuncameraError)


def error_from(
    problem: Problem, *, request_id: str = "", retry_after_seconds: float | None = None
) -> GuncameraError:
    """A problem as the exception that a call of its own would have raised.

    Args:
        problem: From one result of `batch_resolve`, for example.
        request_id: What to quote to whoever runs the service.
        retry_after_seconds: When the service wants to be asked again.

    Returns:
        The exception, to be raised or read.

    Example:
        >>> error_from(Problem(reason="SEAT_TAKEN", detail="The seat is taken.")).message
        'The seat is taken.'
    """
    facts = dict(problem.metadata)
    violations = [Violation(v.field, v.description, v.rule_id) for v in problem.violations]
    rule_ids = {violation.rule_id for violation in violations}
    only_rule_id = rule_ids.pop() if len(rule_ids) == 1 else ""
    error = class_of_reason(problem.reason)(
        problem.detail,
        reason=problem.reason,
        rule_id=problem.rule_id or only_rule_id,
        facts=facts,
        violations=violations,
        request_id=request_id or facts.get("request_id", ""),
        retry_after_seconds=retry_after_seconds,
    )
    error._read(problem)
    return error
