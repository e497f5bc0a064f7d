"""What a Redis error means for a session: wait and try again, or something is broken."""

from __future__ import annotations

import re
import ssl

from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    NoPermissionError,
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from guncamera.sessions.redis_lines import error_text
from guncamera.sessions.store import StoreDamaged, StoreError, StoreUnavailable

# Older servers report an error inside a script as ERR, with the true code further on in the text.
_CODES = {
    "OOM": ("the store is full", 5.0),
    "READONLY": ("the store is a read-only replica", 1.0),
    "LOADING": ("the store is loading its data", 1.0),
    "BUSY": ("the store is busy with a script", 1.0),
    "MISCONF": ("the store cannot save to disk and refuses writes", 5.0),
    "NOREPLICAS": ("the store has too few replicas and refuses writes", 5.0),
    "CLUSTERDOWN": ("the store's cluster is down", 1.0),
    "MASTERDOWN": ("the store's primary is down", 1.0),
    "TRYAGAIN": ("the store's cluster is moving this session", 1.0),
    "NOAUTH": ("the store refuses our password", 30.0),
    "WRONGPASS": ("the store refuses our password", 30.0),
    "NOPERM": ("the store does not let us do this", 30.0),
}
# OpenSSL's numbers for a name and for an address that the certificate is not for.
_CERTIFICATE = dict.fromkeys((62, 64), "the store's certificate is for another host")
_CERTIFICATE[10] = "the store's certificate has expired"
_CODE = re.compile(rf"\b({'|'.join(_CODES)})\b")


def store_error(error: RedisError) -> StoreError:
    """Return the store's error for one of redis-py's. Its message holds no address or password."""
    if isinstance(error, AuthenticationError | AuthorizationError | NoPermissionError):
        reason, seconds = _CODES["NOPERM" if isinstance(error, NoPermissionError) else "NOAUTH"]
        return StoreUnavailable(reason, retry_after_seconds=seconds)
    code = _CODE.search(error_text(error))
    if code:
        reason, seconds = _CODES[code[1]]
        return StoreUnavailable(reason, retry_after_seconds=seconds)
    if isinstance(error, ResponseError):
        return StoreDamaged(f"the store refused a command: {error_text(error)}")
    if isinstance(error, RedisTimeoutError):
        return StoreUnavailable("the store does not answer", retry_after_seconds=1)
    return _tls_error(error) or StoreUnavailable(
        "the store cannot be reached", retry_after_seconds=1
    )


def _tls_error(error: RedisError) -> StoreUnavailable | None:
    """What keeps us from speaking TLS with the store; None if something else does."""
    cause = error.__cause__ or error.__context__
    if not isinstance(cause, ssl.SSLError):
        return None
    reason = "the store does not speak TLS as we do"
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = _CERTIFICATE.get(cause.verify_code, "the store's certificate is not trusted")
    return StoreUnavailable(reason, retry_after_seconds=30)
