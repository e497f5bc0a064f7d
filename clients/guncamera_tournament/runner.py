"""An event from beginning to end: rounds, bouts, journal, results."""

from __future__ import annotations

import contextlib
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from guncamera_tournament.bouts import Bout, Pairing, bouts_of
from guncamera_tournament.crew import Crew
from guncamera_tournament.event import Event
from guncamera_tournament.executor import Executor, Here, client_for
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.finding import check_spec
from guncamera_tournament.formats import FORMATS
from guncamera_tournament.formats.format import Points
from guncamera_tournament.journal import (
    INVITATIONS,
    Journal,
    Kept,
    open_event,
    pin_event,
    write_results,
)
from guncamera_tournament.playing import Job
from guncamera_tournament.record import GameRecord
from guncamera_tournament.terms import Terms, terms_of

MakeExecutor = Callable[[], Executor]


class Watcher(Protocol):
    """Is told how an event goes."""

    def begins(self, event: Event, bouts: int) -> None:
        """It begins, or goes on; so many bouts there will be in all."""

    def played(self, record: GameRecord) -> None:
        """A bout is over, now or before."""


class Unwatched:
    """Tells nobody."""

    def begins(self, event: Event, bouts: int) -> None:
        """Nobody hears it."""

    def played(self, record: GameRecord) -> None:
        """Nobody hears it."""


def run_event(
    folder: Path,
    asked: Event | None,
    targets: Sequence[str],
    *,
    workers: int = 1,
    in_flight: int = 1,
    watcher: Watcher | None = None,
    make_executor: MakeExecutor | None = None,
) -> list[GameRecord]:
    """Play an event, or what is left of it.

    Args:
        folder: Of the event; made if need be.
        asked: What to play; None for what the folder says.
        targets: Services, `host:port`.
        workers: Processes; 1 plays in this one.
        in_flight: Bouts at once in each.
        watcher: Is told of every game.
        make_executor: Makes where bouts are played, instead of workers.

    Returns:
        All games, in order of play.

    Raises:
        TournamentError: It cannot be played as it is asked.
        EventBroken: A bout cannot be played; all others are kept.
        GuncameraError: A service cannot be asked at all.
    """
    if not targets:
        raise TournamentError("name at least one service.", field="targets")
    watcher = watcher or Unwatched()
    event, variant = open_event(folder, asked)
    for at, entry in enumerate(event.pilots):
        check_spec(entry, f"pilots[{at}].spec")
    terms = replace(_terms_of_all(targets, event), variant=variant)
    event = pinned(event, terms)
    with contextlib.closing(Journal(folder)) as journal:
        pin_event(folder, event, variant)
        journal.recall()
        # Of a runner that was killed: nobody plays those games any more.
        shutil.rmtree(folder / INVITATIONS, ignore_errors=True)
        watcher.begins(event, bout_count(event, terms))
        for bout in journal:
            watcher.played(journal[bout].record)
        made = make_executor() if make_executor else _executor(targets, workers, in_flight)
        with contextlib.closing(made) as executor:
            try:
                _play_rounds(event, terms, executor, journal, watcher)
            finally:
                write_results(folder, event, journal)
        return [journal[bout].record for bout in journal]


def points_of(entries: Mapping[str, Kept]) -> Points:
    """The points of each pairing, by round and number."""
    made: defaultdict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for bout in sorted(entries):
        record = entries[bout].record
        here = made[record.round, record.pairing]
        for name, points in record.points.items():
            here[name] = here.get(name, 0.0) + points
    return made


def bout_count(event: Event, terms: Terms) -> int:
    """How many bouts there will be in all."""
    each = sum(1 for _ in bouts_of(event, Pairing(1, 1, "a", "b"), solo=terms.is_solo))
    return FORMATS[event.format].pairings(event) * each


def pinned(event: Event, terms: Terms) -> Event:
    """The event, under the rules that the service has."""
    return replace(event, rules=terms.rules)


def _terms_of_all(targets: Sequence[str], event: Event) -> Terms:
    """What all services say alike."""
    found: list[Terms] = []
    for target in targets:
        if "://" in target or ":" not in target:
            raise TournamentError(f"{target!r} is no HOST:PORT of gRPC.", field="targets")
        with client_for(target) as client:
            found.append(terms_of(client, event))
        if found[-1] != found[0]:
            raise TournamentError(f"{target} has other rules than {targets[0]}.", field="targets")
    return found[0]


def _executor(targets: Sequence[str], workers: int, in_flight: int) -> Executor:
    for name, number in (("workers", workers), ("in_flight", in_flight)):
        if not 1 <= number <= 256:
            raise TournamentError(f"{number} is not 1 to 256.", field=name)
    return Here(targets, in_flight) if workers == 1 else Crew(targets, workers, in_flight)


def _play_rounds(
    event: Event,
    terms: Terms,
    executor: Executor,
    journal: Journal,
    watcher: Watcher,
) -> None:
    invitations = str((journal.folder / INVITATIONS).absolute())
    before: list[Pairing] = []
    while pairings := FORMATS[event.format].next_round(event, before, points_of(journal)):
        bouts: list[Bout] = [
            bout
            for pairing in pairings
            for bout in bouts_of(event, pairing, solo=terms.is_solo)
            if bout.id not in journal
        ]
        for played in executor.play(Job(event, terms, bout, invitations) for bout in bouts):
            journal.keep(played)
            watcher.played(played.record)
        before += pairings
