"""Nobody learns what another seat has sealed, by any call, error, stream, picture, log or count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duel
import pytest
import secrecy
import servers
from guncamera.rules.ruleset import Ruleset
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from paired import PAIRED


@pytest.fixture(scope="module")
def server() -> Iterator[servers.Server]:
    with servers.Server(servers.valkey_program()) as server:
        yield server


def play(server: servers.Server, found: Ruleset, **how: Any) -> secrecy.Game | None:
    """A game in an empty store."""
    start = secrecy.sealing_start(found)
    assert start is not None
    with server.client() as client:
        client.flushall()
    store = RedisStore(server.url)
    try:
        return secrecy.play_game(Shelf(store), found, start, **how)
    finally:
        store.close()


@pytest.mark.parametrize(("scene", "last_over"), [(0, "rest"), (0, "grpc"), (1, "rest")])
def test_two_games_that_differ_in_a_sealed_order_look_alike_until_the_reveal(
    server: servers.Server, sealing_ruleset: Ruleset, scene: int, last_over: str
) -> None:
    one, two = (
        play(server, sealing_ruleset, scene=scene, turned=turned, last_over=last_over)
        for turned in (False, True)
    )
    if one is None or two is None:
        assert scene, "a playthrough reaches the phase that made this a rule set with secrets"
        pytest.skip("a stock playthrough has one such phase")
    assert [name for name, _ in one.heard] == [name for name, _ in two.heard]
    for (name, mine), (_, theirs) in zip(one.heard, two.heard):
        assert mine == theirs, name
    assert one.log == two.log
    assert one.metrics == two.metrics
    assert len(one.heard) > 100
    assert len(one.log) > 50
    assert one.revealed != two.revealed, "what was kept secret is what the reveal shows"


def test_the_harness_hears_a_secret_that_leaks(
    server: servers.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view that shows what is sealed would be noticed."""
    with duel.registered(PAIRED), monkeypatch.context() as leaking:

        def leak(session: Any, seat: str | None) -> Any:
            view = session.record.ruleset.view_for(session.state.board, seat, session.record.book)
            size = sum(sum(order) for order in session.seals.values())
            return replace(view, turn=size)

        leaking.setattr("guncamera.api.films.board_for", leak)
        games = [
            play(server, PAIRED, scene=0, turned=turned, last_over="rest")
            for turned in (False, True)
        ]
    assert games[0] is not None
    assert games[1] is not None
    assert games[0].heard != games[1].heard
