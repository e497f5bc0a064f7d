"""Packed variants from files: for `--variant` and `--tables`, and for `rules check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guncamera.cli.console import Failure, count
from guncamera.rules.variant import MOST_BYTES, Variant, Variants, read_variant

VariantOption = Annotated[
    Path | None,
    typer.Option(
        "--variant",
        metavar="FILE",
        help="The variant that the game is played by, as `guncamera rules pack` writes it.",
    ),
]


def load_packed(file: Path) -> Variant:
    """The variant in a file.

    Raises:
        Failure: It cannot be read, or is none; the line names the place.
    """
    variant, faults = read_variant(read_packed(file))
    if variant is None:
        first = min(faults, key=lambda one: one.line)
        line = f":{first.line}" if first.line else ""
        raise Failure(
            f"{file}{line}: {first.place}: {first.text} ({count(len(faults), 'problem')}; "
            f"guncamera rules check {file} lists all)."
        )
    return variant


def read_packed(file: Path) -> str:
    """The text of a file of a variant's size.

    Raises:
        Failure: It cannot be read, or is larger.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        text = data.decode()
    except OSError as fault:
        raise Failure(f"{file}: cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError as fault:
        raise Failure(f"{file}: not UTF-8: {fault}.") from None
    if len(data) > MOST_BYTES:
        raise Failure(f"{file}: more than {MOST_BYTES} bytes, which no variant has.")
    return text


def variants_at(file: Path | None) -> Variants:
    """The variant of a file as what is at hand; nothing for no file.

    Raises:
        Failure: It cannot be read.
    """
    return Variants([load_packed(file)] if file else [])
