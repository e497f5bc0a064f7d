"""Connections to Redis: one per thread, quick to give up, and clear about what was sent.

redis-py's clients hide whether a command that failed had been sent, and repeat it by
themselves. An append must know, so this module drives redis-py's connections directly.
"""

from __future__ import annotations

import os
import socket
import ssl
import struct
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias
from urllib.parse import unquote, urlsplit

import hiredis
from redis.backoff import NoBackoff
from redis.connection import Connection, UnixDomainSocketConnection, parse_url
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from redis.sentinel import Sentinel

from guncamera.sessions.store import StoreUnavailable

# Together with one late retry these stay below the two seconds that a store may take to fail.
CONNECT_TIMEOUT_SECONDS = 0.5
REPLY_TIMEOUT_SECONDS = 1.0
RETRY_WINDOW_SECONDS = 0.3

Command: TypeAlias = Sequence[str | bytes | int]
Reply: TypeAlias = Any  # int, bytes, None, a list of these, or a ResponseError


class Wire(Protocol):
    """The part of redis-py's connections that is used here; redis-py leaves it untyped."""

    @property
    def is_connected(self) -> bool: ...  # noqa: D102
    def connect(self) -> None: ...  # noqa: D102
    def disconnect(self) -> None: ...  # noqa: D102
    def can_read(self, timeout: float = 0) -> bool: ...  # noqa: D102
    def pack_commands(self, commands: Sequence[Command]) -> list[bytes]: ...  # noqa: D102
    def send_packed_command(self, command: list[bytes]) -> None: ...  # noqa: D102
    def read_response(self) -> Reply: ...  # noqa: D102


class Closable(Protocol):
    """What holds a connection."""

    def close(self) -> None: ...  # noqa: D102


class Transport(Protocol):
    """Carries commands to the server that holds a key. Raises redis-py's errors."""

    def ask(self, key: str, *commands: Command, is_repeatable: bool) -> list[Reply]:
        """Send commands in one round trip and return their replies; the first error is raised.

        Args:
            key: decides which server is asked; all keys of the commands share its slot.
            is_repeatable: the commands may be sent again when the first answer was lost.
        """
        ...

    def ask_about_each(self, command: str, keys: Sequence[str]) -> list[Reply]:
        """Send one reading command about each of many keys, wherever they are."""
        ...

    def ask_each_server(self, *commands: Command) -> list[list[Reply]]:
        """Send the same commands to every primary; errors are among the replies."""
        ...

    def open_wire(self) -> Wire:
        """Make a connection for a use of its own, such as subscribing; connect it before that."""
        ...

    def close(self) -> None:
        """Give all connections up."""
        ...


class Line:
    """One connection, used by one thread, replaced after a fork."""

    __slots__ = ("__weakref__", "_is_sent", "_make_wire", "_pid", "_wire")

    def __init__(self, make_wire: Callable[[], Wire]) -> None:
        self._make_wire = make_wire
        self._wire = make_wire()
        self._pid = os.getpid()
        self._is_sent = False

    def exchange(self, commands: Sequence[Command], *, is_repeatable: bool) -> list[Reply]:
        """Send commands and read their replies; error replies are returned, not raised.

        A connection that turns out to be stale is replaced once, if nothing was sent or the
        commands are repeatable.

        Raises:
            redis.exceptions.ConnectionError, redis.exceptions.TimeoutError
        """
        started = time.monotonic()
        is_reused = self._is_reusable()
        try:
            return self._exchange_once(commands)
        except (RedisConnectionError, RedisTimeoutError):
            is_late = time.monotonic() - started > RETRY_WINDOW_SECONDS
            if not is_reused or is_late or (self._is_sent and not is_repeatable):
                raise
        return self._exchange_once(commands)

    def close(self) -> None:
        """Drop the connection; the next exchange makes a new one."""
        self._wire.disconnect()

    def _is_reusable(self) -> bool:
        """Whether there is a live connection from an earlier exchange; a dead one is dropped."""
        if self._pid != os.getpid():
            # The parent still uses the socket. Dropping our copy closes it here only.
            self._wire = self._make_wire()
            self._pid = os.getpid()
        if not self._wire.is_connected:
            return False
        if is_stale(self._wire):
            self._wire.disconnect()
            return False
        return True

    def _exchange_once(self, commands: Sequence[Command]) -> list[Reply]:
        self._is_sent = False
        is_done = False
        replies: list[Reply] = []
        try:
            if not self._wire.is_connected:
                self._wire.connect()
                leave_waiting_to_the_kernel(self._wire)
            # A write that fails has not handed the whole command over, so it will not be run.
            self._wire.send_packed_command([packed(commands)])
            self._is_sent = True
            for _ in commands:
                try:
                    replies.append(self._wire.read_response())
                except ResponseError as error:
                    replies.append(error)
            is_done = True
        finally:
            # A reply that nobody waits for would be taken for the answer to the next command.
            # A replica that was a primary is left, so that the next call finds the new one.
            if not is_done or any(is_read_only(reply) for reply in replies):
                self._wire.disconnect()
        return replies


