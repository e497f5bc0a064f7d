"""Whether memory stays flat over very many games: of the runner, and of the service it plays on."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from guncamera_tournament.event import Entry, Event, Setup
from guncamera_tournament.record import GameRecord
from guncamera_tournament.runner import run_event
from serving import descendants, service

QUICKEST = "circus"
SETUP = Setup("short", '{"turns": 1}')
PILOTS = tuple(Entry(name, "stock:random") for name in "abcdef")
BOUTS_A_GAME = len(PILOTS) * (len(PILOTS) - 1)
SAMPLES = 100
GROWTH, SLACK_MB = 0.02, 4.0
"""The last third may be above the second by so much: a part, or megabytes."""


class Sampler:
    """Watches an event, and notes memory as games go by."""

    def __init__(self, pid: int, games: int) -> None:
        self._pid = pid
        self._every = max(1, games // SAMPLES)
        self.games = 0
        self.runner: list[float] = []
        self.service: list[float] = []

    def begins(self, event: Event, bouts: int) -> None:
        """Nothing to note yet."""

    def played(self, record: GameRecord) -> None:
        """Now and then, look."""
        assert record.reason in ("finished", "length"), record
        self.games += 1
        if self.games % self._every == 0:
            self.runner.append(_megabytes(os.getpid()))
            self.service.append(sum(map(_megabytes, [self._pid, *descendants(self._pid)])))
            print(self.games, self.runner[-1], self.service[-1], file=sys.stderr)


def flat_memory(folder: Path, games: int) -> dict:
    """Play so many games, or a few more, in one event; what memory did."""
    with service(folder) as running:
        sampler, began = Sampler(running.process.pid, games), time.monotonic()
        event = Event(
            QUICKEST,
            PILOTS,
            "soak",
            games=-(-games // BOUTS_A_GAME),
            setups=(SETUP,),
            keep_films=False,
        )
        run_event(folder / "soak", event, [running.grpc], in_flight=32, watcher=sampler)
        seconds = time.monotonic() - began
    thirds = {name: _thirds(getattr(sampler, name)) for name in ("runner", "service")}
    return {
        "ruleset": QUICKEST,
        "games": sampler.games,
        "seconds": round(seconds),
        "megabytes_by_thirds": thirds,
        "flat": all(map(is_flat, thirds.values())),
    }


def is_flat(thirds: Sequence[float]) -> bool:
    """Whether memory has stopped growing: its medians in three thirds of a run, in megabytes."""
    _, middle, last = thirds
    return last <= middle * (1 + GROWTH) + SLACK_MB


def _thirds(samples: list[float]) -> tuple[float, ...]:
    third = len(samples) // 3
    parts = (samples[:third], samples[third : 2 * third], samples[-third:])
    return tuple(round(statistics.median(part), 1) for part in parts)


def _megabytes(pid: int) -> float:
    """What a process holds in memory; 0 if it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
