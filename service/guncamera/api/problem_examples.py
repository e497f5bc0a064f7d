"""An example of each reason: a request that is refused for it, or where a request alone cannot be
told to be, when that happens; and what the refusal says. From `problem_examples.json`.

A test sends each of the requests. `before` is what it sends ahead of it, and `key` the scope of
the key it calls with, where the service asks for keys: empty for none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

FILE = "problem_examples.json"


@dataclass(frozen=True, slots=True)
class ProblemExample:
    """An example of one reason.

    Attributes:
        detail: What the refusal says.
        request: Method and path: `GET /v1/rulesets/checkers`. Empty where `when` says it.
        when: When it happens.
        before: Requests that go ahead, each `[request, body]`.
        key: The scope of the caller's key on a service that asks for one; None on an open one.
    """

    detail: str
    request: str = ""
    when: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    before: tuple[tuple[str, Any], ...] = ()
    key: str | None = None

    def asked(self) -> str:
        """The request as text: its first line, its headers, and after a space its body."""
        lines = [self.request, *(f"{name}: {value}" for name, value in self.headers.items())]
        if self.body is not None:
            lines += ["", orjson.dumps(self.body).decode()]
        return "\n".join(lines)


@cache
def problem_examples() -> dict[str, ProblemExample]:
    """The examples by reason, in the order of the table of reasons."""
    data = files(__package__).joinpath(FILE).read_bytes()
    return {reason: ProblemExample(**one) for reason, one in orjson.loads(data).items()}
