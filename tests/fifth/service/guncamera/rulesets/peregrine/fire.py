"""The falcon's stoop: from height, feathers and breath to feathers lost. Chapter 3 of the rules."""

from __future__ import annotations

from guncamera.rules.book import figure
from guncamera.rules.dice import D6, Ask, Dice, LookUp
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.peregrine.book import PeregrineBook
from guncamera.rulesets.peregrine.events import Stooped, Waited
from guncamera.rulesets.peregrine.facts import FireFacts, FireOutcome, bands_above

COLUMNS = ("level", "one band", "two bands")
"""Of the table `stoop`, by how far the falcon is above the pigeon."""


def rule_on_fire(facts: FireFacts, book: PeregrineBook, dice: Dice) -> Ruling[FireOutcome]:
    """Rules on one stoop, or on waiting.

    Raises:
        Illegal: PER-3.1, the falcon is below the pigeon; PER-3.3, it is out of breath.

    Source: this folder's README, The stoop.
    """
    trace = Trace.of(dice)
    if not facts.stoops:
        return _wait(facts, book, trace)
    above = bands_above(facts.falcon, facts.pigeon)
    _check_stoop(facts, above)
    trace.finding("PER-3.1", "column", COLUMNS[above])
    read = LookUp(book.tables["stoop"], COLUMNS[above], _ragged(facts, book, trace))
    lost = int(trace.roll(dice, Ask((D6,), read, "stoop", "PER-3.1")))
    outcome = _reckoned(facts, lost, book, trace)
    stooped = Stooped("PER-3.1", outcome.feathers, outcome.breath)
    return Ruling.told(outcome, trace, lambda: ((stooped,), _summary(outcome, lost)))


def _wait(facts: FireFacts, book: PeregrineBook, trace: Trace) -> Ruling[FireOutcome]:
    """A breath is taken, and no die falls (PER-3.3)."""
    breath = _breathe(facts, 1, "waiting", book, trace)
    outcome = FireOutcome(facts.feathers, breath, caught=False)
    waited = Waited("PER-3.3", breath)
    return Ruling.told(outcome, trace, lambda: ((waited,), "The falcon waits."))


def _check_stoop(facts: FireFacts, above: int) -> None:
    if above < 0:
        raise Illegal(
            "PER-3.1",
            f"The falcon is {facts.falcon} and the pigeon {facts.pigeon}: nobody stoops upward. "
            "Wait, and climb.",
            field="falcon",
            falcon=facts.falcon.value,
            pigeon=facts.pigeon.value,
        )
    if facts.breath == 0:
        raise Illegal(
            "PER-3.3",
            "The falcon has no breath left for a stoop; it can only wait, which gives one back.",
            field="breath",
            breath=0,
        )


def _ragged(facts: FireFacts, book: PeregrineBook, trace: Trace) -> int:
    """What the pigeon's lost feathers add to the die (PER-3.2)."""
    if facts.feathers < figure(book, "ragged_feathers"):
        return 0
    trace.setting("PER-3.2", "ragged", book.settings.ragged)
    if book.settings.ragged == "nothing":
        return 0
    return trace.modifier("PER-3.2", "ragged", 1, f"{facts.feathers} feathers are lost")


def _reckoned(facts: FireFacts, lost: int, book: PeregrineBook, trace: Trace) -> FireOutcome:
    enough = figure(book, "feathers")
    trace.modifier("PER-3.2", "feathers_lost", lost)
    feathers = trace.sum("PER-3.2", "feathers", facts.feathers, facts.feathers + lost)
    caught = feathers >= enough
    trace.finding("PER-3.2", "caught", caught)
    return FireOutcome(feathers, _breathe(facts, -1, "stoop", book, trace), caught)


def _breathe(facts: FireFacts, amount: int, name: str, book: PeregrineBook, trace: Trace) -> int:
    """The breath that is left, never more than there is (PER-3.3)."""
    trace.modifier("PER-3.3", name, amount)
    breath = trace.sum("PER-3.3", "breath", facts.breath, facts.breath + amount)
    return trace.clamp("PER-3.3", "breath", breath, 0, figure(book, "breath"))


def _summary(outcome: FireOutcome, lost: int) -> str:
    if outcome.caught:
        return "The falcon catches the pigeon."
    if lost == 0:
        return "The falcon misses."
    return f"The falcon strikes, and feathers fly: {lost}."
