"""Getting what the embedded store has written onto the disk, once a second.

The server could do this itself (appendfsync everysec), but while it does, it holds back what it
writes and acknowledges it all the same: killed at that moment, it loses acknowledged actions.
Told not to sync, it writes before it answers, always; then only a loss of power can lose
something, and that is what this thread is for.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

LOG = logging.getLogger(__name__)

SYNC_SECONDS = 1.0


class DiskSync:
    """A thread that syncs the append-only files in a folder until it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="disk-sync", daemon=True)

    def start(self) -> None:
        """Begin; the first sync is a second away."""
        self._thread.start()

    def stop(self) -> None:
        """End; the server syncs by itself when it is shut down."""
        self._is_stopping.set()
        self._thread.join()

    def sync(self) -> None:
        """Wait until all that was written so far is on the disk.

        Raises:
            OSError: the disk failed.
        """
        for path in list(self._folder.glob("*.incr.aof")):
            try:
                file = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                continue  # the server has just replaced it, and synced what it replaced it by
            try:
                os.fsync(file)
            finally:
                os.close(file)

    def _run(self) -> None:
        while not self._is_stopping.wait(SYNC_SECONDS):
            try:
                self.sync()
            except OSError:
                LOG.exception("the embedded store's disk failed")
