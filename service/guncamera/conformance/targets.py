"""What a case can be put to: the core itself, or a service through either client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from guncamera_client.errors import GuncameraError

from guncamera.api import wire
from guncamera.api.rulings import fill_outcome, read_event, read_line
from guncamera.conformance.cases import Case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import flat, from_plain, to_plain, union_to_plain
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Procedure, Ruleset, ruleset
from guncamera.v1 import actions_pb2

OddsByField = Mapping[str, Mapping[str, Fraction]]


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal, however it came."""

    reason: str
    rule_id: str
    fields: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling in plain form, or a refusal."""

    outcome: dict[str, Any] | None = None
    trace: tuple[dict[str, Any], ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    summary: str = ""
    rolls: tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...] = ()
    refused: Refused | None = None


class Target(Protocol):
    """Answers cases."""

    def resolve(self, case: Case) -> Answer:
        """The ruling on a case, with its faces supplied."""
        ...

    def odds(self, case: Case) -> OddsByField:
        """The exact odds of each field of the case's outcome, by value."""
        ...


class CoreTarget:
    """The rules in this process."""

    def resolve(self, case: Case) -> Answer:
        """See `Target`."""
        try:
            found, procedure, facts = read_case(case)
            book = found.book.with_settings(case.settings)
            dice = DealtDice(case.faces)
            ruling = procedure.rule(facts, book, dice)
            dice.close()
        except Refusal as refusal:
            return Answer(refused=_of_refusal(refusal))
        return Answer(
            outcome=to_plain(ruling.outcome),
            trace=tuple(union_to_plain(line) for line in ruling.trace),
            events=tuple(union_to_plain(event) for event in ruling.events),
            summary=ruling.summary,
            rolls=tuple((roll.purpose, roll.sides, roll.faces) for roll in dice.rolls),
        )

    def odds(self, case: Case) -> OddsByField:
        """See `Target`."""
        found, procedure, facts = read_case(case)
        book = found.book.with_settings(case.settings)
        odds = odds_of(lambda dice: procedure.rule(facts, book, dice).outcome)
        return odds.by_field(flat)


class ClientTarget:
    """A service, through a client of either transport.

    Args:
        client: A `guncamera_client.Client` or `RestClient`.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def resolve(self, case: Case) -> Answer:
        """See `Target`."""
        try:
            found, procedure, facts, settings = self._messages(case)
            call = getattr(self._client, f"resolve_{case.verb}")
            response = call(facts, dice=list(case.faces), settings=settings)
        except GuncameraError as error:
            return Answer(refused=_of_error(error))
        message = getattr(response.outcome, found.slug)
        outcome: Any = wire.read(message, procedure.outcome, "outcome")
        return Answer(
            outcome=to_plain(outcome),
            trace=tuple(union_to_plain(read_line(one, "trace")) for one in response.trace),
            events=tuple(
                union_to_plain(read_event(one, found, "events")) for one in response.events
            ),
            summary=response.summary,
            rolls=tuple(
                (roll.purpose, tuple(roll.sides), tuple(roll.faces)) for roll in response.rolls
            ),
        )

    def odds(self, case: Case) -> OddsByField:
        """See `Target`."""
        _, _, facts, settings = self._messages(case)
        response = self._client.compute_odds(facts, settings=settings)
        return {
            one.field: {v.value: Fraction(v.likelihood.fraction) for v in one.values}
            for one in response.fields
        }

    @staticmethod
    def _messages(case: Case) -> tuple[Ruleset, Procedure, Any, Any]:
        found, procedure, value = read_case(case)
        facts = getattr(actions_pb2, f"{case.verb.value.capitalize()}Facts")()
        fill_outcome(facts, found.slug, value)
        settings = actions_pb2.RulesetSettings()
        inner = getattr(settings, found.slug)
        inner.SetInParent()
        for name, chosen in case.settings.items():
            setattr(inner, name, chosen)
        return found, procedure, facts, settings


def read_case(case: Case) -> tuple[Ruleset, Procedure, Any]:
    """A case's rule set, procedure and facts.

    Raises:
        Malformed: The facts are no facts of the procedure: what some cases are about.
    """
    found = ruleset(case.ruleset)
    procedure = found.procedure(case.verb)
    return found, procedure, from_plain(procedure.facts, case.facts, f"facts.{found.slug}")


def can_be_sent(case: Case) -> bool:
    """Whether the facts are shaped so that a typed client can send them at all."""
    try:
        read_case(case)
    except Malformed:
        return False
    return True


def _of_refusal(refusal: Refusal) -> Refused:
    fields = (
        tuple(v.field for v in refusal.violations)
        if isinstance(refusal, Malformed)
        else (refusal.field,)
    )
    return Refused(refusal.reason, refusal.rule_id, fields, refusal.message)


def _of_error(error: GuncameraError) -> Refused:
    fields = tuple(violation.field for violation in error.violations)
    return Refused(error.reason, error.rule_id, fields, error.message)
