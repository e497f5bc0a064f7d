"""How many cores this process may use, and whether they are its own to choose among."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUPS = Path("/proc/self/cgroup")


def usable_cores() -> int:
    """Cores that this process may use, at least 1: those it may run on, within its quota."""
    quota = cpu_quota()
    allowed = allowed_cores()
    return allowed if quota is None else max(1, min(allowed, math.ceil(quota)))


def are_ours() -> bool:
    """Whether a worker may keep to one core.

    Under a quota below them, the cores are shared with others who cannot be seen: who all chose
    the first ones would crowd there, and so the choice is the kernel's.
    """
    quota = cpu_quota()
    return hasattr(os, "sched_setaffinity") and (quota is None or quota >= allowed_cores())


def allowed_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_quota(root: Path = CGROUPS, own: Path = OWN_CGROUPS) -> float | None:
    """Cores' worth of time that control groups grant this process; None for no limit.

    Args:
        root: Where control groups are mounted, of either version.
        own: The file that says in which of them this process is.
    """
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            found += [_of_version_2(folder) for folder in _upwards(root, path)]
        elif "cpu" in controllers.split(","):
            found += [_of_version_1(folder) for folder in _upwards(root / controllers, path)]
    return min((quota for quota in found if quota is not None), default=None)


def _upwards(root: Path, path: str) -> list[Path]:
    """A group and those that hold it. In a container the path may lead nowhere but to the root."""
    inside = Path(path.lstrip("/"))
    return [root / inside, *(root / parent for parent in inside.parents)]


def _of_version_2(folder: Path) -> float | None:
    try:
        quota, period = (folder / "cpu.max").read_text(encoding="ascii").split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
        return None


def _of_version_1(folder: Path) -> float | None:
    try:
        quota, period = (
            int((folder / f"cpu.cfs_{name}_us").read_text(encoding="ascii"))
            for name in ("quota", "period")
        )
        return quota / period if quota > 0 and period > 0 else None
    except (OSError, ValueError):
        return None
