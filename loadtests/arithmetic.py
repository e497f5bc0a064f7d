"""`make arithmetic`: how many sessions a gigabyte holds, and how many calls a core answers.

Whole games of every rule set are played by its stock pilot on a service of its own, with one
worker: each order after a look at the session, as a player's program does. What a session takes is
what the store grows by with copies of it, in memory and on disk. What a call takes is processor
time, of the worker and of the store; players think elsewhere. So the figures are those of a core
with nothing else to do, also when this machine has. One JSON line at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.sessions.embedded import ADDRESS
from guncamera_client import Client, RestClient
from pilots import any_setup, order_for, seat_to_act
from redis import Redis
from serving import Service, command_of, descendants, service

COPIES = 400
MOST_ORDERS = 1000
"""A game that is longer is measured as far as it got."""
GIB = 1024**3
PROCESSES = {"grpc": "grpc_worker", "rest": "rest_worker", "store": "valkey-server"}


@dataclass
class Kept:
    """What a session of one rule set takes in the store, in bytes."""

    ruleset: str
    actions: int
    begun: int
    over: int
    on_disk: int

    @property
    def each_action(self) -> int:
        return (self.over - self.begun) // self.actions

    @property
    def in_a_gib(self) -> int:
        return GIB // self.over


@dataclass
class Spent:
    """What calls of one rule set took over one transport, in microseconds of processor time."""

    ruleset: str
    transport: str
    calls: int
    worker_micros: float
    store_micros: float

    @property
    def calls_a_core(self) -> int:
        """Calls a second that keep one core busy with their worker."""
        return round(1e6 / self.worker_micros)


def cpu_micros(running: Service) -> dict[str, float]:
    """Processor time that each kind of process has taken so far, user and system."""
    found = dict.fromkeys(PROCESSES, 0.0)
    for pid in descendants(running.process.pid):
        command = command_of(pid)
        for kind, mark in PROCESSES.items():
            if mark in command:
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    ticks = int(fields[11]) + int(fields[12])
                    found[kind] += ticks / os.sysconf("SC_CLK_TCK") * 1e6
    return found


def play(client: Any, found: Ruleset, chance: random.Random) -> tuple[Any, int, int]:
    """Play one game; the session, its actions and the calls made."""
    session = client.create_session(any_setup(found, chance))
    pilot = next(iter(found.pilots))
    orders = 0
    while orders < MOST_ORDERS:
        session = client.get_session(session)
        seat = seat_to_act(session)
        if not seat:
            break
        seen = client.get_session(session, seat=seat)
        order = order_for(found, seen, seat, pilot, orders)
        getattr(client, order.call)(session, order.message, seat=seat)
        orders += 1
    session = client.get_session(session)
    return session, session.revision, 3 * orders + 2


def spend(
    running: Service, kind: str, found: Ruleset, seconds: float, chance: random.Random
) -> tuple[Spent, str]:
    """Play over one transport for so long, at least a game; what it took, and the last session."""
    made: Callable[[], Any] = (
        (lambda: Client(running.grpc)) if kind == "grpc" else (lambda: RestClient(running.url))
    )
    with made() as client:
        play(client, found, chance)  # to warm up
        before, calls, until = cpu_micros(running), 0, time.monotonic() + seconds
        while True:
            session, _, made_now = play(client, found, chance)
            calls += made_now
            if time.monotonic() > until:
                break
        after = cpu_micros(running)
    took = {one: (after[one] - before[one]) / calls for one in PROCESSES}
    spent = Spent(found.slug, kind, calls, round(took[kind], 1), round(took["store"], 1))
    return spent, session.name.rpartition("/")[2]


class Shop:
    """The store, seen from behind."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, protocol=2)

    def keep(self, session_id: str) -> tuple[int, int]:
        """What one session takes, in memory and in the file that is written anew, in bytes."""
        keys = [key.decode() for key in self._redis.scan_iter(f"guncamera:{{{session_id}}}:*")]
        dumps = {key: self._redis.dump(key) for key in keys}
        memory, disk = self._memory(), self._disk()
        copies = [f"copy-{number:06d}" for number in range(COPIES)]
        for copy in copies:
            with self._redis.pipeline(transaction=False) as pipe:
                for key, dump in dumps.items():
                    pipe.restore(key.replace(f"{{{session_id}}}", f"{{{copy}}}"), 0, dump)
                pipe.zadd("guncamera:{copies}:index", {copy: 1})
                pipe.execute()
        took = (self._memory() - memory) // COPIES, (self._disk() - disk) // COPIES
        for copy in copies:
            self._redis.delete(*(k.replace(f"{{{session_id}}}", f"{{{copy}}}") for k in keys))
        self._redis.delete("guncamera:{copies}:index")
        return took

    def close(self) -> None:
        self._redis.close()

    def _memory(self) -> int:
        return int(self._redis.info("memory")["used_memory_dataset"])

    def _disk(self) -> int:
        self._await_rewrite()  # one that it began by itself knows nothing of what came since
        self._redis.bgrewriteaof()
        self._await_rewrite()
        return int(self._redis.info("persistence")["aof_base_size"])

    def _await_rewrite(self) -> None:
        while True:
            told = self._redis.info("persistence")
            if not told["aof_rewrite_in_progress"] and not told["aof_rewrite_scheduled"]:
                return
            time.sleep(0.02)


