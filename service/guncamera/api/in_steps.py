"""Calls that a transport can take step by step, and so many of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from google.protobuf.message import Message

from guncamera.api.caller import Caller
from guncamera.sessions.steps import Steps
from guncamera.sessions.store import Results, Step, StepResult


class Answer(Protocol):
    """What a call is answered with: a message, or its octets."""

    def SerializeToString(self) -> bytes:  # noqa: N802  # as messages have it
        """The octets."""
        ...


Starter: TypeAlias = Callable[[Any, Caller], Steps[Answer]]


@dataclass(frozen=True, slots=True)
class InSteps:
    """Calls by their name, and how their steps are taken: one, or many together."""

    calls: Mapping[str, Callable[[Any, Caller], Steps[Any]]]
    exchange: Callable[[Step], StepResult]
    send: Callable[[Sequence[Step]], Results]


def without_steps(method: Callable[[Any, Caller], Message]) -> Starter:
    """A call that needs nothing of the store, in the form of one that does."""

    def start(request: Message, caller: Caller) -> Steps[Answer]:
        yield from ()
        return method(request, caller)

    return start


def after(first: Steps[None], steps: Steps[Answer]) -> Steps[Answer]:
    """The steps of a call that has something to look up before its own."""
    yield from first
    return (yield from steps)
