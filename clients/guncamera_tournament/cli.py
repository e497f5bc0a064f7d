"""`guncamera tournament`: play an event, show what came of it, check a pilot, play from afar."""

from __future__ import annotations

import contextlib
import json as json_module
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

# Nothing here loads the wire types before a command runs: other commands start without them.

app = typer.Typer(
    help="Pit pilots against each other.", no_args_is_help=True, rich_markup_mode=None
)
FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The event's folder.")]
TargetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        metavar="HOST:PORT",
        help="A service; may be repeated. Without it, the one of this machine, started if need be.",
    ),
]
VariantOption = Annotated[
    Path | None,
    typer.Option(
        "--variant",
        metavar="FILE",
        help="The variant that is played by, as `guncamera rules pack` writes it.",
    ),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Of a Dask cluster that plays, instead of workers.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]


@app.command("run", short_help="Play an event, or go on with it.")
def run_command(
    folder: FolderArgument,
    ruleset: Annotated[str | None, typer.Option(metavar="RULESET")] = None,
    pilot: Annotated[
        list[str] | None,
        typer.Option(metavar="[NAME=]SPEC", help="A pilot; repeat it, the best first."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option("--format", help="single, round-robin, swiss, knockout or gauntlet."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="How often each pairing meets in a round.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What all chance comes from.")
    ] = None,
    duplicate: Annotated[
        bool | None, typer.Option("--duplicate", help="The same faces from both sides.")
    ] = None,
    one_side: Annotated[
        bool | None, typer.Option("--one-side", help="Do not play each game from both sides.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", help="Of a Swiss; left out, as many as it takes.")
    ] = None,
    most_actions: Annotated[
        int | None, typer.Option(metavar="N", help="A longer bout is a draw.")
    ] = None,
    no_films: Annotated[
        bool | None, typer.Option("--no-films", help="Keep no films, only their digests.")
    ] = None,
    setup: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.json", help="A setup; if repeated, games take them in turn."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A house reading; may be repeated."),
    ] = None,
    variant: VariantOption = None,
    soft_seconds: Annotated[float | None, typer.Option(help="Longer is a strike.")] = None,
    hard_seconds: Annotated[
        float | None, typer.Option(help="Longer, and the default order is given.")
    ] = None,
    most_strikes: Annotated[int | None, typer.Option(help="As many lose a bout.")] = None,
    memory_mb: Annotated[int | None, typer.Option(help="Of a pilot's process.")] = None,
    target: TargetOption = None,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes that play.")] = 1,
    in_flight: Annotated[int, typer.Option(metavar="N", help="Bouts at once in each.")] = 1,
    scheduler: SchedulerOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    json: JsonOption = False,
) -> None:
    """Play an event, or what is left of the one in FOLDER, and print its table.

    Every bout is on the disk when it is over. Say the same again, or only FOLDER, to go on with an
    event that was broken off.
    """
    from guncamera_tournament.asking import asked_event
    from guncamera_tournament.progress import ProgressBar
    from guncamera_tournament.runner import run_event

    _check_places(scheduler, workers, in_flight)
    asked = asked_event(
        folder,
        pilots=pilot or (),
        setups=setup or (),
        settings=setting or (),
        clock={
            "soft_seconds": soft_seconds,
            "hard_seconds": hard_seconds,
            "most_strikes": most_strikes,
        },
        limits={"memory_mb": memory_mb},
        given={
            "ruleset": ruleset,
            "format": format_,
            "games": games,
            "seed": seed,
            "dice": "duplicate" if duplicate else None,
            "swap_sides": False if one_side else None,
            "rounds": rounds,
            "most_actions": most_actions,
            "keep_films": False if no_films else None,
            "variant": variant and {"file": str(variant.absolute())},
        },
    )
    with (
        _services_for(folder, asked, target) as targets,
        ProgressBar(shown=not (quiet or json)) as bar,
    ):
        run_event(
            folder, asked, targets, workers=workers, in_flight=in_flight, watcher=bar,
            make_executor=_cluster(scheduler, targets),
        )  # fmt: skip
    _show(folder, json=json)


@app.command("show", short_help="Print what came of an event.")
def show_command(folder: FolderArgument, json: JsonOption = False) -> None:
    """Print the table of an event as far as it was played."""
    _show(folder, json=json)


