"""`guncamera rules export`: a rule set's TOML files, to be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guncamera.cli.console import Failure, console, count, print_json
from guncamera.cli.options import JsonOption, RulesetArgument
from guncamera.cli.rules_files import shipped_files
from guncamera.rules.ruleset import ruleset


def export_command(
    ruleset_slug: RulesetArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; made if need be.")],
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Copy a rule set's tables, settings, rules and aircraft, to change a number and try it."""
    found = ruleset(ruleset_slug)
    files = shipped_files(found)
    there = [name for name in files if (folder / name).exists()]
    if there and not force:
        raise Failure(f"{folder}: {', '.join(there)} exist; give another folder, or --force.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise Failure(f"{fault.filename}: cannot be written: {fault.strerror}.") from None
    if json:
        print_json({"ruleset": found.slug, "folder": str(folder), "files": list(files)})
        return
    out = console()
    out.print(f"{folder}: {count(len(files), 'file')}: {', '.join(files)}.")
    out.print("Change a number, and then:")
    out.print(f"  guncamera rules check {folder}", soft_wrap=True)
    out.print(f"  guncamera odds VERB {found.slug} KEY=VALUE... --tables {folder}", soft_wrap=True)
    out.print(f"  guncamera rules diff FILM... --tables {folder}", soft_wrap=True)
