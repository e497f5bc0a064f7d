"""THE table: a refusal's reason to a gRPC status, an HTTP status and a problem page.

Nothing else knows status codes. The gRPC column is canonical; the HTTP column is finer than the
canonical mapping, for integrators branch on the status before they read a body: 409 wrong step,
412 stale, 422 against the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from guncamera.api.json_codec import to_plain
from guncamera.api.problem_texts import TEXTS
from guncamera.api.redaction import without_credentials
from guncamera.api.refusals import RateLimited
from guncamera.api.rulings import fill_outcome
from guncamera.rules.refusal import Illegal, Refusal, RollRequired, Violation
from guncamera.v1 import dice_pb2, problem_pb2

DOMAIN = "guncamera"

# grpcio gives up on a status whose metadata outgrows 8 KiB, and sends RESOURCE_EXHAUSTED in its
# place. The details travel in base64 beside the message, which travels percent-encoded.
MAX_DETAIL_BYTES = 4096
MAX_MESSAGE_BYTES = 600
MAX_TEXT_BYTES = 200
MAX_FACTS_BYTES = 1500


@dataclass(frozen=True, slots=True)
class Row:
    """One reason: what programs branch on, and what people read.

    Attributes:
        reason: `SEAT_NOT_ACTIVE`.
        code: The gRPC status.
        http: The HTTP status.
        title: Fixed for the type.
        meaning: What happened.
        advice: What to do about it.
    """

    reason: str
    code: StatusCode
    http: int
    title: str
    meaning: str
    advice: str

    @property
    def slug(self) -> str:
        """The last part of the page's address: `seat-not-active`."""
        return self.reason.lower().replace("_", "-")

    @property
    def code_number(self) -> int:
        """The number of the gRPC status."""
        number: int = self.code.value[0]
        return number


_STATUSES: tuple[tuple[str, StatusCode, int], ...] = (
    ("INPUT_INVALID", StatusCode.INVALID_ARGUMENT, 400),
    ("ROLL_INVALID", StatusCode.INVALID_ARGUMENT, 400),
    ("ODDS_TOO_LARGE", StatusCode.INVALID_ARGUMENT, 400),
    ("FILM_INVALID", StatusCode.INVALID_ARGUMENT, 400),
    ("CALLER_UNKNOWN", StatusCode.UNAUTHENTICATED, 401),
    ("SEAT_UNKNOWN", StatusCode.UNAUTHENTICATED, 401),
    ("SCOPE_MISSING", StatusCode.PERMISSION_DENIED, 403),
    ("SEAT_FORBIDDEN", StatusCode.PERMISSION_DENIED, 403),
    ("RULESET_UNKNOWN", StatusCode.NOT_FOUND, 404),
    ("VARIANT_UNKNOWN", StatusCode.NOT_FOUND, 404),
    ("TABLE_NOT_FOUND", StatusCode.NOT_FOUND, 404),
    ("SESSION_NOT_FOUND", StatusCode.NOT_FOUND, 404),
    ("ACTION_NOT_FOUND", StatusCode.NOT_FOUND, 404),
    ("PHASE_CLOSED", StatusCode.FAILED_PRECONDITION, 409),
    ("SEAT_NOT_ACTIVE", StatusCode.FAILED_PRECONDITION, 409),
    ("SEAL_REQUIRED", StatusCode.FAILED_PRECONDITION, 409),
    ("NOTHING_TO_SEAL", StatusCode.FAILED_PRECONDITION, 409),
    ("SECRETS_KEPT", StatusCode.FAILED_PRECONDITION, 409),
    ("REVEAL_NOT_DUE", StatusCode.FAILED_PRECONDITION, 409),
    ("NO_SEAL_DEADLINE", StatusCode.FAILED_PRECONDITION, 409),
    ("UNDO_NEEDS_AGREEMENT", StatusCode.FAILED_PRECONDITION, 409),
    ("UNDO_IMPOSSIBLE", StatusCode.FAILED_PRECONDITION, 409),
    ("SESSION_FINISHED", StatusCode.FAILED_PRECONDITION, 409),
    ("RULES_VERSION_CHANGED", StatusCode.FAILED_PRECONDITION, 409),
    ("VARIANT_CHANGED", StatusCode.FAILED_PRECONDITION, 409),
    ("LEDGER_FULL", StatusCode.FAILED_PRECONDITION, 409),
    ("SESSION_EXISTS", StatusCode.ALREADY_EXISTS, 409),
    ("SEAT_TAKEN", StatusCode.ALREADY_EXISTS, 409),
    # 412 when the etag came by If-Match: see http_status.
    ("ETAG_MISMATCH", StatusCode.ABORTED, 409),
    ("ACTION_ILLEGAL", StatusCode.FAILED_PRECONDITION, 422),
    ("ROLL_REQUIRED", StatusCode.FAILED_PRECONDITION, 422),
    ("REQUEST_ID_REUSED", StatusCode.INVALID_ARGUMENT, 422),
    ("RATE_LIMITED", StatusCode.RESOURCE_EXHAUSTED, 429),
    ("STREAMS_FULL", StatusCode.RESOURCE_EXHAUSTED, 429),
    ("VERB_NOT_IN_RULESET", StatusCode.UNIMPLEMENTED, 501),
    ("STORE_UNAVAILABLE", StatusCode.UNAVAILABLE, 503),
    ("RECEIPT_NOT_READY", StatusCode.UNAVAILABLE, 503),
    ("NOT_READY", StatusCode.UNAVAILABLE, 503),
    # Of REST only; gRPC has statuses of its own before a call reaches us.
    ("ROUTE_NOT_FOUND", StatusCode.UNIMPLEMENTED, 404),
    ("METHOD_NOT_ALLOWED", StatusCode.UNIMPLEMENTED, 405),
    ("BODY_SLOW", StatusCode.DEADLINE_EXCEEDED, 408),
    ("BODIES_FULL", StatusCode.RESOURCE_EXHAUSTED, 429),
    ("BODY_TOO_LARGE", StatusCode.RESOURCE_EXHAUSTED, 413),
    ("MEDIA_TYPE_UNSUPPORTED", StatusCode.INVALID_ARGUMENT, 415),
    ("INTERNAL", StatusCode.INTERNAL, 500),
)
TABLE: dict[str, Row] = {
    reason: Row(reason, code, http, *TEXTS[reason]) for reason, code, http in _STATUSES
}
BY_SLUG: dict[str, Row] = {row.slug: row for row in TABLE.values()}


