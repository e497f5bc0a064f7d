"""Film files: the JSON of a film as REST exports it, and as `play --film` writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from google.protobuf.message import Message

from guncamera.api.films import read_film
from guncamera.api.json_codec import from_json, to_json
from guncamera.cli.console import Failure, one_line
from guncamera.rules.dice import MAX_SIDES
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.film import Film
from guncamera.sessions.session import Action
from guncamera.v1 import session_service_pb2

M = TypeVar("M", bound=Message)


def films_at(paths: Iterable[Path]) -> Iterator[Path]:
    """The files of films: those named, and those in the folders named.

    Raises:
        Failure: A folder holds none.
    """
    for path in paths:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not files:
            raise Failure(f"{path}: holds no films; a film is a file ending in .json.")
        yield from files


def load_film(file: Path, variants: Variants = NO_VARIANTS) -> Film:
    """The film in a file.

    Args:
        variants: Those at hand; a film of another one is read, and cannot be ruled on.

    Raises:
        Failure: It cannot be read; one line names the file and the place.
    """
    return load_bundle(file, variants)[1]


def load_bundle(
    file: Path, variants: Variants = NO_VARIANTS
) -> tuple[session_service_pb2.Film, Film]:
    """The film in a file as it is written, its receipts and keys included, and as values.

    Args:
        variants: As for `load_film`.

    Raises:
        Failure: It cannot be read; one line names the file and the place.
    """
    data = _read(file)
    with _named(file, "a film"):
        message = from_json(data, session_service_pb2.Film, is_there=True)
        film = read_film(message, variants)
    for action in film.actions:
        for roll in action.rolls if isinstance(action, Action) else ():
            # Dice that do not exist cannot be drawn again, and looking for them would not end.
            if not roll.sides or not all(2 <= sides <= MAX_SIDES for sides in roll.sides):
                where = f"actions[{action.revision - 1}].rolls"
                raise Failure(f"{file}: not a film: {where}: no such dice: {list(roll.sides)}.")
    return message, film


def load_message(file: Path, kind: type[M], what: str) -> M:
    """A message from a file as REST sends it.

    Args:
        what: What it should be, for the error: "a receipt".

    Raises:
        Failure: It cannot be read; one line names the file and the place.
    """
    data = _read(file)
    with _named(file, what):
        return from_json(data, kind, is_there=True)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise Failure(f"{file}: cannot be read: {fault.strerror}.") from None


@contextmanager
def _named(file: Path, what: str) -> Iterator[None]:
    """Tell of a refusal in one line that names the file."""
    try:
        yield
    except Malformed as refusal:
        first = refusal.violations[0]
        more = f" (and {refusal.violation_count - 1} more)" if refusal.violation_count > 1 else ""
        where = f"{first.field}: " if first.field and first.field not in first.description else ""
        raise Failure(
            f"{file}: not {what}: {where}{one_line(first.description).rstrip('.')}{more}."
        ) from None
    except Refusal as refusal:
        raise Failure(f"{file}: not {what}: {refusal.message}") from None


def save_film(file: Path, message: session_service_pb2.Film) -> None:
    """Write a film to a file, the bytes that REST would send.

    Raises:
        Failure: It cannot be written.
    """
    save(file, to_json(message) + b"\n")


def save(file: Path, data: bytes) -> None:
    """Write a file.

    Raises:
        Failure: It cannot be written.
    """
    try:
        file.write_bytes(data)
    except OSError as fault:
        raise Failure(f"{file}: cannot be written: {fault.strerror}.") from None
