"""A worker process of a crew: `worker.py FD TARGET IN_FLIGHT`. It ends when its pipe does."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from guncamera_tournament.executor import play_stubbornly, pool_for
from guncamera_tournament.faults import EventBroken
from guncamera_tournament.playing import Job, Played


def main(pipe: Connection, target: str, in_flight: int) -> None:
    """Play whatever comes."""
    asked, lock = pool_for(target), threading.Lock()
    pool = ThreadPoolExecutor(in_flight, thread_name_prefix="bout")

    def play(job: Job) -> None:
        came: Played | EventBroken
        try:
            came = play_stubbornly(job, asked)
        except EventBroken as fault:
            came = fault
        except Exception as fault:  # told to the runner, who knows what to do about it
            came = EventBroken(f"{job.bout.id}: {type(fault).__name__}: {fault}")
            sys.excepthook(type(fault), fault, fault.__traceback__)
        with lock, contextlib.suppress(OSError):
            pipe.send(came)

    with contextlib.suppress(EOFError, OSError):
        while True:
            pool.submit(play, pipe.recv())
    # The runner is gone, or done: pilots end with the threads that they are bound to.
    os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the runner
    descriptor, at, games = sys.argv[1:]
    main(Connection(int(descriptor)), at, int(games))
