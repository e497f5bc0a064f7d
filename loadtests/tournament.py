"""`make bench-tournament`: what games cost that pilots play, in one run; prints one JSON line.

For each rule set random pilots play the same games twice, each call by itself and many games by
`BatchPlay`, against a service of one worker on its own store; then the rule set's shots are ruled
on without a session, one at a time and a hundred to a call. What counts is processor time, of the
service with its store and of the runner: that is what a core is worth, whatever else the machine
does. `--soak` plays very many games of the quickest rule set, and fails if memory does not stay
flat.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from bench import cpu_seconds
from guncamera.api.rulings import fill_outcome
from guncamera.conformance.cases import load_cases
from guncamera.conformance.targets import read_case
from guncamera.rules.ruleset import Verb
from guncamera.v1.actions_pb2 import FireFacts
from guncamera.v1.resolution_service_pb2 import ResolveFireRequest
from guncamera_client import Client, GuncameraError
from guncamera_tournament import executor, playing
from guncamera_tournament.event import Entry, Event, Setup
from guncamera_tournament.record import GameRecord
from guncamera_tournament.runner import run_event
from guncamera_tournament.stock import leagues
from serving import Service, service
from tournament_memory import flat_memory

RANDOM = (Entry("one", "stock:random"), Entry("other", "stock:random"))
SECONDS = 2.0
BATCH = 100


@dataclass
class Calls:
    """What the calls of a client cost: processor time of the threads that make them."""

    cpu: float = 0.0
    made: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, seconds: float) -> None:
        with self.lock:
            self.cpu += seconds
            self.made += 1


CALLS = Calls()
BOUTS = Calls()


class CountedClient(Client):
    """A client that notes what its calls cost."""

    def _send(self, *words: Any) -> Any:
        began = time.thread_time()
        try:
            return super()._send(*words)
        finally:
            CALLS.note(time.thread_time() - began)


@contextlib.contextmanager
def counted() -> Iterator[None]:
    """Bouts and their calls are counted."""
    play_bout = playing.play_bout

    def noted(*words: Any) -> Any:
        began = time.thread_time()
        try:
            return play_bout(*words)
        finally:
            BOUTS.note(time.thread_time() - began)

    executor.Client, executor.play_bout = CountedClient, noted
    try:
        yield
    finally:
        executor.Client, executor.play_bout = Client, play_bout


def played(running: Service, folder: Path, slug: str, games: int, *, shared: bool) -> dict:
    """Play an event; what a game cost. Where a rule set has one seat, a game is one pilot's."""
    chosen = leagues()[slug]["bench"].get("setup")
    setup = Setup("bench", json.dumps(chosen)) if chosen else Setup()
    event = Event(slug, RANDOM, "bench", "single", games=games, setups=(setup,))
    playing.shares_calls = lambda _: shared
    CALLS.__init__(), BOUTS.__init__()
    began, of_service = time.perf_counter(), cpu_seconds(running.process.pid)
    of_runner, of_main = time.process_time(), time.thread_time()
    records = run_event(folder, event, [running.grpc], in_flight=32 if shared else 1)
    wall = time.perf_counter() - began
    service_cpu = cpu_seconds(running.process.pid) - of_service
    runner_cpu = time.process_time() - of_runner
    # The bouts' threads less their calls, and the thread that keeps the journal.
    own = BOUTS.cpu - CALLS.cpu + time.thread_time() - of_main
    boards = sum(len(record.boards) for record in records)
    total = service_cpu + runner_cpu
    return {
        "records": records,
        "games": boards,
        "actions_per_game": round(sum(record.actions for record in records) / boards, 1),
        "calls_per_game": round(CALLS.made / boards, 1),
        "games_per_s": round(boards / wall, 2),
        "games_per_minute_per_core": round(60 * boards / total),
        "games_per_s_per_core": round(boards / total, 2),
        "service_cpu_ms_per_game": round(service_cpu / boards * 1e3, 1),
        "calls_cpu_ms_per_game": round((runner_cpu - own) / boards * 1e3, 1),
        "runner_cpu_ms_per_game": round(own / boards * 1e3, 1),
        "runner_overhead": round(own / (total - own), 3),
    }


