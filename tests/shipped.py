"""The cases that are shipped, read once for all tests of a process."""

from functools import cache

from guncamera.conformance.cases import Case, load_cases


@cache
def shipped_cases() -> tuple[Case, ...]:
    """Every one, in the order of files and cases."""
    return tuple(load_cases())
