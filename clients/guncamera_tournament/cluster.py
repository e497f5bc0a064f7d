"""Bouts on a Dask cluster: each is a task, and the one runner keeps the journal.

Whatever a worker does, no game is lost or counted twice. A bout has one future, so one result comes
of it, and only the runner writes it down. When a worker dies, the scheduler has its bouts played
elsewhere from their beginning: in a new session with the same dice seed, and so to the same bytes;
the half-played session is deleted in a day. A runner that goes on uses new task names, so that
what is left of a killed one is never taken for its own.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import secrets
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from guncamera_tournament.executor import play_stubbornly, pool_for
from guncamera_tournament.faults import EventBroken, TournamentError
from guncamera_tournament.finding import check_spec
from guncamera_tournament.playing import Job, Played
from guncamera_tournament.pool import Pool

FIELD = "scheduler"
WAIT_SECONDS = 60.0
AHEAD = 2
"""Bouts handed out for each thread of the cluster, so that none waits for the runner."""


class Cluster:
    """The workers of a Dask scheduler; one bout at once in each of their threads.

    Args:
        scheduler: Its address: `tcp://127.0.0.1:8786`.
        targets: Services, in turn by bout; workers must be able to reach them.

    Raises:
        TournamentError: Dask is not installed, nothing answers there, or no worker comes.
    """

    def __init__(self, scheduler: str, targets: Sequence[str]) -> None:
        self._dask = _distributed()
        self._scheduler = scheduler
        self._in_turn = itertools.cycle(targets)
        self._run = secrets.token_hex(8)
        try:
            self._client = self._dask.Client(
                scheduler, timeout=WAIT_SECONDS / 2, set_as_default=False, name="guncamera"
            )
        except (OSError, ValueError, TypeError) as fault:
            raise _unfit(f"no Dask scheduler answers at {scheduler}: {fault}") from None
        try:
            self._client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except TimeoutError:
            self.close()
            raise _unfit(
                f"the scheduler at {scheduler} has no workers; say dask worker {scheduler}"
            ) from None

    def play(self, jobs: Iterable[Job]) -> Iterator[Played]:
        """Play jobs; few more are handed out than there are threads, however many that is by now.

        Raises:
            TournamentError: A worker lacks a pilot.
            EventBroken: A bout cannot be played, or the scheduler is gone.
        """
        coming = iter(jobs)
        waiting = self._dask.as_completed(loop=self._client.loop)
        while True:
            room = self._room() - waiting.count()
            for job in itertools.islice(coming, max(0, room)):
                waiting.add(self._submitted(job))
            if not waiting.count():
                return
            yield self._result(next(waiting))

    def close(self) -> None:
        """Let the cluster be; bouts that are still being played come to nothing."""
        self._client.close(timeout=WAIT_SECONDS / 2)

    def _room(self) -> int:
        try:
            return max(1, AHEAD * int(sum(self._client.nthreads().values())))
        except (OSError, CancelledError, TimeoutError) as fault:
            raise self._gone(fault) from fault

    def _submitted(self, job: Job) -> Any:
        _refuse_remote(job)
        key = f"{job.bout.id}-{self._run}"
        return self._client.submit(play_task, job, next(self._in_turn), key=key, pure=False)

    def _result(self, future: Any) -> Played:
        try:
            came: Played | TournamentError = future.result()
        except self._dask.KilledWorker as fault:
            bout = future.key.removesuffix(f"-{self._run}")
            raise EventBroken(
                f"workers die again and again at {bout}. What was played is kept: say the same "
                "again to go on."
            ) from fault
        except (OSError, CancelledError) as fault:
            raise self._gone(fault) from fault
        if isinstance(came, TournamentError):
            raise came
        return came

    def _gone(self, fault: BaseException) -> EventBroken:
        return EventBroken(
            f"the scheduler at {self._scheduler} is gone ({type(fault).__name__}). What was played "
            "is kept: say the same again to go on."
        )


def play_task(job: Job, target: str) -> Played | TournamentError:
    """Play a bout: what a worker of the cluster does.

    Returns:
        What came of it, or why it cannot be played. Not raised, for Dask makes another exception
        of one whose cause does not travel.
    """
    try:
        for name in job.bout.pilots:
            entry = job.event.entry(name)
            check_spec(entry, f"{entry.name}, on the worker {_worker_address()}")
        return play_stubbornly(job, _pool(target))
    except TournamentError as fault:
        return fault
    except Exception as fault:  # told to the runner, who knows what to do about it
        return EventBroken(f"{job.bout.id}: {type(fault).__name__}: {fault}")


@functools.cache
def _pool(target: str) -> Pool:
    """One for all bouts of a worker."""
    return pool_for(target)


def _worker_address() -> str:
    return str(_distributed().get_worker().address)


def _refuse_remote(job: Job) -> None:
    for name in job.bout.pilots:
        if job.event.entry(name).kind == "remote":
            raise _unfit(
                f"{name} is a remote pilot, which finds its invitations in the folder of the "
                "runner; play without a cluster"
            )


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise _unfit(
            "a cluster takes the package distributed: pip install 'guncamera[dask]'"
        ) from None


def _unfit(message: str) -> TournamentError:
    return TournamentError(f"{message}.", field=FIELD)
