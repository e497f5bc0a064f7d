"""`make bench-streams`: what open streams cost everybody else. Prints one JSON line at the end.

Every stream that the cap allows is open on gRPC and on REST, idle but for heartbeats, and one more
caller on each keeps asking and is refused. Meanwhile sixteen callers make ordinary calls; slices
with and without the streams take turns, and each figure is the median over the slices.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import statistics
import sys
from collections.abc import AsyncIterator

import grpc
import orjson
from aio_load import Scenario, connected, measure, post, unary
from bench import FIRE, SHOT_JSON
from bench_servers import ADDRESSES, CONCURRENCY, Bench, benched
from guncamera.host.settings import ServiceSettings
from guncamera.v1 import session_service_pb2 as sessions
from stage import put_session

CAP = ServiceSettings().max_streams
WORKER, REST = ADDRESSES["worker"], ADDRESSES["rest"]
WATCHED = 16
ASK_AGAIN_SECONDS = 0.1
WATCH_PATH = "/guncamera.v1.SessionService/WatchSession"
LOOK_PATH = "/guncamera.v1.SessionService/GetSession"
FIRE_PATH = "/guncamera.v1.SessionService/Fire"


async def rest_watch(number: int) -> tuple[bytes, asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask for a stream over REST; returns the head of the answer."""
    reader, writer = await asyncio.open_connection(*REST.split(":"))
    path = f"/v1/sessions/watched-{number % WATCHED}:watch"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    return await reader.readuntil(b"\r\n\r\n"), reader, writer


@contextlib.asynccontextmanager
async def full_of_streams() -> AsyncIterator[dict[str, int]]:
    """Open every stream there may be, and keep asking for one more; counts the refusals."""
    refused = {"grpc": 0, "rest": 0}
    async with grpc.aio.insecure_channel(WORKER) as channel:
        watch = channel.unary_stream(
            WATCH_PATH,
            request_serializer=sessions.WatchSessionRequest.SerializeToString,
            response_deserializer=sessions.WatchSessionResponse.FromString,
        )

        def asked(number: int) -> grpc.aio.UnaryStreamCall:
            return watch(sessions.WatchSessionRequest(name=f"sessions/watched-{number % WATCHED}"))

        held = [asked(number) for number in range(CAP)]
        for stream in held:
            await stream.read()
        connections = [await rest_watch(number) for number in range(CAP)]
        for head, _, _ in connections:
            assert head.startswith(b"HTTP/1.1 200"), head

        async def ask_grpc() -> None:
            while True:
                status = await asked(0).code()
                assert status is grpc.StatusCode.RESOURCE_EXHAUSTED, status
                refused["grpc"] += 1
                await asyncio.sleep(ASK_AGAIN_SECONDS)

        async def ask_rest() -> None:
            while True:
                head, _, writer = await rest_watch(0)
                writer.close()
                assert head.startswith(b"HTTP/1.1 429"), head
                assert b"\r\nretry-after: " in head.lower(), head
                refused["rest"] += 1
                await asyncio.sleep(ASK_AGAIN_SECONDS)

        async def read(reader: asyncio.StreamReader) -> None:
            while await reader.read(65536):
                pass

        async def read_grpc(stream: grpc.aio.UnaryStreamCall) -> None:
            while await stream.read() is not grpc.aio.EOF:
                pass

        readers = [read(reader) for _, reader, _ in connections]
        busy = [ask_grpc(), ask_rest(), *readers, *map(read_grpc, held)]
        tasks = [asyncio.create_task(one) for one in busy]
        try:
            yield refused
        finally:
            failed = [task.exception() for task in tasks if task.done() and not task.cancelled()]
            for task in tasks:
                task.cancel()
            for _, _, writer in connections:
                writer.close()
    assert not any(failed), failed
    await asyncio.sleep(8)  # a REST stream learns at its next heartbeat that its caller has gone


async def run(bench: Bench, options: argparse.Namespace) -> dict:
    """Measure every kind of call without and with the streams, in turn."""
    local = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(WORKER, options=local) for _ in range(CONCURRENCY)]
    web = await connected(REST)
    fire = unary(channels, FIRE_PATH, sessions.Action)
    look = unary(channels, LOOK_PATH, sessions.Session)
    for number in range(WATCHED):
        put_session(bench.store, f"watched-{number}", ledger=10)
    for number in range((2 * options.repetitions + 1) * options.calls):
        put_session(bench.store, f"fire-{number}", ledger=10)
    at = {"fire": 0}

    async def fire_next(_number: int) -> None:
        at["fire"] += 1  # every session is fired in once, whichever slice it is
        request = sessions.FireRequest(name=f"sessions/fire-{at['fire'] - 1}", order=FIRE)
        await fire(at["fire"] - 1, request)

    async def get_session(number: int) -> None:
        request = sessions.GetSessionRequest(name=f"sessions/watched-{number % WATCHED}")
        await look(number, request)

    async def rest_fire(number: int) -> None:
        await post(web[number % CONCURRENCY], b"/v1:resolveFire", SHOT_JSON)

    def scenarios() -> list[Scenario]:
        return [
            Scenario("session_fire", fire_next, bench.pids["worker"]),
            Scenario("get_session", get_session, bench.pids["worker"]),
            Scenario("rest_fire", rest_fire, bench.pids["rest"]),
        ]

    async def measure_all(these: list[Scenario]) -> None:
        for scenario in these:
            await measure(scenario, options.calls // CONCURRENCY * CONCURRENCY)

    without, with_streams = scenarios(), scenarios()
    await measure_all(scenarios())  # to warm up
    refusals = {"grpc": 0, "rest": 0}
    for repetition in range(options.repetitions):
        await measure_all(without)
        async with full_of_streams() as refused:
            await measure_all(with_streams)
        for transport, count in refused.items():
            refusals[transport] += count
        print(f"repetition {repetition + 1} of {options.repetitions}", file=sys.stderr)
    for _, writer in web:
        writer.close()
    assert all(refusals.values()), "one more stream was never refused"
    return {
        "streams_open": {"grpc": CAP, "rest": CAP},
        "refused": refusals,
        "without": {one.name: one.seen.figures() for one in without},
        "with": {one.name: one.seen.figures() for one in with_streams},
        "p99_ratio": {
            before.name: round(
                statistics.median(after.seen.p99_ms) / statistics.median(before.seen.p99_ms), 3
            )
            for before, after in zip(without, with_streams)
        },
    }


def main() -> None:
    """Set up, run, print; fail where the tail grows by more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=800, help="calls a scenario and slice")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--most", type=float, default=1.5, help="allowed ratio of p99")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})
    with benched(cores, only=("worker", "rest")) as bench:
        found = asyncio.run(run(bench, options))
    print(orjson.dumps(found).decode())
    if max(found["p99_ratio"].values()) > options.most:
        sys.exit(f"p99 grew by more than {options.most} times")


if __name__ == "__main__":
    main()
