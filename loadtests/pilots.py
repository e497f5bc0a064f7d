"""Any rule set as players play it: a setup, whose turn it is, and what a stock pilot orders.

Rule sets are found, never listed: a new one is played by every load as soon as it is there.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from guncamera.api import wire
from guncamera.api.rulings import fill_outcome
from guncamera.rules.ruleset import Ruleset
from guncamera.rules.shape import shape_of
from guncamera.v1 import actions_pb2


@dataclass(frozen=True)
class Order:
    """An order, and the call of a client that gives it."""

    call: str
    message: Any


def any_setup(found: Ruleset, chance: random.Random) -> actions_pb2.SessionSetup:
    """A setup with any aircraft where it has to name one, and defaults."""
    needed = [field.name for field in shape_of(found.setup) if not field.default]
    message = actions_pb2.SessionSetup()
    aircraft = list(found.book.aircraft)
    setup = found.setup(**{name: chance.choice(aircraft) for name in needed})
    fill_outcome(message, found.slug, setup)
    return message


def seat_to_act(session: Any) -> str:
    """The first seat that has to give an order, and has sealed none; empty if there is none."""
    return next((one for one in session.active_seats if one not in session.sealed_seats), "")


def order_for(found: Ruleset, seen: Any, seat: str, pilot: str, nth: int) -> Order:
    """What a pilot orders who sees a session so, and how it is to be given.

    Args:
        seen: The session as the seat sees it.
        nth: How many orders were given before.
    """
    view = wire.read(getattr(seen.board, found.slug), found.view, "board")
    chosen = found.pilots[pilot](view, seat, found.book, nth)
    verb = chosen.verb.value
    message = getattr(actions_pb2, f"{verb.capitalize()}Order")()
    fill_outcome(message, found.slug, chosen.order)
    return Order("seal_order" if seen.sealed_verb == verb else verb, message)