@app.command("compare", short_help="See what a variant does to an event.")
def compare_command(
    folder: FolderArgument,
    variant: Annotated[
        Path, typer.Option("--variant", metavar="FILE", help="As `guncamera rules pack` writes it.")
    ],
    target: TargetOption = None,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes that play.")] = 1,
    in_flight: Annotated[int, typer.Option(metavar="N", help="Bouts at once in each.")] = 1,
    scheduler: SchedulerOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    json: JsonOption = False,
) -> None:
    """Play the event in FOLDER by a variant too, with the same dice, and print what differs.

    What is left to play of either is played. The other one is kept in FOLDER/variants.
    """
    from guncamera_tournament.journal import open_event
    from guncamera_tournament.progress import ProgressBar
    from guncamera_tournament.runner import run_event
    from guncamera_tournament.variants_compared import compared, twin_of

    _check_places(scheduler, workers, in_flight)
    other, twin, offered = twin_of(folder, variant)
    _, own = open_event(folder, None)
    with _services(target, own, offered) as targets:
        for place, asked in ((folder, None), (other, twin)):
            with ProgressBar(shown=not (quiet or json)) as bar:
                run_event(
                    place, asked, targets, workers=workers, in_flight=in_flight, watcher=bar,
                    make_executor=_cluster(scheduler, targets),
                )  # fmt: skip
    found = compared(folder, other)
    if json:
        _print_json(found.to_plain())
        return
    out = _console()
    left_out = f", {found.left_out} left out" if found.left_out else ""
    out.print(
        f"By {found.variant}: {found.bouts} bouts{left_out}, {found.otherwise} won otherwise."
    )
    heads = ("a bout", "before", "after", "difference", "95 % from", "to", "of")
    out.print(_grid(heads, [
        (one.what, f"{one.before:.3f}", f"{one.after:.3f}", f"{one.difference.mean:+.3f}",
         _signed(one.difference.low), _signed(one.difference.high), one.difference.count)
        for one in found.shifts
    ]))  # fmt: skip


@app.command("report", short_help="Ratings, luck and plots of an event.")
def report_command(
    folder: FolderArgument,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page.")] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table, a line a pilot.")
    ] = None,
    games_csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games, a line each.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all of it.")] = None,
    timings: Annotated[
        bool, typer.Option("--timings", help="Say in the files, too, how long things took.")
    ] = False,
    films: Annotated[
        int, typer.Option(metavar="N", help="Look at so many films for luck, at most.")
    ] = 100,
) -> None:
    """Tell what came of an event: standings, ratings, head to head, luck.

    Without --timings the files are the same, to the byte, for the same results.
    """
    from guncamera_tournament.report_files import told

    told(
        folder,
        _console(),
        {"html": html, "csv": csv, "games_csv": games_csv, "json": json},
        with_pace=timings,
        most_films=films,
    )


@app.command("league", short_help="Play the stock pilots' league.")
def league_command(
    quick: Annotated[
        bool, typer.Option("--quick", help="A few games of each, in a minute.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the events here.")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes that play.")] = 2,
    target: TargetOption = None,
    publish: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table here, instead of comparing it."),
    ] = None,
) -> None:
    """Play the league of the stock pilots and compare it with the published table.

    Exit code 1 if a byte of it differs.
    """
    from guncamera_tournament.league import play_league
    from guncamera_tournament.progress import ProgressBar

    with _services(target) as targets, ProgressBar(shown=True) as bar:
        same = play_league(
            targets, _console(), quick=quick, folder=folder, workers=workers, watcher=bar,
            publish=publish,
        )  # fmt: skip
    if not same:
        raise typer.Exit(1)


@app.command("check-pilot", short_help="See whether a pilot is fit for an event.")
def check_command(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The pilot.")],
    ruleset: Annotated[list[str], typer.Option(metavar="RULESET", help="May be repeated.")],
    setup: Annotated[Path | None, typer.Option(metavar="FILE.json", help="What to play.")] = None,
    variant: VariantOption = None,
    soft_seconds: Annotated[float | None, typer.Option(help="As in the event.")] = None,
    hard_seconds: Annotated[float | None, typer.Option(help="As in the event.")] = None,
    target: TargetOption = None,
    json: JsonOption = False,
) -> None:
    """Play a pilot against the random one, from each side and twice alike.

    Exit code 1 if it is not fit.
    """
    from guncamera_tournament.asking import setup_of
    from guncamera_tournament.checking import check_pilot
    from guncamera_tournament.event import ClockRules, Setup
    from guncamera_tournament.executor import client_for
    from guncamera_tournament.variant_file import read_pinned

    usual = ClockRules()
    clock = replace(
        usual,
        soft_seconds=soft_seconds or usual.soft_seconds,
        hard_seconds=hard_seconds or usual.hard_seconds,
    )
    played = Setup() if setup is None else setup_of(setup)
    offered = [read_pinned(variant, slug)[1] for slug in ruleset] if variant else []
    found = []
    with _services(target, *offered) as targets, client_for(targets[0]) as client:
        for slug in ruleset:
            for check in check_pilot(
                spec, slug, client, setup=played, clock=clock, variant=variant
            ):
                found.append(check)
                if not json:
                    _print_check(check)
    if json:
        _print_json([{"passed": one.passed, **one.to_plain()} for one in found])
    if not all(check.passed for check in found):
        raise typer.Exit(1)


