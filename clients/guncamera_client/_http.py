"""What HTTP says, as messages and errors of ours."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx
from google.api.httpbody_pb2 import HttpBody
from google.protobuf.json_format import Parse, ParseDict, ParseError
from google.protobuf.message import Message
from guncamera.v1.problem_pb2 import Problem

from guncamera_client.errors import DeadlineExceeded, GuncameraError, Unavailable, error_from

M = TypeVar("M", bound=Message)

# Of a problem document, what is a field of `Problem` too.
_KNOWN = (
    "reason", "detail", "rule_id", "violations", "metadata", "roll_required", "nearest",
)  # fmt: skip
UNREADABLE = "ANSWER_UNREADABLE"

# The statuses that have an exception of ours though no service of ours gave a reason: a proxy
# or a load balancer answered.
_REASONS = {
    429: "RATE_LIMITED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def read_answer(answer: httpx.Response, kind: type[M]) -> M:
    """The message that an answer holds.

    Fields that this version does not know are left out: a newer service may send them.

    Raises:
        GuncameraError: it is a refusal, or no answer of this service.
    """
    if not answer.is_success:
        raise error_of(answer)
    if issubclass(kind, HttpBody):
        return kind(content_type=answer.headers.get("Content-Type", ""), data=answer.content)
    if answer.status_code == httpx.codes.NO_CONTENT:
        return kind()
    return read_json(answer.content, kind)


def read_json(text: bytes, kind: type[M]) -> M:
    """A message from JSON, unknown fields left out."""
    if not text.lstrip().startswith(b"{"):  # the parser takes an empty list for a message
        raise _unreadable(kind)
    try:
        return Parse(text, kind(), ignore_unknown_fields=True)
    except (ParseError, UnicodeDecodeError) as error:
        raise _unreadable(kind) from error


def _unreadable(kind: type[Message]) -> GuncameraError:
    return GuncameraError(
        f"The answer is no {kind.DESCRIPTOR.name}. Is this the address of a Guncamera service?",
        reason=UNREADABLE,
    )


def error_of(answer: httpx.Response) -> GuncameraError:
    """A refusal, from its problem document or, failing that, from its status."""
    status = answer.status_code
    plain = _problem_in(answer)
    problem = Problem()
    if "reason" in plain:
        known: dict[str, Any] = {name: plain[name] for name in _KNOWN if name in plain}
        try:
            ParseDict(known, problem, ignore_unknown_fields=True)
        except ParseError:
            problem.Clear()
    if not problem.reason:
        problem.reason = _REASONS.get(status, f"HTTP_{status}")
        problem.detail = (
            f"{answer.request.url} answered {status} {answer.reason_phrase} without a reason."
        )
    return error_from(
        problem,
        request_id=str(plain.get("request_id") or answer.headers.get("X-Request-Id", "")),
        retry_after_seconds=_retry_after(answer.headers.get("Retry-After", "")),
    )


def check_base_url(base_url: str) -> None:
    """Refuse what httpx could never ask."""
    if not base_url.startswith(("http://", "https://")):
        raise ValueError(
            f"{base_url!r} does not say how it is reached: write http://{base_url}, or https:// "
            "where TLS is in front. gRPC's host:port is for Client."
        )


def error_of_transport(
    error: httpx.TransportError | httpx.StreamError, address: str
) -> GuncameraError:
    """What httpx raised because there was no answer."""
    if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
        return DeadlineExceeded(f"The service at {address} did not answer in time.")
    return Unavailable(f"The service at {address} cannot be reached: {error}")


def _problem_in(answer: httpx.Response) -> dict[str, Any]:
    try:
        plain = json.loads(answer.content)
    except ValueError:
        return {}
    return plain if isinstance(plain, dict) else {}


def _retry_after(text: str) -> float | None:
    """Seconds, from either form of Retry-After."""
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
