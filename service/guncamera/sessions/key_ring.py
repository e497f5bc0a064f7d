"""What one process knows of the keys: read from the store again and again, looked up in memory.

A look-up asks nobody, and does the same work whether the key is right, wrong, unknown, revoked or
expired: no call waits for it, and nobody can tell those apart by a clock.
"""

from __future__ import annotations

import hmac
import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from guncamera.sessions import entropy
from guncamera.sessions.keys import Key, Scope, decode_key, key_id_of
from guncamera.sessions.store import SessionStore, StoreError

LOG = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
"""How often keys are read: a revoked key opens nothing new after so long."""

STALE_SECONDS = 10.0
"""How long what was read last may be relied on when the store does not answer."""

_NONE: Mapping[str, Key] = MappingProxyType({})
_NOBODY = Key("", "0" * 64, Scope.READ, "", 0, expire_micros=1)


class KeyRing:
    """The keys in a store, as of a second ago.

    Args:
        clock: Microseconds since 1970 UTC.

    Attributes:
        is_known: They have been read at least once.
        is_fresh: They were read just now, so that nothing was revoked that we do not know of.
        is_empty: They are fresh, and there never was one. A store that loses its keys while we
            run does not make a service stand open.
    """

    def __init__(self, store: SessionStore, *, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._kept: Mapping[str, bytes] | None = None
        self._keys = _NONE
        self._read_at = float("-inf")
        self._had_keys = False
        self._stop = threading.Event()
        self.is_known = self.is_fresh = self.is_empty = False

    def start(self) -> KeyRing:
        """Read the keys, and go on reading them in a thread of its own."""
        self.refresh()
        threading.Thread(target=self._go_on, name="key-ring", daemon=True).start()
        return self

    def stop(self) -> None:
        """Read no more."""
        self._stop.set()

    def refresh(self) -> None:
        """Read the keys now; when the store does not answer, what is known grows old."""
        asked_at = time.monotonic()
        try:
            kept = self._store.keys()
            if kept != self._kept:
                self._keys = {key_id: decode_key(key_id, one) for key_id, one in kept.items()}
                self._kept = kept
        except StoreError:
            self.is_fresh = time.monotonic() - self._read_at <= STALE_SECONDS
        else:
            self._read_at = asked_at
            self._had_keys = self._had_keys or bool(kept)
            self.is_known = self.is_fresh = True
        self.is_empty = self.is_fresh and not self._had_keys

    @property
    def had_keys(self) -> bool:
        """Whether there has been one since this process started."""
        return self._had_keys

    def holder(self, text: str) -> Key | None:
        """The key that a text is, if it opens anything now."""
        key = self._keys.get(key_id_of(text), _NOBODY)
        is_right = hmac.compare_digest(key.hash, entropy.token_hash(text))
        is_alive = key.is_alive(self._clock())
        return key if is_right and is_alive else None

    def is_alive(self, key_id: str) -> bool:
        """Whether a key that was right before is so still."""
        return self._keys.get(key_id, _NOBODY).is_alive(self._clock())

    def _go_on(self) -> None:
        while not self._stop.wait(REFRESH_SECONDS):
            try:
                self.refresh()
            except Exception:  # the thread has to go on, or nothing would ever be revoked
                self.is_fresh = self.is_empty = False
                LOG.exception("the keys cannot be read")
