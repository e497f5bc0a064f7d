"""How strongly the faces that were counted speak against fair dice, read off the counts themselves.

For a die of s sides whose faces fell n1 … ns times, N in all, the doubt is the decimal logarithm of

    (s - 1)! n1! … ns! / (N + s - 1)! · s^N

which is how much likelier the throws are from a die of which nothing is known than from a fair one.
Of fair dice that quotient is 1 on average after every throw, so by Ville's inequality it ever
reaches 10^k with a chance of at most 1 in 10^k, however long it is looked at and however often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import lgamma, log

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

FACES = "guncamera_dice_faces"
DOUBT = "guncamera_dice_doubt"


def doubt(sides: int, counts: Iterable[float]) -> float:
    """The doubt of one kind of die.

    Args:
        sides: From 2.
        counts: How often each face fell; faces that never did may be left out.

    Returns:
        Powers of ten: above 0 against fair dice, below for them, 0 where nothing was thrown.
    """
    fallen = list(counts)
    thrown = sum(fallen)
    quotient = lgamma(sides) + sum(lgamma(n + 1) for n in fallen) - lgamma(thrown + sides)
    return (quotient + thrown * log(sides)) / log(10)


class WithDoubt(Collector):
    """What another collector has counted, and the doubt of each kind of die."""

    def __init__(self, counted: Collector) -> None:
        self._counted = counted

    def collect(self) -> Iterator[Metric]:
        """Every family of the other's, and one more."""
        dice: dict[tuple[str, str], list[float]] = {}
        for family in self._counted.collect():
            yield family
            if family.name == FACES:
                for sample in family.samples:
                    if sample.name == f"{FACES}_total":
                        dice.setdefault(_kind(sample.labels), []).append(sample.value)
        told = GaugeMetricFamily(
            DOUBT,
            "How many powers of ten the faces speak against fair dice.",
            labels=("source", "sides"),
        )
        for (source, sides), counts in dice.items():
            told.add_metric((source, sides), doubt(int(sides), counts))
        yield told


def _kind(labels: Mapping[str, str]) -> tuple[str, str]:
    return labels["source"], labels["sides"]
