"""The memory of a worker, once everything is loaded."""

from __future__ import annotations

import gc


def settle_memory() -> None:
    """Have the garbage collector leave alone what is here to stay, and look less often.

    Rules, tables and descriptors are a hundred thousand objects that are never garbage, and
    walking them would hold all calls up for tens of milliseconds. What a call makes is freed by
    counting references; cycles are left by faults only.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
