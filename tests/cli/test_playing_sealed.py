"""`guncamera play` where orders are sealed: every seat's pilot seals, and the reveals are told."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace

import duel
import pytest
from games import example_setup
from guncamera.api.config import Config
from guncamera.api.grpc_server import build_server
from guncamera.api.rulings import fill_outcome
from guncamera.cli.film_files import save_film
from guncamera.cli.onlooker import Onlooker
from guncamera.cli.play import _print_line
from guncamera.cli.playing import Game, play_out
from guncamera.v1.actions_pb2 import SessionSetup
from guncamera_client import Client
from paired import PAIRED

LATE = "(late: the rule set's order)"


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


def test_a_replay_and_a_log_say_who_was_late(run, target, tmp_path):
    setup = SessionSetup()
    fill_outcome(setup, "kettering", replace(example_setup(PAIRED), torpedoes=1))
    file = tmp_path / "film.json"
    with Client(target) as client:
        session = client.create_session(setup, seal_seconds=1)  # one tick of the clock
        order = next(iter(client.list_legal_orders(session, seat="red")))
        client.seal_order(session, order, seat="red")
        client.reveal_orders(session)
        film = client.export_session(session)
    save_film(file, film)
    ran = run("replay", file)
    assert ran.code == 0, ran.err
    onlooker = Onlooker(PAIRED, draw=str, folder=None, prints=True, width=4)
    logs = [ran.out.splitlines()[:2]]
    for tell in (onlooker.tell, _print_line):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for action in film.actions:
                tell(action)
        logs.append(out.getvalue().splitlines())
    for blue, red in logs:
        assert LATE in blue
        assert LATE not in red
