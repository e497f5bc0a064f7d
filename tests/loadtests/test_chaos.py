"""Chaos runs, and what it counts as lost or doubled is: a check that misses it proves nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chaos import faults
from chaos.checking import Checker, Found, lost
from chaos.journal import Game, Told
from chaos.stages import STAGES
from guncamera.rules.ruleset import ruleset
from guncamera.sessions.embedded import ADDRESS
from guncamera.sessions.redis_index import head_key
from guncamera.sessions.redis_lines import wire_settings
from guncamera_client import Client
from orders import DEPLOY, INSPECT, SETUP
from redis import Redis

ROOT = Path(__file__).parents[2]


@pytest.fixture
def client(service):
    with Client(service.grpc) as one:
        yield one


@pytest.fixture
def store_url(service):
    return (service.data_dir / ADDRESS).read_text()


@pytest.fixture
def game(client, store_url, request):
    """A short game, and what its player was told."""
    session = client.create_session(SETUP)
    played = Game(session.name.removeprefix("sessions/"), ruleset("kettering"))
    for call, order in (("move", DEPLOY), ("damage", INSPECT), ("damage", INSPECT)):
        told = getattr(client, call)(session, order, seat="pilot")
        micros = told.create_time.ToMicroseconds()
        revisions = range(told.revision, told.revision + 1)
        played.hear(Told(call, "pilot", order, "", revisions, micros, told))
    yield played
    client.delete_session(session)


@pytest.fixture
def keys(game, store_url):
    """The store behind the service's back: a client, the head and the ledger of the game."""
    head = head_key(game.id)
    with Redis(unix_socket_path=wire_settings(store_url)["path"]) as redis:
        yield redis, head, head.replace(":head", ":ledger")


def check(game, client, store_url) -> Found:
    checker = Checker(store_url, client)
    try:
        return checker.check([game], [])
    finally:
        checker.close()


def test_a_ledger_as_it_was_told_is_well(game, client, store_url):
    found = check(game, client, store_url)
    assert (found.verified, found.lost, found.doubled, found.wrong) == (3, 0, 0, [])


def test_an_action_that_went_away_is_lost(game, client, store_url, keys):
    redis, head, ledger = keys
    redis.rpop(ledger)
    redis.hset(head, "revision", 2)
    found = check(game, client, store_url)
    assert (found.lost, found.doubled) == (1, 0)


def test_an_order_that_was_carried_out_twice_is_doubled(game, client, store_url):
    client.damage(game.id, INSPECT, seat="pilot")
    found = check(game, client, store_url)
    assert (found.lost, found.doubled) == (0, 1)


def test_an_order_given_up_before_its_answer_may_be_there_or_not(game, client, store_url):
    game.unheard = 1
    assert check(game, client, store_url).doubled == 0
    client.damage(game.id, INSPECT, seat="pilot")
    assert check(game, client, store_url).doubled == 0


def test_a_session_that_is_gone_is_lost_with_all_its_actions(game, client, store_url):
    gone = Game("gone", game.found, game.told)
    assert check(gone, client, store_url).lost == 4


def test_a_ledger_with_a_gap_or_another_past_is_wrong(game, client, store_url, keys):
    redis, _, ledger = keys
    checker = Checker(store_url, client)
    assert checker.check([game], []).wrong == []
    second = redis.lindex(ledger, 1)
    redis.lset(ledger, 0, second)
    found = checker.check([game], [])
    checker.close()
    assert any("its past has changed" in one for one in found.wrong)
    assert any("stands in place 1" in one for one in found.wrong)
    assert found.lost == 1


def test_two_orders_that_were_told_one_revision_are_one_too_few(game, client, store_url):
    game.hear(game.told[-1])
    assert check(game, client, store_url).lost == 1


def test_an_order_under_its_seal_is_lost_with_the_seal():
    game = Game("g", ruleset("circus"))
    game.hear(Told("seal_order", "first", None, "", range(0), 0, None))
    assert lost(game, [], set()) == 1
    assert lost(game, [], {"first"}) == 0
    game.hear(Told("seal_order", "second", None, "", range(1, 3), 0, None))
    assert lost(game, [], set()) == 2, "the seals are gone by right, and both actions are missing"


def test_every_fault_is_shown_somewhere():
    shown = {kind for stage in STAGES for kind in stage.faults}
    assert shown == set(faults.Fault.__subclasses__())
    assert all(kind().name and kind.limit_seconds <= 35 for kind in shown)


def test_play_goes_on_through_two_kills():
    path = os.pathsep.join(str(ROOT / name) for name in ("loadtests", "tests"))
    done = subprocess.run(
        [
            sys.executable, "-m", "chaos", "--seed", "a smoke", "--players", "4",
            "--only", "KillGrpcWorker", "KillOwnStore",
        ],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False, timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["faults"], told["lost"], told["doubled"], told["late"]) == (2, 0, 0, 0)
    assert told["actions"] > 40
    assert told["unanswered"] > 0, "the faults were felt"
