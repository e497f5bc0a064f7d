"""An event's folder: what was asked, every game as it is finished, and the results.

    event.toml      what was asked
    variant.toml    the variant that is played by, where there is one
    journal.jsonl   each game as it is finished, on the disk before the next one counts
    films/          a film for each board
    results.json    all games, in order of play: equal events have equal bytes
    timings.json    how long things took

The journal alone is what an event is resumed from. Its last line may be torn: it is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from guncamera_tournament.canonical import canonical
from guncamera_tournament.event import Event
from guncamera_tournament.event_file import read_event, written
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.playing import Played
from guncamera_tournament.record import GameRecord
from guncamera_tournament.variant_file import VARIANT, with_variant

EVENT = "event.toml"
JOURNAL = "journal.jsonl"
RESULTS = "results.json"
TIMINGS = "timings.json"
FILMS = "films"
INVITATIONS = "invitations"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the journal, and how long it took."""

    record: GameRecord
    timing: dict[str, Any]


class Journal(Mapping[str, Kept]):
    """The folder of an event that is played, and its games by bout; one runner at a time.

    In memory there is only where each game stands in the file, however many there are.

    Raises:
        TournamentError: Another runner plays it, or it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._places: dict[str, tuple[int, int]] = {}
        try:
            (folder / FILMS).mkdir(parents=True, exist_ok=True)
            self._file = (folder / JOURNAL).open("a+b")
        except OSError as fault:
            raise TournamentError(f"{folder}: cannot be written: {fault.strerror}.") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise TournamentError(f"{folder}: another runner plays this event.") from None

    def recall(self) -> None:
        """Find the games that are in it; a torn last line is cut off."""
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            bout = _entry(line, self.folder).record.bout
            self._places.setdefault(bout, (whole, len(line)))
            whole += len(line)
        self._file.truncate(whole)

    def __getitem__(self, bout: str) -> Kept:
        at, length = self._places[bout]
        return _entry(os.pread(self._file.fileno(), length, at), self.folder)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __len__(self) -> int:
        return len(self._places)

    def keep(self, played: Played) -> None:
        """Put a game on the disk: its films, then its line."""
        for film in played.films:
            write(self.folder / FILMS / film.name, film.data)
        plain = {"record": played.record.to_plain(), "timing": played.timing}
        line = _line(plain) + b"\n"
        at = self._file.seek(0, os.SEEK_END)
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._places[played.record.bout] = at, len(line)

    def close(self) -> None:
        """Let another runner have it."""
        self._file.close()


def _line(plain: Any) -> bytes:
    """As JSON that nobody compares: in a twentieth of the time that the canonical kind takes."""
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def _entry(line: bytes, folder: Path) -> Kept:
    try:
        plain = json.loads(line)
        return Kept(GameRecord.from_plain(plain["record"]), plain["timing"])
    except (ValueError, KeyError, TypeError):
        raise TournamentError(
            f"{folder / JOURNAL}: holds a line that is no game; it was written by something else."
        ) from None


def open_event(folder: Path, asked: Event | None) -> tuple[Event, str]:
    """The event of a folder: the one that is there, or the one that is asked.

    Returns:
        It, pinned to its variant, and the text of the variant's file.

    Raises:
        TournamentError: There is none, or another one than is asked.
    """
    file = folder / EVENT
    if file.exists():
        there, variant = with_variant(folder, read_event(file))
        if asked is not None:
            _check_same(there, with_variant(folder, asked)[0], file)
        return there, variant
    if asked is None:
        raise TournamentError(f"{folder}: there is no {EVENT}; say what to play, or write one.")
    return with_variant(folder, asked)


def pin_event(folder: Path, event: Event, variant: str) -> None:
    """Write what is played into the folder, with the rules and the variant it is pinned to."""
    if variant:
        write(folder / VARIANT, variant.encode())
    write(folder / EVENT, written(event).encode())


def write_results(folder: Path, event: Event, entries: Mapping[str, Kept]) -> None:
    """Write the results, and the timings beside them; game by game, for there may be very many."""
    write_parts(folder / RESULTS, _results(event, entries))
    write_parts(folder / TIMINGS, _timings(entries))


def _results(event: Event, entries: Mapping[str, Kept]) -> Iterator[bytes]:
    yield b'{"event":' + canonical(event.to_plain()) + b',"games":['
    for at, bout in enumerate(sorted(entries)):
        yield b"," * bool(at) + canonical(entries[bout].record.to_plain())
    yield b"]}\n"


def _timings(entries: Mapping[str, Kept]) -> Iterator[bytes]:
    yield b'{"games":{'
    for at, bout in enumerate(sorted(entries)):
        yield b"," * bool(at) + _line(bout) + b":" + _line(entries[bout].timing)
    yield b"}}\n"


def read_results(folder: Path) -> tuple[Event, list[GameRecord]]:
    """What came of an event, so far.

    Raises:
        TournamentError: There is nothing to read.
    """
    file = folder / RESULTS
    try:
        plain = json.loads(file.read_bytes())
        event = Event.from_plain(plain["event"])
        return event, [GameRecord.from_plain(game) for game in plain["games"]]
    except OSError as fault:
        raise TournamentError(f"{file}: cannot be read: {fault.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise TournamentError(f"{file}: holds no results of an event.") from None


def write(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, and have it on the disk."""
    write_parts(file, (data,))


def write_parts(file: Path, parts: Iterable[bytes]) -> None:
    """As `write`, part by part."""
    unfinished = file.with_name(f"{file.name}.writing")
    with unfinished.open("wb") as out:
        out.writelines(parts)
        out.flush()
        os.fsync(out.fileno())
    unfinished.replace(file)


def _check_same(there: Event, asked: Event, file: Path) -> None:
    one, other = there.to_plain(), asked.to_plain()
    for name in {**one, **other}:
        if name != "rules" and one.get(name) != other.get(name):
            raise TournamentError(
                f"the event there has {one.get(name)!r}, and {other.get(name)!r} is asked. Say "
                f"nothing to go on with it, or take a new folder ({file}).",
                field=name,
            )
