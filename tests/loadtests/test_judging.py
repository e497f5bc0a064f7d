"""Loads and soaks are judged: what is slow, failed, missing or rising is told."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import defaultdict
from types import SimpleNamespace

import pytest
import run
import soak
import swarm
from guncamera.rules.ruleset import rulesets
from pilots import any_setup


def row(name: str, *, made: int = 100, failed: int = 0, p95: float = 1.0) -> dict[str, str]:
    return {
        "Type": "RestUser",
        "Name": name,
        "Request Count": str(made),
        "Failure Count": str(failed),
        "95%": str(p95),
    }


def test_a_call_within_its_budget_is_not_told():
    assert run.over_budget([row("move"), row("draw_board")]) == []


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (row("move", p95=1e6), "p95"),
        (row("move", failed=1), "1 of 100 failed"),
        (row("a_new_call"), "has no budget"),
    ],
)
def test_a_call_over_its_budget_is_told(made, word):
    (told,) = run.over_budget([made])
    assert word in told
    assert made["Name"] in told


def test_a_call_never_made_and_a_rule_set_never_played_are_told():
    everyone = dict.fromkeys(rulesets(), (1, 0))
    everything = [row(name) for name in run.BUDGETS]
    assert run.never_made(everything, everyone) == []
    assert run.never_made(everything[1:], everyone) == [f"{everything[0]['Name']} was never called"]
    (told,) = run.never_made(everything, dict.fromkeys(list(rulesets())[1:], (1, 0)))
    assert next(iter(rulesets())) in told


def test_games_are_counted_and_are_no_calls():
    found = [
        {**row("kettering", made=3), "Type": "game begun"},
        {**row("kettering", made=2), "Type": "game over"},
        {**row("circus", made=1), "Type": "game begun"},
        row("move"),
        row("Aggregated"),
    ]
    assert swarm.games(found) == {"kettering": (3, 2), "circus": (1, 0)}
    assert [one["Name"] for one in swarm.calls(found)] == ["move"]


def points(*values: float) -> list[tuple[float, float]]:
    return [(10.0 * at, value) for at, value in enumerate(values)]


@pytest.mark.parametrize(
    ("measure", "values", "is_flat"),
    [
        (soak.MEMORY, (10, 100, 101, 100, 102, 99, 101, 103, 102, 101), True),
        (soak.MEMORY, (10, 100, 104, 108, 112, 116, 120, 124, 128, 132), False),
        (soak.DESCRIPTORS, (0, 40, 40, 41, 40, 40, 41, 40, 40, 40), True),
        (soak.DESCRIPTORS, (0, 40, 42, 44, 46, 48, 50, 52, 54, 56), False),
        (soak.P99, (900, 30, 31, 30, 33, 30, 31, 34, 30, 31), True),
        (soak.P99, (900, 30, 31, 30, 33, 40, 45, 60, 62, 64), False),
    ],
)
def test_what_rises_is_not_flat_and_warming_up_does_not_count(measure, values, is_flat):
    (trend,) = soak.trends({("REST server", measure): points(*values)}, 100)
    assert trend.is_flat is is_flat
    assert ("NOT FLAT" in str(trend)) is not is_flat


def test_a_soak_too_short_to_tell_says_so():
    with pytest.raises(ValueError, match="too few samples"):
        soak.trends({("store", soak.MEMORY): points(1, 2)}, 100)


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_rule_set_can_be_set_up(slug):
    message = any_setup(rulesets()[slug], random.Random(1))
    assert message.WhichOneof("ruleset") == slug


def test_a_process_that_has_just_ended_is_passed_over() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        # Waited for by nobody yet, it has no memory to tell of.
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        running = SimpleNamespace(process=SimpleNamespace(pid=os.getpid()))
        series = defaultdict(list)
        soak.sample(running, 1.0, series)
    assert {measure for _, measure in series} == {soak.MEMORY, soak.THREADS, soak.DESCRIPTORS}
    assert all(value > 0 for points in series.values() for _, value in points)