def both_ways(running: Service, folder: Path, slug: str, games: int) -> dict:
    """The same games with calls of their own and by batches; they come out alike."""
    warm_up = leagues()[slug]["bench"]["warm_up"]
    played(running, folder / "warm", slug, warm_up, shared=True)
    played(running, folder / "warm-too", slug, warm_up, shared=False)
    found = {
        way: played(running, folder / way, slug, games, shared=way == "batch")
        for way in ("unary", "batch")
    }
    records: list[list[GameRecord]] = [one.pop("records") for one in found.values()]
    assert records[0] == records[1], f"{slug}: games by batches came out otherwise"
    return found


def shots_of(slug: str) -> list[ResolveFireRequest]:
    """Every shot of the rule set's cases, with its own readings, that is ruled on."""
    shots = []
    for case in load_cases():
        if case.ruleset == slug and case.verb == Verb.FIRE and case.expect and not case.settings:
            _, _, facts = read_case(case)
            message = FireFacts()
            fill_outcome(message, slug, facts)
            shots.append(ResolveFireRequest(facts=message))
    return shots


def stateless(running: Service, client: Client, slug: str, seconds: float) -> dict:
    """Rulings without a session: one in a call, and a hundred."""
    shots = [shot for shot in shots_of(slug) if _is_ruled_on(client, shot)]
    many = [shots[n % len(shots)] for n in range(BATCH)]

    def one(n: int) -> int:
        client.resolve_fire(shots[n % len(shots)].facts)
        return 1

    def batch(_: int) -> int:
        return len(client.batch_resolve(many).results)

    return {
        "shots": len(shots),
        "unary": _rulings(running, one, seconds),
        "batch": _rulings(running, batch, seconds),
    }


def _is_ruled_on(client: Client, shot: ResolveFireRequest) -> bool:
    try:
        client.resolve_fire(shot.facts)
    except GuncameraError:
        return False
    return True


def _rulings(running: Service, make: Callable[[int], int], seconds: float) -> dict:
    for n in range(20):
        make(n)
    of_service, of_us = cpu_seconds(running.process.pid), time.process_time()
    began, calls, rulings = time.perf_counter(), 0, 0
    while time.perf_counter() - began < seconds:
        rulings += make(calls)
        calls += 1
    wall = time.perf_counter() - began
    service_cpu = cpu_seconds(running.process.pid) - of_service
    total = service_cpu + time.process_time() - of_us
    return {
        "rulings_per_s": round(rulings / wall),
        "rulings_per_s_per_core": round(rulings / total),
        "service_cpu_us_per_ruling": round(service_cpu / rulings * 1e6, 1),
    }


def measured(folder: Path, games: float, seconds: float) -> dict:
    """Every rule set, both ways, and without sessions."""
    found = {}
    with service(folder) as running, Client(running.grpc, timeout_seconds=30) as client, counted():
        for slug, plays in leagues().items():
            count = max(1, round(plays["bench"]["games"] * games))
            found[slug] = both_ways(running, folder / slug, slug, count)
            found[slug]["stateless"] = stateless(running, client, slug, seconds)
            print(slug, found[slug], file=sys.stderr)
    return found


def main() -> None:
    """Set up, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=1.0, help="so many times as many games")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each stateless figure")
    parser.add_argument("--soak", type=int, nargs="?", const=10_000, help="games; only these")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.soak:
            found = flat_memory(Path(folder), options.soak)
        else:
            found = measured(Path(folder), options.games, options.seconds)
    load = [round(one, 1) for one in os.getloadavg()]
    print(orjson.dumps({"cores": len(os.sched_getaffinity(0)), "load": load, **found}).decode())
    if found.get("flat") is False:
        sys.exit(1)


if __name__ == "__main__":
    main()
