"""Where bouts are played: the seam between the runner and whatever has processors.

An executor plays jobs in any order and hands back what came of them. Here: threads of this
process. `crew.py` has processes of this machine; a cluster would be one more.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from guncamera_client import Client, GuncameraError, RetryPolicy

from guncamera_tournament.faults import EventBroken, TournamentError
from guncamera_tournament.playing import Job, Played, play_bout
from guncamera_tournament.pool import Pool

KEY_VARIABLE = "GUNCAMERA_KEY"
TIMEOUT_SECONDS = 30.0
RETRY = RetryPolicy(total_seconds=150.0)
"""An event uses limits up (`docs/limits.md`), and waits for the next minute, or the one after."""
PAUSE_SECONDS = 1.0
ATTEMPTS = 3
"""A bout that the service cannot play is begun anew so often in all."""


class Executor(Protocol):
    """Plays bouts, many at once."""

    def play(self, jobs: Iterable[Job]) -> Iterator[Played]:
        """Play jobs, each once; what came of them, in any order, as soon as it is there.

        Raises:
            EventBroken: A bout cannot be played, through no pilot's fault.
        """

    def close(self) -> None:
        """Let go of everything."""


def client_for(target: str) -> Client:
    """A client for the bouts of one thread or many.

    Raises:
        TournamentError: The target is no address of gRPC.
    """
    try:
        return Client(
            target,
            token=os.environ.get(KEY_VARIABLE) or None,
            timeout_seconds=TIMEOUT_SECONDS,
            retry=RETRY,
        )
    except ValueError as error:
        raise TournamentError(str(error), field="target") from error


def pool_for(target: str) -> Pool:
    """What the bouts of one process ask, however many they are."""
    return Pool(client_for(target))


def play_stubbornly(job: Job, pool: Pool) -> Played:
    """Play a bout, from its beginning again if the service fails in the middle.

    Raises:
        EventBroken: It fails again and again.
    """
    for attempt in itertools.count(1):
        try:
            return play_bout(job, pool)
        except GuncameraError as fault:
            if attempt == ATTEMPTS:
                raise EventBroken(
                    f"{job.bout.id} cannot be played: {fault.reason}: {fault.message} What was "
                    "played is kept: say the same again to go on."
                ) from fault
            time.sleep(PAUSE_SECONDS * attempt)
    raise AssertionError("attempts never end")


class Here:
    """Threads of this process: for few pilots, and those that mostly wait.

    Args:
        targets: Services, in turn.
        in_flight: Games at once, from 1.
    """

    def __init__(self, targets: Sequence[str], in_flight: int) -> None:
        self._pools = [pool_for(target) for target in targets]
        self._in_turn = itertools.cycle(self._pools)
        self._in_flight = in_flight
        self._threads = ThreadPoolExecutor(in_flight, thread_name_prefix="bout")

    def play(self, jobs: Iterable[Job]) -> Iterator[Played]:
        """Play jobs; no more are taken than can be played."""
        waiting: set[Future[Played]] = set()
        for job in jobs:
            if len(waiting) == self._in_flight:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
            waiting.add(self._threads.submit(play_stubbornly, job, next(self._in_turn)))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)

    def close(self) -> None:
        """Wait for bouts that are being played, and hang up."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for pool in self._pools:
            pool.close()
