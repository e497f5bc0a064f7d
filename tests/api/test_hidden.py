"""Nobody learns what another seat hides, by any call, error, stream, picture, log or count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from zlib import crc32

import duel
import hidden
import pytest
import servers
from carriers_twins import twins_with_a_miss
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruleset import Deed, Ruleset, rulesets
from guncamera.sessions import play as playing
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from secrecy import sealing_start
from statements import statement_of
from veiled import BLUE, VEILED

HIDING = {
    "a stand-in": VEILED,
    **{
        slug: found
        for slug, found in rulesets().items()
        if hidden.keeps_secrets(found) and sealing_start(found) is None
    },
}
HIDDEN = {name: set(statement_of(name).hidden_orders) for name in HIDING}
HIDDEN["a stand-in"] = {"Deploy", "Plot"}
"""What a side does unseen, by rule set: a kind that is missing has been shown."""
SOON = 3
"""Orders after the hidden one, in games that are to show that the harness hears."""


@pytest.fixture(scope="module")
def server() -> Iterator[servers.Server]:
    with servers.Server(servers.valkey_program()) as server:
        yield server


@cache
def twins_of(name: str) -> dict[str, hidden.Twins]:
    return hidden.best_twins(HIDING[name])


def soon(twins: hidden.Twins) -> hidden.Twins:
    """The same two games, ended early: what leaks is heard at once."""
    return replace(twins, after=twins.after[:SOON])


def play(server: servers.Server, found: Ruleset, twins: hidden.Twins, which: int) -> hidden.Told:
    """One of two games, in an empty store."""
    with server.client() as client:
        client.flushall()
    store = RedisStore(server.url)
    try:
        return hidden.play_twin(Shelf(store), found, twins, which)
    finally:
        store.close()


def both(server: servers.Server, found: Ruleset, twins: hidden.Twins) -> list[hidden.Told]:
    with duel.registered(found):
        return [play(server, found, twins, which) for which in (0, 1)]


@pytest.mark.parametrize("name", HIDING)
def test_what_a_side_does_unseen_has_twins(name: str) -> None:
    twins = twins_of(name)
    assert set(twins) == HIDDEN[name]
    assert all(len(one.after) > 5 for one in twins.values())
    touched = {kind for one in twins.values() for kind in one.touched}
    assert touched >= set(statement_of(name).touched_orders)


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in HIDING for kind in sorted(HIDDEN[name])]
)
def test_two_games_that_differ_in_what_a_side_hides_look_alike(
    server: servers.Server, name: str, kind: str
) -> None:
    twins = twins_of(name)[kind]
    one, two = both(server, HIDING[name], twins)
    assert [called for called, _ in one.heard] == [called for called, _ in two.heard]
    for (called, mine), (_, theirs) in zip(one.heard, two.heard):
        assert mine == theirs, called
    assert one.log == two.log
    assert one.metrics == two.metrics
    assert len(one.heard) > 100
    assert len(one.log) > 50
    assert all(mine != theirs for mine, theirs in zip(one.own, two.own)), "the secret is no fancy"


def test_a_miss_at_a_hidden_ship_tells_nothing_of_its_damage(server: servers.Server) -> None:
    found = HIDING["carriers"]
    twins = twins_with_a_miss(found)
    one, two = both(server, found, twins)
    assert one.heard == two.heard
    assert one.log == two.log
    assert all(mine != theirs for mine, theirs in zip(one.own, two.own))


# ---- The harness hears what leaks


def an_id_in_an_event(deed: Deed, board: Any, seat: str | None) -> Deed:
    return replace(VEILED.deed_for(deed, board, seat), events=deed.events)


def words(deed: Deed, board: Any, seat: str | None) -> Deed:
    return replace(VEILED.deed_for(deed, board, seat), summary=deed.summary)


@pytest.mark.parametrize("leak", [an_id_in_an_event, words])
def test_the_harness_hears_a_deed_that_leaks(
    server: servers.Server, leak: Callable[[Deed, Any, str | None], Deed]
) -> None:
    twins = soon(twins_of("a stand-in")["Deploy"])
    one, two = both(server, replace(VEILED, deed_for=leak), twins)
    assert one.heard != two.heard


def test_the_harness_hears_a_picture_that_leaks(
    server: servers.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that is shown whole would be noticed: here, what is drawn."""
    twins = soon(twins_of("a stand-in")["Deploy"])
    monkeypatch.setattr(
        "guncamera.api.session_calls.board_for",
        lambda session, _seat: session.record.ruleset.view_for(
            session.state.board, twins.holder, session.record.book
        ),
    )
    one, two = both(server, VEILED, twins)
    differ = {called.split()[2] for (called, mine), (_, theirs) in zip(one.heard, two.heard)
              if mine != theirs}  # fmt: skip
    assert differ == {"DrawBoard"}


def test_the_harness_hears_an_offer_that_leaks(
    server: servers.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is offered in place of a refused order, if it were made of all that is on the board."""
    offered = playing.nearest_orders

    def leaking(session: Any, *asked: Any) -> Any:
        found = offered(session, *asked)
        number = crc32(repr(session.state.board).encode()) % 1000
        return None if found is None else replace(found, compared=number)

    monkeypatch.setattr(playing, "nearest_orders", leaking)
    one, two = both(server, HIDING["carriers"], soon(twins_of("carriers")["MoveShips"]))
    assert one.heard != two.heard


def test_the_search_notices_an_order_that_what_is_hidden_makes_illegal() -> None:
    """Legality is told to whoever orders, so it must not rest on another seat's secret."""

    def survey(board: Any, seat: str, verb: Any, order: Any, book: Any) -> Any:
        if seat == BLUE and sum(repr(board.red).encode()) % 2:
            raise Illegal("KET-1.1", "Red is odd.")
        return VEILED.survey(board, seat, verb, order, book)

    with pytest.raises(AssertionError, match=r"makes .* illegal"):
        hidden.best_twins(replace(VEILED, survey=survey))
