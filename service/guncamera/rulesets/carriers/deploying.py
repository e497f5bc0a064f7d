"""Where a side's ships begin. Rule CAR-3.9.

Source: seed 003, preparation; register section 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from guncamera.rules.refusal import Violation, refuse_faults
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Line
from guncamera.rulesets.carriers.facts import Berth, Deploying, Fleet
from guncamera.rulesets.carriers.fleets import berths_of, check_fleet, line_of, with_berths
from guncamera.rulesets.carriers.outcomes import Deployed, MoveOutcome
from guncamera.rulesets.carriers.sailing import check_capacity, record_lines

RULE = "CAR-3.9"


def rule_on_deploying(facts: Deploying, book: CarriersBook) -> Ruling[MoveOutcome]:
    """Rules on where a side's ships begin: on any line, in any order.

    Raises:
        Malformed: CAR-1.4, a fleet that cannot be; CAR-3.9, berths that name a ship twice, leave
            one out, or name one that is not there.
        Illegal: CAR-3.8, a line is full.
    """
    check_fleet(facts.fleet, "deploying.fleet")
    fleet = facts.fleet
    if facts.berths:
        _check_berths(fleet, facts.berths, "deploying.berths")
        fleet = with_berths(fleet, facts.berths)
    trace = Trace()
    for line in Line:
        check_capacity(len(line_of(fleet, line)), line, book, "deploying.berths")
    if book.settings.line_capacity:
        trace.setting("CAR-3.8", "line_capacity", book.settings.line_capacity)
    record_lines(fleet, trace, RULE)
    outcome = MoveOutcome(Deployed(berths_of(fleet)))
    return Ruling(outcome, tuple(trace.lines), (), "The fleet has taken its places.")


def _check_berths(fleet: Fleet, berths: Sequence[Berth], path: str) -> None:
    refuse_faults(_faults(fleet, berths, path))


def _faults(fleet: Fleet, berths: Sequence[Berth], path: str) -> Iterator[Violation]:
    """Every ship afloat has one berth, and nothing else has."""
    afloat = [ship.id for ship in fleet if ship.afloat]
    given = Counter(berth.ship for berth in berths)
    for at, berth in enumerate(berths):
        if berth.ship not in afloat:
            text = f"there is no ship {berth.ship!r} afloat in this fleet; take the berth out"
            yield Violation(f"{path}[{at}].ship", text, RULE)
        elif given[berth.ship] > 1:
            text = f"{berth.ship} has {given[berth.ship]} berths; give each ship one"
            yield Violation(f"{path}[{at}].ship", text, RULE)
    left = [ship for ship in afloat if ship not in given]
    if left:
        text = f"no berth is given for {', '.join(left)}; give every ship one, or no berths at all"
        yield Violation(path, text, RULE)
