"""`guncamera rules aid`: the sheets of a rule set, to print and have at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guncamera.cli.console import Failure, console
from guncamera.cli.options import RulesetArgument, SettingOption, settings_of
from guncamera.cli.variant_files import TablesOption, load_variant
from guncamera.rules.player_aid import player_aid
from guncamera.rules.ruleset import ruleset


def aid_command(
    ruleset_slug: RulesetArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE.html", help="Where to.")],
    tables: TablesOption = None,
    setting: SettingOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> None:
    """Write the sheets of a rule set, one page of HTML to print: tables, aircraft, readings."""
    found = ruleset(ruleset_slug)
    book = found.book.with_settings(settings_of(found, setting))
    if tables is not None:
        book = load_variant(tables, book)
    if file.exists() and not force:
        raise Failure(f"{file} exists; give another file, or --force.")
    told = f"changed by {Path(tables).name}" if tables is not None else ""
    try:
        file.write_text(player_aid(found.title, book, told), encoding="utf-8")
    except OSError as fault:
        raise Failure(f"{file}: cannot be written: {fault.strerror}.") from None
    console().print(f"{file}: open it in a browser, and print it.", soft_wrap=True)
