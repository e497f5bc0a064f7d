"""`guncamera play` where orders are sealed: every seat's pilot seals, and the reveals are told."""

from __future__ import annotations

from dataclasses import replace

import duel
import pytest
from games import example_setup
from guncamera.api.config import Config
from guncamera.api.grpc_server import build_server
from guncamera.cli.playing import Game, play_out
from guncamera_client import Client
from paired import PAIRED


@pytest.fixture
def shelf():
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture
def target(endpoints):
    with duel.registered(PAIRED):
        server = build_server(endpoints, address="127.0.0.1:0", config=Config())
        server.start()
        yield f"127.0.0.1:{server.port}"
        server.stop(0).wait(10)


def test_a_game_with_sealed_phases_is_played_to_its_end(target):
    setup = replace(example_setup(PAIRED), torpedoes=1)
    game = Game(PAIRED, PAIRED.book, setup, {}, PAIRED.pilots["stock"], "sealed")
    told = []
    with Client(target) as client:
        played = play_out(client, game, told.append)
    assert [action.revision for action in told] == list(range(1, played.actions + 1))
    assert [action.seat for action in told[:2]] == ["blue", "red"]
    assert played.rolls == sum(len(action.rolls) for action in told)
