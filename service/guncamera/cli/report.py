"""An after-action report: how a game ended, read off the last board as a player would."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from guncamera.cli.console import console, count, grid, words
from guncamera.cli.playing import Game, Played
from guncamera.rules.plain import flat, to_plain
from guncamera.rules.shape import shape_of

MOST_COLUMNS = 10
MOST_LETTERS = 30


def show_report(game: Game, played: Played, pilot: str) -> None:
    """Print the report of a game that is over."""
    out = console()
    session = played.session
    out.print(session.result, style="bold")
    out.print()
    for section in sections(played.view):
        out.print(section)
        out.print()
    out.print(
        f"{game.ruleset.title}, flown by pilot {pilot}: {count(played.actions, 'action')}, "
        f"{count(played.rolls, 'roll')}."
    )
    chosen = ", ".join(f"{name} {value}" for name, value in _chosen(game.setup))
    out.print(f"Setup: {chosen or 'as the rules have it'}.")
    for name, value in game.settings.items():
        out.print(f"Setting: {name} {str(value).lower()}.")
    out.print(f"Rules version {session.rules_version}, {session.rules_hash}.", soft_wrap=True)
    for promise in session.dice_commitments:
        rows = [("Dice commitment", promise.commitment), ("Seed, revealed", promise.seed)]
        if promise.seed_supplied:
            rows.append(("Seed chosen by", "the creator, who could know every die beforehand"))
        for name, value in rows:
            out.print(f"{name}: {value or 'not yet'}", soft_wrap=True)


def _chosen(setup: Any) -> Iterator[tuple[str, str]]:
    """What of a setup says something, and was not to be left out."""
    usual = {field.name: field.default for field in dataclasses.fields(setup)}
    for name, value in flat(setup).items():
        first = name.partition(".")[0]
        if value and getattr(setup, first) != usual[first]:
            yield name, value


def sections(view: Any, title: str = "") -> Iterator[RenderableType]:
    """What the board holds: a table for each list of records, then a line for each record.

    Records that hold lists themselves are told one after another, by their first field.
    """
    lines: list[tuple[str, str]] = []
    rest: dict[str, str] = {}
    fields = flat(view)
    for shape in shape_of(type(view)):
        value = getattr(view, shape.name)
        if value is None or value == ():
            continue
        if shape.kind == "record" and shape.repeated and _is_deep(value):
            for item in value:
                first = getattr(item, shape_of(type(item))[0].name)
                yield from sections(item, f"{title} {words(str(first))}".lstrip())
        elif shape.kind in ("record", "union") and shape.repeated:
            yield _list_table(f"{title} {words(shape.name)}".lstrip(), value)
        elif shape.kind in ("record", "union"):
            inner = flat(value) if shape.kind == "record" else {"": words(type(value).__name__)}
            lines.append((capital(words(shape.name)), _listed(inner)))
        else:
            rest[shape.name] = fields[shape.name]
    if not title or len(rest) > 1:  # the first is in the title
        lines.append((capital(title or "board"), _listed(rest)))
    if lines:
        yield grid(("", ""), lines)


def _is_deep(items: Sequence[Any]) -> bool:
    """Whether records hold lists of records that hold lists."""
    inner = [
        value
        for item in items
        for shape in shape_of(type(item))
        if shape.kind == "record" and shape.repeated
        for value in getattr(item, shape.name)
    ]
    return any(
        shape.kind == "record" and shape.repeated
        for value in inner
        for shape in shape_of(type(value))
    )


def _listed(fields: Mapping[str, str]) -> str:
    """Fields on one line, but for those that say nothing."""
    named = ((name.rpartition(".")[2], text) for name, text in fields.items() if text)
    return ", ".join(f"{words(name)} {words(text)}" for name, text in named)


def _list_table(name: str, items: tuple[Any, ...]) -> RenderableType:
    rows = [_row(item) for item in items]
    # The fullest row has the columns in their order.
    fullest_first = sorted(rows, key=len, reverse=True)
    columns = list(dict.fromkeys(column for row in fullest_first for column in row))
    if len(columns) > MOST_COLUMNS:
        return _list_lines(name, rows)
    heads = ["#", *(words(column.rpartition(".")[2]) for column in columns)]
    numbered = [
        [str(number), *(words(row.get(column, "")) or "–" for column in columns)]
        for number, row in enumerate(rows, start=1)
    ]
    return grid(heads, numbered, right=("#",), title=capital(name))


def _row(item: Any) -> Mapping[str, str]:
    """A record's fields; of lists of records in it the first text of each."""
    fields = flat(item)
    for shape in shape_of(type(item)):
        if shape.kind == "record" and shape.repeated:
            fields[shape.name] = ", ".join(_label(one) for one in getattr(item, shape.name))
    return fields


def _label(item: Any) -> str:
    return next((words(text) for text in flat(item).values() if text), "–")


def _list_lines(name: str, rows: Sequence[Mapping[str, str]]) -> RenderableType:
    """Records too wide for a table: a line for each, of what can be said in a few words."""
    lines = []
    for number, row in enumerate(rows, start=1):
        label = next((text for key, text in row.items() if key.rpartition(".")[2] == "id"), "")
        told = {
            key: text
            for key, text in row.items()
            if len(text) <= MOST_LETTERS and text not in ("no", "0", label)
        }
        lines.append((label or str(number), _listed(told)))
    return grid(("", ""), lines, title=capital(name))


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def report_to_plain(game: Game, played: Played, pilot: str) -> dict[str, Any]:
    """The report for machines."""
    session = played.session
    return {
        "session": session.name,
        "ruleset": game.ruleset.slug,
        "rules_version": session.rules_version,
        "rules_hash": session.rules_hash,
        "pilot": pilot,
        "setup": to_plain(game.setup),
        "settings": dict(game.settings),
        "dice_seed": game.dice_seed or None,
        "result": session.result,
        "actions": played.actions,
        "rolls": played.rolls,
        "board": to_plain(played.view),
        "dice_commitments": [
            {
                "from_revision": promise.from_revision,
                "commitment": promise.commitment,
                "seed": promise.seed,
                "seed_supplied": promise.seed_supplied,
            }
            for promise in session.dice_commitments
        ],
    }
