"""The only module that draws: seeds, tokens, ids, and dice from a seed or the system.

A session's dice come from its secret seed. The faces for one purpose are bytes of

    HMAC-SHA256(seed, "guncamera/draw/v1" 0 commitment 0 revision 0 purpose 0 nth 0 block)

read in order. A byte below the largest multiple of the sides gives `byte % sides + 1`; the
others are passed over, so every face is exactly as likely. The commitment, published when the
session is created, is SHA-256("guncamera/commit/v1" 0 seed): another function of the seed, which
tells nothing about the draws. `revision` is that of the action, `nth` counts throws for the same
purpose within it, so that one more roll elsewhere changes nothing here.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections import defaultdict
from collections.abc import Iterator
from typing import TypeVar

from guncamera.rules.dice import Ask, Roll, Throw

V = TypeVar("V")

SEED_BYTES = 32
_ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def new_seed() -> bytes:
    """A secret seed for one session's dice."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from(text: str) -> bytes:
    """The seed that a caller chose by a text, so that a game can be played again alike."""
    return hashlib.sha256(b"guncamera/seed/v1\0" + text.encode()).digest()


def commitment_of(seed: bytes) -> str:
    """What is published of a seed before it is revealed, in hexadecimal."""
    return hashlib.sha256(b"guncamera/commit/v1\0" + seed).hexdigest()


def new_id() -> str:
    """A session id nobody can guess: 20 letters and digits."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(20))


def id_from(request_id: str) -> str:
    """The session id that a create request's id leads to, so that a retry finds its session."""
    digest = hashlib.sha256(b"guncamera/session/v1\0" + request_id.encode()).digest()
    return "".join(_ID_ALPHABET[byte % 32] for byte in digest[:20])


def new_request_id() -> str:
    """A name for a call that brought none: 128 random bits."""
    return os.urandom(16).hex()  # secrets takes five times as long to make the same


def new_token() -> str:
    """A seat token: 256 random bits, shown once."""
    return "gcs_" + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token. Tokens are random, so a fast hash is enough."""
    return hashlib.sha256(b"guncamera/token/v1\0" + token.encode()).hexdigest()


def faces_from(
    seed: bytes, commitment: str, revision: int, purpose: str, nth: int, sides: tuple[int, ...]
) -> tuple[int, ...]:
    """The faces of one throw of a session's dice; anyone with the seed can compute them."""
    label = f"guncamera/draw/v1\0{commitment}\0{revision}\0{purpose}\0{nth}\0".encode()
    stream = _bytes(seed, label)
    return tuple(_face(stream, side) for side in sides)


def _bytes(seed: bytes, label: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, label + str(block).encode(), "sha256")
        block += 1


def _face(stream: Iterator[int], sides: int) -> int:
    if not 2 <= sides <= 256:
        raise AssertionError(f"a byte cannot show the face of a d{sides}")
    fair = 256 - 256 % sides
    for byte in stream:
        if byte < fair:
            return byte % sides + 1
    raise AssertionError("the stream of bytes never ends")


class SeededDice:
    """Dice of one action of one session."""

    def __init__(self, seed: bytes, commitment: str, revision: int) -> None:
        self._seed = seed
        self._commitment = commitment
        self._revision = revision
        self._thrown: defaultdict[str, int] = defaultdict(int)
        self.rolls: list[Roll] = []

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """Draw the ask's dice; see `Dice.roll`."""
        nth = self._thrown[ask.purpose]
        self._thrown[ask.purpose] += 1
        faces = faces_from(self._seed, self._commitment, self._revision, ask.purpose, nth, ask.dice)
        self.rolls.append(Roll(ask.purpose, ask.dice, faces))
        return Throw(ask.read(faces), faces)


class SystemDice:
    """Dice of one stateless ruling, from the system's entropy."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """Draw the ask's dice; see `Dice.roll`."""
        faces = tuple(secrets.randbelow(sides) + 1 for sides in ask.dice)
        self.rolls.append(Roll(ask.purpose, ask.dice, faces))
        return Throw(ask.read(faces), faces)
