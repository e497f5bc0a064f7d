"""A store whose operations are timed, each step of a shared exchange as well."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, Protocol, cast

from guncamera.sessions.store import Results, SessionStore, Step, StepResult, StoreError


class Took(Protocol):
    """Is told how long the store took."""

    def __call__(self, operation: str, seconds: float, *, count: int, failed: int) -> None:
        """So many operations of a kind took so long, each of them; so many of them failed."""
        ...


_UNTIMED = frozenset({"watch", "close"})  # a wait is as long as nothing happens


def timed(store: SessionStore, took: Took) -> SessionStore:
    """The same store; every operation is told by its name, as `load` or `append`."""
    return cast(SessionStore, _TimedStore(store, took))


class _TimedStore:
    """Stands before a store. What is not wrapped here is wrapped by its name at the start."""

    def __init__(self, store: SessionStore, took: Took) -> None:
        self._store = store
        self._took = took
        wrapped = _UNTIMED | vars(_TimedStore).keys()
        for name in dir(SessionStore):
            if not name.startswith("_") and name not in wrapped:
                setattr(self, name, _timed_call(name, getattr(store, name), took))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def exchange(self, step: Step) -> StepResult:
        """See `SessionStore.exchange`."""
        started = time.perf_counter()
        failed = 1
        try:
            result = self._store.exchange(step)
            failed = 0
            return result
        finally:
            seconds = time.perf_counter() - started
            self._took(_operation(type(step).__name__), seconds, count=1, failed=failed)

    def send(self, steps: Sequence[Step]) -> Results:
        """See `SessionStore.send`. Each step took from the sending until all were answered."""
        started = time.perf_counter()
        receive = self._store.send(steps)

        def received() -> list[StepResult | StoreError]:
            results = receive()
            self._tell(steps, results, time.perf_counter() - started)
            return results

        return received

    def _tell(
        self, steps: Sequence[Step], results: Sequence[StepResult | StoreError], seconds: float
    ) -> None:
        counts: dict[str, int] = {}
        kinds = [type(step).__name__ for step in steps]
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
        failures = [kind for kind, result in zip(kinds, results) if isinstance(result, StoreError)]
        for kind, count in counts.items():
            self._took(_operation(kind), seconds, count=count, failed=failures.count(kind))


@cache
def _operation(kind: str) -> str:
    """The operation that a step is, by the name of its class: `LoadChain` is `load_chain`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()


def _timed_call(name: str, call: Callable[..., Any], took: Took) -> Callable[..., Any]:
    @wraps(call)
    def timed_call(*given: Any, **named: Any) -> Any:
        started = time.perf_counter()
        failed = 1
        try:
            answer = call(*given, **named)
            failed = 0
            return answer
        finally:
            took(name, time.perf_counter() - started, count=1, failed=failed)

    return timed_call
