"""A folder of the service's own for as long as it runs."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_folder(name: str) -> Iterator[str]:
    """Make a folder, empty at first, and remove it with all that is in it in the end.

    It is locked against those who tidy up: systemd leaves alone what is locked.
    """
    with tempfile.TemporaryDirectory(
        prefix=f"guncamera-{name}-", ignore_cleanup_errors=True
    ) as folder:
        opened = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)
            yield folder
        finally:
            os.close(opened)
