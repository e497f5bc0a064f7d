"""Reconnaissance: one card looks at one ship. Chapter 6."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Ask, Dice
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard
from guncamera.rulesets.carriers.facts import Approach, Passing, Reconnaissance, SpotFacts
from guncamera.rulesets.carriers.flights import (
    announced,
    check_flight,
    mission_of,
    passed,
    recon_number,
    record_fourth,
)
from guncamera.rulesets.carriers.interception import (
    Interceptors,
    check_interceptors,
    met_by,
    turned_back_told,
)
from guncamera.rulesets.carriers.outcomes import Reconnoitered, SpotOutcome
from guncamera.rulesets.carriers.own import check_own
from guncamera.rulesets.carriers.readings import D6, OrLess
from guncamera.rulesets.carriers.told import NATIONS


def rule_on_spot(facts: SpotFacts, book: CarriersBook, dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on reconnaissance of any kind; see the rule of each for what it refuses."""
    own = facts.own_cards
    if own:
        check_own(own, book, "own_cards")
    match facts.procedure:
        case Approach() as approach:
            return rule_on_scout(approach, own, book)
        case Reconnaissance() as reconnaissance:
            return rule_on_reconnaissance(reconnaissance, own, book, dice)
        case Passing() as passing:
            trace = Trace()
            outcome = SpotOutcome(passed(passing.side, book, trace))
            summary = f"The {NATIONS[passing.side]} side passes."
            return Ruling(outcome, tuple(trace.lines), (), summary)


def rule_on_scout(
    facts: Approach, own: Sequence[AircraftCard], book: CarriersBook
) -> Ruling[SpotOutcome]:
    """Rules on a reconnaissance announced, before the defender says who intercepts. No dice.

    Raises:
        Malformed: CAR-6.1, it carries a weapon; and as `check_flight`.
        Illegal: As `check_flight`.

    Source: seed 003, reconnaissance; register 4.3.
    """
    if facts.weapon is not None:
        raise Malformed(
            "A card that reconnoiters carries no weapon; leave it out, or send a strike.",
            rule_id="CAR-6.1",
            field="approach.weapon",
            weapon=facts.weapon.value,
        )
    trace = Trace()
    card, approached = announced(facts, own, book, trace)
    summary = f"{card.title} sets out to reconnoiter the {facts.line} line."
    return Ruling(SpotOutcome(approached), tuple(trace.lines), (), summary)


def rule_on_reconnaissance(
    facts: Reconnaissance, own: Sequence[AircraftCard], book: CarriersBook, dice: Dice
) -> Ruling[SpotOutcome]:
    """Rules on one card that reconnoiters one ship, interception included.

    The dice come in this order: the interceptors', if there are any; the card's own.

    Raises:
        Malformed, Illegal: As `check_flight` and `check_interceptors`.

    Source: seed 003, reconnaissance; register 4.3.
    """
    trace = Trace.of(dice)
    card = check_flight(mission_of(facts), own, book, trace)
    interceptors = check_interceptors(facts, card, own, book, trace)
    if facts.revealed:
        trace.finding("CAR-6.2", "already_open", value=True)
    met = met_by(interceptors, book, dice, trace)
    outcome = Reconnoitered(
        turned_back=met.turned_back,
        revealed=not met.turned_back and _sees(card, book, dice, trace),
        flyer_lost=met.flyer_lost,
        interceptor_spent=met.interceptor_spent,
    )
    return Ruling.told(
        SpotOutcome(outcome), trace, lambda: ((), _summary(card, interceptors, outcome))
    )


def _sees(card: AircraftCard, book: CarriersBook, dice: Dice, trace: Trace) -> bool:
    """CAR-6.2."""
    record_fourth(card, "CAR-6.2", book, trace)
    number = recon_number(card, book)
    trace.finding("CAR-6.2", "recon_number", number)
    seen = trace.roll(dice, Ask((D6,), OrLess(number), "reconnaissance", "CAR-6.2"))
    trace.finding("CAR-6.2", "revealed", seen)
    return seen


def _summary(card: AircraftCard, interceptors: Interceptors, outcome: Reconnoitered) -> str:
    if outcome.turned_back:
        return turned_back_told(card, interceptors, lost=outcome.flyer_lost)
    return f"{card.title} {'finds the ship' if outcome.revealed else 'sees nothing'}."
