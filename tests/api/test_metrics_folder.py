from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from guncamera.api.metrics_folder import (
    VARIABLE,
    EveryProcess,
    forget_gauges_of,
    forget_gauges_of_the_dead,
)

COUNTS_AND_ENDS = """
from guncamera.api.metrics import Metrics
metrics = Metrics()
metrics.stream_opened("grpc")
metrics.answered("GetSession", "grpc", "kettering", "OK", 0.1)
"""


def in_a_process(folder: Path) -> int:
    """Count a call and a stream in a process of its own, which ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", COUNTS_AND_ENDS], env={**os.environ, VARIABLE: str(folder)}
    )
    assert process.wait(60) == 0
    return process.pid


def counted(folder: Path) -> dict[str, float]:
    return {
        sample.name: sample.value
        for family in EveryProcess(folder).collect()
        for sample in family.samples
        if family.type in ("counter", "gauge")
    }


def test_counts_outlive_their_process_and_gauges_do_not(tmp_path: Path) -> None:
    for _ in range(2):
        in_a_process(tmp_path)
    assert counted(tmp_path) == {"guncamera_requests_total": 2}


def test_a_file_that_a_starting_process_has_only_made_is_passed_over(tmp_path: Path) -> None:
    in_a_process(tmp_path)
    for kind in ("counter", "histogram", "gauge_livesum"):
        (tmp_path / f"{kind}_{os.getpid()}.db").touch()
    (tmp_path / "counter_1.db").symlink_to(tmp_path / "gone")
    assert counted(tmp_path) == {"guncamera_requests_total": 1}


def test_gauges_of_dead_processes_are_forgotten_and_of_living_kept(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    files = {pid: tmp_path / f"gauge_livesum_{pid}.db" for pid in (gone.pid, os.getpid())}
    kept = tmp_path / f"counter_{gone.pid}.db"
    for file in (*files.values(), kept):
        file.write_bytes(b"")
    forget_gauges_of_the_dead(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([files[os.getpid()], kept])


def test_one_process_is_forgotten_however_often_and_no_other(tmp_path: Path) -> None:
    for pid in (7, 17):
        (tmp_path / f"gauge_livesum_{pid}.db").touch()
    forget_gauges_of(7, tmp_path)
    forget_gauges_of(7, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["gauge_livesum_17.db"]
