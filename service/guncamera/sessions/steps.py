"""Work that stops at each step with the store, so that many callers can share an exchange."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from guncamera.sessions.store import SessionStore, Step, StepResult

T = TypeVar("T")

Steps: TypeAlias = Generator[Step, Any, T]
"""Yields a step, is sent what came of it (a store's error is thrown into it), and returns."""


def advance(steps: Steps[T], result: StepResult | Exception) -> Step:
    """Give work what came of its last step; returns its next one.

    Raises:
        StopIteration: It is done; the value is what it returns.
    """
    if isinstance(result, Exception):
        return steps.throw(result)
    step: Step = steps.send(result)
    return step


def run(store: SessionStore, steps: Steps[T]) -> T:
    """Do work for one caller, a step at a time."""
    try:
        step = next(steps)
        while True:
            step = advance(steps, attempt(store.exchange, step))
    except StopIteration as done:
        value: T = done.value
        return value


def run_together(store: SessionStore, works: Iterable[Steps[None]]) -> None:
    """Do many pieces of work, each a step at a time, with one exchange for all in each round."""
    under_way = []
    for steps in works:
        with suppress(StopIteration):
            under_way.append((steps, next(steps)))
    while under_way:
        results = store.send([step for _, step in under_way])()
        going_on = []
        for (steps, _), result in zip(under_way, results):
            with suppress(StopIteration):
                going_on.append((steps, advance(steps, result)))
        under_way = going_on


def attempt(exchange: Callable[[Step], StepResult], step: Step) -> StepResult | Exception:
    """Take one step; returns what came of it, or what was raised."""
    try:
        return exchange(step)
    except Exception as fault:
        return fault
