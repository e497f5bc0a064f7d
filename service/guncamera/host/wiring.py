"""The composition root: store, clock, endpoints and transports put together for one process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from guncamera.api.access import Access
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.telemetry import Telemetry
from guncamera.api.tracing import tracing_from_environment
from guncamera.host.rate_settings import policies_of
from guncamera.host.settings import ServiceSettings
from guncamera.host.signing_file import private_key_in
from guncamera.host.stopping import Stopping
from guncamera.host.variant_files import variants_in
from guncamera.rules.ruleset import rulesets
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.signing import Signer
from guncamera.sessions.store import SessionStore
from guncamera.sessions.timed_store import timed

if TYPE_CHECKING:
    from guncamera.api.rate_limits import RateLimits

READY_SECONDS = 1.0


def now_micros() -> int:
    """Microseconds since 1970 UTC."""
    return time.time_ns() // 1000


class Readiness:
    """Whether sessions can be played, asked of the store at most once a second.

    Args:
        warn: Is told when that changes.
    """

    def __init__(self, store: SessionStore, stopping: Stopping, warn: Callable[..., None]) -> None:
        self._store = store
        self._warn = warn
        self._stopping = stopping
        self._lock = threading.Lock()
        self._checked = float("-inf")
        self._problems: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        """What stands in the way, a sentence each; empty when nothing does."""
        if self._stopping.is_said():
            return ("The service is stopping.",)
        with self._lock:
            if time.monotonic() - self._checked > READY_SECONDS:
                problems = tuple(self._store.check().hindrances)
                self._checked = time.monotonic()
                if problems != self._problems:
                    self._warn("not ready" if problems else "ready again", why=" ".join(problems))
                self._problems = problems
            return self._problems


@dataclass(frozen=True, slots=True)
class Process:
    """One worker's parts."""

    endpoints: Endpoints
    config: Config
    store: SessionStore
    stopping: Stopping


def wire_up(settings: ServiceSettings) -> Process:
    """Put one worker together."""
    rulesets()  # at the start, where one that is broken is told, and no call waits for them
    telemetry = Telemetry(tracing_from_environment())
    store = timed(
        RedisStore(settings.store_url, replicas=settings.replicas), telemetry.metrics.store_took
    )
    stopping = Stopping()
    ring = KeyRing(store, clock=now_micros).start()
    limits = limits_of(settings, store)
    endpoints = Endpoints(
        Shelf(store, telemetry.metrics, variants_in(settings.variants)),
        clock=now_micros,
        page_key=settings.page_key.encode(),
        draining=stopping.ends_streams,
        signer=Signer(store, clock=now_micros, private=private_key_in(settings.signing_key)),
        limits=limits,
    )
    config = Config(
        telemetry=telemetry,
        ready=Readiness(store, stopping, telemetry.warn),
        public_base_url=settings.public_base_url.rstrip("/"),
        max_streams=settings.max_streams,
        access=Access(ring, store, may_be_open=settings.may_be_open),
        limits=limits,
        rest_is_fast=settings.rest_lane == "fast",
        body_seconds=settings.body_seconds,
    )
    return Process(endpoints, config, store, stopping)


def limits_of(settings: ServiceSettings, store: SessionStore) -> RateLimits | None:
    """The rate limits, at work; None if the settings know of none."""
    policies = policies_of(settings)
    if not policies:
        return None
    from guncamera.api.rate_limits import RateLimits
    from guncamera.sessions.rate_windows import SharedWindow
    from guncamera.sessions.tallies import Tallies

    return RateLimits(policies, Tallies(SharedWindow(store)).start(), store)
