"""What players and onlookers do, and how often: whole games of every rule set found."""

from __future__ import annotations

import itertools
import random
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from guncamera.api.rulings import fill_outcome
from guncamera.conformance.cases import load_cases
from guncamera.conformance.targets import can_be_sent, read_case
from guncamera.rules.ruleset import rulesets
from guncamera.v1 import actions_pb2
from guncamera_client import GuncameraError, SessionNotFound
from locust import User, events, task
from pilots import any_setup, order_for, seat_to_act

IN_TURN = itertools.cycle(rulesets().values())
"""Each new game is one of the next rule set, so that a few players play them all."""
ASKED = [case for case in load_cases() if case.odds and not case.settings and can_be_sent(case)]
CHANCE = random.Random()
MOST_ORDERS = 1000
"""A game that is longer is given up."""
LIVE: dict[str, None] = {}
"""Games that are played by players of this process now, the oldest first."""
LONGEST_LOOK = 40
"""An onlooker goes on to another game after so many actions."""


@events.init_command_line_parser.add_listener
def _add_think(parser: ArgumentParser) -> None:
    parser.add_argument("--think", type=float, default=0.05, help="Mean seconds between calls.")


class Guest(User):
    """Whoever calls the service. A transport's user says with which client."""

    abstract = True
    make_client: ClassVar[Callable[[str], Any]]

    def wait_time(self) -> float:
        """Think: mostly for a moment, now and then for long."""
        mean = self.environment.parsed_options.think
        return min(CHANCE.expovariate(1 / mean), 5 * mean) if mean else 0.0

    def on_start(self) -> None:
        """Connect."""
        self.client = type(self).make_client(self.host)

    def on_stop(self) -> None:
        """Disconnect."""
        self.client.close()

    def reconnect(self) -> None:
        """Lose the connection, as a phone between two networks, and make another."""
        self.client.close()
        self.client = type(self).make_client(self.host)

    def timed(self, name: str, *given: Any, client: Any = None, **named: Any) -> Any:
        """Make a call and tell locust how it went; None when it failed."""
        began = time.perf_counter()
        answer, fault = None, None
        try:
            answer = getattr(client or self.client, name)(*given, **named)
            if isinstance(answer, Iterator):
                answer = list(answer)
        except GuncameraError as refused:
            fault = refused
        self.note(name, (time.perf_counter() - began) * 1000, fault)
        return answer

    def note(
        self, name: str, milliseconds: float, fault: Exception | None = None, kind: str = ""
    ) -> None:
        """Tell locust of something that happened."""
        self.environment.events.request.fire(
            request_type=kind or type(self).__name__,
            name=name,
            response_time=milliseconds,
            response_length=0,
            exception=fault,
            context={},
        )


