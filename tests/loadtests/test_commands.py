"""Every command of the load tests can be started; no long run finds out late that one cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOADTESTS = Path(__file__).parents[2] / "loadtests"


def test_every_module_can_be_imported() -> None:
    # In a process of its own: locust puts its own sockets in place of everybody's.
    names = sorted(path.stem for path in LOADTESTS.glob("*.py"))
    assert {"bench", "streams", "soak", "run"} <= set(names)
    done = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"],
        env={**os.environ, "PYTHONPATH": str(LOADTESTS)},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
