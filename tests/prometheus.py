"""Reading what a service counts, as Prometheus would."""

from __future__ import annotations

from collections.abc import Iterator

import asking
from prometheus_client.parser import text_string_to_metric_families


class Counts:
    """The samples of one reading of /metrics; subtract an earlier one to see what has happened."""

    def __init__(self, samples: dict[tuple[str, frozenset[tuple[str, str]]], float]) -> None:
        self._samples = samples

    @classmethod
    def of(cls, text: str) -> Counts:
        return cls(
            {
                (sample.name, frozenset(sample.labels.items())): sample.value
                for family in text_string_to_metric_families(text)
                for sample in family.samples
            }
        )

    @classmethod
    def at(cls, url: str) -> Counts:
        answer = asking.get(f"{url}/metrics", timeout=10)
        assert answer.status_code == 200, answer.text
        return cls.of(answer.text)

    def __sub__(self, before: Counts) -> Counts:
        changed = {key: value - before._samples.get(key, 0) for key, value in self._samples.items()}
        return Counts({key: value for key, value in changed.items() if value})

    def _of(self, name: str, labels: dict[str, str]) -> Iterator[tuple[dict[str, str], float]]:
        for (found, pairs), value in self._samples.items():
            if found == name and labels.items() <= dict(pairs).items():
                yield dict(pairs), value

    def total(self, name: str, **labels: str) -> float:
        """All samples of a name that have these labels, added up."""
        return sum(value for _, value in self._of(name, labels))

    def by(self, name: str, *labels: str, **only: str) -> dict[tuple[str, ...], float]:
        """The samples of a name by the values of some labels, added up over the others."""
        found: dict[tuple[str, ...], float] = {}
        for pairs, value in self._of(name, only):
            key = tuple(pairs[label] for label in labels)
            found[key] = found.get(key, 0) + value
        return found
