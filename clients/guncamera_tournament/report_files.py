"""The report in a terminal and in files, whichever are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from guncamera_tournament.faults import TournamentError
from guncamera_tournament.report import games_csv, report_on, to_csv, to_json
from guncamera_tournament.report_table import print_report


def told(
    folder: Path,
    out: Console,
    files: Mapping[str, Path | None],
    *,
    with_pace: bool,
    most_films: int,
) -> None:
    """Print the report, and write its files.

    Args:
        files: By kind: `html`, `csv`, `games_csv`, `json`.
        with_pace: How long things took is written as well; it is printed in any case.

    Raises:
        TournamentError: There is no event, a package is missing, or a file cannot be written.
    """
    report = report_on(folder, with_pace=True, most_films=most_films)
    kept = report if with_pace else replace(report, pace=None)
    print_report(report, out)
    for kind, file in files.items():
        if file is None:
            continue
        match kind:
            case "html":
                from guncamera_tournament.report_page import to_html

                text = to_html(kept, folder, file)
            case "csv":
                text = to_csv(kept)
            case "games_csv":
                text = games_csv(kept)
            case _:
                text = to_json(kept)
        try:
            file.write_text(text, encoding="utf-8", newline="\n")
        except OSError as fault:
            raise TournamentError(f"{file}: cannot be written: {fault.strerror}.") from None
