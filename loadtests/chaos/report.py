"""What a run of chaos has shown: a table to read, and one line of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chaos.checking import Found


@dataclass(frozen=True)
class Shown:
    """One fault, and what came of it.

    Attributes:
        back_seconds: Until every player had an answer to an order given after the fault; None: not
            within the limit and its grace.
        lasted_seconds: How long the fault itself lasted.
        longest_seconds: From the fault on, what the longest call took from its first attempt to
            its answer.
    """

    stage: str
    fault: str
    counts: Counter[str]
    surprises: Counter[str]
    longest_seconds: float
    back_seconds: float | None
    lasted_seconds: float
    limit_seconds: float
    found: Found

    @property
    def is_late(self) -> bool:
        """Whether the service took longer than is stated, once the fault was over."""
        if self.back_seconds is None or self.back_seconds > self.limit_seconds:
            return True
        return self.longest_seconds > self.lasted_seconds + self.limit_seconds


@dataclass
class Report:
    """All faults of a run."""

    seed: str
    shown: list[Shown] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, one: Shown) -> None:
        """Take in what came of a fault."""
        self.shown.append(one)
        self.wrong += one.found.wrong
        self.wrong += [f"{count} times {what}" for what, count in one.surprises.items()]

    @property
    def is_well(self) -> bool:
        """Whether nothing was lost, doubled, late or wrong, and something was shown."""
        plain = self.plain()
        bad = plain["lost"] + plain["doubled"] + plain["late"] + plain["wrong"]
        return bool(self.shown) and not bad

    def plain(self) -> dict[str, Any]:
        """The counts."""
        counts: Counter[str] = sum((one.counts for one in self.shown), Counter())
        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "calls": counts["calls"],
            "answered": counts["answered"],
            "unanswered": counts["unanswered"],
            "faults": len(self.shown),
            "actions": sum(one.found.verified for one in self.shown),
            "asked_again": sum(one.found.asked_again for one in self.shown),
            "lost": sum(one.found.lost for one in self.shown),
            "doubled": sum(one.found.doubled for one in self.shown),
            "late": sum(one.is_late for one in self.shown),
            "wrong": len(self.wrong),
            "by_fault": [
                {
                    "stage": one.stage,
                    "fault": one.fault,
                    "calls": one.counts["calls"],
                    "unanswered": one.counts["unanswered"],
                    "back_seconds": one.back_seconds and round(one.back_seconds, 2),
                    "limit_seconds": one.limit_seconds,
                    "longest_call_seconds": round(one.longest_seconds, 2),
                    "lost": one.found.lost,
                    "doubled": one.found.doubled,
                }
                for one in self.shown
            ],
        }


HEAD = (
    f"{'fault':<44} {'calls':>6} {'unanswered':>10} {'back s':>6} {'limit':>5} {'longest s':>9} "
    f"{'games':>5} {'verified':>8} {'lost':>4} {'doubled':>7}"
)


def line(one: Shown) -> str:
    """A fault in a line of the table under `HEAD`."""
    back = "never" if one.back_seconds is None else f"{one.back_seconds:.1f}"
    found = one.found
    return (
        f"{one.fault:<44} {one.counts['calls']:>6} {one.counts['unanswered']:>10} {back:>6} "
        f"{one.limit_seconds:>5.0f} {one.longest_seconds:>9.1f} {found.games:>5} "
        f"{found.verified:>8} {found.lost:>4} {found.doubled:>7}"
    )


def closing(plain: dict[str, Any], wrong: Sequence[str]) -> str:
    """The last lines of the report."""
    sums = ", ".join(
        f"{plain[key]} {word}"
        for key, word in (
            ("calls", "calls"),
            ("unanswered", "of them unanswered"),
            ("faults", "faults"),
            ("actions", "rulings verified"),
            ("asked_again", "orders asked again"),
            ("lost", "lost"),
            ("doubled", "doubled"),
            ("late", "late"),
        )
    )
    return "\n".join([*(f"WRONG: {one}" for one in wrong), f"{sums}; seed {plain['seed']}"])
