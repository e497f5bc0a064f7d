"""How limits stand, as HTTP headers: the IETF's draft of `RateLimit` and `RateLimit-Policy`."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.refusals import RateLimited

POLICY, STANDING = "RateLimit-Policy", "RateLimit"

_Row = tuple[str, int, int, int, float]  # name, limit, window, remaining, reset


def limit_headers(config: Config, caller: Caller, refusal: object) -> list[tuple[str, str]]:
    """Say how the limits stand that a call was counted against, or that it met."""
    if config.limits is None:
        return []
    if isinstance(refusal, RateLimited):
        return _written([_met(refusal)])
    if not caller.notes.uses:
        return []
    standing = config.limits.standing(caller.notes.uses)
    return _written(
        (use.policy, use.item.amount, use.item.get_expiry(), now.remaining, now.reset_seconds)
        for use, now in standing
    )


def _met(refusal: RateLimited) -> _Row:
    facts = refusal.facts
    window, remaining = int(facts["window_seconds"]), int(facts["remaining"])
    return refusal.policy, refusal.limit, window, remaining, refusal.retry_after_seconds


def _written(rows: Iterable[_Row]) -> list[tuple[str, str]]:
    rows = list(rows)
    return [
        (POLICY, ", ".join(f'"{row[0]}";q={row[1]};w={row[2]}' for row in rows)),
        (STANDING, ", ".join(f'"{row[0]}";r={row[3]};t={ceil(row[4])}' for row in rows)),
    ]
