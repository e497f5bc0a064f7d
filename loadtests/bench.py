"""`make bench`: what a call costs, as ratios in one run. Prints one JSON line at the end.

Servers are pinned to one core; the load (this process) and the stores take another, which the
second of two workers shares with them.
Scenarios are interleaved and repeated; each figure is the median of the repetitions. Machines
are noisy: compare ratios, never calls/s of different runs. Loopback only, bounded in count.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import aio_load
import orjson
from aio_load import post
from bench_servers import ADDRESSES, CONCURRENCY, Bench, benched, cpu_seconds
from bench_workers import CALLERS, SERVERS, Workers
from exact_odds import odds_figures
from guncamera.v1 import actions_pb2
from guncamera.v1 import resolution_service_pb2 as resolution
from guncamera.v1 import ruleset_kettering_pb2 as ket
from guncamera.v1 import session_service_pb2 as sessions
from lean_grpc import call_many
from seen import Seen
from stage import put_session

BATCH = 100
LONG_LEDGER = 10_000
ODDS_REPETITIONS = 200
LOOK = "SessionService/GetSession"
Messages: TypeAlias = Callable[[int], bytes]
"""The request of the n-th call."""

SHOT = actions_pb2.FireFacts(
    kettering=ket.KetteringFireFacts(
        aircraft_type="fokker-d7",
        aspect=ket.KETTERING_ASPECT_TAIL,
        range_hexes=1,
        speed_mp=6,
        torpedo_speed_mp=4,
    )
)
FIRE = actions_pb2.FireOrder(kettering=ket.KetteringFireOrder())
INSPECT = actions_pb2.DamageOrder(
    kettering=ket.KetteringDamageOrder(inspect=ket.KetteringInspect())
)
SHOT_JSON = (
    b'{"facts":{"kettering":{"aircraft_type":"fokker-d7","aspect":"KETTERING_ASPECT_TAIL",'
    b'"range_hexes":1,"speed_mp":6,"torpedo_speed_mp":4}}}'
)


@dataclass
class Scenario:
    """One gRPC method: the request of the n-th call, which server has it, and what was seen.

    Attributes:
        look: What is asked before, for each call, and not counted.
    """

    name: str
    server: str
    method: str
    request: Messages
    per_call: int = 1
    look: Messages | None = None
    seen: Seen = field(default_factory=Seen)
    made: int = 0

    def measure(self, bench: Bench, calls: int) -> None:
        """Make so many calls, sixteen at a time."""
        address, pids = ADDRESSES[self.server], bench.pids[self.server]
        if self.look is not None:
            call_many(address, f"/guncamera.v1.{LOOK}", self._spread(self.look, calls))
        messages = self._spread(self.request, calls)
        used = cpu_seconds(*pids)
        took = call_many(address, self.method, messages)
        self.seen.add(took.wall, cpu_seconds(*pids) - used, took.own, took.times)
        self.made += calls

    def _spread(self, request: Messages, calls: int) -> list[list[bytes]]:
        """The next requests, each on the connection that its number says."""
        numbers = range(self.made, self.made + calls)
        return [[request(n) for n in numbers[first::CONCURRENCY]] for first in range(CONCURRENCY)]


def grpc_scenarios() -> list[Scenario]:
    """What is measured over gRPC, in the order of each repetition."""
    base = resolution.ResolveFireRequest(facts=SHOT)

    def scenario(name: str, server: str, method: str, request: Messages, **more: object):
        return Scenario(name, server, f"/guncamera.v1.{method}", request, **more)

    def fire(name: str, kind: str, server: str, *, in_play: bool) -> Scenario:
        # In play a player fires who has looked at the board first: the worker has read the session.
        def order(n: int) -> bytes:
            request = sessions.FireRequest(name=f"sessions/{kind}-{n}", order=FIRE)
            return request.SerializeToString()

        def look(n: int) -> bytes:
            return sessions.GetSessionRequest(name=f"sessions/{kind}-{n}").SerializeToString()

        return scenario(name, server, "SessionService/Fire", order, look=look if in_play else None)

    def inspect(name: str, kind: str, server: str) -> Scenario:
        requests = _each_session(lambda name: inspection(name).SerializeToString(), kind)
        return scenario(name, server, "SessionService/Damage", requests)

    def played(name: str) -> bytes:
        item = sessions.BatchPlayItem(damage=inspection(name))
        return sessions.BatchPlayRequest(items=[item] * BATCH).SerializeToString()

    shot = base.SerializeToString()
    shots = resolution.BatchResolveRequest(items=[resolution.BatchItem(fire=base)] * BATCH)
    shots = shots.SerializeToString()
    payload = b"x" * 70
    return [
        Scenario("grpc_echo", "echo", "/bench.Echo/Echo", lambda _: payload),
        fire("session_fire", "fire", "worker", in_play=False),
        fire("fire_in_play", "play", "worker", in_play=True),
        fire("standard_fire", "standard", "standard", in_play=True),
        fire("in_memory_fire", "memory", "in_memory", in_play=True),
        scenario("stateless_fire", "worker", "ResolutionService/ResolveFire", lambda _: shot),
        scenario(
            "batch_of_100", "worker", "ResolutionService/BatchResolve", lambda _: shots,
            per_call=BATCH,
        ),
        inspect("ledger_of_10", "ledger-10", "worker"),
        inspect(f"ledger_of_{LONG_LEDGER}", f"ledger-{LONG_LEDGER}", "worker"),
        inspect("standard_inspect", "inspect", "standard"),
        scenario(
            "batch_play_of_100", "worker", "SessionService/BatchPlay",
            _each_session(played, "batch"), per_call=BATCH,
        ),
    ]  # fmt: skip


def inspection(name: str) -> sessions.DamageRequest:
    """An order that may be given again and again."""
    return sessions.DamageRequest(name=name, order=INSPECT)


def _each_session(request: Callable[[str], bytes], kind: str) -> Messages:
    """Requests about sixteen sessions, one for each caller."""
    requests = [request(f"sessions/{kind}-{n}") for n in range(CONCURRENCY)]
    return lambda n: requests[n % CONCURRENCY]


async def rest_scenarios(bench: Bench) -> list[aio_load.Scenario]:
    """What is measured over REST."""

    async def shots_at(name: str, server: str, path: bytes) -> aio_load.Scenario:
        web = await aio_load.connected(ADDRESSES[server])
        return aio_load.Scenario(
            name, lambda n: post(web[n % CONCURRENCY], path, SHOT_JSON), bench.pids[server]
        )

    return [
        await shots_at("flask_echo", "flask_echo", b"/echo"),
        await shots_at("rest_fire", "rest", b"/v1:resolveFire"),
    ]


def put_sessions(bench: Bench, each: int) -> None:
    """Store what the scenarios play in."""
    for number in range(each):
        for kind in ("fire", "play", "standard"):
            put_session(bench.store, f"{kind}-{number}", ledger=10)
        put_session(bench.store_in_memory, f"memory-{number}", ledger=10)
    for kind in SERVERS:
        for number in range(CALLERS):
            put_session(bench.store, f"{kind}-{number}", ledger=10)
    for number in range(CONCURRENCY):
        for kind in ("ledger-10", "inspect", "batch"):
            put_session(bench.store, f"{kind}-{number}", ledger=10)
        put_session(bench.store, f"ledger-{LONG_LEDGER}-{number}", ledger=LONG_LEDGER)


def run(bench: Bench, options: argparse.Namespace, cores: Sequence[int]) -> dict:
    """Run every scenario and return the figures."""
    put_sessions(bench, (options.repetitions + 1) * options.calls)
    workers = Workers(bench, options.calls, INSPECT, cores)
    over_grpc = grpc_scenarios()
    with asyncio.Runner() as runner:
        over_rest = runner.run(rest_scenarios(bench))
        for repetition in range(options.repetitions + 1):
            workers.repeat()
            for scenario in over_grpc:
                scenario.measure(bench, _rounded(options.calls // scenario.per_call))
            for web in over_rest:
                runner.run(aio_load.measure(web, _rounded(options.calls)))
            if repetition == 0:  # to warm up
                workers.forget()
                for one in (*over_grpc, *over_rest):
                    one.seen = Seen()
            print(f"repetition {repetition} of {options.repetitions}", file=sys.stderr)
    made = {one.name: one.made for one in over_grpc}
    check_ledgers(bench, made, workers.made)
    figures = {one.name: one.seen.figures() for one in (*over_grpc, *over_rest)}
    return summary(figures | workers.figures())


def _rounded(calls: int) -> int:
    """As many for each caller, and two at least."""
    return max(2, calls // CONCURRENCY) * CONCURRENCY


def check_ledgers(bench: Bench, made: dict[str, int], by_workers: dict[str, int]) -> None:
    """Every call must have been ruled on: the ledgers say so."""
    grown_by = {
        "ledger-10": made["ledger_of_10"],
        "inspect": made["standard_inspect"],
        "batch": made["batch_play_of_100"] * BATCH,
        **by_workers,
    }
    for kind, calls in grown_by.items():
        sessions_of = CALLERS if kind in SERVERS else CONCURRENCY
        heads = [bench.store.load(f"{kind}-{n}") for n in range(sessions_of)]
        grown = sum(head.revision - 10 for head in heads if head is not None)
        assert grown == calls, f"{kind}: {grown} actions for {calls} calls"


def summary(figures: dict[str, dict[str, float]]) -> dict:
    """The figures and their ratios."""

    def ratio(one: str, other: str, times: float = 1) -> float:
        return round(figures[one]["calls_per_s"] * times / figures[other]["calls_per_s"], 3)

    return {
        "concurrency": CONCURRENCY,
        "scenarios": figures,
        "ratios": {
            "session_fire_to_echo": ratio("session_fire", "grpc_echo"),
            "fire_in_play_to_echo": ratio("fire_in_play", "grpc_echo"),
            "standard_fire_to_echo": ratio("standard_fire", "grpc_echo"),
            "stateless_fire_to_echo": ratio("stateless_fire", "grpc_echo"),
            "batched_fire_to_stateless_fire": ratio("batch_of_100", "stateless_fire", BATCH),
            "batched_play_to_standard": ratio("batch_play_of_100", "standard_inspect", BATCH),
            "batched_play_to_fast": ratio("batch_play_of_100", "ledger_of_10", BATCH),
            "rest_fire_to_grpc_echo": ratio("rest_fire", "grpc_echo"),
            "rest_fire_to_flask_echo": ratio("rest_fire", "flask_echo"),
            "kept_to_in_memory": ratio("fire_in_play", "in_memory_fire"),
            "two_workers_to_one": ratio("two", "one"),
            "two_standard_workers_to_one": ratio("standard-two", "standard-one"),
            "long_ledger_to_short": ratio(f"ledger_of_{LONG_LEDGER}", "ledger_of_10"),
        },
    }


def main() -> None:
    """Set up, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=800, help="calls a scenario and repetition")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})
    with benched(cores) as bench:
        found = run(bench, options, cores)
    found["exact_odds"] = odds_figures(ODDS_REPETITIONS)
    print(orjson.dumps(found).decode())


if __name__ == "__main__":
    main()
