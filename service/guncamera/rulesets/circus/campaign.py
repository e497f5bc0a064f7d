"""Resolution from one game of a campaign to the next. Rules CIR-11.3 and CIR-11.4."""

from __future__ import annotations

from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.facts import PilotRecord, Reckoning
from guncamera.rulesets.circus.outcomes import DamageOutcome, Reckoned, ReckonedPilot


def rule_on_reckoning(facts: Reckoning, book: CircusBook) -> Ruling[DamageOutcome]:
    """Rules on the resolution with which one side's pilots begin their next game. No dice.

    A pilot who did not survive begins no other game, and is left out.

    Raises:
        Malformed: CIR-11.3, a pilot who is there twice.

    Source: seed 002, pilot resolution in a campaign; register A-31.
    """
    trace = Trace()
    seen: set[str] = set()
    for at, pilot in enumerate(facts.pilots):
        if pilot.id in seen:
            raise Malformed(
                f"{pilot.id} is there twice; name each pilot once.",
                rule_id="CIR-11.3",
                field=f"reckoning.pilots[{at}].id",
                pilot=pilot.id,
            )
        seen.add(pilot.id)
    reckoned = tuple(
        _reckoned(pilot, facts.friends_killed, book, trace)
        for pilot in facts.pilots
        if pilot.survived
    )
    for pilot in facts.pilots:
        if not pilot.survived:
            trace.finding("CIR-11.3", "out_of_the_campaign", pilot.id, "he did not survive")
    outcome = DamageOutcome(Reckoned(reckoned))
    return Ruling(outcome, tuple(trace.lines), (), _summary(reckoned))


def _reckoned(
    pilot: PilotRecord, friends_killed: int, book: CircusBook, trace: Trace
) -> ReckonedPilot:
    trace.finding("CIR-11.3", "pilot", pilot.id)
    counted = (
        ("friends_killed", friends_killed * figure(book, "friend_killed_resolution")),
        ("kills", pilot.kills * figure(book, "kill_resolution")),
        ("survival", figure(book, "survival_resolution")),
    )
    before = left = pilot.resolution
    for name, amount in counted:
        if amount:
            left += trace.modifier("CIR-11.3", name, amount)
    trace.sum("CIR-11.3", "resolution", before, left)
    left = _within_limits(left, book, trace)
    return ReckonedPilot(pilot.id, left - before, left)


def _within_limits(resolution: int, book: CircusBook, trace: Trace) -> int:
    """The resolution, held to the limits of a campaign (CIR-11.4)."""
    lowest, highest = (figure(book, f"{name}_resolution") for name in ("lowest", "highest"))
    if lowest <= resolution <= highest:
        return resolution
    trace.setting("CIR-11.4", "campaign_limits", book.settings.campaign_limits)
    if book.settings.campaign_limits == "none":
        return resolution
    return trace.clamp("CIR-11.4", "resolution", resolution, lowest, highest)


def _summary(pilots: tuple[ReckonedPilot, ...]) -> str:
    if not pilots:
        return "No pilot is left to begin another game."
    each = ", ".join(f"{pilot.id} {pilot.resolution}" for pilot in pilots)
    return f"Resolution for the next game: {each}."
