"""Another process that uses a store: run by the concurrency tests, one mode per way to use it."""

from __future__ import annotations

import json
import os
import sys
import time

from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import Appended, Loaded, RequestKey


def race(store: RedisStore) -> None:
    """Append when told: a line says when (on the machine's clock), where, and as what."""
    for line in sys.stdin:
        order = json.loads(line)
        request = RequestKey(order["request"], "f") if order["request"] else None
        while time.monotonic_ns() < order["start_ns"]:
            pass
        result = store.append(
            order["session"],
            expected_revision=order["revision"],
            entry=order["entry"].encode(),
            state=order["entry"].encode(),
            request=request,
            ttl_seconds=1000,
        )
        say([type(result).__name__, getattr(result, "revision", None)])


def stream(store: RedisStore, session: str) -> None:
    """Append without end, and say each revision that was acknowledged."""
    loaded = store.load(session)
    assert loaded is not None
    for revision in range(loaded.revision, 10**9):
        result = store.append(
            session,
            expected_revision=revision,
            entry=b"entry %d" % (revision + 1) + b"." * 5000,
            state=b"state %d" % (revision + 1),
            request=RequestKey(f"{os.getpid()}-{revision}", "f"),
            ttl_seconds=1000,
        )
        assert isinstance(result, Appended), result
        say(result.revision)


def fork(store: RedisStore) -> None:
    """Use one store on both sides of a fork at once; each side must get its own answers."""
    store.load("parent")
    child = os.fork()
    mine = "parent" if child else "child"
    for _ in range(500):
        loaded = store.load(mine)
        assert isinstance(loaded, Loaded)
        if loaded.record != mine.encode():
            os._exit(1)
    if not child:
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    say("both were answered")


def say(what: object) -> None:
    """Print one line of JSON at once."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    {"race": race, "stream": stream, "fork": fork}[sys.argv[1]](
        RedisStore(sys.argv[2]), *sys.argv[3:]
    )
