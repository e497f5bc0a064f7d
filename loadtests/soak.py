"""`make soak`: both transports played on for long; memory, descriptors and p99 have to stay flat.

Samples every process of the service, and takes p99 from locust, ten seconds at a time. The first
tenth is warming up; of the rest, the last third is held against the first. Ends with 1 when
something is not flat. Loopback only.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import swarm
from serving import Service, command_of, descendants, service

KINDS = {
    "guncamera.host.grpc_worker": "gRPC worker",
    "guncamera.host.rest_worker": "REST server",
    "valkey-server": "store",
}
SUPERVISOR = "supervisor"
WARMING_UP = 0.1
RUNS = ("rest_user.py", "grpc_user.py")


@dataclass(frozen=True)
class Measure:
    """Something that has to stay flat: by how much it may rise, as a share and at least so much."""

    name: str
    unit: str
    share: float
    least: float

    def most(self, early: float) -> float:
        """How high it may be at the end."""
        return early + max(self.share * early, self.least)


MEMORY = Measure("memory", "MB", 0.05, 8)
DESCRIPTORS = Measure("descriptors", "", 0.1, 5)
THREADS = Measure("threads", "", 0.1, 4)
P99 = Measure("p99", "ms", 0.5, 10)

Series = dict[tuple[str, Measure], list[tuple[float, float]]]
"""Of what, and which measure: seconds since the beginning, and how much."""


def sample(running: Service, at: float, series: Series) -> None:
    """Look at every process of the service; those of a kind count together."""
    sums: dict[tuple[str, Measure], float] = defaultdict(float)
    for pid in (running.process.pid, *descendants(running.process.pid)):
        command = command_of(pid)
        kind = next((name for mark, name in KINDS.items() if mark in command), SUPERVISOR)
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            status = dict(line.split(":", 1) for line in lines)
            if "VmRSS" not in status:
                continue  # it has ended, as the store's child does that writes its file anew
            descriptors = len(os.listdir(f"/proc/{pid}/fd"))
            sums[kind, MEMORY] += int(status["VmRSS"].split()[0]) / 1024
            sums[kind, THREADS] += int(status["Threads"])
            sums[kind, DESCRIPTORS] += descriptors
    for key, value in sums.items():
        series[key].append((at, value))


def read_p99(locustfile: str, folder: Path, began: float, series: Series) -> None:
    """What 99 in 100 calls took at most, in every tenth second of a run."""
    rows = [r for r in swarm.rows(locustfile, folder, "stats_history") if r["99%"] != "N/A"]
    for row in rows[::10]:
        at = float(row["Timestamp"]) - began
        series[locustfile.removesuffix("_user.py"), P99].append((at, float(row["99%"])))


@dataclass(frozen=True)
class Trend:
    """How a measure went: its medians in the first and in the last third."""

    of: str
    measure: Measure
    early: float
    late: float

    @property
    def is_flat(self) -> bool:
        """Whether it has not risen beyond what is allowed."""
        return self.late <= self.measure.most(self.early)

    def __str__(self) -> str:
        told = f"{self.of:<12} {self.measure.name:<12} {self.early:>8.1f} {self.late:>8.1f}"
        return f"{told} {self.measure.unit:<3}{'' if self.is_flat else '  NOT FLAT'}".rstrip()


def trends(series: Series, seconds: float) -> list[Trend]:
    """How every measure went.

    Raises:
        ValueError: There are too few samples to tell.
    """
    found = []
    begin = WARMING_UP * seconds
    third = (seconds - begin) / 3
    for (of, measure), points in sorted(
        series.items(), key=lambda one: (one[0][1].name, one[0][0])
    ):
        early = [value for at, value in points if begin <= at < begin + third]
        late = [value for at, value in points if seconds - third <= at]
        if not early or not late:
            raise ValueError(f"{measure.name} of {of}: too few samples; take longer")
        found.append(Trend(of, measure, statistics.median(early), statistics.median(late)))
    return found


def keep(series: Series, file: Path) -> None:
    """Write every sample down."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["seconds", "of", "measure", "value"])
        for (of, measure), points in series.items():
            table.writerows([round(at, 1), of, measure.name, value] for at, value in points)


def soak(options: argparse.Namespace, series: Series) -> dict[str, int]:
    """Play on for so long; calls made and failed, by transport."""
    seconds, calls = round(options.minutes * 60), {}
    with tempfile.TemporaryDirectory() as name, service(Path(name)) as running:
        folder, began = Path(name), time.time()
        hosts = {"rest_user.py": running.url, "grpc_user.py": running.grpc}
        runs = [
            swarm.start(
                run, hosts[run], folder,
                users=options.users, seconds=seconds, think=options.think,
            )
            for run in RUNS
        ]  # fmt: skip
        while any(run.poll() is None for run in runs) and time.time() < began + seconds:
            sample(running, time.time() - began, series)
            time.sleep(options.every)
        for run, locustfile in zip(runs, RUNS):
            swarm.finish(run, locustfile, folder, seconds)
            read_p99(locustfile, folder, began, series)
            rows = swarm.calls(swarm.rows(locustfile, folder))
            calls[f"{locustfile} calls"] = sum(int(row["Request Count"]) for row in rows)
            calls[f"{locustfile} failed"] = sum(int(row["Failure Count"]) for row in rows)
    return calls


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--users", type=int, default=12, help="over each transport")
    parser.add_argument("--think", type=float, default=0.25, help="mean seconds between calls")
    parser.add_argument("--every", type=float, default=5, help="seconds between samples")
    parser.add_argument("--samples", type=Path, default=Path("build/soak.csv"))
    options = parser.parse_args(arguments)
    series: Series = defaultdict(list)
    try:
        calls = soak(options, series)
    finally:
        keep(series, options.samples)
    found = trends(series, options.minutes * 60)
    print(f"{'of':<12} {'what':<12} {'early':>8} {'late':>8}")
    for trend in found:
        print(trend)
    failed = sum(count for name, count in calls.items() if name.endswith("failed"))
    flat = all(trend.is_flat for trend in found)
    plain = {
        "minutes": options.minutes,
        **calls,
        "trends": {
            f"{trend.of} {trend.measure.name}": [round(trend.early, 1), round(trend.late, 1)]
            for trend in found
        },
        "flat": flat,
    }
    print(orjson.dumps(plain).decode())
    return 0 if flat and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
