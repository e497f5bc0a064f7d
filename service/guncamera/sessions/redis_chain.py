"""Actions in a row in Redis: many request ids looked up at once, many entries added at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from guncamera.sessions.redis_lines import Command, Reply
from guncamera.sessions.redis_scripts import Script
from guncamera.sessions.redis_seals import read_repeated
from guncamera.sessions.redis_states import due_mark
from guncamera.sessions.store import AppendChain, LoadChain, Repeated

CHAIN = Script.from_file("chain.lua")


def used_command(step: LoadChain, requests: str) -> Command:
    """The command that asks which of the request ids were used before."""
    return ("HMGET", requests, *step.request_ids)


def used_before(
    step: LoadChain, replies: Sequence[bytes | None], head: Mapping[bytes, bytes]
) -> dict[str, Repeated]:
    """What each request id that was used before stands for; the one that created the session too.

    Args:
        replies: To `used_command`.
        head: The fields of the session's head.
    """
    found = {
        request_id: read_repeated(*used.split(b" ", 1))
        for request_id, used in zip(step.request_ids, replies)
        if used
    }
    creator = head.get(b"request_id", b"").decode()
    if creator in step.request_ids:
        found[creator] = Repeated(0, head[b"request_fingerprint"].decode())
    return found


def chain_arguments(step: AppendChain, ttl: int, channel: str) -> Command:
    """The script's arguments."""
    requests: list[Reply] = []
    for _, request in step.entries:
        requests += (request.id, request.fingerprint) if request else ("", "")
    entries = [entry for entry, _ in step.entries]
    due = due_mark(step.expected_revision, step.expected_revision + len(entries))
    return (
        step.expected_revision, step.state, ttl, channel, due, len(entries), *entries, *requests,
    )  # fmt: skip
