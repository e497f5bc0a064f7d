"""`guncamera tournament` as people type it."""

import io
import json
import sys
from pathlib import Path

import pytest
from guncamera.cli.main import main
from guncamera_tournament.event import Entry, Event
from guncamera_tournament.progress import ProgressBar
from guncamera_tournament.record import GameRecord
from rich.console import Console

PILOTS = Path(__file__).with_name("tournament_pilots.py")


@pytest.fixture
def tournament(service, capsys, monkeypatch, tmp_path):
    """A command, its exit code, and what it printed on either output."""
    monkeypatch.chdir(tmp_path)

    def tournament(*words):
        code = main(["tournament", *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    tournament.target = ("--target", service.grpc)
    return tournament


def test_an_event_is_played_and_shown(tournament, tmp_path):
    asked = (
        "run", "cup", "--ruleset", "redstars", "--pilot", "me=stock:random", "--pilot",
        f"{PILOTS}:crash", "--format", "gauntlet", "--games", 1, "--seed", 7, "--no-films",
        "--setting", "ring_break=lowest-id", "--soft-seconds", 20, "--memory-mb", 500,
    )  # fmt: skip
    code, out, err = tournament(*asked, *tournament.target)
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert rows[1] == ["me", "2", "2", "0", "0", "0", "2"]
    assert rows[2] == ["crash", "2", "0", "0", "2", "2", "0"]
    assert "r001-p0001-g0001-a: forfeit: crash: crash: ValueError: no idea" in " ".join(out.split())
    assert tournament("run", "cup", *tournament.target) == (0, out, "")
    assert tournament("show", "cup") == (0, out, "")
    _, told, _ = tournament("show", "cup", "--json")
    plain = json.loads(told)
    assert [row["name"] for row in plain["standings"]] == ["me", "crash"]
    assert [one["bout"][-1] for one in plain["forfeits"]] == ["a", "b"]
    event = json.loads((tmp_path / "cup/results.json").read_text())["event"]
    assert event["settings"] == {"ring_break": "lowest-id"}
    assert event["clock"]["soft_seconds"] == 20
    assert event["limits"]["memory_mb"] == 500
    assert event["keep_films"] is False


def test_pairs_are_shown_with_their_interval(tournament):
    code, out, _ = tournament(
        "run", "cup", "--ruleset", "redstars", "--pilot", "a=stock:random", "--pilot",
        "b=stock:random", "--games", 3, "--duplicate", "--in-flight", 2, *tournament.target,
    )  # fmt: skip
    assert code == 0
    assert "a less b, points a bout:" in out
    assert "of 3, 95 % from" in out
    assert "of 6, 95 % from" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "none"), "EVENT_INVALID: none: there is no event.toml"),
        (("show", "none"), "EVENT_INVALID: none/results.json: cannot be read"),
        (("run", "cup", "--ruleset", "circus", "--pilot", "x", "--pilot", "stock:random"),
         "EVENT_INVALID: pilots[0].spec: 'x' names no pilot; write module:function"),
        (("run", "cup", "--ruleset", "circus", "--pilot", "a=stock:x", "--pilot", "stock:random"),
         "EVENT_INVALID: pilots[0].spec: there is no stock:x; there are"),
        (("check-pilot", "stock:random", "--ruleset", "redstars", "--target", "http://127.0.0.1:1"),
         "EVENT_INVALID: target: 'http://127.0.0.1:1' is an address of REST"),
        (("check-pilot", "none.py:fly", "--ruleset", "circus"), "there is no file none.py"),
        (("check-pilot", "file:nosuch", "--ruleset", "circus"),
         "EVENT_INVALID: spec: there is no module 'file'"),
        (("check-pilot", "json.nosuch:fly", "--ruleset", "circus"),
         "EVENT_INVALID: spec: there is no module 'json.nosuch'"),
        (("check-pilot", "json.decoder:nosuch", "--ruleset", "circus"),
         "EVENT_INVALID: spec: json.decoder has no function 'nosuch'"),
        (("check-pilot", f"{PILOTS}:nosuch", "--ruleset", "circus"), "has no function 'nosuch'"),
        (("sit", ".", "none.py:fly"), "there is no file none.py"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line_with_exit_code_two(tournament, words, said):
    target = () if words[0] in ("show", "sit") else tournament.target
    code, out, err = tournament(*words, *target)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_service_that_is_not_there_breaks_nothing(tournament, tmp_path):
    code, _, err = tournament(
        "run", "cup", "--ruleset", "circus", "--pilot", "a=stock:random",
        "--pilot", "b=stock:random", "--target", "127.0.0.1:1",
    )  # fmt: skip
    assert code == 1
    assert err.startswith("UNAVAILABLE: ")
    assert not (tmp_path / "cup").exists()


def test_a_pilot_is_checked(tournament):
    code, out, _ = tournament(
        "check-pilot", f"{PILOTS}:first", "--ruleset", "redstars", *tournament.target
    )
    assert code == 0
    assert [line[:4] for line in out.splitlines()] == ["ok  "] * 6
    code, out, _ = tournament(
        "check-pilot", f"{PILOTS}:nothing", "--ruleset", "redstars", "--json", *tournament.target
    )
    assert code == 1
    assert {check["passed"] for check in json.loads(out)} == {True, False}


def test_a_bar_shows_how_an_event_goes_on_a_terminal_and_nowhere_else(monkeypatch):
    event = Event("circus", (Entry("a", "stock:random"), Entry("b", "stock:random")), "s")
    record = GameRecord.from_plain({**PLAIN, "points": {"a": 1.0, "b": 0.0}})
    shown = {}
    for is_terminal in (True, False):
        out = io.StringIO()
        monkeypatch.setattr(sys, "stderr", out)
        monkeypatch.setattr(Console, "is_terminal", is_terminal)
        with ProgressBar(shown=True) as bar:
            bar.begins(event, 4)
            bar.played(record)
            bar._bar.refresh()
        shown[is_terminal] = out.getvalue()
    assert "circus, round-robin" in shown[True]
    assert "1/4" in shown[True]
    assert "a 1 : 0 b" in shown[True]
    assert shown[False] == ""


PLAIN = {
    "bout": "r001-p0001-g0001-a", "round": 1, "pairing": 1, "game": 1, "ruleset": "circus",
    "rules_version": 1, "setup": "default", "settings": {}, "dice": "seeded", "dice_group": "g",
    "pilots": ["a", "b"], "scores": {}, "winner": "a", "reason": "finished", "losers": [],
    "detail": "", "boards": [],
}  # fmt: skip
