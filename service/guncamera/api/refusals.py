"""What the transports themselves refuse: an unknown caller, no such route, not JSON, our faults."""

from __future__ import annotations

from guncamera.rules.refusal import Refusal


class CallerUnknown(Refusal):
    """The service asks for a key or a seat's token, and the caller shows none that holds."""

    reason = "CALLER_UNKNOWN"


class ScopeMissing(Refusal):
    """The caller's key does not go far enough for this call."""

    reason = "SCOPE_MISSING"


class RouteNotFound(Refusal):
    """No call has this path."""

    reason = "ROUTE_NOT_FOUND"


class MethodNotAllowed(Refusal):
    """The path exists, but not for this HTTP method. `allowed` lists those it has."""

    reason = "METHOD_NOT_ALLOWED"

    def __init__(self, message: str, *, allowed: str) -> None:
        super().__init__(message, allowed=allowed)
        self.allowed = allowed


class BodyTooLarge(Refusal):
    """The body is larger than the call takes."""

    reason = "BODY_TOO_LARGE"


class BodySlow(Refusal):
    """The body did not come in time."""

    reason = "BODY_SLOW"


class BodiesFull(Refusal):
    """As much of large bodies is held as may be. `retry_after_seconds` says when to come back."""

    reason = "BODIES_FULL"
    retry_after_seconds = 1


class MediaTypeUnsupported(Refusal):
    """The body is not declared as JSON."""

    reason = "MEDIA_TYPE_UNSUPPORTED"


class RateLimited(Refusal):
    """A limit is used up. `retry_after_seconds` says when its window is over.

    Args:
        policy: `key`, `session`, `creates` or `flood`.
        subject: Whose limit it is: `sessions/red-baron`.
        limit: So many in a window.
        remaining: Fewer than the call would have used.
    """

    reason = "RATE_LIMITED"

    def __init__(
        self,
        *,
        policy: str,
        subject: str,
        limit: int,
        window_seconds: int,
        remaining: int,
        reset_seconds: int,
    ) -> None:
        super().__init__(
            f"The limit `{policy}` of {limit} in {window_seconds} seconds is used up. Come back in "
            f"{reset_seconds} seconds; `/v1/quota` says how it stands.",
            policy=policy,
            limit=limit,
            window_seconds=window_seconds,
            remaining=remaining,
            reset_seconds=reset_seconds,
        )
        self.policy = policy
        self.subject = subject
        self.limit = limit
        self.retry_after_seconds = reset_seconds


class ReceiptNotReady(Refusal):
    """A receipt takes more calls to be made. `retry_after_seconds` says when to make the next."""

    reason = "RECEIPT_NOT_READY"
    retry_after_seconds = 1


class NotReady(Refusal):
    """Something the service needs is missing."""

    reason = "NOT_READY"
    retry_after_seconds = 5


class Internal(Refusal):
    """A fault of ours. Says nothing but the id to quote."""

    reason = "INTERNAL"

    def __init__(self, request_id: str) -> None:
        super().__init__(
            f"Something broke on our side; it is not your request. Quote {request_id}.",
            request_id=request_id,
        )
