"""What the command line prints through: colour on a terminal, plain text elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

DONE = 0
REFUSED = 1
USAGE = 2

MAX_WIDTH = 100
_FULL, _PLAIN = "█", "#"


class Failure(Exception):
    """A command cannot do its work; the message is one line that says what to do."""

    def __init__(self, message: str, *, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def console() -> Console:
    """Standard output: wrapped to the terminal, to no more than 100 columns, or to 80."""
    out = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    out.width = min(out.width, MAX_WIDTH)
    return out


def error_console() -> Console:
    """Standard error: never wrapped, so that a message stays one line."""
    return Console(file=sys.stderr, soft_wrap=True, highlight=False, markup=False, emoji=False)


def print_json(value: Any) -> None:
    """Print a value for machines, on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def one_line(text: str) -> str:
    """A message without its line breaks."""
    return " ".join(text.split())


def said(summary: str, *, by_default: bool) -> str:
    """What an action came to, on one line; of a late seat, that the order was not its own."""
    line = one_line(summary)
    return f"{line} (late: the rule set's order)" if by_default else line


def count(number: int, noun: str) -> str:
    """`1 turn`, `2 turns`, `3 torpedoes`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('o', 's', 'x', 'ch')) else 's'}"


def grid(
    columns: Sequence[str],
    rows: Iterable[Sequence[str | Text]],
    *,
    right: Iterable[str] = (),
    wide: str = "",
    title: str = "",
    gap: int = 2,
) -> RenderableType:
    """A table without lines, as on a printed page.

    Args:
        columns: Their heads; no head line is drawn if all are empty.
        right: Heads of the columns that are set to the right.
        wide: The head of the column that is wrapped where the room is short.
        title: Above it, at the left.
        gap: Spaces between columns.
    """
    to_the_right = set(right)
    made = Table(
        box=None,
        pad_edge=False,
        padding=(0, gap, 0, 0),
        show_header=any(columns),
        header_style="bold",
    )
    for head in columns:
        made.add_column(
            Text(head),
            justify="right" if head in to_the_right else "left",
            overflow="fold",
            no_wrap=bool(wide) and head != wide,
        )
    for row in rows:
        made.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return Group(Text(title, "bold"), made) if title else made


def percent(fraction: Fraction) -> str:
    """A probability in per cent, two places: `22.22 %`."""
    return f"{float(fraction * 100):.2f} %"


def bar(fraction: Fraction, out: Console, width: int = 24) -> str:
    """A probability as a bar, at least one mark long unless it is nothing."""
    mark = _FULL if out.encoding.lower().startswith("utf") else _PLAIN
    return mark * max(round(fraction * width), 1 if fraction else 0)


def words(name: str) -> str:
    """A field's name as words: `damage_points` as `damage points`."""
    return name.replace("_", " ")
