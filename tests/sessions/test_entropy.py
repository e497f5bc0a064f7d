"""Draws: fair, bound to session, revision and purpose, and a stranger to the commitment."""

import hashlib
import hmac
import os
from collections import Counter

import pytest
from guncamera.rules.dice import Ask, Total
from guncamera.sessions import entropy

SEED = bytes(range(32))
COMMITMENT = entropy.commitment_of(SEED)
D6 = Ask((6, 6), Total(), "to-hit", "TST-1")


def draw(revision=1, purpose="to-hit", nth=0, sides=(6, 6), seed=SEED, commitment=COMMITMENT):
    return entropy.faces_from(seed, commitment, revision, purpose, nth, sides)


def test_the_published_recipe_gives_the_faces():
    """Written out by hand, as a stranger with the docs alone would."""
    label = f"guncamera/draw/v1\0{COMMITMENT}\0{17}\0to-hit\0{0}\0".encode()
    stream = hmac.new(SEED, label + b"0", hashlib.sha256).digest()
    by_hand = [byte % 6 + 1 for byte in stream if byte < 252][:2]
    assert list(draw(revision=17)) == by_hand
    assert hashlib.sha256(b"guncamera/commit/v1\0" + SEED).hexdigest() == COMMITMENT


def test_a_draw_depends_on_everything_it_is_bound_to():
    many = (6,) * 24
    other = entropy.seed_from("another")
    draws = {
        draw(sides=many),
        draw(sides=many, revision=2),
        draw(sides=many, purpose="blast"),
        draw(sides=many, nth=1),
        draw(sides=many, seed=other, commitment=entropy.commitment_of(other)),
    }
    assert len(draws) == 5
    assert draw(sides=many) in draws


def test_one_more_throw_elsewhere_leaves_a_draw_as_it_was():
    lone, busy = (entropy.SeededDice(SEED, COMMITMENT, 5) for _ in range(2))
    busy.roll(Ask((6,), Total(), "jam", "TST-1"))
    assert lone.roll(D6).faces == busy.roll(D6).faces
    assert lone.roll(D6).faces == draw(revision=5, nth=1)


@pytest.mark.parametrize("sides", [2, 4, 6, 8, 10, 12, 20, 100])
def test_every_face_is_as_likely_over_all_bytes(sides):
    fair = 256 - 256 % sides
    counted = Counter(entropy._face(iter([byte]), sides) for byte in range(fair))
    assert set(counted) == set(range(1, sides + 1))
    assert len(set(counted.values())) == 1
    with pytest.raises(AssertionError):
        entropy._face(iter(range(fair, 256)), sides)


def test_faces_of_a_long_stream_are_near_even():
    faces = Counter(face for n in range(2000) for face in draw(revision=n, sides=(6,) * 30))
    expected = 60_000 / 6
    chi_square = sum((n - expected) ** 2 / expected for n in faces.values())
    assert chi_square < 25.7  # five degrees of freedom, one in ten thousand; the draws are fixed


def test_a_stream_longer_than_one_block_does_not_repeat():
    faces = draw(sides=(6,) * 40)
    assert faces[:8] != faces[32:40]


def test_public_data_predicts_draws_no_better_than_chance():
    """The commitment used as a seed, in each of the ways a careless design would have it."""
    right = total = 0
    for number in range(400):
        seed = entropy.seed_from(f"game {number}")
        public = entropy.commitment_of(seed)
        truth = entropy.faces_from(seed, public, 1, "to-hit", 0, (6,))
        for guess_seed in (public.encode(), bytes.fromhex(public), b""):
            right += entropy.faces_from(guess_seed, public, 1, "to-hit", 0, (6,)) == truth
            total += 1
    assert abs(right / total - 1 / 6) < 0.05


def test_seeds_tokens_and_ids_are_never_the_same_twice():
    for make in (entropy.new_seed, lambda: entropy.new_token("s"), entropy.new_id):
        assert len({make() for _ in range(200)}) == 200
    assert len(entropy.new_seed()) == 32
    assert entropy.token_hash("a") != entropy.token_hash("b")


def test_two_processes_never_give_calls_the_same_id():
    """For they begin as one, with random bits that are not used up."""
    entropy.new_request_id()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, entropy.new_request_id().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(reader, 100).decode()
    ours = {entropy.new_request_id() for _ in range(200)}
    assert len(ours) == 200
    assert {len(one) for one in ours} == {len(theirs)} == {32}
    assert theirs not in ours


@pytest.mark.parametrize("below", [1, 2, 3, 6, 7, 100, 256])
def test_every_number_is_as_likely_over_all_bytes(monkeypatch, below):
    bits = (below - 1).bit_length()
    if not bits:
        assert {entropy.number_from("x", nth, below) for nth in range(9)} == {0}
        return
    counted = Counter()
    for byte in range(256):
        if byte >> (8 - bits) < below:
            monkeypatch.setattr(entropy, "_bytes", lambda _seed, _label, byte=byte: iter([byte]))
            counted[entropy.number_from("x", 0, below)] += 1
    assert counted == dict.fromkeys(range(below), 1 << (8 - bits))


def test_a_number_that_is_too_large_is_passed_over(monkeypatch):
    monkeypatch.setattr(entropy, "_bytes", lambda _seed, _label: iter([0xFF, 0xC0, 0x60]))
    assert entropy.number_from("x", 0, 6) == 3


def test_numbers_follow_from_the_text_and_their_place_alone():
    huge = 10**40
    numbers = [entropy.number_from("x", nth, huge) for nth in range(50)]
    assert len(set(numbers)) == 50
    assert numbers == [entropy.number_from("x", nth, huge) for nth in range(50)]
    assert entropy.number_from("y", 0, huge) != numbers[0]
    assert max(numbers) > huge // 2 > min(numbers)
    key = hashlib.sha256(b"guncamera/seed/v1\0x").digest()
    stream = hmac.new(key, b"guncamera/sample/v1\0" + b"0\0" + b"0", hashlib.sha256).digest()
    assert entropy.number_from("x", 0, 2**64) == int.from_bytes(stream[:8])
