"""What is counted is what docs/operations.md lists, and nothing counted tells what is hidden."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeEndpoints
from games import example_setup
from guncamera.api.config import Config
from guncamera.api.metrics import Metrics, falls_openly
from guncamera.api.rest import create_app
from guncamera.rules.dice import Roll
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from
from guncamera.sessions.session import Action, DiceSource, Record, Session, state_of
from prometheus import Counts
from prometheus_client.parser import text_string_to_metric_families

PAGE = (Path(__file__).parents[2] / "docs/operations.md").read_text()
MOST_ACTIONS = 400


def session_of(found: Ruleset, *, delay: int = 0) -> Session:
    """A new session, in no store."""
    setup, book = example_setup(found), found.book
    record = Record(
        "game", found, book, book.rules_version, book.digest, setup, found.seats(setup, book), 1,
        1000, (), spectator_delay_seconds=delay,
    )  # fmt: skip
    board = found.open_board(setup, book)
    return Session(record, state_of(record, board, 1), 0, {}, {}, 0)


def action_with(session: Session, deed: dict[str, Any], *rolls: Roll) -> Action:
    source = DiceSource.SEEDED if rolls else None
    return Action(
        revision=1, trace=(), rolls=rolls, dice_source=source, rules_version=1, create_micros=1,
        **deed,
    )  # fmt: skip


def test_the_page_lists_what_is_counted_and_nothing_else() -> None:
    config = Config()
    metrics = config.telemetry.metrics
    session = session_of(rulesets()["kettering"])
    metrics.answered("Move", "rest", "kettering", "OK", 0.001)
    metrics.stream_opened("rest")
    metrics.store_took("load", 0.001, count=1, failed=1)
    metrics._faces.labels("seeded", 6, 1).inc()
    metrics.parted(session.record.ruleset.slug, "import")
    client = create_app(FakeEndpoints(), config=config).test_client()
    told = {
        (
            family.name,
            family.type,
            tuple(name for name in family.samples[0].labels if name != "le"),
        )
        for family in text_string_to_metric_families(client.get("/metrics").text)
        if not family.name.endswith("_created")
    }
    rows = re.findall(r"^\| `(guncamera_\w+)` \| (\w+) \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
    listed = {
        (name, kind, tuple(sorted(re.findall(r"`(\w+)`", labels)))) for name, kind, labels in rows
    }
    assert {(name, kind, tuple(sorted(labels))) for name, kind, labels in told} == listed


def counted(metrics: Metrics, name: str, *labels: str) -> dict[tuple[str, ...], float]:
    return Counts.of(metrics.render()[0].decode()).by(name, *labels)


def test_many_at_once_are_observed_like_many_one_by_one() -> None:
    together, apart = Metrics(), Metrics()
    for seconds in (0.00005, 0.0001, 0.003, 9.0):
        together.store_took("load", seconds, count=3, failed=0)
        for _ in range(3):
            apart.store_took("load", seconds, count=1, failed=0)
            apart._store_seconds.labels("by the library").observe(seconds)
    names = ("guncamera_store_seconds_bucket", "guncamera_store_seconds_count")
    for name in names:
        by = ("le",) if name.endswith("bucket") else ()
        one, other = (
            Counts.of(each.render()[0].decode()).by(name, *by, operation="load")
            for each in (together, apart)
        )
        library = Counts.of(apart.render()[0].decode()).by(name, *by, operation="by the library")
        assert one == other == library
    assert counted(together, "guncamera_store_seconds_sum")[()] == pytest.approx(3 * 9.00315)


def play(found: Ruleset, pilot: str) -> list[tuple[Session, Action]]:
    """A game by a stock pilot: each action, with the session that it was ruled on in."""
    session = session_of(found)
    record, book = session.record, found.book
    seed = seed_from("metrics")
    played = []
    for number in range(MOST_ACTIONS):
        board = session.state.board
        if found.result(board) is not None:
            break
        seat = found.active_seats(board)[0]
        order = found.pilots[pilot](found.view_for(board, seat, book), seat, book, number)
        facts = found.survey(board, seat, order.verb, order.order, book)
        dice = SeededDice(seed, commitment_of(seed), number + 1)
        ruling = found.procedure(order.verb).rule(facts, book, dice)
        applied = found.apply(board, order.verb, order.order, ruling, book)
        deed = {
            "seat": seat, "verb": order.verb, "order": order.order, "outcome": ruling.outcome,
            "events": applied.events, "summary": ruling.summary,
        }  # fmt: skip
        played.append((session, action_with(session, deed, *dice.rolls)))
        state = state_of(record, applied.board, 1)
        session = Session(record, state, number + 1, {}, {}, 0)
    return played


@pytest.mark.parametrize("slug", list(rulesets()))
def test_whether_dice_are_counted_never_depends_on_how_they_fell(slug: str) -> None:
    """What is ordered decides, so leaving some out makes the rest no less fair."""
    found = rulesets()[slug]
    by_kind: dict[Any, set[bool]] = defaultdict(set)
    rolled = 0
    for session, action in play(found, "random"):
        if action.rolls:
            rolled += 1
            procedure = getattr(action.order, "procedure", action.order)
            by_kind[action.verb, type(procedure)].add(falls_openly(session, action))
    assert rolled
    assert all(len(seen) == 1 for seen in by_kind.values()), by_kind


def test_hidden_dice_are_never_counted_and_neither_are_those_shown_later() -> None:
    found = rulesets()["kettering"]
    roll = Roll("start-hex", (6,), (4,))
    hidden = {"seat": "pilot", "verb": "move", "order": None, "outcome": None, "events": (),
              "summary": ""}  # fmt: skip
    metrics = Metrics()
    at_once, delayed = session_of(found), session_of(found, delay=60)
    metrics.landed(delayed, action_with(delayed, hidden, roll))
    assert counted(metrics, "guncamera_dice_faces_total", "face") == {}
    metrics.landed(at_once, action_with(at_once, hidden, roll))
    assert counted(metrics, "guncamera_dice_faces_total", "face") == {("4",): 1}


def test_dice_that_a_rule_set_hides_from_spectators_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dataclasses import replace

    kettering = rulesets()["kettering"]
    secretive = replace(
        kettering,
        deed_for=lambda deed, _board, seat: deed if seat else replace(deed, rolls=()),
    )
    session = session_of(secretive)
    action = action_with(
        session,
        {"seat": "pilot", "verb": "move", "order": None, "outcome": None, "events": (),
         "summary": ""},
        Roll("start-hex", (6,), (4,)),
    )  # fmt: skip
    metrics = Metrics()
    metrics.landed(session, action)
    assert counted(metrics, "guncamera_dice_faces_total", "face") == {}