def measured(
    running: Service, slugs: list[str], seconds: float
) -> Iterator[tuple[Kept, list[Spent]]]:
    """What sessions and calls of each rule set take."""
    shop, chance = Shop((running.folder / ADDRESS).read_text()), random.Random(1)
    for slug in slugs:
        found = rulesets()[slug]
        with Client(running.grpc) as client:
            begun = client.create_session(any_setup(found, chance)).name.rpartition("/")[2]
            at_first, _ = shop.keep(begun)
        spent = [spend(running, kind, found, seconds, chance) for kind in ("grpc", "rest")]
        with Client(running.grpc) as client:
            games = [(client.get_session(name).revision, name) for _, name in spent]
        actions, name = max(games)
        over, on_disk = shop.keep(name)
        yield Kept(slug, actions, at_first, over, on_disk), [one for one, _ in spent]
    shop.close()


def resident_bytes(running: Service) -> dict[str, int]:
    """Memory of each kind of process that it shares with no other, and its part of what it does."""
    found = dict.fromkeys(PROCESSES, 0)
    for pid in descendants(running.process.pid):
        command = command_of(pid)
        for kind, mark in PROCESSES.items():
            if mark in command:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                found[kind] += sum(int(x.split()[1]) for x in lines if x.startswith("Pss:")) * 1024
    return found


def main() -> int:
    """Measure, and tell it as tables and as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="of play, each")
    parser.add_argument("--ruleset", action="append", choices=list(rulesets()), help="only this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="guncamera-") as name, service(Path(name)) as running:
        at_rest = resident_bytes(running)
        found = list(measured(running, options.ruleset or list(rulesets()), options.seconds))
        afterwards = resident_bytes(running)
    tell(found, at_rest, afterwards)
    return 0


def tell(
    found: list[tuple[Kept, list[Spent]]], at_rest: dict[str, int], afterwards: dict[str, int]
) -> None:
    """Print what was found."""
    print("| rule set | actions | begun | over | an action | sessions in a GiB | on disk |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kept, _ in found:
        print(
            f"| {kept.ruleset} | {kept.actions} | {kept.begun:,} | {kept.over:,} | "
            f"{kept.each_action:,} | {kept.in_a_gib:,} | {kept.on_disk:,} |"
        )
    print("\n| rule set | over | calls | worker, µs | store, µs | calls a core and second |")
    print("| --- | --- | --- | --- | --- | --- |")
    for _, spent in found:
        for one in spent:
            print(
                f"| {one.ruleset} | {one.transport} | {one.calls:,} | {one.worker_micros} | "
                f"{one.store_micros} | {one.calls_a_core:,} |"
            )
    print("\n| processes | MB at rest | MB afterwards |\n| --- | --- | --- |")
    for kind in PROCESSES:
        print(f"| {kind} | {at_rest[kind] / 1e6:.0f} | {afterwards[kind] / 1e6:.0f} |")
    figures = [{**asdict(kept), "spent": [asdict(s) for s in spent]} for kept, spent in found]
    print(json.dumps({"rulesets": figures, "at_rest": at_rest, "afterwards": afterwards}))


if __name__ == "__main__":
    sys.exit(main())
