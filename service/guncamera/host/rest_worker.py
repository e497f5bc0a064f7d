"""The REST server: `python -m guncamera.host.rest_worker`, started by the supervisor."""

from __future__ import annotations

import sys

from flask import Flask
from granian import Granian
from granian.constants import Interfaces

from guncamera.api.rest import create_app
from guncamera.api.telemetry import configure_log
from guncamera.host.settings import current
from guncamera.host.wiring import wire_up

THREADS = 4


def make_app() -> Flask:
    """The WSGI application of one REST process; granian calls this in each."""
    configure_log()
    process = wire_up(current())
    return create_app(process.endpoints, config=process.config)


def main() -> int:
    """Serve until SIGTERM."""
    settings = current()
    host, _, port = settings.rest_address.rpartition(":")
    Granian(
        "guncamera.host.rest_worker:make_app",
        factory=True,
        address=host.strip("[]"),
        port=int(port),
        interface=Interfaces.WSGI,
        workers=settings.rest_workers,
        # A waiting poll or a stream holds a thread, so there is one for each that may be open.
        blocking_threads=THREADS + settings.max_streams,
        respawn_failed_workers=True,
        workers_kill_timeout=settings.drain_seconds or None,
        log_access=False,
        log_enabled=False,
    ).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
