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
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc
import orjson
from bench_servers import ADDRESSES, Bench, benched, cpu_seconds
from bench_workers import SERVERS, Workers
from exact_odds import odds_figures
from guncamera.v1 import actions_pb2
from guncamera.v1 import resolution_service_pb2 as resolution
from guncamera.v1 import ruleset_kettering_pb2 as ket
from guncamera.v1 import session_service_pb2 as sessions
from stage import put_session

CONCURRENCY = 16
CHANNELS = 16
BATCH = 100
LONG_LEDGER = 10_000
ODDS_REPETITIONS = 200
LOCAL = [("grpc.use_local_subchannel_pool", 1)]
Web: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

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
    """One kind of call: how to make the n-th, which process serves it, and what was seen."""

    name: str
    call: Callable[[int], Awaitable[object]]
    pids: list[int]
    per_call: int = 1
    before: Callable[[int], Awaitable[object]] | None = None  # for the n-th, and not counted
    rates: list[float] = field(default_factory=list)
    cpu_micros: list[float] = field(default_factory=list)
    p50_ms: list[float] = field(default_factory=list)
    p99_ms: list[float] = field(default_factory=list)
    made: int = 0

    def figures(self) -> dict[str, float]:
        """Medians over the repetitions."""
        return {
            "calls_per_s": round(statistics.median(self.rates), 1),
            "cpu_us_per_call": round(statistics.median(self.cpu_micros), 1),
            "p50_ms": round(statistics.median(self.p50_ms), 3),
            "p99_ms": round(statistics.median(self.p99_ms), 3),
        }


