"""Two pinned workers against one, for each lane, by a load that leaves them the cores.

The load and the store need a core too. With one worker they have the second to themselves; with
two they run wherever there is room, as they do beside a service, so that both workers give way to
them alike. What they take is stated with the figures.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from bench_servers import ADDRESSES, Bench, cpu_seconds
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as sessions
from lean_grpc import call_many
from seen import Seen

CALLERS = 64
"""At once, so that neither worker is ever without a call: what is asked is how much they can do."""
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
        cores: That there are.
    """

    def __init__(
        self, bench: Bench, calls: int, order: actions_pb2.DamageOrder, cores: Sequence[int]
    ) -> None:
        self._bench = bench
        self._cores = cores
        self._order = order
        self._calls = calls
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
            for n in range(CALLERS)
        ]
        pids = self._bench.pids[server]
        used = cpu_seconds(*pids)
        each = [[one] for one in requests]
        with self._anywhere() if len(pids) > 1 else contextlib.nullcontext():
            took = call_many(ADDRESSES[server], _METHOD, each, in_all=self._calls)
        self._seen[name].add(took.wall, cpu_seconds(*pids) - used, took.own, took.times)
        self.made[name] += len(took.times)

    @contextlib.contextmanager
    def _anywhere(self) -> Iterator[None]:
        """Let load and store run on any core for a while."""
        bound = {pid: os.sched_getaffinity(pid) for pid in (0, self._bench.store_pid)}
        for pid in bound:
            os.sched_setaffinity(pid, self._cores)
        try:
            yield
        finally:
            for pid, cores in bound.items():
                os.sched_setaffinity(pid, cores)

    def figures(self) -> dict[str, dict[str, float]]:
        """Medians: calls a second, processor time a call of workers and load, and how long."""
        return {name: seen.figures() for name, seen in self._seen.items()}
