"""The signing key that an operator keeps in a file instead of the store."""

from __future__ import annotations

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from guncamera.host.entrance import ServiceError
from guncamera.host.settings import ServiceSettings, SettingsError
from guncamera.sessions.signing import Signer, SigningKeyRetired
from guncamera.sessions.store import SessionStore, StoreError


def private_key_in(path: str) -> bytes:
    """The 32 bytes of the private key in a file; none for no file.

    Raises:
        SettingsError: There is no such file, or no such key in it.
    """
    if not path:
        return b""
    try:
        key = load_pem_private_key(Path(path).expanduser().read_bytes(), password=None)
    except OSError as fault:
        raise SettingsError(
            f"GUNCAMERA_SIGNING_KEY: {path} cannot be read: {fault.strerror}."
        ) from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise SettingsError(
            f"GUNCAMERA_SIGNING_KEY: {path} holds no Ed25519 key without a password in PEM. "
            "`openssl genpkey -algorithm ed25519` makes one."
        )
    return key.private_bytes_raw()


def check_signing(settings: ServiceSettings, store: SessionStore, now_micros: int) -> None:
    """See to it that the service has a key to sign with, before it starts.

    Raises:
        SettingsError: The key given is none.
        ServiceError: The key given is retired.
    """
    signer = Signer(store, clock=lambda: now_micros, private=private_key_in(settings.signing_key))
    try:
        signer.ring()
    except SigningKeyRetired as retired:
        raise ServiceError(
            f"GUNCAMERA_SIGNING_KEY: {retired}, and signs no more. Give the key in force, or a new "
            "one."
        ) from None
    except StoreError:
        return  # it is made when the store answers
