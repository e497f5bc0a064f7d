"""Sessions set up for the bench: an aircraft about to fire, and a ledger of any length."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions.codec import encode_action, encode_record, encode_state
from guncamera.sessions.creating import new_commitment
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.session import Action, Record, State

FOUND = ruleset("kettering")
SETUP = from_plain(FOUND.setup, {"aircraft_type": "fokker-d7"})


def about_to_fire() -> Any:
    """A board on which the pilot has the torpedo in his sights, from behind, at one hex."""
    plain = to_plain(FOUND.open_board(SETUP, FOUND.book))
    plain |= {"phase": "fire", "encounter": 1, "turn": 4, "straight_hexes": 2}
    plain["aircraft"] |= {
        "hex": "N-25",
        "facing": "southeast",
        "altitude_metres": 1000,
        "speed_mp": 5,
    }
    plain["torpedo"] = {
        "hex": "M-25",
        "heading": "southeast",
        "altitude_metres": 1000,
        "speed_mp": 4,
    }
    return from_plain(FOUND.board, plain)


def put_session(store: RedisStore, session_id: str, *, ledger: int) -> None:
    """Store a session that is about to fire, behind a ledger of so many inspections."""
    book = FOUND.book
    record = Record(
        id=session_id,
        ruleset=FOUND,
        book=book,
        rules_version=book.rules_version,
        rules_hash=book.digest,
        setup=SETUP,
        seats=FOUND.seats(SETUP, book),
        create_micros=1,
        ttl_seconds=3600,
        seeds=(new_commitment(1),),
    )
    board = about_to_fire()
    filler = _inspection(board)
    store.import_session(
        session_id,
        record=encode_record(record),
        # No two sessions stand alike, so that what the service has read of one helps no other.
        state=encode_state(State(board, ("pilot",), None, time.time_ns() // 1000)),
        entries=[encode_action(replace(filler, revision=n)) for n in range(1, ledger + 1)],
        ttl_seconds=3600,
        request=None,
    )


def _inspection(board: Any) -> Action:
    procedure = FOUND.procedure(Verb.DAMAGE)
    order = from_plain(procedure.order, {"procedure": {"inspect": {}}})
    facts = FOUND.survey(board, "pilot", Verb.DAMAGE, order, FOUND.book)
    ruling = procedure.rule(facts, FOUND.book, DealtDice(()))
    return Action(
        1, "pilot", Verb.DAMAGE, order, ruling.outcome, ruling.trace, ruling.events,
        ruling.summary, (), None, FOUND.book.rules_version, 1,
    )  # fmt: skip
