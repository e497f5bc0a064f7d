"""Types of aircraft that a caller brings: what every rule set asks of them before its own rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from guncamera.rules.book import AnyBook
from guncamera.rules.refusal import Violation, refuse_faults

SLUG = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")


class OwnType(Protocol):
    """The figures of a type: its slug, and a name that players read."""

    @property
    def type(self) -> str:
        """The slug."""

    @property
    def title(self) -> str:
        """The name."""


T = TypeVar("T", bound=OwnType)


def check_own_types(
    own: Sequence[T],
    book: AnyBook,
    path: str,
    *,
    rule_id: str,
    faults_of: Callable[[T, str], Iterable[Violation]],
) -> None:
    """Hold a caller's own types to what they need under the rules.

    Args:
        path: Where they stand: `setup.own_books`.
        faults_of: `(type, its path)` to what of its figures does not hold together.

    Raises:
        Malformed: The rule, with every fault by its path.
    """
    refuse_faults(faults_of_own_types(own, book, path, rule_id=rule_id, faults_of=faults_of))


def faults_of_own_types(
    own: Sequence[T],
    book: AnyBook,
    path: str,
    *,
    rule_id: str,
    faults_of: Callable[[T, str], Iterable[Violation]],
) -> Iterator[Violation]:
    """Every fault of a caller's own types, in their order; see `check_own_types`."""
    named = Counter(one.type for one in own)
    for at, one in enumerate(own):
        here = f"{path}[{at}]"
        for field, description in _name_faults(one, named[one.type], book):
            yield Violation(f"{here}.{field}", description, rule_id)
        yield from faults_of(one, here)


def _name_faults(one: OwnType, times: int, book: AnyBook) -> Iterator[tuple[str, str]]:
    slug = one.type
    if not SLUG.fullmatch(slug):
        *_, example = book.aircraft
        yield (
            "type",
            f"{slug!r} is no slug; write lower-case letters, digits and single underscores or "
            f"hyphens, a letter first, such as {example}",
        )
    elif slug in book.aircraft:
        shipped = book.aircraft[slug].title
        yield "type", f"{slug!r} is the {shipped} of the book; give yours another slug"
    if times > 1:
        yield "type", f"{slug!r} is given to {times} types; give each its own"
    if not one.title.strip():
        yield "title", "a type has a name that players can read"
