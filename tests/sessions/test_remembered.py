"""What is remembered of bytes: never anything that they do not say."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import orjson
import pytest
from games import play_out
from guncamera.rules.ruleset import rulesets
from guncamera.sessions import codec
from guncamera.sessions.remembered import Remembered
from guncamera.sessions.session import State


def test_the_oldest_are_forgotten_when_there_are_too_many_bytes() -> None:
    seen: Remembered[int] = Remembered(10)
    for number in range(4):
        seen.put(bytes([number]) * 4, number)
        seen.put(bytes([number]) * 4, number)
    assert [seen.get(bytes([number]) * 4) for number in range(4)] == [None, None, 2, 3]
    seen.put(b"longer than all of it", 5)
    assert seen.get(b"longer than all of it") is None
    seen.put(b"short", 6)
    assert seen.get(b"short") == 6


def kinds(value: Any) -> Any:
    """A value's types all the way down, which equality would not tell apart."""
    if is_dataclass(value):
        inner = tuple(kinds(getattr(value, field.name)) for field in fields(value))
    else:
        inner = tuple(map(kinds, value)) if isinstance(value, tuple | list) else ()
    return type(value), inner


@pytest.mark.parametrize("slug", rulesets())
def test_a_state_as_it_was_written_is_the_state_as_it_is_read(slug: str) -> None:
    """For the one that was written is remembered in place of the one that would be read."""
    found = rulesets()[slug]
    pilot = next(iter(found.pilots))
    for number, board in enumerate(play_out(found, pilot, "written", most=60).boards):
        state = State(board, found.active_seats(board), found.result(board), number)
        read = codec._decode_state(codec.encode_state(state), found)
        assert read == state
        assert kinds(read) == kinds(state)


def test_bytes_that_changed_are_read_anew() -> None:
    found = rulesets()["kettering"]
    board = play_out(found, next(iter(found.pilots)), "anew", most=3).boards[-1]
    data = codec.encode_state(State(board, ("pilot",), None, 7))
    assert codec.decode_state(data, found).board is board
    plain = orjson.loads(data)
    plain["board"]["turn"] += 1
    assert codec.decode_state(orjson.dumps(plain), found).board.turn == board.turn + 1


def test_a_state_is_not_taken_for_that_of_another_rule_set() -> None:
    found = rulesets()["kettering"]
    board = play_out(found, next(iter(found.pilots)), "other", most=3).boards[-1]
    data = codec.encode_state(State(board, ("pilot",), None, 7))
    with pytest.raises(KeyError):
        codec.decode_state(data, rulesets()["circus"])
