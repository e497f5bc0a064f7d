"""Seals and reveals against each other, in several processes: one reveal, nothing lost or half."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import duel
import pytest
import servers
from duel import DUEL, Aim
from guncamera.rules.ruleset import Verb
from guncamera.sessions import creating, refusals, sealing
from guncamera.sessions.play import Submission
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf
from sessions.test_concurrency import Process

TRIALS = 300


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[str, Shelf]]:
    with duel.own_store() as store:
        yield store


@pytest.fixture(scope="module")
def shelf(store: tuple[str, Shelf]) -> Shelf:
    return store[1]


@pytest.fixture(scope="module")
def store_url(store: tuple[str, Shelf]) -> str:
    return store[0]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with duel.registered(DUEL):
        yield


def clock() -> int:
    return time.time_ns() // 1000


def create(shelf: Shelf, **fields: Any) -> str:
    creation = creating.Creation(DUEL, duel.Setup(**fields), {})
    return creating.create(shelf, clock(), creation)[0].record.id


def seal(shelf: Shelf, session_id: str, seat: str, at: int) -> sealing.SealAnswer:
    call = Submission(session_id, "duel", Verb.MOVE, Aim(at), seat=seat)
    return sealing.seal(shelf, clock, call)[0]


def aims(shelf: Shelf, session: Session) -> list[tuple[str, int]]:
    """What the ledger holds, which must be as long as the head says."""
    actions = shelf.actions(session, after_revision=0, limit=10**5)
    assert session.revision == len(actions)
    return [(one.seat, one.order.at) for one in actions]


def test_two_processes_that_seal_last_reveal_once(shelf: Shelf, store_url: str) -> None:
    firsts = 0
    with Process("seal_race", store_url) as one, Process("seal_race", store_url) as two:
        for trial in range(TRIALS):
            name = create(shelf)
            start_ns = time.monotonic_ns() + 200_000
            for number, process in enumerate((one, two)):
                process.tell(
                    {
                        "start_ns": start_ns,
                        "session": name,
                        "seat": f"s{number}",
                        "at": 1 + (trial + number) % 6,
                        "request": str(uuid.uuid4()),
                    }
                )
            answers = [one.hear(), two.hear()]
            session = shelf.load(name)
            assert sorted(answer[0] for answer in answers) == [False, True], trial
            expected = [("s1", 1 + (trial + 1) % 6), ("s0", 1 + trial % 6)]
            assert aims(shelf, session) == expected, trial
            assert session.seals == {}
            last = next(n for n, answer in enumerate(answers) if answer[0])
            assert answers[1 - last] == [False, [f"s{last}"], False]
            firsts += last
    assert 0 < firsts < TRIALS, "each of them was the last at times"


def test_one_request_id_from_two_processes_is_one_seal(shelf: Shelf, store_url: str) -> None:
    with Process("seal_race", store_url) as one, Process("seal_race", store_url) as two:
        for trial in range(TRIALS // 3):
            name = create(shelf)
            seal(shelf, name, "s0", 1)
            told = {
                "start_ns": time.monotonic_ns() + 200_000,
                "session": name,
                "seat": "s1",
                "at": 2,
                "request": str(uuid.uuid4()),
            }
            one.tell(told)
            two.tell(told)
            answers = sorted([one.hear(), two.hear()])
            assert answers == [[True, [], False], [True, [], True]], trial
            assert aims(shelf, shelf.load(name)) == [("s1", 2), ("s0", 1)]


def test_amendments_that_race_the_last_seal_are_in_the_reveal_or_refused(shelf: Shelf) -> None:
    for _ in range(40):
        name = create(shelf)
        seal(shelf, name, "s0", 1)
        taken, refused = [1], []

        def amend(name: str = name, taken: list[int] = taken, refused: list[int] = refused) -> None:
            for at in (2, 3, 4, 5, 6):
                try:
                    seal(shelf, name, "s0", at)
                    taken.append(at)
                except (
                    refusals.EtagMismatch,
                    refusals.NothingToSeal,
                    refusals.SeatNotActive,
                ):
                    refused.append(at)

        amending = threading.Thread(target=amend)
        amending.start()
        seal(shelf, name, "s1", 1)
        amending.join()
        assert aims(shelf, shelf.load(name)) == [("s1", 1), ("s0", taken[-1])]
        assert [*taken, *refused] == [1, 2, 3, 4, 5, 6]


def test_many_seats_seal_at_once(shelf: Shelf) -> None:
    seats = 16
    for _ in range(5):
        name = create(shelf, seats=seats)
        answers: list[sealing.SealAnswer] = []
        threads = [
            threading.Thread(
                target=lambda n=n, name=name, answers=answers: answers.append(
                    seal(shelf, name, f"s{n}", 1 + n % 6)
                )
            )
            for n in range(seats)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(len(answer.waiting_seats) for answer in answers) == list(range(seats))
        assert sum(answer.revealed for answer in answers) == 1
        expected = [(f"s{n}", 1 + n % 6) for n in reversed(range(seats))]
        assert aims(shelf, shelf.load(name)) == expected


def test_a_sealer_killed_in_the_middle_leaves_no_half_reveal(shelf: Shelf, store_url: str) -> None:
    name = create(shelf, turns=10**6)
    for kill in range(8):
        with Process("seal_stream", store_url, name) as player:
            for _ in range(10 + 7 * kill):
                player.hear()
        session = shelf.load(name)
        actions = shelf.actions(session, after_revision=0, limit=10**5)
        verbs = [one.verb for one in actions]
        assert session.revision == len(verbs)
        assert verbs[: 3 * (len(verbs) // 3)] == [Verb.MOVE, Verb.MOVE, Verb.FIRE] * (
            len(verbs) // 3
        )
        assert verbs[3 * (len(verbs) // 3) :] in ([], [Verb.MOVE, Verb.MOVE])
        assert session.state.board.is_aiming == (len(verbs) % 3 == 0)
        assert session.state.board.is_aiming or not session.seals


def test_a_store_that_comes_back_still_has_what_was_sealed() -> None:
    options = {"appendonly": "yes", "appendfsync": "always"}
    with servers.Server(servers.valkey_program(), **options) as server:
        shelf = Shelf(RedisStore(server.url))
        name = create(shelf)
        seal(shelf, name, "s0", 4)
        server.kill()
        with pytest.raises(refusals.Unavailable):
            seal(shelf, name, "s1", 2)
        server.start()
        with contextlib.suppress(refusals.Unavailable):
            shelf.load(name)
        assert seal(shelf, name, "s1", 2).revealed
        assert aims(shelf, shelf.load(name)) == [("s1", 2), ("s0", 4)]
        shelf.store.close()
