"""What players do, and how often: whole campaigns flown by the stock pilots."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from guncamera.api import wire
from guncamera.api.rulings import fill_outcome
from guncamera.rules.plain import from_plain
from guncamera.rules.ruleset import ruleset
from guncamera.v1 import actions_pb2
from guncamera_client import GuncameraError
from locust import User, between, task

FOUND = ruleset("kettering")
AIRCRAFT = list(FOUND.book.aircraft)
TORPEDOES = 2
PILOTS = ("stock", "stock", "random")


class Player(User):
    """Flies one campaign after another. A transport's user says which client it flies with."""

    abstract = True
    wait_time = between(0.0, 0.02)
    make_client: Callable[[str], Any]

    def on_start(self) -> None:
        """Connect."""
        self.client = type(self).make_client(self.host)
        self.session: Any = None
        self.played = 0
        self.pilot = random.choice(PILOTS)

    def on_stop(self) -> None:
        """Disconnect."""
        self.client.close()

    @task(20)
    def play_on(self) -> None:
        """Give the next order of the campaign, or begin a new one."""
        if self.session is None:
            aircraft = random.choice(AIRCRAFT)
            setup = from_plain(FOUND.setup, {"aircraft_type": aircraft, "torpedoes": TORPEDOES})
            message = actions_pb2.SessionSetup()
            fill_outcome(message, FOUND.slug, setup)
            self.session = self.timed("create_session", message)
            self.played = 0
        if self.session is None:
            return
        seen = self.timed("get_session", self.session)
        if seen is None or not seen.active_seats:
            self.end()
            return
        view = wire.read(getattr(seen.board, FOUND.slug), FOUND.view, "board")
        seat = seen.active_seats[0]
        chosen = FOUND.pilots[self.pilot](view, seat, FOUND.book, self.played)
        order = getattr(actions_pb2, f"{chosen.verb.value.capitalize()}Order")()
        fill_outcome(order, FOUND.slug, chosen.order)
        self.timed(chosen.verb.value, self.session, order)
        self.played += 1

    @task(2)
    def look_at_the_board(self) -> None:
        """Ask for the picture, as a browser does."""
        if self.session is not None:
            self.timed("draw_board", self.session)

    @task(2)
    def ask_for_odds(self) -> None:
        """Ask what a shot is worth."""
        facts = from_plain(
            FOUND.procedures["fire"].facts,
            {
                "aircraft_type": random.choice(AIRCRAFT),
                "aspect": "tail",
                "range_hexes": random.choice((1, 2)),
                "speed_mp": random.randint(4, 9),
                "torpedo_speed_mp": random.choice((3, 4, 5)),
            },
        )
        message = actions_pb2.FireFacts()
        fill_outcome(message, FOUND.slug, facts)
        self.timed("compute_odds", message)

    def end(self) -> None:
        """Keep the film of every fifth campaign, and let the session go."""
        if self.played % 5 == 0:
            self.timed("export_session", self.session)
        self.timed("delete_session", self.session)
        self.session = None

    def timed(self, name: str, *given: Any) -> Any:
        """Make a call and tell locust how it went; None when it failed."""
        began = time.perf_counter()
        answer, fault = None, None
        try:
            answer = getattr(self.client, name)(*given)
        except GuncameraError as refused:
            fault = refused
        self.environment.events.request.fire(
            request_type=type(self).__name__,
            name=name,
            response_time=(time.perf_counter() - began) * 1000,
            response_length=0,
            exception=fault,
            context={},
        )
        return answer
