"""The report of an event: one thing to tell in a terminal, as JSON, as CSV and as a page.

It follows from the results and the films alone, so that equal results have equal reports, to the
byte. How long things took is a section of its own, which is there only if it is asked for.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from guncamera_tournament.event import Event
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.journal import TIMINGS, read_results
from guncamera_tournament.luck import MOST_FILMS, Luck, luck_of
from guncamera_tournament.paired import Comparison, compare
from guncamera_tournament.ratings import elo, skills, wilson
from guncamera_tournament.record import GameRecord
from guncamera_tournament.standings import standings
from guncamera_tournament.variant_file import with_variant


@dataclass(frozen=True, slots=True)
class Row:
    """One pilot's line in the table.

    Attributes:
        rate: Points a bout; with its 95 per cent interval.
        elo: With its 95 per cent interval, against the middle of the field.
        mu, sigma: The rating of `openskill`.
        luck: Rolled less expected, in the unit of the event's luck; None where it is not known.
        luck_z: The same in standard deviations.
    """

    rank: int
    pilot: str
    spec: str
    bouts: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    points: float
    rate: float
    rate_low: float
    rate_high: float
    elo: int
    elo_low: int
    elo_high: int
    mu: float
    sigma: float
    luck: float | None
    luck_z: float | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of all bouts of two pilots, as the first of them sees it."""

    pilot: str
    other: str
    bouts: int
    won: int
    drawn: int
    lost: int
    rate: float
    rate_low: float
    rate_high: float


@dataclass(frozen=True, slots=True)
class PilotPace:
    """How long a pilot thought: orders, their mean, and the slowest, in milliseconds."""

    pilot: str
    orders: int
    mean_ms: float
    slowest_ms: float
    strikes: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things took; never the same twice.

    Attributes:
        seconds_a_game: From a bout's first call to its film.
        games_a_second: For one that plays bout after bout; so many at once come to more.
        service_share: Of that time, waiting for the service.
    """

    games: int
    seconds_a_game: float
    games_a_second: float
    service_share: float
    calls_a_game: float
    pilots: tuple[PilotPace, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything there is to tell.

    Attributes:
        meetings: Both ways round, in the order of the rows.
        pace: None where it was not asked for, or there are no timings.
    """

    event: Event
    records: tuple[GameRecord, ...]
    rows: tuple[Row, ...]
    meetings: tuple[Meeting, ...]
    paired: tuple[Comparison, ...]
    luck: Luck | None
    pace: Pace | None

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        event = self.event
        plain: dict[str, Any] = {
            "event": {
                "ruleset": event.ruleset,
                "rules_version": event.rules.rules_version,
                "rules_hash": event.rules.rules_hash,
                "format": event.format,
                "games": event.games,
                "dice": event.dice,
                "seed": event.seed,
                "settings": dict(sorted(event.settings.items())),
                "bouts": len(self.records),
            },
            "standings": [asdict(row) for row in self.rows],
            "head_to_head": [asdict(meeting) for meeting in self.meetings],
            "paired": [pair.to_plain() for pair in self.paired],
            "luck": None if self.luck is None else self.luck.to_plain(),
            "games": [_game(record) for record in self.records],
        }
        if event.variant.file:
            plain["event"]["variant"] = event.variant.name
            plain["event"]["variant_hash"] = event.variant.hash
        if self.pace is not None:
            plain["timings"] = asdict(self.pace)
        return plain


def report_on(folder: Path, *, with_pace: bool = False, most_films: int = MOST_FILMS) -> Report:
    """The report on what was played of an event so far.

    Args:
        most_films: Films to look at for luck; 0 for none.

    Raises:
        TournamentError: There is no event, a package is missing, or a film is, or it was made
            under other rules than this package has.
    """
    event, records = read_results(folder)
    try:
        _, variant = with_variant(folder, event)
        luck = luck_of(folder, event.names, records, most_films, variant)
    except (LookupError, OSError) as fault:
        raise TournamentError(f"{fault}; say --films 0 to leave luck out.", field="films") from None
    rows = _rows(event, records, luck)
    return Report(
        event,
        tuple(records),
        rows,
        tuple(_meetings([row.pilot for row in rows], records)),
        tuple(compare(records)),
        luck,
        _pace(folder) if with_pace else None,
    )


