"""Which processes live."""

from __future__ import annotations

import os
from pathlib import Path


def is_gone(pid: int) -> bool:
    """Whether it has ended; a zombie has, and waits only for whoever inherits it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def children_of(pid: int) -> list[int]:
    """Every process below one."""
    below = []
    for task in os.listdir(f"/proc/{pid}/task"):
        below += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return below + [one for child in below for one in children_of(child)]