def packed(commands: Iterable[Command]) -> bytes:
    """Commands as they are sent; redis-py packs them in Python, at several times the cost."""
    return b"".join([_pack(command) for command in commands])


_pack: Callable[[Any], bytes] = hiredis.pack_command  # its types know of one argument only


def is_stale(wire: Wire) -> bool:
    """Whether a connection on which nothing is under way is dead: all it can bring is its end."""
    sock = _plain_socket(wire)
    if sock is None:
        try:
            return wire.can_read(0)
        except RedisConnectionError:
            return True
    try:
        sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _plain_socket(wire: Wire) -> socket.socket | None:
    """A connection's socket, unless it is one that encrypts."""
    sock = getattr(wire, "_sock", None)
    is_plain = isinstance(sock, socket.socket) and not isinstance(sock, ssl.SSLSocket)
    return sock if is_plain else None


def leave_waiting_to_the_kernel(wire: Wire) -> None:
    """Give a new connection's time limit to the kernel.

    With a time limit of its own, Python polls before every read and write, and gives the GIL up
    around each: under load that costs more than the exchange. A limit that is reached shows as a
    broken connection.
    """
    sock = _plain_socket(wire)
    if sock is None:
        return
    seconds = int(REPLY_TIMEOUT_SECONDS)
    limit = struct.pack("@ll", seconds, int((REPLY_TIMEOUT_SECONDS - seconds) * 1e6))
    sock.settimeout(None)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def is_read_only(reply: Reply) -> bool:
    """Whether a reply says that the server is a replica, which takes no writes."""
    return isinstance(reply, ResponseError) and "READONLY" in error_text(reply)


def error_text(error: Exception) -> str:
    """Return an error's message with its code in front, which redis-py cuts off."""
    return f"{getattr(error, 'status_code', None) or ''} {error}".strip()


def raise_first(replies: list[Reply]) -> list[Reply]:
    """Return the replies, or raise the first error among them."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


class SingleTransport:
    """One server: at a fixed address, or the primary that a Sentinel names."""

    def __init__(self, make_wire: Callable[[], Wire]) -> None:
        self._make_wire: Callable[[], Wire] = lambda: _free_of_itself(make_wire())
        self._threads = threading.local()
        self._lines: weakref.WeakSet[Closable] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = False

    def ask(self, key: str, *commands: Command, is_repeatable: bool) -> list[Reply]:  # noqa: ARG002
        """Send commands to the only server."""
        return raise_first(self.line().exchange(commands, is_repeatable=is_repeatable))

    def ask_about_each(self, command: str, keys: Sequence[str]) -> list[Reply]:
        """Send one reading command about each of many keys, in one round trip."""
        commands = [(command, key) for key in keys]
        return raise_first(self.line().exchange(commands, is_repeatable=True)) if keys else []

    def ask_each_server(self, *commands: Command) -> list[list[Reply]]:
        """Send commands to the only server; errors are among the replies."""
        return [self.line().exchange(commands, is_repeatable=True)]

    def open_wire(self) -> Wire:
        """Make a connection for a use of its own."""
        self._refuse_if_closed()
        return self._make_wire()

    def close(self) -> None:
        """Give all connections up."""
        self._is_closed = True
        with self._lock:
            for line in list(self._lines):
                line.close()

    def line(self) -> Line:
        """Return this thread's line."""
        self._refuse_if_closed()
        line: Line | None = getattr(self._threads, "line", None)
        if line is None:
            line = Line(self._make_wire)
            self._threads.line = line
            self.adopt(line)
        return line

    def adopt(self, line: Closable) -> None:
        """Close something along with this transport, as long as it is used."""
        with self._lock:
            self._lines.add(line)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store was closed", retry_after_seconds=1)


