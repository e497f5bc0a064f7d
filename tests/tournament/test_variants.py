"""Events by a variant: pilots reckon with its tables, and what it does in play is told."""

import csv
import json
import pickle
import re
import shutil
from pathlib import Path

import pytest
from guncamera.cli.main import main
from guncamera.rules.ruleset import ruleset
from guncamera.rules.variant import read_variant
from guncamera_client.local import SERVE_COMMAND, LocalService
from guncamera_tournament import cluster
from guncamera_tournament.event import Event, PlayedVariant
from guncamera_tournament.event_file import read_event
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.record import BoardRecord, GameRecord
from guncamera_tournament.report import report_on
from guncamera_tournament.runner import run_event
from guncamera_tournament.variants_compared import compared, twin_of
from kettering_variants import faster_by_two, files_of, heavier_with_a_kite, text_of

HEAVIER = text_of(faster_by_two(-2))
RENAMED_AUTHOR = HEAVIER.replace("A. Designer", "B. Designer")
SETUP = '{"torpedoes": 1}'


def table_with(slug: str, name: str, cells) -> dict:
    """A table of a rule set, its cells by a function of a row's label and cells."""
    (table,) = (one for one in files_of(ruleset(slug))["table"] if one["id"] == name)
    rows = [[row[0], *cells(row[0], row[1:])] for row in table["rows"]]
    return {"table": [{**table, "rows": rows}]}


def sure_of_hits() -> dict:
    """Carriers where every aircraft that has bombs or torpedoes hits with any face."""
    cards = files_of(ruleset("carriers"))["card"]
    always = dict.fromkeys(("bomb", "torpedo"), 6)
    return {"card": [{**card, **{k: n for k, n in always.items() if card[k]}} for card in cards]}


OTHERS = {
    "circus": table_with("circus", "crt-1", lambda _, cells: [0 for _ in cells]),
    "redstars": table_with(
        "redstars", "figures", lambda name, cells: [99] if name == "to_hit" else cells
    ),
    "carriers": sure_of_hits(),
}
QUICK = {
    "circus": ("setups", [{"name": "short", "json": '{"turns": 4}'}]),
    "redstars": ("setups", [{"name": "short", "json": '{"turns": 6}'}]),
    "carriers": ("settings", {"max_turns": 1}),
}


@pytest.fixture(scope="module")
def offering(tmp_path_factory):
    """A service that offers `heavier` and `kited`, and one variant of each other rule set."""
    folder = tmp_path_factory.mktemp("offered")
    for slug, document in OTHERS.items():
        (folder / f"{slug}.toml").write_text(text_of(document, slug, f"other-{slug}"))
    (folder / "heavier.toml").write_text(HEAVIER)
    (folder / "kited.toml").write_text(text_of(heavier_with_a_kite(), name="kited"))
    with LocalService.start(command=(*SERVE_COMMAND, "--variants", str(folder))) as service:
        yield service.target


