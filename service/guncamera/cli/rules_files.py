"""The TOML files of a rule set, as shipped or in a designer's folder."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from guncamera.cli.checking import kinds_of
from guncamera.cli.console import Failure
from guncamera.rules.ruleset import Ruleset


def shipped_files(found: Ruleset) -> dict[str, str]:
    """Those of a rule set's own TOML files that a designer may change, by name."""
    folder = resources.files(f"guncamera.rulesets.{found.slug}")
    kinds = kinds_of(found)
    files = {one.name: one for one in folder.iterdir() if one.name in kinds}
    return {name: files[name].read_text(encoding="utf-8") for name in sorted(files)}


def folder_files(folder: Path) -> dict[str, str]:
    """The TOML files of a folder, by name.

    Raises:
        Failure: There are none, or one cannot be read.
    """
    found = {}
    try:
        for path in sorted(folder.iterdir()):
            if path.suffix == ".toml":
                found[path.name] = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise Failure(f"{fault.filename}: cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError as fault:
        raise Failure(f"{path}: not UTF-8: {fault}.") from None
    if not found:
        raise Failure(
            f"{folder}: no TOML files; guncamera rules export RULESET {folder} writes them."
        )
    return found
