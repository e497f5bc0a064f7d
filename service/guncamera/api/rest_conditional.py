"""Conditional reads: a caller that names what it has is told 304 if that still stands.

A tag is made of the very octets that its caller would be sent, so it can tell nothing that they do
not. It is looked at after the call has been answered: who may not read is refused all the same.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, request
from werkzeug.http import generate_etag, quote_etag

KEPT = "no-cache"
"""May be kept, and asked about each time: for what is the same for everyone who may read it."""

WORTH_PACKING = 8 * 1024
"""Octets from which a page is sent packed to whoever takes it so."""


def tag_of(body: bytes, etag: str = "") -> str:
    """The tag of an answer, in quotes.

    Args:
        etag: That of the session, where the answer has one. It goes before the hash of the rest,
            which may change without it: who has sealed, who has claimed a seat.
    """
    revision = etag.strip('"')
    return quote_etag(f"{revision}.{generate_etag(body)}" if revision else generate_etag(body))


def unless_known(response: Response) -> Response:
    """The answer, or 304 in its place if the caller has it by its tag. It must have a tag."""
    tag, _ = response.get_etag()
    assert tag, "an answer that can be known has a tag"
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
    return response


def kept(response: Response) -> Response:
    """A page that may be kept, packed if it is large: with its tag, or 304 if the caller has it.

    Only for what is the same for everyone: how well a secret packs would tell of it.
    """
    body = response.get_data()
    if len(body) >= WORTH_PACKING:
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            body = _packed(body)
            response.set_data(body)
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Cache-Control"] = KEPT
    response.headers["ETag"] = tag_of(body)
    return unless_known(response)


@lru_cache(maxsize=16)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
