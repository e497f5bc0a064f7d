"""Which processes live, and what they are."""

from __future__ import annotations

from pathlib import Path

import psutil
from servers import descendants


def is_gone(pid: int) -> bool:
    """Whether it has ended; a zombie has, and waits only for whoever inherits it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def line_of(pid: int) -> str:
    """How a process was started; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def below(pid: int, mark: str) -> list[int]:
    """The processes below one whose command line has a mark."""
    return [one for one in descendants(pid) if mark in line_of(one)]


def listens(pid: int, address: str) -> bool:
    """Whether a process listens on the port of an address."""
    try:
        found = psutil.Process(pid).net_connections(kind="tcp")
    except psutil.NoSuchProcess:
        return False
    port = int(address.rpartition(":")[2])
    return any(one.status == psutil.CONN_LISTEN and one.laddr.port == port for one in found)