def to_json(report: Report) -> str:
    """The whole report, for machines."""
    return json.dumps(report.to_plain(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def to_csv(report: Report) -> str:
    """The table, a line for each pilot; the variant that was played by is named in each."""
    return _csv(list(Row.__dataclass_fields__), [asdict(row) for row in report.rows], report)


def games_csv(report: Report) -> str:
    """The games, a line for each; the variant that was played by is named in each."""
    games = [_game(record) for record in report.records]
    for game in games:
        for name in ("scores", "films"):
            game[name] = (
                " ".join(f"{key}={value}" for key, value in game[name].items())
                if name == "scores"
                else " ".join(game[name])
            )
    names = ["bout", "round", "pairing", "game", "setup", "first", "second", "first_points",
             "second_points", "winner", "reason", "turns", "actions", "rolls", "scores",
             "films"]  # fmt: skip
    return _csv(names, games, report)


def _csv(names: Sequence[str], rows: Sequence[dict[str, Any]], report: Report) -> str:
    """Lines of their own columns, and last the variant's name and hash: both empty without one."""
    played_by = {
        "variant": report.event.variant.name,
        "variant_hash": report.event.variant.hash,
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, [*names, *played_by], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, **played_by} for row in rows)
    return out.getvalue()


def _game(record: GameRecord) -> dict[str, Any]:
    first, second = record.pilots
    return {
        "bout": record.bout,
        "round": record.round,
        "pairing": record.pairing,
        "game": record.game,
        "setup": record.setup,
        "first": first,
        "second": second,
        "first_points": record.points[first],
        "second_points": record.points[second],
        "winner": record.winner,
        "reason": record.reason,
        "turns": record.turns,
        "actions": record.actions,
        "rolls": record.rolls,
        "scores": dict(sorted(record.scores.items())),
        "films": [board.film for board in record.boards if board.film],
    }


def _rows(event: Event, records: Sequence[GameRecord], luck: Luck | None) -> tuple[Row, ...]:
    rated, skilled = elo(event.names, records), skills(event.names, records)
    lucky = {one.pilot: one for one in luck.pilots} if luck else {}
    found = []
    for rank, one in enumerate(standings(event.names, records), start=1):
        low, high = wilson(one.points, one.bouts)
        rating, skill = rated[one.name], skilled[one.name]
        dice = lucky.get(one.name)
        found.append(
            Row(
                rank=rank,
                pilot=one.name,
                spec=event.entry(one.name).spec,
                bouts=one.bouts,
                won=one.won,
                drawn=one.drawn,
                lost=one.lost,
                forfeits=one.forfeits,
                points=one.points,
                rate=round(one.points / one.bouts, 4) if one.bouts else 0.0,
                rate_low=round(low, 4),
                rate_high=round(high, 4),
                elo=round(rating.value),
                elo_low=round(rating.low),
                elo_high=round(rating.high),
                mu=round(skill.mu, 2),
                sigma=round(skill.sigma, 2),
                luck=None if dice is None else round(dice.difference, 2),
                luck_z=None if dice is None else round(dice.z, 2),
            )
        )
    return tuple(found)


def _meetings(names: Sequence[str], records: Sequence[GameRecord]) -> list[Meeting]:
    points: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for record in records:
        one, other = record.pilots
        points[one, other].append(record.points[one])
        points[other, one].append(record.points[other])
    found = []
    for one in names:
        for other in names:
            made = points.get((one, other))
            if not made:
                continue
            low, high = wilson(sum(made), len(made))
            found.append(
                Meeting(
                    one, other, len(made), made.count(1.0), made.count(0.5), made.count(0.0),
                    round(sum(made) / len(made), 4), round(low, 4), round(high, 4),
                )
            )  # fmt: skip
    return found


def _pace(folder: Path) -> Pace | None:
    try:
        games = json.loads((folder / TIMINGS).read_bytes())["games"].values()
    except (OSError, ValueError, KeyError):
        return None
    seconds = sum(game["seconds"] for game in games)
    if not seconds:
        return None
    count = len(games)
    thought: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for game in games:
        for name, one in game["pilots"].items():
            thought[name].append(one)
    return Pace(
        games=count,
        seconds_a_game=round(seconds / count, 3),
        games_a_second=round(count / seconds, 3),
        service_share=round(sum(game["service_seconds"] for game in games) / seconds, 3),
        calls_a_game=round(sum(game["calls"] for game in games) / count, 1),
        pilots=tuple(_pilot_pace(name, thought[name]) for name in sorted(thought)),
    )


def _pilot_pace(name: str, games: Sequence[dict[str, Any]]) -> PilotPace:
    orders = sum(one["orders"] for one in games)
    return PilotPace(
        name,
        orders,
        round(1000 * sum(one["seconds"] for one in games) / max(orders, 1), 2),
        round(1000 * max(one["slowest_seconds"] for one in games), 1),
        sum(one["strikes"] for one in games),
    )
