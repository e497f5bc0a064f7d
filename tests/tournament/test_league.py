"""The published league: the quick one again to the byte, and what the whole one says."""

import dataclasses
import io
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from guncamera_tournament import league
from guncamera_tournament.event import Entry
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.league import PILOTS, PUBLISHED, divisions, play_league, written
from guncamera_tournament.ratings import wilson
from guncamera_tournament.runner import Unwatched
from rich.console import Console

PAGE = Path(__file__).parents[2] / "docs/league.md"


@pytest.fixture(scope="module")
def played(service, tmp_path_factory):
    """The quick league, played once; played again it takes what lies in the folder."""
    folder = tmp_path_factory.mktemp("league")

    def played():
        out = Console(file=io.StringIO(), width=80)
        same = play_league(
            [service.grpc], out, quick=True, folder=folder, workers=1, watcher=Unwatched()
        )
        return same, out.file.getvalue()

    return played


def test_the_quick_league_comes_out_as_published_to_the_byte(played):
    same, out = played()
    assert same, out
    assert out.endswith("As published, to the byte.\n")
    for division in divisions("quick"):
        assert f"\n{division.ruleset}\n" in out


def test_another_table_is_told_apart_line_by_line(played, monkeypatch, tmp_path):
    tables = json.loads(PUBLISHED.read_bytes())
    tables["quick"]["circus"]["standings"][0]["won"] += 1
    other = tmp_path / "league.json"
    other.write_bytes(written(tables))
    monkeypatch.setattr(league, "PUBLISHED", other)
    same, out = played()
    assert not same
    changed = [line for line in out.splitlines() if re.match(r"[-+] ", line)]
    assert len(changed) == 2
    assert all('"won"' in line for line in changed)


def test_no_table_comes_of_a_pilot_that_forfeits(service, tmp_path, monkeypatch):
    spoilt = dataclasses.replace(
        divisions("quick")[-1], ruleset="kettering", setup='{"torpedoes": 1}'
    )
    monkeypatch.setattr(league, "divisions", lambda _length: (spoilt,))
    broken = tmp_path / "broken.py"
    broken.write_text("def pilot(situation):\n    return 1 / 0\n")
    entries = (Entry("lookahead", f"{broken}:pilot"), Entry("random", "stock:random"))
    event = dataclasses.replace(spoilt.event(), pilots=entries)
    monkeypatch.setattr(league.Division, "event", lambda division: event)
    made = tmp_path / "league.json"
    with pytest.raises(TournamentError, match=r"r001-p0001-g0001-a: forfeit: crash: .*division by"):
        play_league(
            [service.grpc], Console(file=io.StringIO()), quick=True, folder=tmp_path, workers=1,
            watcher=Unwatched(), publish=made,
        )  # fmt: skip
    assert not made.exists()


def whole() -> dict:
    return json.loads(PUBLISHED.read_bytes())["whole"]


@pytest.mark.parametrize("division", divisions("whole"), ids=lambda one: one.ruleset)
def test_each_pilot_beats_the_one_below_beyond_doubt(division):
    table = whole()[division.ruleset]
    met = {(one["pilot"], one["other"]): one for one in table["head_to_head"]}
    for better, worse in pairwise(PILOTS):
        one = met[better, worse]
        games = division.games * (1 if division.ruleset == "kettering" else 2)
        assert one["bouts"] == games
        low, _ = wilson(one["won"] + one["drawn"] / 2, games)
        assert one["rate_low"] == round(low, 4) > 0.5
    assert [row["pilot"] for row in table["standings"]] == list(PILOTS)


def test_the_file_is_as_it_would_be_written():
    assert written(json.loads(PUBLISHED.read_bytes())) == PUBLISHED.read_bytes()


def page_rows() -> list[str]:
    """The lines of the page's tables, made from the published tables."""
    rows = []
    for slug, table in sorted(whole().items()):
        met = {(one["pilot"], one["other"]): one for one in table["head_to_head"]}
        for row in table["standings"]:
            below = PILOTS[PILOTS.index(row["pilot"]) + 1 :][:1]
            against = ""
            for name in below:
                one = met[row["pilot"], name]
                against = (
                    f"{one['rate']:.0%} of {one['bouts']}, "
                    f"{one['rate_low']:.0%}–{one['rate_high']:.0%}"
                )
            rows.append(
                f"| {slug} | {row['pilot']} | {row['won']}-{row['drawn']}-{row['lost']} | "
                f"{row['rate']:.0%} | {row['elo']} ({row['elo_low']}–{row['elo_high']}) | "
                f"{against} |"
            )
    return rows


def test_the_page_has_the_published_table():
    lines = [
        line for line in PAGE.read_text().splitlines() if re.match(r"\| [a-z]+ \| [a-z]+ \|", line)
    ]
    assert lines == page_rows(), "\n".join(page_rows())
