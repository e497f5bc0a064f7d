"""ResolutionService: rulings and odds without a session."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from guncamera.api.as_written import as_written
from guncamera.api.caller import AnswerNotes, Caller
from guncamera.api.problems import problem_message
from guncamera.api.rulings import (
    chosen,
    fill_outcome,
    fill_rolls,
    fill_ruling,
    read_book,
    read_dice,
    read_facts,
)
from guncamera.rules.odds import Odds, odds_of
from guncamera.rules.plain import flat
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Verb
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.entropy import SystemDice
from guncamera.sessions.resolution import resolve
from guncamera.sessions.session import DiceSource
from guncamera.v1 import resolution_service_pb2 as pb
from guncamera.v1 import ruling_pb2

MAX_BATCH = 256
MAX_ODDS_RUNS = 50_000
MAX_OUTCOMES = 1000

R = TypeVar("R")


class ResolutionCalls:
    """One method for each call of ResolutionService.

    Attributes:
        variants: What may be asked for beside the rules as printed.
    """

    variants: Variants = NO_VARIANTS

    def ResolveMove(  # noqa: N802  # named as in the proto
        self, request: pb.ResolveMoveRequest, caller: Caller
    ) -> pb.ResolveMoveResponse:
        """Rule on movement."""
        return self._resolve(Verb.MOVE, request, pb.ResolveMoveResponse, caller.notes)

    def ResolveWind(  # noqa: N802
        self, request: pb.ResolveWindRequest, caller: Caller
    ) -> pb.ResolveWindResponse:
        """Rule on the wind."""
        return self._resolve(Verb.WIND, request, pb.ResolveWindResponse, caller.notes)

    def ResolveSpot(  # noqa: N802
        self, request: pb.ResolveSpotRequest, caller: Caller
    ) -> pb.ResolveSpotResponse:
        """Rule on spotting."""
        return self._resolve(Verb.SPOT, request, pb.ResolveSpotResponse, caller.notes)

    def ResolveFire(  # noqa: N802
        self, request: pb.ResolveFireRequest, caller: Caller
    ) -> pb.ResolveFireResponse:
        """Rule on fire."""
        return self._resolve(Verb.FIRE, request, pb.ResolveFireResponse, caller.notes)

    def ResolveDamage(  # noqa: N802
        self, request: pb.ResolveDamageRequest, caller: Caller
    ) -> pb.ResolveDamageResponse:
        """Rule on damage."""
        return self._resolve(Verb.DAMAGE, request, pb.ResolveDamageResponse, caller.notes)

    def BatchResolve(  # noqa: N802
        self, request: pb.BatchResolveRequest, _caller: Caller
    ) -> pb.BatchResolveResponse:
        """Rule on many questions, each answered or refused on its own."""
        if not 1 <= len(request.items) <= MAX_BATCH:
            raise Malformed(
                f"{len(request.items)} questions; give 1 to {MAX_BATCH}.",
                field="items",
                items=len(request.items),
            )
        response = pb.BatchResolveResponse()
        for at, item in enumerate(request.items):
            result = response.results.add()
            try:
                name = chosen(item, "question", f"items[{at}]")
            except Refusal as refusal:
                result.problem.CopyFrom(problem_message(refusal))
                continue
            question = getattr(item, name)
            try:
                self._resolve(Verb(name), question, partial(getattr, result, name), AnswerNotes())
            except Refusal as refusal:
                told = as_written(refusal, question, f"items[{at}].{name}")
                result.problem.CopyFrom(problem_message(told))
        return response

    def ComputeOdds(  # noqa: N802
        self, request: pb.ComputeOddsRequest, caller: Caller
    ) -> pb.ComputeOddsResponse:
        """The exact odds of a ruling."""
        try:
            return self._odds(request, caller.notes)
        except Refusal as refusal:
            raise as_written(refusal, request) from None

    def _odds(self, request: pb.ComputeOddsRequest, notes: AnswerNotes) -> pb.ComputeOddsResponse:
        most = request.max_outcomes or 100
        if not 1 <= most <= MAX_OUTCOMES:
            raise Malformed(
                f"{most} outcomes; give 1 to {MAX_OUTCOMES}.", field="max_outcomes", most=most
            )
        name = chosen(request, "facts", "facts")
        verb = Verb(name)
        notes.ruleset = getattr(request, name).WhichOneof("ruleset") or ""
        found, procedure, facts = read_facts(getattr(request, name), verb, name)
        book = read_book(request, found, self.variants)
        odds: Odds[Any] = odds_of(
            lambda dice: procedure.rule(facts, book, dice).outcome, limit=MAX_ODDS_RUNS
        )
        response = pb.ComputeOddsResponse(
            outcome_count=len(odds.outcomes),
            runs=odds.runs,
            rules_version=book.rules_version,
            rules_hash=book.digest,
        )
        for outcome, p in odds.likeliest(most):
            message = response.outcomes.add()
            fill_outcome(getattr(message, name), found.slug, outcome)
            _fill_likelihood(message.likelihood, p)
        _fill_fields(response, odds)
        return response

    def _resolve(self, verb: Verb, request: Any, answer: Callable[[], R], notes: AnswerNotes) -> R:
        """Rule, or refuse with the fields as the caller wrote them."""
        try:
            return self._resolved(verb, request, answer, notes)
        except Refusal as refusal:
            raise as_written(refusal, request) from None

    def _resolved(self, verb: Verb, request: Any, answer: Callable[[], R], notes: AnswerNotes) -> R:
        """Rule, and only then make the answer, so that a refusal leaves none half filled."""
        notes.ruleset = request.facts.WhichOneof("ruleset") or ""
        found, procedure, facts = read_facts(request.facts, verb, "facts")
        book = read_book(request, found, self.variants)
        resolved = resolve(
            procedure,
            facts,
            book,
            faces=read_dice(request.dice),
            drawn=SystemDice,
            source=DiceSource.DRAWN,
        )
        ruling = resolved.ruling
        response: Any = answer()
        response.summary = ruling.summary
        response.rules_version = book.rules_version
        response.rules_hash = book.digest
        fill_outcome(response.outcome, found.slug, ruling.outcome)
        fill_ruling(response, found.slug, ruling.trace, ruling.events)
        fill_rolls(response, resolved.rolls, resolved.dice_source)
        filled: R = response
        return filled


def _fill_fields(response: pb.ComputeOddsResponse, odds: Odds[Any]) -> None:
    for name, distribution in odds.by_field(flat).items():
        message = response.fields.add(field=name)
        for value, p in sorted(distribution.items(), key=lambda one: -one[1]):
            entry = message.values.add(value=value)
            _fill_likelihood(entry.likelihood, p)


def _fill_likelihood(message: ruling_pb2.Likelihood, p: Fraction) -> None:
    message.fraction = str(p)
    message.probability = float(p)
