"""Sixteen callers in one asyncio loop, for calls that the lean gRPC client cannot make."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc
from bench_servers import CONCURRENCY, cpu_seconds
from seen import Seen

Web: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Scenario:
    """One kind of call: how to make the n-th, which processes serve it, and what was seen."""

    name: str
    call: Callable[[int], Awaitable[object]]
    pids: list[int]
    seen: Seen = field(default_factory=Seen)
    made: int = 0


async def measure(scenario: Scenario, calls: int) -> None:
    """Make so many calls, sixteen at a time."""
    times: list[float] = []

    async def caller(first: int) -> None:
        # Strides keep number % CONCURRENCY, and so the connection, the caller's own.
        for number in range(first, scenario.made + calls, CONCURRENCY):
            start = time.perf_counter()
            await scenario.call(number)
            times.append(time.perf_counter() - start)

    used, own, start = cpu_seconds(*scenario.pids), time.process_time(), time.perf_counter()
    await asyncio.gather(*(caller(scenario.made + n) for n in range(CONCURRENCY)))
    wall, own = time.perf_counter() - start, time.process_time() - own
    scenario.made += calls
    scenario.seen.add(wall, cpu_seconds(*scenario.pids) - used, own, times)


def unary(
    channels: list[grpc.aio.Channel], path: str, answer: type | None
) -> Callable[..., object]:
    """A call of one gRPC method, spread over the channels."""
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


async def connected(address: str) -> list[Web]:
    """A connection for each caller."""
    host, _, port = address.rpartition(":")
    return [await asyncio.open_connection(host, int(port)) for _ in range(CONCURRENCY)]
