"""What tells a retry from another request under the same id: call, caller and content."""

from __future__ import annotations

import hashlib
from typing import Any

from guncamera.api.caller import Caller
from guncamera.sessions import entropy
from guncamera.sessions.session import checked_request_id
from guncamera.sessions.store import RequestKey


def fingerprint_of(call: str, request: Any, caller: Caller) -> str:
    """The fingerprint of a request; empty without a request id.

    Args:
        call: Its name; two calls never share one.
    """
    if not request.request_id:
        return ""
    content: bytes = request.SerializeToString(deterministic=True)
    return hashlib.sha256(f"{call} {holder_of(caller)} ".encode() + content).hexdigest()


def request_key(call: str, request: Any, caller: Caller) -> RequestKey | None:
    """The request's id and fingerprint; None without an id.

    Raises:
        Malformed: It is none.
    """
    if not request.request_id:
        return None
    checked_request_id(request.request_id)
    return RequestKey(request.request_id, fingerprint_of(call, request, caller))


def holder_of(caller: Caller) -> str:
    """Who a caller is: a hash of the seat's token, or the id of the key; empty for anyone."""
    key_id = caller.standing.key_id if caller.standing else ""
    return entropy.token_hash(caller.token) if caller.token else key_id
