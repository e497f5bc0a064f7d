"""How much room words take, and how they are cut or wrapped to fit.

Nothing here knows the font that a reader's machine has; the widths are those of wide ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

PICTURE_WIDTH, MARGIN = 360, 6
INNER_WIDTH = PICTURE_WIDTH - 2 * MARGIN
HEAD, USUAL, SMALL, LEAST = 17, 13, 12, 11
"""Sizes of letters, as in the style."""
NARROW, WIDE = frozenset("fijlrt.,:;'|!()[] -"), frozenset("mwMW@%")
NARROW_EMS, USUAL_EMS, UPPER_EMS, WIDE_EMS, FOREIGN_EMS = 0.37, 0.6, 0.7, 0.95, 1.05
BOLD_MORE = 1.12


@lru_cache(maxsize=4096)
def width_of(words: str, size: int, *, bold: bool = False) -> float:
    """The width of some words."""
    return sum(map(_ems, words)) * size * (BOLD_MORE if bold else 1)


def _ems(letter: str) -> float:
    if letter in NARROW:
        return NARROW_EMS
    if letter in WIDE:
        return WIDE_EMS
    if letter.isascii() or letter in "·–…×":
        return UPPER_EMS if letter.isupper() else USUAL_EMS
    return FOREIGN_EMS


def cut(words: str, room: float, size: int, *, bold: bool = False) -> str:
    """The words, or as much of them as the room holds."""
    if width_of(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and width_of(f"{kept}…", size, bold=bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrapped(
    phrases: Iterable[str], room: float, size: int, *, less: float = 0, bold: bool = False
) -> list[str]:
    """Phrases in lines that fit, the first with less room; one goes over to the next line whole."""
    lines: list[str] = []
    line = ""
    for phrase in phrases:
        longer = f"{line} · {phrase}" if line else phrase
        left = room if lines else room - less
        if line and width_of(longer, size, bold=bold) > left:
            lines.append(line)
            longer = phrase
        line = longer
    if line:
        lines.append(line)
    return [
        cut(line, room if nth else room - less, size, bold=bold) for nth, line in enumerate(lines)
    ]
