"""A designer's tables and aircraft from a file, or from a folder as `rules export` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from guncamera.cli.console import Failure, count
from guncamera.cli.facts import read_document
from guncamera.cli.packed import load_packed
from guncamera.rules.book import AnyBook
from guncamera.rules.overlay import variant_of
from guncamera.rules.plain import to_plain
from guncamera.rules.spelling import meant
from guncamera.rules.trace import text_of

_SETTINGS = "settings.toml"

TablesOption = Annotated[
    str | None,
    typer.Option(
        "--tables",
        metavar="FILE|DIR",
        help="Tables or aircraft of yours in place of the shipped ones: a file, a variant as "
        "`guncamera rules pack` writes it, or a folder as `guncamera rules export` does.",
    ),
]


def load_variant(path: str, book: AnyBook) -> AnyBook:
    """The book with the tables and aircraft of a file or a folder.

    Raises:
        Failure: It cannot be read, or is faulty; the line says where, and what lists all faults.
    """
    folder = Path(path)
    if not folder.is_dir():
        document = read_document(path)
        if "variant" in document:
            return _of_packed(path, book)
        return _in_place(document, book, path, folder.parent)
    names = ("tables.toml", book.aircraft_file)
    found = [name for name in names if (folder / name).exists()]
    if not found:
        raise Failure(f"{path}: holds neither {' nor '.join(names)}.")
    _check_defaults(folder, book)
    document = {}
    for name in found:
        document.update(read_document(str(folder / name)))
    return _in_place(document, book, path, folder)


def _in_place(document: Mapping[str, Any], book: AnyBook, name: str, folder: Path) -> AnyBook:
    kinds = ("table", book.aircraft_kind)
    unknown = sorted(set(document) - set(kinds))
    if unknown or not document:
        found = ", ".join(unknown) or "nothing"
        wanted = " and ".join(f"[[{kind}]]" for kind in kinds)
        raise Failure(f"{name}: {wanted} entries are wanted, not {found}.")
    variant, faults = variant_of(document, book)
    if faults:
        kind, at, first = faults[0]
        raise Failure(
            f"{name}: {count(len(faults), 'problem')}; the first, in {kind} {at + 1}: "
            f"{first.field} {first.description}. guncamera rules check {folder} lists all."
        )
    return variant


def _of_packed(path: str, book: AnyBook) -> AnyBook:
    """The book of a packed variant; a reading that was chosen goes before the variant's own."""
    variant = load_packed(Path(path))
    if variant.ruleset.slug != book.slug:
        raise Failure(f"{path}: a variant of {variant.ruleset.slug}, and this is {book.slug}.")
    shipped = variant.ruleset.book.setting_specs
    chosen = {
        name: value
        for name, value in to_plain(book.settings).items()
        if value != shipped[name].default
    }
    return variant.book.with_settings(chosen)


def _check_defaults(folder: Path, book: AnyBook) -> None:
    """A changed default would do nothing here: a reading is chosen, by its option."""
    if not (folder / _SETTINGS).exists():
        return
    entries = read_document(str(folder / _SETTINGS)).get("setting", ())
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            raise Failure(f"{folder / _SETTINGS}: [[setting]] entries are wanted, not {entry!r}.")
        name, default = str(entry.get("name")), cast("Any", entry.get("default"))
        spec = book.setting_specs.get(name)
        if spec is None:
            raise Failure(
                f"{folder / _SETTINGS}: no rule reads a setting {name!r}"
                f"{meant(name, book.setting_specs)}."
            )
        if default != spec.default:
            raise Failure(
                f"{folder / _SETTINGS}: {name} is {spec.default!r} by default, and {default!r} "
                f"in yours; choose it by --setting {name}={text_of(default)}, and leave the file, "
                "or pack it: guncamera rules pack."
            )
