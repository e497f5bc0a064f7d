"""What of a film its rulings and dice do not tell: whether it is written as it was, and signed.

A film that was tampered with may rule alike: with another name, another time, another seat. Its
receipts hold it to what the service signed. All of it works offline.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785

from guncamera.api.films import action_message, session_message
from guncamera.api.receipts import commitment_for, opening_hash, state
from guncamera.sessions.film import Difference, Film
from guncamera.sessions.session import Session, State
from guncamera.sessions.signing import is_signed, key_id_of
from guncamera.v1 import session_service_pb2 as pb

_UNTOLD = ("expire_time", "board")


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """Receipts against a film and against keys.

    Attributes:
        checked: How many there were.
        key_ids: Who signed them.
        are_open: The film shows that they are about its very actions.
    """

    checked: int
    key_ids: tuple[str, ...]
    are_open: bool
    differences: tuple[Difference, ...]


def check_writing(message: pb.Film, film: Film, end: State) -> tuple[Difference, ...]:
    """Compare a film's messages with what they would be, were they written from its replay.

    When a session was to expire and which seats were claimed is no part of what was played, and
    whose view of the board it has is not known: it has to be somebody's.

    Args:
        film: The same as values.
        end: The state that a replay without differences ends in.
    """
    differences = []
    for number, (filmed, action) in enumerate(zip(message.actions, film.actions), start=1):
        again = action_message(film.record, action)
        if filmed != again:
            differences.append(_parted(number, filmed, again))
    session = Session(film.record, end, len(film.actions), {}, {}, 0)
    seats = [None, *(seat.id for seat in film.record.seats)]
    written = [session_message(session, seat, with_seals=False) for seat in seats]
    filmed_session = _told(message.session)
    if all(filmed_session != _told(one) for one in written):
        differences.append(_parted(0, filmed_session, _told(written[0])))
    if all(message.session.board != one.board for one in written):
        boards = (" ".join(str(one.board).split())[:300] for one in (message.session, written[0]))
        differences.append(Difference(0, "board", *boards))
    return tuple(differences)


def check_receipts(
    message: pb.Film,
    *,
    keys: Sequence[pb.SigningKey] = (),
    kept: Sequence[pb.Receipt] = (),
) -> ReceiptCheck:
    """Check a film's receipts, one for each action, and receipts that somebody has kept.

    Args:
        keys: Those that the service has published; none takes the film's word for its own.
        kept: Receipts that were given out during the game.
    """
    trusted = {key.id: key for key in keys or message.signing_keys}
    differences = _check_keys(message.signing_keys, trusted)
    statements = _Statements(message)
    if message.receipts:
        differences += _check_filmed(message, trusted, statements)
    for receipt in kept:
        differences += _check_kept(receipt, trusted, statements)
    signed = [*message.receipts, *kept]
    ids = tuple(dict.fromkeys(receipt.key_id for receipt in signed))
    return ReceiptCheck(len(signed), ids, statements.are_open, tuple(differences))


class _Statements:
    """What the service has to have signed about a film's actions, made anew from the film."""

    def __init__(self, film: pb.Film) -> None:
        self.actions = film.actions
        self.octets: list[bytes] = []
        previous = opening_hash(film.session, _hex(film.opening_salt))
        for action, receipt in zip(film.actions, film.receipts):
            commitment = commitment_for(film.session, action.revision)
            stated = state(
                action, salt=_hex(receipt.salt), commitment=commitment, previous=previous
            )
            self.octets.append(stated.octets)
            previous = stated.hash

    @property
    def are_open(self) -> bool:
        return bool(self.octets)


def _check_keys(
    filmed: Iterable[pb.SigningKey], trusted: dict[str, pb.SigningKey]
) -> list[Difference]:
    """The ids are those of the keys, and what the film says of a key is what was published.

    When a key was retired may be later than the film.
    """
    differences = [
        Difference(0, "signing key", key.id, key_id_of(_hex(key.public_key)))
        for key in (*filmed, *trusted.values())
        if key_id_of(_hex(key.public_key)) != key.id
    ]
    for key in filmed:
        there, here = key.create_time, trusted.get(key.id, key).create_time
        if there != here:
            sides = there.ToJsonString(), here.ToJsonString()
            differences.append(Difference(0, "signing key's create_time", *sides))
    return differences


