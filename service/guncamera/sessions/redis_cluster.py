"""A Redis Cluster as a transport: finds the server of a key, and follows it when it moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, TypeAlias

from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, RedisError, TryAgainError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from guncamera.sessions.redis_lines import (
    Command,
    Reply,
    SingleTransport,
    Wire,
    make_wire,
    raise_first,
    split_hosts,
    wire_settings,
)

Address: TypeAlias = tuple[str, int]

SLOT_COUNT = 16384
MOVES_FOLLOWED = 3
# Asking dead nodes for the map, one after another, has to leave time for the command itself.
MAP_SECONDS = 0.5


class ClusterTransport:
    """The servers of a cluster, each with one line per thread."""

    def __init__(self, url: str) -> None:
        first_url, self._seeds, _ = split_hosts(url)
        self._settings = wire_settings(first_url)
        make_wire(self._settings)  # a bad option is told at the start
        self._servers: dict[Address, SingleTransport] = {}
        self._slots: Sequence[Address | None] = ()
        self._lock = threading.Lock()

    def ask(self, key: str, *commands: Command, is_repeatable: bool) -> list[Reply]:
        """Send commands to the primary that holds the key."""
        slot: int = key_slot(key.encode())
        address = self._address(slot)
        prefix: list[Command] = []
        for _ in range(MOVES_FOLLOWED):
            asked = [part for command in commands for part in (*prefix, command)]
            try:
                replies = self._server(address).line().exchange(asked, is_repeatable=is_repeatable)
                whole = _together(asked, replies)
                return raise_first(whole[len(prefix) :: len(prefix) + 1])
            except AskError as moved:  # also MovedError: either way the command was not run
                address = (str(moved.node_addr[0]) or address[0], int(moved.node_addr[1]))
                prefix = [] if isinstance(moved, MovedError) else [("ASKING",)]
                if not prefix:
                    self._slots = ()
            except (RedisConnectionError, RedisTimeoutError):
                self._slots = ()  # its replica may have taken over
                raise
        raise _down("the cluster sends us around in a circle")

    def ask_about_each(self, command: str, keys: Sequence[str]) -> list[Reply]:
        """Send one reading command about each of many keys, one after another."""
        return [self.ask(key, (command, key), is_repeatable=True)[0] for key in keys]

    def ask_each_server(self, *commands: Command) -> list[list[Reply]]:
        """Send commands to every primary; errors are among the replies."""
        slots = self._map()
        self._served(slots, 0)
        try:
            return [
                self._server(address).line().exchange(commands, is_repeatable=True)
                for address in sorted({address for address in slots if address})
            ]
        except (RedisConnectionError, RedisTimeoutError):
            self._slots = ()
            raise

    def open_wire(self) -> Wire:
        """Connect to some node; every node hears what is published on any other."""
        wire = self._server(self._address(0)).open_wire()
        try:
            wire.connect()
        except (RedisConnectionError, RedisTimeoutError):
            self._slots = ()
            raise
        return wire

    def close(self) -> None:
        """Give all connections up."""
        with self._lock:
            for address in self._seeds:
                self._servers.setdefault(address, self._connected_to(address))
            for server in self._servers.values():
                server.close()

    def _address(self, slot: int) -> Address:
        return self._served(self._map(), slot)

    def _map(self) -> Sequence[Address | None]:
        slots = self._slots  # another thread may drop it at any moment
        if not slots:
            slots = self._slots = self._read_map()
        return slots

    def _served(self, slots: Sequence[Address | None], slot: int) -> Address:
        address = slots[slot]
        if address is None:
            self._slots = ()
            raise _down("no server of the cluster serves this session")
        return address

    def _read_map(self) -> Sequence[Address | None]:
        """Ask the nodes in turn which slots they serve."""
        deadline = time.monotonic() + MAP_SECONDS
        failure: RedisError | None = None
        for address in dict.fromkeys([*self._servers, *self._seeds]):
            if failure and time.monotonic() > deadline:
                break
            try:
                line = self._server(address).line()
                reply = raise_first(line.exchange([("CLUSTER", "SLOTS")], is_repeatable=True))[0]
                return _slots(reply, asked=address)
            except RedisError as error:
                failure = error
        raise failure or _down("the store URL names no node")

    def _server(self, address: Address) -> SingleTransport:
        server = self._servers.get(address)
        if server is None:
            with self._lock:
                server = self._servers.setdefault(address, self._connected_to(address))
        return server

    def _connected_to(self, address: Address) -> SingleTransport:
        settings: dict[str, Any] = {**self._settings, "host": address[0], "port": address[1]}
        return SingleTransport(lambda: make_wire(settings))


def _down(reason: str) -> ClusterDownError:
    return ClusterDownError(reason, status_code="CLUSTERDOWN")


def _together(commands: Sequence[Command], replies: list[Reply]) -> list[Reply]:
    """Return the replies, unless the keys they are about are on two servers just now.

    While a slot moves, an absent key is asked for elsewhere. Following one that is absent
    everywhere would leave the session's other keys behind, and the session would seem missing.
    """
    # Who waits for replicas names no key, and is sent on by nobody.
    keyed = [reply for command, reply in zip(commands, replies) if command[0] != "WAIT"]
    is_sent_on = [type(reply) is AskError for reply in keyed]
    if any(is_sent_on) and not all(is_sent_on):
        raise TryAgainError("a session is between two servers", status_code="TRYAGAIN")
    return replies


def _slots(reply: Reply, *, asked: Address) -> Sequence[Address | None]:
    """Turn the reply to CLUSTER SLOTS into the primary's address for each slot."""
    slots: list[Address | None] = [None] * SLOT_COUNT
    for first, last, primary, *_ in reply:
        # A node that does not know its own name leaves it out: it is the one we asked.
        host = primary[0].decode() if primary[0] else asked[0]
        slots[first : last + 1] = [(host, primary[1])] * (last - first + 1)
    return tuple(slots)
