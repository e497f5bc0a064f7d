"""Attacks on draws, with all that is public before the seed is revealed, and what nonces are worth.

Everything drawn here comes from fixed seeds, so a test that passes once always passes. A strategy
that guesses one face of a die of six, `n` times, is at chance level if its hits are within four
standard deviations of n/6: were the draws anew each time, a fair die would fail this once in
16,000. Each strategy is first shown to work on dice that are made as others have made them.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import pytest
from conftest import Clock
from guncamera.api.endpoints import Endpoints
from guncamera.api.json_codec import to_json
from guncamera.rules.ruleset import ruleset
from guncamera.sessions import entropy
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, SETUP, who
from wire_play import play_step

SIGMAS = 4.0
GAMES, DRAWS = 40, 100
BEGAN = 1_790_000_000_000_000


@dataclass(frozen=True)
class Public:
    """What anyone may know before the last face of a game: all of it but the seed.

    Attributes:
        number: The game's place among those of the service, whose seeds are revealed after each.
        create_micros: When it was created.
        faces: What has fallen so far.
        revision: Of the draw to guess; purpose and throw are the same for all.
        revealed: The seeds of all earlier games.
    """

    number: int
    session_id: str
    create_micros: int
    commitment: str
    faces: tuple[int, ...]
    revision: int
    revealed: tuple[bytes, ...]


Draw = Callable[[bytes, str, int], int]
Strategy = Callable[[Public], int]


def ours(seed: bytes, commitment: str, revision: int) -> int:
    return entropy.faces_from(seed, commitment, revision, "to-hit", 0, (6,))[0]


def with_a_nonce(seed: bytes, commitment: str, revision: int) -> int:
    nonce = f"nonce-{revision}-{commitment[:8]}"  # public as well, once it has been sent
    return entropy.faces_from(seed, commitment, revision, "to-hit", 0, (6,), nonce)[0]


def from_the_commitment(_seed: bytes, commitment: str, revision: int) -> int:
    """A careless design: what is published decides."""
    return ours(commitment.encode(), commitment, revision)


def loaded(seed: bytes, commitment: str, revision: int) -> int:
    """A loaded die: one in six throws is a six whatever falls."""
    face = ours(seed, commitment, revision)
    return 6 if seed[revision % 32] % 6 == 0 else face


def sticky(seed: bytes, commitment: str, revision: int) -> int:
    """Throws that lean on the one before."""
    leans = seed[revision % 32] % 4 == 0
    return ours(seed, commitment, revision - 1 if leans and revision else revision)


def counted_on(seed: bytes, _commitment: str, revision: int) -> int:
    """Throws that go on from a first one by the same step each time."""
    return (seed[0] + revision * (seed[1] % 5 + 1)) % 6 + 1


def games(draw: Draw, seeds: Callable[[int, int], bytes]) -> Iterator[tuple[Public, int]]:
    """Every draw of every game, with what is public before it."""
    revealed: tuple[bytes, ...] = ()
    for number in range(GAMES):
        created = BEGAN + number * 977_000_000
        seed = seeds(number, created)
        commitment = entropy.commitment_of(seed)
        faces: tuple[int, ...] = ()
        for revision in range(1, DRAWS + 1):
            known = (number, f"game-{number}", created, commitment, faces, revision, revealed)
            face = draw(seed, commitment, revision)
            yield Public(*known), face
            faces += (face,)
        revealed += (seed,)


def secret(number: int, _created: int) -> bytes:
    return hashlib.sha256(f"a secret seed {number}".encode()).digest()


def from_the_clock(_number: int, created: int) -> bytes:
    """A careless design: the seed is the second at which the game was created."""
    return hashlib.sha256(str(created // 1_000_000).encode()).digest()


def one_for_all(_number: int, _created: int) -> bytes:
    """A careless design: a seed that serves again after it was revealed."""
    return hashlib.sha256(b"one for all").digest()


def next_of_the_last(number: int, _created: int) -> bytes:
    """A careless design: each seed is made from the one before."""
    seed = b"first"
    for _ in range(number + 1):
        seed = hashlib.sha256(seed).digest()
    return seed


# Strategies.


def by_the_commitment(as_seed: Callable[[str], bytes]) -> Strategy:
    return lambda known: ours(as_seed(known.commitment), known.commitment, known.revision)


def by_a_hash_of_all_that_is_public(known: Public) -> int:
    text = f"{known.session_id}{known.create_micros}{known.commitment}{known.revision}"
    return hashlib.sha256(text.encode()).digest()[0] % 6 + 1


def by_the_clock(known: Public) -> int:
    seed = from_the_clock(0, known.create_micros)
    return ours(seed, known.commitment, known.revision)


def by_the_last_revealed_seed(known: Public) -> int:
    seed = known.revealed[-1] if known.revealed else b""
    return ours(seed, known.commitment, known.revision)


def by_the_hash_of_the_last_revealed_seed(known: Public) -> int:
    seed = hashlib.sha256(known.revealed[-1] if known.revealed else b"first").digest()
    return ours(seed, known.commitment, known.revision)


def by_what_falls_most(known: Public) -> int:
    counts = Counter(known.faces)
    return max(range(1, 7), key=lambda face: (counts[face], face))


def by_what_falls_least(known: Public) -> int:
    counts = Counter(known.faces)
    return min(range(1, 7), key=lambda face: (counts[face], face))


def by_what_followed_before(known: Public) -> int:
    """The face that has most often followed the last one."""
    follows: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for one, other in itertools.pairwise(known.faces):
        follows[one][other] += 1
    last = known.faces[-1] if known.faces else 0
    found = follows[last].most_common(1)
    return found[0][0] if found else 1


def by_the_last_face(known: Public) -> int:
    return known.faces[-1] if known.faces else 1


def by_the_same_step_again(known: Public) -> int:
    if len(known.faces) < 2:
        return 1
    return (2 * known.faces[-1] - known.faces[-2] - 1) % 6 + 1


STRATEGIES: dict[str, Strategy] = {
    "the commitment's text as seed": by_the_commitment(str.encode),
    "the commitment's bytes as seed": by_the_commitment(bytes.fromhex),
    "the commitment hashed as seed": by_the_commitment(
        lambda text: hashlib.sha256(bytes.fromhex(text)).digest()
    ),
    "no seed": by_the_commitment(lambda _text: b""),
    "a hash of all that is public": by_a_hash_of_all_that_is_public,
    "the clock as seed": by_the_clock,
    "the last revealed seed": by_the_last_revealed_seed,
    "the hash of the last revealed seed": by_the_hash_of_the_last_revealed_seed,
    "what falls most": by_what_falls_most,
    "what falls least": by_what_falls_least,
    "what followed before": by_what_followed_before,
    "the last face": by_the_last_face,
    "the same step again": by_the_same_step_again,
}


def deviation(strategy: Strategy, draw: Draw, seeds: Callable[[int, int], bytes] = secret) -> float:
    """How many standard deviations a strategy's hits are from chance."""
    guesses = [strategy(known) == face for known, face in games(draw, seeds)]
    n, hits = len(guesses), sum(guesses)
    assert n == GAMES * DRAWS
    return (hits - n / 6) / math.sqrt(n * 1 / 6 * 5 / 6)


