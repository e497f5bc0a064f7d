"""Films of games: the ledger as the service exports it, under the bout's name and out of time.

The same game comes to the same bytes, whenever and wherever it was played: the session has the
bout's name, and everything happened at the beginning of 1970. `guncamera verify` checks it as any
other film.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp
from guncamera.v1.session_service_pb2 import Film

from guncamera_tournament.film_json import film_json


@dataclass(frozen=True, slots=True)
class FilmFile:
    """A film as it is kept: file name, bytes, and their SHA-256 in hexadecimal."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


def film_file(film: Film, name: str) -> FilmFile:
    """A film under a name of 1 to 63 lower-case letters, digits and hyphens."""
    kept = Film()
    kept.CopyFrom(film)
    session, then = kept.session, Timestamp()
    session.name = f"sessions/{name}"
    session.create_time.CopyFrom(then)
    session.ClearField("expire_time")
    session.ClearField("reveal_time")
    for seat in session.seats:
        seat.claimed = False
    for action in kept.actions:
        action.name = f"{session.name}/actions/{action.revision:08}"
        action.create_time.CopyFrom(then)
    return FilmFile(f"{name}.json", film_json(kept) + b"\n")
