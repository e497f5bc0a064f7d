"""Keys: who may call a service that does not stand open, and how far each may go.

A key is 256 random bits, shown once; what is kept is its hash. Keys are made and revoked by whoever
can reach the store, never by a call: no key can make another.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from typing import Any

import orjson

from guncamera.sessions import entropy
from guncamera.sessions.store import SessionStore

KEY_PREFIX = "gck_"
MAX_LABEL = 63
MAX_DAYS = 3650
_DAY_MICROS = 24 * 3600 * 1_000_000
_LABEL = re.compile(rf"[^\x00-\x1f\x7f]{{0,{MAX_LABEL}}}")


class Scope(IntEnum):
    """How far a key may go. Each scope holds those before it."""

    READ = 1
    PLAY = 2
    REFEREE = 3
    ADMIN = 4


class KeyUnknown(Exception):
    """No key has this id."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is kept of a key.

    Attributes:
        id: Names it in lists and logs; part of its text, and no secret.
        hash: Of its whole text.
        label: Who has it, in the operator's words.
        create_micros: Microseconds since 1970 UTC, as are the others.
        expire_micros: 0 for never.
        revoke_micros: 0 while it is not revoked.
    """

    id: str
    hash: str = field(repr=False)
    scope: Scope
    label: str
    create_micros: int
    expire_micros: int = 0
    revoke_micros: int = 0

    def is_alive(self, now_micros: int) -> bool:
        """Whether it opens anything now."""
        return not self.revoke_micros and not 0 < self.expire_micros <= now_micros


def create_key(
    store: SessionStore, now_micros: int, *, scope: Scope, label: str, days: int
) -> tuple[Key, str]:
    """Make a key.

    Args:
        label: Up to 63 characters on one line.
        days: How long it lives, up to 3,650; 0 for ever.

    Returns:
        What is kept of it, and its text, which nobody can tell again.

    Raises:
        ValueError: Label or days are out of range.
        StoreUnavailable: It may or may not have been kept; make another.
    """
    if not _LABEL.fullmatch(label):
        raise ValueError(f"a label is one line of at most {MAX_LABEL} characters")
    if not 0 <= days <= MAX_DAYS:
        raise ValueError(f"a key lives 1 to {MAX_DAYS} days, or for ever with 0")
    key_id, text = entropy.new_key()
    expire = now_micros + days * _DAY_MICROS if days else 0
    key = Key(key_id, entropy.token_hash(text), scope, label, now_micros, expire)
    store.keep_key(key_id, encode_key(key))
    return key, text


def revoke_key(store: SessionStore, now_micros: int, key_id: str) -> Key:
    """Revoke a key for good. It stays in the list, and what it opened stays shut.

    Raises:
        KeyUnknown: There is none of this id.
        StoreUnavailable: It may or may not have been revoked; do it again.
    """
    found = store.keys().get(key_id)
    if found is None:
        raise KeyUnknown(key_id)
    key = decode_key(key_id, found)
    if not key.revoke_micros:
        key = replace(key, revoke_micros=now_micros)
        store.keep_key(key_id, encode_key(key))
    return key


def list_keys(store: SessionStore) -> list[Key]:
    """Every key there ever was, the oldest first."""
    found = [decode_key(key_id, kept) for key_id, kept in store.keys().items()]
    return sorted(found, key=lambda key: (key.create_micros, key.id))


def encode_key(key: Key) -> bytes:
    """A key as the store keeps it."""
    plain = {name: value for name, value in asdict(key).items() if name != "id"}
    return orjson.dumps({**plain, "scope": key.scope.name.lower()})


def decode_key(key_id: str, kept: bytes) -> Key:
    """A key from what the store kept."""
    plain: dict[str, Any] = orjson.loads(kept)
    return Key(id=key_id, **{**plain, "scope": Scope[plain["scope"].upper()]})


def key_id_of(text: str) -> str:
    """The id that a key's text claims; empty if it is no key's."""
    parts = text.split("_", 2)
    return parts[1] if len(parts) == 3 and text.startswith(KEY_PREFIX) else ""
