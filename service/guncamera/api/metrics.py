"""What is counted, for Prometheus. docs/operations.md lists it all, and a test holds it to that.

No id stands in a label: each would be a series of its own. Nothing here tells anyone what the rules
keep from a spectator, for whoever reaches the service may read it.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

from guncamera.api.dice_doubt import FACES, WithDoubt
from guncamera.api.metrics_folder import VARIABLE, EveryProcess
from guncamera.sessions.session import Action, DiceSource, Session
from guncamera.sessions.views import action_for

NONE = "-"
"""A label that does not apply, or was not known yet when a call was refused."""
CHOSEN = "chosen"
"""The source of dice whose seed a caller chose: their games may be the same one again and again."""

BUCKETS_SECONDS = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
)  # fmt: skip
STORE_BUCKETS_SECONDS = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
)  # fmt: skip


class SharedHistogram(Histogram):
    """A histogram of things that happen several at a time, and then take equally long."""

    def observe_many(self, amount: float, count: int) -> None:
        """Observe the same amount so many times, for the price of once."""
        self._sum.inc(amount * count)
        self._buckets[bisect_left(self._upper_bounds, amount)].inc(count)


class Metrics:
    """The metrics of one process.

    With several processes, name a folder (`guncamera.api.metrics_folder`), and `render` adds up
    those of all.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        self._requests = counter(
            "guncamera_requests",
            "Calls answered, by outcome.",
            ("method", "transport", "ruleset", "reason"),
        )
        self._store_failures = counter(
            "guncamera_store_failures",
            "Operations that the store did not carry out, or did not confirm.",
            ("operation",),
        )
        self._faces = counter(
            FACES,
            "Faces that fell in actions that spectators see at once.",
            ("source", "sides", "face"),
        )
        self._mismatches = counter(
            "guncamera_replay_mismatches",
            "Recorded rulings that came out otherwise when they were made again.",
            ("ruleset", "where"),
        )
        self._streams = _streams_open(self.registry)
        self._seconds = _request_seconds(self.registry)
        self._store_seconds = _store_seconds(self.registry)
        # Finding a labelled series costs more than counting on it. There are few of each.
        self._count = cache(self._requests.labels)
        self._time = cache(self._seconds.labels)
        self._store_time = cache(self._store_seconds.labels)
        self._face = cache(self._faces.labels)

    def answered(
        self, method: str, transport: str, ruleset: str, reason: str, seconds: float | None
    ) -> None:
        """Count a call; one that lasted as long as its caller liked has no seconds."""
        self._count(method, transport, ruleset, reason).inc()
        if seconds is not None:
            self._time(method, transport).observe(seconds)

    def stream_opened(self, transport: str) -> None:
        """Count a stream or a waiting poll that was let in."""
        self._streams.labels(transport).inc()

    def stream_closed(self, transport: str) -> None:
        """Count one that has ended."""
        self._streams.labels(transport).dec()

    def store_took(self, operation: str, seconds: float, *, count: int, failed: int) -> None:
        """See `guncamera.sessions.timed_store.Took`."""
        self._store_time(operation).observe_many(seconds, count)
        if failed:
            self._store_failures.labels(operation).inc(failed)

    def landed(self, session: Session, action: Action) -> None:
        """Count the faces of an action that has just been appended. See `Notices.landed`."""
        if not action.rolls or not falls_openly(session, action):
            return
        source = source_of(session, action)
        fallen: dict[tuple[int, int], int] = {}
        for roll in action.rolls:
            for sides, face in zip(roll.sides, roll.faces):
                fallen[sides, face] = fallen.get((sides, face), 0) + 1
        for (sides, face), count in fallen.items():
            self._face(source, sides, face).inc(count)

    def parted(self, slug: str, where: str) -> None:
        """Count a ruling that came out otherwise. See `Notices.parted`."""
        self._mismatches.labels(slug, where).inc()

    def render(self) -> tuple[bytes, str]:
        """The metrics of every process, and their content type."""
        folder = os.environ.get(VARIABLE)
        counted = EveryProcess(Path(folder)) if folder else self.registry
        return generate_latest(WithDoubt(counted)), CONTENT_TYPE_LATEST


def _streams_open(registry: CollectorRegistry) -> Gauge:
    return Gauge(
        "guncamera_streams_open",
        "Watches and waiting polls open now.",
        ("transport",),
        registry=registry,
        multiprocess_mode="livesum",
    )


def _request_seconds(registry: CollectorRegistry) -> Histogram:
    return Histogram(
        "guncamera_request_seconds",
        "Time to answer a call; streams are not in it.",
        ("method", "transport"),
        buckets=BUCKETS_SECONDS,
        registry=registry,
    )


def _store_seconds(registry: CollectorRegistry) -> SharedHistogram:
    return SharedHistogram(
        "guncamera_store_seconds",
        "Time that the store took to answer, by operation.",
        ("operation",),
        buckets=STORE_BUCKETS_SECONDS,
        registry=registry,
    )


def falls_openly(session: Session, action: Action) -> bool:
    """Whether every spectator is shown an action's dice the moment it lands.

    Where few play, a count that goes up by one tells what fell. What is hidden from anyone is
    therefore never counted, neither later nor in a lump: whoever knows all but one face of a lump
    knows that one. Rule sets hide dice by what was ordered, never by how they fell, so what is
    left is as fair as all.
    """
    if session.record.spectator_delay_seconds:
        return False
    seen: Sequence[object] = action_for(session, action, None).rolls
    return seen == action.rolls


def source_of(session: Session, action: Action) -> str:
    """Whose the dice of an action are: the service's own, of a seed that was chosen, or thrown."""
    source = action.dice_source or DiceSource.SEEDED
    if source is DiceSource.SEEDED and any(seed.supplied for seed in session.record.seeds):
        return CHOSEN
    return source.value
