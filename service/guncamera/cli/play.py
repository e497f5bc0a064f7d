"""`guncamera play`: a whole game, flown by a stock pilot through a running service."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guncamera.cli.connecting import TargetOption, client_of, local_client
from guncamera.cli.console import Failure, console, one_line, print_json, said
from guncamera.cli.facts import read_facts
from guncamera.cli.options import (
    JsonOption,
    RulesetArgument,
    SettingOption,
    pairs_of,
    settings_of,
)
from guncamera.cli.packed import VariantOption, variants_at
from guncamera.rules.ruleset import Pilot, Ruleset, ruleset
from guncamera.rules.shape import FieldShape, shape_of
from guncamera.rules.spelling import meant

if TYPE_CHECKING:
    from guncamera.cli.onlooker import Onlooker
    from guncamera.cli.playing import Game, Played

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
    against: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who flies all seats but the first, if another."),
    ] = None,
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
    variant: VariantOption = None,
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
    as_seat: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="SEAT", help="Look on as a seat sees it: its id, referee, spectator."
        ),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the board into this folder, phase by phase."),
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Print each ruling in a line as it is made.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the result and no more.")] = False,
    json: JsonOption = False,
) -> None:
    """Play a whole game and print an after-action report.

    Flying Circus Plus is told turn by turn as it is played. Without --target it is played on the
    service of this machine, which is started if need be.
    """
    from guncamera.cli.onlooker import seat_of, with_referee
    from guncamera.cli.playing import Game
    from guncamera.cli.report import report_to_plain, show_report

    _check_folders(film, picture, pictures)
    found = ruleset(ruleset_slug)
    settings = settings_of(found, setting)
    book = variants_at(variant).only_of(found).with_settings(settings)
    chosen = _setup(found, choices or (), setup, aircraft=aircraft, torpedoes=torpedoes)
    chosen = with_referee(found, chosen, as_seat)
    viewer = None if as_seat is None else seat_of(as_seat, found, chosen, book)
    game = Game(
        ruleset=found,
        book=book,
        setup=chosen,
        settings=settings,
        pilot=_pilot(found, pilot),
        dice_seed="" if seed is None else f"seed {seed}",
        viewer=viewer,
        rival=None if against is None else _pilot(found, against),
    )
    tells = found.tell is not None and not (quiet or log or json) and viewer is None
    fliers = pilot if against is None else f"{pilot} against {against}"
    with client_of(target) if target else local_client(data_dir) as client:
        with progress(show=not (quiet or log or tells)) as tell:
            if tells:
                played = _tell(client, game, pictures)
            else:
                played = _play(client, game, pictures, None if log else tell)
        _keep(client, played.session, film, picture)
    if json:
        print_json(report_to_plain(game, played, fliers))
    elif quiet:
        console().print(played.session.result, soft_wrap=True)
    else:
        show_report(game, played, fliers)


def _pilot(found: Ruleset, name: str) -> Pilot:
    """A stock pilot of a rule set."""
    pilot = found.pilots.get(name)
    if pilot is None:
        close = meant(name, found.pilots)
        raise Failure(f"There is no pilot {name!r}{close}; take {', '.join(found.pilots)}.")
    return pilot


def _check_folders(film: Path | None, picture: Path | None, pictures: Path | None) -> None:
    for file in (film, picture):
        if file is not None and not file.parent.is_dir():
            raise Failure(f"{file}: there is no folder {file.parent}.")
    if pictures is not None and not pictures.is_dir():
        raise Failure(f"{pictures}: there is no such folder.")


def _play(
    client: Any, game: Game, pictures: Path | None, tell: Callable[[Any], None] | None
) -> Played:
    """Play a game out, looked at as the game says; with nobody to tell it to, print a log."""
    from guncamera.cli.playing import play_out

    prints = tell is None and game.viewer is not None
    onlooker = _onlooker(client, game, pictures, prints=prints)
    if tell is None:
        tell = _print_line if game.viewer is None else onlooker.tell
    looks = game.viewer is not None or pictures is not None
    return play_out(client, game, tell, onlooker.look if looks else None)


def _onlooker(client: Any, game: Game, pictures: Path | None, *, prints: bool) -> Onlooker:
    from guncamera.cli.onlooker import Onlooker

    return Onlooker(
        ruleset=game.ruleset,
        draw=lambda session: str(client.draw_board(session, seat=game.viewer or "")),
        folder=pictures,
        prints=prints,
        width=max(len(seat.id) for seat in game.ruleset.seats(game.setup, game.book)),
    )


def _tell(client: Any, game: Game, pictures: Path | None) -> Played:
    """Play a game out, and print the rule set's own tale of it."""
    from guncamera.cli.playing import play_out
    from guncamera.cli.telling import Teller

    teller, onlooker = Teller(game), _onlooker(client, game, pictures, prints=False)

    def look(session: Any) -> None:
        teller.stand(session)
        onlooker.look(session)

    played = play_out(client, game, teller.heard, look)
    console().print()
    return played


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
    field = _type_field(found)
    if aircraft is not None:
        if field is None:
            raise Failure(f"{found.title} has no --aircraft; its setup has {_fields(found)}.")
        given.append(f"{field.name}={aircraft}")
    if torpedoes is not None:
        if all(one.name != "torpedoes" for one in shape_of(found.setup)):
            raise Failure(f"{found.title} has no --torpedoes; its setup has {_fields(found)}.")
        given.append(f"torpedoes={torpedoes}")
    named = field is not None and any(one.startswith(f"{field.name}=") for one in given)
    if field is not None and not field.default and not named and file is None:
        given.append(f"{field.name}={next(iter(found.book.aircraft))}")
    return read_facts(found.setup, given, None if file is None else str(file))


def _type_field(found: Ruleset) -> FieldShape | None:
    """The field of a rule set's setup that names a type of aircraft: its first text."""
    texts = (one for one in shape_of(found.setup) if one.kind == "str" and not one.repeated)
    return next(texts, None)


def _fields(found: Ruleset) -> str:
    return ", ".join(field.name for field in shape_of(found.setup))


def _print_line(action: Any) -> None:
    came_to = said(action.summary, by_default=action.by_default)
    console().print(f"{action.revision:>4}  {came_to}", soft_wrap=True)


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
