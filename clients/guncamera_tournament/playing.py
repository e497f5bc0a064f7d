"""One bout, from its sessions to its record: what a worker does, here or anywhere."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guncamera.v1.actions_pb2 import RulesetSettings, SessionSetup
from guncamera.v1.session_service_pb2 import Session
from guncamera_client import GuncameraError

from guncamera_tournament.bouts import Bout
from guncamera_tournament.calls import Timed
from guncamera_tournament.event import DUPLICATE, Entry, Event
from guncamera_tournament.faces import Dice, DuplicateDice, ServiceDice
from guncamera_tournament.films import FilmFile, film_file
from guncamera_tournament.inside import Inside
from guncamera_tournament.pool import Pool, Seated
from guncamera_tournament.program import Program
from guncamera_tournament.record import (
    FINISHED,
    LENGTH,
    BoardRecord,
    GameRecord,
    forfeit,
)
from guncamera_tournament.remote import Remote
from guncamera_tournament.sitting import Sitter
from guncamera_tournament.stock import stock_pilot
from guncamera_tournament.table import Board, Chair, Table
from guncamera_tournament.terms import REFEREE, Terms, sides_of
from guncamera_tournament.timing import GameTime, PilotTime, Stopwatch

SESSION_SECONDS = 86_400
"""A session that a killed runner leaves behind is deleted after so long."""


@dataclass(frozen=True, slots=True)
class Job:
    """A bout to play, with all that a worker has to know. It can be pickled.

    Attributes:
        invitations: Where remote pilots find their seats; a path.
    """

    event: Event
    terms: Terms
    bout: Bout
    invitations: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A bout that was played: its record, how long it took, and its films. It can be pickled."""

    record: GameRecord
    timing: dict[str, Any]
    films: tuple[FilmFile, ...]


def play_bout(job: Job, pool: Pool) -> Played:
    """Play a bout. The same job comes to the same record and films, wherever it is played.

    Args:
        pool: Of a service with the rules of the job's terms.

    Raises:
        GuncameraError: The service cannot go on. No pilot is to blame, and nothing is left behind.
    """
    stopwatch, game_time = Stopwatch(), GameTime()
    boards = tuple((seats, _play_board(job, pool, seats, game_time)) for seats in _seatings(job))
    films = tuple(
        film_file(board.film, f"{job.bout.id}-{at}" if job.terms.is_solo else job.bout.id)
        for at, (_, board) in enumerate(boards, start=1)
    )
    record = _record(job, boards, films)
    game_time.seconds = stopwatch.seconds
    kept = films if job.event.keep_films else ()
    return Played(record, game_time.to_plain(), kept)


def _seatings(job: Job) -> list[dict[str, str]]:
    """The pilot of each seat, on each board: one board, or one for each where one seat plays."""
    sides = job.terms.sides
    if job.terms.is_solo:
        (seats,) = sides.values()
        return [dict.fromkeys(seats, pilot) for pilot in job.bout.pilots]
    pairs = zip(sides.values(), job.bout.pilots)
    return [{seat: pilot for seats, pilot in pairs for seat in seats}]


def _play_board(job: Job, pool: Pool, seats: Mapping[str, str], game_time: GameTime) -> Board:
    event, bout, client = job.event, job.bout, pool.client
    with Timed(game_time):
        session = client.create_session(
            SessionSetup.FromString(job.terms.setups[bout.setup]),
            settings=RulesetSettings.FromString(job.terms.settings) if event.settings else None,
            dice_seed=bout.dice_seed(event),
            ttl_seconds=SESSION_SECONDS,
            variant=event.variant.name,
        )
    rules = session.rules_hash, session.variant_hash
    began_with = job.terms.rules.rules_hash, event.variant.hash
    if sides_of(session) != job.terms.sides or rules != began_with:
        raise GuncameraError(f"The service of {bout.id} has other rules than the event began with.")
    acting, tokens = _acting(job, pool, session, game_time)
    onlooker = acting.get(REFEREE) or next(iter(acting.values()))
    chairs = {
        seat: _chair(job, session, seat, pilot, acting[seat], tokens.get(seat, ""), game_time)
        for seat, pilot in seats.items()
    }
    duplicate = event.dice == DUPLICATE
    dice: Dice = DuplicateDice(bout.dice_seed(event)) if duplicate else ServiceDice()
    try:
        return Table(
            session, chairs, onlooker, dice, event.most_actions, game_time, job.terms.variant
        ).play()
    finally:
        with contextlib.suppress(GuncameraError), Timed(game_time):
            onlooker.delete_session(session)


def shares_calls(event: Event) -> bool:
    """Whether games may share their calls: all pilots are our own, and meddle with no other game.

    A batch of calls has one token, so such seats are not claimed.
    """
    return all(entry.kind == "stock" for entry in event.pilots)


