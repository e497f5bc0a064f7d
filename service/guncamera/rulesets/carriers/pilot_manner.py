"""How a pilot goes about it, and what it has before it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from guncamera.rulesets.carriers.board import Board, Navy, flyer_of
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import AircraftCard, Card, Role, Side
from guncamera.rulesets.carriers.facts import Flyer
from guncamera.rulesets.carriers.orders import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Manner:
    """What sets one pilot apart from another.

    Attributes:
        keeps_back: Carriers go to the line where the enemy's cards can do least.
        all_fighters_guard: Every fighter guards; else one for each carrier in danger.
        curiosity: What a look is worth to it, against the points to hope for of it.
        shuffles: Of ten neighbors on a line, how many change places in a turn.
    """

    keeps_back: bool
    all_fighters_guard: bool
    curiosity: float
    shuffles: int


CAUTIOUS = Manner(keeps_back=True, all_fighters_guard=True, curiosity=2.0, shuffles=6)
STRIKING = Manner(keeps_back=False, all_fighters_guard=False, curiosity=0.5, shuffles=3)


@dataclass(slots=True)
class Chance:
    """Numbers that follow from a text, one after another."""

    text: str
    drawn: int = 0

    def pick(self, options: Sequence[T]) -> T:
        """One of some options."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.drawn} {self.text}".encode()).digest()
        return options[int.from_bytes(digest[:8]) % len(options)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """The options in another order."""
        left, found = list(options), []
        while left:
            found.append(left.pop(self.pick(range(len(left)))))
        return found


@dataclass(frozen=True, slots=True)
class Scene:
    """What a pilot has before it."""

    view: View
    board: Board
    side: Side
    book: CarriersBook
    manner: Manner
    chance: Chance

    @property
    def navy(self) -> Navy:
        """Its own ships and cards."""
        return self.board.navy(self.side)

    def unspent(self) -> list[Card]:
        """Its cards that may still be used this turn."""
        return [card for card in self.navy.cards if not card.spent and not card.lost]

    def profile(self, card: Card) -> AircraftCard:
        """The figures of a card."""
        return card_of(card.type, self.view.own_cards, self.book, "card")

    def flyer(self, card: Card) -> Flyer:
        """A card as it lies: those whose lines make no difference are alike."""
        flyer = flyer_of(self.navy, card)
        return flyer if self.book.settings.distance != "target-line" else replace(flyer, line=None)

    def is_fighter(self, card: Card) -> bool:
        """Whether a card guards before it strikes."""
        return self.profile(card).role == Role.FIGHTER
