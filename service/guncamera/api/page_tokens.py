"""Page tokens: opaque, signed, and bound to the request they came from."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from guncamera.rules.refusal import Malformed

_SIGNATURE_BYTES = 12


class PageTokens:
    """Makes and reads page tokens under one key.

    Args:
        key: Secret; every process of a service must have the same.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def make(self, cursor: str | None, *bound: object) -> str:
        """A token for a cursor, good only with the same other arguments; empty for None."""
        if cursor is None:
            return ""
        signed = self._sign(cursor, bound) + cursor.encode()
        return base64.urlsafe_b64encode(signed).decode().rstrip("=")

    def read(self, token: str, *bound: object) -> str | None:
        """The cursor of a token; None for an empty one.

        Raises:
            Malformed: It is not a token of ours, or belongs to other arguments.
        """
        if not token:
            return None
        try:
            signed = base64.urlsafe_b64decode(token.encode() + b"=" * (-len(token) % 4))
            cursor = signed[_SIGNATURE_BYTES:].decode()
        except (ValueError, binascii.Error):
            raise _foreign() from None
        if not hmac.compare_digest(signed[:_SIGNATURE_BYTES], self._sign(cursor, bound)):
            raise _foreign()
        return cursor

    def _sign(self, cursor: str, bound: tuple[object, ...]) -> bytes:
        text = repr((cursor, *bound)).encode()
        return hmac.digest(self._key, text, hashlib.sha256)[:_SIGNATURE_BYTES]


def _foreign() -> Malformed:
    return Malformed(
        "This page token is not one for this request. Begin again without it, and change nothing "
        "but the token from page to page.",
        field="page_token",
    )


def page_size(asked: int, *, default: int, most: int) -> int:
    """How many to return; 0 takes the default.

    Raises:
        Malformed: Negative, or above the most.
    """
    if not 0 <= asked <= most:
        raise Malformed(f"{asked} a page; give 1 to {most}.", field="page_size", page_size=asked)
    return asked or default
