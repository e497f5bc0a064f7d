"""`guncamera replay`: every order of a film, ruled on again by the faces that fell. Offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from guncamera.cli.console import console, print_json, said
from guncamera.cli.films import (
    check_played_by,
    differences_to_plain,
    end_with,
    film_to_plain,
    replayed,
    show_replay,
)
from guncamera.cli.options import JsonOption
from guncamera.cli.packed import VariantOption, variants_at

if TYPE_CHECKING:
    from guncamera.sessions.film import Film

FilmArgument = Annotated[Path, typer.Argument(metavar="FILM", help="The film, a JSON file.")]


def replay_command(
    film_file: FilmArgument,
    variant: VariantOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only whether all agree.")] = False,
    json: JsonOption = False,
) -> None:
    """Rule on every order of a film again and compare.

    The dice are the faces that fell; nothing is drawn.
    """
    from guncamera.cli.film_files import load_film

    variants = variants_at(variant)
    film = load_film(film_file, variants)
    check_played_by(film, film_file, variants)
    again = replayed(film)
    differences = list(again.differences)
    if json:
        print_json(
            {**film_to_plain(film), "agrees": not differences, **differences_to_plain(differences)}
        )
    else:
        if not quiet:
            _show_actions(film)
        show_replay(film, differences)
    end_with(differences, json=json)


def _show_actions(film: Film) -> None:
    from guncamera.sessions.session import Undone

    out = console()
    width = len(str(len(film.actions)))
    for action in film.actions:
        verb, rolls, by_default = (
            ("undo", (), False)
            if isinstance(action, Undone)
            else (action.verb, action.rolls, action.by_default)
        )
        dice = ", ".join(" ".join(str(face) for face in roll.faces) for roll in rolls)
        thrown = f" [{dice}]" if dice else ""
        came_to = said(action.summary, by_default=by_default)
        out.print(f"{action.revision:>{width}}  {verb:<6}  {came_to}{thrown}", soft_wrap=True)
    out.print()
