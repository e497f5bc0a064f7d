"""`guncamera odds`: the exact odds of a ruling, and what a changed table does to them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import typer
from rich.console import Console

from guncamera.cli.console import REFUSED, Failure, bar, console, count, grid, percent, print_json
from guncamera.cli.console import words as spelled
from guncamera.cli.facts import read_facts
from guncamera.cli.fields import VerbCommand
from guncamera.cli.options import JsonOption, RulesetArgument, SettingOption, number, settings_of
from guncamera.cli.rule import FactsOption, WordsArgument
from guncamera.cli.trace_view import field_name
from guncamera.cli.variant_files import TablesOption, load_variant
from guncamera.rules.book import AnyBook
from guncamera.rules.odds import Odds, odds_of
from guncamera.rules.overlay import Change, changes
from guncamera.rules.plain import flat
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import Procedure, Ruleset, Verb, ruleset

ByField = Mapping[str, Mapping[str, Fraction]]

app = typer.Typer(
    help="The exact odds of a ruling.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def odds_command(
    context: typer.Context,
    ruleset_slug: RulesetArgument,
    words: WordsArgument = None,
    setting: SettingOption = None,
    tables: TablesOption = None,
    facts_file: FactsOption = None,
    json: JsonOption = False,
) -> None:
    """Print the odds of each part of the outcome."""
    found = ruleset(ruleset_slug)
    procedure = found.procedure(Verb(str(context.info_name)))
    book = found.book.with_settings(settings_of(found, setting))
    facts = read_facts(procedure.facts, words or (), facts_file)
    shipped = odds_of(lambda dice: procedure.rule(facts, book, dice).outcome)
    changed = variant = None
    if tables is not None:
        variant = load_variant(tables, book)
        changed = _odds_under(variant, procedure, facts, tables)
    if json:
        print_json(_plain(found, procedure.verb, book, shipped, variant, changed))
    else:
        _show(found, book, shipped, variant, changed)


for _verb in Verb:
    app.command(_verb.value, cls=VerbCommand, help=f"The exact odds of a ruling on {_verb.value}.")(
        odds_command
    )


def _odds_under(variant: AnyBook, procedure: Procedure, facts: Any, file: str) -> Odds[Any]:
    try:
        return odds_of(lambda dice: procedure.rule(facts, variant, dice).outcome)
    except Refusal:
        raise
    except Exception as fault:
        raise Failure(
            f"{file}: the rule cannot use these tables: {fault}.", exit_code=REFUSED
        ) from fault


# ---- for the eyes


def _show(
    found: Ruleset,
    book: AnyBook,
    shipped: Odds[Any],
    variant: AnyBook | None,
    changed: Odds[Any] | None,
) -> None:
    out = console()
    cls = type(next(iter(shipped.outcomes)))
    before = _named(shipped, cls)
    if variant is None or changed is None:
        _show_fields(out, before)
    else:
        _show_changes(out, list(changes(book, variant)))
        _show_differences(out, before, _named(changed, cls))
        out.print(f"Your variant is {variant.digest[:12]}; shipped is {book.digest[:12]}.")
    out.print(
        f"{found.title}, rules version {book.rules_version}; exact, from "
        f"{count(shipped.runs, 'run')} of the rule.",
        style="dim",
    )


def _named(odds: Odds[Any], cls: type) -> ByField:
    """Odds by field, each named for the eyes."""
    return {field_name(name, cls): values for name, values in odds.by_field(flat).items()}


def _show_fields(out: Console, odds: ByField) -> None:
    certain = {name: values for name, values in odds.items() if len(values) == 1}
    for name, values in odds.items():
        if name in certain:
            continue
        rows = [
            (spelled(value) or "none", str(p), percent(p), bar(p, out))
            for value, p in ordered(values)
        ]
        title = name + _mean(values)
        out.print(grid(("", "", "", ""), rows, title=title))
        out.print()
    for name, values in certain.items():
        out.print(f"{name}: always {spelled(next(iter(values))) or 'none'}")
    if certain:
        out.print()


def _show_changes(out: Console, found: list[Change]) -> None:
    if not found:
        out.print("Nothing differs from the shipped tables.")
        out.print()
        return
    rows = [(one.where, one.shipped or "–", one.changed or "–") for one in found]
    columns = ("Cell", "Shipped", "Yours")
    out.print(grid(columns, rows, wide="Cell", title=count(len(found), "changed cell")))
    out.print()


def _show_differences(out: Console, before: ByField, after: ByField) -> None:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name, {}), after.get(name, {})
        values = dict(ordered({value: Fraction(0) for value in (*old, *new)}))
        rows = []
        for value in values:
            was, now = old.get(value, Fraction(0)), new.get(value, Fraction(0))
            moved = f"{float((now - was) * 100):+.2f}" if now != was else "same"
            rows.append(
                (spelled(value) or "none", f"{was}", percent(was), f"{now}", percent(now), moved)
            )
        columns = (name, "Shipped", "", "Yours", " ", "Points")
        out.print(grid(columns, rows, right=("Points",)))
        out.print()


def ordered(values: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    """Values by number where all are numbers, else the most likely first."""
    if all(isinstance(number(value, default=""), int) for value in values):
        return sorted(values.items(), key=lambda item: int(item[0]))
    return sorted(values.items(), key=lambda item: (-item[1], item[0]))


def _mean(values: Mapping[str, Fraction]) -> str:
    if not all(isinstance(number(value, default=""), int) for value in values):
        return ""
    mean = sum((p * int(value) for value, p in values.items()), Fraction(0))
    return f" (mean {float(mean):.4g})"


# ---- for machines


def _plain(
    found: Ruleset,
    verb: Verb,
    book: AnyBook,
    shipped: Odds[Any],
    variant: AnyBook | None,
    changed: Odds[Any] | None,
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "ruleset": found.slug,
        "verb": verb.value,
        "rules_version": book.rules_version,
        "rules_hash": book.digest,
        "runs": shipped.runs,
        "fields": _fields_to_plain(shipped.by_field(flat)),
    }
    if variant is not None and changed is not None:
        plain["variant"] = {
            "rules_hash": variant.digest,
            "changes": [
                {"where": one.where, "shipped": one.shipped, "changed": one.changed}
                for one in changes(book, variant)
            ],
            "fields": _fields_to_plain(changed.by_field(flat)),
        }
    return plain


def _fields_to_plain(odds: ByField) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [
            {"value": value, "fraction": str(p), "percent": round(float(p * 100), 6)}
            for value, p in ordered(values)
        ]
        for name, values in odds.items()
    }
