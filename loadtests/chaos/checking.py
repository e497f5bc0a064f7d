"""After a fault: is every acknowledged action in its ledger, once, and does the ledger verify?"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from guncamera.api.films import read_film
from guncamera.sessions.film import Film, check_dice, replay
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.refusals import SessionNotFound
from guncamera.sessions.session import Action, Session
from guncamera.sessions.shelf import Shelf
from guncamera_client import GuncameraError

from chaos.journal import Game, Told
from chaos.player import Over, Player

ASKED_AGAIN = 3
"""Of so many of its last orders each player sends the request once more."""
PAGE = 500


@dataclass
class Found:
    """What a check found.

    Attributes:
        lost: Acknowledged actions and sealed orders that are not there, or are others.
        doubled: Actions that nobody was told of: an order that was carried out twice.
        wrong: What else is not as it should be, a line each.
    """

    games: int = 0
    actions: int = 0
    verified: int = 0
    asked_again: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: list[str] = field(default_factory=list)


class Checker:
    """Checks the games of a stage against their ledgers.

    Args:
        store_url: Where the service keeps them, reached past every relay.
        client: Of the service, as a player has it.
    """

    def __init__(self, store_url: str, client: Any) -> None:
        self._store = RedisStore(store_url)
        self._shelf = Shelf(self._store)
        self._client = client
        # Of games that were verified before: how long they were, and a digest of their bytes.
        self._seen: dict[str, tuple[int, str]] = {}

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def check(self, games: Sequence[Game], players: Sequence[Player]) -> Found:
        """Check everything that was ever acknowledged. Everyone must rest."""
        found = Found()
        for player in players:
            self._ask_again(player, found)
        for game in games:
            try:
                self._check_game(game, found)
            except SessionNotFound:
                found.lost += 1 + game.length + len(game.sealed)
                found.wrong.append(f"{game.id} is gone")
        return found

    def _ask_again(self, player: Player, found: Found) -> None:
        """The same request id must be told the same, and nothing be done again."""
        game = player.game
        if game is None:
            return
        for told in game.told[-ASKED_AGAIN:]:
            found.asked_again += 1
            try:
                again = player.insist(
                    told.call, game.id, told.message, seat=told.seat, request_id=told.request_id
                )
            except Over:
                found.wrong.append(f"{game.id}: {told.call} asked again is not answered")
                return
            if again is None or not _is_same(told, again):
                found.wrong.append(f"{game.id}: {told.call} asked again is answered otherwise")

    def _check_game(self, game: Game, found: Found) -> None:
        session = self._shelf.load(game.id)
        entries = self._entries(game.id)
        digest = hashlib.sha256(b"\0".join(entries)).hexdigest()
        found.games += 1
        found.actions += len(entries)
        if len(entries) != session.revision:
            found.wrong.append(f"{game.id}: {len(entries)} entries at revision {session.revision}")
        before = self._seen.get(game.id)
        if before is not None and before != (len(entries), digest):
            start = hashlib.sha256(b"\0".join(entries[: before[0]])).hexdigest()
            if start != before[1]:
                found.wrong.append(f"{game.id}: its past has changed")
        if before != (len(entries), digest):
            self._verify(game, session, found)
        self._seen[game.id] = (len(entries), digest)

    def _verify(self, game: Game, session: Session, found: Found) -> None:
        """Compare with what was told, rule on everything again, and look through the service."""
        actions = self._shelf.actions(session, after_revision=0, limit=10**6)
        for fault in _gaps(actions):
            found.wrong.append(f"{game.id}: {fault}")
        found.lost += lost(game, actions, set(session.seals))
        found.doubled += max(0, len(actions) - game.length - game.unheard)
        film = Film(session.record, tuple(actions), session.state.result)
        again = replay(film)
        found.wrong += [
            f"{game.id}: {one}"[:300] for one in (*again.differences, *check_dice(film).differences)
        ]
        if again.state.board != session.state.board:
            found.wrong.append(f"{game.id}: its board is not what its ledger leads to")
        found.verified += len(actions)
        self._look_through_the_service(game, actions, found)

    def _look_through_the_service(
        self, game: Game, actions: Sequence[Action], found: Found
    ) -> None:
        made = [(one.revision, one.seat, one.create_micros) for one in actions]
        try:
            shown = [
                (one.revision, one.seat, one.create_time.ToMicroseconds())
                for one in self._client.list_actions(game.id)
            ]
            if shown != made:
                found.wrong.append(f"{game.id}: the service shows another ledger than the store")
            if game.is_over:
                film = read_film(self._client.export_session(game.id))
                differences = (*replay(film).differences, *check_dice(film).differences)
                found.wrong += [f"{game.id}, its film: {one}"[:300] for one in differences]
        except GuncameraError as refused:
            found.wrong.append(f"{game.id}: {refused.reason}: {refused.message}")

    def _entries(self, session_id: str) -> list[bytes]:
        found: list[bytes] = []
        while page := self._store.entries(session_id, after_revision=len(found), limit=PAGE):
            found += page
        return found


def lost(game: Game, actions: Sequence[Action], seals: set[str]) -> int:
    """How many acknowledged actions and sealed orders are not there.

    Two orders that were told the same revision are one action, so one of them is lost.
    """
    by_revision = {action.revision: action for action in actions}
    claimed = Counter(revision for told in game.told for revision in told.revisions)
    missing = sum(times if at not in by_revision else times - 1 for at, times in claimed.items())
    others = sum(
        1
        for told in game.told
        if told.micros and (action := by_revision.get(told.revisions.start)) is not None
        if (action.seat, action.create_micros) != (told.seat, told.micros)
    )
    return missing + others + len(game.sealed - seals)


def _gaps(actions: Sequence[Action]) -> Iterator[str]:
    for place, action in enumerate(actions, start=1):
        if action.revision != place:
            yield f"revision {action.revision} stands in place {place}"


def _is_same(told: Told, again: Any) -> bool:
    """Whether an answer is the one that was given before."""
    if told.call == "seal_order":
        return bool(again == told.answer)
    return bool(
        (again.revision, again.create_time.ToMicroseconds()) == (told.revisions.start, told.micros)
    )
