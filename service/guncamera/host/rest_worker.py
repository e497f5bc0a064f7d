"""The REST server: `python -m guncamera.host.rest_worker`, started by the supervisor."""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize

from granian import Granian
from granian.constants import Interfaces

from guncamera.api.rest import create_app
from guncamera.api.telemetry import configure_log
from guncamera.host.memory import settle_memory
from guncamera.host.rest_bridge import Bridge
from guncamera.host.settings import ServiceSettings, current
from guncamera.host.stopping import Stopping
from guncamera.host.wiring import wire_up

CONNECTIONS = 1024
"""Open at once, per process; more wait until one ends."""
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
LOOK_SECONDS = 0.5


def make_app() -> Bridge:
    """The application of one REST process; granian calls this in each."""
    configure_log()
    settings = current()
    end_with_parent(settings)
    process = wire_up(settings)
    stop_in_order(process.stopping, settings.unready_seconds)
    Finalize(None, process.config.telemetry.flush, exitpriority=1)
    bridge = Bridge(create_app(process.endpoints, config=process.config), process.config)
    settle_memory()
    return bridge


def keep_stop_signals_waiting() -> None:
    """Leave signals to stop to `stop_in_order`; also those that come before it is called."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def stop_in_order(stopping: Stopping, unready_seconds: float) -> None:
    """Have a signal to stop turn readiness red and end streams before granian hears of it.

    Granian would wait for streams that do not know that they should end, and takes no new
    connections from the moment it hears. To be called in the main thread, before it serves.
    """
    keep_stop_signals_waiting()  # for threads inherit this, and a signal takes any that lets it
    before = signal.getsignal(signal.SIGTERM)

    def wait() -> None:
        number = signal.sigwait(STOP_SIGNALS)
        stopping.say()
        signal.sigtimedwait(STOP_SIGNALS, unready_seconds)  # until a second one
        stopping.end_streams()
        while signal.getsignal(signal.SIGTERM) is before:
            time.sleep(0.01)  # granian puts its own in place a moment after we return
        # It reads of signals in the event loop, which hears of them whichever thread they come to.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        signal.raise_signal(number)

    threading.Thread(target=wait, name="stop-in-order", daemon=True).start()


def end_with_parent(settings: ServiceSettings) -> None:
    """End this process when the one that started it is killed.

    It would serve on, watched by nobody, and keep the address after the service has stopped.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        seconds = settings.unready_seconds + settings.drain_seconds
        threading.Thread(
            target=_end_after, args=(parent, seconds), name="end-with-parent", daemon=True
        ).start()


def _end_after(parent: BaseProcess, seconds: int) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(seconds)
    os._exit(1)


def hurry_when_alone() -> None:
    """Have the REST processes stop at once when whoever started this one is gone.

    It was told to stop then. That is enough where nothing else had told it before; but who has been
    waiting unready already, for as long as the settings say, would wait on, watched by nobody.
    """
    parent = os.getppid()

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        for child in multiprocessing.active_children():
            if child.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGTERM)

    threading.Thread(target=wait, name="hurry-when-alone", daemon=True).start()


def numeric(address: str) -> tuple[str, int]:
    """The host of an address in digits, for granian looks no names up; and the port."""
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    found = socket.getaddrinfo(host.strip("[]"), int(port), family, socket.SOCK_STREAM)
    return str(found[0][4][0]), int(port)


def main() -> int:
    """Serve until SIGTERM, then drain."""
    atexit.register(gc.freeze)  # the interpreter would look through all that goes with it
    settings = current()
    hurry_when_alone()
    host, port = numeric(settings.rest_address)
    os.register_at_fork(after_in_child=keep_stop_signals_waiting)
    Granian(
        "guncamera.host.rest_worker:make_app",
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.RSGI,
        workers=settings.rest_workers,
        backpressure=CONNECTIONS,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=max(1, settings.unready_seconds + settings.drain_seconds),
        log_access=False,
        log_enabled=False,
    ).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
