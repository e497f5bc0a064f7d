"""Two pinned workers against one, for each lane, by a load that leaves them the cores.

The load and the store need a core too. With one worker they have the second to themselves; with
two they share both cores with them, so that what they take is stated with the figures.
"""

from __future__ import annotations

from bench_servers import ADDRESSES, CONCURRENCY, Bench, cpu_seconds
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as sessions
from lean_grpc import call_many
from seen import Seen

SERVERS = {
    "one": "worker",
    "two": "pair",
    "standard-one": "standard",
    "standard-two": "pair_standard",
}
"""What is measured, and by which server; each also has sessions of its name."""
_METHOD = "/guncamera.v1.SessionService/Damage"


class Workers:
    """Measures by `repeat`, as often as wanted; then `figures` has the medians.

    Args:
        order: That may be given again and again.
    """

    def __init__(self, bench: Bench, calls: int, order: actions_pb2.DamageOrder) -> None:
        self._bench = bench
        self._order = order
        self._each = max(1, calls // CONCURRENCY)
        self._seen = {name: Seen() for name in SERVERS}
        self.made = dict.fromkeys(SERVERS, 0)

    def repeat(self) -> None:
        """Measure each once."""
        for name, server in SERVERS.items():
            self._measure(name, server)

    def forget(self) -> None:
        """Leave out what was seen so far: it was to warm up."""
        self._seen = {name: Seen() for name in SERVERS}

    def _measure(self, name: str, server: str) -> None:
        requests = [
            sessions.DamageRequest(
                name=f"sessions/{name}-{n}", order=self._order
            ).SerializeToString()
            for n in range(CONCURRENCY)
        ]
        pids = self._bench.pids[server]
        used = cpu_seconds(*pids)
        took = call_many(ADDRESSES[server], _METHOD, [[one] * self._each for one in requests])
        self._seen[name].add(took.wall, cpu_seconds(*pids) - used, took.own, took.times)
        self.made[name] += len(took.times)

    def figures(self) -> dict[str, dict[str, float]]:
        """Medians: calls a second, processor time a call of workers and load, and how long."""
        return {name: seen.figures() for name, seen in self._seen.items()}
