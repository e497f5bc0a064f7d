"""Whatever went wrong, as one line, an exit code, and plain data for machines."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from typer.exceptions import TyperException

from guncamera.cli.console import REFUSED, USAGE, Failure, one_line
from guncamera.rules.refusal import Malformed, Refusal, VerbNotInRuleset

_WRONG_USAGE = (Malformed, VerbNotInRuleset)


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong.

    Attributes:
        line: For a person.
        exit_code: 1 where the rules or the service refuse, 2 where the call is wrong.
        plain: For a machine.
    """

    line: str
    exit_code: int
    plain: dict[str, Any]


def fault_of(error: Exception) -> Fault:
    """What an exception comes to. One that nobody foresaw is a fault of ours, in one line too."""
    if isinstance(error, Refusal):
        return _refused(error)
    if isinstance(error, Failure):
        return _fault(str(error), error.exit_code, "FAILED")
    if isinstance(error, TyperException):
        message = error.format_message().rstrip(".")
        return _fault(f"{message}. --help says more.", error.exit_code, "USAGE")
    found = _of_the_client(error) or _of_a_tournament(error)
    if found is not None:
        return found
    return _fault(
        f"INTERNAL: {type(error).__name__}: {error}. This is a fault of ours, please report it; "
        "python -X dev -m guncamera … shows where.",
        REFUSED,
        "INTERNAL",
    )


def _fault(message: str, exit_code: int, reason: str) -> Fault:
    line = one_line(message)
    return Fault(line, exit_code, {"reason": reason, "message": line})


def _refused(refusal: Refusal) -> Fault:
    violations = refusal.violations if isinstance(refusal, Malformed) else ()
    message = one_line(refusal.message)
    if len(violations) > 1:
        listed = "; ".join(f"{v.field}: {v.description}" for v in violations)
        message = f"{len(violations)} fields are wrong: {listed}"
    by_rule = f" ({refusal.rule_id})" if refusal.rule_id else ""
    plain: dict[str, Any] = {
        "reason": refusal.reason,
        "rule_id": refusal.rule_id,
        "message": one_line(refusal.message),
        "fields": [{"field": v.field, "description": v.description} for v in violations],
        "facts": dict(refusal.facts),
    }
    return Fault(
        f"{refusal.reason}{by_rule}: {message}",
        USAGE if isinstance(refusal, _WRONG_USAGE) else REFUSED,
        plain,
    )


def _of_the_client(error: Exception) -> Fault | None:
    if "guncamera_client" not in sys.modules:  # then none of its errors can be about
        return None
    from guncamera_client import GuncameraError, InputInvalid, RulesetUnknown, ServiceNotStarted

    if isinstance(error, ServiceNotStarted):
        return _fault(str(error), REFUSED, "SERVICE_NOT_STARTED")
    if not isinstance(error, GuncameraError):
        return None
    by_rule = f" ({error.rule_id})" if error.rule_id else ""
    fault = _fault(
        f"{error.reason}{by_rule}: {error.message}",
        USAGE if isinstance(error, InputInvalid | RulesetUnknown) else REFUSED,
        error.reason,
    )
    fault.plain.update(rule_id=error.rule_id, message=one_line(error.message))
    return fault


def _of_a_tournament(error: Exception) -> Fault | None:
    if "guncamera_tournament.faults" not in sys.modules:
        return None
    from guncamera_tournament.faults import EventBroken, TournamentError

    if not isinstance(error, TournamentError):
        return None
    is_broken = isinstance(error, EventBroken)
    reason = "EVENT_BROKEN" if is_broken else "EVENT_INVALID"
    return _fault(f"{reason}: {error}", REFUSED if is_broken else USAGE, reason)
