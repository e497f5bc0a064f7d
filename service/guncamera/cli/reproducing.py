"""`guncamera reproduce`: the figures a rule set's source publishes, beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import typer

from guncamera.cli.console import REFUSED, console, count, grid, print_json
from guncamera.cli.options import JsonOption, RulesetArgument
from guncamera.rules.plain import to_plain
from guncamera.rules.ruleset import Figure, Ruleset, ruleset


def reproduce_command(ruleset_slug: RulesetArgument, json: JsonOption = False) -> None:
    """Recompute the source's published figures."""
    found = ruleset(ruleset_slug)
    figures = list(found.published(found.book))
    wrong = [figure for figure in figures if figure.agrees is False]
    if json:
        judged = sum(1 for figure in figures if figure.agrees is not None)
        print_json(
            {
                "ruleset": found.slug,
                "rules_version": found.book.rules_version,
                "rules_hash": found.book.digest,
                "agree": judged - len(wrong),
                "differ": len(wrong),
                "not_judged": len(figures) - judged,
                "figures": [{**to_plain(figure), "agrees": figure.agrees} for figure in figures],
            }
        )
    else:
        _show(found, figures)
    if wrong:
        raise typer.Exit(REFUSED)


VERDICTS = {True: "agrees", False: "DIFFERS", None: "not judged"}


def _show(found: Ruleset, figures: Sequence[Figure]) -> None:
    out = console()
    for table, inside in groupby(figures, key=lambda figure: figure.table):
        rows = [
            (
                figure.cell,
                figure.published,
                figure.ours,
                figure.difference or "–",
                figure.tolerance or "–",
                VERDICTS[figure.agrees],
            )
            for figure in inside
        ]
        columns = ("Cell", "Published", "Ours", "Difference", "Tolerance", "Verdict")
        right = ("Published", "Ours", "Difference", "Tolerance")
        out.print(grid(columns, rows, right=right, title=table))
        out.print()
    methods = dict.fromkeys(figure.method for figure in figures)
    out.print(f"{found.title}, {found.book.edition}; ours: {'; '.join(methods) or 'nothing'}.")
    agree = sum(1 for figure in figures if figure.agrees)
    differ = sum(1 for figure in figures if figure.agrees is False)
    rest = len(figures) - agree - differ
    out.print(
        f"{count(len(figures), 'figure')}: {agree} agree, {differ} differ, {rest} not judged."
    )
