"""What counts as done to the enemy in a rule set; each rule set's own is in its `stock` folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """What luck is counted in.

    Attributes:
        unit: What is counted, for people.
        verb: The verb whose rulings tell it.
        of: A ruling's outcome to the number; None where it tells none.
        whose: Facts and the seat that gave the order, to the seat whose luck it is.
    """

    unit: str
    verb: str
    of: Callable[[Any], int | None]
    whose: Callable[[Any, str], str] = lambda _facts, seat: seat


def of_procedure(name: str) -> Callable[[Any], int | None]:
    """The number of that name in an outcome's procedure, where it has one."""

    def of(outcome: Any) -> int | None:
        found = getattr(outcome.procedure, name, None)
        return None if found is None else int(found)

    return of
