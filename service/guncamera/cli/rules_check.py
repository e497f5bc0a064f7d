"""`guncamera rules check`: everything wrong with a rule set's files, at once."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from guncamera.cli.checking import Checked, Problem, check_files, check_packed
from guncamera.cli.console import REFUSED, console, count, grid, print_json
from guncamera.cli.options import JsonOption
from guncamera.cli.packed import read_packed
from guncamera.cli.rules_files import folder_files, shipped_files
from guncamera.rules.ruleset import ruleset, rulesets
from guncamera.rules.variant import Variant


def check_command(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR|FILE]",
            help="A folder of TOML files, a packed variant, or a rule set; left out, every rule "
            "set shipped.",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--ruleset", metavar="RULESET", help="What the folder is for; found by its rule ids."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check tables, settings, rules and aircraft, each in its TOML file, and list every problem."""
    checked = {}
    if what is None or (what in rulesets() and not Path(what).is_dir()):
        for slug in [what] if what else rulesets():
            checked[slug] = check_files(shipped_files(ruleset(slug)), ruleset(slug))
    elif Path(what).is_file():
        checked[what] = check_packed(Path(what).name, read_packed(Path(what)))
    else:
        files = folder_files(Path(what))
        checked[what] = check_files(files, ruleset(base) if base else None)
    if json:
        print_json({name: _plain(one) for name, one in checked.items()})
    else:
        for name, one in checked.items():
            _show(name, one)
    if any(one.problems for one in checked.values()):
        raise typer.Exit(REFUSED)


def _show(name: str, checked: Checked) -> None:
    out = console()
    for problem in checked.problems:
        out.print(f"{_where(problem)}: {problem.place}: {problem.text}", soft_wrap=True)
        if problem.hint:
            out.print(f"    {problem.hint}", soft_wrap=True)
    if checked.variant is not None:
        _show_variant(checked.variant)
    elif checked.base is None and not _is_packed(name):
        out.print("No rule set has these rule ids: only their form was checked.")
    if checked.changes:
        rows = [(one.where, one.shipped or "–", one.changed or "–") for one in checked.changes]
        columns = ("Changed", "Shipped", "Yours")
        out.print(grid(columns, rows, wide="Changed"))
    held = ", ".join(_counted(number, kind) for kind, number in checked.counts.items() if number)
    verdict = count(len(checked.problems), "problem") if checked.problems else "no problems"
    out.print(f"{name}: {held or 'nothing'}: {verdict}.")


def _is_packed(name: str) -> bool:
    return Path(name).is_file()


def _show_variant(variant: Variant) -> None:
    said = variant.imprint
    console().print(
        f"{said.name} {said.version}, a variant of {variant.ruleset.title} by {said.author}; "
        f"{said.license}.\nHash: {variant.pin.hash}",
        soft_wrap=True,
    )


def variant_to_plain(variant: Variant) -> dict[str, Any]:
    """What a variant says of itself, its hash, and that of the rules it gives."""
    return {
        **asdict(variant.imprint),
        "ruleset": variant.ruleset.slug,
        "hash": variant.pin.hash,
        "rules_hash": variant.book.digest,
    }


def _counted(number: int, kind: str) -> str:
    return f"{number} {kind}" if kind == "aircraft" else count(number, kind)


def _where(problem: Problem) -> str:
    return f"{problem.file}:{problem.line}" if problem.line else problem.file


def _plain(checked: Checked) -> dict[str, Any]:
    return {
        "ruleset": checked.base.slug if checked.base else None,
        "variant": variant_to_plain(checked.variant) if checked.variant else None,
        "counts": checked.counts,
        "problems": [
            {
                "file": one.file,
                "line": one.line or None,
                "place": one.place,
                "problem": one.text,
                "hint": one.hint,
            }
            for one in checked.problems
        ],
        "changes": [
            {"where": one.where, "shipped": one.shipped, "changed": one.changed}
            for one in checked.changes
        ],
    }
