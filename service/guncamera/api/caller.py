"""Who calls: the token and the request id, read alike from HTTP headers and gRPC metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from guncamera.api.needs import Need
from guncamera.api.redaction import holds_credential
from guncamera.sessions import entropy
from guncamera.sessions.keys import Scope

if TYPE_CHECKING:  # for what it imports takes long, and is of no use without limits
    from guncamera.sessions.tallies import Use

SAFE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
MAX_TOKEN_LENGTH = 512


@dataclass(slots=True)
class AnswerNotes:
    """What an endpoint may tell the transport about its answer, beside the answer itself.

    Attributes:
        replayed: The answer is that of an earlier call with the same `request_id`.
        ruleset: The slug of the rule set that the call is about, once it is known; for metrics.
        uses: The limits that the call was counted against.
        key_id: The id of the key that was sent, which is no secret; empty for none. For the log.
    """

    replayed: bool = False
    ruleset: str = ""
    uses: tuple[Use, ...] = ()
    key_id: str = ""


def _holds() -> None:
    """Nothing can have been revoked."""


def _stays() -> bool:
    """Nobody can tell whether a caller is still there."""
    return False


@dataclass(frozen=True, slots=True)
class Standing:
    """What a caller may do, where the service asks for keys; see `guncamera.api.access`.

    Attributes:
        need: What the call asked for.
        scope: Of the caller's key; None for who shows a seat's token.
        key_id: The caller's key; empty for who shows a seat's token.
        check: Refuses a caller whose key has been revoked meanwhile.
    """

    need: Need
    scope: Scope | None = None
    key_id: str = ""
    check: Callable[[], None] = _holds


@dataclass(frozen=True, slots=True)
class Caller:
    """One call's credentials and identity.

    Attributes:
        token: From `Authorization: Bearer …`, or None. An endpoint gets seats' tokens only.
        request_id: Given by the caller in `X-Request-Id`, or made. Safe to log.
        etag_is_header: The etag came by `If-Match`, so a mismatch is 412 and not 409.
        notes: For the endpoint to write on.
        standing: What it may do; None where the service stands open.
        has_left: Whether it is known to have gone away, for calls that last.
    """

    token: str | None = field(repr=False)
    request_id: str
    etag_is_header: bool = False
    notes: AnswerNotes = field(default_factory=AnswerNotes, compare=False)
    standing: Standing | None = None
    has_left: Callable[[], bool] = field(default=_stays, compare=False)

    @property
    def scope(self) -> Scope | None:
        """The scope of its key; None without one."""
        return None if self.standing is None else self.standing.scope

    @property
    def is_unseen(self) -> bool:
        """Whether it shows a seat's token to a call that reads no session to find it in."""
        standing = self.standing
        return standing is not None and standing.scope is None and not standing.need.in_session

    def check_standing(self) -> None:
        """Refuse a caller whose key has been revoked since the call began; for calls that last."""
        if self.standing is not None:
            self.standing.check()


def caller_from(headers: Mapping[str, str], *, etag_is_header: bool = False) -> Caller:
    """Read the caller from headers or metadata with lower-case names."""
    return Caller(
        token=_bearer_token(headers.get("authorization", "")),
        request_id=_request_id(headers.get("x-request-id", "")),
        etag_is_header=etag_is_header,
    )


def _bearer_token(authorization: str) -> str | None:
    if not authorization:
        return None
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN_LENGTH:
        return None
    return token


def _request_id(given: str) -> str:
    # An id that is not plain enough for a log line is replaced, never repaired: a repaired one
    # would match nothing on the caller's side.
    if SAFE_REQUEST_ID.fullmatch(given) and not holds_credential(given):
        return given
    return entropy.new_request_id()
