"""Two pinned workers against one, for each lane, by a load that leaves them the cores.

The load and the store need a core too. With one worker they have the second to themselves; with
two they share both cores with them, so that what they take is stated with the figures.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

from bench_servers import ADDRESSES, Bench, cpu_seconds
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as sessions
from lean_grpc import call_many

CONCURRENCY = 16
SERVERS = {
    "one": "worker",
    "two": "pair",
    "standard-one": "standard",
    "standard-two": "pair_standard",
}
"""What is measured, and by which server; each also has sessions of its name."""
_METHOD = "/guncamera.v1.SessionService/Damage"


@dataclass
class _Seen:
    """What the repetitions gave."""

    rates: list[float] = field(default_factory=list)
    worker_micros: list[float] = field(default_factory=list)
    load_micros: list[float] = field(default_factory=list)


class Workers:
    """Measures by `repeat`, as often as wanted; then `figures` has the medians.

    Args:
        order: That may be given again and again.
    """

    def __init__(self, bench: Bench, calls: int, order: actions_pb2.DamageOrder) -> None:
        self._bench = bench
        self._order = order
        self._each = max(1, calls // CONCURRENCY)
        self._seen = {name: _Seen() for name in SERVERS}
        self.made = dict.fromkeys(SERVERS, 0)

    def repeat(self) -> None:
        """Measure each once."""
        for name, server in SERVERS.items():
            self._measure(name, server)

    def forget(self) -> None:
        """Leave out what was seen so far: it was to warm up."""
        self._seen = {name: _Seen() for name in SERVERS}

    def _measure(self, name: str, server: str) -> None:
        requests = [
            sessions.DamageRequest(
                name=f"sessions/{name}-{n}", order=self._order
            ).SerializeToString()
            for n in range(CONCURRENCY)
        ]
        pids, calls = self._bench.pids[server], CONCURRENCY * self._each
        used, own = cpu_seconds(*pids), time.process_time()
        took = call_many(ADDRESSES[server], _METHOD, requests, self._each)
        used, own = cpu_seconds(*pids) - used, time.process_time() - own
        self.made[name] += calls
        seen = self._seen[name]
        seen.rates.append(calls / took)
        seen.worker_micros.append(used / calls * 1e6)
        seen.load_micros.append(own / calls * 1e6)

    def figures(self) -> dict[str, dict[str, float]]:
        """Medians: calls a second, and processor time a call of workers and load."""
        return {
            name: {
                "calls_per_s": round(statistics.median(seen.rates), 1),
                "cpu_us_per_call": round(statistics.median(seen.worker_micros), 1),
                "load_us_per_call": round(statistics.median(seen.load_micros), 1),
            }
            for name, seen in self._seen.items()
        }
