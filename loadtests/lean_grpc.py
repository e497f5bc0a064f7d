"""A gRPC client that costs next to nothing: HTTP/2 frames that are written before the clock runs.

An ordinary client takes more of a core than the service that it measures, and then it is the client
that is measured. One call at a time on each connection; answers are counted and their frames
checked, not their contents: compare the ledgers afterwards.
"""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _GO_AWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_END_STREAM, _END_HEADERS, _ACK = 0x1, 0x4, 0x1
_HEAD = 9
_MOST_WINDOW = 2**31 - 1
_DEADLINE_SECONDS = 30.0


@dataclass(slots=True)
class _Connection:
    """One connection, with a call under way on it."""

    line: socket.socket
    headers: bytes  # a frame for stream 0; the call's own number is put in
    bodies: Iterator[bytes]  # so are these
    stream: int = -1
    called_at: float = 0.0
    heard: bytearray = field(default_factory=bytearray)
    has_data: bool = False

    def call(self) -> bool:
        """Send the next call, if there is one; tells whether there was."""
        body = next(self.bodies, None)
        if body is None:
            return False
        self.stream += 2
        self.has_data = False
        number, headers = struct.pack(">I", self.stream), self.headers
        parts = (headers[:5], number, headers[_HEAD:], body[:5], number, body[_HEAD:])
        message = b"".join(parts)
        self.called_at = time.perf_counter()
        self.line.sendall(message)
        return True

    def hear(self) -> int:
        """Take in what has come; returns how many calls it ended, at most one."""
        came = self.line.recv(65536)
        if not came:
            raise ConnectionError("the service closed a connection")
        heard, at, ended = self.heard, 0, 0
        heard += came
        while len(heard) - at >= _HEAD:
            size = int.from_bytes(heard[at : at + 3], "big")
            if len(heard) - at < _HEAD + size:
                break
            kind, flags = heard[at + 3], heard[at + 4]
            if kind == _DATA and size:
                self.has_data = True
            elif kind == _HEADERS and flags & _END_STREAM:
                if not self.has_data:
                    raise ConnectionError("a call was refused")
                ended = 1
            elif kind in (_RESET, _GO_AWAY):
                raise ConnectionError(f"the service sent a frame of kind {kind}")
            elif kind == _SETTINGS and not flags & _ACK:
                self.line.sendall(_frame(_SETTINGS, _ACK, 0, b""))
            elif kind == _PING and not flags & _ACK:
                self.line.sendall(_frame(_PING, _ACK, 0, bytes(heard[at + _HEAD : at + 17])))
            at += _HEAD + size
        del heard[:at]
        return ended


@dataclass(frozen=True, slots=True)
class Took:
    """How long calls took, in seconds: all together, of the client's core, and each by itself."""

    wall: float
    own: float
    times: list[float]


def call_many(
    address: str, path: str, messages: Sequence[Sequence[bytes]], *, in_all: int | None = None
) -> Took:
    """Make calls of one method, those of each connection one after another.

    Args:
        path: As `/package.Service/Method`.
        messages: For each connection, the requests that it makes.
        in_all: Make so many calls instead, each connection its own over and over: of several
            processes the one with fewer connections is not done first, and idle.

    Raises:
        ConnectionError: A call was refused, or a connection broken.
        TimeoutError: Nothing came for half a minute.
    """
    times: list[float] = []
    with contextlib.ExitStack() as stack:
        poll = stack.enter_context(select.epoll())
        connections = {}
        for wanted in messages:
            connection = _opened(address, path, wanted)
            stack.enter_context(connection.line)
            connections[connection.line.fileno()] = connection
            poll.register(connection.line, select.EPOLLIN)
        if in_all is not None:
            tickets = iter(range(in_all))
            for connection in connections.values():
                connection.bodies = _as_long_as_there_are(tickets, list(connection.bodies))
        own, started, under_way = time.process_time(), time.perf_counter(), 0
        for connection in connections.values():
            under_way += connection.call()
        while under_way:
            ready = poll.poll(_DEADLINE_SECONDS)
            if not ready:
                raise TimeoutError("nothing came")
            for number, _ in ready:
                connection = connections[number]
                if connection.hear():
                    times.append(time.perf_counter() - connection.called_at)
                    if not connection.call():
                        under_way -= 1
        wall = time.perf_counter() - started
        return Took(wall, time.process_time() - own, times)


def _opened(address: str, path: str, messages: Sequence[bytes]) -> _Connection:
    """Connect, and write what the calls on the connection will say."""
    host, _, port = address.rpartition(":")
    line = socket.create_connection((host, int(port)), timeout=_DEADLINE_SECONDS)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    window = struct.pack(">HI", 4, _MOST_WINDOW)  # how much of an answer may come at once
    room = struct.pack(">I", _MOST_WINDOW - 65535)  # and of all answers together
    frames = _frame(_SETTINGS, 0, 0, window) + _frame(_WINDOW_UPDATE, 0, 0, room)
    line.sendall(_PREFACE + frames)
    headers = _frame(_HEADERS, _END_HEADERS, 0, _header_block(address, path))
    bodies = [
        _frame(_DATA, _END_STREAM, 0, struct.pack(">BI", 0, len(message)) + message)
        for message in messages
    ]
    return _Connection(line, headers, iter(bodies))


def _as_long_as_there_are(tickets: Iterator[int], bodies: Sequence[bytes]) -> Iterator[bytes]:
    return (body for _, body in zip(tickets, itertools.cycle(bodies)))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _header_block(address: str, path: str) -> bytes:
    """The headers of a call, by numbers of HPACK's fixed table and plain texts."""

    def named(number: int, value: str) -> bytes:
        index = bytes([number]) if number < 15 else bytes([15, number - 15])
        return index + bytes([len(value)]) + value.encode()

    fixed = b"\x83\x86"  # POST, http
    te = b"\x00\x02te\x08trailers"
    return fixed + named(4, path) + named(1, address) + named(31, "application/grpc") + te
