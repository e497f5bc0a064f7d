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


class MediaTypeUnsupported(Refusal):
    """The body is not declared as JSON."""

    reason = "MEDIA_TYPE_UNSUPPORTED"


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
