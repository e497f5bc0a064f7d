"""Keys and tokens in text, and how to get them out of it."""

from __future__ import annotations

import re

REDACTED = "[redacted]"
_CREDENTIAL = re.compile(r"gc[ks]_[A-Za-z0-9_-]+")


def without_credentials(text: str) -> str:
    """A text in which no key and no seat's token stands, nor a part of one."""
    return _CREDENTIAL.sub(REDACTED, text) if holds_credential(text) else text


def holds_credential(text: str) -> bool:
    """Whether a key or a token stands in a text."""
    return "gck_" in text or "gcs_" in text
