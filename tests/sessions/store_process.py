"""Another process that uses a store: run by the concurrency tests, one mode per way to use it."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time

import duel
from guncamera.rules.ruleset import Verb
from guncamera.sessions import play, sealing
from guncamera.sessions.play import Submission
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
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


def seal_race(store: RedisStore) -> None:
    """Seal a duel's order when told, and say what the answer was."""
    shelf = Shelf(store)
    with duel.registered(duel.DUEL):
        for line in sys.stdin:
            told = json.loads(line)
            call = Submission(
                told["session"], "duel", Verb.MOVE, duel.Aim(told["at"]), seat=told["seat"],
                request_id=told["request"], fingerprint=told["request"],
            )  # fmt: skip
            while time.monotonic_ns() < told["start_ns"]:
                pass
            answer, replayed = sealing.seal(shelf, clock, call)
            say([answer.revealed, list(answer.waiting_seats), replayed])


def seal_stream(store: RedisStore, session: str) -> None:
    """Play duels' turns without end: both seats seal, then one fires."""
    shelf = Shelf(store)
    with duel.registered(duel.DUEL):
        for turn in itertools.count():
            for seat in ("s0", "s1"):
                call = Submission(session, "duel", Verb.MOVE, duel.Aim(1 + turn % 6), seat=seat)
                if shelf.load(session).state.board.is_aiming:
                    sealing.seal(shelf, clock, call)
                    say(turn)
            play.act(shelf, clock, Submission(session, "duel", Verb.FIRE, duel.Shoot(), seat="s0"))


def clock() -> int:
    return time.time_ns() // 1000


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
    modes = {
        "race": race,
        "stream": stream,
        "seal_race": seal_race,
        "seal_stream": seal_stream,
        "fork": fork,
    }
    modes[sys.argv[1]](RedisStore(sys.argv[2]), *sys.argv[3:])
