"""What bytes stand for, remembered by the bytes themselves: it can never be out of date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """The last values that were read from bytes or written as such, for all threads.

    The values are shared: they have to be immutable.

    Args:
        most_bytes: How many bytes are kept with their values; the oldest are forgotten first.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._size = 0
        self._values: OrderedDict[bytes, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, data: bytes) -> V | None:
        """The value of some bytes, if it is remembered."""
        return self._values.get(data)

    def put(self, data: bytes, value: V) -> None:
        """Remember the value of some bytes."""
        with self._lock:
            if data not in self._values:
                self._size += len(data)
            self._values[data] = value
            while self._size > self._most:
                oldest, _ = self._values.popitem(last=False)
                self._size -= len(oldest)
