"""One's own aircraft cards: whether what a caller brings can be played. Rule CAR-1.3.

Limits of single figures stand at the fields of `AircraftCard`. The cards as shipped meet all of
this too, but for their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guncamera.rules.own_types import check_own_types
from guncamera.rules.refusal import Violation
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard

RULE = "CAR-1.3"


def check_own(own_cards: Sequence[AircraftCard], book: CarriersBook, path: str) -> None:
    """Hold a caller's own cards to what a card needs under these rules.

    Args:
        path: Where they stand: `setup.own_cards`.

    Raises:
        Malformed: CAR-1.3, with every fault by its path.
    """
    check_own_types(own_cards, book, path, rule_id=RULE, faults_of=faults_of)


def faults_of(card: AircraftCard, here: str) -> Iterator[Violation]:
    """What is wrong with a card, whatever it is called."""
    if not (card.combat or card.bomb or card.torpedo or card.recon):
        yield Violation(
            here,
            "all four numbers are 0, and it could do nothing; give one of combat, bomb, torpedo "
            "and recon a number from 1 to 6",
            RULE,
        )
