"""Read by every Python of a service under chaos: its clock of sessions can be put forward or back.

Only `time.time_ns`, which is that clock. gRPC's deadlines and the store keep the machine's.
"""

import os
import time

_FILE = os.environ.get("CHAOS_CLOCK")
_true_ns = time.time_ns


def _stepped_ns() -> int:
    assert _FILE
    with open(_FILE) as seconds:
        return _true_ns() + int(seconds.read() or 0) * 1_000_000_000


if _FILE:
    time.time_ns = _stepped_ns
