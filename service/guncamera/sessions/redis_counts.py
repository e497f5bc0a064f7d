"""Counters in Redis that go with their window of time: one string each, ``guncamera:rate/…``."""

from __future__ import annotations

from guncamera.sessions.redis_scripts import Redis, Script
from guncamera.sessions.store import Counted

_COUNT = Script.from_file("count.lua")


def count(redis: Redis, name: str, amount: int, window_seconds: int) -> Counted:
    """Add to a counter, whose window begins with its first count; 0 only looks."""
    counted = redis.run_unkept(_COUNT, (f"guncamera:{name}",), (window_seconds, amount))
    total, left_millis = counted
    return Counted(int(total), max(0, int(left_millis)) / 1000)
