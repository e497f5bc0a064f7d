"""The composition root: store, clock, endpoints and transports put together for one process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from guncamera.api.access import Access
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.telemetry import Telemetry
from guncamera.host.settings import ServiceSettings
from guncamera.host.signing_file import private_key_in
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.signing import Signer
from guncamera.sessions.store import SessionStore

READY_SECONDS = 1.0


def now_micros() -> int:
    """Microseconds since 1970 UTC."""
    return time.time_ns() // 1000


class Readiness:
    """Whether sessions can be played, asked of the store at most once a second."""

    def __init__(self, store: SessionStore, draining: threading.Event) -> None:
        self._store = store
        self._draining = draining
        self._lock = threading.Lock()
        self._checked = float("-inf")
        self._problems: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        """What stands in the way, a sentence each; empty when nothing does."""
        if self._draining.is_set():
            return ("The service is stopping.",)
        with self._lock:
            if time.monotonic() - self._checked > READY_SECONDS:
                report = self._store.check()
                self._problems = (
                    ()
                    if report.is_ready
                    else (
                        tuple(report.warnings)
                        or (report.refusal or "The store cannot be reached.",)
                    )
                )
                self._checked = time.monotonic()
            return self._problems


@dataclass(frozen=True, slots=True)
class Process:
    """One worker's parts."""

    endpoints: Endpoints
    config: Config
    store: SessionStore
    draining: threading.Event


def wire_up(settings: ServiceSettings) -> Process:
    """Put one worker together."""
    store = RedisStore(settings.store_url)
    draining = threading.Event()
    ring = KeyRing(store, clock=now_micros).start()
    endpoints = Endpoints(
        Shelf(store),
        clock=now_micros,
        page_key=settings.page_key.encode(),
        draining=draining.is_set,
        signer=Signer(store, clock=now_micros, private=private_key_in(settings.signing_key)),
    )
    config = Config(
        telemetry=Telemetry(),
        ready=Readiness(store, draining),
        public_base_url=settings.public_base_url.rstrip("/"),
        max_streams=settings.max_streams,
        access=Access(ring, store, may_be_open=settings.may_be_open),
    )
    return Process(endpoints, config, store, draining)
