"""What the command line prints through: colour on a terminal, plain text elsewhere."""

from __future__ import annotations

import sys

from rich.console import Console


class Failure(Exception):
    """A command cannot do its work; the message is one line that says what to do."""

    def __init__(self, message: str, *, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def console() -> Console:
    """Standard output."""
    return Console(file=sys.stdout, soft_wrap=True, highlight=False)


def error_console() -> Console:
    """Standard error."""
    return Console(file=sys.stderr, soft_wrap=True, highlight=False)
