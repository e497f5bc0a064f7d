"""The windows of rate limits: those of the `limits` library, counted in the sessions' store.

The library brings storages for Redis of its own. They would hold connections beside ours, wait for
longer than a call may, and know a cluster by other addresses; so its place for storages of others
is taken, and whatever URL serves the sessions serves the counters.
"""

from __future__ import annotations

import time

from limits import RateLimitItem
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from guncamera.sessions.store import Counted, SessionStore, StoreError

NAMESPACE = "rate"
"""What the names of all counters begin with."""


class StoreCounters(Storage):
    """A storage of the library that counts in the sessions' store.

    Raises:
        StoreError: By every call: the store cannot be used.
    """

    STORAGE_SCHEME = None  # it is made from a store and not from a URL

    def __init__(self, store: SessionStore) -> None:
        super().__init__()
        self._store = store

    @property
    def base_exceptions(self) -> type[Exception]:
        """What its calls raise."""
        return StoreError

    def add(self, key: str, expiry: int, amount: int) -> Counted:
        """Count, and read what there is now and for how long, in one exchange."""
        return self._store.count(key, amount, window_seconds=expiry)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count; returns how many there are now."""
        return self.add(key, expiry, amount).total

    def get(self, key: str) -> int:
        """How many there are."""
        return self.add(key, 1, 0).total

    def get_expiry(self, key: str) -> float:
        """When the window is over, in seconds since 1970 UTC."""
        return time.time() + self.add(key, 1, 0).left_seconds

    def check(self) -> bool:
        """Whether the store can be reached."""
        return self._store.check().is_reachable

    def reset(self) -> int | None:
        """Not offered: counters go by themselves."""
        raise NotImplementedError("counters go with their windows")

    def clear(self, key: str) -> None:
        """Not offered, as `reset`."""
        raise NotImplementedError(f"the counter {key} goes with its window")


class SharedWindow(FixedWindowRateLimiter):
    """The library's fixed windows, each of which begins with its first call.

    Fixed, because it says exactly when the next call is let through, however many asked before; and
    one number for each caller is all that has to be kept and sent around.
    """

    def __init__(self, store: SessionStore) -> None:
        self._counters = StoreCounters(store)
        super().__init__(self._counters)

    def add(self, item: RateLimitItem, who: str, amount: int) -> Counted:
        """As `hit`, but tells what there is now; an amount of 0 only looks."""
        return self._counters.add(item.key_for(who), item.get_expiry(), amount)
