"""How long chance is let look for faults.

In the checks the same examples every time, so that what differs between two runs is the change
between them. `make fuzz` takes new ones, and many.
"""

from __future__ import annotations

import os

from hypothesis import settings

FUZZ = os.environ.get("FUZZ") == "1"
TIMES = 20
"""So many times the examples of the checks."""

settings.register_profile("checks", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("fuzz", deadline=None, max_examples=50 * TIMES, print_blob=True)


def choose_profile() -> None:
    """For all tests that hypothesis drives, before any is imported."""
    settings.load_profile("fuzz" if FUZZ else "checks")


def examples(count: int) -> settings:
    """Another number of examples, in the checks, than the 50 there are otherwise."""
    return settings(max_examples=count * TIMES if FUZZ else count)


def games(count: int) -> range:
    """The numbers of random games: so many in the checks, `FUZZ_GAMES` by `make fuzz`."""
    return range(int(os.environ.get("FUZZ_GAMES", count)))
