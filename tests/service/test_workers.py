"""How many workers there are, and where they run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import servers
from conftest import start_service, stop_service
from guncamera.host import cores, settings
from guncamera.host.settings import ServiceSettings
from guncamera.rules.ruleset import rulesets
from living import below, listens


def groups(tmp_path: Path, own: str, **files: str) -> tuple[Path, Path]:
    """Control groups as a kernel shows them."""
    root, said = tmp_path / "groups", tmp_path / "own"
    said.write_text(own)
    for name, text in files.items():
        file = root / name.replace("__", "/").replace("_max", ".max").replace("cpu_cfs", "cpu.cfs")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root, said


@pytest.mark.parametrize(
    ("own", "files", "quota"),
    [
        ("0::/\n", {}, None),
        ("0::/\n", {"cpu_max": "max 100000\n"}, None),
        ("0::/\n", {"cpu_max": "150000 100000\n"}, 1.5),
        (
            "0::/slice/unit\n",
            {"slice__cpu_max": "200000 100000", "slice__unit__cpu_max": "max 1"},
            2,
        ),
        ("0::/slice/unit\n", {"slice__cpu_max": "400000 100000", "cpu_max": "300000 100000"}, 3),
        ("0::/../outside\n", {"cpu_max": "50000 100000\n"}, 0.5),
        ("0::/\n", {"cpu_max": "nonsense"}, None),
        (
            "4:cpu,cpuacct:/\n3:cpuset:/\n",
            {"cpu,cpuacct__cpu_cfs_quota_us": "250000", "cpu,cpuacct__cpu_cfs_period_us": "100000"},
            2.5,
        ),
        (
            "1:cpu:/\n",
            {"cpu__cpu_cfs_quota_us": "-1", "cpu__cpu_cfs_period_us": "100000"},
            None,
        ),
    ],
)
def test_a_quota_is_read_of_either_version_of_control_groups(
    tmp_path: Path, own: str, files: dict[str, str], quota: float | None
) -> None:
    assert cores.cpu_quota(*groups(tmp_path, own, **files)) == quota


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert cores.cpu_quota(tmp_path, tmp_path / "none") is None


@pytest.mark.parametrize(
    ("allowed", "quota", "usable", "ours"),
    [
        (8, None, 8, True),
        (8, 2.5, 3, False),
        (8, 0.2, 1, False),
        (2, 4.0, 2, True),
        (2, 2.0, 2, True),
    ],
)
def test_cores_within_a_quota_are_counted_and_not_kept_to(
    monkeypatch: pytest.MonkeyPatch, allowed: int, quota: float | None, usable: int, ours: bool
) -> None:
    monkeypatch.setattr(cores, "allowed_cores", lambda: allowed)
    monkeypatch.setattr(cores, "cpu_quota", lambda: quota)
    assert cores.usable_cores() == usable
    assert cores.are_ours() is ours


@pytest.mark.parametrize(
    ("usable", "grpc_workers", "rest_workers"), [(1, 1, 1), (2, 2, 1), (5, 5, 2), (200, 64, 32)]
)
def test_there_is_a_grpc_worker_for_each_core_and_a_rest_worker_for_two(
    monkeypatch: pytest.MonkeyPatch, usable: int, grpc_workers: int, rest_workers: int
) -> None:
    monkeypatch.setattr(settings, "usable_cores", lambda: usable)
    assert ServiceSettings().grpc_workers == grpc_workers
    assert ServiceSettings().rest_workers == rest_workers
    assert ServiceSettings(grpc_workers=1).grpc_workers == 1


def test_a_worker_has_its_rules_before_it_is_ready() -> None:
    looks = (
        "import sys\n"
        "from guncamera.host.settings import ServiceSettings\n"
        "from guncamera.host.wiring import wire_up\n"
        f"wire_up(ServiceSettings(store_url='redis://127.0.0.1:{servers.free_port()}'))\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", looks], capture_output=True, text=True, check=True, timeout=60
    )
    assert {f"guncamera.rulesets.{slug}" for slug in rulesets()} <= set(done.stdout.split())


@pytest.mark.skipif(not cores.are_ours(), reason="cores are shared out by a quota here")
def test_each_of_several_workers_keeps_to_a_core_of_its_own(tmp_path: Path) -> None:
    mine = sorted(os.sched_getaffinity(0))
    service = start_service(tmp_path, "--grpc-workers", str(len(mine)))
    try:
        workers = below(service.process.pid, "grpc_worker")
        # The service is ready when one of them is.
        servers.wait_until(
            lambda: all(listens(pid, service.grpc) for pid in workers), "all have started", 60
        )
        if len(mine) == 1:
            assert [os.sched_getaffinity(pid) for pid in workers] == [set(mine)]
        else:
            assert sorted(map(sorted, map(os.sched_getaffinity, workers))) == [[n] for n in mine]
    finally:
        stop_service(service)
