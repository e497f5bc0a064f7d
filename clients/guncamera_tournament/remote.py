"""Remote pilots: whoever has a seat's token plays it, from anywhere.

For each game an invitation is written into the pilot's folder, for its owner's eyes only. It names
the service, the session, the seat and its token. It is removed when the game is over.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from guncamera.v1.session_service_pb2 import LegalOrder, Session

from guncamera_tournament.pilot import Situation
from guncamera_tournament.sitting import Acted, OutOfTime
from guncamera_tournament.timing import Stopwatch

SHORTEST_PAUSE = 0.01
LONGEST_PAUSE = 0.25


class Remote:
    """A pilot that gives its orders to the service itself.

    Args:
        client: Acts for its seat; the runner holds the same token, and gives the default order.
        session: The game.
        folder: Where its invitations go.
        game: What they say, beside session and seat: the token, and where to play.
    """

    def __init__(self, client: Any, session: Session, folder: Path, game: dict[str, Any]) -> None:
        self._client = client
        self._session = session
        self._folder = folder
        self._game = game
        self._seat = ""

    def begin(self, seat: str) -> None:
        """Invite it."""
        self._seat = seat
        invitation = {**self._game, "session": self._session.name, "seat": seat}
        self._folder.mkdir(parents=True, exist_ok=True)
        unread = self._file.with_suffix(".writing")
        with open(os.open(unread, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            json.dump(invitation, out)
        unread.replace(self._file)

    def choose(self, situation: Situation, stopwatch: Stopwatch) -> LegalOrder | Acted:
        """Wait until it has acted."""
        before, pause = situation.session, SHORTEST_PAUSE
        while stopwatch.seconds < situation.clock.hard_seconds:
            now: Session = self._client.get_session(self._session)
            if now.revision != before.revision or self._seat in now.sealed_seats:
                return Acted()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        raise OutOfTime

    def end(self) -> None:
        """Take the invitation back."""
        with contextlib.suppress(OSError):
            self._file.unlink()

    @property
    def _file(self) -> Path:
        return self._folder / f"{self._game['bout']}-{self._seat}.json"
