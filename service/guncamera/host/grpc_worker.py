"""One gRPC worker: `python -m guncamera.host.grpc_worker NUMBER`, started by the supervisor."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType

from guncamera.api.grpc_server import build_server
from guncamera.api.telemetry import configure_log
from guncamera.host.cores import are_ours
from guncamera.host.memory import settle_memory
from guncamera.host.settings import current
from guncamera.host.signalled import Signalled
from guncamera.host.wiring import wire_up


def pin(number: int) -> None:
    """Keep this process on one core: the GIL's hand-off between cores costs twice the time."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})


@contextmanager
def in_batches() -> Iterator[None]:
    """Have the threads that are started here wait for those at work, and not interrupt them.

    gRPC reads and writes sockets on threads of its own. On one core with the lane, each request
    that comes in would stop it in the middle of a ruling, for nothing: it looks for news when it
    is done.
    """
    if not hasattr(os, "sched_setscheduler"):
        yield
        return
    before = os.sched_getscheduler(0)
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        yield
    finally:
        with suppress(PermissionError):
            os.sched_setscheduler(0, before, os.sched_param(0))


def main(number: int) -> int:
    """Serve until SIGTERM, then drain."""
    settings = current()
    configure_log()
    if settings.grpc_workers > 1 and are_ours():
        pin(number)
    process = wire_up(settings)
    atexit.register(process.config.telemetry.flush)  # when the threads of streams have ended too
    stop, hurry = Signalled(), Signalled()

    def on_term(_signal: int, _frame: FrameType | None) -> None:
        (hurry if stop.is_set() else stop).set()

    signal.signal(signal.SIGTERM, on_term)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor decides
    fast = settings.grpc_lane == "fast"
    with in_batches() if fast else nullcontext():
        server = build_server(
            process.endpoints,
            address=settings.grpc_address,
            config=process.config,
            fast=fast,
        )
    settle_memory()
    server.start()
    stop.wait()
    process.stopping.say()
    server.leave()
    hurry.wait(settings.unready_seconds)  # until a second signal: the supervisor is gone
    process.stopping.end_streams()
    server.stop(settings.drain_seconds).wait()
    process.store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
