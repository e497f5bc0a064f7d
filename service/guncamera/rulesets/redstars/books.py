"""One's own data books: whether the figures that a caller brings hold together. Rule RED-1.4.

Limits of single figures stand at the fields of `DataBook`; here is what one figure asks of
another. The data books as shipped meet all of it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from guncamera.rules.dice import MAX_DICE_PER_ASK
from guncamera.rules.own_types import check_own_types
from guncamera.rules.refusal import Violation
from guncamera.rulesets.redstars.aircraft import DataBook, Mounting
from guncamera.rulesets.redstars.book import RedstarsBook

RULE = "RED-1.4"
HIGHEST_CLIMB = 3
ADDED_DICE = 2
"""Dice that may join a pool: a sniper's, and that of a rugged target."""


def check_own(own_books: Sequence[DataBook], book: RedstarsBook, field: str) -> None:
    """Hold a caller's own data books to what a type needs to fly under these rules.

    Args:
        field: Where they stand: `setup.own_books`.

    Raises:
        Malformed: RED-1.4, with every fault by its path.
    """
    check_own_types(
        own_books,
        book,
        field,
        rule_id=RULE,
        faults_of=lambda data_book, here: faults_of(data_book, book, here),
    )


def faults_of(data_book: DataBook, book: RedstarsBook, here: str) -> Iterator[Violation]:
    """What of a data book's figures does not hold together."""
    yield from _faults_of_speeds(data_book, here)
    yield from _faults_of_cards(data_book, here)
    yield from _faults_of_weapons(data_book, book, here)


def _fault(field: str, description: str) -> Violation:
    return Violation(field, description, RULE)


# ---- Speeds and cards


def _faults_of_speeds(data_book: DataBook, here: str) -> Iterator[Violation]:
    low, top, dive = data_book.min_speed, data_book.max_speed, data_book.dive_speed
    if low >= top:
        yield _fault(f"{here}.min_speed", f"{low} is not below the highest level speed of {top}")
    if dive < top:
        yield _fault(f"{here}.dive_speed", f"{dive} is below the highest level speed of {top}")


def _faults_of_cards(data_book: DataBook, here: str) -> Iterator[Violation]:
    if data_book.climb_test and data_book.climb < HIGHEST_CLIMB:
        yield _fault(
            f"{here}.climb_test",
            f"the test belongs to CLIMB +3, and the book climbs {data_book.climb} at most; give "
            "a climb of 3, or no test",
        )
    if not data_book.engines:
        yield _fault(
            f"{here}.engines", "there is no engine; give the boxes of each, such as one of 3"
        )
    for trait, times in Counter(data_book.traits).items():
        if times > 1:
            yield _fault(f"{here}.traits", f"{trait} is named {times} times")


# ---- Weapons


def _faults_of_weapons(data_book: DataBook, book: RedstarsBook, here: str) -> Iterator[Violation]:
    for at, weapon in enumerate(data_book.weapons):
        if not weapon.boxes:
            yield _fault(
                f"{here}.weapons[{at}].boxes",
                "there is none, and it could never be fired; give 1 or more",
            )
        if weapon.mounting == Mounting.FLEXIBLE_REAR and not data_book.observer:
            yield _fault(
                f"{here}.weapons[{at}].mounting",
                "a flexible mount wants a gunner and there is no observer; give an observer, or "
                "mount it forward",
            )
    if data_book.third_man and not data_book.observer:
        yield _fault(
            f"{here}.third_man",
            "a third man takes an observer's place and there is no observer; give one, or no "
            "third man",
        )
    yield from _faults_of_pool(data_book, book, here)


def _faults_of_pool(data_book: DataBook, book: RedstarsBook, here: str) -> Iterator[Violation]:
    """Everything that points forward can be fired at once, in one pool of dice."""
    per_gun = book.tables["weapons"]
    thrown = sum(
        weapon.guns * per_gun.number(weapon.kind.value, "dice")
        for weapon in data_book.weapons
        if weapon.mounting == Mounting.FORWARD
    )
    most = MAX_DICE_PER_ASK - ADDED_DICE
    if thrown > most:
        yield _fault(
            f"{here}.weapons",
            f"those that point forward throw {thrown} dice at once; {most} are the most",
        )
