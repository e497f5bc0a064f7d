"""Lines to and from a process that may hang, flood, or not read: all bounded, none trusted."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from guncamera_tournament.event import Limits
from guncamera_tournament.sitting import Misconduct, OutOfTime

MOST_STDERR = 4096
_CHUNK = 65_536
_LAUNCH = str(Path(__file__).with_name("launch.py"))


class LineProcess:
    """A process that is sent lines and answers each with one.

    It has a group of its own, that ends with it, and ends with the thread that starts it.

    Args:
        command: What to run.
        limits: What it may use.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._most_line = limits.line_bytes
        self._out = bytearray()
        self._err = bytearray()
        self._process = subprocess.Popen(  # noqa: S603  # what the organizer has named
            [sys.executable, "-I", "-S", _LAUNCH, str(os.getpid()), _numbers(limits), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,
        )
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    @property
    def last_words(self) -> str:
        """The last line it wrote to its error output; empty if none."""
        lines = bytes(self._err).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def converse(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for the answer.

        Args:
            line: Without its end.
            seconds: How long to wait in all.

        Returns:
            The answer, without its end.

        Raises:
            OutOfTime: There is none yet.
            Misconduct: It spoke unasked, too much, or has ended. More lines than one are found when
                the next is wanted, so that it hangs on no time whether the first one counts.
        """
        self._look()
        if self._out:
            raise Misconduct("flood", "it said more than it was asked for")
        self._exchange(line + b"\n", time.monotonic() + seconds)
        answer, _, self._out = self._out.partition(b"\n")
        return bytes(answer)

    def kill(self) -> None:
        """End it and everything it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in self._pipes():
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _exchange(self, unsent: bytes, deadline: float) -> None:
        """Write all of a line while reading whatever comes, until a line has come."""
        stdin, stdout, stderr = self._pipes()
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            while b"\n" not in self._out:
                left = deadline - time.monotonic()
                ready = selector.select(left) if left > 0 else []
                if not ready:
                    raise OutOfTime
                for key, _ in ready:
                    if key.fileobj is stdin:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(stdin)
                    elif key.fileobj is stdout:
                        if not self._read(stdout, self._out):
                            raise self._ended()
                        self._check_flood()
                    elif not self._read(stderr, self._err):
                        selector.unregister(stderr)
                    else:
                        del self._err[:-MOST_STDERR]

    def _look(self) -> None:
        """Take what has come already."""
        _, stdout, stderr = self._pipes()
        self._read(stdout, self._out)
        self._read(stderr, self._err)
        del self._err[:-MOST_STDERR]

    def _check_flood(self) -> None:
        if len(self._out) > self._most_line:
            raise Misconduct("flood", f"it said more than {self._most_line} bytes at once")

    def _ended(self) -> Misconduct:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._look()
        status = self._process.poll()
        words = self.last_words
        if status is None:
            return Misconduct("crash", "it closed its output")
        told = f"killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return Misconduct("crash", f"it was {told}" if status < 0 else f"it {told}: {words}")

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._pipes()[0].fileno(), data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise self._ended() from None

    @staticmethod
    def _read(pipe: IO[bytes], into: bytearray) -> bool:
        """Take what is there; False once nothing more will come."""
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        into += data
        return bool(data)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise AssertionError("a process was started without pipes")
        return process.stdin, process.stdout, process.stderr


def _environment() -> dict[str, str]:
    """Ours without keys to services, and with sets in the same order in every process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GUNCAMERA_")}
    return {**kept, "PYTHONHASHSEED": "0"}


def _numbers(limits: Limits) -> str:
    mega = 1_000_000
    numbers = (
        limits.memory_mb * mega,
        limits.cpu_seconds,
        limits.file_mb * mega,
        limits.open_files,
        0,
    )
    return ",".join(str(number) for number in numbers)