@pytest.mark.parametrize("draw", [ours, with_a_nonce])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_that_is_public_predicts_a_draw(strategy: str, draw: Draw) -> None:
    assert abs(deviation(STRATEGIES[strategy], draw)) < SIGMAS


@pytest.mark.parametrize(
    ("strategy", "draw", "seeds"),
    [
        ("the commitment's text as seed", from_the_commitment, secret),
        ("the clock as seed", ours, from_the_clock),
        ("the last revealed seed", ours, one_for_all),
        ("the hash of the last revealed seed", ours, next_of_the_last),
        ("what falls most", loaded, secret),
        ("the last face", sticky, secret),
        ("what followed before", counted_on, secret),
        ("the same step again", counted_on, secret),
    ],
)
def test_the_same_strategies_predict_careless_dice(
    strategy: str, draw: Draw, seeds: Callable[[int, int], bytes]
) -> None:
    assert deviation(STRATEGIES[strategy], draw, seeds) > SIGMAS


def test_faces_that_were_seen_tell_nothing_of_those_to_come() -> None:
    """Draws of one game, pair by pair, over all lags up to 20: each face as often after each."""
    for lag in range(1, 21):
        pairs: Counter[tuple[int, int]] = Counter()
        for number in range(GAMES):
            seed = secret(number, 0)
            commitment = entropy.commitment_of(seed)
            faces = [ours(seed, commitment, revision) for revision in range(DRAWS)]
            pairs.update(zip(faces, faces[lag:]))
        expected = sum(pairs.values()) / 36
        chi_square = sum(
            (pairs[pair] - expected) ** 2 / expected
            for pair in itertools.product(range(1, 7), repeat=2)
        )
        assert chi_square < 80.1, f"lag {lag}: 35 degrees of freedom, one in 40,000"


def test_seeds_are_as_long_as_nobody_can_try() -> None:
    assert entropy.SEED_BYTES * 8 == 256
    seeds = [entropy.new_seed() for _ in range(400)]
    ones = sum(int.from_bytes(seed).bit_count() for seed in seeds)
    bits = 400 * 256
    assert len(set(seeds)) == 400
    # By chance six deviations come once in 500 million runs.
    assert abs(ones - bits / 2) < 6 * math.sqrt(bits / 4)


# What a service says before the end.


