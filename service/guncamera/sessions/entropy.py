"""The only module that draws: seeds, tokens, ids, and dice from a seed or the system.

A session's dice come from its secret seed. The faces for one purpose are bytes of

    HMAC-SHA256(seed, "guncamera/draw/v1" 0 commitment 0 revision 0 purpose 0 nth 0 block)

read in order. A byte below the largest multiple of the sides gives `byte % sides + 1`; the
others are passed over, so every face is exactly as likely. The commitment, published when the
session is created, is SHA-256("guncamera/commit/v1" 0 seed): another function of the seed, which
tells nothing about the draws. `revision` is that of the action, `nth` counts throws for the same
purpose within it, so that one more roll elsewhere changes nothing here.

A caller may send a nonce with an order, which nobody can have reckoned with before. It enters the
draws of that action, and they have another label, so that neither kind can pass for the other:

    HMAC-SHA256(seed, "guncamera/draw/v2" 0 commitment 0 revision 0 purpose 0 nth 0 nonce 0 block)
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections import defaultdict, deque
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
    try:
        return _request_ids.popleft()
    except IndexError:
        # To ask the system for the bits of one call takes longer than to read its request.
        bits = os.urandom(16 * _IDS_AT_ONCE).hex()
        _request_ids.extend(bits[at : at + 32] for at in range(32, len(bits), 32))
        return bits[:32]


_IDS_AT_ONCE = 64
_request_ids: deque[str] = deque()
os.register_at_fork(after_in_child=_request_ids.clear)  # or both processes would use the same


def new_token(session_id: str) -> str:
    """A seat's token: 256 random bits, shown once. It says which session it is for."""
    return f"gcs_{session_id}_{secrets.token_urlsafe(32)}"


def token_from(secret: bytes, session_id: str, *about: str | int) -> str:
    """The token that a secret leads to: 256 bits, always the same about the same."""
    label = "\0".join(("guncamera/token/v2", session_id, *map(str, about)))
    digest = hmac.digest(secret, label.encode(), "sha256")
    return f"gcs_{session_id}_{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def is_seat_token(token: str | None) -> bool:
    """Whether it looks like a seat's token; whether it is one, its session knows."""
    return token is not None and token.startswith("gcs_")


def session_of_token(token: str) -> str:
    """The id of the session that a seat's token says it is for. It may be anything."""
    return token.split("_", 2)[1]


def new_key() -> tuple[str, str]:
    """A key's id, which is no secret, and its text: 256 random bits, shown once."""
    key_id = "".join(secrets.choice(_ID_ALPHABET) for _ in range(12))
    return key_id, f"gck_{key_id}_{secrets.token_urlsafe(32)}"


def new_signing_seed() -> bytes:
    """What an Ed25519 key is made of: 256 random bits."""
    return secrets.token_bytes(32)


def token_hash(token: str) -> str:
    """What is stored of a token. Tokens are random, so a fast hash is enough."""
    return hashlib.sha256(b"guncamera/token/v1\0" + token.encode()).hexdigest()


def faces_from(
    seed: bytes,
    commitment: str,
    revision: int,
    purpose: str,
    nth: int,
    sides: tuple[int, ...],
    nonce: str = "",
) -> tuple[int, ...]:
    """The faces of one throw of a session's dice; anyone with the seed can compute them."""
    version, nonce = ("v2", f"{nonce}\0") if nonce else ("v1", "")
    label = f"guncamera/draw/{version}\0{commitment}\0{revision}\0{purpose}\0{nth}\0{nonce}"
    stream = _bytes(seed, label.encode())
    return tuple(_face(stream, side) for side in sides)


def number_from(text: str, nth: int, below: int) -> int:
    """The nth number that a text leads to, every one from 0 to less than `below` as likely.

    It is read from HMAC-SHA256(seed of the text, "guncamera/sample/v1" 0 nth 0 block), so many
    bits at a time as the largest number has; what is too large is passed over.
    """
    if below < 1:
        raise AssertionError("there is no number to draw")
    bits = (below - 1).bit_length()
    size = -(-bits // 8)
    stream = _bytes(seed_from(text), f"guncamera/sample/v1\0{nth}\0".encode())
    while True:
        drawn = int.from_bytes(bytes(next(stream) for _ in range(size))) >> (8 * size - bits)
        if drawn < below:
            return drawn


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

    def __init__(self, seed: bytes, commitment: str, revision: int, nonce: str = "") -> None:
        self._seed = seed
        self._commitment = commitment
        self._revision = revision
        self._nonce = nonce
        self._thrown: defaultdict[str, int] = defaultdict(int)
        self.rolls: list[Roll] = []

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """Draw the ask's dice; see `Dice.roll`."""
        nth = self._thrown[ask.purpose]
        self._thrown[ask.purpose] += 1
        faces = faces_from(
            self._seed, self._commitment, self._revision, ask.purpose, nth, ask.dice, self._nonce
        )
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
