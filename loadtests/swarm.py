"""Locust, run for a bounded time without its web page, and what its tables say."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

from guncamera.sessions.embedded import bound_to_this_thread

HERE = Path(__file__).parent
GAMES = ("game begun", "game over")
"""Types of rows that count games, not calls."""


def start(
    locustfile: str, host: str, folder: Path, *, users: int, seconds: int, think: float
) -> subprocess.Popen[bytes]:
    """Begin to play, with so many users and a mean pause between their calls."""
    command = [
        str(Path(sys.executable).parent / "locust"), "-f", str(HERE / locustfile),
        "--headless", "--host", host, "-u", str(users), "-r", str(users),
        "-t", f"{seconds}s", "--think", str(think), "--csv", str(folder / locustfile),
        "--only-summary", "--stop-timeout", "10", "--exit-code-on-error", "0",
        "--loglevel", "WARNING",
    ]  # fmt: skip
    with (folder / f"{locustfile}.log").open("wb") as log:
        return subprocess.Popen(
            bound_to_this_thread(command),
            cwd=HERE,
            stdout=subprocess.DEVNULL,  # its tables are read from files, and told by us
            stderr=log,
        )


def finish(running: subprocess.Popen[bytes], locustfile: str, folder: Path, seconds: int) -> None:
    """Wait for the end of a run that was to take so long.

    Raises:
        RuntimeError: It ended in a fault, or a player did; the message holds its last words.
    """
    try:
        status = running.wait(seconds + 90)
    finally:
        if running.poll() is None:
            running.kill()
    said = (folder / f"{locustfile}.log").read_text()
    if status or "Traceback" in said:
        raise RuntimeError(f"locust ended with {status}:\n{said[-2000:]}")


def rows(locustfile: str, folder: Path, table: str = "stats") -> list[dict[str, str]]:
    """A table of a run: `stats`, or `stats_history` for every second of it."""
    with (folder / f"{locustfile}_{table}.csv").open() as lines:
        return list(csv.DictReader(lines))


def calls(found: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows of a `stats` table that are about calls."""
    return [row for row in found if row["Name"] != "Aggregated" and row["Type"] not in GAMES]


def games(found: list[dict[str, str]]) -> dict[str, tuple[int, int]]:
    """How many games of each rule set were begun, and how many played to their end."""
    counts = {(row["Type"], row["Name"]): int(row["Request Count"]) for row in found}
    return {
        slug: (number, counts.get(("game over", slug), 0))
        for (kind, slug), number in counts.items()
        if kind == "game begun"
    }


def told(found: list[dict[str, str]]) -> str:
    """The calls of a `stats` table, a line each."""
    lines = [f"  {'call':<16} {'made':>7} {'failed':>6} {'p50 ms':>7} {'p95 ms':>7} {'p99 ms':>7}"]
    for row in calls(found):
        times = " ".join(f"{float(row[column]):>7.0f}" for column in ("50%", "95%", "99%"))
        made, failed = int(row["Request Count"]), int(row["Failure Count"])
        lines.append(f"  {row['Name']:<16} {made:>7} {failed:>6} {times}")
    return "\n".join(lines)
