"""The book that a game is ruled on by: shipped or a variant's, under its settings, and pinned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NoReturn

from guncamera.rules.book import AnyBook, VariantPin
from guncamera.rules.dice import Dice
from guncamera.rules.ruleset import Procedure, Ruleset
from guncamera.rules.ruling import Ruling
from guncamera.rules.settings import SettingValue
from guncamera.rules.trace import SettingLine
from guncamera.rules.variant import Variants
from guncamera.sessions.refusals import VariantChanged

MOST_PINNED = 512

_pinned: dict[tuple[str, VariantPin | None], AnyBook] = {}


def book_with(book: AnyBook, overrides: Mapping[str, SettingValue]) -> AnyBook:
    """A book under some settings; the last few hundred are remembered.

    Raises:
        Malformed: An unknown setting or an illegal value.
    """
    if not overrides:
        return book
    return _book(book, tuple(sorted(overrides.items())))


@lru_cache(maxsize=512)
def _book(book: AnyBook, overrides: tuple[tuple[str, SettingValue], ...]) -> AnyBook:
    changed = book.with_settings(dict(overrides))
    return book if changed.settings == book.settings else changed


def pinned_book(
    found: Ruleset,
    rules_hash: str,
    settings: Mapping[str, SettingValue],
    pin: VariantPin | None,
    variants: Variants,
) -> AnyBook:
    """The book that a session is pinned to, found by its digest; made only the first time.

    Under other rules than it was created with, a session has another digest than its own. Where its
    variant is not here, whoever looks up a table or an aircraft is refused with `VariantChanged`,
    so that nothing is ever told or ruled by those of another.

    Raises:
        Malformed: An unknown setting or an illegal value.
    """
    here = variants.get(pin.name) if pin else None
    if pin is not None and (here is None or here.pin != pin or here.ruleset.slug != found.slug):
        return _not_here(book_with(found.book, settings), pin, here.pin if here else None)
    book = _pinned.get((rules_hash, pin))
    if book is None:
        book = _as_begun(
            book_with(here.book if here else found.book, settings), settings, rules_hash
        )
        if book.digest == rules_hash and len(_pinned) < MOST_PINNED:
            _pinned[rules_hash, pin] = book
    return book


def _as_begun(book: AnyBook, settings: Mapping[str, SettingValue], rules_hash: str) -> AnyBook:
    """The book without the settings that came after a game began, where that makes it the game's.

    Else every new setting would end every game that is being played. Each rules by what was ruled
    before there was one: its default, or where that was changed since, what its `was` says.
    """
    later = frozenset(book.setting_specs) - frozenset(settings)
    if not later or book.digest == rules_hash:
        return book
    then = {name: book.setting_specs[name].was for name in later}
    before = {name: value for name, value in then.items() if value is not None}
    older = replace(book.with_settings(before), later=later)
    return older if older.digest == rules_hash else book


def ruled(procedure: Procedure, facts: Any, book: AnyBook, dice: Dice) -> Ruling[Any]:
    """A ruling by a game's book.

    A game that began before a setting was there is told nothing of it: else its ledger would come
    out otherwise when it is ruled on again.

    Raises:
        Refusal: The rule refuses, or wants other dice.
    """
    ruling = procedure.rule(facts, book, dice)
    if not book.later:
        return ruling
    told = (
        line
        for line in ruling.trace
        if not (isinstance(line, SettingLine) and line.name in book.later)
    )
    return replace(ruling, trace=tuple(told))


def variant_changed(
    pin: VariantPin | None, here: VariantPin | None, path: str = ""
) -> VariantChanged:
    """The refusal to rule, or to show what needs rules, by another variant than a session's own.

    Args:
        here: What this service has under the name; None for nothing.
    """
    assert pin is not None, "the rules as printed are everywhere"
    there = f"here is another one of that name, {here.hash}" if here else "it is not here"
    return VariantChanged(
        f"This is played by the variant {pin.name!r}, {pin.hash}; {there}. What needs no rules can "
        "be read and exported; play it on where the variant is.",
        field=path,
        variant=pin.name,
        session_hash=pin.hash,
        service_hash=here.hash if here else "",
    )


def _not_here(book: AnyBook, pin: VariantPin, here: VariantPin | None) -> AnyBook:
    refused = _Refused(pin, here)
    return replace(book, tables=refused, aircraft=refused, variant=here)


class _Refused(Mapping[str, Any]):
    """Tables or aircraft that are not here: every look is refused."""

    def __init__(self, pin: VariantPin, here: VariantPin | None) -> None:
        self._pin, self._here = pin, here

    def _refuse(self) -> NoReturn:
        raise variant_changed(self._pin, self._here)

    def __getitem__(self, _name: str) -> Any:
        self._refuse()

    def __iter__(self) -> Iterator[str]:
        self._refuse()

    def __len__(self) -> int:
        self._refuse()