class Player(Guest):
    """Plays one game after another, both seats of it; every other one with claimed seats."""

    abstract = True
    weight = 3

    def on_start(self) -> None:
        super().on_start()
        self.session: Any = None
        self.tokens: dict[str, str] = {}
        self.played = self.games = 0

    def on_stop(self) -> None:
        if self.session is not None:
            self.end(over=False)
        super().on_stop()

    @task(20)
    def play_on(self) -> None:
        """Give the next order of the game, or begin a new one."""
        if self.session is None:
            self.begin()
        if self.session is None:
            return
        now = self.timed("get_session", self.session)
        if now is None:
            return
        if not now.active_seats or self.played >= MOST_ORDERS:
            self.end(over=not now.active_seats)
            return
        seat = seat_to_act(now)
        seen = self.timed("get_session", self.session, seat=seat, client=self.of(seat))
        if seen is not None:
            order = order_for(self.found, seen, seat, self.pilot, self.played)
            self.timed(order.call, self.session, order.message, seat=seat, client=self.of(seat))
            self.played += 1

    @task(2)
    def look_at_the_board(self) -> None:
        """Ask for the picture, as a browser does."""
        if self.session is not None:
            self.timed("draw_board", self.session)

    @task(2)
    def ask_for_odds(self) -> None:
        """Ask for odds that a case file states."""
        found, procedure, facts = read_case(CHANCE.choice(ASKED))
        message = getattr(actions_pb2, f"{procedure.verb.value.capitalize()}Facts")()
        fill_outcome(message, found.slug, facts)
        self.timed("compute_odds", message)

    @task(1)
    def come_back(self) -> None:
        """Lose the connection and catch up on the ledger."""
        self.reconnect()
        if self.session is None:
            return
        actions = self.timed("list_actions", self.session)
        revisions = [action.revision for action in actions or ()]
        if revisions != list(range(1, len(revisions) + 1)):
            self.note("list_actions", 0, AssertionError(f"a gap or a double in {revisions}"))

    def begin(self) -> None:
        """Set a game up."""
        self.found = next(IN_TURN)
        self.pilot = CHANCE.choice(list(self.found.pilots))
        self.tokens, self.played = {}, 0
        self.session = self.timed("create_session", any_setup(self.found, CHANCE))
        if self.session is None:
            return
        self.note(self.found.slug, 0, kind="game begun")
        self.games += 1
        if self.games % 2 == 0:
            for seat in self.session.seats:
                claim = self.timed("claim_seat", self.session, seat.id)
                if claim is not None:
                    self.tokens[seat.id] = claim.token
        LIVE[self.session.name] = None

    def of(self, seat: str) -> Any:
        """The client that acts for a seat."""
        token = self.tokens.get(seat)
        return self.client.with_token(token) if token else self.client

    def end(self, *, over: bool) -> None:
        """Keep the film of a game that is over, and let the session go."""
        LIVE.pop(self.session.name, None)
        first = self.of(self.session.seats[0].id)
        if over:
            self.note(self.found.slug, 0, kind="game over")
            self.timed("export_session", self.session, client=first)
        self.timed("delete_session", self.session, client=first)
        self.session = None


class Watcher(Guest):
    """Looks on at one game after another, by a stream or by polls, and comes back after a break.

    Its times are those between an action and the sight of it. A gap or a double is a failure.
    """

    abstract = True
    weight = 1

    @task(2)
    def watch(self) -> None:
        """Follow a stream, break it off in the middle, and resume where it was."""
        name = self.pick()
        if name is None:
            return
        seen = 0
        for _ in range(2):
            seen = self.follow(name, seen)
            self.reconnect()

    @task(1)
    def poll(self) -> None:
        """Follow a game by long polls."""
        name, seen = self.pick(), 0
        if name is None:
            return
        began = time.time()
        for _ in range(5):
            try:
                # The first page alone: whoever follows asks again for what comes after.
                for action in self.client.list_actions(name, after_revision=seen, wait_seconds=5):
                    seen = self.see("poll_actions", action, seen, began)
            except SessionNotFound:
                return
            except GuncameraError as refused:
                self.note("poll_actions", 0, refused)
                return

    def follow(self, name: str, seen: int) -> int:
        """Watch from one revision on; returns the last one seen."""
        began, most = time.time(), CHANCE.randint(1, LONGEST_LOOK)
        try:
            with self.client.watch_session(name, start_revision=seen + 1) as stream:
                for action in itertools.islice(stream, most):
                    seen = self.see("watch_session", action, seen, began)
        except SessionNotFound:
            pass  # the game ended between two looks
        except GuncameraError as refused:
            self.note("watch_session", 0, refused)
        return seen

    def see(self, how: str, action: Any, seen: int, began: float) -> int:
        """Note an action; those from before the look began were not waited for."""
        if action.revision != seen + 1:
            fault = AssertionError(f"revision {action.revision} came after {seen}")
            self.note(how, 0, fault)
        made = action.create_time.ToMicroseconds() / 1e6
        if made > began:
            self.note(how, (time.time() - made) * 1000)
        return int(action.revision)

    @staticmethod
    def pick() -> str | None:
        """A game that goes on."""
        return CHANCE.choice(list(LIVE)) if LIVE else None
