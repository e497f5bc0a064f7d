"""`guncamera rules aid`: the sheets of a rule set, to print and have at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guncamera.cli.console import Failure, console
from guncamera.cli.options import RulesetArgument, SettingOption, settings_of
from guncamera.cli.variant_files import TablesOption, load_variant
from guncamera.rules.book import AnyBook
from guncamera.rules.plain import to_plain
from guncamera.rules.player_aid import player_aid
from guncamera.rules.ruleset import Ruleset, ruleset


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
    try:
        file.write_text(player_aid(found.title, book, _told(found, book, tables)), encoding="utf-8")
    except OSError as fault:
        raise Failure(f"{file}: cannot be written: {fault.strerror}.") from None
    console().print(f"{file}: open it in a browser, and print it.", soft_wrap=True)


def _told(found: Ruleset, book: AnyBook, tables: str | None) -> str:
    """What the sheets are of, by its digest: a file that changes nothing is as shipped."""
    agreed = found.book.with_settings(to_plain(book.settings))
    ways = []
    if tables is not None and book.digest != agreed.digest:
        ways.append(f"changed by {Path(tables).resolve().name}")
    if agreed.digest != found.book.digest:
        ways.append("with readings that were agreed on")
    return ", ".join(ways) or "as shipped"
