"""Changing bands, and the pigeon's flight. Chapter 2 of the rules."""

from __future__ import annotations

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.events import BandChosen
from guncamera.rulesets.peregrine.facts import Bird, MoveFacts, MoveOutcome, bands_above

MOST_LEAGUES = 60


def rule_on_move(facts: MoveFacts, book: PeregrineBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a bird's choice of a band; no dice.

    Raises:
        Illegal: PER-2.1, the band is too far away under the setting `band_change`.

    Source: this folder's README, Bands.
    """
    trace = Trace.of(dice)
    _check_change(facts, book, trace)
    left = _fly(facts, book, trace) if facts.bird is Bird.PIGEON else facts.leagues_to_go
    outcome = MoveOutcome(facts.to_band, left)
    chosen = BandChosen("PER-2.1", facts.bird, facts.to_band, left)
    return Ruling.told(outcome, trace, lambda: ((chosen,), _summary(facts, left)))


def _check_change(facts: MoveFacts, book: PeregrineBook, trace: Trace) -> None:
    if abs(bands_above(facts.to_band, facts.from_band)) <= 1:
        return
    if book.settings.band_change == "one-band":
        raise Illegal(
            "PER-2.1",
            f"From {facts.from_band} to {facts.to_band} are two bands, and a bird changes one in "
            "a turn; choose middle, or stay.",
            field="to_band",
            from_band=facts.from_band.value,
            to_band=facts.to_band.value,
        )
    trace.setting("PER-2.1", "band_change", book.settings.band_change)


def _fly(facts: MoveFacts, book: PeregrineBook, trace: Trace) -> int:
    """The leagues left after the pigeon's flight (PER-2.2); none is home (PER-1.1)."""
    table = book.tables["flight"]
    trace.look_up(table, facts.to_band, "leagues")
    flown = table.number(facts.to_band, "leagues")
    trace.modifier("PER-2.2", "flown", -flown)
    left = trace.sum("PER-2.2", "leagues_to_go", facts.leagues_to_go, facts.leagues_to_go - flown)
    return trace.clamp("PER-1.1", "leagues_to_go", left, 0, MOST_LEAGUES)


def _summary(facts: MoveFacts, left: int) -> str:
    if facts.bird is Bird.FALCON:
        return f"The falcon flies {facts.to_band}."
    return f"The pigeon flies {facts.to_band} and " + (
        f"has {left} leagues to go." if left else "is home."
    )