def wire_settings(url: str) -> dict[str, Any]:
    """Return the arguments for a redis-py connection, with the time limits of this module.

    Raises:
        ValueError: the URL has another scheme than redis, rediss or unix, or a bad option, or names
            a file for TLS that is not there.
    """
    settings: dict[str, Any] = {
        "connection_class": Connection,
        "socket_timeout": REPLY_TIMEOUT_SECONDS,
        "socket_connect_timeout": CONNECT_TIMEOUT_SECONDS,
        **parse_url(url),  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
    }
    for option in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        if not os.path.isfile(settings.get(option) or __file__):
            raise ValueError(f"{option} of the store URL is no file: {settings[option]}")
    if settings["connection_class"] is not UnixDomainSocketConnection:
        settings["socket_keepalive"] = True
    return settings


def make_wire(settings: dict[str, Any]) -> Wire:
    """Make a connection from `wire_settings`, not yet connected.

    Raises:
        ValueError: the URL had an option that connections do not take.
    """
    arguments = dict(settings)
    try:
        wire: Wire = arguments.pop("connection_class")(**arguments)
    except TypeError as error:
        raise ValueError("the store URL has an option that is not known") from error
    return wire


def _free_of_itself(wire: Wire) -> Wire:
    """Have a connection freed as soon as nobody holds it.

    Its parser refers to itself by a handler of news that only RESP3 has. Each that a watch leaves
    would lie about with its 64 KiB to read into, until the garbage collector looks.
    """
    parser: Any = wire._parser  # type: ignore[attr-defined]
    parser.set_pubsub_push_handler(None)
    return wire


def split_hosts(url: str) -> tuple[str, list[tuple[str, int]], str]:
    """Split a URL with several hosts: into a URL of the first without path, hosts, and path.

    >>> split_hosts("redis+sentinel://:pw@a:1,b:2/main?db=3")
    ('redis://:pw@a:1?db=3', [('a', 1), ('b', 2)], 'main')
    """
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    scheme = "rediss" if parts.scheme.startswith("rediss") else "redis"
    addresses = [urlsplit(f"//{host}") for host in hosts.split(",")]
    return (
        f"{scheme}://{user}{at}{hosts.split(',')[0]}" + (f"?{parts.query}" if parts.query else ""),
        [(address.hostname or "localhost", address.port or 6379) for address in addresses],
        unquote(parts.path).strip("/"),
    )


def sentinel_transport(url: str) -> SingleTransport:
    """Return a transport to the primary of redis+sentinel://host:port,host:port/service."""
    first_url, sentinels, service = split_hosts(url)
    if not service:
        raise ValueError("a Sentinel URL ends with the name of the service: .../mymaster")
    settings = wire_settings(first_url)
    for key in ("host", "port", "connection_class"):
        settings.pop(key, None)
    settings["ssl"] = first_url.startswith("rediss")
    # The Sentinels are spoken to likewise, but know nothing of the password and the database.
    ours = ("socket_timeout", "socket_connect_timeout", "retry")
    theirs = {key: settings[key] for key in settings if key in ours or key.startswith("ssl")}
    sentinel = Sentinel(sentinels, sentinel_kwargs=theirs, **settings)  # type: ignore[no-untyped-call]
    # The pool is held by the closure: its connections only refer to it weakly.
    pool = sentinel.master_for(service).connection_pool  # type: ignore[no-untyped-call]

    def make() -> Wire:
        wire: Wire = pool.connection_class(**pool.connection_kwargs)
        return wire

    return SingleTransport(make)
