"""A bar that shows how an event goes, on a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from guncamera_tournament.event import Event
from guncamera_tournament.record import GameRecord


class ProgressBar:
    """Watches an event; shows nothing where there is no terminal, or it should not."""

    def __init__(self, *, shown: bool) -> None:
        console = Console(file=sys.stderr)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[last]}"),
            console=console,
            disable=not shown or not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("Setting up", total=None, last="")

    def begins(self, event: Event, bouts: int) -> None:
        """Show how much there is to play."""
        title = f"{event.ruleset}, {event.format}"
        self._bar.update(self._task, description=title, total=bouts)

    def played(self, record: GameRecord) -> None:
        """Show the bout that was played last."""
        one, other = record.pilots
        told = f"{one} {record.points[one]:g} : {record.points[other]:g} {other}"
        self._bar.update(self._task, advance=1, last=told)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