def test_no_answer_of_a_game_that_goes_on_holds_its_seed(endpoints: Endpoints) -> None:
    """The seed in each way it could be written, in every answer that has to do with the session."""
    request = pb.CreateSessionRequest(session_id="attacked", setup=SETUP)
    session = endpoints.CreateSession(request, who())
    seed = endpoints.shelf.load("attacked").record.seeds[0].seed
    answers: list[bytes] = [to_json(session)]
    for number in range(12):
        session = play_step(endpoints, session, ruleset("kettering"), "stock", number)
    name = session.name
    action = f"{name}/actions/{session.revision}"
    for answer in (
        session,
        endpoints.GetAction(pb.GetActionRequest(name=action), who()),
        endpoints.ListActions(pb.ListActionsRequest(parent=name), who()),
        endpoints.ExportSession(pb.ExportSessionRequest(name=name, with_receipts=True), who()),
        endpoints.GetReceipt(pb.GetReceiptRequest(name=action), who()),
        endpoints.ListSessions(pb.ListSessionsRequest(), who()),
        endpoints.ListLegalOrders(pb.ListLegalOrdersRequest(name=name), who()),
    ):
        answers += [to_json(answer), answer.SerializeToString()]
    told = b"".join(answers).lower()
    for form in (seed, seed.hex().encode(), str(int.from_bytes(seed)).encode()):
        assert form.lower() not in told
    assert entropy.commitment_of(seed).encode() in told


def test_an_order_that_is_refused_or_previewed_shows_no_face(
    endpoints: Endpoints, clock: Clock
) -> None:
    session = endpoints.CreateSession(
        pb.CreateSessionRequest(session_id="peeked-at", setup=SETUP), who()
    )
    request = pb.MoveRequest(name=session.name, order=DEPLOY, validate_only=True)
    for nonce in ("", "a-nonce-1", "a-nonce-2"):
        request.client_nonce = nonce
        assert not endpoints.Move(request, who()).rolls


# What a nonce is worth.


def chosen_seed(wanted: int, throws: int) -> bytes:
    """A seed whose first throws all show a face: what a host can look for before the game."""
    for number in itertools.count():
        seed = hashlib.sha256(f"chosen {number}".encode()).digest()
        commitment = entropy.commitment_of(seed)
        if all(ours(seed, commitment, revision) == wanted for revision in range(1, throws + 1)):
            return seed
    raise AssertionError("there are always more")


def test_a_host_can_choose_a_seed_and_a_players_nonce_undoes_it() -> None:
    throws = 5
    seed = chosen_seed(6, throws)
    commitment = entropy.commitment_of(seed)
    assert [ours(seed, commitment, n + 1) for n in range(throws)] == [6] * throws
    random = Random(7)
    sixes = total = 0
    for _ in range(400):
        for revision in range(1, throws + 1):
            nonce = f"{random.getrandbits(128):032x}"
            (face,) = entropy.faces_from(seed, commitment, revision, "to-hit", 0, (6,), nonce)
            sixes += face == 6
            total += 1
    assert abs(sixes - total / 6) < SIGMAS * math.sqrt(total * 1 / 6 * 5 / 6)


def test_who_knows_the_seed_and_sends_the_nonce_chooses_the_face() -> None:
    """The limit of nonces, as docs/dice.md states it: yours protects your throws, not theirs."""
    seed = secret(1, 0)
    commitment = entropy.commitment_of(seed)
    tries = next(
        number
        for number in itertools.count(1)
        if entropy.faces_from(seed, commitment, 1, "to-hit", 0, (6,), f"nonce-{number}") == (6,)
    )
    assert tries < 100


def test_a_draw_with_a_nonce_is_no_draw_without_one() -> None:
    seed = secret(2, 0)
    commitment = entropy.commitment_of(seed)
    many = (6,) * 40

    def draw(purpose: str, nth: int, nonce: str) -> tuple[int, ...]:
        return entropy.faces_from(seed, commitment, 3, purpose, nth, many, nonce)

    nonces = ("", "0", "1", "00000000", "00000000-1", "a-nonce-1")
    asked = [(p, n, nonce) for p in ("to-hit", "jam") for n in (0, 1) for nonce in nonces]
    assert len({draw(*one) for one in asked}) == len(asked)


def test_the_published_recipe_with_a_nonce_gives_the_faces() -> None:
    seed = secret(3, 0)
    commitment = entropy.commitment_of(seed)
    label = f"guncamera/draw/v2\0{commitment}\0{17}\0to-hit\0{0}\0a-nonce-1\0".encode()
    stream = hmac.new(seed, label + b"0", hashlib.sha256).digest()
    by_hand = tuple(byte % 6 + 1 for byte in stream if byte < 252)[:2]
    found = entropy.faces_from(seed, commitment, 17, "to-hit", 0, (6, 6), "a-nonce-1")
    assert found == by_hand
