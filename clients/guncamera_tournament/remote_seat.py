"""The other end of a remote pilot: takes invitations from a folder and plays them.

It runs wherever the folder is brought to, and needs of the organizer nothing but what is in it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from guncamera.v1.session_service_pb2 import SESSION_STATE_FINISHED, Session
from guncamera_client import (
    CallerUnknown,
    Client,
    SeatUnknown,
    SessionFinished,
    SessionNotFound,
    StaleState,
)

from guncamera_tournament.calls import SeatOrders
from guncamera_tournament.pilot import Clock, Pilot, Situation, legal_order_of
from guncamera_tournament.record import digest_of
from guncamera_tournament.timing import GameTime, Stopwatch

PAUSE_SECONDS = 0.02


def sit(folder: Path, pilot: Pilot, *, until: Callable[[], bool]) -> int:
    """Play every invitation that comes into a folder.

    Args:
        folder: Where invitations are written, one JSON file each.
        pilot: Who plays.
        until: Asked now and then whether to stop.

    Returns:
        How many games were played.
    """
    seen: set[str] = set()
    while not until():
        new = [file for file in sorted(folder.glob("*.json")) if file.name not in seen]
        for file in new:
            try:
                invitation = json.loads(file.read_bytes())
            except OSError:  # taken back
                continue
            seen.add(file.name)
            play_seat(invitation, pilot, until=partial(_is_over, file, until))
        time.sleep(PAUSE_SECONDS)
    return len(seen)


def _is_over(file: Path, until: Callable[[], bool]) -> bool:
    """Whether to stop, or the invitation was taken back."""
    return until() or not file.exists()


def play_seat(invitation: dict[str, Any], pilot: Pilot, *, until: Callable[[], bool]) -> None:
    """Play one game to its end, or until it is taken away.

    Args:
        invitation: As it was written.
        pilot: Who plays.
        until: Asked before each order whether to stop.

    Raises:
        GuncameraError: An order is refused, or the service cannot be asked.
    """
    given = invitation["clock"]
    clock = Clock(given["soft_seconds"], given["hard_seconds"], 0, given["most_strikes"])
    chance = random.Random(digest_of(invitation["bout"]))  # noqa: S311  # not of the dice
    nth = 0
    with Client(invitation["target"], token=invitation["token"]) as client:
        while not until():
            try:
                session = client.get_session(invitation["session"])
                if session.state == SESSION_STATE_FINISHED:
                    return
                if not _is_due(session, invitation["seat"]):
                    time.sleep(PAUSE_SECONDS)
                    continue
                source = SeatOrders(client, session, Stopwatch(), GameTime())
                ruleset, seat = session.ruleset.rpartition("/")[2], invitation["seat"]
                variant = invitation.get("variant", "")
                situation = Situation(ruleset, seat, session, nth, clock, chance, source, variant)
                _give(client, session, pilot, situation)
                nth += 1
            except StaleState:
                continue  # too late: the default order was given
            except (SessionNotFound, SessionFinished, SeatUnknown, CallerUnknown):
                return  # it was taken away


def _is_due(session: Session, seat: str) -> bool:
    return seat in session.active_seats and seat not in session.sealed_seats


def _give(client: Client, session: Session, pilot: Pilot, situation: Situation) -> None:
    order = legal_order_of(pilot(situation))
    if order.WhichOneof("order") == session.sealed_verb:
        client.seal_order(session, order, etag=session.etag)
    else:
        client.give_order(session, order, etag=session.etag)