def row_of(refusal: Refusal) -> Row:
    """The row of a refusal.

    Raises:
        AssertionError: the table has none; a test holds that there is one for every reason.
    """
    try:
        return TABLE[refusal.reason]
    except KeyError:
        raise AssertionError(f"no row for the reason {refusal.reason}") from None


def http_status(refusal: Refusal, *, etag_is_header: bool = False) -> int:
    """The HTTP status of a refusal."""
    row = row_of(refusal)
    return 412 if row.reason == "ETAG_MISMATCH" and etag_is_header else row.http


def retry_after_seconds(refusal: Refusal) -> int | None:
    """When to come back, where waiting helps."""
    seconds = getattr(refusal, "retry_after_seconds", None)
    return None if seconds is None else max(1, round(seconds))


def problem_of(
    refusal: Refusal,
    *,
    instance: str,
    base_url: str = "",
    request_id: str = "",
    etag_is_header: bool = False,
) -> dict[str, Any]:
    """A refusal as an RFC 9457 problem document."""
    row = row_of(refusal)
    problem: dict[str, Any] = {
        "type": f"{base_url}/problems/{row.slug}",
        "title": row.title,
        "status": http_status(refusal, etag_is_header=etag_is_header),
        "detail": clipped(refusal.message, MAX_MESSAGE_BYTES),
        "instance": clipped(instance, MAX_MESSAGE_BYTES),
        "reason": row.reason,
        "domain": DOMAIN,
        "code": row.code.name,
        "metadata": metadata_of(refusal),
        "request_id": request_id,
    }
    if refusal.rule_id:
        problem["rule_id"] = refusal.rule_id
    violations = violations_of(refusal)
    if violations:
        problem["violations"] = [
            {"field": item.field, "description": item.description, "rule_id": item.rule_id}
            for item in violations
        ]
        problem["violation_count"] = getattr(refusal, "violation_count", len(violations))
    if isinstance(refusal, RollRequired):
        asked = roll_required_of(refusal)
        problem["roll_required"] = {
            "purpose": asked.purpose,
            "sides": list(asked.sides),
            "reading": asked.reading,
            "rule_id": asked.rule_id,
        }
    nearest = nearest_of(refusal)
    if nearest is not None:
        problem["nearest"] = to_plain(nearest)
    return problem


def problem_message(refusal: Refusal) -> problem_pb2.Problem:
    """A refusal as a message, where it cannot be the status of the call."""
    return problem_pb2.Problem(
        reason=row_of(refusal).reason,
        detail=clipped(refusal.message, MAX_MESSAGE_BYTES),
        rule_id=refusal.rule_id,
        violations=[
            problem_pb2.FieldViolation(
                field=item.field, description=item.description, rule_id=item.rule_id
            )
            for item in violations_of(refusal)
        ],
        metadata=metadata_of(refusal),
        roll_required=roll_required_of(refusal) if isinstance(refusal, RollRequired) else None,
        nearest=nearest_of(refusal),
    )


