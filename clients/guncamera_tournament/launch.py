"""Starts a pilot's program within limits, bound to the thread that started it.

Run as a file by itself, with nothing but the standard library: `launch.py PARENT LIMITS COMMAND…`,
LIMITS being five numbers: bytes of memory, seconds of processor, bytes of a file, open files, and
0 or 1 for whether a core may be dumped. Linux only for the bond; elsewhere limits alone.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence

_SIGKILL = 9
_PR_SET_PDEATHSIG = 1


def bind_to_parent(parent: int) -> None:
    """Be killed when the thread that started this process ends, however it ends."""
    import ctypes

    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    except AttributeError:
        return
    if os.getppid() != parent:
        os._exit(1)


def limit(numbers: Sequence[int]) -> None:
    """Set what the process may use; what the system grants less of already stays so."""
    kinds = (
        resource.RLIMIT_AS,
        resource.RLIMIT_CPU,
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_NOFILE,
        resource.RLIMIT_CORE,
    )
    for kind, wanted in zip(kinds, numbers, strict=True):
        _, most = resource.getrlimit(kind)
        granted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(kind, (granted, granted))


def _main(arguments: Sequence[str]) -> None:
    parent, numbers, *command = arguments
    bind_to_parent(int(parent))
    limit([int(number) for number in numbers.split(",")])
    try:
        os.execvp(command[0], command)  # noqa: S606  # what the organizer has named
    except OSError as fault:
        sys.stderr.write(f"{command[0]}: {fault.strerror}\n")
        os._exit(127)


if __name__ == "__main__":
    _main(sys.argv[1:])
