"""How much room words take in a picture, and how they are cut or wrapped to fit.

Nothing here knows the font that a reader's machine has; the widths are those of wide ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

HEAD, USUAL, SMALL, LEAST = 17, 13, 12, 11
"""Sizes of letters, as in the styles of the pictures."""
_NARROW, _WIDE = frozenset("fijlrt.,:;'|!()[] -"), frozenset("mwMW@%—")
_NARROW_EMS, _USUAL_EMS, _UPPER_EMS, _WIDE_EMS, _FOREIGN_EMS = 0.37, 0.62, 0.7, 0.95, 1.05
_BOLD_MORE = 1.12


@lru_cache(maxsize=4096)
def width_of(words: str, size: int, *, bold: bool = False) -> float:
    """The width of some words, in the unit of the size."""
    return sum(map(_ems, words)) * size * (_BOLD_MORE if bold else 1)


def _ems(letter: str) -> float:
    if letter in _NARROW:
        return _NARROW_EMS
    if letter in _WIDE:
        return _WIDE_EMS
    if letter.isascii() or letter in "·–…°×":
        return _UPPER_EMS if letter.isupper() else _USUAL_EMS
    return _FOREIGN_EMS


def cut(words: str, room: float, size: int, *, bold: bool = False) -> str:
    """The words, or as much of them as the room holds."""
    if width_of(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and width_of(f"{kept}…", size, bold=bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrapped(
    phrases: Iterable[str],
    room: float,
    size: int,
    *,
    less: float = 0,
    bold: bool = False,
    between: str = " · ",
) -> list[str]:
    """Phrases in lines that fit, the first with less room; one goes over to the next line whole."""
    lines: list[str] = []
    line = ""
    for phrase in phrases:
        longer = f"{line}{between}{phrase}" if line else phrase
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
