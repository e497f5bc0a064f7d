"""What the repetitions of a measurement gave, and their medians."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Seen:
    """One list for each figure, an item for each repetition."""

    rates: list[float] = field(default_factory=list)
    cpu_micros: list[float] = field(default_factory=list)
    load_micros: list[float] = field(default_factory=list)
    p50_ms: list[float] = field(default_factory=list)
    p99_ms: list[float] = field(default_factory=list)

    def add(self, wall: float, used: float, own: float, times: Sequence[float]) -> None:
        """Take in a repetition, all in seconds.

        Args:
            wall: How long it took.
            used: Processor time of the server.
            own: Processor time of the load.
            times: Of each call.
        """
        calls, ordered = len(times), sorted(times)
        self.rates.append(calls / wall)
        self.cpu_micros.append(used / calls * 1e6)
        self.load_micros.append(own / calls * 1e6)
        self.p50_ms.append(ordered[calls // 2] * 1e3)
        self.p99_ms.append(ordered[int(calls * 0.99)] * 1e3)

    def figures(self) -> dict[str, float]:
        """Medians over the repetitions."""
        return {
            "calls_per_s": round(statistics.median(self.rates), 1),
            "cpu_us_per_call": round(statistics.median(self.cpu_micros), 1),
            "load_us_per_call": round(statistics.median(self.load_micros), 1),
            "p50_ms": round(statistics.median(self.p50_ms), 3),
            "p99_ms": round(statistics.median(self.p99_ms), 3),
        }
