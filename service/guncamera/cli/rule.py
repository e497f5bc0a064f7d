"""`guncamera rule`: one stateless ruling, in this process."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from guncamera.cli.console import console, grid, print_json
from guncamera.cli.facts import read_facts
from guncamera.cli.fields import VerbCommand
from guncamera.cli.options import JsonOption, RulesetArgument, SettingOption, settings_of
from guncamera.cli.throwing import Roll, throw
from guncamera.cli.trace_view import events_table, trace_table, trace_to_plain
from guncamera.rules.book import AnyBook
from guncamera.rules.index import Rule
from guncamera.rules.plain import to_plain, union_to_plain
from guncamera.rules.ruleset import Ruleset, Verb, ruleset
from guncamera.rules.ruling import Ruling
from guncamera.sessions.resolution import Resolved

app = typer.Typer(
    help="Rule on one thing, with your dice or the system's.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROCEDURE] KEY=VALUE...",
        help="The facts, dotted where they are nested: aircraft.speed=6. RULESET --help lists "
        "them.",
    ),
]
FactsOption = Annotated[
    str | None,
    typer.Option(
        "--facts", metavar="FILE", help="Facts in a TOML or JSON file; - is standard input."
    ),
]


def rule_command(
    context: typer.Context,
    ruleset_slug: RulesetArgument,
    words: WordsArgument = None,
    dice: Annotated[
        str | None,
        typer.Option("--dice", metavar="FACES", help='What you threw, in order: "3 5 2".'),
    ] = None,
    roll: Annotated[
        Roll | None,
        typer.Option(
            help="ask: you throw, and type in each die; draw: the system throws. Left out, you "
            "are asked at a terminal."
        ),
    ] = None,
    setting: SettingOption = None,
    facts_file: FactsOption = None,
    sources: Annotated[
        bool,
        typer.Option("--sources", help="Say of each rule in the trace where it comes from."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print the ruling: a summary, the trace that led to it, and what changes."""
    found = ruleset(ruleset_slug)
    procedure = found.procedure(Verb(str(context.info_name)))
    book = found.book.with_settings(settings_of(found, setting))
    facts = read_facts(procedure.facts, words or (), facts_file)
    resolved = throw(procedure, facts, book, dice=dice, roll=roll)
    if json:
        print_json(_plain(found, procedure.verb, book, resolved))
    else:
        _show(found, book, resolved, sources=sources)


for _verb in Verb:
    app.command(
        _verb.value,
        cls=VerbCommand,
        help=f"Rule on {_verb.value}: a summary, the trace that led to it, and what changes.",
    )(rule_command)


def _show(found: Ruleset, book: AnyBook, resolved: Resolved, *, sources: bool) -> None:
    out = console()
    ruling = resolved.ruling
    out.print(ruling.summary, style="bold")
    out.print()
    out.print(trace_table(ruling.trace, type(ruling.outcome)))
    if sources:
        out.print()
        out.print(f"Edition: {book.edition}", soft_wrap=True)
        rows = [
            (rule.id, rule.basis, f"{rule.title}. {rule.source}") for rule in _cited(book, ruling)
        ]
        out.print(grid(("Rule", "Basis", "Title and source"), rows, wide="Title and source"))
    if ruling.events:
        out.print()
        out.print(events_table(ruling.events))
    out.print()
    if resolved.dice_source:
        faces = ", ".join(
            f"{roll.purpose} {' '.join(str(face) for face in roll.faces)}"
            for roll in resolved.rolls
        )
        out.print(f"Dice {resolved.dice_source}: {faces}.")
    out.print(
        f"{found.title}, rules version {book.rules_version}, {book.digest[:12]}.", style="dim"
    )


def _cited(book: AnyBook, ruling: Ruling[Any]) -> list[Rule]:
    """The rules that a trace cites, each once, in its order."""
    return [book.index.rules[one] for one in dict.fromkeys(line.rule_id for line in ruling.trace)]


def _plain(found: Ruleset, verb: Verb, book: AnyBook, resolved: Resolved) -> dict[str, Any]:
    ruling = resolved.ruling
    return {
        "ruleset": found.slug,
        "verb": verb.value,
        "rules_version": book.rules_version,
        "rules_hash": book.digest,
        "summary": ruling.summary,
        "outcome": to_plain(ruling.outcome),
        "trace": trace_to_plain(ruling.trace),
        "rules": [asdict(rule) for rule in _cited(book, ruling)],
        "events": [union_to_plain(event) for event in ruling.events],
        "rolls": [
            {"purpose": roll.purpose, "sides": list(roll.sides), "faces": list(roll.faces)}
            for roll in resolved.rolls
        ],
        "dice_source": resolved.dice_source.value if resolved.dice_source else None,
    }
