"""The folder of variants that an operator allows: read once, at the start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from guncamera.host.own_folder import own_folder
from guncamera.host.settings import SettingsError
from guncamera.rules.variant import (
    MOST_BYTES,
    NO_VARIANTS,
    Variant,
    Variants,
    read_variant,
)

MOST_VARIANTS = 64
_SETTING = "GUNCAMERA_VARIANTS"


def variants_in(folder: str) -> Variants:
    """The variants in a folder, from each of its files that ends in .toml; none for no folder.

    Raises:
        SettingsError: It cannot be read, or a file is no variant of the rules installed. The
            line names file and place.
    """
    if not folder:
        return NO_VARIANTS
    found: dict[str, tuple[Path, Variant]] = {}
    for file in _files(folder):
        one = _variant(file)
        first, _ = found.setdefault(one.imprint.name, (file, one))
        if first != file:
            raise SettingsError(
                f"{_SETTING}: {file}: {one.imprint.name!r} is the name of the variant in "
                f"{first.name} too; take one away, or pack it under another name."
            )
    return Variants(one for _, one in found.values())


@contextmanager
def kept(folder: str) -> Iterator[str]:
    """A copy of a folder of variants, so that a worker that starts later reads the same.

    Raises:
        SettingsError: A file of it cannot be read.
    """
    if not folder:
        yield ""
        return
    with own_folder("variants") as copy:
        for file in _files(folder):
            (Path(copy) / file.name).write_bytes(_read(file))
        yield copy


def _files(folder: str) -> list[Path]:
    place = Path(folder).expanduser()
    try:
        files = sorted(one for one in place.iterdir() if one.suffix == ".toml")
    except OSError as fault:
        raise SettingsError(
            f"{_SETTING}: {folder} cannot be read: {fault.strerror}. Give a folder of files such "
            "as `guncamera rules pack` writes."
        ) from None
    if len(files) > MOST_VARIANTS:
        raise SettingsError(
            f"{_SETTING}: {folder} holds {len(files)} variants; {MOST_VARIANTS} at most."
        )
    return files


def _variant(file: Path) -> Variant:
    try:
        text = _read(file).decode()
    except UnicodeDecodeError:
        raise SettingsError(f"{_SETTING}: {file} is not UTF-8.") from None
    variant, faults = read_variant(text)
    if variant is None:
        first = min(faults, key=lambda one: one.line)
        line = f":{first.line}" if first.line else ""
        more = f" ({len(faults)} in all)" if len(faults) > 1 else ""
        raise SettingsError(
            f"{_SETTING}: {file}{line}: {first.place}: {first.text}{more}. "
            f"`guncamera rules check {file}` lists all."
        )
    return variant


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as fault:
        raise SettingsError(f"{_SETTING}: {file} cannot be read: {fault.strerror}.") from None
    if len(data) > MOST_BYTES:
        raise SettingsError(f"{_SETTING}: {file} has more than {MOST_BYTES} bytes.")
    return data
