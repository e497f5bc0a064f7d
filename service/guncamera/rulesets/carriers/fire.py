"""A strike: one card bombs or torpedoes one ship. Chapter 7.

Up to the die that hits, what is told is the same for every ship that might stand there. Lines of
the ship's own are those under CAR-8.1, between the die and its verdict; the number of dice and
what they are called do not depend on it before a hit.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import Ask, Dice
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import AircraftCard, Ship, Weapon
from guncamera.rulesets.carriers.facts import Approach, FireFacts, Passing, Strike
from guncamera.rulesets.carriers.flights import (
    announced,
    check_flight,
    mission_of,
    passed,
    strike_number,
)
from guncamera.rulesets.carriers.hits import hit_by
from guncamera.rulesets.carriers.interception import (
    Interceptors,
    check_interceptors,
    met_by,
    turned_back_told,
)
from guncamera.rulesets.carriers.outcomes import FireOutcome, Struck
from guncamera.rulesets.carriers.own import check_own
from guncamera.rulesets.carriers.readings import D6, Hits
from guncamera.rulesets.carriers.standing import (
    SUBTRACTION,
    check_target,
    parts,
    record_settings,
    subtraction,
)
from guncamera.rulesets.carriers.told import NATIONS, harm_told, ship_told

_CARRIES = {Weapon.BOMB: "bombs", Weapon.TORPEDO: "a torpedo"}


def rule_on_fire(facts: FireFacts, book: CarriersBook, dice: Dice) -> Ruling[FireOutcome]:
    """Rules on strikes of any kind; see the rule of each for what it refuses."""
    own = facts.own_cards
    if own:
        check_own(own, book, "own_cards")
    match facts.procedure:
        case Approach() as approach:
            return rule_on_run(approach, own, book)
        case Strike() as strike:
            return rule_on_strike(strike, own, book, dice)
        case Passing() as passing:
            trace = Trace()
            outcome = FireOutcome(passed(passing.side, book, trace))
            summary = f"The {NATIONS[passing.side]} side passes."
            return Ruling(outcome, tuple(trace.lines), (), summary)


def rule_on_run(
    facts: Approach, own: Sequence[AircraftCard], book: CarriersBook
) -> Ruling[FireOutcome]:
    """Rules on a strike announced, before the defender says who intercepts. No dice.

    Raises:
        Malformed: CAR-7.1, it carries nothing; and as `check_flight`.
        Illegal: As `check_flight`.

    Source: seed 003, dive bombing and torpedo strikes; register 4.4 and 4.5.
    """
    if facts.weapon is None:
        raise Malformed(
            "A strike carries bombs or a torpedo; say which.",
            rule_id="CAR-7.1",
            field="approach.weapon",
        )
    trace = Trace()
    card, approached = announced(facts, own, book, trace)
    summary = f"{card.title} carries {_CARRIES[facts.weapon]} to the {facts.line} line."
    return Ruling(FireOutcome(approached), tuple(trace.lines), (), summary)


def rule_on_strike(
    facts: Strike, own: Sequence[AircraftCard], book: CarriersBook, dice: Dice
) -> Ruling[FireOutcome]:
    """Rules on one strike: interception, the die to hit, and the damage.

    The dice come in this order: the interceptors', if there are any; the die to hit; those of
    the tables, as `hits` says.

    Raises:
        Malformed: CAR-7.1, the target is not an enemy's; and as `check_flight`,
            `check_interceptors` and `check_target`.
        Illegal: As `check_flight`, `check_interceptors` and `check_target`.

    Source: seed 003, dive bombing and torpedo strikes; register 4.4 to 4.8.
    """
    trace = Trace.of(dice)
    card = check_flight(mission_of(facts), own, book, trace)
    _check_enemy(card, facts.target)
    check_target(facts.target, book, "strike.target")
    interceptors = check_interceptors(facts, card, own, book, trace)
    met = met_by(interceptors, book, dice, trace)
    hit = not met.turned_back and _hits(card, facts, book, dice, trace)
    outcome = Struck(
        turned_back=met.turned_back,
        hit=hit,
        harm=hit_by(facts.weapon, facts.target, book, dice, trace) if hit else None,
        flyer_lost=met.flyer_lost,
        interceptor_spent=met.interceptor_spent,
    )
    return Ruling.told(
        FireOutcome(outcome),
        trace,
        lambda: ((), _summary(card, interceptors, facts, outcome, book)),
    )


def _check_enemy(card: AircraftCard, target: Ship) -> None:
    if card.nation == target.nation:
        raise Malformed(
            f"The {card.title} and its target are both {NATIONS[card.nation]}; a strike goes to "
            "an enemy ship.",
            rule_id="CAR-7.1",
            field="strike.target.nation",
            nation=card.nation.value,
        )


# ---- The die to hit


def _hits(card: AircraftCard, facts: Strike, book: CarriersBook, dice: Dice, trace: Trace) -> bool:
    """CAR-7.3."""
    number = strike_number(card, facts.weapon, book)
    off = subtraction(facts.target, facts.weapon, book, card.role)
    eased = book.settings.minus_one == "roll"
    read = Hits(number, number + off if eased else number - off)
    hit = trace.roll(dice, Ask((D6,), read, "to-hit", "CAR-7.3"))
    if trace.thrown:
        _record_subtraction(facts, card, number, trace.thrown, book, trace)
    trace.finding("CAR-7.3", "hit", hit)
    shows = hit
    if not hit and not facts.revealed:
        trace.setting("CAR-7.6", "strike_shows", book.settings.strike_shows)
        shows = book.settings.strike_shows == "past-cards"
    if shows:
        trace.finding("CAR-7.6", "target", ship_told(facts.target))
    return hit


def _record_subtraction(
    facts: Strike,
    card: AircraftCard,
    number: int,
    thrown: int,
    book: CarriersBook,
    trace: Trace,
) -> None:
    """What the target's standing effects take off, and from what (CAR-8.1)."""
    record_settings(facts.target, facts.weapon, card.role, book, trace)
    off = parts(facts.target, facts.weapon, book, card.role)
    if not off:
        return
    for key, amount in off:
        trace.modifier(SUBTRACTION, key.value, amount)
    name, base, low = "die", thrown, 1
    if book.settings.minus_one == "number":
        name, base, low = f"{facts.weapon.value}_number", number, 0
    left = trace.sum(SUBTRACTION, name, base, base + sum(amount for _, amount in off))
    trace.clamp(SUBTRACTION, name, left, low, D6)


# ---- In words


def _summary(
    card: AircraftCard,
    interceptors: Interceptors,
    facts: Strike,
    outcome: Struck,
    book: CarriersBook,
) -> str:
    if outcome.turned_back:
        return turned_back_told(card, interceptors, lost=outcome.flyer_lost)
    if outcome.harm is None:
        return f"{card.title} misses with {_CARRIES[facts.weapon]}."
    harm = harm_told(outcome.harm, facts.target, facts.weapon, book)
    return f"{card.title} hits {ship_told(facts.target)} with {_CARRIES[facts.weapon]}: {harm}."
