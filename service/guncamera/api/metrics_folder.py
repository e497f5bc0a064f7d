"""The folder in which the processes of one service keep their counts, a file for each.

Processes come and go while it is read: a file may be there with nothing in it yet, and what is open
in a process that died is to be forgotten.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder; to be set before anything imports prometheus_client."""


class EveryProcess(Collector):
    """What is counted: counters of every process there ever was, gauges of those that live."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        """Every family, added up."""
        forget_gauges_of_the_dead(self._folder)
        begun = [str(path) for path in sorted(self._folder.glob("*.db")) if _has_begun(path)]
        return MultiProcessCollector.merge(begun)  # type: ignore[no-untyped-call, no-any-return]


def forget_gauges_of_the_dead(folder: Path) -> None:
    """Drop what is open in processes that are gone.

    Not only the supervisor starts processes: the REST server restarts its own.
    """
    for path in folder.glob("gauge_live*.db"):
        pid = path.stem.rpartition("_")[2]
        if pid.isdigit() and not _is_alive(int(pid)):
            path.unlink(missing_ok=True)  # somebody else may be as quick


def forget_gauges_of(pid: int, folder: Path) -> None:
    """Drop what is open in one process that is gone, before its number is another's."""
    for path in folder.glob(f"gauge_live*_{pid}.db"):
        path.unlink(missing_ok=True)


def _has_begun(path: Path) -> bool:
    # A process that starts makes its file first and gives it its length then.
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
