"""What a pilot is: a function from what a seat sees to an order."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import LegalOrder, Session

MOST_ORDERS = 1000
"""As many legal orders as a pilot may ask for at once."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a pilot may think, and how often it has thought too long.

    Attributes:
        soft_seconds: An order that takes longer is a strike; it is given all the same.
        hard_seconds: After this nobody waits: a strike, and the default order is given.
        strikes: Those against this pilot in this game.
        most_strikes: With as many the game is lost.
    """

    soft_seconds: float
    hard_seconds: float
    strikes: int
    most_strikes: int


class OrderSource(Protocol):
    """Where a situation gets legal orders from. The clock stands still meanwhile."""

    def first(self, count: int) -> list[LegalOrder]:
        """The first orders of the list, at most so many."""

    def drawn(self, count: int, seed: str) -> list[LegalOrder]:
        """So many orders drawn from all, each of them as likely."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a seat sees when it has to give an order.

    Attributes:
        ruleset: The rule set's slug: `circus`.
        seat: The seat's id: `first`.
        session: The session as this seat sees it, board and all.
        nth: How many orders this pilot gave in this game before.
        clock: How long it may think.
        random: Chance that is the same whenever the game is played again.
        variant: The text of the file of the variant that is played; empty without one.
    """

    ruleset: str
    seat: str
    session: Session
    nth: int
    clock: Clock
    random: random.Random
    _source: OrderSource = field(repr=False)
    variant: str = field(default="", repr=False)

    @property
    def view(self) -> Any:
        """The board as this seat sees it, the rule set's own message: a `CircusView`."""
        return getattr(self.session.board, self.ruleset)

    def legal_orders(self, most: int = 100) -> list[LegalOrder]:
        """The first legal orders, in the order that the service lists them.

        Args:
            most: How many at most, 1 to 1,000.

        Returns:
            At least one. Where there are too many to list, as plots in `circus`, the rule set's
            page says which are listed; `draw_orders` draws from all.
        """
        return self._source.first(_counted(most, MOST_ORDERS))

    def draw_orders(self, count: int = 1) -> list[LegalOrder]:
        """Orders drawn from all legal ones, each of them exactly as likely.

        Args:
            count: How many, 1 to 100. One may come twice.
        """
        return self._source.drawn(_counted(count, 100), f"{self.random.getrandbits(128):032x}")


def _counted(number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise ValueError(f"{number} orders were asked for; ask for 1 to {most}.")
    return number


Order: TypeAlias = Message
"""A `LegalOrder`, a `MoveOrder` or its like, or the rule set's own message, as a client takes it.
"""

Pilot: TypeAlias = Callable[[Situation], Order]
"""Whoever fills a seat. It may keep what it likes to itself within a game, not across games."""


def legal_order_of(order: object) -> LegalOrder:
    """An order of any kind as a `LegalOrder`.

    Raises:
        TypeError: It is none.
    """
    if isinstance(order, LegalOrder):
        return order
    if not isinstance(order, Message):
        raise TypeError(f"{type(order).__name__} is no order; return one of legal_orders().")
    from guncamera_client._wrap import wrap  # late: it brings gRPC along

    return wrap(order, LegalOrder)
