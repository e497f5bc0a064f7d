"""How far a worker has got with its stop: it says so, serves on, and ends its streams."""

from __future__ import annotations

import threading


class Stopping:
    """The stop of one process. Between the two steps all is answered as before.

    A stream that ended with the first would be opened again, and here: nobody has been told yet.
    """

    def __init__(self) -> None:
        self._is_said = threading.Event()
        self._ends_streams = threading.Event()

    def is_said(self) -> bool:
        """Whether readiness is red."""
        return self._is_said.is_set()

    def ends_streams(self) -> bool:
        """Whether watches and waiting polls are to end."""
        return self._ends_streams.is_set()

    def say(self) -> None:
        """Turn readiness red."""
        self._is_said.set()

    def end_streams(self) -> None:
        """Have watches and waiting polls end."""
        self._ends_streams.set()