def status_of(refusal: Refusal, *, request_id: str = "") -> status_pb2.Status:
    """A refusal as a gRPC status with standard details, small enough to arrive."""
    row = row_of(refusal)
    status = status_pb2.Status(
        code=row.code_number, message=clipped(refusal.message, MAX_MESSAGE_BYTES)
    )
    metadata = metadata_of(refusal)
    count = getattr(refusal, "violation_count", 0)
    if count:
        metadata["violation_count"] = str(count)
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=row.reason, domain=DOMAIN, metadata=metadata)
    ]
    if request_id:
        details.append(error_details_pb2.RequestInfo(request_id=request_id))
    details.extend(_details_of(refusal))
    for detail in details:
        _add(status, detail)
    bad_request = _bad_request(refusal)
    while bad_request.field_violations:
        if status.ByteSize() + bad_request.ByteSize() <= MAX_DETAIL_BYTES:
            _add(status, bad_request)
            break
        bad_request.field_violations.pop()
    nearest = nearest_of(refusal)
    if nearest is not None:
        _add(status, _fitting(nearest, MAX_DETAIL_BYTES - status.ByteSize()))
    return status


def _fitting(nearest: problem_pb2.NearestOrders, room: int) -> problem_pb2.NearestOrders:
    """As many orders as there is room for, the nearest first; their summaries go before them."""
    if nearest.ByteSize() > room:
        for order in nearest.orders:
            order.ClearField("summary")
    while nearest.orders and nearest.ByteSize() > room:
        nearest.orders.pop()
    return nearest


def _details_of(refusal: Refusal) -> list[Message]:
    details: list[Message] = []
    seconds = retry_after_seconds(refusal)
    if seconds is not None:
        details.append(error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds)))
    if isinstance(refusal, RollRequired):
        details.append(roll_required_of(refusal))
    if isinstance(refusal, RateLimited):
        exceeded = error_details_pb2.QuotaFailure()
        exceeded.violations.add(
            subject=refusal.subject,
            description=clipped(refusal.message, MAX_MESSAGE_BYTES),
            quota_id=refusal.policy,
            quota_value=refusal.limit,
        )
        details.append(exceeded)
    if _is_precondition(refusal):
        failure = error_details_pb2.PreconditionFailure()
        failure.violations.add(
            type=refusal.rule_id,
            subject=clipped(refusal.field, MAX_TEXT_BYTES),
            description=clipped(refusal.message, MAX_MESSAGE_BYTES),
        )
        details.append(failure)
    return details


def _is_precondition(refusal: Refusal) -> bool:
    """Whether a rule forbids it: then its `PreconditionFailure` names the field."""
    return bool(refusal.rule_id) and row_of(refusal).code is StatusCode.FAILED_PRECONDITION


def _bad_request(refusal: Refusal) -> error_details_pb2.BadRequest:
    bad_request = error_details_pb2.BadRequest()
    if not _is_precondition(refusal):
        for item in violations_of(refusal):
            bad_request.field_violations.add(
                field=item.field, description=item.description, reason=_rule_reason(item)
            )
    return bad_request


def _rule_reason(item: Violation) -> str:
    """A rule id in the form that the field `reason` demands: `KET-7.1` is `KET_7_1`."""
    return item.rule_id.replace("-", "_").replace(".", "_")


def _add(status: status_pb2.Status, detail: Message) -> None:
    packed = AnyMessage()
    packed.Pack(detail)
    status.details.append(packed)


def violations_of(refusal: Refusal) -> list[Violation]:
    """The fields that are wrong, at most twenty, each in a few words."""
    found = getattr(refusal, "violations", None)
    if found is None:
        found = (Violation(refusal.field, refusal.message, refusal.rule_id),)
        found = found if refusal.field else ()
    return [
        Violation(
            clipped(item.field, MAX_TEXT_BYTES),
            clipped(item.description, MAX_TEXT_BYTES),
            item.rule_id,
        )
        for item in found
    ]


def roll_required_of(refusal: RollRequired) -> dice_pb2.RollRequired:
    """The dice that a refusal asks for."""
    ask = refusal.ask
    return dice_pb2.RollRequired(
        purpose=ask.purpose, sides=ask.dice, reading=ask.read.describe(), rule_id=ask.rule_id
    )


def nearest_of(refusal: Refusal) -> problem_pb2.NearestOrders | None:
    """What a refusal offers in place of the order; None where nobody asked, or no rule speaks."""
    found = refusal.nearest if isinstance(refusal, Illegal) else None
    if found is None:
        return None
    message = problem_pb2.NearestOrders(compared=found.compared)
    for one in found.orders:
        order = message.orders.add(summary=clipped(one.summary, MAX_TEXT_BYTES))
        fill_outcome(getattr(order, one.verb.value), found.slug, one.order)
    return message


def metadata_of(refusal: Refusal) -> dict[str, str]:
    """Every value that the message mentions, as text, as far as there is room."""
    metadata: dict[str, str] = {}
    room = MAX_FACTS_BYTES
    for name, value in refusal.facts.items():
        text = clipped(_as_text(value), MAX_TEXT_BYTES)
        room -= len(name) + len(text.encode())
        if room < 0:
            break
        metadata[name] = text
    return metadata


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def clipped(text: str, limit: int) -> str:
    """A text cut to so many bytes, and fit for any encoding: it may quote what a caller sent.

    A key or a token that was put in the wrong place is not quoted: errors are passed on and logged.
    """
    data = without_credentials(text).encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    return data[: limit - 3].decode("utf-8", "ignore") + "…"