@pytest.fixture
def cup(tmp_path, monkeypatch):
    """A folder with an event of kettering, written by hand, and variants beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heavier.toml").write_text(HEAVIER)
    (tmp_path / "kited.toml").write_text(text_of(heavier_with_a_kite(), name="kited"))
    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "event.toml").write_text(
        'ruleset = "kettering"\nseed = "s"\nformat = "single"\ngames = 2\ndice = "duplicate"\n'
        f"[[setups]]\nname = \"one\"\njson = '{SETUP}'\n"
        '[[pilots]]\nname = "greedy"\nspec = "stock:greedy"\n'
        '[[pilots]]\nname = "house"\nspec = "stock:house"\n'
    )
    return folder


def by(folder: Path, file: str) -> None:
    event = folder / "event.toml"
    event.write_text(event.read_text() + f'[variant]\nfile = "{file}"\n')


def contents(folder: Path) -> dict[str, bytes]:
    names = ("event.toml", "variant.toml", "results.json")
    return {
        file.name: file.read_bytes()
        for file in (*(folder / name for name in names), *(folder / "films").iterdir())
    }


def test_stock_pilots_play_by_a_variant_and_it_comes_out_equal(offering, cup, tmp_path, capsys):
    by(cup, "../heavier.toml")
    again = tmp_path / "again"
    shutil.copytree(cup, again)
    records = run_event(cup, None, [offering])
    assert {one.reason for one in records} == {"finished"}
    run_event(again, None, [offering], workers=2)
    assert contents(again) == contents(cup)
    event = read_event(cup / "event.toml")
    pin = read_variant(HEAVIER)[0].pin
    assert event.variant == PlayedVariant("variant.toml", "heavier", pin.hash)
    assert json.loads((cup / "results.json").read_text())["event"]["variant"]["hash"] == pin.hash
    film = str(next((cup / "films").iterdir()))
    assert main(["verify", film, "--variant", "heavier.toml"]) == 0
    assert main(["verify", film]) != 0
    capsys.readouterr()
    report = report_on(cup)
    assert report.luck.films == 4
    assert report.to_plain()["event"]["variant"] == "heavier"


@pytest.mark.parametrize("slug", list(OTHERS))
def test_every_rule_set_is_played_by_a_variant_that_pilots_reckon_with(
    offering, tmp_path, capsys, slug
):
    file = tmp_path / "other.toml"
    file.write_text(text_of(OTHERS[slug], slug, f"other-{slug}"))
    pilots = [{"name": name, "spec": "stock:house"} for name in ("one", "two")]
    what, quick = QUICK[slug]
    asked = {
        "ruleset": slug, "seed": "s", "format": "single", "swap_sides": False, "pilots": pilots,
        what: quick,
    }  # fmt: skip
    luck = {}
    for folder, variant in (("printed", {}), ("by-it", {"variant": {"file": str(file)}})):
        event = Event.from_plain({**asked, **variant})
        (record,) = run_event(tmp_path / folder, event, [offering])
        assert record.reason == "finished", record.detail
        luck[folder] = report_on(tmp_path / folder).luck
    film = str(tmp_path / "by-it" / record.boards[0].film)
    assert main(["verify", film, "--variant", str(file)]) == 0
    assert main(["verify", film]) != 0
    capsys.readouterr()
    printed, by_it = ([one.expected for one in luck[name].pilots] for name in luck)
    assert all(printed)
    if slug == "carriers":
        assert all(after > before for before, after in zip(printed, by_it))
    else:  # where nothing can hit, a pilot that reckons holds its fire
        assert [one.rulings for one in luck["by-it"].pilots] == [0, 0]


def test_a_pilot_is_checked_by_a_variant(offering, cup, tmp_path, capsys):
    (tmp_path / "one.json").write_text(SETUP)
    (tmp_path / "told.py").write_text(
        "def pilot(situation):\n"
        '    assert \'name = "heavier"\' in situation.variant, "not told"\n'
        "    return situation.draw_orders()[0]\n"
    )
    told = ("tournament", "check-pilot", "told.py:pilot", "--setup", "one.json", "--target")
    by_it = (offering, "--ruleset", "kettering", "--variant", "heavier.toml")
    assert main([*told, *by_it]) == 0
    assert capsys.readouterr().out.count("ok ") == 3
    assert main([*told, *by_it[:3]]) == 1
    assert "not told" in capsys.readouterr().out
    assert main([*told, *by_it, "--ruleset", "circus"]) == 2
    assert "a variant of kettering, and circus is played" in capsys.readouterr().err


def test_reports_name_the_variant(offering, cup, tmp_path, capsys):
    by(cup, "../heavier.toml")
    run_event(cup, None, [offering])
    pin = read_variant(HEAVIER)[0].pin
    files = {kind: tmp_path / f"report.{kind}" for kind in ("html", "csv", "games-csv")}
    words = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    assert main(["tournament", "report", "cup", *words]) == 0
    capsys.readouterr()
    page = files["html"].read_text()
    assert "<h1>kettering by heavier: single</h1>" in page
    assert f"by the variant heavier, <code>{pin.hash}</code>" in page
    assert "<code>guncamera verify FILM --variant variant.toml</code>" in page
    for kind in ("csv", "games-csv"):
        rows = list(csv.DictReader(files[kind].read_text().splitlines()))
        named = {(row["variant"], row["variant_hash"]) for row in rows}
        assert named == {("heavier", pin.hash)}, kind


class Tasks:
    """What a cluster does, without one: each job is brought to a worker, and played there."""

    def __init__(self, target: str) -> None:
        self.target = target

    def play(self, jobs):
        for job in jobs:
            yield cluster.play_task(pickle.loads(pickle.dumps(job)), self.target)

    def close(self) -> None:
        cluster._pool(self.target).close()
        cluster._pool.cache_clear()


def test_a_worker_of_a_cluster_needs_no_file(offering, cup, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_worker_address", lambda: "here")
    by(cup, "../heavier.toml")
    again = tmp_path / "again"
    shutil.copytree(cup, again)
    run_event(cup, None, [offering])
    (tmp_path / "heavier.toml").rename(again / "moved.toml")
    event = again / "event.toml"
    event.write_text(event.read_text().replace("../heavier.toml", "moved.toml"))
    run_event(again, None, [offering], make_executor=lambda: Tasks(offering))
    assert contents(again) == contents(cup)


def test_a_pilot_in_its_own_process_is_told_the_variant(offering, cup, tmp_path):
    by(cup, "../heavier.toml")
    (tmp_path / "told.py").write_text(
        "def pilot(situation):\n"
        '    assert \'name = "heavier"\' in situation.variant, "not told"\n'
        "    return situation.legal_orders(1)[0]\n"
    )
    event = cup / "event.toml"
    text = event.read_text().replace("stock:house", f"{tmp_path / 'told.py'}:pilot")
    event.write_text(f"most_actions = 60\n{text}")
    records = run_event(cup, None, [offering])
    assert {one.reason for one in records} <= {"finished", "length"}, records[0].detail


def test_it_goes_on_under_the_same_variant_only(offering, cup, tmp_path):
    by(cup, "../heavier.toml")
    run_event(cup, None, [offering])
    asked = read_event(cup / "event.toml")
    whole = contents(cup)
    journal = cup / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    for file in ("", str(tmp_path / "kited.toml")):
        other = Event.from_plain({**asked.to_plain(), "variant": {"file": file}})
        with pytest.raises(TournamentError, match=r"variant: the event there has .*heavier"):
            run_event(cup, other, [offering])
    shutil.copy(tmp_path / "kited.toml", cup / "variant.toml")
    with pytest.raises(TournamentError, match="variant: the event was begun by heavier"):
        run_event(cup, None, [offering])
    shutil.copy(tmp_path / "heavier.toml", cup / "variant.toml")
    run_event(cup, None, [offering])
    assert contents(cup) == whole


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("none.toml", "none.toml: .*No such file"),
        ("author.toml", "hash: .*guncamera rules check"),
        ("circus.toml", "a variant of circus, and kettering is played"),
    ],
)
def test_a_file_that_is_no_variant_of_it_is_refused(offering, cup, tmp_path, file, says):
    (tmp_path / "author.toml").write_text(RENAMED_AUTHOR)
    (tmp_path / "circus.toml").write_text(text_of({}, "circus"))
    by(cup, f"../{file}")
    with pytest.raises(TournamentError, match=f"variant: .*{says}"):
        run_event(cup, None, [offering])
    assert not (cup / "journal.jsonl").exists()


def test_a_service_must_offer_the_very_same(offering, service, cup, tmp_path):
    (tmp_path / "other.toml").write_text(text_of(faster_by_two(-3)))
    by(cup, "../other.toml")
    with pytest.raises(TournamentError, match="variant: the service has heavier as"):
        run_event(cup, None, [offering])
    with pytest.raises(TournamentError, match=r"variant: .*guncamera serve --variants FOLDER"):
        run_event(cup, None, [service.grpc])


def test_a_name_without_a_file_is_refused():
    pilots = [{"name": name, "spec": "stock:house"} for name in "ab"]
    plain = {"ruleset": "kettering", "seed": "s", "pilots": pilots, "variant": {"name": "heavier"}}
    with pytest.raises(TournamentError, match=r"variant.file: missing"):
        Event.from_plain(plain)


def test_compare_plays_both_and_tells_what_differs(offering, cup, tmp_path, capsys):
    command = ["tournament", "compare", "cup", "--variant", "heavier.toml", "--target", offering]
    assert main([*command, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["variant"], plain["bouts"], plain["left_out"]) == ("heavier", 2, 0)
    shifts = {one["what"]: one for one in plain["shifts"]}
    assert list(shifts) == [
        "points of greedy", "score of greedy", "points of house", "score of house", "turns",
    ]  # fmt: skip
    assert "variant" not in read_event(cup / "event.toml").to_plain()
    twin = read_event(cup / "variants/heavier/event.toml")
    assert twin.variant.name == "heavier"
    before = [
        r["scores"]["greedy"] for r in json.loads((cup / "results.json").read_text())["games"]
    ]
    assert shifts["score of greedy"]["before"] == sum(before) / 2
    assert main([*command, "--quiet"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"By heavier: 2 bouts, \d won otherwise\.", told)
    assert "score of house" in told
    again = ["tournament", "compare", "cup/variants/heavier", *command[3:]]
    assert main(again) != 0
    assert "the event is played by it" in capsys.readouterr().err


def game(bout: str, group: str, winner: str, turns: int, reason: str = "finished") -> dict:
    board = BoardRecord({"first": "a", "second": "b"}, turns, 1, 1, "over", "", "")
    points = {"a": float(winner == "a"), "b": float(winner == "b")}
    return GameRecord(
        bout, 1, 1, 1, "circus", 1, "default", {}, "duplicate", group, ("a", "b"), points, {},
        winner, reason, (), "", (board,),
    ).to_plain()  # fmt: skip


def test_the_difference_is_over_groups_of_the_same_dice(tmp_path):
    pilots = [{"name": name, "spec": "stock:house"} for name in "ab"]
    event = {"ruleset": "circus", "seed": "s", "pilots": pilots}
    before = [game("1a", "1", "a", 4), game("1b", "1", "a", 4), game("2a", "2", "a", 6),
              game("3a", "3", "a", 9)]  # fmt: skip
    after = [game("1a", "1", "b", 5), game("1b", "1", "a", 7), game("2a", "2", "a", 10),
             game("3a", "3", "", 1, "forfeit: crash")]  # fmt: skip
    for name, games in (("one", before), ("other", after)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(json.dumps({"event": event, "games": games}))
    found = compared(tmp_path / "one", tmp_path / "other")
    assert (found.bouts, found.left_out, found.otherwise) == (3, 1, 1)
    shifts = {one.what: one for one in found.shifts}
    assert list(shifts) == ["points of a", "points of b", "points of the first side", "turns"]
    turns = shifts["turns"]
    assert turns.difference.count == 2, "bouts with the same dice are one"
    assert turns.difference.mean == (2 + 4) / 2
    assert turns.difference.standard_error == pytest.approx(1.0)
    assert shifts["points of a"].difference.mean == -0.25
    (tmp_path / "other/results.json").write_text(json.dumps({"event": event, "games": []}))
    with pytest.raises(TournamentError, match="no bout of"):
        compared(tmp_path / "one", tmp_path / "other")


def test_the_twin_lies_within_the_event(cup, tmp_path):
    folder, asked, text = twin_of(cup, tmp_path / "heavier.toml")
    assert folder == cup / "variants/heavier"
    assert asked.seed == "s"
    assert text == HEAVIER


def test_the_command_takes_a_variant_and_goes_on_by_it(offering, cup, tmp_path, capsys):
    (tmp_path / "one.json").write_text(SETUP)
    asked = (
        "--ruleset", "kettering", "--pilot", "stock:greedy", "--pilot", "stock:random", "--seed",
        "s", "--setup", "one.json", "--quiet", "--target", offering, "--variant",
    )  # fmt: skip
    assert main(["tournament", "run", "mine", *asked, "heavier.toml"]) == 0
    table = capsys.readouterr().out
    assert (tmp_path / "mine/variant.toml").read_text() == HEAVIER
    for again in ((), (*asked, "heavier.toml")):
        assert main(["tournament", "run", "mine", "--quiet", "--target", offering, *again]) == 0
        assert capsys.readouterr().out == table
    assert main(["tournament", "run", "mine", *asked, "kited.toml"]) != 0
    assert "variant: the event there has" in " ".join(capsys.readouterr().err.split())