async def measure(scenario: Scenario, calls: int) -> None:
    """Make so many calls, sixteen at a time."""
    times: list[float] = []

    async def caller(first: int) -> None:
        # Strides keep number % CONCURRENCY, and so the connection, the caller's own.
        for number in range(first, scenario.made + calls, CONCURRENCY):
            start = time.perf_counter()
            await scenario.call(number)
            times.append(time.perf_counter() - start)

    if scenario.before is not None:
        for number in range(scenario.made, scenario.made + calls):
            await scenario.before(number)
    cpu, start = cpu_seconds(*scenario.pids), time.perf_counter()
    await asyncio.gather(*(caller(scenario.made + n) for n in range(CONCURRENCY)))
    wall, used = time.perf_counter() - start, cpu_seconds(*scenario.pids) - cpu
    scenario.made += calls
    times.sort()
    scenario.rates.append(calls / wall)
    scenario.cpu_micros.append(used / calls * 1e6)
    scenario.p50_ms.append(times[len(times) // 2] * 1e3)
    scenario.p99_ms.append(times[int(len(times) * 0.99)] * 1e3)


def unary(
    channels: list[grpc.aio.Channel], path: str, answer: type | None
) -> Callable[..., object]:
    """A call of one method, spread over the channels."""
    calls = [
        channel.unary_unary(
            path,
            request_serializer=(lambda m: m.SerializeToString()) if answer else None,
            response_deserializer=answer.FromString if answer else None,
        )
        for channel in channels
    ]
    return lambda number, request: calls[number % len(calls)](request, timeout=30)


async def post(connection: Web, path: bytes, body: bytes) -> None:
    """One POST on a kept connection. A whole HTTP client would cost more than the server."""
    reader, writer = connection
    writer.write(
        b"POST %b HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (path, len(body), body)
    )
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = re.search(rb"content-length: (\d+)", head.lower())
    assert length is not None, head
    await reader.readexactly(int(length[1]))


def scenarios_on(bench: Bench, web: dict[str, list[Web]]) -> list[Scenario]:
    """What is measured, in the order of each repetition."""
    prefix, base = "/guncamera.v1.", resolution.ResolveFireRequest(facts=SHOT)
    on = {
        name: [grpc.aio.insecure_channel(ADDRESSES[name], options=LOCAL) for _ in range(CHANNELS)]
        for name in ("echo", "worker", "standard", "in_memory")
    }

    def asked(server: str, method: str, answer: type | None) -> Callable[..., Awaitable[object]]:
        return unary(on[server], f"{prefix}{method}", answer)

    def scenario(name: str, call: Callable[[int], Awaitable[object]], server: str, **more: object):
        return Scenario(name, call, bench.pids[server], **more)

    def fire(name: str, kind: str, server: str, *, in_play: bool) -> Scenario:
        # In play a player fires who has looked at the board first: the worker has read the session.
        order = asked(server, "SessionService/Fire", sessions.Action)
        look = asked(server, "SessionService/GetSession", sessions.Session)
        before = lambda n: look(n, sessions.GetSessionRequest(name=f"sessions/{kind}-{n}"))  # noqa: E731
        return scenario(
            name,
            lambda n: order(n, sessions.FireRequest(name=f"sessions/{kind}-{n}", order=FIRE)),
            server,
            before=before if in_play else None,
        )

    def inspect(name: str, kind: str, server: str) -> Scenario:
        damage = asked(server, "SessionService/Damage", sessions.Action)
        requests = [
            sessions.DamageRequest(name=f"sessions/{kind}-{n}", order=INSPECT)
            for n in range(CONCURRENCY)
        ]
        return scenario(name, lambda n: damage(n, requests[n % CONCURRENCY]), server)

    def post_to(server: str, path: bytes, body: bytes) -> Callable[[int], Awaitable[object]]:
        return lambda n: post(web[server][n % CONCURRENCY], path, body)

    bare = unary(on["echo"], "/bench.Echo/Echo", None)
    stateless = asked("worker", "ResolutionService/ResolveFire", resolution.ResolveFireResponse)
    batch = asked("worker", "ResolutionService/BatchResolve", resolution.BatchResolveResponse)
    play = asked("worker", "SessionService/BatchPlay", sessions.BatchPlayResponse)
    shots = resolution.BatchResolveRequest(items=[resolution.BatchItem(fire=base)] * BATCH)
    played = [
        sessions.BatchPlayRequest(
            items=[
                sessions.BatchPlayItem(
                    damage=sessions.DamageRequest(name=f"sessions/batch-{n}", order=INSPECT)
                )
            ]
            * BATCH
        )
        for n in range(CONCURRENCY)
    ]
    payload = b"x" * 70
    return [
        scenario("grpc_echo", lambda n: bare(n, payload), "echo"),
        fire("session_fire", "fire", "worker", in_play=False),
        fire("fire_in_play", "play", "worker", in_play=True),
        fire("standard_fire", "standard", "standard", in_play=True),
        fire("in_memory_fire", "memory", "in_memory", in_play=True),
        scenario("stateless_fire", lambda n: stateless(n, base), "worker"),
        scenario("batch_of_100", lambda n: batch(n, shots), "worker", per_call=BATCH),
        scenario("flask_echo", post_to("flask_echo", b"/echo", SHOT_JSON), "flask_echo"),
        scenario("rest_fire", post_to("rest", b"/v1:resolveFire", SHOT_JSON), "rest"),
        inspect("ledger_of_10", "ledger-10", "worker"),
        inspect(f"ledger_of_{LONG_LEDGER}", f"ledger-{LONG_LEDGER}", "worker"),
        inspect("standard_inspect", "inspect", "standard"),
        scenario(
            "batch_play_of_100", lambda n: play(n, played[n % CONCURRENCY]), "worker",
            per_call=BATCH,
        ),
    ]  # fmt: skip


def put_sessions(bench: Bench, each: int) -> None:
    """Store what the scenarios play in."""
    for number in range(each):
        for kind in ("fire", "play", "standard"):
            put_session(bench.store, f"{kind}-{number}", ledger=10)
        put_session(bench.store_in_memory, f"memory-{number}", ledger=10)
    for number in range(CONCURRENCY):
        for kind in ("ledger-10", "inspect", "batch", *SERVERS):
            put_session(bench.store, f"{kind}-{number}", ledger=10)
        put_session(bench.store, f"ledger-{LONG_LEDGER}-{number}", ledger=LONG_LEDGER)


async def connections(address: str) -> list[Web]:
    """One for each caller."""
    host, _, port = address.rpartition(":")
    return [await asyncio.open_connection(host, int(port)) for _ in range(CONCURRENCY)]


async def run(bench: Bench, options: argparse.Namespace) -> dict:
    """Run every scenario and return the figures."""
    web = {
        name: [
            await asyncio.open_connection(*ADDRESSES[name].split(":")) for _ in range(CONCURRENCY)
        ]
        for name in ("rest", "flask_echo")
    }
    scenarios = scenarios_on(bench, web)
    put_sessions(bench, (options.repetitions + 1) * options.calls)
    workers = Workers(bench, options.calls, INSPECT)
    for repetition in range(options.repetitions + 1):
        workers.repeat()
        if repetition == 0:
            workers.forget()
        for scenario in scenarios:
            await measure(
                scenario, max(2, options.calls // scenario.per_call // CONCURRENCY) * CONCURRENCY
            )
            if repetition == 0:  # to warm up
                for seen in (scenario.rates, scenario.cpu_micros, scenario.p50_ms, scenario.p99_ms):
                    seen.clear()
        print(f"repetition {repetition} of {options.repetitions}", file=sys.stderr)
    made = {scenario.name: scenario.made for scenario in scenarios}
    check_ledgers(bench, made, workers.made)
    for _, writer in (one for each in web.values() for one in each):
        writer.close()
    return summary({s.name: s.figures() for s in scenarios} | workers.figures())


def check_ledgers(bench: Bench, made: dict[str, int], by_workers: dict[str, int]) -> None:
    """Every call must have been ruled on: the ledgers say so."""
    grown_by = {
        "ledger-10": made["ledger_of_10"],
        "inspect": made["standard_inspect"],
        "batch": made["batch_play_of_100"] * BATCH,
        **by_workers,
    }
    for kind, calls in grown_by.items():
        heads = [bench.store.load(f"{kind}-{n}") for n in range(CONCURRENCY)]
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
        found = asyncio.run(run(bench, options))
    found["exact_odds"] = odds_figures(ODDS_REPETITIONS)
    print(orjson.dumps(found).decode())


if __name__ == "__main__":
    main()