def _acting(
    job: Job, pool: Pool, session: Session, game_time: GameTime
) -> tuple[dict[str, Any], dict[str, str]]:
    """What acts for each seat, and its token.

    Seats are claimed, so that nobody else acts for them; or they share their calls with games that
    are played at the same time.
    """
    ids = [seat.id for seat in session.seats]
    if shares_calls(job.event):
        ahead: dict[str, Session] = {}
        return {seat: Seated(pool, seat, ahead) for seat in ids}, {}
    tokens = {seat: _token(pool.client, session, seat, game_time) for seat in ids}
    return {seat: pool.client.with_token(token) for seat, token in tokens.items()}, tokens


def _token(client: Any, session: Session, seat: str, game_time: GameTime) -> str:
    """What acts for a seat from now on, and nobody else."""
    with Timed(game_time):
        return str(client.claim_seat(session, seat).token)


def _chair(
    job: Job,
    session: Session,
    seat: str,
    pilot: str,
    acting: Any,
    token: str,
    game_time: GameTime,
) -> Chair:
    event, bout = job.event, job.bout
    seconds = game_time.pilots.setdefault(pilot, PilotTime(event.clock))
    chance = random.Random(bout.seed(event, "pilot", pilot, seat))  # noqa: S311  # not of the dice
    sitter = _sitter(job, acting, session, event.entry(pilot), token)
    return Chair(seat, pilot, sitter, acting, seconds, chance)


def _sitter(job: Job, client: Any, session: Session, entry: Entry, token: str) -> Sitter:
    event, bout = job.event, job.bout
    if entry.kind == "stock":
        return Inside(stock_pilot(entry.what))
    clock = {
        "soft_seconds": event.clock.soft_seconds,
        "hard_seconds": event.clock.hard_seconds,
        "most_strikes": event.clock.most_strikes,
    }
    game = {"bout": bout.id, "ruleset": event.ruleset, "pilot": entry.name, "clock": clock}
    if job.terms.variant:
        game["variant"] = job.terms.variant
    if entry.kind == "remote":
        invited = {**game, "target": client.target, "token": token}
        return Remote(client, session, Path(job.invitations) / entry.what, invited)
    return Program(entry, event.clock, event.limits, game)


# ---- The record


def _record(
    job: Job, boards: tuple[tuple[dict[str, str], Board], ...], films: tuple[FilmFile, ...]
) -> GameRecord:
    event, bout = job.event, job.bout
    scores = _scores(job, boards)
    winner, reason, losers, detail = _verdict(job, [board for _, board in boards], scores)
    points = dict.fromkeys(bout.pilots, 0.0 if winner or losers else 0.5)
    if winner:
        points[winner] = 1.0
    return GameRecord(
        bout=bout.id,
        round=bout.round,
        pairing=bout.pairing,
        game=bout.game,
        ruleset=event.ruleset,
        rules_version=job.terms.rules.rules_version,
        setup=bout.setup,
        settings=dict(event.settings),
        dice=event.dice,
        dice_group=bout.dice_group,
        pilots=bout.pilots,
        points=points,
        scores=scores,
        winner=winner,
        reason=reason,
        losers=losers,
        detail=detail,
        boards=tuple(
            _board_record(event, seats, board, film) for (seats, board), film in zip(boards, films)
        ),
    )


def _board_record(event: Event, seats: dict[str, str], board: Board, film: FilmFile) -> BoardRecord:
    return BoardRecord(
        seats=seats,
        turns=board.ending.turns,
        actions=len(board.film.actions),
        rolls=sum(len(action.rolls) for action in board.film.actions),
        result=board.ending.result,
        film=f"films/{film.name}" if event.keep_films else "",
        film_sha256=film.sha256,
    )


def _scores(job: Job, boards: tuple[tuple[dict[str, str], Board], ...]) -> dict[str, int]:
    """Each pilot's score, by name."""
    scores: dict[str, int] = {}
    for seats, board in boards:
        for side, score in board.ending.scores.items():
            held = job.terms.sides.get(side) or next(iter(job.terms.sides.values()))
            scores[seats[held[0]]] = score
    return scores


def _verdict(
    job: Job, boards: list[Board], scores: Mapping[str, int]
) -> tuple[str, str, tuple[str, ...], str]:
    """The winner, the reason, who forfeited, and what about."""
    forfeits = [board.forfeit for board in boards if board.forfeit]
    if forfeits:
        losers = tuple(one.pilot for one in forfeits)
        others = [name for name in job.bout.pilots if name not in losers]
        detail = "; ".join(f"{one.pilot}: {one.detail}" for one in forfeits)
        return (others[0] if others else ""), forfeit(forfeits[0].cause), losers, detail
    is_over = all(board.ending.is_over for board in boards)
    reason = FINISHED if is_over else LENGTH
    if job.terms.is_solo:
        # A campaign that was given up has no score, which is less than any.
        one, other = job.bout.pilots
        low, high = sorted((one, other), key=lambda name: scores.get(name, -1))
        level = scores.get(low, -1) == scores.get(high, -1)
        return ("" if level else high), reason, (), ""
    side = boards[0].ending.side
    by_side = dict(zip(job.terms.sides, job.bout.pilots))
    return by_side.get(side, ""), reason, (), ""
