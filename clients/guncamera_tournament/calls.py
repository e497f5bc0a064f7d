"""Calls to the service, counted and timed: what of a game's time is the service's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from guncamera.v1.session_service_pb2 import LegalOrder, Session
from guncamera_client import DeadlineExceeded, IllegalOrder, InputInvalid

from guncamera_tournament.sitting import Misconduct
from guncamera_tournament.timing import GameTime, Stopwatch


@contextmanager
def timed(game_time: GameTime) -> Iterator[None]:
    """A call that counts."""
    began = time.perf_counter()
    game_time.calls += 1
    try:
        yield
    finally:
        game_time.service_seconds += time.perf_counter() - began


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
        with self._asking():
            listed = self._client.list_legal_orders(self._session, page_size=count)
            return list(islice(listed, count))

    def drawn(self, count: int, seed: str) -> list[LegalOrder]:
        """Orders drawn from all."""
        with self._asking():
            drawn: list[LegalOrder] = self._client.draw_legal_orders(
                self._session, count, seed=seed
            )
        return drawn

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """The clock stands still; what is refused, or takes for ever, is the pilot's doing."""
        try:
            with self._stopwatch.held(), timed(self._game_time):
                yield
        except DeadlineExceeded:
            raise Misconduct(
                "timeout", "it asked for more legal orders than come in time"
            ) from None
        except (IllegalOrder, InputInvalid) as refused:
            raise Misconduct("illegal", refused.message) from refused
