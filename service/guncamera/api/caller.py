"""Who calls: the token and the request id, read alike from HTTP headers and gRPC metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from guncamera.sessions import entropy

SAFE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
MAX_TOKEN_LENGTH = 512


@dataclass(slots=True)
class AnswerNotes:
    """What an endpoint may tell the transport about its answer, beside the answer itself.

    Attributes:
        replayed: The answer is that of an earlier call with the same `request_id`.
    """

    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """One call's credentials and identity.

    Attributes:
        token: From `Authorization: Bearer …`, or None.
        request_id: Given by the caller in `X-Request-Id`, or made. Safe to log.
        etag_is_header: The etag came by `If-Match`, so a mismatch is 412 and not 409.
        notes: For the endpoint to write on.
    """

    token: str | None
    request_id: str
    etag_is_header: bool = False
    notes: AnswerNotes = field(default_factory=AnswerNotes, compare=False)


def caller_from(headers: Mapping[str, str], *, etag_is_header: bool = False) -> Caller:
    """Read the caller from headers or metadata with lower-case names."""
    return Caller(
        token=_bearer_token(headers.get("authorization", "")),
        request_id=_request_id(headers.get("x-request-id", "")),
        etag_is_header=etag_is_header,
    )


def _bearer_token(authorization: str) -> str | None:
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN_LENGTH:
        return None
    return token


def _request_id(given: str) -> str:
    # An id that is not plain enough for a log line is replaced, never repaired: a repaired one
    # would match nothing on the caller's side.
    return given if SAFE_REQUEST_ID.fullmatch(given) else entropy.new_request_id()
