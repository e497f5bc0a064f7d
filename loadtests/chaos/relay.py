"""A relay between a client and a server that can go deaf: the connection stands, nothing comes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass

CHUNK_BYTES = 64 * 1024


@dataclass(eq=False)
class _Pair:
    """One connection, both ways."""

    loses_questions: bool = False
    loses_answers: bool = False


class Relay:
    """Passes TCP connections on to `host:port`, on a loopback port of its own.

    What goes deaf are the connections that there are; those made later work, as after a router
    was replaced.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._pairs: set[_Pair] = set()
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)

    def __enter__(self) -> Relay:
        self._thread.start()
        start = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    @property
    def address(self) -> str:
        """Where it listens: `host:port`."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()
        return f"{host}:{port}"

    def go_deaf(self, *, loses_questions: bool, loses_answers: bool) -> int:
        """Swallow from now on what comes over the connections there are; returns how many."""
        pairs = list(self._pairs)
        for pair in pairs:
            pair.loses_questions, pair.loses_answers = loses_questions, loses_answers
        return len(pairs)

    def lead_to(self, target: str) -> None:
        """Pass on to another `host:port` what connects from now on."""
        self._target = target

    async def _serve(self, near: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        pair = _Pair()
        host, _, port = self._target.rpartition(":")
        try:
            far, into = await asyncio.open_connection(host, int(port))
        except OSError:
            out.close()
            return
        self._pairs.add(pair)
        try:
            ways = [
                asyncio.ensure_future(self._pass_on(near, into, lambda: pair.loses_questions)),
                asyncio.ensure_future(self._pass_on(far, out, lambda: pair.loses_answers)),
            ]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
        except asyncio.CancelledError:
            pass  # the relay ends; whoever waits for this task would tell of it
        finally:
            self._pairs.discard(pair)
            for writer in (out, into):
                writer.close()

    @staticmethod
    async def _pass_on(
        source: asyncio.StreamReader, sink: asyncio.StreamWriter, is_lost: Callable[[], bool]
    ) -> None:
        with contextlib.suppress(OSError):
            while octets := await source.read(CHUNK_BYTES):
                if not is_lost():
                    sink.write(octets)
                    await sink.drain()

    async def _end(self) -> None:
        assert self._server is not None
        self._server.close()
        mine = asyncio.current_task()
        for one in asyncio.all_tasks():
            if one is not mine:
                one.cancel()
        await asyncio.sleep(0.05)
