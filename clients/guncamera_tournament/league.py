"""The league of the stock pilots: every rule set, all against all, and its published table.

The same seeds, games and rules come to the same table, so that anyone can have it again to the
byte, and see whether a change of the rules or of a pilot changes who wins.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from rich.console import Console

from guncamera_tournament.event import Entry, Event, Setup
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.report import Report, report_on
from guncamera_tournament.report_table import grid, show
from guncamera_tournament.runner import Watcher, run_event
from guncamera_tournament.stock import leagues

PUBLISHED = Path(__file__).with_name("league.json")
"""The tables as they were published: `quick` and `whole`."""
PILOTS = ("lookahead", "greedy", "random")
SEED = "the league of the stock pilots, 1"


@dataclass(frozen=True, slots=True)
class Division:
    """One rule set's part.

    Attributes:
        games: Of each pairing; both sides are played where there are two.
        setup: As JSON.
        settings: House readings that differ from the defaults.
    """

    ruleset: str
    games: int
    setup: str = "{}"
    settings: Mapping[str, Any] = field(default_factory=dict)

    def event(self) -> Event:
        """What is played."""
        return Event(
            self.ruleset,
            tuple(Entry(name, f"stock:{name}") for name in PILOTS),
            SEED,
            games=self.games,
            setups=(Setup("league", self.setup),),
            settings=self.settings,
        )


def divisions(length: str) -> tuple[Division, ...]:
    """Every rule set's part of the `whole` league, some minutes, or of the `quick` one.

    The quick one is enough to see that all of it goes, and goes as before.
    """
    return tuple(
        Division(
            ruleset,
            parts[length]["games"],
            json.dumps(parts[length].get("setup", {})),
            parts[length].get("settings", {}),
        )
        for ruleset, parts in leagues().items()
    )


def play_league(
    targets: Sequence[str],
    out: Console,
    *,
    quick: bool,
    folder: Path | None,
    workers: int,
    watcher: Watcher,
    publish: Path | None = None,
) -> bool:
    """Play it, print it, and say whether it is as published.

    Args:
        folder: Where the events are kept, and gone on with; None: nowhere.
        publish: Write the table into this file instead, beside that of the other length.

    Raises:
        TournamentError: A stock pilot forfeits: no table comes of that.
    """
    name, reports = "quick" if quick else "whole", {}
    with _kept(folder) as events:
        for division in divisions(name):
            place = events / name / division.ruleset
            _play(place, division, targets, workers, watcher)
            reports[division.ruleset] = report_on(place)
    for report in reports.values():
        _print(report, out)
    made = {slug: table_of(report) for slug, report in reports.items()}
    if publish is not None:
        publish.write_bytes(written({**_published(publish), name: made}))
        return True
    return _compared(made, _published(PUBLISHED).get(name, {}), out)


def _play(
    folder: Path, division: Division, targets: Sequence[str], workers: int, watcher: Watcher
) -> None:
    records = run_event(folder, division.event(), targets, workers=workers, watcher=watcher)
    for record in records:
        if record.is_forfeit:
            raise TournamentError(f"{folder}: {record.bout}: {record.reason}: {record.detail}")


def table_of(report: Report) -> dict[str, Any]:
    """What of a report is published: rows, meetings, luck."""
    plain = report.to_plain()
    return {
        "rules_version": plain["event"]["rules_version"],
        "bouts": plain["event"]["bouts"],
        "standings": plain["standings"],
        "head_to_head": plain["head_to_head"],
        "luck": plain["luck"],
    }


def written(tables: Mapping[str, Any]) -> bytes:
    """Tables as they are published."""
    return (json.dumps(tables, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _published(file: Path) -> dict[str, Any]:
    try:
        tables: dict[str, Any] = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    return tables


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="guncamera-league-") as made:
        yield Path(made)


def _print(report: Report, out: Console) -> None:
    rows = [
        (row.pilot, str(row.bouts), f"{row.won}-{row.drawn}-{row.lost}",
         f"{row.rate:.0%} {row.rate_low:.0%}-{row.rate_high:.0%}",
         f"{row.elo} {row.elo_low}-{row.elo_high}")
        for row in report.rows
    ]  # fmt: skip
    out.print(f"\n{report.event.ruleset}", style="bold")
    show(grid(("pilot", "bouts", "w-d-l", "win rate, 95 %", "Elo, 95 %"), rows, left=1), out)


def _compared(made: Mapping[str, Any], published: Mapping[str, Any], out: Console) -> bool:
    """Whether both are the same; else where they part."""
    ours, theirs = written(made), written(published)
    if ours == theirs:
        out.print("\nAs published, to the byte.")
        return True
    lines = unified_diff(
        theirs.decode().splitlines(), ours.decode().splitlines(), "published", "played",
        lineterm="", n=1,
    )  # fmt: skip
    out.print("\nNot as published:")
    for line in lines:
        out.print(line, soft_wrap=True)
    return False
