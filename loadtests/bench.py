"""`make bench`: what a call costs, as ratios in one run. Prints one JSON line at the end.

The server worker is pinned to one core; the load (this process) and the store take another.
Scenarios are interleaved and repeated; each figure is the median of the repetitions. Machines
are noisy: compare ratios, never calls/s of different runs. Loopback only, bounded in count.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import httpx
import orjson
from exact_odds import odds_figures
from guncamera.host.settings import ServiceSettings
from guncamera.sessions.embedded import EmbeddedStore, bound_to_this_thread
from guncamera.sessions.redis_store import RedisStore
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
ECHO, WORKER, REST = "127.0.0.1:18601", "127.0.0.1:18602", "127.0.0.1:18603"
HERE = Path(__file__).parent

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
    pid: int
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
    cpu, start = cpu_seconds(scenario.pid), time.perf_counter()
    await asyncio.gather(*(caller(scenario.made + n) for n in range(CONCURRENCY)))
    wall, used = time.perf_counter() - start, cpu_seconds(scenario.pid) - cpu
    scenario.made += calls
    times.sort()
    scenario.rates.append(calls / wall)
    scenario.cpu_micros.append(used / calls * 1e6)
    scenario.p50_ms.append(times[len(times) // 2] * 1e3)
    scenario.p99_ms.append(times[int(len(times) * 0.99)] * 1e3)


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and its children, user and system, in seconds."""
    total = 0.0
    for one in [pid, *children(pid)]:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def children(pid: int) -> list[int]:
    """The processes that a process started, and theirs."""
    with contextlib.suppress(FileNotFoundError):
        found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return found + [grandchild for child in found for grandchild in children(child)]
    return []


@contextlib.contextmanager
def servers(store_url: str, cores: list[int]) -> Iterator[dict[str, int]]:
    """The echo server, a gRPC worker and the REST server, pinned; their process ids."""
    settings = ServiceSettings(
        grpc_address=WORKER, rest_address=REST, store_url=store_url, page_key="bench"
    )
    environment = {**os.environ, **settings.environment()}
    commands = {
        "echo": [str(HERE / "echo_server.py"), ECHO],
        "grpc": ["-m", "guncamera.host.grpc_worker", "0"],
        "rest": ["-m", "guncamera.host.rest_worker"],
    }
    started = {
        name: subprocess.Popen(
            bound_to_this_thread([sys.executable, *command]),
            env=environment,
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {cores[0]}),
        )
        for name, command in commands.items()
    }
    try:
        for address in (ECHO, WORKER):
            grpc.channel_ready_future(grpc.insecure_channel(address)).result(30)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"http://{REST}/healthz").status_code == 200:
                    break
            time.sleep(0.1)
        yield {name: process.pid for name, process in started.items()}
    finally:
        for process in started.values():
            process.send_signal(signal.SIGTERM)
        for process in started.values():
            process.wait(30)


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


async def post(
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: bytes, body: bytes
) -> None:
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


async def run(pids: dict[str, int], store: RedisStore, options: argparse.Namespace) -> dict:
    """Run every scenario and return the figures."""
    local = [("grpc.use_local_subchannel_pool", 1)]
    echo = [grpc.aio.insecure_channel(ECHO, options=local) for _ in range(CHANNELS)]
    worker = [grpc.aio.insecure_channel(WORKER, options=local) for _ in range(CHANNELS)]
    web = [await asyncio.open_connection(*REST.split(":")) for _ in range(CONCURRENCY)]
    prefix, base = "/guncamera.v1.", resolution.ResolveFireRequest(facts=SHOT)
    fire = unary(worker, f"{prefix}SessionService/Fire", sessions.Action)
    look = unary(worker, f"{prefix}SessionService/GetSession", sessions.Session)
    damage = unary(worker, f"{prefix}SessionService/Damage", sessions.Action)
    stateless = unary(
        worker, f"{prefix}ResolutionService/ResolveFire", resolution.ResolveFireResponse
    )
    batch = unary(
        worker, f"{prefix}ResolutionService/BatchResolve", resolution.BatchResolveResponse
    )
    bare = unary(echo, "/bench.Echo/Echo", None)
    payload = b"x" * 70
    many = resolution.BatchResolveRequest(
        items=[resolution.BatchItem(fire=base) for _ in range(BATCH)]
    )

    async def rest(number: int) -> None:
        await post(web[number % CONCURRENCY], b"/v1:resolveFire", SHOT_JSON)

    def inspect(length: int) -> Callable[[int], Awaitable[object]]:
        return lambda n: damage(
            n,
            sessions.DamageRequest(
                name=f"sessions/ledger-{length}-{n % CONCURRENCY}", order=INSPECT
            ),
        )

    scenarios = [
        Scenario("grpc_echo", lambda n: bare(n, payload), pids["echo"]),
        Scenario(
            "session_fire",
            lambda n: fire(n, sessions.FireRequest(name=f"sessions/fire-{n}", order=FIRE)),
            pids["grpc"],
        ),
        # As a player fires, who has looked at the board first: the worker has read the session.
        Scenario(
            "fire_in_play",
            lambda n: fire(n, sessions.FireRequest(name=f"sessions/play-{n}", order=FIRE)),
            pids["grpc"],
            before=lambda n: look(n, sessions.GetSessionRequest(name=f"sessions/play-{n}")),
        ),
        Scenario("stateless_fire", lambda n: stateless(n, base), pids["grpc"]),
        Scenario("batch_of_100", lambda n: batch(n, many), pids["grpc"], per_call=BATCH),
        Scenario("rest_fire", rest, pids["rest"]),
        Scenario("ledger_of_10", inspect(10), pids["grpc"]),
        Scenario(f"ledger_of_{LONG_LEDGER}", inspect(LONG_LEDGER), pids["grpc"]),
    ]
    for number in range((options.repetitions + 1) * options.calls):
        put_session(store, f"fire-{number}", ledger=10)
        put_session(store, f"play-{number}", ledger=10)
    for length in (10, LONG_LEDGER):
        for number in range(CONCURRENCY):
            put_session(store, f"ledger-{length}-{number}", ledger=length)
    for repetition in range(options.repetitions + 1):
        for scenario in scenarios:
            await measure(
                scenario, max(2, options.calls // scenario.per_call // CONCURRENCY) * CONCURRENCY
            )
            if repetition == 0:  # to warm up
                for seen in (scenario.rates, scenario.cpu_micros, scenario.p50_ms, scenario.p99_ms):
                    seen.clear()
        print(f"repetition {repetition} of {options.repetitions}", file=sys.stderr)
    # Every call must have been ruled on: the ledgers say so.
    grown = sum(store.load(f"ledger-10-{n}").revision - 10 for n in range(CONCURRENCY))
    assert grown == scenarios[6].made, f"{grown} actions for {scenarios[6].made} calls"
    for _, writer in web:
        writer.close()
    return summary({s.name: s.figures() for s in scenarios})


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
            "stateless_fire_to_echo": ratio("stateless_fire", "grpc_echo"),
            "batched_fire_to_stateless_fire": ratio("batch_of_100", "stateless_fire", BATCH),
            "rest_fire_to_echo": ratio("rest_fire", "grpc_echo"),
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
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder)) as embedded:
        store = RedisStore(embedded.url)
        with servers(embedded.url, cores) as pids:
            found = asyncio.run(run(pids, store, options))
        store.close()
    found["exact_odds"] = odds_figures(ODDS_REPETITIONS)
    print(orjson.dumps(found).decode())


if __name__ == "__main__":
    main()
