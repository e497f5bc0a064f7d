"""Calls to the service, counted and timed: what of a game's time is the service's."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from guncamera.v1.session_service_pb2 import LegalOrder, Session
from guncamera_client import DeadlineExceeded, IllegalOrder, InputInvalid

from guncamera_tournament.sitting import Misconduct
from guncamera_tournament.timing import GameTime, Stopwatch


class Timed:
    """A call that counts: what is done within `with`."""

    __slots__ = ("_began", "_game_time")

    def __init__(self, game_time: GameTime) -> None:
        self._game_time = game_time

    def __enter__(self) -> None:
        self._game_time.calls += 1
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._game_time.service_seconds += time.perf_counter() - self._began


class SeatOrders:
    """Legal orders of a seat, from the service; the pilot's clock stands still meanwhile."""

    def __init__(
        self, client: Any, session: Session, stopwatch: Stopwatch, game_time: GameTime
    ) -> None:
        self._client = client
        self._session = session
        self._stopwatch = stopwatch
        self._game_time = game_time

    def first(self, count: int) -> list[LegalOrder]:
        """The first orders of the list."""
        return self._asked(
            lambda: list(
                islice(self._client.list_legal_orders(self._session, page_size=count), count)
            )
        )

    def drawn(self, count: int, seed: str) -> list[LegalOrder]:
        """Orders drawn from all."""
        return self._asked(lambda: self._client.draw_legal_orders(self._session, count, seed=seed))

    def _asked(self, call: Callable[[], list[LegalOrder]]) -> list[LegalOrder]:
        """The clock stands still; what is refused, or takes for ever, is the pilot's doing."""
        try:
            with self._stopwatch.held(), Timed(self._game_time):
                return call()
        except DeadlineExceeded:
            raise Misconduct(
                "timeout", "it asked for more legal orders than come in time"
            ) from None
        except (IllegalOrder, InputInvalid) as refused:
            raise Misconduct("illegal", refused.message) from refused
