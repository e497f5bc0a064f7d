# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""Rulings without a session: the caller brings the facts, and nothing is remembered."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import Message
from guncamera.v1.actions_pb2 import (
    DamageFacts,
    FireFacts,
    MoveFacts,
    RulesetSettings,
    SpotFacts,
    WindFacts,
)
from guncamera.v1.resolution_service_pb2 import (
    BatchItem,
    BatchResolveRequest,
    BatchResolveResponse,
    ComputeOddsRequest,
    ComputeOddsResponse,
    ResolveDamageRequest,
    ResolveDamageResponse,
    ResolveFireRequest,
    ResolveFireResponse,
    ResolveMoveRequest,
    ResolveMoveResponse,
    ResolveSpotRequest,
    ResolveSpotResponse,
    ResolveWindRequest,
    ResolveWindResponse,
)

from guncamera_client._blocking.calls import Calls
from guncamera_client._wrap import wrap, wrap_given
from guncamera_client.dice import Dice, policy_of


class ResolutionCalls(Calls):
    """The calls of `ResolutionService`."""

    def resolve_move(
        self,
        facts: MoveFacts | Message,
        *,
        dice: Dice = None,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
    ) -> ResolveMoveResponse:
        """Rules on movement from the facts given.

        Args:
            facts: What the rule needs to know: a `MoveFacts`, or the rule set's own message.
            dice: None: the service throws. A list: faces that were thrown, in the order asked.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.

        Returns:
            Outcome, trace, events, dice and a summary. It is not kept; a repeated call with the
            service's dice throws anew, and so does a repeated attempt at this call.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.
            RollRequired: more dice are to be thrown than were given.
            VerbNotInRuleset: the rule set has no such verb.

        Example:
            ```python
            ruling = client.resolve_move(KetteringFlight(…), dice=[4, 6])
            ```
        """
        request = ResolveMoveRequest(
            facts=wrap(facts, MoveFacts),
            dice=policy_of(dice),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            rules_version=rules_version,
        )
        return self._call("ResolveMove", request, ResolveMoveResponse)

    def resolve_wind(
        self,
        facts: WindFacts | Message,
        *,
        dice: Dice = None,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
    ) -> ResolveWindResponse:
        """Rules on the wind from the facts given.

        Args:
            facts: What the rule needs to know: a `WindFacts`, or the rule set's own message.
            dice: None: the service throws. A list: faces that were thrown, in the order asked.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.

        Returns:
            Outcome, trace, events, dice and a summary. It is not kept; a repeated call with the
            service's dice throws anew, and so does a repeated attempt at this call.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.
            RollRequired: more dice are to be thrown than were given.
            VerbNotInRuleset: the rule set has no such verb.

        Example:
            ```python
            ruling = client.resolve_wind(KetteringWindFacts(…), dice=[4, 6])
            ```
        """
        request = ResolveWindRequest(
            facts=wrap(facts, WindFacts),
            dice=policy_of(dice),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            rules_version=rules_version,
        )
        return self._call("ResolveWind", request, ResolveWindResponse)

    def resolve_spot(
        self,
        facts: SpotFacts | Message,
        *,
        dice: Dice = None,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
    ) -> ResolveSpotResponse:
        """Rules on spotting from the facts given.

        Args:
            facts: What the rule needs to know: a `SpotFacts`, or the rule set's own message.
            dice: None: the service throws. A list: faces that were thrown, in the order asked.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.

        Returns:
            Outcome, trace, events, dice and a summary. It is not kept; a repeated call with the
            service's dice throws anew, and so does a repeated attempt at this call.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.
            RollRequired: more dice are to be thrown than were given.
            VerbNotInRuleset: the rule set has no such verb.

        Example:
            ```python
            ruling = client.resolve_spot(KetteringSpotFacts(…), dice=[4, 6])
            ```
        """
        request = ResolveSpotRequest(
            facts=wrap(facts, SpotFacts),
            dice=policy_of(dice),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            rules_version=rules_version,
        )
        return self._call("ResolveSpot", request, ResolveSpotResponse)

    def resolve_fire(
        self,
        facts: FireFacts | Message,
        *,
        dice: Dice = None,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
    ) -> ResolveFireResponse:
        """Rules on a shot from the facts given.

        Args:
            facts: What the rule needs to know: a `FireFacts`, or the rule set's own message.
            dice: None: the service throws. A list: faces that were thrown, in the order asked.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.

        Returns:
            Outcome, trace, events, dice and a summary. It is not kept; a repeated call with the
            service's dice throws anew, and so does a repeated attempt at this call.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.
            RollRequired: more dice are to be thrown than were given.
            VerbNotInRuleset: the rule set has no such verb.

        Example:
            ```python
            ruling = client.resolve_fire(KetteringFireFacts(…), dice=[4, 6])
            ```
        """
        request = ResolveFireRequest(
            facts=wrap(facts, FireFacts),
            dice=policy_of(dice),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            rules_version=rules_version,
        )
        return self._call("ResolveFire", request, ResolveFireResponse)

    def resolve_damage(
        self,
        facts: DamageFacts | Message,
        *,
        dice: Dice = None,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
    ) -> ResolveDamageResponse:
        """Rules on damage from the facts given.

        Args:
            facts: What the rule needs to know: a `DamageFacts`, or the rule set's own message.
            dice: None: the service throws. A list: faces that were thrown, in the order asked.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.

        Returns:
            Outcome, trace, events, dice and a summary. It is not kept; a repeated call with the
            service's dice throws anew, and so does a repeated attempt at this call.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.
            RollRequired: more dice are to be thrown than were given.
            VerbNotInRuleset: the rule set has no such verb.

        Example:
            ```python
            ruling = client.resolve_damage(KetteringRepair(…), dice=[4, 6])
            ```
        """
        request = ResolveDamageRequest(
            facts=wrap(facts, DamageFacts),
            dice=policy_of(dice),
            settings=wrap_given(settings, RulesetSettings),
            variant=variant,
            rules_version=rules_version,
        )
        return self._call("ResolveDamage", request, ResolveDamageResponse)

    def compute_odds(
        self,
        facts: ComputeOddsRequest | Message,
        *,
        settings: RulesetSettings | Message | None = None,
        variant: str = "",
        rules_version: int | None = None,
        max_outcomes: int = 0,
    ) -> ComputeOddsResponse:
        """Computes the exact odds of a ruling, through the rule that would make it.

        Args:
            facts: The facts of any verb: a `FireFacts` or its like, or the rule set's own message.
                A `ComputeOddsRequest` is taken whole, and the other arguments are put into it
                where they are given.
            settings: House readings that differ from the defaults.
            variant: A variant of the rule set, by its name; empty for the rules as printed.
            rules_version: The rules version relied on; None takes the one in force.
            max_outcomes: Most outcomes to list, 1 to 1,000; 0 leaves it to the service, 100.

        Returns:
            Every outcome with its probability as a fraction, and the distribution of each field.

        Raises:
            OddsTooLarge: it would take too many runs of the rule.
            IllegalOrder: a rule forbids it; `rule_id` says which.
            InputInvalid: facts are missing or out of range; see `violations`.

        Example:
            ```python
            odds = client.compute_odds(KetteringFireFacts(…))
            print(odds.outcomes[0].likelihood.fraction)
            ```
        """
        request = ComputeOddsRequest()
        request.CopyFrom(wrap(facts, ComputeOddsRequest))
        request.MergeFrom(
            ComputeOddsRequest(
                settings=wrap_given(settings, RulesetSettings),
                variant=variant,
                rules_version=rules_version,
                max_outcomes=max_outcomes,
            )
        )
        return self._call("ComputeOdds", request, ComputeOddsResponse)

    def batch_resolve(self, items: Iterable[BatchItem | Message]) -> BatchResolveResponse:
        """Rules on many questions at once. Each is answered or refused on its own.

        Args:
            items: 1 to 256 questions: a `BatchItem`, a `ResolveFireRequest` or its like, or only
                facts, whose dice the service throws.

        Returns:
            One result for each question, in their order. A refused one holds a `problem`, which
            `guncamera_client.error_from` turns into an exception.

        Raises:
            InputInvalid: there are none, or too many.

        Example:
            ```python
            answers = client.batch_resolve([KetteringFireFacts(…), KetteringFireFacts(…)])
            hits = [answer.fire.outcome.kettering for answer in answers.results]
            ```
        """
        request = BatchResolveRequest(items=[wrap(item, BatchItem) for item in items])
        return self._call("BatchResolve", request, BatchResolveResponse)
