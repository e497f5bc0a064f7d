"""docs/tournaments.md: what it shows is run, and is so."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import json_format
from guncamera.cli.main import app
from guncamera.v1.session_service_pb2 import Session
from guncamera_tournament.event import ClockRules, Entry, Event
from guncamera_tournament.event_file import read_event
from guncamera_tournament.formats import FORMATS
from guncamera_tournament.journal import EVENT, read_results
from guncamera_tournament.pilot import Situation
from guncamera_tournament.runner import run_event
from typer.main import get_command

PAGE = (Path(__file__).parents[2] / "docs/tournaments.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


MINE, GROUP, PROGRAM, FROM_PYTHON = blocks("python")


@pytest.fixture
def folder(tmp_path, monkeypatch, service):
    """Where a reader of the page is: with the pilots it shows, and a service running."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GUNCAMERA_GRPC_ADDRESS", service.grpc)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "first.py").write_text(PROGRAM)
    return tmp_path


def test_every_line_for_the_shell_does_what_it_says(folder):
    binaries = Path(sys.executable).parent
    told = []
    for line in [line for block in blocks("sh") for line in block.strip().splitlines()]:
        done = subprocess.run(
            ["bash", "-euc", line],
            capture_output=True, text=True, check=False, timeout=100,
            env={**os.environ, "PATH": f"{binaries}:/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        told.append(done.stdout)
    checked, played, again, shown, reported = told
    assert checked.count("ok ") == 6
    assert played == again == shown
    assert "same dice, both sides" in shown
    assert "Elo, 95 %" in reported
    for name in ("cup.html", "cup.json", "cup.csv", "games.csv"):
        assert (folder / name).stat().st_size > 100, name
    event, records = read_results(folder / "cup")
    assert (event.seed, event.dice) == ("cup of May", "duplicate")
    assert [record.reason for record in records] == ["finished", "finished"]
    table = PAGE.partition("The folder of an event")[2]
    held = re.findall(r"^\| `([\w.]+)/?` \|", table, re.MULTILINE)[:5]
    assert set(held) == {path.name for path in (folder / "cup").iterdir()}


def test_the_event_of_the_page_is_one_and_its_dice_are_as_told(folder, service):
    (text,) = blocks("toml")
    (folder / "league").mkdir()
    (folder / "league" / EVENT).write_text(text)
    event = read_event(folder / "league" / EVENT)
    assert event.clock.most_strikes == 3
    records = run_event(folder / "league", None, [service.grpc], in_flight=2)
    assert len(records) == 2 * 2 * 2
    assert not [record.detail for record in records if record.detail]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(GROUP, "tournaments.md", "exec"), {})
    shown = re.search(r'"(r\d+-p\d+-g\d+)".*?group, "(\w+)", "([\w-]+)"', GROUP, re.DOTALL)
    group, seat, purpose = shown.groups()
    assert f"It prints `{out.getvalue().strip()}`." in PAGE
    there = 0
    for record in records:
        if record.dice_group != group:
            continue
        film = json.loads((folder / "league" / record.boards[0].film).read_text())
        rolls = [roll for action in film["actions"] if action["seat"] == seat
                 for roll in action.get("rolls", ()) if roll["purpose"] == purpose]  # fmt: skip
        assert str(tuple(rolls[0]["faces"])) == out.getvalue().strip()
        there += 1
    assert there == 2


def test_the_python_of_the_page_runs(folder):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(FROM_PYTHON, "tournaments.md", "exec"), {"__name__": "shown"})
    assert "side wins" in out.getvalue() or "draw" in out.getvalue()


LISTENS = """
import sys
out = open("heard", "a")
for line in sys.stdin:
    out.write(line)
    out.flush()
    if '"type": "game"' in line:
        print('{"type": "ready", "legal_orders": 1}', flush=True)
        asked = False
    elif '"type": "turn"' in line and not asked:
        print('{"type": "legal_orders", "count": 20}', flush=True)
        asked = True
    else:
        print('{"type": "fault", "message": "enough"}', flush=True)
"""


def test_the_lines_of_the_page_are_those_that_are_said(folder, service):
    (folder / "listens.py").write_text(LISTENS)
    pilots = (Entry("mine", f"program:{sys.executable} listens.py"), Entry("b", "stock:random"))
    event = Event("circus", pilots, "s", format="single", swap_sides=False)
    (record,) = run_event(folder / "event", event, [service.grpc])
    assert (record.reason, record.detail) == ("forfeit: crash", "mine: enough")
    heard = [json.loads(line) for line in (folder / "heard").read_text().splitlines()]
    shown = [json.loads(line) for block in blocks("json") for line in block.strip().splitlines()]
    game, ready, turn, _, asks, draws, told, invitation = shown
    assert heard[0] == game
    assert list(heard[1]) == list(turn)
    assert set(heard[1]["legal_orders"][0]) == set(turn["legal_orders"][0]) == {"spot", "summary"}
    session = json_format.ParseDict(heard[1]["session"], Session())
    assert session.board.HasField("circus")
    assert list(heard[2]) == list(told)
    assert 1 <= len(heard[2]["orders"]) <= asks["count"] == 20
    assert (ready["type"], draws["type"]) == ("ready", "draw_orders")
    assert set(invitation) == {*game, "target", "token", "session"} - {"type", "protocol"}


def test_the_program_of_the_page_plays(folder, service):
    assert len(PROGRAM.strip().splitlines()) <= 10
    pilots = (Entry("a", f"program:{sys.executable} first.py"), Entry("b", "stock:random"))
    event = Event("redstars", pilots, "s", format="single")
    records = run_event(folder / "event", event, [service.grpc])
    assert {record.reason for record in records} == {"finished"}


def test_the_page_names_every_format_option_and_part_of_a_situation():
    for name in FORMATS:
        assert f"| `{name}` |" in PAGE
    for name in Situation.__dataclass_fields__.keys() - {"_source"}:
        assert f"`{name}`" in PAGE
    for name in ("view", "legal_orders(most=100)", "draw_orders(count=1)"):
        assert f"`{name}`" in PAGE
    for name in ClockRules.__dataclass_fields__:
        assert f"`{name}`" in PAGE
    tournament = get_command(app).commands["tournament"]
    for name in tournament.commands:
        assert f"guncamera tournament {name}" in PAGE
    assert {"timeout", "crash", "illegal", "malformed", "flood", "cheat"} == set(
        re.findall(r"^\| `forfeit: (\w+)` \|", PAGE, re.MULTILINE)
    )
