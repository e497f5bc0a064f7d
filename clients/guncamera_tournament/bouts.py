"""The bouts of a pairing: which pilot has which side, and which dice they meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from guncamera_tournament.record import digest_of

if TYPE_CHECKING:
    from guncamera_tournament.event import Event


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two pilots who meet in a round.

    Attributes:
        round, number: From 1.
        first: Has the first side in the first bout.
        second: Empty for a bye of the first.
    """

    round: int
    number: int
    first: str
    second: str = ""

    @property
    def is_bye(self) -> bool:
        """Whether the first pilot rests."""
        return not self.second


@dataclass(frozen=True, slots=True)
class Bout:
    """One game to play.

    Attributes:
        id: `r001-p0002-g003-a`.
        pilots: Names, who has the first side first.
        setup: The setup's name.
        dice_group: What its dice come from, with the event's seed.
    """

    id: str
    round: int
    pairing: int
    game: int
    pilots: tuple[str, str]
    setup: str
    dice_group: str

    def seed(self, event: Event, *what: str) -> str:
        """64 hexadecimal digits that follow from the event's seed, this bout and a purpose."""
        return digest_of(event.seed, self.id, *what)

    def dice_seed(self, event: Event) -> str:
        """The session's dice seed; the same for bouts with the same dice."""
        return digest_of(event.seed, self.dice_group, "dice")


def bouts_of(event: Event, pairing: Pairing, *, solo: bool) -> Iterator[Bout]:
    """The bouts of a pairing, in order.

    Args:
        solo: The rule set seats one pilot only: there are no sides to swap.
    """
    if pairing.is_bye:
        return
    for game in range(1, event.games + 1):
        both = (pairing.first, pairing.second)
        swapped = (pairing.second, pairing.first)
        if solo:
            ways = [("a", both)]
        elif event.swap_sides:
            ways = [("a", both), ("b", swapped)]
        else:
            ways = [("a", both if game % 2 else swapped)]
        here = f"r{pairing.round:03}-p{pairing.number:04}-g{game:04}"
        for letter, pilots in ways:
            duplicate = event.dice == "duplicate" or solo
            yield Bout(
                id=f"{here}-{letter}",
                round=pairing.round,
                pairing=pairing.number,
                game=game,
                pilots=pilots,
                setup=event.setups[(game - 1) % len(event.setups)].name,
                dice_group=here if duplicate else f"{here}-{letter}",
            )
