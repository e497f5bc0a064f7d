"""Players: they play whole games, and ask again, under the same request id, until they hear."""

from __future__ import annotations

import math
import random
import threading
import time
import uuid
from collections.abc import Sequence
from typing import Any

from guncamera.rules.ruleset import Ruleset
from guncamera_client import GuncameraError
from guncamera_client.errors import DeadlineExceeded, RateLimited, StreamsFull, Unavailable
from pilots import any_setup, order_for, seat_to_act

from chaos.journal import Game, Journal, Told

PASSING = (Unavailable, DeadlineExceeded, RateLimited, StreamsFull)
PAUSE_SECONDS = 0.1
THINK_SECONDS = 0.01
MOST_ORDERS = 120
"""A game is left after so many, so that every rule set gets its turn."""


class Over(Exception):
    """The table is closed."""


class Player(threading.Thread):
    """One player with a client of its own.

    Args:
        in_turn: The rule sets, in the order in which it plays them.
    """

    def __init__(
        self, number: str, client: Any, journal: Journal, in_turn: Sequence[Ruleset], seed: str
    ) -> None:
        super().__init__(name=f"player {number}", daemon=True)
        self.number, self.client = number, client
        self.orders: list[tuple[float, float]] = []
        """When each order was given, and when it was acknowledged."""
        self.game: Game | None = None
        self.patience_ends = math.inf
        self.may_play, self.is_idle, self.is_closed = (threading.Event() for _ in range(3))
        self._journal, self._in_turn = journal, in_turn
        self._chance = random.Random(f"{seed} {number}")
        self._games = 0
        self._pilot = ""

    def run(self) -> None:
        """Play until the table is closed; rest between two orders when told to."""
        try:
            while not self.is_closed.is_set():
                if self.may_play.is_set():
                    self._step()
                    time.sleep(self._chance.expovariate(1 / THINK_SECONDS))
                else:
                    self.is_idle.set()
                    self.may_play.wait(0.1)
        except Over:
            pass
        except Exception as fault:  # a player that fell silent would make every check pass
            self._journal.surprise(f"a player broke: {fault!r}"[:300])
            raise
        finally:
            self.is_idle.set()

    def is_served(self, since: float) -> bool:
        """Whether an order given since has been acknowledged; one who left waits for none."""
        return not self.is_alive() or (bool(self.orders) and self.orders[-1][0] > since)

    def seconds_unserved(self, since: float) -> float:
        """Seconds until the first order given since was acknowledged."""
        return next((heard - since for asked, heard in self.orders if asked > since), 0.0)

    def _step(self) -> None:
        game = self.game
        if game is None:
            self._begin()
            return
        now = self.insist("get_session", game.id)
        if now is None or not now.active_seats or len(game.told) >= MOST_ORDERS:
            game.is_over = now is not None and not now.active_seats
            self.game = None
            return
        seat = seat_to_act(now)
        seen = self.insist("get_session", game.id, seat=seat)
        if seen is None:
            self.game = None
            return
        order = order_for(game.found, seen, seat, self._pilot, len(game.told))
        request_id = str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
        asked = time.monotonic()
        answer = self.insist(order.call, game.id, order.message, seat=seat, request_id=request_id)
        if answer is None:
            game.unheard += 1
            self.game = None
            return
        revisions, micros = range(0), 0
        if order.call != "seal_order":
            revisions = range(answer.revision, answer.revision + 1)
            micros = answer.create_time.ToMicroseconds()
        elif answer.revealed:
            revisions = range(answer.revision + 1, answer.revision + 1 + len(now.active_seats))
        game.hear(Told(order.call, seat, order.message, request_id, revisions, micros, answer))
        self.orders.append((asked, time.monotonic()))

    def _begin(self) -> None:
        found = self._in_turn[self._games % len(self._in_turn)]
        self._pilot = self._chance.choice(list(found.pilots))
        self._games += 1
        session_id = f"chaos-{self.number}-{self._games}"
        setup = any_setup(found, self._chance)
        request_id = str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
        if self.insist("create_session", setup, session_id=session_id, request_id=request_id):
            self.game = Game(session_id, found)
            self._journal.begin(self.game)

    def insist(self, call: str, *given: Any, **named: Any) -> Any:
        """Call until there is an answer; None for one that no fault excuses.

        Raises:
            Over: The table was closed, or patience ended, before there was one.
        """
        asked = time.monotonic()
        while not self.is_closed.is_set() and time.monotonic() < self.patience_ends:
            self._journal.count("calls")
            try:
                answer = getattr(self.client, call)(*given, **named)
            except PASSING:
                self._journal.count("unanswered")
                time.sleep(PAUSE_SECONDS)
            except GuncameraError as refused:
                self._journal.surprise(f"{call}: {refused.reason}: {refused.message}"[:300])
                return None
            else:
                self._journal.count("answered", time.monotonic() - asked)
                return answer
        raise Over


class Table:
    """The players of a stage, who play and rest together."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        for player in players:
            player.start()

    def play(self) -> None:
        """Have everyone play."""
        for player in self.players:
            player.is_idle.clear()
            player.may_play.set()

    def rest(self, seconds: float) -> bool:
        """Have everyone rest between two orders; whether all did in time."""
        for player in self.players:
            player.may_play.clear()
        until = time.monotonic() + seconds
        return all(p.is_idle.wait(max(0.0, until - time.monotonic())) for p in self.players)

    def seconds_until_all_served(self, since: float, most: float) -> float | None:
        """Seconds from a moment until each has an answer to an order given since.

        None, if it takes more than `most`.
        """
        while not all(player.is_served(since) for player in self.players):
            if time.monotonic() - since > most:
                return None
            time.sleep(0.01)
        return max(player.seconds_unserved(since) for player in self.players)

    def close(self) -> None:
        """Send everyone home."""
        for player in self.players:
            player.is_closed.set()
            player.may_play.set()
        for player in self.players:
            player.join(30)
            player.client.close()
