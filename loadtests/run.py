"""`make load`: locust against a service of its own, one transport after the other, with budgets.

Bounded in users and time, on loopback only. Ends with 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from pathlib import Path

import swarm
from guncamera.rules.ruleset import rulesets
from serving import service

BUDGETS = tomllib.loads((swarm.HERE / "budgets.toml").read_text())


def over_budget(rows: list[dict[str, str]]) -> list[str]:
    """What exceeded its budget, a line each."""
    found = []
    for row in rows:
        budget, what = BUDGETS.get(row["Name"]), f"{row['Type']} {row['Name']}"
        if budget is None:
            found.append(f"{what}: has no budget")
            continue
        made, failed = int(row["Request Count"]), int(row["Failure Count"])
        if failed > budget["failures"] * made:
            found.append(f"{what}: {failed} of {made} failed")
        if float(row["95%"]) > budget["p95_ms"]:
            found.append(f"{what}: p95 {row['95%']} ms > {budget['p95_ms']}")
    return found


def never_made(rows: list[dict[str, str]], games: dict[str, tuple[int, int]]) -> list[str]:
    """Calls with a budget that were not made, and rule sets that were not played."""
    made = {row["Name"] for row in rows}
    return [f"{name} was never called" for name in BUDGETS if name not in made] + [
        f"no game of {slug} was begun" for slug in rulesets() if slug not in games
    ]


def main() -> int:
    """Swarm both transports and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=12, help="a quarter of them look on")
    parser.add_argument("--seconds", type=int, default=30, help="for each transport")
    parser.add_argument("--think", type=float, default=0.05, help="mean seconds between calls")
    options = parser.parse_args()
    faults: list[str] = []
    everything: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as name, service(Path(name)) as running:
        folder = Path(name)
        for locustfile, host in (("rest_user.py", running.url), ("grpc_user.py", running.grpc)):
            run = swarm.start(
                locustfile, host, folder,
                users=options.users, seconds=options.seconds, think=options.think,
            )  # fmt: skip
            swarm.finish(run, locustfile, folder, options.seconds)
            rows = swarm.rows(locustfile, folder)
            everything += rows
            total = sum(int(row["Request Count"]) for row in swarm.calls(rows))
            print(f"{locustfile}: {total} calls, {total / options.seconds:.0f} a second")
            print(swarm.told(rows))
            for slug, (begun, over) in sorted(swarm.games(rows).items()):
                print(f"  {slug}: {begun} games begun, {over} played to their end")
            faults += over_budget(swarm.calls(rows))
    faults += never_made(swarm.calls(everything), swarm.games(everything))
    for fault in faults:
        print(f"over budget: {fault}")
    print("within budget" if not faults else f"{len(faults)} budgets exceeded")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
