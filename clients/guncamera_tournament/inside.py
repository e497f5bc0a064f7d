"""Trusted pilots, in the runner's own process: the stock ones. They cannot be cut short."""

from __future__ import annotations

from guncamera.v1.session_service_pb2 import LegalOrder
from guncamera_client import GuncameraError

from guncamera_tournament.pilot import Pilot, Situation, legal_order_of
from guncamera_tournament.sitting import Misconduct, OutOfTime
from guncamera_tournament.timing import Stopwatch


class Inside:
    """A function, called. The hard limit is looked at when it comes back."""

    def __init__(self, pilot: Pilot) -> None:
        self._pilot = pilot

    def begin(self, seat: str) -> None:
        """Nothing to do."""

    def choose(self, situation: Situation, stopwatch: Stopwatch) -> LegalOrder:
        """Call it."""
        try:
            order = legal_order_of(self._pilot(situation))
        except (GuncameraError, Misconduct):
            raise  # the service's doing, or judged already
        except Exception as fault:
            raise Misconduct("crash", f"{type(fault).__name__}: {fault}") from fault
        if stopwatch.seconds > situation.clock.hard_seconds:
            raise OutOfTime
        return order

    def end(self) -> None:
        """Nothing to do."""
