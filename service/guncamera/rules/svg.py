"""What every picture is written with: places, lengths and words of SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the picture, from its top left corner."""

    x: float
    y: float


def number(value: float) -> str:
    """A length as SVG writes it, to a thousandth."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def safe(words: str) -> str:
    """Words as XML can hold them: what is not printable is replaced, what is markup escaped."""
    shown = (one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in words)
    return escape("".join(shown))


def text(at: Point, words: str, style: str = "", anchor: str = "start") -> str:
    """Words that begin, center or end at a place."""
    return (
        f'<text x="{number(at.x)}" y="{number(at.y)}"'
        + (f' class="{style}"' if style else "")
        + (f' text-anchor="{anchor}"' if anchor != "start" else "")
        + f">{safe(words)}</text>"
    )
