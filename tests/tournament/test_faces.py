"""Duplicate dice: the same faces for the same purpose, each as likely as any other."""

import hashlib
from collections import Counter
from itertools import pairwise

import pytest
from guncamera.v1.dice_pb2 import DICE_SOURCE_SEEDED, DICE_SOURCE_SUPPLIED
from guncamera.v1.session_service_pb2 import Action
from guncamera_client import IllegalOrder, RollRequired
from guncamera_tournament.faces import DuplicateDice, ServiceDice, faces_for


def asks(*wanted):
    """A service that asks for throws, one after another: `(purpose, sides…)`."""

    def give(faces):
        at = 0
        for purpose, *sides in wanted:
            if at == len(faces):
                missing = RollRequired("more dice")
                missing.purpose, missing.dice = purpose, tuple(sides)
                raise missing
            at += len(sides)
        given.append(tuple(faces))
        return Action()

    given: list[tuple[int, ...]] = []
    return give, given


def test_a_face_follows_from_group_seat_purpose_and_number():
    label = ("g", "first", "to-hit", 0)
    assert faces_for(*label, [6, 6]) == faces_for(*label, [6, 6])
    labels = [
        label,
        ("h", "first", "to-hit", 0),
        ("g", "second", "to-hit", 0),
        ("g", "first", "damage", 0),
        ("g", "first", "to-hit", 1),
    ]
    thrown = [faces_for(*label, [256] * 8) for label in labels]
    assert len(set(thrown)) == len(labels)


def test_a_worked_example_that_anyone_can_compute():
    label = "\0".join(("guncamera/tournament/faces/v1", "g", "first", "to-hit", "0", "0"))
    fair = [byte for byte in hashlib.sha256(label.encode()).digest() if byte < 252]
    assert fair[0] % 6 + 1 == 2
    assert faces_for("g", "first", "to-hit", 0, [6, 10, 4]) == (2, 6, 2)


@pytest.mark.parametrize("sides", [2, 6, 10, 12, 100, 256])
def test_every_face_is_as_likely(sides):
    count = 200 * sides
    faces = Counter(faces_for("fair", "s", "p", 0, [sides] * count))
    assert set(faces) == set(range(1, sides + 1))
    # Chi-squared: its mean is the freedom, its deviation the root of twice that.
    freedom = sides - 1
    chi = sum((n - 200) ** 2 / 200 for n in faces.values())
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5


def test_other_throws_in_between_change_nothing():
    one, other = DuplicateDice("g"), DuplicateDice("g")
    give, plain = asks(("to-hit", 6, 6), ("damage", 6))
    one.give("first", give)
    one.give("first", give)
    more, mixed = asks(("to-hit", 6, 6), ("jam", 10), ("damage", 6))
    other.give("second", more)
    other.give("first", more)
    other.give("first", more)
    assert plain[0] != plain[1], "each throw has faces of its own"
    without = [(*faces[:2], faces[3]) for faces in mixed[1:]]
    assert without == plain


def test_a_refused_order_throws_nothing():
    dice, untouched = DuplicateDice("g"), DuplicateDice("g")
    give, given = asks(("to-hit", 6), ("damage", 6))

    def refused(faces):
        if len(faces) < 2:
            give(faces)
        raise IllegalOrder("not so")

    with pytest.raises(IllegalOrder):
        dice.give("first", refused)
    dice.give("first", give)
    untouched.give("first", give)
    assert all(a == b for a, b in pairwise(given))


def test_the_services_dice_are_left_to_it_and_looked_at():
    dice, seen = ServiceDice(), []

    def give(faces):
        seen.append(faces)
        return Action()

    dice.give("first", give)
    assert seen == [None]
    drawn = Action(dice_source=DICE_SOURCE_SEEDED)
    drawn.rolls.add()
    brought = Action(dice_source=DICE_SOURCE_SUPPLIED)
    assert not dice.fault(drawn)
    assert not dice.fault(brought), "no dice fell"
    brought.rolls.add()
    assert "dice of its own" in dice.fault(brought)
    assert "nonce" in dice.fault(Action(client_nonce="12345678"))
    assert not DuplicateDice("g").fault(brought)