@app.command("sit", short_help="Play the invitations in a folder, from anywhere.")
def sit_command(
    folder: FolderArgument,
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="module:function or file.py:function")
    ],
) -> None:
    """Play every invitation that comes into FOLDER, until Ctrl-C.

    The other end of a pilot that an event lists as `remote:NAME`.
    """
    from guncamera_tournament.finding import find_pilot
    from guncamera_tournament.remote_seat import sit

    sit(folder, find_pilot(spec), until=lambda: False)


def _cluster(scheduler: str | None, targets: Sequence[str]) -> Callable[[], Any] | None:
    """What makes a cluster of an event's own; None where workers play."""
    if not scheduler:
        return None
    from guncamera_tournament.cluster import Cluster

    return lambda: Cluster(scheduler, targets)


def _check_places(scheduler: str | None, workers: int, in_flight: int) -> None:
    """Bouts are played by workers, or on a cluster."""
    if scheduler and (workers, in_flight) != (1, 1):
        raise typer.BadParameter(
            "With --scheduler the cluster says how many play at once: leave out --workers and "
            "--in-flight."
        )


def _services_for(
    folder: Path, asked: Any, given: Sequence[str] | None
) -> contextlib.AbstractContextManager[Sequence[str]]:
    """The services that are named, or one that offers what the event is played by."""
    from guncamera_tournament.journal import open_event

    return _services(given, open_event(folder, asked)[1])


@contextlib.contextmanager
def _services(given: Sequence[str] | None, *variants: str) -> Iterator[Sequence[str]]:
    """The services that are named, or the one of this machine; one of our own for variants.

    Args:
        variants: Texts of the files that it has to offer; empty ones do not count.
    """
    if given:
        yield given
        return
    from guncamera_client import LocalService

    if any(variants):
        from guncamera_client.local import SERVE_COMMAND

        with tempfile.TemporaryDirectory(prefix="guncamera-variants-") as offered:
            for at, text in enumerate(dict.fromkeys(filter(None, variants))):
                (Path(offered) / f"{at}.toml").write_text(text, encoding="utf-8")
            with LocalService.start(command=(*SERVE_COMMAND, "--variants", offered)) as service:
                yield [service.target]
        return
    with LocalService.find_or_start() as service:
        yield [service.target]


def _show(folder: Path, *, json: bool) -> None:
    from guncamera_tournament.journal import read_results
    from guncamera_tournament.paired import compare
    from guncamera_tournament.standings import standings

    event, records = read_results(folder)
    rows = standings(event.names, records)
    pairs = compare(records)
    if json:
        _print_json(
            {
                "standings": [row.to_plain() for row in rows],
                "paired": [pair.to_plain() for pair in pairs],
                "forfeits": [
                    {"bout": one.bout, "reason": one.reason, "detail": one.detail}
                    for one in records
                    if one.is_forfeit
                ],
            }
        )
        return
    out = _console()
    out.print(_grid(
        ("pilot", "bouts", "won", "drawn", "lost", "forfeits", "points"),
        [(row.name, row.bouts, row.won, row.drawn, row.lost, row.forfeits, f"{row.points:g}")
         for row in rows],
    ))  # fmt: skip
    for pair in pairs:
        out.print(f"\n{pair.pilot} less {pair.other}, points a bout:")
        paired, unpaired = _estimate(pair.paired), _estimate(pair.unpaired)
        out.print(f"  same dice, both sides  {paired}\n  bouts by themselves    {unpaired}")
    for one in records:
        if one.is_forfeit:
            out.print(f"\n{one.bout}: {one.reason}: {one.detail}")


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _estimate(value: Any) -> str:
    if value.standard_error is None:
        return f"{value.mean:+.3f} of {value.count}"
    return (
        f"{value.mean:+.3f} ± {value.standard_error:.3f} of {value.count}, "
        f"95 % from {value.low:+.3f} to {value.high:+.3f}"
    )


def _print_check(check: Any) -> None:
    mark = "ok  " if check.passed else "BAD "
    why = "" if check.passed else f": {check.detail}"
    _console().print(f"{mark} {check.ruleset:<10} {check.what}{why}", soft_wrap=True)


def _grid(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, head in enumerate(heads):
        table.add_column(head, justify="right" if at else "left")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    return table


def _console() -> Console:
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def _print_json(value: Any) -> None:
    sys.stdout.write(json_module.dumps(value, indent=2, ensure_ascii=False) + "\n")
