"""Every reason the core can refuse, as one small tree.

A refusal says what is wrong, what the rule says, and what to do. It carries a `reason` that
programs branch on, the rule id where a rule speaks, and every value its message mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from guncamera.rules.dice import Ask
    from guncamera.rules.nearest import Nearest

Fact = str | int | bool
MAX_VIOLATIONS = 20


@dataclass(frozen=True, slots=True)
class Violation:
    """One field that is wrong: its path (`fire.kettering.range_hexes`), what is wrong, the rule."""

    field: str
    description: str
    rule_id: str = ""


class Refusal(Exception):
    """The rules say no. Never raised for a fault of ours.

    Attributes:
        surveyed: The order, and the facts that a survey made from it, where the rule refused
            those; whoever sent the order knows no field of the facts.
    """

    reason: ClassVar[str] = "REFUSED"
    surveyed: tuple[Any, Any] | None = None

    def __init__(self, message: str, *, rule_id: str = "", field: str = "", **facts: Fact) -> None:
        super().__init__(message)
        self.message = message
        self.rule_id = rule_id
        self.field = field
        self.facts: dict[str, Fact] = facts


class Malformed(Refusal):
    """Nonsense in any state: a missing, unknown or out-of-range value."""

    reason = "INPUT_INVALID"

    def __init__(
        self,
        message: str,
        *,
        rule_id: str = "",
        field: str = "",
        violations: Sequence[Violation] = (),
        **facts: Fact,
    ) -> None:
        super().__init__(message, rule_id=rule_id, field=field, **facts)
        found = tuple(violations) or (Violation(field, message, rule_id),)
        self.violations = found[:MAX_VIOLATIONS]
        self.violation_count = len(found)


def refuse_faults(faults: Iterable[Violation], rule_id: str = "") -> None:
    """Refuse what has a fault; all of them are told at once.

    Args:
        rule_id: The rule that the whole stands under; left out, the first fault's.

    Raises:
        Malformed: The words and the field of the first fault, and every one by its path.
    """
    found = tuple(faults)
    if not found:
        return
    first = found[0]
    more = f" ({len(found)} faults in all)" if len(found) > 1 else ""
    raise Malformed(
        f"{first.field}: {first.description}{more}.",
        rule_id=rule_id or first.rule_id,
        field=first.field,
        violations=found,
    )


class RollInvalid(Malformed):
    """Supplied faces that the dice asked for cannot show, or more faces than were asked for."""

    reason = "ROLL_INVALID"


class RulesetUnknown(Malformed):
    """No rule set has this slug."""

    reason = "RULESET_UNKNOWN"


class VariantUnknown(Malformed):
    """No variant of the rule set has this name here."""

    reason = "VARIANT_UNKNOWN"


class Illegal(Refusal):
    """Against a rule, here and now.

    Attributes:
        nearest: What may be ordered instead, where that was asked for.

    Example:
        `Illegal("KET-7.1", "Range is 3 hexes; a tail shot reaches 2. Close in.", range_hexes=3)`
    """

    reason = "ACTION_ILLEGAL"
    nearest: Nearest | None = None

    def __init__(self, rule_id: str, message: str, *, field: str = "", **facts: Fact) -> None:
        super().__init__(message, rule_id=rule_id, field=field, **facts)


class PhaseClosed(Illegal):
    """The order belongs to another phase of the turn."""

    reason = "PHASE_CLOSED"


class VerbNotInRuleset(Refusal):
    """The rule set has no such verb."""

    reason = "VERB_NOT_IN_RULESET"


class TooLarge(Refusal):
    """Exact odds would take more runs of the rule than are allowed. Waiting does not help."""

    reason = "ODDS_TOO_LARGE"


class RollRequired(Refusal):
    """Supplied faces ran out: the rule wants `ask` thrown.

    Throw it, add its faces to those already supplied, and repeat the call.
    """

    reason = "ROLL_REQUIRED"

    def __init__(self, ask: Ask[Any]) -> None:
        super().__init__(
            f"Roll {ask.notation()} for {ask.purpose}, read as {ask.read.describe()}; "
            "then repeat the call with these faces after those already supplied.",
            rule_id=ask.rule_id,
            field="dice.supplied.faces",
            purpose=ask.purpose,
            dice=ask.notation(),
        )
        self.ask = ask
