"""Processes of this machine that play bouts. One that dies is replaced, and its bouts begin anew.

Each is reached by a pipe of its own, so that nothing is shared that a dying one could hold.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait

from guncamera_tournament.executor import ATTEMPTS
from guncamera_tournament.faults import EventBroken
from guncamera_tournament.playing import Job, Played


class Worker:
    """One process, and the jobs it was given."""

    def __init__(self, target: str, in_flight: int) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  # our own
                [
                    sys.executable,
                    "-m",
                    "guncamera_tournament.worker",
                    str(theirs.fileno()),
                    target,
                    str(in_flight),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self.pipe = Connection(ours.detach())
        self.jobs: dict[str, Job] = {}

    def give(self, job: Job) -> None:
        """Have a job played."""
        self.jobs[job.bout.id] = job
        with contextlib.suppress(OSError):  # it is dead; its pipe tells
            self.pipe.send(job)

    def close(self) -> None:
        """Let it end; it does when its pipe is closed."""
        self.pipe.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Crew:
    """So many workers, each with so many bouts at once.

    Args:
        targets: Services; workers take them in turn.
        workers: Processes, from 1.
        in_flight: Bouts at once in each.
    """

    def __init__(self, targets: Sequence[str], workers: int, in_flight: int) -> None:
        self._targets = targets
        self._in_flight = in_flight
        self._deaths: dict[str, int] = {}
        self._hired = 0
        self._workers = [self._hire() for _ in range(workers)]

    @property
    def pids(self) -> list[int]:
        """The workers' process ids."""
        return [worker.process.pid for worker in self._workers]

    def play(self, jobs: Iterable[Job]) -> Iterator[Played]:
        """Play jobs; no more are taken than can be played."""
        coming, again = iter(jobs), deque[Job]()
        while True:
            self._fill(coming, again)
            busy = [worker for worker in self._workers if worker.jobs]
            if not busy:
                return
            for pipe in wait([worker.pipe for worker in busy]):
                worker = next(one for one in busy if one.pipe is pipe)
                try:
                    came = worker.pipe.recv()
                except (EOFError, OSError):
                    again.extend(self._bury(worker))
                    continue
                if isinstance(came, EventBroken):
                    raise came
                del worker.jobs[came.record.bout]
                yield came

    def close(self) -> None:
        """Let all go."""
        for worker in self._workers:
            worker.close()

    def _fill(self, coming: Iterator[Job], again: deque[Job]) -> None:
        for at in range(self._in_flight):
            for worker in self._workers:
                if len(worker.jobs) == at:
                    job = again.popleft() if again else next(coming, None)
                    if job is None:
                        return
                    worker.give(job)

    def _bury(self, dead: Worker) -> list[Job]:
        """Put another in the place of a worker that has died; the bouts it was playing.

        Raises:
            EventBroken: One of them was being played at too many deaths.
        """
        dead.close()
        for bout in dead.jobs:
            self._deaths[bout] = self._deaths.get(bout, 0) + 1
            if self._deaths[bout] == ATTEMPTS:
                raise EventBroken(
                    f"workers die again and again at {bout}. What was played is kept: say the "
                    "same again to go on."
                )
        self._workers[self._workers.index(dead)] = self._hire()
        return list(dead.jobs.values())

    def _hire(self) -> Worker:
        worker = Worker(self._targets[self._hired % len(self._targets)], self._in_flight)
        self._hired += 1
        return worker
