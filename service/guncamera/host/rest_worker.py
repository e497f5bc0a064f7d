"""The REST server: `python -m guncamera.host.rest_worker`, started by the supervisor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing.process import BaseProcess

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
    settings = current()
    end_with_parent(settings.drain_seconds)
    process = wire_up(settings)
    return create_app(process.endpoints, config=process.config)


def end_with_parent(drain_seconds: int) -> None:
    """End this process when the one that started it is killed.

    It would serve on, watched by nobody, and keep the address after the service has stopped.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(
            target=_end_after, args=(parent, drain_seconds), name="end-with-parent", daemon=True
        ).start()


def _end_after(parent: BaseProcess, drain_seconds: int) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(drain_seconds)
    os._exit(1)


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
