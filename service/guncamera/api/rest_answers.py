"""An answer to HTTP: status, headers and octets, the same by Flask and by its short cut."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias

from google.protobuf.empty_pb2 import Empty

from guncamera.api import pages
from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.json_codec import to_json
from guncamera.api.rest_conditional import KEPT, tag_of
from guncamera.api.rest_limits import limit_headers
from guncamera.api.routes import Route, Rpc

JSON_TYPE = "application/json"
EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-Id",
    "Idempotent-Replayed",
    "Allow",
    "WWW-Authenticate",
)
Headers: TypeAlias = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it is sent."""

    status: int
    headers: Headers
    body: bytes

    @property
    def status_line(self) -> str:
        """`200 OK`."""
        return f"{self.status} {HTTPStatus(self.status).phrase}"


def written(rpc: Rpc, route: Route, answer: Any, caller: Caller, config: Config) -> Written:
    """What a call says, without the headers that every answer has."""
    headers: Headers = []
    body, status = b"", 200
    if rpc.response is Empty:
        status = 204
    elif rpc.response_type.full_name == "google.api.HttpBody":
        body = answer.data
        headers += ("Content-Type", answer.content_type), _length(body)
        headers.append(("Content-Security-Policy", pages.CONTENT_SECURITY_POLICY))
    else:
        body = to_json(answer)
        headers += ("Content-Type", JSON_TYPE), _length(body)
    etag = getattr(answer, "etag", "")
    if route.is_read:
        etag = tag_of(body, etag)
        headers.append(("Vary", "Authorization"))
        if rpc.is_same_for_all:
            headers.append(("Cache-Control", KEPT))
    if etag:
        headers.append(("ETag", etag))
    if rpc.creates(route):
        status = 201
        headers.append(("Location", f"{config.public_base_url}/v1/{answer.name}"))
    if caller.notes.replayed:
        headers.append(("Idempotent-Replayed", "true"))
    return Written(status, headers, body)


def common_headers(config: Config, caller: Caller, refusal: object = None) -> Headers:
    """What every answer says beside its own; some have a `Cache-Control` of their own.

    What a seat sees lies in no cache, not even in a browser's: it may be another's next.
    """
    return [
        ("X-Request-Id", caller.request_id),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
        *limit_headers(config, caller, refusal),
    ]


def _length(body: bytes) -> tuple[str, str]:
    return "Content-Length", str(len(body))
