"""`make chaos`: real play under faults, and a check after each that nothing was lost or doubled.

Players play whole games of every rule set through clients, over gRPC and REST, and repeat what
was not answered under the same request id. After each fault all rest; then every action that was
acknowledged must be in its ledger, once, and every ledger must verify. Ends with 1 when anything
was lost or doubled, or the service took longer to answer again than is stated. Loopback only.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import orjson
from guncamera.rules.ruleset import rulesets
from guncamera_client import Client, RestClient
from guncamera_client.retry import RetryPolicy
from serving import began, command_of, descendants

from chaos.checking import Checker
from chaos.faults import Fault, Place
from chaos.journal import Journal
from chaos.player import Player, Table
from chaos.report import HEAD, Report, Shown, closing, line
from chaos.stages import STAGES, Stage

ONCE = RetryPolicy(max_attempts=1)
TIMEOUT_SECONDS = 3.0
GRACE_SECONDS = 30.0
"""How long to wait beyond a limit, to tell what is late from what never comes."""
REST_SECONDS = 60.0
PATIENCE_SECONDS = 180.0
"""After the time for faults is over, to give up on a service that never answers again."""


def seats_at_the_table(place: Place, players: int, journal: Journal, seed: str) -> list[Player]:
    """Players over both transports in turn; where there are relays, the first go through them."""
    direct = [place.service.grpc, place.service.rest]
    found = list(rulesets().values())
    seated = []
    for number in range(players):
        way = number % 2
        through = place.to_service[number].address if number < len(place.to_service) else None
        address = through or direct[way]
        client = (
            RestClient(f"http://{address}", timeout_seconds=TIMEOUT_SECONDS, retry=ONCE)
            if way
            else Client(address, timeout_seconds=TIMEOUT_SECONDS, retry=ONCE, channels=2)
        )
        first = number % len(found)
        in_turn = found[first:] + found[:first]
        seated.append(Player(str(number), client, journal, in_turn, seed))
    return seated


class Run:
    """A run over the stages, for as long as it may take."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.report = Report(options.seed)
        self._chance = random.Random(options.seed)
        self._began = time.monotonic()
        # What processes a service ever had, and when each began: none may outlive it.
        self._processes: dict[int, str] = {}

    @property
    def is_over(self) -> bool:
        """Whether no further fault is begun."""
        return time.monotonic() - self._began > self.options.seconds

    def stage(self, stage: Stage, kinds: Sequence[type[Fault]]) -> None:
        """Play at one stage, through its faults in any order."""
        journal = Journal()
        with tempfile.TemporaryDirectory(prefix="chaos-") as name, stage.open(Path(name)) as place:
            players = seats_at_the_table(place, self.options.players, journal, self.options.seed)
            for player in players:
                player.patience_ends = self._began + self.options.seconds + PATIENCE_SECONDS
            place.played = lambda: [p.game.id for p in players if p.game is not None]
            table = Table(players)
            onlooker = Client(place.service.grpc)  # patient: it repeats what is not answered
            checker = Checker(place.store_url, onlooker)
            try:
                for kind in self._chance.sample(list(kinds), len(kinds)):
                    if not self.is_over:
                        self._show(stage, kind(), place, table, journal, checker)
            finally:
                table.close()
                checker.close()
                onlooker.close()
        self.report.wrong += [
            f"{stage.name}: process {pid} outlived its service: {command}"
            for pid, at in self._processes.items()
            if at and began(pid) == at and (command := command_of(pid))
        ]
        self.report.seconds = time.monotonic() - self._began

    def _show(
        self, stage: Stage, fault: Fault, place: Place, table: Table, journal: Journal,
        checker: Checker,
    ) -> None:  # fmt: skip
        table.play()
        if table.seconds_until_all_served(time.monotonic(), GRACE_SECONDS) is None:
            self.report.wrong.append(f"nobody could play before: {fault.name}")
        time.sleep(self._chance.uniform(0.3, 1.5))
        journal.longest_seconds, struck = 0.0, time.monotonic()
        pids = descendants(place.service.process.pid)
        self._processes.update((pid, began(pid)) for pid in pids)
        since = fault.strike(place, self._chance)
        back = table.seconds_until_all_served(since, fault.limit_seconds + GRACE_SECONDS)
        time.sleep(0.3)
        if not table.rest(REST_SECONDS):
            self.report.wrong.append(f"a player is still waiting for an answer after: {fault.name}")
        found = checker.check(journal.games, table.players)
        counts, surprises, longest = journal.turn_over()
        shown = Shown(
            stage=stage.name, fault=fault.name, counts=counts, surprises=surprises,
            longest_seconds=longest, back_seconds=back, lasted_seconds=since - struck,
            limit_seconds=fault.limit_seconds, found=found,
        )  # fmt: skip
        self.report.add(shown)
        print(line(shown), flush=True)
        fault.mend()


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, break, check, tell."""
    parser = argparse.ArgumentParser(description=__doc__, prog="chaos")
    parser.add_argument(
        "--seed", default="", help="when to strike and what to play; else by chance"
    )
    parser.add_argument("--seconds", type=int, default=240, help="no fault is begun later")
    parser.add_argument("--rounds", type=int, default=1, help="how often to show every fault")
    parser.add_argument("--players", type=int, default=6)
    names = sorted(kind.__name__ for stage in STAGES for kind in stage.faults)
    parser.add_argument("--only", nargs="+", choices=names, metavar="FAULT", help=", ".join(names))
    options = parser.parse_args(arguments)
    options.seed = options.seed or f"{random.SystemRandom().getrandbits(32):08x}"
    run = Run(options)
    for _ in range(options.rounds):
        for stage in STAGES:
            kinds = [k for k in stage.faults if not options.only or k.__name__ in options.only]
            if kinds and not run.is_over:
                print(f"\n{stage.name}\n{HEAD}", flush=True)
                run.stage(stage, kinds)
    plain = run.report.plain()
    print(f"\n{closing(plain, run.report.wrong)}")
    print(orjson.dumps(plain).decode())
    return 0 if run.report.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
