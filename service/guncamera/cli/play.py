"""`guncamera play`: a whole game, flown by a stock pilot through a running service."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from guncamera.cli.connecting import TargetOption, client_of, local_client
from guncamera.cli.console import Failure, console, one_line, print_json
from guncamera.cli.facts import read_facts
from guncamera.cli.options import (
    JsonOption,
    RulesetArgument,
    SettingOption,
    meant,
    pairs_of,
    settings_of,
)
from guncamera.rules.ruleset import Ruleset, ruleset
from guncamera.rules.shape import FieldShape, shape_of

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A choice of the setup; may be repeated."),
]


def play_command(
    ruleset_slug: RulesetArgument,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Play the same game again: every die comes from N."),
    ] = None,
    pilot: Annotated[str, typer.Option(metavar="NAME", help="Who flies.")] = "stock",
    aircraft: Annotated[
        str | None,
        typer.Option(metavar="TYPE", help="Short for --set, where the setup names a type."),
    ] = None,
    torpedoes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Short for --set, where the setup has torpedoes."),
    ] = None,
    choices: SetOption = None,
    setup: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="The setup, as a session takes it; --set adds."),
    ] = None,
    setting: SettingOption = None,
    target: TargetOption = None,
    data_dir: Annotated[
        str | None,
        typer.Option(help="Where a service that is started, for want of --target, keeps sessions."),
    ] = None,
    film: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Keep the film in this file.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the last board into this file.")
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Print each ruling in a line as it is made.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the result and no more.")] = False,
    json: JsonOption = False,
) -> None:
    """Play a whole game and print an after-action report.

    Without --target it is played on the service of this machine, which is started if need be.
    """
    from guncamera.cli.playing import Game, play_out
    from guncamera.cli.report import report_to_plain, show_report

    for file in (film, picture):
        if file is not None and not file.parent.is_dir():
            raise Failure(f"{file}: there is no folder {file.parent}.")
    found = ruleset(ruleset_slug)
    settings = settings_of(found, setting)
    flier = found.pilots.get(pilot)
    if flier is None:
        close = meant(pilot, found.pilots)
        raise Failure(f"There is no pilot {pilot!r}{close}; take {', '.join(found.pilots)}.")
    game = Game(
        ruleset=found,
        book=found.book.with_settings(settings),
        setup=_setup(found, choices or (), setup, aircraft=aircraft, torpedoes=torpedoes),
        settings=settings,
        pilot=flier,
        dice_seed="" if seed is None else f"seed {seed}",
    )
    with client_of(target) if target else local_client(data_dir) as client:
        with progress(show=not (quiet or log)) as tell:
            played = play_out(client, game, _print_line if log else tell)
        _keep(client, played.session, film, picture)
    if json:
        print_json(report_to_plain(game, played, pilot))
    elif quiet:
        console().print(played.session.result)
    else:
        show_report(game, played, pilot)


def _setup(
    found: Ruleset,
    choices: Sequence[str],
    file: Path | None,
    *,
    aircraft: str | None,
    torpedoes: int | None,
) -> Any:
    """The setup that the options say; a type that must be named and is not is the book's first."""
    given = [f"{name}={value}" for name, value in pairs_of(choices, "a choice of the setup")]
    if aircraft is not None:
        given.append(f"{_type_field(found).name}={aircraft}")
    if torpedoes is not None:
        given.append(f"{_field(found, 'torpedoes')}={torpedoes}")
    field = _type_field(found)
    named = any(one.startswith(f"{field.name}=") for one in given)
    if not field.default and not named and file is None:
        given.append(f"{field.name}={next(iter(found.book.aircraft))}")
    return read_facts(found.setup, given, None if file is None else str(file))


def _type_field(found: Ruleset) -> FieldShape:
    """The field of a rule set's setup that names a type of aircraft: its first text."""
    for field in shape_of(found.setup):
        if field.kind == "str" and not field.repeated:
            return field
    raise Failure(f"{found.title} has no --aircraft; its setup has {_fields(found)}.")


def _field(found: Ruleset, name: str) -> str:
    """The field of a rule set's setup of a name."""
    if name not in {field.name for field in shape_of(found.setup)}:
        raise Failure(f"{found.title} has no --{name}; its setup has {_fields(found)}.")
    return name


def _fields(found: Ruleset) -> str:
    return ", ".join(field.name for field in shape_of(found.setup))


def _print_line(action: Any) -> None:
    console().print(f"{action.revision:>4}  {one_line(action.summary)}", soft_wrap=True)


@contextlib.contextmanager
def progress(*, show: bool) -> Iterator[Callable[[Any], None]]:
    """A line on a terminal that says what happens now; nothing elsewhere."""
    out = Console(file=sys.stderr, highlight=False, markup=False)
    if not show or not out.is_terminal:
        yield lambda _action: None
        return
    with out.status("Starting…") as status:
        yield lambda action: status.update(
            f"{action.revision:>4}  {one_line(action.summary)[: out.width - 12]}"
        )


def _keep(client: Any, session: Any, film: Path | None, picture: Path | None) -> None:
    from guncamera.cli.film_files import save, save_film

    if film is not None:
        save_film(film, client.export_session(session))
    if picture is not None:
        save(picture, client.draw_board(session).encode())
