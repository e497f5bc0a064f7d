"""When a call is repeated, and how long the client waits before it is.

A call is repeated only if repeating it cannot do harm: it reads, it writes nothing, or it carries
a `request_id`, by which the service knows it again. Every writing call gets one from the client
when the caller gives none, so they are always safe, and every attempt carries the same one.

A stateless ruling with the service's dice writes nothing and is repeated too: the second attempt
is a fresh throw, and nobody saw the first.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from guncamera_client.errors import (
    BodiesFull,
    GuncameraError,
    RateLimited,
    StreamsFull,
    Unavailable,
)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient the client is.

    It waits `first_pause_seconds`, then twice as long each time up to `longest_pause_seconds`,
    always less a random part of up to half, so that clients do not come back together. Where the
    service says when to come back, it waits that long and a little more, never less.

    Attributes:
        max_attempts: Most attempts, the first included; 1 never repeats.
        first_pause_seconds: Pause before the second attempt.
        longest_pause_seconds: Longest pause that the client chooses itself.
        total_seconds: No attempt starts later than this after the first failure. A pause that
            would end later is not begun: the refusal is raised at once.

    Example:
        `Client(retry=RetryPolicy(max_attempts=1))` never repeats a call.
    """

    max_attempts: int = 6
    first_pause_seconds: float = 0.2
    longest_pause_seconds: float = 2.0
    total_seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError(f"max_attempts is {self.max_attempts}; it counts the first, so >= 1.")
        for name in ("first_pause_seconds", "longest_pause_seconds", "total_seconds"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; a time cannot be negative.")


DEFAULT_RETRY = RetryPolicy()
_draw: Callable[[], float] = secrets.SystemRandom().random


class Attempts:
    """The attempts at one call: counts them and says how long to wait for the next."""

    def __init__(
        self,
        policy: RetryPolicy,
        *,
        is_safe: bool = True,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = _draw,
    ) -> None:
        self._policy = policy
        self._is_safe = is_safe
        self._clock = clock
        self._draw = draw
        self.start_again()

    def start_again(self) -> None:
        """Forget earlier failures: something went well."""
        self._made = 1
        self._first_failure: float | None = None

    def pause_after(self, error: GuncameraError) -> float | None:
        """Seconds to wait before the next attempt; None if there is to be none."""
        if not self._is_safe or self._made >= self._policy.max_attempts or not is_passing(error):
            return None
        now = self._clock()
        if self._first_failure is None:
            self._first_failure = now
        pause = self._pause(error.retry_after_seconds)
        if now + pause > self._first_failure + self._policy.total_seconds:
            return None
        self._made += 1
        return pause

    def _pause(self, told_seconds: float | None) -> float:
        doubled = self._policy.first_pause_seconds * 2.0 ** (self._made - 1)
        own = min(doubled, self._policy.longest_pause_seconds)
        if told_seconds is not None:
            return told_seconds + own * self._draw() / 2
        return own * (1 - self._draw() / 2)


def is_passing(error: GuncameraError) -> bool:
    """Whether the same call may well succeed in a while.

    A limit is waited out only if the service says for how long.
    """
    if isinstance(error, RateLimited | StreamsFull | BodiesFull):
        return error.retry_after_seconds is not None
    return isinstance(error, Unavailable)