def _check_filmed(
    film: pb.Film, trusted: dict[str, pb.SigningKey], statements: _Statements
) -> list[Difference]:
    differences = []
    if len(film.receipts) != len(film.actions):
        count, wanted = len(film.receipts), len(film.actions)
        differences.append(Difference(0, "receipts", f"{count} in number", f"{wanted}"))
    for number, (receipt, octets) in enumerate(zip(film.receipts, statements.octets), start=1):
        differences += _compare(number, receipt, octets)
        differences += _check_signature(number, receipt, trusted)
    return differences


def _check_kept(
    receipt: pb.Receipt, trusted: dict[str, pb.SigningKey], statements: _Statements
) -> list[Difference]:
    """A receipt from elsewhere: it names its action itself."""
    plain = _plain(receipt.statement)
    told = plain.get("revision")
    number = told if isinstance(told, int) else 0
    differences = [*_check_signature(number, receipt, trusted)]
    if not 0 < number <= len(statements.actions):
        session = plain.get("session")
        about = f"about action {number} of {session}"
        return [*differences, Difference(number, "receipt", about, "no such action")]
    if statements.are_open:
        # A film that lacks receipts is told of already; it may have one for this action.
        octets = statements.octets[number - 1 :][:1] or [b"{}"]
        return differences + _compare(number, receipt, octets[0])
    # Without the salts of all before it, the film cannot show what came before; only the action.
    action = statements.actions[number - 1]
    stated = state(
        action,
        salt=_hex(receipt.salt),
        commitment=str(plain.get("commitment")),
        previous=str(plain.get("previous")),
    )
    return differences + _compare(number, receipt, stated.octets)


def _compare(number: int, receipt: pb.Receipt, octets: bytes) -> list[Difference]:
    """A receipt against what it has to say; its statement has only one way to be written."""
    differences = []
    if receipt.statement.encode() != octets:
        says, wanted = _plain(receipt.statement), json.loads(octets)
        parted = next((name for name in wanted if says.get(name) != wanted[name]), "format")
        there, here = says.get(parted, "missing"), wanted.get(parted, "")
        differences.append(Difference(number, f"receipt's {parted}", str(there), str(here)))
    action = json.loads(octets)["session"] + f"/actions/{number:08d}"
    if receipt.name != action:
        differences.append(Difference(number, "receipt's name", receipt.name, action))
    return differences


def _check_signature(
    number: int, receipt: pb.Receipt, trusted: dict[str, pb.SigningKey]
) -> Iterable[Difference]:
    key = trusted.get(receipt.key_id)
    if key is None:
        yield Difference(number, "receipt's key", receipt.key_id, "not among the keys")
        return
    public, signature = _hex(key.public_key), _hex(receipt.signature)
    if not is_signed(public, receipt.statement.encode(), signature):
        yield Difference(number, "receipt's signature", receipt.signature[:16], "of something else")


def _plain(statement: str) -> dict[str, Any]:
    """A statement's fields, if it is an object in canonical JSON; else none."""
    try:
        plain = json.loads(statement)
        is_canonical = rfc8785.dumps(plain) == statement.encode()
    except (ValueError, RecursionError, rfc8785.CanonicalizationError):
        return {}
    return plain if is_canonical and isinstance(plain, dict) else {}


def _told(session: pb.Session) -> pb.Session:
    """What of a session is told by what was played."""
    told = pb.Session()
    told.CopyFrom(session)
    for name in _UNTOLD:
        told.ClearField(name)  # type: ignore[arg-type]  # the stubs list the names
    for seat in told.seats:
        seat.claimed = False
    return told


def _parted(number: int, filmed: Any, again: Any) -> Difference:
    """Where two messages part: the first of their fields."""
    there, here = ({f.name: v for f, v in one.ListFields()} for one in (filmed, again))
    names = [f.name for f in filmed.DESCRIPTOR.fields if there.get(f.name) != here.get(f.name)]
    name = names[0] if names else "content"
    sides = (" ".join(str(side.get(name, "unset")).split())[:300] for side in (there, here))
    return Difference(number, name, *sides)


def _hex(text: str) -> bytes:
    """Octets from hexadecimal; none if it is not that, and then nothing agrees with them."""
    try:
        return bytes.fromhex(text) if text == text.lower() and " " not in text else b""
    except ValueError:
        return b""
