"""`make load`: locust against a service of its own, one transport after the other, with budgets.

Bounded in users and time, on loopback only. Ends with 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import httpx

HERE = Path(__file__).parent


def free_address() -> str:
    """A loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


@contextlib.contextmanager
def service(folder: Path) -> Iterator[tuple[str, str]]:
    """A running service; its REST and gRPC addresses."""
    rest, grpc = free_address(), free_address()
    process = subprocess.Popen(
        [
            sys.executable, "-m", "guncamera", "serve", "--exit-with-parent",
            "--rest-address", rest, "--grpc-address", grpc, "--data-dir", str(folder),
        ],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"http://{rest}/readyz").status_code == 200:
                    break
            time.sleep(0.1)
        yield rest, grpc
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def swarm(locustfile: str, host: str, options: argparse.Namespace, folder: Path) -> list[dict]:
    """Run locust for a bounded time; the rows of its statistics."""
    prefix = folder / locustfile
    subprocess.run(
        [
            Path(sys.executable).parent / "locust", "-f", str(HERE / locustfile), "--headless",
            "--host", host, "-u", str(options.users), "-r", str(options.users),
            "-t", f"{options.seconds}s", "--csv", str(prefix), "--only-summary",
            "--stop-timeout", "5", "--exit-code-on-error", "0",
        ],
        check=True,
        timeout=options.seconds + 60,
        cwd=HERE,
    )  # fmt: skip
    with Path(f"{prefix}_stats.csv").open() as table:
        return [row for row in csv.DictReader(table) if row["Name"] != "Aggregated"]


def over_budget(rows: list[dict]) -> list[str]:
    """What exceeded its budget, a line each; a call that was never made is one too."""
    budgets = tomllib.loads((HERE / "budgets.toml").read_text())
    found = []
    for row in rows:
        budget = {**budgets["default"], **budgets.get(row["Name"], {})}
        made, failed = int(row["Request Count"]), int(row["Failure Count"])
        if failed > budget["failures"] * made:
            found.append(f"{row['Type']} {row['Name']}: {failed} of {made} failed")
        if float(row["95%"]) > budget["p95_ms"]:
            found.append(f"{row['Type']} {row['Name']}: p95 {row['95%']} ms > {budget['p95_ms']}")
    names = {row["Name"] for row in rows}
    missing = {"create_session", "get_session", "move", "wind", "fire"} - names
    return found + [f"{name} was never called" for name in sorted(missing)]


def main() -> int:
    """Swarm both transports and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name, service(Path(name)) as (rest, grpc):
        for locustfile, host in (("rest_user.py", f"http://{rest}"), ("grpc_user.py", grpc)):
            rows = swarm(locustfile, host, options, Path(name))
            total = sum(int(row["Request Count"]) for row in rows)
            print(f"{locustfile}: {total} calls, {total / options.seconds:.0f} a second")
            faults += over_budget(rows)
    for fault in faults:
        print(f"over budget: {fault}")
    print("within budget" if not faults else f"{len(faults)} budgets exceeded")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
