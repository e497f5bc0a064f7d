"""`guncamera rules pack`: a designer's folder as one file, to be shared and played."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from guncamera.cli.checking import check_files, kinds_of
from guncamera.cli.console import Failure, console, count, print_json
from guncamera.cli.options import JsonOption
from guncamera.cli.packed import read_packed
from guncamera.cli.rules_check import variant_to_plain
from guncamera.cli.rules_files import folder_files
from guncamera.rules.packing import differing, pack
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, ruleset
from guncamera.rules.variant import Imprint, Variant, entry_faults, read_variant

_SAID = ("name", "author", "version", "license")


def pack_command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|FILE",
            help="A folder as `guncamera rules export` writes it, or a variant to pack anew.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file; it ends in .toml.")
    ],
    name: Annotated[
        str | None,
        typer.Option(help="What it goes by: lower-case letters, digits and hyphens, 40 at most."),
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who made it.")] = None,
    version: Annotated[str | None, typer.Option(help="Its version, as you count.")] = None,
    license_: Annotated[
        str | None, typer.Option("--license", help="What others may do with it.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--ruleset", metavar="RULESET", help="What the folder is for; found by its rule ids."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Write what differs from the shipped rules to one file: tables, aircraft, default readings.

    It names its author, version and license, the rules it is for, and its own hash, by which games
    are pinned to it. A service plays it that is started with --variants.
    """
    if output.suffix != ".toml":
        raise Failure(f"{output}: a variant's file ends in .toml.")
    if output.exists() and not force:
        raise Failure(f"{output} exists; give another name, or --force.")
    found, said, document = _folder(source, base) if source.is_dir() else _packed_before(source)
    given = {"name": name, "author": author, "version": version, "license": license_}
    said |= {key: value for key, value in given.items() if value is not None}
    absent = [f"--{key}" for key in _SAID if key not in said]
    if absent:
        raise Failure(f"Say {', '.join(absent)} of the variant.")
    _check_entries(source, document, found)
    parts = differing(document, found.book)
    if not parts:
        raise Failure(f"{source}: nothing differs from {found.slug} as shipped.")
    variant, text = _packed(found, Imprint(**said), document, source)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise Failure(f"{output}: cannot be written: {fault.strerror}.") from None
    if json:
        print_json({"file": str(output), **variant_to_plain(variant)})
        return
    out = console()
    told = ", ".join(_counted(len(entries), kind) for kind, entries in parts.items())
    out.print(f"{output}: {told} other than in {found.slug}.", soft_wrap=True)
    out.print(f"Hash: {variant.pin.hash}", soft_wrap=True)


def _counted(number: int, kind: str) -> str:
    return f"{number} {kind}" if kind == "aircraft" else count(number, kind.removesuffix("s"))


def _packed(
    found: Ruleset, imprint: Imprint, document: Mapping[str, Any], source: Path
) -> tuple[Variant, str]:
    """The variant and its text; read again, as whoever loads it will."""
    try:
        text = pack(found, imprint, document)
    except Malformed as refusal:
        first = refusal.violations[0]
        raise Failure(f"--{first.field}: {first.description}.") from None
    variant, faults = read_variant(text)
    if variant is None:
        number = count(len(faults), "problem")
        raise Failure(f"{source}: {faults[0].place}: {faults[0].text} ({number}).")
    return variant, text


Source = tuple[Ruleset, dict[str, Any], dict[str, Any]]
"""The rule set, what is said of the variant, and its entries."""


def _folder(folder: Path, base: str | None) -> Source:
    texts = folder_files(folder)
    checked = check_files(texts, ruleset(base) if base else None)
    if checked.base is None:
        raise Failure(f"{folder}: no rule set has these rule ids; say which, by --ruleset.")
    if checked.problems:
        raise Failure(
            f"{folder}: {count(len(checked.problems), 'problem')}; guncamera rules check {folder} "
            "lists them."
        )
    documents = {kind: tomllib.loads(texts[name]).get(kind, [])
                 for name, kind in kinds_of(checked.base).items() if name in texts}  # fmt: skip
    readings = {one["name"]: one["default"] for one in documents.pop("setting", ())}
    documents.pop("rule", None)
    return checked.base, {}, {"settings": readings, **documents}


def _packed_before(file: Path) -> Source:
    """A variant as it was packed, whatever has become of its rules or of the file since."""
    try:
        document = tomllib.loads(read_packed(file))
    except (ValueError, RecursionError) as fault:
        raise Failure(f"{file}: not TOML: {fault}.") from None
    head = document.pop("variant", None)
    if not isinstance(head, dict):
        raise Failure(f"{file}: no variant; it has no [variant].")
    found = ruleset(str(head.get("ruleset", "")))
    return found, {key: head[key] for key in _SAID if key in head}, document


def _check_entries(file: Path, document: Mapping[str, Any], found: Ruleset) -> None:
    """Refuse what could not even be compared with the shipped rules."""
    faults = entry_faults(document, found)
    if faults:
        kind, at, first = faults[0]
        raise Failure(
            f"{file}: {kind} {at + 1}: {first.field} {first.description} "
            f"({count(len(faults), 'problem')})."
        )
