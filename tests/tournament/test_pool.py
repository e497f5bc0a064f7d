"""Calls that games share: as many at once as wait, and the same games as without."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import rfc8785
from google.protobuf import json_format
from guncamera.rules.ruleset import rulesets
from guncamera.v1.problem_pb2 import Problem
from guncamera.v1.session_service_pb2 import (
    BatchPlayItem,
    BatchPlayResponse,
    BatchPlayResult,
    Film,
    GetSessionRequest,
    Session,
)
from guncamera_client import Client, SessionNotFound, Unavailable
from guncamera_tournament import executor, playing
from guncamera_tournament.event import Setup
from guncamera_tournament.pool import MOST_ITEMS, Pool, Seated
from servers import wait_until

RANDOM = "stock:random"
SETTINGS = {"carriers": {"max_turns": 1}}
SETUPS = {"kettering": (Setup("one", '{"torpedoes": 1}'),)}


def contents(folder) -> dict[str, bytes]:
    files = [folder / "event.toml", folder / "results.json", *sorted((folder / "films").iterdir())]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize("dice", ["seeded", "duplicate"])
@pytest.mark.parametrize("slug", list(rulesets()))
def test_games_that_share_their_calls_come_out_as_those_that_do_not(
    play, event_of, monkeypatch, slug, dice
):
    event = event_of(
        slug, RANDOM, RANDOM, games=2, dice=dice, settings=SETTINGS.get(slug, {}),
        setups=SETUPS.get(slug, (Setup(),)), most_actions=60,
    )  # fmt: skip
    assert playing.shares_calls(event)
    play(event, "shared", in_flight=4)
    shared = contents(play.folder)
    monkeypatch.setattr(playing, "shares_calls", lambda event: False)
    play(event, "claimed")
    assert contents(play.folder) == shared
    for name in ("results.json", "timings.json"):
        data = (play.folder / name).read_bytes()
        assert rfc8785.dumps(json.loads(data)) + b"\n" == data
    for name, data in shared.items():
        if name.startswith("r0"):
            film = json_format.ParseDict(json.loads(data), Film())
            plain = json_format.MessageToDict(film, preserving_proto_field_name=True)
            assert rfc8785.dumps(plain) + b"\n" == data, "it is written as RFC 8785 has it"


def test_with_a_stranger_in_the_event_no_game_of_it_is_left_unclaimed(event_of):
    assert not playing.shares_calls(event_of("circus", RANDOM, "first"))


@pytest.mark.parametrize("shared", [True, False])
def test_after_a_seal_nobody_looks_but_who_acts_next(play, event_of, monkeypatch, shared):
    looks, sealed = [], []

    def look(name, seat):
        assert (name, seat) not in sealed, "it has sealed, and waits for the other"
        looks.append(seat)

    def seal(name, seat):
        other = [one for one in sealed if one[0] == name and one[1] != seat]
        if other:
            sealed.remove(other[0])  # both have: the phase is over
        else:
            sealed.append((name, seat))

    class Watched(Client):
        def batch_play(self, items):
            for item in items:
                if item.HasField("seal_order"):
                    seal(item.seal_order.name, item.seal_order.seat)
                elif item.HasField("get_session"):
                    look(item.get_session.name, item.get_session.seat)
            return super().batch_play(items)

        def get_session(self, session, **more):
            look(session.name, seats[self._token])
            return super().get_session(session, **more)

        def claim_seat(self, session, seat):
            claim = super().claim_seat(session, seat)
            seats[claim.token] = seat
            return claim

        def seal_order(self, session, order, **more):
            seal(session.name, seats[self._token])
            return super().seal_order(session, order, **more)

    seats = {}
    monkeypatch.setattr(executor, "Client", Watched)
    monkeypatch.setattr(playing, "shares_calls", lambda event: shared)
    play(event_of("circus", RANDOM, RANDOM), in_flight=2)
    assert looks.count("first") > 5
    assert looks.count("second") > 5


class Slow:
    """Answers a call once it is told to; `calls` are the names that each asked for."""

    target = "nowhere"

    def __init__(self):
        self.calls = []
        self.may_answer = threading.Semaphore(0)

    def batch_play(self, items):
        self.calls.append([item.get_session.name for item in items])
        assert self.may_answer.acquire(timeout=60)
        if "broken" in self.calls[-1]:
            raise Unavailable("gone", reason="UNAVAILABLE")
        return BatchPlayResponse(
            results=[BatchPlayResult(session=Session(name=name)) for name in self.calls[-1]]
        )


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def asked(slow):
    """Ask for some names, from a thread of its own, and wait until it is heard."""
    pool = Pool(slow)
    with ThreadPoolExecutor(16) as threads:

        def asked(*names):
            before = len(pool._waiting), len(slow.calls)
            items = [BatchPlayItem(get_session=GetSessionRequest(name=name)) for name in names]
            future = threads.submit(pool.ask, *items)
            wait_until(lambda: (len(pool._waiting), len(slow.calls)) != before, "it is heard")
            return future

        yield asked
        slow.may_answer.release(100)


def names_in(future):
    return [result.session.name for result in future.result(60)]


def test_what_is_asked_during_a_call_goes_with_the_next_one(slow, asked):
    one, two, three = asked("a"), asked("b", "c"), asked("d")
    assert slow.calls == [["a"]]
    slow.may_answer.release()
    assert names_in(one) == ["a"]
    wait_until(lambda: len(slow.calls) == 2, "the next call")
    four = asked("e")
    slow.may_answer.release(2)
    assert names_in(two) == ["b", "c"]
    assert names_in(three) == ["d"]
    assert names_in(four) == ["e"]
    assert slow.calls == [["a"], ["b", "c", "d"], ["e"]]
    slow.may_answer.release()
    assert names_in(asked("f")) == ["f"], "and when nobody waits, it begins anew"


def test_a_call_takes_as_many_as_the_service_does(slow, asked):
    first = asked("a")
    many = [asked(*[f"{letter}{n}" for n in range(100)]) for letter in "bcd"]
    slow.may_answer.release(3)
    assert [len(names_in(future)) for future in (first, *many)] == [1, 100, 100, 100]
    assert [len(call) for call in slow.calls] == [1, 200, 100]
    assert MOST_ITEMS == 256


def test_a_call_that_fails_fails_all_who_were_in_it_and_nobody_else(slow, asked):
    first, broken, beside = asked("a"), asked("broken"), asked("b")
    slow.may_answer.release(2)
    assert names_in(first) == ["a"]
    for future in (broken, beside):
        with pytest.raises(Unavailable):
            future.result(60)
    slow.may_answer.release()
    assert names_in(asked("c")) == ["c"]


def test_a_refusal_is_raised_as_its_own_call_would_raise_it(slow):
    class Refusing(Slow):
        def batch_play(self, items):
            problem = Problem(reason="SESSION_NOT_FOUND", detail="There is none.")
            return BatchPlayResponse(results=[BatchPlayResult(problem=problem) for _ in items])

    with pytest.raises(SessionNotFound, match="There is none"):
        Seated(Pool(Refusing()), "first", {}).get_session(Session(name="sessions/x"))
