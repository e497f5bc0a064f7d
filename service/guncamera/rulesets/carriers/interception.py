"""Interception: who may meet a flight, and whether it is turned back. CAR-5.1, CAR-5.5 to CAR-5.9.

Everything here is public: whoever intercepts is shown. Nothing may depend on which ship stands
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guncamera.rules.dice import Ask, Dice
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import AircraftCard, Role
from guncamera.rulesets.carriers.facts import Reconnaissance, Strike
from guncamera.rulesets.carriers.flights import combat_number, mission_of, record_fourth
from guncamera.rulesets.carriers.readings import D6, AnyOrLess, OrLess

Interceptors = tuple[AircraftCard, ...]
"""The cards that meet a flight, in the order named; none: it is let through."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A card of the defender, as the facts name it.

    Attributes:
        type_field, adjacent_field, spent_field: Where they say so.
    """

    type: str
    adjacent: bool
    spent: bool
    type_field: str
    adjacent_field: str
    spent_field: str


def check_interceptors(
    facts: Reconnaissance | Strike,
    flyer: AircraftCard,
    own: Sequence[AircraftCard],
    book: CarriersBook,
    trace: Trace,
) -> Interceptors:
    """The cards that intercept, if any do.

    Raises:
        Malformed: CAR-1.2, there is no such type; CAR-5.5, it is no enemy's, or is not named.
        Illegal: CAR-5.1, it is spent; CAR-5.5, a card of its kind or place does not intercept;
            CAR-5.9, there are several.

    Source: seed 003, reconnaissance and the attacks; register C12, C14 and 12.4.
    """
    path = mission_of(facts).path
    if not facts.interceptor:
        _check_nobody(facts, path)
        trace.finding("CAR-5.7", "interceptor", "none")
        if isinstance(facts, Strike) and book.settings.strike_interception == "optional":
            trace.setting("CAR-5.7", "strike_interception", book.settings.strike_interception)
        return ()
    found = [_checked(one, flyer, own, book, trace) for one in _named(facts, path)]
    if len(found) > 1:
        _check_several(found, path, book, trace)
    return tuple(found)


def _named(facts: Reconnaissance | Strike, path: str) -> list[_Named]:
    """All cards that the facts name, the first one first."""
    first = f"{path}.interceptor"
    named = [
        _Named(
            facts.interceptor,
            facts.interceptor_adjacent,
            facts.interceptor_spent,
            first,
            f"{first}_adjacent",
            f"{first}_spent",
        )
    ]
    for at, one in enumerate(facts.further_interceptors):
        here = f"{path}.further_interceptors[{at}]"
        fields = (f"{here}.type", f"{here}.adjacent", f"{here}.spent")
        named.append(_Named(one.type, one.adjacent, one.spent, *fields))
    return named


def _check_nobody(facts: Reconnaissance | Strike, path: str) -> None:
    if facts.interceptor_adjacent or facts.interceptor_spent or facts.further_interceptors:
        raise Malformed(
            "No card intercepts, but something is said of it; name the interceptor.",
            rule_id="CAR-5.5",
            field=f"{path}.interceptor",
        )


def _checked(
    one: _Named,
    flyer: AircraftCard,
    own: Sequence[AircraftCard],
    book: CarriersBook,
    trace: Trace,
) -> AircraftCard:
    """A card that may meet the flight."""
    card = card_of(one.type, own, book, one.type_field)
    if card.nation == flyer.nation:
        raise Malformed(
            f"The {card.title} is of the same nation as the flight; the defender intercepts with "
            "a card of his own.",
            rule_id="CAR-5.5",
            field=one.type_field,
            type=card.type,
        )
    if one.spent:
        raise Illegal(
            "CAR-5.1",
            f"This {card.title} is spent and does not intercept any more this turn. Choose "
            "another card, or none.",
            field=one.spent_field,
            type=card.type,
        )
    _check_post(card, one, book, trace)
    trace.finding("CAR-5.5", "interceptor", card.type)
    return card


def _check_post(card: AircraftCard, one: _Named, book: CarriersBook, trace: Trace) -> None:
    """That the card lies where it can intercept, and may do so there (CAR-5.5)."""
    settings = book.settings
    if one.adjacent:
        if not settings.adjacent_cap:
            raise Illegal(
                "CAR-5.5",
                f"This {card.title} lies adjacent to the target; a card in front of it "
                "intercepts. Choose one of those, or none.",
                field=one.adjacent_field,
                type=card.type,
            )
        trace.setting("CAR-5.5", "adjacent_cap", settings.adjacent_cap)
    if card.role != Role.FIGHTER:
        if not settings.any_card_cap:
            raise Illegal(
                "CAR-5.5",
                f"The {card.title} is no fighter, and in this game only fighters fly combat air "
                "patrol. Choose a fighter, or none.",
                field=one.type_field,
                type=card.type,
                role=card.role.value,
            )
        trace.setting("CAR-5.5", "any_card_cap", settings.any_card_cap)


def _check_several(
    found: Sequence[AircraftCard], path: str, book: CarriersBook, trace: Trace
) -> None:
    """That several cards may meet one flight (CAR-5.9)."""
    if book.settings.interceptors == "one":
        raise Illegal(
            "CAR-5.9",
            f"{len(found)} cards are named, and in this game one meets a flight. Leave the "
            "further ones out.",
            field=f"{path}.further_interceptors",
            cards=len(found),
        )
    trace.setting("CAR-5.9", "interceptors", book.settings.interceptors)


# ---- The dice


@dataclass(frozen=True, slots=True)
class Met:
    """How a flight got past the defender's cards.

    Attributes:
        flyer_lost, interceptor_spent: As the settings say.
    """

    turned_back: bool = False
    flyer_lost: bool = False
    interceptor_spent: bool = False


def met_by(interceptors: Interceptors, book: CarriersBook, dice: Dice, trace: Trace) -> Met:
    """Throw for those who intercept (CAR-5.6, CAR-5.9), and say what it costs either side."""
    if not interceptors:
        return Met()
    settings = book.settings
    numbers = []
    for card in interceptors:
        record_fourth(card, "CAR-5.6", book, trace)
        numbers.append(combat_number(card, book))
        trace.finding("CAR-5.6", "combat_number", numbers[-1])
    read = OrLess(numbers[0]) if len(numbers) == 1 else AnyOrLess(tuple(numbers))
    turned = trace.roll(dice, Ask((D6,) * len(numbers), read, "interception", "CAR-5.6"))
    trace.finding("CAR-5.6", "turned_back", turned)
    trace.setting("CAR-5.1", "cap_use", settings.cap_use)
    if turned:
        trace.setting("CAR-5.8", "intercepted_cards", settings.intercepted_cards)
    return Met(
        turned_back=turned,
        flyer_lost=turned and settings.intercepted_cards == "lost",
        interceptor_spent=settings.cap_use == "once-per-turn",
    )


def turned_back_told(flyer: AircraftCard, by: Interceptors, *, lost: bool) -> str:
    """A flight that was turned back, in one sentence."""
    end = " and lost" if lost else ""
    return f"{flyer.title} is turned back by {' and '.join(card.title for card in by)}{end}."
