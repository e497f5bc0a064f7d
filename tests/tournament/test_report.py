"""Reports: the same bytes for the same results, a page that needs nothing else, films linked."""

import csv
import json
import re
from html.parser import HTMLParser

import pytest
from guncamera.cli.main import main
from guncamera_tournament.event import Entry, Event, Setup
from guncamera_tournament.report import report_on
from guncamera_tournament.report_page import to_html
from guncamera_tournament.runner import run_event

VOID = {"meta", "br", "hr", "img", "link"}


@pytest.fixture(scope="module")
def folder(service, tmp_path_factory):
    """An event of three, with a pilot that forfeits."""
    place = tmp_path_factory.mktemp("reports") / "cup"
    pilots = tmp_path_factory.mktemp("pilots") / "mine.py"
    pilots.write_text("def gives_up(situation):\n    raise ValueError('<b>no & no</b>')\n")
    entries = (
        Entry("greedy", "stock:greedy"),
        Entry("random", "stock:random"),
        Entry("gives-up", f"{pilots}:gives_up"),
    )
    short = (Setup(json='{"turns": 8}'),)
    run_event(place, Event("circus", entries, "reports", setups=short), [service.grpc])
    return place


@pytest.fixture
def reported(folder, capsys, tmp_path):
    """Files of a report by kind, and what was printed."""

    def reported(name: str, *more: str):
        made = {kind: tmp_path / f"{name}.{kind}" for kind in ("html", "csv", "games-csv", "json")}
        words = [word for kind, file in made.items() for word in (f"--{kind}", str(file))]
        code = main(["tournament", "report", str(folder), *words, *more])
        assert code == 0
        return {kind: file.read_bytes() for kind, file in made.items()}, capsys.readouterr().out

    return reported


class Page(HTMLParser):
    """Tags that are open, links, and ids."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.links, self.ids, self.text = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(html: bytes) -> Page:
    page = Page()
    page.feed(html.decode())
    assert page.open == []
    return page


def test_equal_results_have_equal_reports_whatever_the_clocks_say(reported, folder):
    before, _ = reported("before")
    timings = folder / "timings.json"
    kept = timings.read_bytes()
    changed = re.sub(rb'"seconds":[0-9.]+', b'"seconds":9.25', kept)
    assert changed != kept
    try:
        timings.write_bytes(changed)
        after, out = reported("after")
    finally:
        timings.write_bytes(kept)
    assert after == before
    assert "9.25 s a game" in out
    assert b"Pace" not in before["html"]
    assert "timings" not in json.loads(before["json"])
    told, _ = reported("told", "--timings")
    assert b"Pace" in told["html"]
    assert json.loads(told["json"])["timings"]["games"] == 6


def test_json_and_csv_tell_the_results(reported):
    files, _ = reported("one")
    plain = json.loads(files["json"])
    rows = {row["pilot"]: row for row in plain["standings"]}
    assert [row["rank"] for row in plain["standings"]] == [1, 2, 3]
    assert rows["gives-up"]["forfeits"] == rows["gives-up"]["lost"] == 4
    assert sum(row["points"] for row in rows.values()) == 6 == plain["event"]["bouts"]
    for row in rows.values():
        assert row["rate_low"] <= row["rate"] <= row["rate_high"]
        assert row["elo_low"] < row["elo"] < row["elo_high"]
    meetings = {(one["pilot"], one["other"]): one for one in plain["head_to_head"]}
    assert len(meetings) == 6
    for (one, other), met in meetings.items():
        back = meetings[other, one]
        assert (met["won"], met["drawn"], met["lost"]) == (
            back["lost"], back["drawn"], back["won"],
        )  # fmt: skip
    table = list(csv.DictReader(files["csv"].decode().splitlines()))
    assert [row["pilot"] for row in table] == [row["pilot"] for row in plain["standings"]]
    assert [float(row["points"]) for row in table] == [row["points"] for row in plain["standings"]]
    games = list(csv.DictReader(files["games-csv"].decode().splitlines()))
    assert [game["bout"] for game in games] == [game["bout"] for game in plain["games"]]
    for row in (*table, *games):
        assert (row["variant"], row["variant_hash"]) == ("", "")
    assert {game["reason"] for game in games} >= {"forfeit: crash"}


def test_the_page_needs_nothing_else_and_links_every_film(folder):
    file = folder / "report.html"
    html = to_html(report_on(folder), folder, file)
    page = read(html.encode())
    films = sorted(link for link in page.links if link.startswith("films/"))
    assert films == sorted(f"films/{film.name}" for film in (folder / "films").iterdir())
    # Clip paths and markers of a drawing are its own.
    assert [link for link in page.links if not link.startswith("films/")] == [
        link for link in page.links if link.startswith("#")
    ]
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not re.search(r"url\((?!#)|@import|src=", html)
    shown = html.replace("http://www.w3.org/2000/svg", "").replace(
        "http://www.w3.org/1999/xlink", ""
    )
    assert "http" not in shown
    assert page.tags.count("svg") == 5
    assert "prefers-color-scheme:dark" in html
    # Every color of a drawing is one of the page's.
    assert not re.search(r"#0[0-9a-f]{5}", html)
    assert "crash: gives-up: ValueError: <b>no & no</b>" in "".join(page.text)
    assert "b" in page.tags
    assert "<b>no" not in html


def test_a_page_elsewhere_links_the_films_where_they_are(folder, tmp_path):
    file = tmp_path / "report.html"
    page = read(to_html(report_on(folder), folder, file).encode())
    films = [link for link in page.links if "/films/" in link]
    assert len(films) == 6
    for link in films:
        assert (file.parent / link).resolve().is_file()


def test_the_terminal_tells_it_in_80_columns(reported):
    _, out = reported("told")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("circus, round-robin, 6 bouts, seeded dice")
    assert lines[2].split()[:4] == ["pilot", "w-d-l", "points", "win"]
    assert "Head to head: won-drawn-lost, points a bout" in lines
    assert "Luck: hits on pilots, by all films" in lines


def test_a_folder_without_results_is_refused_by_name(tmp_path, capsys):
    assert main(["tournament", "report", str(tmp_path)]) != 0
    assert "results.json" in capsys.readouterr().err


def test_films_of_other_rules_are_refused_and_the_rest_is_told_without_them(folder, capsys):
    film = next((folder / "films").iterdir())
    kept = film.read_text()
    try:
        film.write_text(re.sub(r'"rules_hash":"[0-9a-f]{12}', '"rules_hash":"000000000000', kept))
        assert main(["tournament", "report", str(folder)]) == 2
        told = capsys.readouterr().err
        assert "films" in told
        assert "other rules for circus than this package: 000000000000 against" in told
        film.unlink()
        assert main(["tournament", "report", str(folder)]) == 2
        assert film.name in capsys.readouterr().err
        assert main(["tournament", "report", str(folder), "--films", "0"]) == 0
        assert "Luck" not in capsys.readouterr().out
    finally:
        film.write_text(kept)
