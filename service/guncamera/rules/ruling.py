"""What the rules decided: an outcome, the trace that led to it, and the events that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from guncamera.rules.straight_line import quick
from guncamera.rules.trace import Trace, TraceLine

O = TypeVar("O")  # noqa: E741
O_co = TypeVar("O_co", covariant=True)


@quick
@dataclass(frozen=True, slots=True)
class Ruling(Generic[O_co]):
    """A ruling.

    Attributes:
        outcome: The typed heart: a frozen dataclass of the rule set, hashable, free of faces,
            so that exact odds can merge equal outcomes.
        trace: The lines that led to it, in order.
        events: What changes on a board, in order; each a frozen dataclass with its `rule_id`.
        summary: One sentence for a chat log.
    """

    outcome: O_co
    trace: tuple[TraceLine, ...]
    events: tuple[Any, ...] = ()
    summary: str = ""

    @staticmethod
    def told(
        outcome: O, trace: Trace, tell: Callable[[], tuple[tuple[Any, ...], str]]
    ) -> Ruling[O]:
        """A ruling with its trace, and with events and summary if anybody reads them.

        Args:
            tell: `() -> (events, summary)`; not asked while odds are enumerated, which see the
                outcome alone.
        """
        if not trace.is_read:
            return Ruling(outcome, ())
        events, summary = tell()
        return Ruling(outcome, tuple(trace.lines), events, summary)
