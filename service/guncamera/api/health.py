"""Whether games can be played: asked of the composition root, told over REST and gRPC."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from grpc import ServicerContext
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from guncamera.api.config import Config

WATCH_SECONDS = 5.0
# The other services remember nothing, so nothing can be missing for them.
SERVICES_WITH_STORE = frozenset({"", "guncamera.v1.SessionService"})


def readiness(config: Config) -> Sequence[str]:
    """Name what stands in the way of playing. A check that breaks is itself in the way."""
    try:
        return tuple(config.ready())
    except Exception as fault:
        return (f"The readiness check failed: {type(fault).__name__}.",)


class ReadyHealth(health.HealthServicer):  # type: ignore[misc]  # the package has no stubs
    """The standard health service, per service, from the readiness of the composition root.

    A check asks at once. Watchers are told within five seconds, by a thread that starts with
    the first of them.
    """

    def __init__(self, config: Config, services: Sequence[str]) -> None:
        super().__init__()
        self._config = config
        self._services = ("", *services)
        self._stopped = threading.Event()
        self._ticker: threading.Thread | None = None
        self._start_lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Ask for the readiness and tell every watcher if it has changed."""
        is_ready = not readiness(self._config)
        for service in self._services:
            serves = is_ready or service not in SERVICES_WITH_STORE
            state = HealthCheckResponse.SERVING if serves else HealthCheckResponse.NOT_SERVING
            with self._lock:
                is_news = self._server_status.get(service) != state
            if is_news:
                self.set(service, state)

    def Check(self, request: HealthCheckRequest, context: ServicerContext) -> HealthCheckResponse:  # noqa: N802
        """Answer whether a service can be used now."""
        self.refresh()
        return super().Check(request, context)

    def Watch(  # noqa: N802
        self, request: HealthCheckRequest, context: ServicerContext, *rest: Any, **named: Any
    ) -> Any:
        """Tell whether a service can be used, now and whenever that changes."""
        with self._start_lock:
            if self._ticker is None:
                self._ticker = threading.Thread(target=self._tick, name="health", daemon=True)
                self._ticker.start()
        self.refresh()
        return super().Watch(request, context, *rest, **named)

    def drain(self) -> None:
        """Say from now on that nothing can be used."""
        self._stopped.set()
        self.enter_graceful_shutdown()

    def _tick(self) -> None:
        while not self._stopped.wait(WATCH_SECONDS):
            self.refresh()
