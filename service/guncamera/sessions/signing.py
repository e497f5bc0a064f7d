"""What a service signs receipts with: one Ed25519 key, and what is left of those before it.

They are kept in the store, so that every worker on it signs alike. A key that another has replaced
keeps its public half only: what it signed can still be checked, and nothing more is signed with it.
An operator may keep the private half out of the store, in a file.

Beside them lies a secret that never changes, from which salts come, and the tokens of seats that
have to be told again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from guncamera.sessions import entropy
from guncamera.sessions.store import SessionStore, StoreUnavailable

FORMAT = 1
_TRIES = 5


class SigningKeyRetired(Exception):
    """The private key given was replaced by another one, and signs no more."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs, or has signed.

    Attributes:
        public: 32 bytes.
        private: 32 bytes, or none: it is kept elsewhere, or the key is retired.
        create_micros: Microseconds since 1970 UTC, as is the other.
        retire_micros: 0 while it signs.
    """

    public: bytes
    private: bytes = field(repr=False)
    create_micros: int
    retire_micros: int = 0

    @property
    def id(self) -> str:
        """Names it; made from the public key, so that no other key can have it."""
        return key_id_of(self.public)


@dataclass(frozen=True, slots=True)
class SigningRing:
    """Every key there ever was, the oldest first, and the secret that salts come from."""

    secret: bytes = field(repr=False)
    keys: tuple[SigningKey, ...]

    @property
    def current(self) -> SigningKey | None:
        """The key that signs."""
        return next((key for key in self.keys if not key.retire_micros), None)

    def followed_by(self, key: SigningKey) -> SigningRing:
        """The ring with another key that signs."""
        retired = tuple(
            replace(one, private=b"", retire_micros=one.retire_micros or key.create_micros)
            for one in self.keys
        )
        return replace(self, keys=(*retired, key))

    def salt(self, *about: str | int) -> bytes:
        """32 bytes that nobody can guess, always the same about the same."""
        label = "\0".join(("guncamera/salt/v1", *map(str, about)))
        return hmac.digest(self.secret, label.encode(), "sha256")


class Signer:
    """The keys in a store, and the signing with them.

    Args:
        clock: Microseconds since 1970 UTC.
        private: 32 bytes of a key that the operator keeps; empty for one that the store keeps.
    """

    def __init__(
        self, store: SessionStore, *, clock: Callable[[], int], private: bytes = b""
    ) -> None:
        self._store = store
        self._clock = clock
        self._private = private

    def ring(self) -> SigningRing:
        """The keys as they are now; what is missing is made and kept.

        Raises:
            SigningKeyRetired: The operator's key signs no more.
            StoreUnavailable: The store does not answer.
        """
        return _change(self._store, lambda ring: _complete(ring, self._private, self._clock()))

    def sign(self, ring: SigningRing, statement: bytes) -> tuple[str, str]:
        """Sign a statement: the key's id, and the signature in hexadecimal.

        The same key signs the same statement always alike.
        """
        key = ring.current
        private = self._private or (key.private if key else b"")
        if key is None or not private:
            raise AssertionError("a ring from `ring` has a key to sign with")
        return key.id, _signing_key(private).sign(statement).hex()


def service_secret(store: SessionStore) -> bytes:
    """The secret that never changes, which whoever can read the store can read; made if missing.

    Raises:
        StoreUnavailable: The store does not answer.
    """
    return _change(store, lambda ring: ring or SigningRing(entropy.new_signing_seed(), ())).secret


def rotate(store: SessionStore, now_micros: int) -> SigningKey:
    """Make a new key, which signs from now on.

    Raises:
        ValueError: The key in force lies in a file of the operator's.
        StoreUnavailable: It may or may not have been made; look at the list.
    """
    return _last(_change(store, lambda ring: _rotated(ring, now_micros)))


def kept_keys(store: SessionStore) -> tuple[SigningKey, ...]:
    """Every key there ever was, the oldest first."""
    kept = store.signing()
    return decode_ring(kept).keys if kept else ()


def key_id_of(public: bytes) -> str:
    """The id of a public key: 32 hexadecimal digits."""
    return hashlib.sha256(b"guncamera/signing-key/v1\0" + public).hexdigest()[:32]


def public_of(private: bytes) -> bytes:
    """The public half of a private key."""
    return _signing_key(private).public_key().public_bytes_raw()


def is_signed(public: bytes, statement: bytes, signature: bytes) -> bool:
    """Whether a key has signed a statement. Whatever is wrong with any of them, it has not."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, statement)
    except (InvalidSignature, ValueError):
        return False
    return True


def encode_ring(ring: SigningRing) -> bytes:
    """A ring as the store keeps it. It holds secrets: it never leaves the service."""
    keys = [
        [key.public.hex(), key.private.hex(), key.create_micros, key.retire_micros]
        for key in ring.keys
    ]
    return orjson.dumps({"format": FORMAT, "secret": ring.secret.hex(), "keys": keys})


def decode_ring(kept: bytes) -> SigningRing:
    """The inverse."""
    plain = orjson.loads(kept)
    if plain["format"] != FORMAT:
        raise AssertionError(f"signing keys of format {plain['format']}; this reads {FORMAT}")
    keys = (
        SigningKey(bytes.fromhex(public), bytes.fromhex(private), created, retired)
        for public, private, created, retired in plain["keys"]
    )
    return SigningRing(bytes.fromhex(plain["secret"]), tuple(keys))


def _change(
    store: SessionStore, change: Callable[[SigningRing | None], SigningRing]
) -> SigningRing:
    """Change the ring, on the condition that nobody else does at the same moment."""
    for _ in range(_TRIES):
        kept = store.signing()
        ring = decode_ring(kept) if kept else None
        changed = change(ring)
        if changed == ring or store.keep_signing(encode_ring(changed), expected=kept):
            return changed
    raise StoreUnavailable("others change the signing keys", retry_after_seconds=1.0)


def _complete(ring: SigningRing | None, private: bytes, now_micros: int) -> SigningRing:
    """The ring with a key to sign with: the operator's, or one of its own."""
    found = ring or SigningRing(entropy.new_signing_seed(), ())
    current = found.current
    if not private:
        return found if current and current.private else _with_new_key(found, now_micros)
    public = public_of(private)
    if current is not None and current.public == public:
        return found
    if any(key.public == public for key in found.keys):
        raise SigningKeyRetired(f"the signing key {key_id_of(public)} was replaced by another")
    return found.followed_by(SigningKey(public, b"", now_micros))


def _rotated(ring: SigningRing | None, now_micros: int) -> SigningRing:
    if ring is None:
        return _complete(None, b"", now_micros)
    if ring.current is not None and not ring.current.private:
        raise ValueError("the key in force lies in a file")
    return _with_new_key(ring, now_micros)


def _with_new_key(ring: SigningRing, now_micros: int) -> SigningRing:
    private = entropy.new_signing_seed()
    return ring.followed_by(SigningKey(public_of(private), private, now_micros))


def _last(ring: SigningRing) -> SigningKey:
    return ring.keys[-1]


@lru_cache(maxsize=4)
def _signing_key(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)
