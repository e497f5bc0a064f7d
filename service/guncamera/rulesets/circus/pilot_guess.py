"""What the stock pilot thinks an enemy may fly, who thinks in turn of what the pilot may fly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guncamera.rules.hexes import Hex
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.pilot_aim import EVERY, Fighter, Guess, Rough, flown
from guncamera.rulesets.circus.pilot_guns import LONGEST
from guncamera.rulesets.circus.pilot_options import Option, options_of, plain_options_of

ANSWERS = (0.4, 0.15)
"""How surely the enemy is expected to choose the best of his options, and the next."""
PLAIN, TURNED = 0.1, (1, 5, 2, 4)
"""How surely he goes straight on, or turns by so many hexsides to the left, whatever one does."""
ROUNDS = 2
"""How often each answers the other in the mind of the pilot."""
SPARE_HEXES = 2


def guesses(enemy: Fighter, mine: Fighter, book: CircusBook) -> tuple[Guess, ...]:
    """What an enemy may fly, and how surely.

    Each answers in his mind what the other may do; in the end the enemy answers all that one had
    in mind. Where neither can come near the other he goes straight on.
    """
    if _are_far(mine, enemy):
        return (straight_on(enemy, 1.0, book),)
    plain = tuple(_plain(enemy, book))
    his: tuple[Guess, ...] = plain[:1]
    ours: tuple[Guess, ...] = ()
    for _ in range(ROUNDS):
        ours += _answers(mine, enemy, his, book)
        his = (*plain, *_answers(enemy, mine, ours, book))
    return his


def straight_on(one: Fighter, share: float, book: CircusBook) -> Guess:
    """An aircraft that goes on as before, as nearly as can be."""
    return flown(one, _straight(one, book), share)


def _straight(one: Fighter, book: CircusBook) -> Option:
    return options_of(one.craft.aircraft, one.aeroplane, book)[0]


def _are_far(one: Fighter, other: Fighter) -> bool:
    """Whether two aircraft cannot come into range of each other in this turn."""
    away = Hex(one.place.q, one.place.r).distance(Hex(other.place.q, other.place.r))
    points = sum(each.craft.aircraft.speed_mp + each.craft.aircraft.ke for each in (one, other))
    return away > LONGEST + points + SPARE_HEXES


def _plain(one: Fighter, book: CircusBook) -> Iterator[Guess]:
    """What somebody may fly who answers nothing: on as before, or to either side as fast."""
    straight = _straight(one, book)
    yield flown(one, straight, PLAIN)
    options = plain_options_of(one.craft.aircraft, one.aeroplane, book)
    for facing in TURNED:
        for option in options:
            if option.moments[-1][2] == facing and option.speed_mp == straight.speed_mp:
                yield flown(one, option, PLAIN)
                break


def _answers(
    one: Fighter, other: Fighter, expected: Sequence[Guess], book: CircusBook
) -> tuple[Guess, ...]:
    """The best that one can fly against what is expected of the other."""
    options = plain_options_of(one.craft.aircraft, one.aeroplane, book)
    rough = Rough(one, other, expected, book)
    weighed = sorted(
        (-rough.worth(one.place.samples(option.moments[EVERY - 1 :: EVERY])), nth)
        for nth, option in enumerate(options)
    )
    return tuple(flown(one, options[nth], share) for (_, nth), share in zip(weighed, ANSWERS))
